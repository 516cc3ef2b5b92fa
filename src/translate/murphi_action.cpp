#include "translate/murphi_action.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "translate/scope.hpp"

namespace cohort::translate {
namespace {

using lang::Expr;
using lang::Op;

class Writer {
 public:
  Writer(const model::Program& program, const lang::Schema& schema, bool may_conflict,
         const MurphiSlots& slots, const MurphiExpressions::Names& names,
         MurphiExpressions& expressions)
      : program_(program),
        schema_(schema),
        slots_(slots),
        names_(names),
        expressions_(expressions) {
    std::set<std::uint32_t> read;
    for (const lang::Action& action : schema.actions) {
      add_writes(action, written_);
      add_reads(action, read);
    }
    const bool alone = schema.actions.size() == 1 && schema.actions.front().binders.empty();
    for (const std::uint32_t variable : written_) {
      if (may_conflict || (read.contains(variable) && !alone)) copied_.insert(variable);
      if (may_conflict) flagged_.insert(variable);
    }
  }

  [[nodiscard]] MurphiAction run(const std::vector<std::string>& types,
                                 const std::vector<std::string>& flags) {
    MurphiAction made;
    for (const std::uint32_t variable : copied_) {
      made.locals += fmt::format("  {} : {};\n", names_.copies[variable], types[variable]);
      text_ += take_over(variable, names_.copies[variable], names_.variables[variable]);
    }
    for (const std::uint32_t variable : flagged_) {
      made.locals += fmt::format("  {} : {};\n", names_.flags[variable], flags[variable]);
      text_ += fmt::format("  clear {};\n", names_.flags[variable]);
    }
    for (const lang::Action& action : schema_.actions) perform(action, "  ");
    for (const std::uint32_t variable : copied_) {
      text_ += take_over(variable, names_.variables[variable], names_.copies[variable]);
    }
    made.statements = std::move(text_);
    return made;
  }

 private:
  /// A single value may be undefined, which is not to be read; an array is copied as a whole.
  [[nodiscard]] std::string take_over(std::uint32_t variable, const std::string& to,
                                      const std::string& from) const {
    const lang::Variable& of = program_.source().variables[variable];
    if (!of.dimensions.empty() || of.type.kind != lang::Type::Kind::OptionalProcess) {
      return fmt::format("  {} := {};\n", to, from);
    }
    return fmt::format("  if isundefined({1}) then undefine {0}; else {0} := {1}; end;\n", to,
                       from);
  }

  void perform(const lang::Action& action, const std::string& indent) {
    if (action.binders.empty()) {
      assign(action, indent);
      return;
    }
    std::string inner = indent;
    for (const lang::Binder& binder : action.binders) {
      text_ += fmt::format(
          "{}for {} do\n", inner,
          expressions_.parameters({schema_.slots[binder.slot]}, 1, {slots_[binder.slot]}));
      inner += "  ";
    }
    std::string deepest = inner;
    if (!action.filter.empty()) {
      demand(expressions_.defined(action.filter.front(), slots_), inner);
      text_ +=
          fmt::format("{}if {} then\n", inner, expressions_.truth(action.filter.front(), slots_));
      deepest += "  ";
    }
    for (const lang::Action& part : action.actions) perform(part, deepest);
    if (!action.filter.empty()) text_ += inner + "end;\n";
    for (std::size_t i = 0; i < action.binders.size(); ++i) {
      inner.resize(inner.size() - 2);
      text_ += inner + "end;\n";
    }
  }

  void demand(const std::string& condition, const std::string& indent) {
    if (condition == "true") return;
    text_ += fmt::format("{}assert {} \"model error in {}\";\n", indent, condition, schema_.name);
  }

  void assign(const lang::Action& action, const std::string& indent) {
    const lang::Type& type = program_.source().variables[action.target.id].type;
    demand(expressions_.subscripts_defined(action.target, slots_), indent);
    demand(expressions_.defined(action.value, slots_), indent);
    if (type.kind == lang::Type::Kind::Process) {
      demand(murphi_not(expressions_.is_none(action.value, slots_)), indent);
    } else if (!type.is_process()) {
      const model::WideInterval values = program_.bounds().of(action.value);
      const std::string number = expressions_.value(action.value, slots_);
      if (values.first < type.values.first) {
        demand(fmt::format("({} >= {})", number, type.values.first), indent);
      }
      if (values.last > type.values.last) {
        demand(fmt::format("({} <= {})", number, type.values.last), indent);
      }
    }
    const bool copied = copied_.contains(action.target.id);
    const std::string place =
        expressions_.place(action.target, slots_, copied ? names_.copies : names_.variables);
    if (flagged_.contains(action.target.id)) check_conflict(action, place, indent);
    text_ += murphi_assign(place, type, action.value, slots_, expressions_, indent);
  }

  /// A second assignment must give the value of the first.
  void check_conflict(const lang::Action& action, const std::string& place,
                      const std::string& indent) {
    const std::string flag = expressions_.place(action.target, slots_, names_.flags);
    const lang::Type& type = program_.source().variables[action.target.id].type;
    std::string same;
    if (!type.is_process()) {
      same = fmt::format("({} = {})", place, expressions_.value(action.value, slots_));
    } else {
      same = same_process(place, type, action.value);
    }
    text_ += fmt::format("{0}if {1} then assert {2} \"two values at once in {3}\"; end;\n", indent,
                         flag, same, schema_.name);
    text_ += fmt::format("{}{} := true;\n", indent, flag);
  }

  [[nodiscard]] std::string same_process(const std::string& place, const lang::Type& type,
                                         const Expr& value) {
    if (value.op == Op::Conditional) {
      return fmt::format("({} ? {} : {})", expressions_.truth(value.args[0], slots_),
                         same_process(place, type, value.args[1]),
                         same_process(place, type, value.args[2]));
    }
    const bool optional = type.kind == lang::Type::Kind::OptionalProcess;
    const std::string unset = optional ? fmt::format("isundefined({})", place) : "false";
    const std::string none = expressions_.is_none(value, slots_);
    if (none == "true") return unset;
    const std::string equal = fmt::format("({} = {})", place, expressions_.process(value, slots_));
    return murphi_any(
        {murphi_all({unset, none}), murphi_all({murphi_not(unset), murphi_not(none), equal})});
  }

  const model::Program& program_;
  const lang::Schema& schema_;
  const MurphiSlots& slots_;
  const MurphiExpressions::Names& names_;
  MurphiExpressions& expressions_;
  std::set<std::uint32_t> written_;
  std::set<std::uint32_t> copied_;
  std::set<std::uint32_t> flagged_;
  std::string text_;
};

}  // namespace

std::string murphi_assign(const std::string& place, const lang::Type& type, const Expr& value,
                          const MurphiSlots& slots, MurphiExpressions& expressions,
                          const std::string& indent) {
  if (!type.is_process()) {
    return fmt::format("{}{} := {};\n", indent, place, expressions.value(value, slots));
  }
  if (value.op == Op::Conditional) {
    const std::string deeper = indent + "  ";
    return fmt::format(
        "{}if {} then\n{}{}else\n{}{}end;\n", indent, expressions.truth(value.args[0], slots),
        murphi_assign(place, type, value.args[1], slots, expressions, deeper), indent,
        murphi_assign(place, type, value.args[2], slots, expressions, deeper), indent);
  }
  const std::string none = expressions.is_none(value, slots);
  // To a variable that is never none none is not assigned: that was demanded before.
  const bool optional = type.kind == lang::Type::Kind::OptionalProcess;
  if (none == "true") return optional ? fmt::format("{}undefine {};\n", indent, place) : "";
  const std::string process = expressions.process(value, slots);
  if (none == "false" || !optional) return fmt::format("{}{} := {};\n", indent, place, process);
  return fmt::format("{}if {} then undefine {}; else {} := {}; end;\n", indent, none, place, place,
                     process);
}

MurphiAction murphi_action(const model::Program& program, std::size_t schema,
                           const MurphiSlots& slots, const MurphiExpressions::Names& names,
                           const std::vector<std::string>& types,
                           const std::vector<std::string>& flags, MurphiExpressions& expressions) {
  Writer writer(program, program.source().schemas[schema], program.schemas()[schema].may_conflict,
                slots, names, expressions);
  return writer.run(types, flags);
}

}  // namespace cohort::translate
