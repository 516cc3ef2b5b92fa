#include <algorithm>
#include <map>

#include "support/random_program.hpp"
#include "support/random_schema.hpp"

namespace cohort::support {
namespace {

using Variable = Vocabulary::Variable;
using Kind = Variable::Kind;

class FormulaWriter {
 public:
  FormulaWriter(base::Random& random, const Vocabulary& vocabulary, const FormulaShape& shape)
      : random_(random), vocabulary_(vocabulary), shape_(shape) {}

  [[nodiscard]] RandomFormula run() {
    std::string text = start();
    // Both verdicts shall be about equally frequent.
    if (random_.chance(40)) text = "!(" + text + ")";
    RandomFormula made;
    made.text = std::move(text);
    made.values.assign(values_.begin(), values_.end());
    return made;
  }

 private:
  struct Bound {
    std::string name;
    int module = 0;
  };

  template <typename T>
  [[nodiscard]] const T& one_of(const std::vector<T>& things) {
    return things[random_.below(things.size())];
  }
  [[nodiscard]] const Vocabulary::Module& module(int number) const {
    return vocabulary_.modules[static_cast<std::size_t>(number)];
  }

  /// What users write, about as often as anything.
  [[nodiscard]] std::string start() {
    const unsigned depth = shape_.depth;
    switch (random_.below(12)) {
      case 0:
        return "AG(" + formula(1) + " -> " + path() + " F(" + formula(1) + "))";
      case 1:
        return "AG(" + formula(2) + ")";
      case 2:
        return "AG EF(" + formula(1) + ")";
      case 3:
        return quantified(depth);
      case 4:
        return "EF(" + formula(2) + " & " + formula(2) + ")";
      case 5:
        return "Afair F(" + formula(2) + ")";
      default:
        return formula(depth);
    }
  }

  // -------------------------------------------------------------------------------------------------
  // Processes and atoms

  [[nodiscard]] std::string literal(int of) {
    return module(of).name + "(" +
           std::to_string(random_.below(static_cast<std::uint64_t>(module(of).size))) + ")";
  }

  [[nodiscard]] std::string process(int of, std::vector<std::string>& guards) {
    if (random_.chance(12) && depth_ < 2) {
      for (std::size_t attempt = 0; attempt < 3; ++attempt) {
        const Variable& holder = one_of(vocabulary_.variables);
        if (!holder.is_process() || holder.module != of) continue;
        const std::string text = reference(holder, guards);
        const bool risky = random_.chance(shape_.fault_percent);
        if (holder.kind == Kind::OptionalProcess && !risky) guards.push_back(text + " != none");
        return text;
      }
    }
    std::vector<std::string> known;
    for (const Bound& bound : scope_) {
      if (module_named(bound.name) == of) known.push_back(bound.name);
    }
    if (!known.empty() && random_.chance(85)) return one_of(known);
    const std::string process = literal(of);
    if (random_.chance(60)) return process;
    const std::string name = "free_" + module(of).name + process.substr(process.size() - 2, 1);
    values_.emplace(name, process);
    return name;
  }

  /// The innermost variable of a name counts.
  [[nodiscard]] int module_named(const std::string& name) const {
    int found = -1;
    for (const Bound& bound : scope_) {
      if (bound.name == name) found = bound.module;
    }
    return found;
  }

  [[nodiscard]] std::string subscript(const Vocabulary::Dimension& dimension,
                                      std::vector<std::string>& guards) {
    if (dimension.module >= 0) {
      const std::string text = process(dimension.module, guards);
      const bool is_literal = text.ends_with(')') && text.find('[') == std::string::npos;
      if (is_literal && random_.chance(60)) return text.substr(text.size() - 2, 1);
      return text;
    }
    if (random_.chance(shape_.fault_percent)) return number(guards);
    return std::to_string(random_.between(dimension.low, dimension.high));
  }

  [[nodiscard]] std::string reference(const Variable& variable, std::vector<std::string>& guards) {
    if (variable.dimensions.empty()) return variable.name;
    ++depth_;
    std::string text = variable.name + "[";
    for (std::size_t i = 0; i < variable.dimensions.size(); ++i) {
      text += (i == 0 ? "" : ", ") + subscript(variable.dimensions[i], guards);
    }
    --depth_;
    return text + "]";
  }

  /// Rather one that says something about a process in scope.
  [[nodiscard]] const Variable& variable() {
    const Variable* found = &one_of(vocabulary_.variables);
    for (std::size_t attempt = 0; attempt < 3; ++attempt) {
      const bool speaks = std::ranges::any_of(found->dimensions, [&](const auto& dimension) {
        return std::ranges::any_of(
            scope_, [&](const Bound& bound) { return bound.module == dimension.module; });
      });
      if (scope_.empty() || speaks) break;
      found = &one_of(vocabulary_.variables);
    }
    return *found;
  }

  [[nodiscard]] std::string number(std::vector<std::string>& guards) {
    const Variable& found = variable();
    if (found.is_process()) return std::to_string(random_.below(3));
    return reference(found, guards);
  }

  [[nodiscard]] std::string sign() {
    static const std::vector<std::string> signs = {"=", "=", "==", "!=", "<", "<=", ">", ">="};
    return " " + one_of(signs) + " ";
  }
  [[nodiscard]] std::string equality() {
    static const std::vector<std::string> signs = {" = ", " = ", " != "};
    return one_of(signs);
  }

  [[nodiscard]] std::string atom() {
    std::vector<std::string> guards;
    std::string text = bare_atom(guards);
    if (guards.empty()) return text;
    std::string all = "(";
    for (const std::string& guard : guards) all += guard + " & ";
    return all + text + ")";
  }

  [[nodiscard]] std::string bare_atom(std::vector<std::string>& guards) {
    const std::uint64_t choice = random_.below(20);
    if (choice == 0) return "deadlock";
    if (choice < 3) {
      const int of = scope_.empty() ? static_cast<int>(random_.below(vocabulary_.modules.size()))
                                    : one_of(scope_).module;
      return "enabled(" + process(of, guards) + ")";
    }
    if (choice < 5 && !scope_.empty()) {
      const int of = one_of(scope_).module;
      return process(of, guards) + equality() + process(of, guards);
    }
    if (choice < 7) {
      std::string left = number(guards);
      if (random_.chance(30)) left += (random_.chance(50) ? " + " : " - ") + number(guards);
      if (random_.chance(15)) {
        left = "(" + left + ")" + (random_.chance(50) ? " / " : " % ") +
               (random_.chance(shape_.fault_percent) ? number(guards) : "2");
      }
      return left + sign() + number(guards);
    }
    const Variable& found = variable();
    const std::string text = reference(found, guards);
    if (found.is_process()) {
      if (found.kind == Kind::OptionalProcess && random_.chance(40))
        return text + equality() + "none";
      return text + equality() + process(found.module, guards);
    }
    if (found.kind == Kind::Bool) return (random_.chance(40) ? "!" : "") + text;
    const std::int64_t value = random_.between(found.low, found.high);
    if (found.kind == Kind::Enum) {
      return text + equality() + vocabulary_.enum_constants[static_cast<std::size_t>(value)];
    }
    return text + sign() + std::to_string(value);
  }

  // -------------------------------------------------------------------------------------------------
  // Operators

  [[nodiscard]] std::string path() {
    static const std::vector<std::string> paths = {
        "E", "E", "E", "E", "A", "A", "A", "Efair", "Efair", "E_fair", "Afair", "A_fair"};
    if (shape_.entangled && random_.chance(30)) return random_.chance(50) ? "Efair" : "Afair";
    return one_of(paths);
  }

  [[nodiscard]] std::string unary(unsigned depth) {
    static const std::vector<std::string> operators = {"X", "F", "F", "G", "G"};
    return path() + (random_.chance(50) ? " " : "") + one_of(operators) + "(" + formula(depth - 1) +
           ")";
  }

  [[nodiscard]] std::string binary(unsigned depth) {
    static const std::vector<std::string> operators = {" U ", " U ", " W ", " R "};
    const bool round = random_.chance(20);
    return path() + (round ? "(" : "[") + formula(depth - 1) + one_of(operators) +
           formula(depth - 1) + (round ? ")" : "]");
  }

  [[nodiscard]] std::string set(int of) {
    if (!module(of).classes.empty() && random_.chance(shape_.entangled ? 45 : 25)) {
      return one_of(module(of).classes);
    }
    if (!module(of).other_class.empty() && random_.chance(30)) return module(of).other_class;
    if (random_.chance(shape_.entangled ? 35 : 15)) {
      std::vector<int> ids;
      for (int id = 0; id < module(of).size; ++id) {
        if (random_.chance(50)) ids.push_back(id);
      }
      if (ids.empty()) ids.push_back(0);
      return module(of).name + "{" + id_list(random_, ids, module(of).size) + "}";
    }
    return module(of).name;
  }

  [[nodiscard]] int some_module() {
    return static_cast<int>(random_.below(vocabulary_.modules.size()));
  }
  [[nodiscard]] std::string fresh() {
    // A name may hide an outer one now and then.
    return random_.chance(10) ? "p0" : "p" + std::to_string(next_name_++);
  }

  [[nodiscard]] std::string quantified(unsigned depth) {
    const std::size_t outer = scope_.size();
    const int of = some_module();
    std::string text = random_.chance(50) ? "forall " : "exists ";
    scope_.push_back({fresh(), of});
    text += scope_.back().name;
    if (random_.chance(20)) {
      const std::string second = fresh();
      if (second != scope_.back().name) {
        scope_.push_back({second, of});
        text += ", " + second;
      }
    }
    text += " in " + set(of);
    if (random_.chance(10)) {
      const int other = some_module();
      const std::string third = fresh();
      const bool is_new =
          std::ranges::none_of(scope_, [&](const Bound& bound) { return bound.name == third; });
      if (is_new) {
        scope_.push_back({third, other});
        text += ", " + third + " in " + set(other);
      }
    }
    if (random_.chance(20)) {
      text += " (" + formula(depth - 1) + ")";
    } else {
      text += (random_.chance(50) ? " . " : " : ") + formula(depth - 1);
    }
    scope_.resize(outer);
    return "(" + text + ")";
  }

  [[nodiscard]] std::string count(unsigned depth) {
    const int of = some_module();
    scope_.push_back({fresh(), of});
    const std::string name = scope_.back().name;
    const std::string over = set(of);
    const std::string body = formula(depth - 1);
    scope_.pop_back();
    if (random_.chance(40)) return "COUNT(" + name + ", " + over + ", " + body + ")";
    return "COUNT(" + name + " in " + over + " : " + body + ")";
  }

  [[nodiscard]] std::string counts(unsigned depth) {
    std::string text = count(depth);
    if (random_.chance(15)) text = std::to_string(random_.between(2, 3)) + " * " + text;
    if (random_.chance(8)) text = "-" + text;
    if (random_.chance(25)) text += (random_.chance(50) ? " + " : " - ") + count(depth);
    if (random_.chance(5)) text = "2 - (" + text + ") * 2";
    if (random_.chance(10)) text += " - 1";
    if (random_.chance(15)) return "(" + text + sign() + count(depth) + ")";
    if (random_.chance(5)) return "(" + text + sign() + "2 * " + count(depth) + " - 1)";
    if (random_.chance(10)) return "(" + std::to_string(random_.below(3)) + sign() + text + ")";
    return "(" + text + sign() + std::to_string(random_.below(4)) + ")";
  }

  [[nodiscard]] std::string formula(unsigned depth) {
    if (depth == 0 || random_.chance(10)) return atom();
    const std::uint64_t choice = random_.below(100);
    if (choice < 10) return "(" + formula(depth - 1) + " & " + formula(depth - 1) + ")";
    if (choice < 18) return "(" + formula(depth - 1) + " | " + formula(depth - 1) + ")";
    if (choice < 22) return "(" + formula(depth - 1) + " -> " + formula(depth - 1) + ")";
    if (choice < 23) return "(" + formula(depth - 1) + " => " + formula(depth - 1) + ")";
    if (choice < 24) {
      return "(" + formula(depth - 1) + " \xE2\x86\x92 \xC2\xAC(" + formula(depth - 1) +
             " \xE2\x88\xA8 " + atom() + "))";
    }
    if (choice < 27) return "(" + formula(depth - 1) + " <-> " + formula(depth - 1) + ")";
    if (choice < 32) return "!(" + formula(depth - 1) + ")";
    if (choice < 60) return unary(depth);
    if (choice < 74) return binary(depth);
    if (choice < 89) return quantified(depth);
    return counts(depth);
  }

  base::Random& random_;
  const Vocabulary& vocabulary_;
  const FormulaShape& shape_;
  std::vector<Bound> scope_;
  std::map<std::string, std::string> values_;  // of the free variables
  std::size_t next_name_ = 0;
  unsigned depth_ = 0;
};

}  // namespace

RandomFormula random_formula(base::Random& random, const Vocabulary& vocabulary,
                             const FormulaShape& shape) {
  return FormulaWriter(random, vocabulary, shape).run();
}

}  // namespace cohort::support
