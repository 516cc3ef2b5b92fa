#include "trace/ctl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "trace/ctl_engines.hpp"
#include "trace/ctl_lattice.hpp"

namespace cohort::trace::ctl {
namespace {

/// Up to here a sweep over all cuts takes less time than a tree is worth.
constexpr std::uint64_t few_cuts = 150'000;

class Checker {
 public:
  Checker(const Writes& writes, const Formula& formula, const Options& options)
      : writes_(writes),
        formula_(formula),
        forms_(formula.forms),
        engine_(options.engine),
        limits_{options.should_stop, UINT64_MAX} {}

  struct Decision {
    bool holds = false;
    std::optional<Evidence> evidence;
  };

  /// Boolean structure first.  Recursion is as deep as the formula.
  [[nodiscard]] Decision decide(FormulaId id) {
    const Formulas::Node& node = forms_[id];
    switch (node.form) {
      case Form::True:
        return {true, std::nullopt};
      case Form::Not: {
        Decision inner = decide(node.args[0]);
        inner.holds = !inner.holds;
        return inner;
      }
      case Form::And:
      case Form::Or:
        return decide_several(node);
      default:
        return ask(id);
    }
  }

  [[nodiscard]] Statistics& statistics() { return statistics_; }

  void describe(Answer& answer) const {
    for (const auto& [name, reason] : used_) {
      answer.engine += answer.engine.empty() ? "" : "+";
      answer.engine += name;
      answer.why += answer.why.empty() ? "" : "; ";
      answer.why += used_.size() > 1 ? name + ": " + reason : reason;
    }
    if (used_.empty() && answer.verdict != base::Verdict::Unknown) {
      answer.engine = "none";
      answer.why = "the formula is constant";
    }
  }

 private:
  /// The part that decides gives the evidence; where all of them are needed, the first that has
  /// any.
  [[nodiscard]] Decision decide_several(const Formulas::Node& node) {
    const bool decisive = node.form == Form::Or;
    // What detection can decide costs least.
    std::vector<FormulaId> parts = node.args;
    std::ranges::stable_sort(parts, {}, [&](FormulaId id) {
      const bool negated = forms_[id].form == Form::Not;
      return can_detect(forms_, negated ? forms_[id].args[0] : id) ? 0 : 1;
    });
    Decision all{!decisive, std::nullopt};
    for (const FormulaId part : parts) {
      Decision one = decide(part);
      if (one.holds == decisive) return one;
      const bool says_more = one.evidence && (!all.evidence || all.evidence->path.empty());
      if (says_more) all.evidence = std::move(one.evidence);
    }
    return all;
  }

  [[nodiscard]] Decision ask(FormulaId id) {
    std::vector<std::uint32_t> atoms;
    for (const FormulaId part : forms_.subformulas(id)) {
      if (forms_[part].form == Form::Atom) atoms.push_back(forms_[part].atom);
    }
    const Lattice lattice{writes_,
                          formula_.atoms,
                          atoms,
                          {.every_event = forms_[id].has_next, .process_order = false}};
    ++statistics_.parts;
    statistics_.visible_events =
        std::max<std::uint64_t>(statistics_.visible_events, lattice.num_events());
    const Question question{forms_, id, lattice};
    const bool may_detect = engine_ == Engine::Auto || engine_ == Engine::Detection;
    if (may_detect && can_detect(forms_, id)) {
      if (const std::optional<Detection> found = detect(question, limits_)) {
        statistics_.conjunctions += found->num_conjunctions;
        used_["detection"] =
            "AG or EF of a boolean combination of local predicates needs no set of cuts";
        Decision decision{found->reachable, std::nullopt};
        if (found->reachable) decision.evidence = evidence_at(lattice, found->cut);
        return decision;
      }
    }
    if (engine_ == Engine::Detection) {
      throw LimitHit("the formula is no boolean combination of local predicates under AG or EF");
    }
    const std::unique_ptr<Solution> solution = solve(question);
    statistics_.cuts += solution->num_cuts();
    statistics_.nodes = std::max(statistics_.nodes, solution->num_nodes());
    const std::vector<std::uint32_t> empty(lattice.num_components(), 0);
    Decision decision{solution->holds(id, empty), std::nullopt};
    decision.evidence = evidence(question, *solution, decision.holds);
    return decision;
  }

  [[nodiscard]] std::unique_ptr<Solution> solve(const Question& question) {
    if (engine_ == Engine::Explicit) {
      used_["explicit"] = "asked for";
      return solve_explicitly(question, limits_);
    }
    if (engine_ == Engine::Auto) {
      try {
        auto solution = solve_explicitly(question, {limits_.should_stop, few_cuts});
        used_["explicit"] = fmt::format("the formula can tell no more than {} cuts apart",
                                        std::max(largest_sweep_, solution->num_cuts()));
        largest_sweep_ = std::max(largest_sweep_, solution->num_cuts());
        return solution;
      } catch (const LimitHit&) {
        if (limits_.should_stop && limits_.should_stop()) throw;
      }
    }
    used_["symbolic"] =
        engine_ == Engine::Symbolic ? "asked for" : fmt::format("more than {} cuts", few_cuts);
    auto solution = std::make_unique<Symbolic>(question.lattice, limits_);
    solution->solve(forms_, question.root);
    return solution;
  }

  // -------------------------------------------------------------------------------------------------
  // Evidence

  [[nodiscard]] Evidence evidence_of_path(std::vector<Event> path) const {
    Evidence made;
    made.cut.assign(writes_.order().num_processes(), 0);
    for (const Event e : path) made.cut[base::index_of(e.process)] = e.position;
    made.path = std::move(path);
    return made;
  }

  /// The least cut of the trace with the visible events of a cut of the lattice.
  [[nodiscard]] Evidence evidence_at(const Lattice& lattice,
                                     std::span<const std::uint32_t> cut) const {
    std::vector<Step> steps;
    for (std::uint32_t c = 0; c < cut.size(); ++c) {
      if (cut[c] > 0) steps.push_back({c, cut[c]});
    }
    return evidence_of_path(lattice.path(steps, false));
  }

  [[nodiscard]] std::optional<Evidence> evidence(const Question& question, Solution& solution,
                                                 bool holds) const {
    const Formulas::Node& node = forms_[question.root];
    const Lattice& lattice = question.lattice;
    if (node.form == Form::Atom || node.form == Form::End) return evidence_of_path({});
    if (!holds) return std::nullopt;  // no single run shows that none does
    if (node.form == Form::SomeFinally) return evidence_at(lattice, *solution.least(node.args[0]));
    std::vector<Step> steps;
    std::vector<std::uint32_t> cut(lattice.num_components(), 0);
    // One step to a cut that satisfies `formula`; there is one.
    const auto step_to = [&](FormulaId formula) {
      for (std::uint32_t c = 0; c < cut.size(); ++c) {
        if (cut[c] == lattice.num_events(c)) continue;
        ++cut[c];
        if (solution.holds(formula, cut)) {
          steps.push_back({c, cut[c]});
          return;
        }
        --cut[c];
      }
    };
    bool to_the_end = false;
    if (node.form == Form::SomeNext) {
      step_to(node.args[0]);
    } else {
      while (!solution.holds(node.args[1], cut)) step_to(question.root);
      // The target may hold only because this is the last visible cut: then the run goes on, over
      // events that change nothing, to the end of the trace.
      to_the_end = !holds_before_end(solution, node.args[1], cut);
    }
    return evidence_of_path(lattice.path(steps, to_the_end));
  }

  /// Whether a formula would hold in the cut if more events were to come.
  [[nodiscard]] bool holds_before_end(Solution& solution, FormulaId formula,
                                      std::span<const std::uint32_t> cut) const {
    const Formulas::Node& node = forms_[formula];
    const auto before_end = [&](FormulaId id) { return holds_before_end(solution, id, cut); };
    switch (node.form) {
      case Form::End:
        return false;
      case Form::And:
        return std::ranges::all_of(node.args, before_end);
      case Form::Or:
        return std::ranges::any_of(node.args, before_end);
      default:
        return solution.holds(formula, cut);
    }
  }

  const Writes& writes_;
  const Formula& formula_;
  const Formulas& forms_;
  Engine engine_;
  Limits limits_;
  Statistics statistics_;
  std::uint64_t largest_sweep_ = 0;
  std::map<std::string, std::string> used_;
};

/// True, with an error, if some condition that has to be evaluated divides by zero.
[[nodiscard]] bool has_fault(const Writes& writes, const Formula& formula, const Options& options,
                             base::Diagnostics& diagnostics) {
  if (formula.fault == formula.forms.truth(false)) return false;
  Checker checker{writes, formula, {.engine = Engine::Auto, .should_stop = options.should_stop}};
  const Checker::Decision fault = checker.decide(formula.fault);
  if (!fault.holds) return false;
  base::Span where = formula.where;
  const auto asks = [](const Atom& atom) { return atom.asks_for_fault; };
  if (std::ranges::count_if(formula.atoms, asks) == 1) {
    where = std::ranges::find_if(formula.atoms, asks)->where;
  }
  std::string cut;
  if (fault.evidence) {
    const Order& order = writes.order();
    for (std::size_t p = 0; p < fault.evidence->cut.size(); ++p) {
      const ProcessId process{static_cast<std::uint32_t>(p)};
      cut += fmt::format("{}{}:{}", cut.empty() ? "" : ", ", order.name(process),
                         fault.evidence->cut[p]);
    }
  }
  diagnostics.error(where, fmt::format("division by zero in the cut {{{}}}", cut),
                    "test for zero first, for instance 'y != 0 & x / y > 2'");
  return true;
}

}  // namespace

Answer check(const Order& order, const Vocabulary& words, const Formula& formula,
             const Options& options, base::Diagnostics& diagnostics) {
  Answer answer;
  answer.statistics.events = order.num_events();
  const std::size_t errors_before = diagnostics.num_errors();
  const Writes writes{order, words, formula, diagnostics};
  if (diagnostics.num_errors() > errors_before) {
    answer.verdict = base::Verdict::Error;
    return answer;
  }
  Checker checker{writes, formula, options};
  const auto finish = [&] {
    checker.statistics().events = order.num_events();
    answer.statistics = checker.statistics();
    checker.describe(answer);
  };
  try {
    if (has_fault(writes, formula, options, diagnostics)) {
      answer.verdict = base::Verdict::Error;
      return answer;
    }
    Checker::Decision decision = checker.decide(formula.root);
    answer.verdict = decision.holds ? base::Verdict::Holds : base::Verdict::Fails;
    answer.evidence = std::move(decision.evidence);
  } catch (const LimitHit& hit) {
    answer.reason = hit.what();
  } catch (const ist::Stopped&) {
    answer.reason = "stopped";
  }
  finish();
  return answer;
}

}  // namespace cohort::trace::ctl
