#include "translate/promela_action.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "translate/scope.hpp"

namespace cohort::translate {
namespace {

using lang::Expr;

/// One assignment to one variable instance, its processes known.
struct Assignment {
  const lang::Action* action = nullptr;
  Slots slots;
  std::string filter = "1";  ///< it happens if this is true
  std::string index;
  std::string value;
};

class Writer {
 public:
  Writer(const model::Program& program, std::size_t schema, PromelaExpressions& expressions)
      : program_(program), schema_(schema), expressions_(expressions) {
    for (const lang::Action& action : actions()) {
      add_writes(action, written_);
    }
  }

  [[nodiscard]] PromelaAction run(const Slots& slots) {
    for (const lang::Action& action : actions()) flatten(action, slots, "1");
    // A lone assignment reads the old state in any case.
    if (assignments_.size() == 1 && assignments_.front().filter == "1") written_.clear();
    for (Assignment& assignment : assignments_) prepare(assignment);
    if (program_.schemas()[schema_].may_conflict) check_conflicts();
    for (const Assignment& assignment : assignments_) assign(assignment);
    return std::move(made_);
  }

 private:
  [[nodiscard]] const std::vector<lang::Action>& actions() const {
    return program_.source().schemas[schema_].actions;
  }

  void flatten(const lang::Action& action, Slots slots, const std::string& filter) {
    if (action.binders.empty()) {
      assignments_.push_back({&action, std::move(slots), filter, {}, {}});
      return;
    }
    for (Bindings bound(program_.source(), action.binders); !bound.done(); bound.next()) {
      for (std::size_t i = 0; i < action.binders.size(); ++i) {
        slots[action.binders[i].slot] = named(bound.process(i));
      }
      std::string inner = filter;
      if (!action.filter.empty()) {
        const Expr& test = action.filter.front();
        demand(filter, expressions_.defined(test, slots));
        inner = all_of({filter, hold(expressions_.truth(test, slots), test)});
      }
      if (inner == "0") continue;
      for (const lang::Action& part : action.actions) flatten(part, slots, inner);
    }
  }

  void say(std::string statement) { made_.statements.push_back(std::move(statement)); }

  void demand(const std::string& filter, const std::string& condition) {
    const std::string whole = any_of({negated(filter), condition});
    // All of these are about the old state.
    if (whole != "1" && demanded_.insert(whole).second) say(fmt::format("assert({})", whole));
  }

  /// One for each value that is held.
  [[nodiscard]] std::string cell(const std::string& text) {
    std::string& made = cells_[text];
    if (made.empty()) {
      made = fmt::format("held[{}]", made_.num_held++);
      say(fmt::format("{} = {}", made, text));
    }
    return made;
  }

  [[nodiscard]] bool reads_what_changes(const Expr& expr) const {
    std::set<std::uint32_t> read;
    add_reads(expr, read);
    return std::ranges::any_of(read,
                               [&](std::uint32_t variable) { return written_.contains(variable); });
  }

  /// The text, or a cell that holds its value, if it reads what is going to change.
  [[nodiscard]] std::string hold(const std::string& text, const Expr& expr) {
    return reads_what_changes(expr) ? cell(text) : text;
  }

  /// v[v[0]], also somewhere inside.
  [[nodiscard]] static bool is_indexed_with_itself(const Expr& expr) {
    if (expr.op == lang::Op::Variable) {
      std::set<std::uint32_t> read;
      for (const Expr& arg : expr.args) add_reads(arg, read);
      if (read.contains(expr.id)) return true;
    }
    return std::ranges::any_of(expr.args, is_indexed_with_itself);
  }

  void prepare(Assignment& assignment) {
    const lang::Action& action = *assignment.action;
    demand(assignment.filter, expressions_.subscripts_defined(action.target, assignment.slots));
    demand(assignment.filter, expressions_.defined(action.value, assignment.slots));
    const std::string value = expressions_.value(action.value, assignment.slots);
    const lang::Interval& type = program_.source().variables[action.target.id].type.values;
    const model::WideInterval values = program_.bounds().of(action.value);
    std::vector<std::string> inside;
    if (values.first < type.first) {
      inside.push_back(fmt::format("({} >= {})", value, promela_number(type.first)));
    }
    if (values.last > type.last) {
      inside.push_back(fmt::format("({} <= {})", value, promela_number(type.last)));
    }
    demand(assignment.filter, all_of(inside));
    // What is held under a filter may have no value without it.
    const auto guarded = [&](const std::string& text) {
      return assignment.filter == "1" ? text
                                      : fmt::format("({} -> {} : 0)", assignment.filter, text);
    };
    assignment.value = reads_what_changes(action.value) ? cell(guarded(value)) : value;
    const std::string index = expressions_.index(action.target, assignment.slots);
    Expr subscripts = action.target;
    subscripts.op = lang::Op::Sum;  // only its arguments are read
    // Spin assigns to no place whose index is made of an array that is indexed with itself.
    const bool held = reads_what_changes(subscripts) || is_indexed_with_itself(action.target);
    assignment.index = held ? cell(guarded(index)) : index;
  }

  void check_conflicts() {
    for (std::size_t b = 1; b < assignments_.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) check_conflict(assignments_[a], assignments_[b]);
    }
  }

  void check_conflict(const Assignment& a, const Assignment& b) {
    if (a.action->target.id != b.action->target.id || a.value == b.value) return;
    const auto is_number = [](const std::string& text) {
      return text.find_first_not_of("0123456789") == std::string::npos;
    };
    if (a.index != b.index && is_number(a.index) && is_number(b.index)) return;
    const std::string same = a.index == b.index ? "1" : fmt::format("({} == {})", a.index, b.index);
    const std::string both = all_of({a.filter, b.filter, same});
    demand(both, fmt::format("({} == {})", a.value, b.value));
  }

  void assign(const Assignment& assignment) {
    const std::string& name = expressions_.name(assignment.action->target.id);
    const std::string place =
        assignment.index.empty() ? name : fmt::format("{}[{}]", name, assignment.index);
    const std::string statement = fmt::format("{} = {}", place, assignment.value);
    if (assignment.filter == "1") {
      say(statement);
    } else {
      say(fmt::format("if :: {} -> {} :: else fi", assignment.filter, statement));
    }
  }

  const model::Program& program_;
  std::size_t schema_;
  PromelaExpressions& expressions_;
  std::set<std::uint32_t> written_;
  std::vector<Assignment> assignments_;
  std::set<std::string> demanded_;
  std::map<std::string, std::string> cells_;  // by what they hold
  PromelaAction made_;
};

}  // namespace

PromelaAction promela_action(const model::Program& program, std::size_t schema, const Slots& slots,
                             PromelaExpressions& expressions) {
  return Writer(program, schema, expressions).run(slots);
}

}  // namespace cohort::translate
