// Checking CCTL properties of a program.
//
//   const model::Program program{loaded.program};
//   base::Limits limits;
//   Checker checker{program, {.engine = Engine::Full}, limits};
//   for (const lang::Formula& formula : loaded.formulas) {
//     const Answer answer = checker.check(formula);
//     …  // answer.verdict, answer.evidence, answer.statistics
//   }
//
// Exact: every engine gives the same verdict.  Properties are independent; the graph that was built
// for one is used again for the next.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "base/verdict.hpp"
#include "cctl/evidence.hpp"
#include "lang/program.hpp"

namespace cohort::model {
class Program;
}

namespace cohort::quotient {
class Graph;
}

namespace cohort::cctl {

enum class Engine : std::uint8_t { Quotient, Full };
enum class Build : std::uint8_t { Lazy, Eager };
/// Where the states of an eager build are kept.
/// Whether processes that look alike are counted: where a program allows it and it costs less,
/// never, or wherever a program allows it.
enum class Counting : std::uint8_t { On, Off, Always };
enum class StateStore : std::uint8_t { Hash, Ist };
enum class Elimination : std::uint8_t { On, Off };

struct Options {
  Engine engine = Engine::Quotient;
  Build build = Build::Lazy;
  Elimination quantifier_elimination = Elimination::On;
  bool evidence = true;
  StateStore store = StateStore::Hash;  ///< another than Hash only with Build::Eager
  Counting counting = Counting::On;     ///< of the quotient
};

/// Of a search with an automaton.
struct OnlineStatistics {
  std::uint64_t automaton_states = 0;
  std::uint64_t product_states = 0;  ///< that were remembered at once
  std::uint64_t generated = 0;       ///< product states, those that were met again after being
                                     ///< forgotten once more
  std::uint64_t forgotten = 0;
  bool bounded = false;  ///< states were forgotten, or could have been
};

struct Statistics {
  std::uint64_t states = 0;  ///< of the graph, as far as it is built
  std::uint64_t edges = 0;
  std::uint64_t marks = 0;   ///< (sub-formula, state, evaluation, colouring) that were asked about
  std::uint64_t labels = 0;  ///< answers that are remembered
  std::uint64_t depth = 0;   ///< the longest breadth-first distance, or stack, that was met
  double seconds = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t state_bytes = 0;  ///< that the states alone take
  std::uint64_t nodes = 0;        ///< of the interval sharing tree of states; 0 without one
  std::optional<OnlineStatistics> online{};
};

struct Answer {
  base::Verdict verdict = base::Verdict::Unknown;
  std::optional<Evidence> evidence;
  std::optional<ModelError> error;  ///< with Verdict::Error
  std::string reason;               ///< with Verdict::Unknown: which limit was hit
  Statistics statistics;
};

/// What a user wants to know of the graph besides the verdicts.
struct Summary {
  std::uint64_t states = 0;
  std::uint64_t edges = 0;
  bool complete = false;  ///< every reachable state was looked at; else the rest speaks of a part
  std::uint64_t deadlocks = 0;
  std::optional<Evidence> deadlock;     ///< a path to one
  std::vector<base::SchemaId> unfired;  ///< schemas that never fired
  std::uint64_t depth = 0;
  std::uint64_t state_bytes = 0;
  std::uint64_t nodes = 0;
};

/// The graph that an engine searches.  `program` must outlive it.
[[nodiscard]] std::unique_ptr<quotient::Graph> make_graph(const model::Program& program,
                                                          const Options& options);

/// How far a search is; given to the function that shows progress.
struct Progress {
  std::uint64_t states = 0;
  std::uint64_t edges = 0;
  std::uint64_t depth = 0;
};

/// Whether a program's processes are counted.
[[nodiscard]] bool can_count(const lang::Program& program, Counting counting = Counting::On);

class CountedChecker;

class Checker {
 public:
  /// Keeps references to `program` and `limits`, which must outlive this object.
  Checker(const model::Program& program, const Options& options, base::Limits& limits);
  ~Checker();
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  /// Called now and then during a search, about every few thousand states.
  void on_progress(std::function<void(const Progress&)> show);

  [[nodiscard]] Answer check(const lang::Formula& formula);
  [[nodiscard]] Summary summary();
  /// What is searched, for other searches that share it.
  [[nodiscard]] quotient::Graph& graph();

 private:
  class Implementation;
  /// The checker for programs whose processes cannot be counted; made when it is needed.
  [[nodiscard]] Implementation& general();
  [[nodiscard]] bool is_worth_showing(const lang::Formula& formula, const Answer& counted) const;

  const model::Program& program_;
  Options options_;
  base::Limits& limits_;
  std::function<void(const Progress&)> show_progress_;
  std::unique_ptr<CountedChecker> counted_;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace cohort::cctl
