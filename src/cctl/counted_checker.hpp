// The checker for programs whose processes can be counted (quotient/counted_graph.hpp).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cctl/check.hpp"
#include "cctl/counted_evaluator.hpp"
#include "cctl/formula.hpp"
#include "quotient/counted_graph.hpp"
#include "quotient/counted_initial.hpp"

namespace cohort::cctl {

class CountedChecker {
 public:
  [[nodiscard]] static bool fits(const model::Program& program, const Options& options);
  /// Keeps references to `program` and `limits`.
  CountedChecker(const model::Program& program, const Options& options, base::Limits& limits)
      : program_(program), options_(options), limits_(limits), graph_(program) {}

  /// Nothing where the formula, or the program's initial states, need the general quotient.
  [[nodiscard]] std::optional<Answer> check(const lang::Formula& source);
  /// Whether answers come with paths; where some processes are kept apart they do not.
  [[nodiscard]] bool shows_evidence() const { return !graph_.layout().keeps_apart(); }
  /// Without a path to a deadlock: whoever wants one asks a property for it.
  [[nodiscard]] Summary summary() const;

  std::function<void(const Progress&)> show_progress;

 private:
  /// A colouring with the spaces over it.
  struct Palette {
    quotient::Colouring colouring;
    std::vector<std::unique_ptr<quotient::CountedSpace>> spaces;
  };

  [[nodiscard]] Palette& palette(const model::Expressions* formula_code);
  [[nodiscard]] quotient::CountedSpace& space(Palette& palette, const quotient::Domain& domain);
  [[nodiscard]] quotient::Domain domain_of(const Formula& formula, FormulaId id) const;
  [[nodiscard]] quotient::Domain base_domain() const { return {{}, program_.has_priorities()}; }
  enum class Show : std::uint8_t { Evidence, Nothing };
  [[nodiscard]] bool fits(const Formula& formula) const;
  [[nodiscard]] Answer ask(const Formula& formula, Show show);
  void build_all();
  void decide(CountedEvaluator& evaluator, Show show, Answer& answer);
  void blame_program(const model::InstanceFault& fault, Answer& answer);
  void blame_formula(const FormulaFault& found, CountedEvaluator& evaluator, Palette& palette,
                     Answer& answer);
  void fill(const Evaluator& evaluator, Answer& answer);
  void tick(std::uint64_t depth);

  const model::Program& program_;
  Options options_;
  base::Limits& limits_;
  quotient::CountedGraph graph_;
  std::vector<std::unique_ptr<Palette>> palettes_;
  bool built_ = false;
  std::uint64_t depth_ = 0;
  std::uint32_t ticks_ = 0;
};

}  // namespace cohort::cctl
