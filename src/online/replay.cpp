#include "online/replay.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "cctl/path_truth.hpp"
#include "model/plain.hpp"
#include "online/word_truth.hpp"

namespace cohort::online {
namespace {

using cctl::Run;
using lang::Op;
using lang::syntax::Join;
using model::plain::Instance;
using model::plain::Semantics;
using Value = model::Value;
using Support = cctl::Judgement::Support;

/// An atom about actions: what is true of an instance that is fired.
class ActionTruth {
 public:
  ActionTruth(const Property& property, const Semantics& semantics, std::vector<Value> slots)
      : property_(property), semantics_(semantics), slots_(std::move(slots)) {}

  /// Conditions are 0 or 1, processes their ids.  Recurses as deep as the formula.
  [[nodiscard]] Value value(const lang::Expr& expr, const Instance& fired) {
    if (const auto label = property_.label(expr)) {
      const std::vector<std::uint32_t> named = Property::label_slots(expr);
      bool same = *label == fired.schema;
      for (std::size_t i = 0; same && i < named.size(); ++i) {
        same = slots_[named[i]] == fired.processes[i];
      }
      return same ? 1 : 0;
    }
    std::vector<Value> args;
    if (expr.binders.empty()) {
      for (const lang::Expr& arg : expr.args) args.push_back(value(arg, fired));
    }
    const auto is_true = [](Value arg) { return arg != 0; };
    switch (expr.op) {
      case Op::Constant:
        return expr.value;
      case Op::None:
        return lang::none_value;
      case Op::Slot:
        return slots_[expr.id];
      case Op::Minus:
        return -args[0];
      case Op::Not:
        return is_true(args[0]) ? 0 : 1;
      case Op::And:
        return std::ranges::all_of(args, is_true) ? 1 : 0;
      case Op::Or:
        return std::ranges::any_of(args, is_true) ? 1 : 0;
      case Op::Implies:
        return is_true(args[0]) && !is_true(args[1]) ? 0 : 1;
      case Op::Iff:
        return is_true(args[0]) == is_true(args[1]) ? 1 : 0;
      case Op::Sum:
        for (std::size_t i = 1; i < args.size(); ++i) {
          args[0] += expr.args[i].join == Join::Minus ? -args[i] : args[i];
        }
        return args[0];
      case Op::Product:
        for (std::size_t i = 1; i < args.size(); ++i) args[0] *= args[i];
        return args[0];
      case Op::Compare:
        return lang::syntax::compares(expr.args[1].join, args[0], args[1]) ? 1 : 0;
      default:
        break;
    }
    std::vector<bool> truths;
    collect(expr, 0, fired, truths);
    const auto count = std::ranges::count(truths, true);
    if (expr.op == Op::CountProcess) return count;
    if (expr.op == Op::ExistsProcess) return count > 0 ? 1 : 0;
    return static_cast<std::size_t>(count) == truths.size() ? 1 : 0;
  }

 private:
  void collect(const lang::Expr& expr, std::size_t binder, const Instance& fired,
               std::vector<bool>& truths) {
    if (binder == expr.binders.size()) {
      truths.push_back(value(expr.args[0], fired) != 0);
      return;
    }
    for (const Value process : semantics_.processes(expr.binders[binder].set)) {
      slots_[expr.binders[binder].slot] = process;
      collect(expr, binder + 1, fired, truths);
    }
  }

  const Property& property_;
  const Semantics& semantics_;
  std::vector<Value> slots_;
};

class Judge {
 public:
  Judge(const Semantics& semantics, const Property& property, const Run& run,
        const cctl::Evidence& evidence)
      : semantics_(semantics), property_(property), run_(run), evidence_(evidence) {}

  [[nodiscard]] cctl::Judgement judge() {
    cctl::Judgement judgement;
    judgement.support = Support::Refuted;
    if (evidence_.kind != cctl::Evidence::Kind::Counterexample) {
      objections_.emplace_back("a property of all runs has no witness");
    } else if (find_word()) {
      const bool shown = std::ranges::any_of(property_.goals, [&](const Goal& goal) {
        std::vector<Value> slots(std::max<std::size_t>(goal.slots.size(), 1), 0);
        for (std::size_t i = 0; i < goal.values.size(); ++i) slots[i] = goal.values[i].value_or(0);
        return any_choice(goal, 0, slots);
      });
      if (shown) judgement.support = Support::Shown;
    }
    judgement.objections = std::move(objections_);
    return judgement;
  }

 private:
  /// What word the path is.  False, with an objection, if it cannot be one that is asked for.
  [[nodiscard]] bool find_word() {
    word_.length = property_.view == View::Actions ? run_.fired.size() : run_.num_positions();
    word_.loop = run_.loop;
    if (property_.finite) {
      if (run_.loop) objections_.emplace_back("a finite word has no loop");
      if (word_.length == 0) objections_.emplace_back("the empty word does not count");
      return objections_.empty();
    }
    if (run_.loop) {
      if (property_.fair && !cctl::loop_is_fair(semantics_, run_))
        objections_.emplace_back("the loop is not fair");
      return objections_.empty();
    }
    word_.open = !semantics_.is_deadlock(run_.states.back());
    return true;
  }

  /// Whether some choice for the goal's foralls makes the word a bad one.  What the evidence says
  /// of them is tried first, and alone where it fits.
  [[nodiscard]] bool any_choice(const Goal& goal, std::size_t number, std::vector<Value>& slots) {
    if (number == goal.foralls.size()) return is_bad(goal, slots);
    const lang::Binder& binder = goal.foralls[number];
    const lang::Slot& slot = goal.slots[binder.slot];
    const std::vector<Value> processes = semantics_.processes(binder.set);
    if (evidence_.choices.size() == goal.foralls.size()) {
      const cctl::Choice& choice = evidence_.choices[number];
      if (choice.variable != slot.name || choice.module != slot.module ||
          std::ranges::find(processes, choice.process) == processes.end()) {
        return false;
      }
      slots[binder.slot] = choice.process;
      return any_choice(goal, number + 1, slots);
    }
    return std::ranges::any_of(processes, [&](Value process) {
      slots[binder.slot] = process;
      return any_choice(goal, number + 1, slots);
    });
  }

  [[nodiscard]] bool is_bad(const Goal& goal, const std::vector<Value>& slots) {
    truths_.clear();
    for (const lang::Expr& atom : goal.atoms) {
      truths_.push_back(property_.view == View::Actions ? of_actions(atom, slots)
                                                        : of_states(goal, atom, slots));
    }
    if (property_.automaton) return automaton_accepts(*property_.automaton);
    WordTruth truth{*property_.formulas, word_, [&](ltl::Atom atom, std::size_t position) {
                      return truths_[static_cast<std::size_t>(atom)][position];
                    }};
    return truth.value(goal.formula) == Truth::False;
  }

  [[nodiscard]] std::vector<bool> of_actions(const lang::Expr& atom,
                                             const std::vector<Value>& slots) {
    ActionTruth truth{property_, semantics_, slots};
    std::vector<bool> made;
    for (const Instance& fired : run_.fired) made.push_back(truth.value(atom, fired) != 0);
    return made;
  }

  [[nodiscard]] std::vector<bool> of_states(const Goal& goal, const lang::Expr& atom,
                                            const std::vector<Value>& slots) {
    lang::Formula formula;
    formula.slots = goal.slots;
    cctl::PathTruth truth{semantics_, formula, run_};
    for (std::uint32_t i = 0; i < goal.slots.size(); ++i) truth.set_slot(i, slots[i]);
    std::vector<bool> made;
    for (std::size_t i = 0; i < word_.length; ++i) {
      const Truth found = truth.value(atom, i);
      if (found == Truth::Unknown) objections_.emplace_back("an atom cannot be evaluated");
      made.push_back(found == Truth::True);
    }
    return made;
  }

  /// An automaton that was given accepts the word: by the sets of its states that can be reached,
  /// and for a lasso by looking for a cycle through an accepting state.
  [[nodiscard]] bool automaton_accepts(const ltl::Automaton& automaton) {
    using At = std::pair<std::size_t, ltl::StateIndex>;  // next position, state
    const auto next = [&](const At& at) {
      std::vector<At> made;
      if (at.first == word_.length) return made;
      const std::size_t behind =
          at.first + 1 == word_.length && word_.loop ? *word_.loop : at.first + 1;
      for (const ltl::Edge& edge : automaton.states[at.second].edges) {
        const auto is_true = [&](ltl::Variable v) { return truths_[v][at.first]; };
        if (automaton.letters.evaluate(edge.letter, is_true))
          made.emplace_back(behind, edge.target);
      }
      return made;
    };
    const auto reachable = [&](std::vector<At> open) {
      std::set<At> seen(open.begin(), open.end());
      while (!open.empty()) {
        const At at = open.back();
        open.pop_back();
        for (const At& to : next(at)) {
          if (seen.insert(to).second) open.push_back(to);
        }
      }
      return seen;
    };
    std::vector<At> starts;
    for (const ltl::StateIndex state : automaton.initial) starts.emplace_back(0, state);
    const std::set<At> all = reachable(starts);
    return std::ranges::any_of(all, [&](const At& at) {
      if (!automaton.states[at.second].accepting) return false;
      if (word_.loop) return reachable(next(at)).contains(at);
      if (at.first != word_.length) return false;
      return !word_.open || accepts_all(automaton, at.second);
    });
  }

  /// Stays in an accepting state whatever comes.
  [[nodiscard]] static bool accepts_all(const ltl::Automaton& automaton, ltl::StateIndex state) {
    return std::ranges::any_of(automaton.states[state].edges, [&](const ltl::Edge& edge) {
      return edge.target == state && edge.letter == ltl::Decision::True;
    });
  }

  const Semantics& semantics_;
  const Property& property_;
  const Run& run_;
  const cctl::Evidence& evidence_;
  Word word_;
  std::vector<std::vector<bool>> truths_;  // by atom and position
  std::vector<std::string> objections_;
};

}  // namespace

cctl::Judgement replay(const lang::Program& program, const Property& property,
                       const cctl::Evidence& evidence) {
  const Semantics semantics{program};
  cctl::Judgement judgement;
  judgement.support = Support::Refuted;
  const std::optional<Run> run = cctl::step_through(semantics, evidence, judgement.objections);
  if (!run) return judgement;
  return Judge(semantics, property, *run, evidence).judge();
}

}  // namespace cohort::online
