// Random programs and formulas, as text: what fails can be saved and given to the command line.
//
//   base::Random random{seed};
//   const RandomProgram program = random_program(random, {});
//   const RandomFormula formula = random_formula(random, program.vocabulary, {});
//   const std::string file = model_text(program, {formula});
//
// Programs are small: few processes, few variables with few values.  Most run without a model error
// and have between five and two thousand states, but nothing is promised: who needs that looks.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"

namespace cohort::support {

/// What formulas can speak of.
struct Vocabulary {
  struct Module {
    std::string name;
    int size = 1;
    std::vector<std::string> indices;  ///< index variables
    std::vector<std::string> classes;  ///< disjoint
    std::string other_class{};         ///< that lies across them; may be empty
  };
  struct Dimension {
    int module = -1;  ///< none: a range
    int low = 0;
    int high = 0;
  };
  struct Variable {
    enum class Kind { Number, Bool, Enum, Process, OptionalProcess };
    std::string name;
    std::vector<Dimension> dimensions;
    Kind kind = Kind::Number;
    int low = 0;  ///< what it is meant to hold; an untyped variable could hold more
    int high = 1;
    int module = -1;  ///< of a process

    [[nodiscard]] bool is_process() const {
      return kind == Kind::Process || kind == Kind::OptionalProcess;
    }
  };
  std::vector<Module> modules;
  std::vector<Variable> variables;
  std::vector<std::string> enum_constants;
  std::vector<std::string> constants;  ///< declared ones
};

struct ProgramShape {
  unsigned most_modules = 3;
  int most_processes = 7;      ///< of all modules together
  double most_bits = 13;       ///< roughly: the logarithm of the number of thinkable states
  unsigned fault_percent = 0;  ///< how often something is written that may go wrong
  /// Rather what symmetry finds hard: variables over two processes, processes as values, free and
  /// uneven beginnings, many priorities.
  bool entangled = false;
  /// Processes that can be counted beside some that are related to each other, variables over both
  /// and variables that hold either.  Otherwise as uneven as `entangled`.
  bool mixed = false;

  [[nodiscard]] bool is_hard() const { return entangled || mixed; }
};

struct RandomProgram {
  std::string text;  ///< begins with `Program`, ends with a line break
  Vocabulary vocabulary;
};

[[nodiscard]] RandomProgram random_program(base::Random& random, const ProgramShape& shape);

struct FormulaShape {
  unsigned depth = 4;
  unsigned fault_percent = 0;
  bool entangled = false;  ///< rather sets of processes, names and fairness
};

struct RandomFormula {
  std::string text;
  /// Of the free process variables, as they are written: {"f", "client(2)"}.
  std::vector<std::pair<std::string, std::string>> values;
};

[[nodiscard]] RandomFormula random_formula(base::Random& random, const Vocabulary& vocabulary,
                                           const FormulaShape& shape);

/// A whole model file.  The formulas are called f1, f2, …; their values must not contradict.
[[nodiscard]] std::string model_text(const RandomProgram& program,
                                     const std::vector<RandomFormula>& formulas);

}  // namespace cohort::support
