#include "cctl/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "lang/one_line.hpp"
#include "lang/warning_codes.hpp"

namespace cohort::cctl {
namespace {

using base::index_of;
using lang::Expr;
using lang::Op;

constexpr const char* empty_quantifier = "empty-quantifier";
constexpr const char* irrelevant_subformula = "irrelevant-subformula";
constexpr const char* vacuous_antecedent = "vacuous-antecedent";
constexpr const char* variable_never_changes = "variable-never-changes";

void add_writes(const lang::Action& action, std::set<std::uint32_t>& variables) {
  if (action.binders.empty()) variables.insert(action.target.id);
  for (const lang::Action& inner : action.actions) add_writes(inner, variables);
}

[[nodiscard]] Expr truth(bool value, lang::Span where) {
  Expr made;
  made.op = Op::Constant;
  made.value = value ? 1 : 0;
  made.type.kind = lang::ValueType::Kind::Number;
  made.where = where;
  return made;
}

class Finder {
 public:
  Finder(Checker& checker, const Summary& summary, const lang::Program& program,
         const FindingOptions& options)
      : checker_(checker), summary_(summary), program_(program), options_(options) {}

  [[nodiscard]] std::vector<Finding> run(const std::vector<Asked>& asked) {
    for (const Asked& one : asked) {
      if (wants(empty_quantifier)) find_empty(*one.formula, one.formula->root);
    }
    if (!summary_.complete) return std::move(made_);
    if (wants(lang::schema_never_fires.code)) find_unfired();
    if (wants(variable_never_changes)) find_unchanging();
    if (!wants(vacuous_antecedent) && !wants(irrelevant_subformula)) return std::move(made_);
    for (const Asked& one : asked) {
      if (one.answer->verdict != base::Verdict::Holds) continue;
      formula_ = one.formula;
      changed_ = *one.formula;
      descend(changed_.root, {});
    }
    return std::move(made_);
  }

 private:
  [[nodiscard]] bool wants(const char* code) const {
    return std::ranges::find(options_.wanted, code) != options_.wanted.end();
  }

  // -------------------------------------------------------------------------------------------------
  // The model

  void find_unfired() {
    for (const base::SchemaId id : summary_.unfired) {
      const lang::Schema& schema = program_[id];
      if (lang::constant_value(schema.condition) == 0) continue;  // the language has said so
      made_.push_back({lang::schema_never_fires.code, nullptr, schema.where,
                       fmt::format("schema '{}' never fires", schema.name),
                       "in no state that the model reaches"});
    }
  }

  void find_unchanging() {
    std::set<std::uint32_t> assigned;
    for (std::size_t i = 0; i < program_.schemas.size(); ++i) {
      const base::SchemaId id{static_cast<std::uint32_t>(i)};
      if (std::ranges::find(summary_.unfired, id) != summary_.unfired.end()) continue;
      for (const lang::Action& action : program_.schemas[i].actions) add_writes(action, assigned);
    }
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
      const auto number = static_cast<std::uint32_t>(i);
      // Values that differ among instances or initial states, and are never assigned, are a table
      // or a parameter: they are meant to stay.
      if (!starts_alike(number)) continue;
      if (assigned.contains(number) && !stays(number)) continue;
      const lang::Variable& variable = program_.variables[i];
      made_.push_back({variable_never_changes, nullptr, variable.where,
                       fmt::format("variable '{}' never changes", variable.name),
                       assigned.contains(number)
                           ? "every assignment that is carried out gives it the value that it has"
                           : "no schema that fires assigns it"});
    }
  }

  [[nodiscard]] bool starts_alike(std::uint32_t number) const {
    const std::vector<lang::Interval>& initial = program_.variables[number].initial;
    if (initial.size() != 1 || initial.front().first != initial.front().last) return false;
    return std::ranges::none_of(
        program_.inits, [&](const lang::Init& init) { return index_of(init.variable) == number; });
  }

  /// Asks for AG of `every instance has its initial value`.
  [[nodiscard]] bool stays(std::uint32_t number) {
    const lang::Variable& variable = program_.variables[number];
    if (variable.type.kind == lang::Type::Kind::Process) return false;  // a literal tells it apart
    lang::Formula ask;
    ask.text = "true";
    std::vector<Expr> places(1);
    places.front().op = Op::Variable;
    places.front().id = number;
    std::vector<lang::Binder> binders;
    constexpr std::size_t most_places = 1000;
    for (const lang::Dimension& dimension : variable.dimensions) {
      std::vector<Expr> subscripts;
      if (dimension.module) {
        Expr slot;
        slot.op = Op::Slot;
        slot.id = static_cast<std::uint32_t>(ask.slots.size());
        slot.type = {lang::ValueType::Kind::Process, *dimension.module};
        lang::Binder binder;
        binder.slot = slot.id;
        binder.set.module = *dimension.module;
        binders.push_back(binder);
        ask.slots.push_back({fmt::format("i{}", slot.id), *dimension.module});
        subscripts.push_back(slot);
      } else {
        for (std::int64_t at = dimension.range.first; at <= dimension.range.last; ++at) {
          subscripts.push_back(truth(false, {}));
          subscripts.back().value = at;
          if (subscripts.size() * places.size() > most_places) return false;
        }
      }
      std::vector<Expr> longer;
      for (const Expr& place : places) {
        for (const Expr& subscript : subscripts) {
          longer.push_back(place);
          longer.back().args.push_back(subscript);
        }
      }
      places = std::move(longer);
    }
    Expr all;
    all.op = Op::And;
    all.type.kind = lang::ValueType::Kind::Truth;
    for (Expr& place : places) all.args.push_back(initial_value(std::move(place), variable));
    Expr body = all.args.size() == 1 ? all.args.front() : all;
    if (!binders.empty()) {
      Expr forall;
      forall.op = Op::ForallProcess;
      forall.type.kind = lang::ValueType::Kind::Truth;
      forall.binders = binders;
      forall.args.push_back(std::move(body));
      body = std::move(forall);
    }
    ask.root.op = Op::Temporal;
    ask.root.path = lang::syntax::Path::A;
    ask.root.temporal = lang::syntax::TemporalOperator::G;
    ask.root.type.kind = lang::ValueType::Kind::Truth;
    ask.root.args.push_back(std::move(body));
    return holds(ask);
  }

  [[nodiscard]] static Expr initial_value(Expr place, const lang::Variable& variable) {
    Expr equal;
    equal.op = Op::Compare;
    equal.type.kind = lang::ValueType::Kind::Number;
    Expr value = truth(false, {});
    if (variable.type.is_process()) {
      place.type = {lang::ValueType::Kind::Process, variable.type.module};
      value.op = Op::None;
      value.type.kind = lang::ValueType::Kind::None;
    } else {
      place.type.kind = lang::ValueType::Kind::Number;
      value.value = variable.initial.front().first;
    }
    value.join = lang::syntax::Join::Equal;
    equal.args.push_back(std::move(place));
    equal.args.push_back(std::move(value));
    return equal;
  }

  // -------------------------------------------------------------------------------------------------
  // Properties

  void find_empty(const lang::Formula& formula, const Expr& expr) {
    for (const lang::Binder& binder : expr.binders) {
      if (binder.set.all || !binder.set.ids.empty()) continue;
      made_.push_back(
          {empty_quantifier,
           &formula,
           expr.where,
           fmt::format("property '{}' speaks of no process here: the set is empty", formula.name),
           {}});
    }
    for (const Expr& arg : expr.args) find_empty(formula, arg);
  }

  /// Where in the property something stands.
  struct Place {
    bool positive = true;    ///< it helps the property to hold
    bool everywhere = true;  ///< and has to hold in every state, for every process

    [[nodiscard]] Place negative() const { return {!positive, false}; }
    [[nodiscard]] Place one_of_many() const { return {positive, false}; }
  };

  /// Looks at the parts of something that matters.
  void descend(Expr& expr, Place place) {
    switch (expr.op) {
      case Op::Not:
        look_at(expr.args[0], place.negative());
        return;
      case Op::Implies:
        for (std::size_t i = 0; i < expr.args.size(); ++i) {
          const bool antecedent = i + 1 < expr.args.size();
          if (antecedent && place.everywhere && expr.args.size() == 2 &&
              is_never_true(expr.args[i], expr.args[i + 1])) {
            return;  // what follows from it does not matter, which is no further finding
          }
          look_at(expr.args[i], antecedent ? place.negative() : place.one_of_many());
        }
        return;
      case Op::And:
      case Op::ForallProcess:
        for (Expr& arg : expr.args) look_at(arg, place);
        return;
      case Op::Temporal:
        for (Expr& arg : expr.args)
          look_at(arg, asks_everywhere(expr) ? place : place.one_of_many());
        return;
      case Op::Or:
      case Op::ExistsProcess:
        for (Expr& arg : expr.args) look_at(arg, place.one_of_many());
        return;
      default:
        return;  // a comparison, or something that helps and hinders at once
    }
  }

  /// Whether AG or AX, over fair paths or over all.
  [[nodiscard]] static bool asks_everywhere(const Expr& expr) {
    using lang::syntax::Path;
    using lang::syntax::TemporalOperator;
    const bool all_paths = expr.path == Path::A || expr.path == Path::Afair;
    return all_paths &&
           (expr.temporal == TemporalOperator::G || expr.temporal == TemporalOperator::X);
  }

  void look_at(Expr& expr, Place place) {
    if (expr.op == Op::Constant) return;  // written so
    if (!wants(irrelevant_subformula) || matters(expr, !place.positive)) {
      descend(expr, place);
      return;
    }
    made_.push_back(
        {irrelevant_subformula,
         formula_,
         expr.where,
         fmt::format("in property '{}' it does not matter what '{}' says: the property holds with "
                     "'{}' in its place",
                     formula_->name, lang::on_one_line(formula_->source->text(expr.where)),
                     place.positive ? "false" : "true"),
         {}});
  }

  /// Whether the property fails with a constant in this place.
  [[nodiscard]] bool matters(Expr& expr, bool constant) {
    Expr kept = std::exchange(expr, truth(constant, expr.where));
    expr.join = kept.join;
    const bool still_holds = holds(changed_);
    expr = std::move(kept);
    return !still_holds;
  }

  [[nodiscard]] bool is_never_true(Expr& antecedent, Expr& consequent) {
    if (!wants(vacuous_antecedent) || consequent.op == Op::Constant) return false;
    if (matters(consequent, false)) return false;
    made_.push_back(
        {vacuous_antecedent,
         formula_,
         antecedent.where,
         fmt::format("property '{}' holds only because '{}' is never true", formula_->name,
                     lang::on_one_line(formula_->source->text(antecedent.where))),
         {}});
    return true;
  }

  /// What takes too long is taken not to hold, so that nothing is said of it.
  [[nodiscard]] bool holds(const lang::Formula& formula) {
    if (spent_ + options_.typical_seconds > options_.budget) return false;
    const auto start = std::chrono::steady_clock::now();
    const Answer answer = checker_.check(formula);
    spent_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return answer.verdict == base::Verdict::Holds;
  }

  Checker& checker_;
  const Summary& summary_;
  const lang::Program& program_;
  const FindingOptions& options_;
  std::vector<Finding> made_;
  const lang::Formula* formula_ = nullptr;
  lang::Formula changed_;
  double spent_ = 0;
};

}  // namespace

const std::vector<base::FindingCode>& finding_codes() {
  static const std::vector<base::FindingCode> codes{
      {empty_quantifier, "a quantifier or COUNT over an empty set of processes"},
      {irrelevant_subformula, "a sub-formula that does not matter for a property that holds"},
      lang::schema_never_fires,
      {vacuous_antecedent, "a property that holds because an antecedent is never true"},
      {variable_never_changes, "a variable that has its initial value in every reachable state"}};
  return codes;
}

std::vector<Finding> find(Checker& checker, const Summary& summary, const lang::Program& program,
                          const std::vector<Asked>& asked, const FindingOptions& options) {
  return Finder(checker, summary, program, options).run(asked);
}

}  // namespace cohort::cctl
