// The second walk over a formula: it is lowered with the atoms that the resolver has made, taken in
// the order of the text.
#include "online/goals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ltl/lower.hpp"

namespace cohort::online {
namespace {

namespace written = ltl::syntax;
namespace wanted = lang::syntax;
using base::Diagnostics;
using lang::Op;
using WrittenKind = written::ExprKind;

/// Equal texts are equal expressions.
void append_key(const lang::Expr& expr, std::string& key) {
  key += fmt::format("({} {} {} {} ", static_cast<int>(expr.op), static_cast<int>(expr.join),
                     expr.id, expr.value);
  for (const lang::Binder& binder : expr.binders) {
    key += fmt::format("b{} {} {} {}", binder.slot, base::index_of(binder.set.module),
                       binder.set.all, fmt::join(binder.set.ids, ","));
  }
  for (const lang::Expr& arg : expr.args) append_key(arg, key);
  key += ')';
}

void replace_slots(lang::Expr& expr, const std::map<std::uint32_t, std::uint32_t>& slots) {
  if (expr.op == Op::Slot) {
    const auto found = slots.find(expr.id);
    if (found != slots.end()) expr.id = found->second;
  }
  for (lang::Expr& arg : expr.args) replace_slots(arg, slots);
}

[[nodiscard]] std::vector<std::int64_t> members(const lang::ProcessSet& set,
                                                const lang::Program& program) {
  if (!set.all) return set.ids;
  std::vector<std::int64_t> made;
  for (std::int64_t p = 0; p < program[set.module].size; ++p) made.push_back(p);
  return made;
}

class Builder final : public ltl::AtomSource {
 public:
  Builder(const Resolved& from, Property& property, Diagnostics& diagnostics)
      : program_(from.program),
        about_actions_(from.about_actions),
        resolved_(from.items),
        translator_(from.translator),
        property_(property),
        diagnostics_(diagnostics) {}

  void run(const written::Expr& tree) {
    scopes_.push_back({&resolved_.root, fillers});
    peel(tree, {});
  }

  [[nodiscard]] ltl::Formula atom(const written::Expr& /*expr*/, ltl::Formulas& formulas) override {
    lang::Expr expr = next_item();
    replace_slots(expr, spelled_);
    if (about_actions_) spell_out(expr);
    return atom(std::move(expr), formulas);
  }
  [[nodiscard]] bool is_one_atom(const written::Expr& expr) override {
    return translator_.may_fault(expr);
  }

  [[nodiscard]] ltl::Formula quantified(const written::Expr& expr, ltl::Formulas& formulas,
                                        Diagnostics& diagnostics) override {
    const lang::Expr& quantifier = next_item();
    std::size_t count = 1;
    std::vector<std::vector<std::int64_t>> sets;
    for (const lang::Binder& binder : quantifier.binders) {
      sets.push_back(members(binder.set, program_));
      count = count > most_spelled_out ? count : count * sets.back().size();
    }
    num_spelled_ += count;
    if (num_spelled_ > most_spelled_out) {
      diagnostics.error({expr.where.begin, expr.args[0].where.begin},
                        fmt::format("a quantifier that has to be spelled out, for more than {} "
                                    "combinations of processes",
                                    most_spelled_out),
                        "only a 'forall' in front of everything is never spelled out");
      return formulas.constant(true);
    }
    std::vector<ltl::Formula> parts;
    for (std::size_t n = 0; n < count; ++n) {
      const std::map<std::uint32_t, std::uint32_t> outer = spelled_;
      std::size_t rest = n;
      for (std::size_t b = sets.size(); b-- > 0;) {
        const lang::Binder& binder = quantifier.binders[b];
        spelled_[binder.slot] = literal_slot(binder.set.module, sets[b][rest % sets[b].size()]);
        rest /= sets[b].size();
      }
      scopes_.push_back({&quantifier.args[0], fillers});
      parts.push_back(ltl::lower(expr.args[0], formulas, *this, diagnostics));
      scopes_.pop_back();
      spelled_ = outer;
    }
    return expr.kind == WrittenKind::Forall ? formulas.conjunction(std::move(parts))
                                            : formulas.disjunction(std::move(parts));
  }

  /// The atoms of an automaton, in their order.
  void automaton_atoms(std::size_t count) {
    scopes_.push_back({&resolved_.root, fillers});
    start_goal({});
    for (std::size_t i = 0; i < count; ++i) {
      lang::Expr expr = next_item();
      if (about_actions_) spell_out(expr);
      add_atom(std::move(expr));
    }
    property_.goals.back().formula = property_.formulas->constant(true);
  }

 private:
  /// The items of a quantifier's scope, and the next of them.
  struct Scope {
    const lang::Expr* items = nullptr;
    std::size_t next = 0;
  };

  [[nodiscard]] const lang::Expr& next_item() {
    Scope& scope = scopes_.back();
    return scope.items->args[scope.next++];
  }

  /// Conjuncts and outermost foralls.
  void peel(const written::Expr& bracketed, std::vector<lang::Binder> foralls) {
    const written::Expr& tree = written::inside_brackets(bracketed);
    if (tree.kind == WrittenKind::And && written::is_temporal(tree)) {
      for (const written::Expr& arg : tree.args) peel(arg, foralls);
      return;
    }
    if (tree.kind == WrittenKind::Forall && written::is_temporal(tree.args[0])) {
      const lang::Expr& quantifier = next_item();
      foralls.insert(foralls.end(), quantifier.binders.begin(), quantifier.binders.end());
      scopes_.push_back({&quantifier.args[0], fillers});
      peel(tree.args[0], std::move(foralls));
      scopes_.pop_back();
      return;
    }
    start_goal(std::move(foralls));
    const ltl::Formula formula = ltl::lower(tree, *property_.formulas, *this, diagnostics_);
    property_.goals.back().formula = formula;
  }

  void start_goal(std::vector<lang::Binder> foralls) {
    Goal& goal = property_.goals.emplace_back();
    goal.foralls = std::move(foralls);
    goal.slots = resolved_.slots;
    goal.values.resize(goal.slots.size());
    for (std::size_t i = 0; i < resolved_.num_free; ++i) goal.values[i] = resolved_.values[i];
    known_.clear();
    literals_.clear();
    num_spelled_ = 0;
  }

  [[nodiscard]] std::uint32_t literal_slot(lang::ModuleId module, std::int64_t process) {
    Goal& goal = property_.goals.back();
    const auto next = static_cast<std::uint32_t>(goal.slots.size());
    const auto [found, is_new] =
        literals_.emplace(std::pair{base::index_of(module), process}, next);
    if (is_new) {
      goal.slots.push_back({fmt::format("{}({})", program_[module].name, process), module});
      goal.values.emplace_back(process);
    }
    return found->second;
  }

  /// Quantifiers over a part of a module inside an atom about actions: which processes these are
  /// cannot be told from the instance that is fired, so they get names.
  void spell_out(lang::Expr& expr) {
    for (lang::Expr& arg : expr.args) spell_out(arg);
    const bool partial = std::ranges::any_of(
        expr.binders, [](const lang::Binder& binder) { return !binder.set.all; });
    if (!partial) return;
    std::vector<lang::Expr> bodies{expr.args[0]};
    for (const lang::Binder& binder : expr.binders) {
      std::vector<lang::Expr> more;
      for (const lang::Expr& body : bodies) {
        for (const std::int64_t process : members(binder.set, program_)) {
          more.push_back(body);
          replace_slots(more.back(), {{binder.slot, literal_slot(binder.set.module, process)}});
        }
      }
      bodies = std::move(more);
    }
    const Op op = expr.op == Op::ForallProcess   ? Op::And
                  : expr.op == Op::ExistsProcess ? Op::Or
                                                 : Op::Sum;
    if (bodies.empty() && op != Op::Sum) {  // a set of no process
      expr.value = op == Op::And ? 1 : 0;
      expr.op = Op::Constant;
      expr.binders.clear();
      expr.args.clear();
      return;
    }
    for (lang::Expr& body : bodies) body.join = wanted::Join::Plus;
    if (op == Op::Sum) bodies.insert(bodies.begin(), lang::Expr{});  // 0
    expr.op = op;
    expr.binders.clear();
    // No label's place.
    expr.where.end = expr.where.begin;
    expr.args = std::move(bodies);
  }

  /// What a combination of labels says of the empty word, on which no label and no comparison
  /// holds.
  [[nodiscard]] bool holds_on_empty_word(const lang::Expr& expr) const {
    if (property_.label(expr)) return false;
    const auto holds = [&](const lang::Expr& arg) { return holds_on_empty_word(arg); };
    switch (expr.op) {
      case Op::Constant:
        return expr.value != 0;
      case Op::Not:
        return !holds(expr.args[0]);
      case Op::And:
        return std::ranges::all_of(expr.args, holds);
      case Op::Or:
        return std::ranges::any_of(expr.args, holds);
      case Op::Implies:
        // a -> b -> c: false only if the last is false and all before it are true.
        return holds(expr.args.back()) ||
               !std::all_of(expr.args.begin(), expr.args.end() - 1, holds);
      case Op::Iff: {
        bool value = holds(expr.args[0]);
        for (std::size_t i = 1; i < expr.args.size(); ++i) value = value == holds(expr.args[i]);
        return value;
      }
      case Op::ForallProcess:
      case Op::ExistsProcess: {
        const bool is_empty = std::ranges::any_of(expr.binders, [&](const lang::Binder& binder) {
          return members(binder.set, program_).empty();
        });
        return is_empty ? expr.op == Op::ForallProcess : holds(expr.args[0]);
      }
      default:
        return false;
    }
  }

  /// `x != 1` and `x = 1` are one atom, and so are `<` and `>=`.
  [[nodiscard]] ltl::Formula atom(lang::Expr expr, ltl::Formulas& formulas) {
    if (property_.label(expr)) return formulas.atom(add_atom(std::move(expr)));
    if (about_actions_ && expr.op != Op::Not && holds_on_empty_word(expr)) {
      // Atoms do not hold on the empty word: this one is written as the negation of another.
      lang::Expr opposite;
      opposite.op = Op::Not;
      opposite.type = expr.type;
      opposite.where = {expr.where.begin, expr.where.begin};  // no label's place
      opposite.args.push_back(std::move(expr));
      return formulas.negation(formulas.atom(add_atom(std::move(opposite))));
    }
    const std::optional<std::int64_t> value = lang::constant_value(expr);
    if (value && !has_label(expr)) return formulas.constant(*value != 0);
    if (expr.op == Op::Not) return formulas.negation(atom(std::move(expr.args[0]), formulas));
    if (expr.op == Op::Compare) {
      wanted::Join& join = expr.args[1].join;
      const wanted::Join opposite = join == wanted::Join::NotEqual       ? wanted::Join::Equal
                                    : join == wanted::Join::GreaterEqual ? wanted::Join::Less
                                    : join == wanted::Join::Greater      ? wanted::Join::LessEqual
                                                                         : wanted::Join::None;
      if (opposite != wanted::Join::None) {
        join = opposite;
        return formulas.negation(formulas.atom(add_atom(std::move(expr))));
      }
    }
    return formulas.atom(add_atom(std::move(expr)));
  }

  [[nodiscard]] ltl::Atom add_new_atom(lang::Expr expr) {
    Goal& goal = property_.goals.back();
    goal.atom_names.push_back(fmt::format("a{}", goal.atoms.size()));
    goal.atoms.push_back(std::move(expr));
    return ltl::Atom{static_cast<std::uint32_t>(goal.atoms.size() - 1)};
  }

  ltl::Atom add_atom(lang::Expr expr) {
    // An automaton's atoms are numbered by its file.
    if (property_.automaton) return add_new_atom(std::move(expr));
    std::string key;
    append_key(expr, key);
    // Labels look like the comparisons of their processes.
    append_labels(expr, key);
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    const ltl::Atom made = add_new_atom(std::move(expr));
    known_.emplace(std::move(key), made);
    return made;
  }

  [[nodiscard]] bool has_label(const lang::Expr& expr) const {
    return property_.label(expr) ||
           std::ranges::any_of(expr.args, [&](const lang::Expr& arg) { return has_label(arg); });
  }

  void append_labels(const lang::Expr& expr, std::string& key) const {
    if (const auto label = property_.label(expr)) {
      key += fmt::format("l{} ", base::index_of(*label));
      return;
    }
    for (const lang::Expr& arg : expr.args) append_labels(arg, key);
  }

  const lang::Program& program_;
  bool about_actions_;
  const lang::Formula& resolved_;
  const Translator& translator_;
  Property& property_;
  Diagnostics& diagnostics_;
  std::vector<Scope> scopes_;
  std::map<std::uint32_t, std::uint32_t> spelled_;  // slots of quantifiers that are spelled out
  std::map<std::pair<std::size_t, std::int64_t>, std::uint32_t> literals_;
  std::map<std::string, ltl::Atom> known_;
  std::size_t num_spelled_ = 0;
};

}  // namespace

void add_goals(const written::Expr& tree, const Resolved& from, Property& property,
               Diagnostics& diagnostics) {
  Builder(from, property, diagnostics).run(tree);
}

void add_automaton_goal(std::size_t count, const Resolved& from, Property& property,
                        Diagnostics& diagnostics) {
  Builder(from, property, diagnostics).automaton_atoms(count);
}

}  // namespace cohort::online
