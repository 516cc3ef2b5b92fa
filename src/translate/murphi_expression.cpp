#include "translate/murphi_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "translate/scope.hpp"

namespace cohort::translate {
namespace {

using base::index_of;
using lang::Expr;
using lang::Op;
using lang::syntax::Join;

constexpr Connectives connectives{"true", "false", " & ", " | ", " = "};

[[nodiscard]] bool is_number(Op op) {
  switch (op) {
    case Op::Constant:
    case Op::Variable:
    case Op::Minus:
    case Op::Product:
    case Op::Sum:
    case Op::Conditional:
    case Op::Count:
    case Op::CountProcess:
      return true;
    default:
      return false;
  }
}

[[nodiscard]] bool is_process(const Expr& expr) {
  return expr.type.kind == lang::ValueType::Kind::Process ||
         expr.type.kind == lang::ValueType::Kind::None || expr.op == Op::Slot ||
         expr.op == Op::None;
}

[[nodiscard]] std::string conditional(const std::string& test, const std::string& yes,
                                      const std::string& no) {
  if (test == "true" || yes == no) return yes;
  if (test == "false") return no;
  return fmt::format("({} ? {} : {})", test, yes, no);
}

}  // namespace

std::string murphi_all(const std::vector<std::string>& terms) { return connectives.all(terms); }
std::string murphi_any(const std::vector<std::string>& terms) { return connectives.any(terms); }
std::string murphi_not(const std::string& term) { return connectives.negation(term); }

MurphiExpressions::MurphiExpressions(const model::Program& program, const Names& names,
                                     Words& words)
    : CommonExpressions(connectives), program_(program), names_(names), words_(words) {}

MurphiSlots MurphiExpressions::enter(const std::vector<lang::Slot>& slots) {
  slots_ = &slots;
  words_.begin_scope();
  MurphiSlots names;
  for (const lang::Slot& slot : slots) names.push_back(words_.take_local(slot.name));
  return names;
}

void MurphiExpressions::enter(const std::vector<lang::Slot>& slots, const MurphiSlots& names) {
  slots_ = &slots;
  words_.begin_scope(names);
}

std::string MurphiExpressions::parameters(const std::vector<lang::Slot>& slots, std::size_t count,
                                          const MurphiSlots& names) const {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < count; ++i) {
    list.push_back(fmt::format("{} : {}", names[i], names_.modules[index_of(slots[i].module)]));
  }
  return fmt::format("{}", fmt::join(list, "; "));
}

// ---------------------------------------------------------------------------------------------------
// Processes

std::string MurphiExpressions::place(const Expr& variable, const MurphiSlots& slots,
                                     const std::vector<std::string>& names) {
  std::string text = names[variable.id];
  const lang::Variable& of = program_.source().variables[variable.id];
  for (std::size_t i = 0; i < variable.args.size(); ++i) {
    const Expr& arg = variable.args[i];
    text += fmt::format("[{}]", of.dimensions[i].module ? process(arg, slots) : value(arg, slots));
  }
  return text;
}

std::string MurphiExpressions::process(const Expr& expr, const MurphiSlots& slots) {
  switch (expr.op) {
    case Op::Slot:
      return slots[expr.id];
    case Op::Variable:
      return place(expr, slots);
    case Op::Conditional: {
      // A side that is none is never taken: `defined` says so first.
      const Expr& yes = expr.args[1];
      const Expr& no = expr.args[2];
      if (yes.op == Op::None) return process(no, slots);
      if (no.op == Op::None) return process(yes, slots);
      return conditional(truth(expr.args[0], slots), process(yes, slots), process(no, slots));
    }
    default:
      return "none";  // only where `defined` is false
  }
}

std::string MurphiExpressions::is_none(const Expr& expr, const MurphiSlots& slots) {
  switch (expr.op) {
    case Op::None:
      return "true";
    case Op::Variable:
      if (program_.source().variables[expr.id].type.kind != lang::Type::Kind::OptionalProcess) {
        return "false";
      }
      return fmt::format("isundefined({})", place(expr, slots));
    case Op::Conditional:
      return conditional(truth(expr.args[0], slots), is_none(expr.args[1], slots),
                         is_none(expr.args[2], slots));
    default:
      return "false";
  }
}

std::string MurphiExpressions::same_process(const Expr& left, const Expr& right,
                                            const MurphiSlots& slots) {
  if (left.op == Op::None) return is_none(right, slots);
  if (right.op == Op::None) return is_none(left, slots);
  if (left.op == Op::Conditional) {
    return conditional(truth(left.args[0], slots), same_process(left.args[1], right, slots),
                       same_process(left.args[2], right, slots));
  }
  if (right.op == Op::Conditional) {
    return conditional(truth(right.args[0], slots), same_process(left, right.args[1], slots),
                       same_process(left, right.args[2], slots));
  }
  const std::string left_none = is_none(left, slots);
  const std::string right_none = is_none(right, slots);
  const std::string equal = fmt::format("({} = {})", process(left, slots), process(right, slots));
  const std::string both = murphi_all({murphi_not(left_none), murphi_not(right_none), equal});
  return murphi_any({murphi_all({left_none, right_none}), both});
}

// ---------------------------------------------------------------------------------------------------
// Quantifiers

std::string MurphiExpressions::in_set(const lang::ProcessSet& set,
                                      const std::string& process) const {
  if (set.all) return "true";
  std::vector<std::string> terms;
  for (const std::int64_t id : set.ids) terms.push_back(fmt::format("({} = {})", process, id));
  return murphi_any(terms);
}

std::string MurphiExpressions::for_all(const std::vector<lang::Binder>& binders,
                                       const MurphiSlots& slots, const std::string& body) {
  if (body == "true") return body;
  std::string text = body;
  for (std::size_t i = binders.size(); i-- > 0;) {
    const std::string& name = slots[binders[i].slot];
    text = murphi_any({murphi_not(in_set(binders[i].set, name)), text});
    text = fmt::format("(forall {} : {} do {} end)", name,
                       names_.modules[index_of(binders[i].set.module)], text);
  }
  return text;
}

std::string MurphiExpressions::for_some(const std::vector<lang::Binder>& binders,
                                        const MurphiSlots& slots, const std::string& body) {
  if (body == "false") return body;
  std::string text = body;
  for (std::size_t i = binders.size(); i-- > 0;) {
    const std::string& name = slots[binders[i].slot];
    text = murphi_all({in_set(binders[i].set, name), text});
    text = fmt::format("(exists {} : {} do {} end)", name,
                       names_.modules[index_of(binders[i].set.module)], text);
  }
  return text;
}

std::string MurphiExpressions::count(const Expr& expr, const MurphiSlots& slots) {
  std::vector<std::string> parameters;
  std::vector<std::string> arguments;
  MurphiSlots inner = slots;
  for (const std::uint32_t slot : free_slots(expr)) {
    // A function's parameter has its slot's name; an id that stands for it is an argument.
    const std::string name = words_.take_local((*slots_)[slot].name);
    parameters.push_back(
        fmt::format("{} : {}", name, names_.modules[index_of((*slots_)[slot].module)]));
    arguments.push_back(slots[slot]);
    inner[slot] = name;
  }
  std::string test = body(expr, inner);
  std::string loops;
  std::string ends;
  std::int64_t most = 1;
  for (const lang::Binder& binder : expr.binders) {
    const std::string& name = inner[binder.slot];
    const std::size_t module = index_of(binder.set.module);
    most *= program_.source().modules[module].size;
    loops += fmt::format("  for {} : {} do\n", name, names_.modules[module]);
    ends += "  end;\n";
    test = murphi_all({in_set(binder.set, name), test});
  }
  const std::string text = fmt::format(
      "({0}) : 0..{1};\nvar {2} : 0..{1};\nbegin\n  {2} := 0;\n{3}"
      "    if {4} then {2} := {2} + 1; end;\n{5}  return {2};\nend;\n\n",
      fmt::join(parameters, "; "), most, names_.total, loops, test, ends);
  std::string& function = counts_[text];
  if (function.empty()) {
    function = words_.take("count");
    functions += fmt::format("function {}{}", function, text);
  }
  return fmt::format("{}({})", function, fmt::join(arguments, ", "));
}

// ---------------------------------------------------------------------------------------------------
// Numbers and conditions

std::string MurphiExpressions::compare(const Expr& expr, const MurphiSlots& slots) {
  const Join join = expr.args[1].join;
  if (is_process(expr.args[0]) || is_process(expr.args[1])) {
    const std::string same = same_process(expr.args[0], expr.args[1], slots);
    return join == Join::Equal ? same : murphi_not(same);
  }
  return chain(expr, slots);
}

std::string MurphiExpressions::value(const Expr& expr, const MurphiSlots& slots) {
  switch (expr.op) {
    case Op::Constant:
      return expr.value < 0 ? fmt::format("({})", expr.value) : std::to_string(expr.value);
    case Op::Variable:
      return place(expr, slots);
    case Op::Minus:
      return "(-" + value(expr.args[0], slots) + ")";
    case Op::Product:
    case Op::Sum:
      return chain(expr, slots);
    case Op::Conditional:
      return conditional(truth(expr.args[0], slots), value(expr.args[1], slots),
                         value(expr.args[2], slots));
    case Op::Count:
    case Op::CountProcess:
      return count(expr, slots);
    default:
      return conditional(truth(expr, slots), "1", "0");
  }
}

std::string MurphiExpressions::truth(const Expr& expr, const MurphiSlots& slots) {
  switch (expr.op) {
    case Op::Constant:
      return expr.value != 0 ? "true" : "false";
    case Op::Not:
      return murphi_not(truth(expr.args[0], slots));
    case Op::Compare:
      return compare(expr, slots);
    case Op::And:
    case Op::Or:
      return junction(expr, slots);
    case Op::Implies:
      return implication(expr, slots);
    case Op::Iff: {
      std::string text = truth(expr.args[0], slots);
      for (std::size_t i = 1; i < expr.args.size(); ++i) {
        const std::string right = truth(expr.args[i], slots);
        text = murphi_any(
            {murphi_all({text, right}), murphi_all({murphi_not(text), murphi_not(right)})});
      }
      return text;
    }
    case Op::All:
    case Op::Exists:
    case Op::ForallProcess:
    case Op::ExistsProcess: {
      const bool all = expr.op == Op::All || expr.op == Op::ForallProcess;
      const std::string inside = body(expr, slots);
      return all ? for_all(expr.binders, slots, inside) : for_some(expr.binders, slots, inside);
    }
    case Op::Enabled: {
      const Expr& of = expr.args[0];
      const std::string& function = names_.enabled[index_of(of.type.module)];
      asks_enabled.insert(index_of(of.type.module));
      return murphi_all(
          {murphi_not(is_none(of, slots)), fmt::format("{}({})", function, process(of, slots))});
    }
    case Op::Deadlock:
      asks_deadlock = true;
      return names_.deadlock + "()";
    case Op::Conditional:
      return conditional(truth(expr.args[0], slots), truth(expr.args[1], slots),
                         truth(expr.args[2], slots));
    default:
      if (!is_number(expr.op)) return "false";
      return fmt::format("({} != 0)", value(expr, slots));
  }
}

// ---------------------------------------------------------------------------------------------------
// Where there is a value

std::string MurphiExpressions::subscripts_defined(const Expr& expr, const MurphiSlots& slots) {
  std::vector<std::string> terms;
  const lang::Variable& of = program_.source().variables[expr.id];
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    const Expr& arg = expr.args[i];
    terms.push_back(defined(arg, slots));
    if (of.dimensions[i].module) {
      terms.push_back(murphi_not(is_none(arg, slots)));
      continue;
    }
    const lang::Interval range = of.dimensions[i].range;
    const model::WideInterval values = program_.bounds().of(arg);
    const std::string text = value(arg, slots);
    if (values.first < range.first) terms.push_back(fmt::format("({} >= {})", text, range.first));
    if (values.last > range.last) terms.push_back(fmt::format("({} <= {})", text, range.last));
  }
  return murphi_all(terms);
}

std::string MurphiExpressions::defined(const Expr& expr, const MurphiSlots& slots) {
  switch (expr.op) {
    case Op::Variable:
      return subscripts_defined(expr, slots);
    case Op::And:
    case Op::Implies:
      return sequence_defined(expr, true, slots);
    case Op::Or:
      return sequence_defined(expr, false, slots);
    case Op::Conditional:
      return murphi_all({defined(expr.args[0], slots),
                         conditional(truth(expr.args[0], slots), defined(expr.args[1], slots),
                                     defined(expr.args[2], slots))});
    case Op::All:
    case Op::Exists:
    case Op::Count:
    case Op::ForallProcess:
    case Op::ExistsProcess:
    case Op::CountProcess:
      return for_all(expr.binders, slots, body_defined(expr, slots));
    default: {
      std::vector<std::string> terms{arguments_defined(expr, slots)};
      for (const Expr& arg : expr.args) {
        if (arg.join != Join::Divide && arg.join != Join::Modulo) continue;
        const model::WideInterval by = program_.bounds().of(arg);
        if (by.first <= 0 && by.last >= 0) {
          terms.push_back(fmt::format("({} != 0)", value(arg, slots)));
        }
      }
      return murphi_all(terms);
    }
  }
}

}  // namespace cohort::translate
