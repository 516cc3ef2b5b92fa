// Translations are tried in several ways, and the smallest automaton wins: they are cheap, and what
// is done with an automaton later is not.  Only the first way is a must.  Where it gave a large
// automaton the others are cut short, and simplification ends when its effort is used up: fifty
// operators take well under a second.
#include "ltl/buchi.hpp"

#include <algorithm>
#include <utility>

#include "ltl/generalized.hpp"
#include "ltl/simplify.hpp"

namespace cohort::ltl {
namespace {

/// Larger ones are not worth the time of a deterministic automaton.
constexpr std::size_t most_states_for_weak = 60;
constexpr std::size_t most_orders = 4;
constexpr std::size_t most_edges_to_try = 10'000;
constexpr std::size_t most_copied_edges = 20'000'000;
/// Of simplification, for each translation and for what comes behind: some tenth of a second.
constexpr std::uint64_t effort_of_one = 1'000'000;
/// A further translation is given up where it gets larger than the first by these.
constexpr std::size_t more_states = 300;
constexpr std::size_t more_edges = 3'000;
constexpr std::uint64_t most_more_steps = 1'000'000;

[[nodiscard]] bool smaller(const Automaton& a, const Automaton& b) {
  return std::pair(a.num_states(), a.num_edges()) < std::pair(b.num_states(), b.num_edges());
}

[[nodiscard]] std::size_t num_edges(const Generalized& automaton) {
  std::size_t count = 0;
  for (const std::vector<MarkedEdge>& edges : automaton.states) count += edges.size();
  return count;
}

/// Makes the automata of one formula.
class Translation {
 public:
  Translation(Formulas& formulas, Formula formula, std::vector<std::string> atoms,
              const TranslationLimits& limits)
      : formulas_(formulas),
        formula_(Simplifier(formulas)(formula)),
        atoms_(std::move(atoms)),
        limits_(limits) {}

  [[nodiscard]] std::optional<Automaton> run() {
    consider(translated(formula_, Split::Fewest, limits_));
    // Either may be the one that fits; after the first the other has a chance, no more.
    consider(translated(formula_, Split::ByLetters, best_ ? further_ : limits_));
    const bool is_small = best_ && base_->num_states() <= most_states_for_weak;
    if (!is_small || best_->num_states() <= 1) return std::move(best_);
    const Formula negation = Simplifier(formulas_)(formulas_.negated(formula_));
    std::optional<Generalized> negated = translated(negation, Split::ByLetters, further_);
    if (!negated) return std::move(best_);
    Effort effort{effort_of_one};
    std::optional<Automaton> weak = weak_deterministic(*base_, *negated, atoms_, effort);
    if (weak && weak->num_states() <= best_->num_states()) return weak;
    return std::move(best_);
  }

 private:
  [[nodiscard]] std::optional<Generalized> translated(Formula f, Split split,
                                                      const TranslationLimits& limits) {
    std::optional<Generalized> made = tableau(formulas_, f, atoms_.size(), split, limits);
    if (!made) return std::nullopt;
    tidy(*made);
    Effort effort{effort_of_one};
    reduce_by_simulation(*made, effort);
    return made;
  }

  void consider(std::optional<Generalized> made) {
    if (!made) return;
    const std::size_t marks = std::max<std::size_t>(made->num_marks, 1);
    const std::size_t edges = num_edges(*made);
    // Each state has a copy for each mark, in the worst case.
    if (edges > most_copied_edges / marks) return;
    const std::size_t orders = edges > most_edges_to_try ? 1 : std::min(marks, most_orders);
    Effort effort{effort_of_one};
    for (std::size_t first = 0; first < orders; ++first) {
      Automaton candidate = with_accepting_states(*made, first, atoms_);
      reduce_by_simulation(candidate, effort);
      if (!best_ || smaller(candidate, *best_)) best_ = std::move(candidate);
      if (effort.steps == 0) break;
    }
    if (!base_ || made->num_states() < base_->num_states()) {
      base_ = std::move(made);
      further_ = limits_;
      further_.most_states = std::min(limits_.most_states, base_->num_states() + more_states);
      further_.most_edges = std::min(limits_.most_edges, edges + more_edges);
      further_.most_steps = std::min(limits_.most_steps, most_more_steps);
    }
  }

  Formulas& formulas_;
  Formula formula_;
  std::vector<std::string> atoms_;
  const TranslationLimits& limits_;
  TranslationLimits further_;  // of translations that are not needed
  std::optional<Automaton> best_;
  std::optional<Generalized> base_;
};

}  // namespace

std::optional<Automaton> buchi_automaton(Formulas& formulas, Formula formula,
                                         std::vector<std::string> atoms,
                                         const TranslationLimits& limits) {
  return Translation(formulas, formula, std::move(atoms), limits).run();
}

}  // namespace cohort::ltl
