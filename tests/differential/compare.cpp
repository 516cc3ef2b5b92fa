#include "differential/compare.hpp"

#include <algorithm>
#include <exception>
#include <set>
#include <utility>

#include "base/limits.hpp"
#include "cctl/replay.hpp"
#include "lang/load.hpp"
#include "model/program.hpp"
#include "model/successors.hpp"
#include "oracle/graph.hpp"
#include "oracle/holds.hpp"

namespace cohort::differential {
namespace {

using base::Verdict;
using cctl::Answer;
using cctl::Judgement;
using oracle::State;

[[nodiscard]] std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::Holds:
      return "holds";
    case Verdict::Fails:
      return "fails";
    case Verdict::Unknown:
      return "unknown";
    case Verdict::Error:
      return "error";
  }
  return {};
}

[[nodiscard]] std::string to_string(const oracle::Allowed& allowed) {
  std::string text;
  for (const auto& [is_allowed, verdict] :
       {std::pair{allowed.holds, Verdict::Holds}, std::pair{allowed.fails, Verdict::Fails},
        std::pair{allowed.error, Verdict::Error}}) {
    if (is_allowed) text += (text.empty() ? "" : " or ") + to_string(verdict);
  }
  return text;
}

class Comparer {
 public:
  Comparer(const lang::Loaded& loaded, const oracle::Semantics& semantics,
           const oracle::Graph& graph, Comparison& result)
      : loaded_(loaded), semantics_(semantics), graph_(graph), result_(result) {}

  void run(bool only_counting) {
    const model::Program program{loaded_.program};
    if (!only_counting) {
      compare_initial(program);
      compare_successors(program);
    }
    for (const lang::Formula& formula : loaded_.formulas) {
      verdicts_.push_back(oracle::judge(graph_, semantics_, formula));
    }
    for (const cctl::Options& options : all_options()) {
      const bool counts = options.counting == cctl::Counting::Always;
      if (counts || !only_counting) compare_checker(program, options);
    }
  }

 private:
  void complain(const std::string& about) { result_.complaints.push_back(about); }

  // -------------------------------------------------------------------------------------------------
  // The program

  void compare_initial(const model::Program& program) {
    std::set<State> found;
    for (model::InitialStates initial{program}; !initial.done(); initial.next()) {
      State state(graph_.nodes.front().state.size());
      program.layout().unpack(initial.words(), state.data());
      found.insert(std::move(state));
    }
    std::set<State> expected;
    for (std::size_t s = 0; s < graph_.num_initial; ++s) expected.insert(graph_.nodes[s].state);
    if (found != expected) complain("the initial states differ");
  }

  /// Every edge of every state, by instance.
  void compare_successors(const model::Program& program) {
    model::Generator generator{program};
    for (const oracle::Node& node : graph_.nodes) {
      std::vector<model::Word> words(program.layout().num_words());
      for (std::size_t i = 0; i < node.state.size(); ++i) {
        program.layout().set(words.data(), i, node.state[i]);
      }
      const model::Successors& found = generator.expand(words.data());
      if (found.fault.has_value() != !node.faults.empty()) {
        complain(found.fault ? "successors: a fault that is none" : "successors: a missed fault");
        return;
      }
      if (found.fault) {
        compare_fault(program, *found.fault, node);
        continue;
      }
      std::map<oracle::Instance, State> edges;
      for (std::size_t i = 0; i < found.size(); ++i) {
        const model::Program::Instance instance = program.instance(found.code(i));
        State after(node.state.size());
        program.layout().unpack(found.target(i), after.data());
        edges.emplace(oracle::Instance{instance.schema, instance.processes}, std::move(after));
      }
      std::map<oracle::Instance, State> expected;
      for (const oracle::Edge& edge : node.edges) {
        expected.emplace(edge.instance, graph_.nodes[edge.to].state);
      }
      if (edges == expected && found.size() == expected.size()) continue;
      complain("successors: the edges of a state differ");
      return;
    }
  }

  void compare_fault(const model::Program& program, const model::InstanceFault& found,
                     const oracle::Node& node) {
    const model::Program::Instance instance = program.instance(found.instance);
    const bool is_known = std::ranges::any_of(node.faults, [&](const auto& expected) {
      return expected.instance == oracle::Instance{instance.schema, instance.processes} &&
             expected.fault.kind == found.fault.kind;
    });
    if (!is_known) complain("successors: another fault than there is");
  }

  // -------------------------------------------------------------------------------------------------
  // The checker

  void compare_checker(const model::Program& program, const cctl::Options& options) {
    base::Limits limits;
    // Against an endless search only: on a busy machine seconds pass while nothing runs.
    limits.set_timeout(3600);
    cctl::Checker checker{program, options, limits};
    for (std::size_t i = 0; i < loaded_.formulas.size(); ++i) {
      const std::string where =
          loaded_.formulas[i].name + " (" + differential::to_string(options) + "): ";
      try {
        compare_answer(checker.check(loaded_.formulas[i]), i, options, where);
      } catch (const std::exception& exception) {
        complain(where + "an exception, " + exception.what());
      }
    }
    const bool counted = options.engine == cctl::Engine::Full &&
                         options.build == cctl::Build::Eager && !graph_.has_faults();
    if (counted) compare_summary(checker.summary());
  }

  void compare_answer(const Answer& answer, std::size_t number, const cctl::Options& options,
                      const std::string& where) {
    const lang::Formula& formula = loaded_.formulas[number];
    const oracle::Allowed& allowed =
        options.build == cctl::Build::Eager ? verdicts_[number].eager : verdicts_[number].lazy;
    ++result_.tally[to_string(answer.verdict)];
    if (!allowed.allows(answer.verdict)) {
      complain(where + to_string(answer.verdict) + ", the oracle says " + to_string(allowed));
      return;
    }
    if (answer.verdict == Verdict::Error) {
      check_error(answer, formula, where);
    } else if (answer.evidence) {
      check_evidence(answer, formula, where);
    } else {
      ++result_.tally["no evidence"];
    }
  }

  void check_evidence(const Answer& answer, const lang::Formula& formula,
                      const std::string& where) {
    const Judgement judgement =
        cctl::replay(loaded_.program, formula, *answer.evidence, answer.verdict);
    for (const std::string& objection : judgement.objections) {
      complain(where + "evidence: " + objection);
    }
    switch (judgement.support) {
      case Judgement::Support::Shown:
        ++result_.tally["evidence shows it"];
        break;
      case Judgement::Support::Undecided:
        ++result_.tally["evidence leaves it open"];
        break;
      case Judgement::Support::Refuted:
        complain(where + "evidence: shows the contrary");
        break;
    }
  }

  void check_error(const Answer& answer, const lang::Formula& formula, const std::string& where) {
    if (!answer.error) {
      complain(where + "an error without a place");
      return;
    }
    const Judgement judgement = cctl::replay_error(loaded_.program, formula, *answer.error);
    for (const std::string& objection : judgement.objections) {
      complain(where + "error: " + objection);
    }
  }

  void compare_summary(const cctl::Summary& summary) {
    if (!summary.complete) complain("the summary of an eager run is incomplete");
    if (summary.states != graph_.nodes.size()) complain("the number of states differs");
    if (summary.edges != graph_.num_edges()) complain("the number of edges differs");
    if (summary.deadlocks != graph_.num_deadlocks()) complain("the number of deadlocks differs");
    std::set<std::size_t> fired;
    for (const oracle::Node& node : graph_.nodes) {
      for (const oracle::Edge& edge : node.edges)
        fired.insert(base::index_of(edge.instance.schema));
    }
    std::set<std::size_t> unfired;
    for (std::size_t s = 0; s < loaded_.program.schemas.size(); ++s) {
      if (!fired.contains(s)) unfired.insert(s);
    }
    std::set<std::size_t> found;
    for (const base::SchemaId schema : summary.unfired) found.insert(base::index_of(schema));
    if (found != unfired) complain("the schemas that never fired differ");
    if (summary.deadlock.has_value() != (summary.deadlocks > 0)) {
      complain("no path to a deadlock");
    } else if (summary.deadlock) {
      for (const std::string& objection :
           cctl::replay_path(loaded_.program, *summary.deadlock).objections) {
        complain("the path to a deadlock: " + objection);
      }
    }
  }

  const lang::Loaded& loaded_;
  const oracle::Semantics& semantics_;
  const oracle::Graph& graph_;
  Comparison& result_;
  std::vector<oracle::Verdicts> verdicts_;
};

}  // namespace

std::vector<cctl::Options> all_options() {
  std::vector<cctl::Options> all;
  for (const cctl::Engine engine : {cctl::Engine::Full, cctl::Engine::Quotient}) {
    for (const cctl::Build build : {cctl::Build::Lazy, cctl::Build::Eager}) {
      for (const cctl::Elimination elimination : {cctl::Elimination::On, cctl::Elimination::Off}) {
        all.push_back({engine, build, elimination, true});
        all.back().counting = cctl::Counting::Off;
        if (engine == cctl::Engine::Full) {
          // Quantifiers are asked together.
          if (elimination == cctl::Elimination::On)
            all.push_back({engine, build, elimination, true});
          continue;
        }
        all.push_back({engine, build, elimination, true});
        all.back().counting = cctl::Counting::Always;
        // Where there is evidence to be found the general quotient may have the last word.
        all.push_back({engine, build, elimination, false});
        all.back().counting = cctl::Counting::Always;
      }
    }
    all.push_back({engine, cctl::Build::Eager, cctl::Elimination::On, true, cctl::StateStore::Ist});
  }
  return all;
}

std::string to_string(const cctl::Options& options) {
  return std::string(options.engine == cctl::Engine::Full ? "full" : "quotient") +
         (options.build == cctl::Build::Lazy ? ", lazy" : ", eager") +
         (options.store == cctl::StateStore::Ist ? ", in a tree" : "") +
         (options.counting == cctl::Counting::Off ? "" : ", counting") +
         (options.evidence ? "" : ", without evidence") +
         (options.quantifier_elimination == cctl::Elimination::On ? ", with elimination"
                                                                  : ", without elimination");
}

Comparison compare(const std::string& text, const Bounds& bounds) {
  Comparison result;
  const lang::Loaded loaded = lang::load_text("random.coh", text, {});
  if (!loaded.ok()) return result;
  const oracle::Semantics semantics{loaded.program};
  result.is_counted = cctl::can_count(loaded.program, cctl::Counting::Always);
  if (bounds.only_counting && !result.is_counted) return result;
  result.outcome = Comparison::Outcome::TooLarge;
  if (!semantics.initial_states(bounds.most_initial_states)) return result;
  const std::optional<oracle::Graph> graph = oracle::build(semantics, bounds.most_states);
  if (!graph) return result;
  result.outcome = Comparison::Outcome::Compared;
  result.num_states = graph->nodes.size();
  Comparer(loaded, semantics, *graph, result).run(bounds.only_counting);
  return result;
}

}  // namespace cohort::differential
