#include "support/random_program.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "support/random_schema.hpp"

namespace cohort::support {
namespace {

using Variable = Vocabulary::Variable;
using Kind = Variable::Kind;

class ProgramWriter {
 public:
  ProgramWriter(base::Random& random, const ProgramShape& shape)
      : random_(random),
        shape_(shape),
        bits_left_(shape.most_bits),
        initial_bits_left_(shape.is_hard() ? 7 : 5) {}

  [[nodiscard]] RandomProgram run() {
    text_ = "Program\n";
    constants();
    modules();
    if (random_.chance(40)) enumeration();
    variables();
    classes();
    indices();
    bodies();
    return {std::move(text_), std::move(vocabulary_)};
  }

 private:
  void line(const std::string& text) { text_ += "  " + text + "\n"; }

  void constants() {
    if (!random_.chance(30)) return;
    vocabulary_.constants = {"ONE", "TWO"};
    line("Const TWO = ONE + 1;");  // declared after its use
    line("Const ONE = 1;");
  }

  void modules() {
    if (shape_.mixed) {
      mixed_modules();
      return;
    }
    if (!shape_.entangled && random_.chance(15)) {
      wide_modules();
      return;
    }
    static const std::vector<std::pair<std::string, std::string>> names = {
        {"client", "c"}, {"server", "s"}, {"node", "n"}};
    const std::size_t count = 1 + random_.below(shape_.entangled ? 2 : shape_.most_modules);
    int left = shape_.most_processes;
    for (std::size_t i = 0; i < count && left > 0; ++i) {
      static const std::vector<int> sizes = {1, 2, 2, 2, 3, 3, 3, 4};
      static const std::vector<int> large_sizes = {2, 3, 3, 4, 4, 5};
      const std::vector<int>& usual = shape_.entangled ? large_sizes : sizes;
      const int size = std::min(left, usual[random_.below(usual.size())]);
      left -= size;
      const auto& [name, index] = names[i];
      vocabulary_.modules.push_back({name, size, {index + "0", index + "1", index + "2"}, {}, {}});
      line("Module " + name + " = " + std::to_string(size) + ";");
    }
  }

  void mixed_modules() {
    const auto declare = [&](const std::string& name, const std::string& index, std::int64_t size) {
      const std::vector<std::string> indices = {index + "0", index + "1", index + "2"};
      vocabulary_.modules.push_back({name, static_cast<int>(size), indices, {}, {}});
      line("Module " + name + " = " + std::to_string(size) + ";");
    };
    declare("client", "c", random_.between(2, 4));
    declare("server", "s", random_.between(2, 3));
    if (random_.chance(25)) declare("node", "n", random_.between(1, 2));
  }

  /// Many of one kind, with little to remember: what symmetry is for.
  void wide_modules() {
    const auto size = static_cast<int>(random_.between(5, 6));
    vocabulary_.modules.push_back({"client", size, {"c0", "c1", "c2"}, {}});
    line("Module client = " + std::to_string(size) + ";");
    if (random_.chance(50)) return;
    vocabulary_.modules.push_back({"server", 1, {"s0", "s1", "s2"}, {}});
    line("Module server = 1;");
  }

  void enumeration() {
    vocabulary_.enum_constants = {"idle", "busy", "done"};
    if (random_.chance(30)) vocabulary_.enum_constants.pop_back();
    line("Enum Phase = { " + join(vocabulary_.enum_constants, ", ") + " };");
  }

  [[nodiscard]] int some_module() {
    return static_cast<int>(random_.below(vocabulary_.modules.size()));
  }
  [[nodiscard]] int size_of(int module) const {
    return vocabulary_.modules[static_cast<std::size_t>(module)].size;
  }

  [[nodiscard]] std::vector<Vocabulary::Dimension> dimensions() {
    const auto of = [&](int module) {
      return Vocabulary::Dimension{module, 0, size_of(module) - 1};
    };
    const int module = some_module();
    const int low = random_.chance(70) ? 0 : static_cast<int>(random_.between(-1, 1));
    const Vocabulary::Dimension range{-1, low, low + 1};
    const std::uint64_t choice = random_.below(100);
    if (shape_.mixed) return mixed_dimensions(choice, of, range);
    if (shape_.entangled) {
      if (choice < 40) return {of(module)};
      if (choice < 50) return {};
      if (choice < 75) return {of(module), of(module)};
      if (choice < 90) return {of(module), of(some_module())};
      return random_.chance(50) ? std::vector{range, of(module)} : std::vector{of(module), range};
    }
    if (choice < 52) return {of(module)};
    if (choice < 68) return {};
    if (choice < 79) return {of(module), of(module)};
    if (choice < 88) return {of(module), of(some_module())};
    if (choice < 94) return {range};
    if (choice < 96 && size_of(module) < 3) return {of(module), range, of(module)};
    return random_.chance(50) ? std::vector{range, of(module)} : std::vector{of(module), range};
  }

  template <typename Of>
  [[nodiscard]] std::vector<Vocabulary::Dimension> mixed_dimensions(
      std::uint64_t choice, const Of& of, const Vocabulary::Dimension& range) {
    const int client = 0;
    const int server = 1;
    if (choice < 20) return {of(client)};
    if (choice < 38) return {of(server)};
    if (choice < 53) return {};
    if (choice < 68) return {of(server), of(server)};
    if (choice < 76) return {of(server), of(client)};
    if (choice < 84) return {of(client), of(server)};
    if (choice < 88) return {of(some_module()), of(some_module())};
    if (choice < 92) return {range};
    return random_.chance(50) ? std::vector{range, of(server)} : std::vector{of(client), range};
  }

  void variables() {
    const std::size_t count = 2 + random_.below(4);
    for (std::size_t i = 0; i < count; ++i) variable("v" + std::to_string(i), i == 0);
  }

  /// The first one is a number for each process of a module, whatever it costs.
  void variable(const std::string& name, bool is_first) {
    Variable made;
    made.name = name;
    made.dimensions =
        is_first ? std::vector{Vocabulary::Dimension{0, 0, size_of(0) - 1}} : dimensions();
    std::string type;
    const std::uint64_t choice = is_first ? random_.below(60) : random_.below(100);
    if (choice < 20) {
      made.high = static_cast<int>(1 + random_.below(2));
      type = " : 0.." + std::to_string(made.high);
    } else if (choice < 25) {
      made.low = static_cast<int>(random_.between(-2, 1));
      made.high = made.low + 1 + static_cast<int>(random_.below(2));
      type = " : " + std::to_string(made.low) + ".." + std::to_string(made.high);
    } else if (choice < 40) {
      made.kind = Kind::Bool;
      type = " : bool";
    } else if (choice < 50 || (choice < 60 && vocabulary_.enum_constants.empty())) {
      made.high = static_cast<int>(1 + random_.below(2));  // untyped
    } else if (choice < 60) {
      made.kind = Kind::Enum;
      made.high = static_cast<int>(vocabulary_.enum_constants.size()) - 1;
      type = " : Phase";
    } else {
      made.kind = choice < 78 ? Kind::Process : Kind::OptionalProcess;
      made.module = some_module();
      made.low = made.kind == Kind::Process ? 0 : -1;
      made.high = size_of(made.module) - 1;
      type = " : " + vocabulary_.modules[static_cast<std::size_t>(made.module)].name +
             (made.kind == Kind::Process ? "" : "?");
    }
    double instances = 1;
    for (const Vocabulary::Dimension& dimension : made.dimensions) {
      instances *= dimension.high - dimension.low + 1;
    }
    const double bits = instances * std::log2(made.high - made.low + 1);
    if (bits > bits_left_ && !is_first) return;
    bits_left_ -= bits;
    std::vector<std::string> dims;
    for (const Vocabulary::Dimension& dimension : made.dimensions) {
      dims.push_back(dimension.module >= 0
                         ? vocabulary_.modules[static_cast<std::size_t>(dimension.module)].name
                         : std::to_string(dimension.low) + ".." + std::to_string(dimension.high));
    }
    const std::string declared = name + (dims.empty() ? "" : "[" + join(dims, ", ") + "]") + type +
                                 initial(made, static_cast<int>(instances)) + ";";
    line(declared);
    if (!made.dimensions.empty() && random_.chance(shape_.is_hard() ? 40 : 25)) init(made);
    vocabulary_.variables.push_back(std::move(made));
  }

  [[nodiscard]] std::string constant(const Variable& variable, int value) const {
    if (variable.is_process()) {
      if (value < 0) return "none";
      return vocabulary_.modules[static_cast<std::size_t>(variable.module)].name + "(" +
             std::to_string(value) + ")";
    }
    if (variable.kind == Kind::Enum) {
      return vocabulary_.enum_constants[static_cast<std::size_t>(value)];
    }
    return std::to_string(value);
  }

  [[nodiscard]] int some_value(const Variable& variable) {
    return static_cast<int>(random_.between(variable.low, variable.high));
  }

  /// `= c` or a free choice; there are few initial states.
  [[nodiscard]] std::string initial(const Variable& variable, int instances) {
    const double all_bits = instances * std::log2(variable.high - variable.low + 1);
    if (random_.chance(shape_.is_hard() ? 60 : 25) && all_bits <= initial_bits_left_) {
      initial_bits_left_ -= all_bits;
      if (variable.kind == Kind::Process) {
        return " in " + vocabulary_.modules[static_cast<std::size_t>(variable.module)].name;
      }
      if (variable.kind == Kind::Enum) return " in Phase";
      if (!variable.is_process() && random_.chance(50)) {
        return " in " + std::to_string(variable.low) + ".." + std::to_string(variable.high);
      }
      return " in { " + constant(variable, some_value(variable)) + ", " +
             constant(variable, some_value(variable)) + " }";
    }
    const bool has_default =
        variable.kind != Kind::Process &&
        (variable.kind == Kind::OptionalProcess || (variable.low <= 0 && variable.high >= 0));
    if (has_default && random_.chance(60)) return "";
    return " = " + constant(variable, some_value(variable));
  }

  void init(const Variable& variable) {
    std::vector<std::string> subscripts;
    for (const Vocabulary::Dimension& dimension : variable.dimensions) {
      subscripts.push_back(std::to_string(random_.between(dimension.low, dimension.high)));
    }
    line("Init " + variable.name + "[" + join(subscripts, ", ") + "]" + initial(variable, 1) + ";");
    // Without `= …` there is nothing to say.
    const std::string without = "]" + std::string(";\n");
    if (text_.ends_with(without))
      text_.replace(text_.size() - 2, 2, " = " + constant(variable, some_value(variable)) + ";\n");
  }

  /// Disjoint ones for priorities; formulas know a further one that lies across them.
  void classes() {
    for (Vocabulary::Module& module : vocabulary_.modules) {
      if (module.size < 2 || !random_.chance(shape_.is_hard() ? 80 : 50)) continue;
      std::vector<int> first;
      std::vector<int> second;
      std::vector<int> across;
      const bool covers = random_.chance(40);
      for (int id = 0; id < module.size; ++id) {
        const std::uint64_t where = random_.below(covers ? 4 : 5);
        if (where < 4) (where < 2 ? first : second).push_back(id);
        if (random_.chance(50)) across.push_back(id);
      }
      for (const std::vector<int>& set : {first, second}) {
        if (set.empty()) continue;
        module.classes.push_back("class" + std::to_string(module.classes.size()) + "_" +
                                 module.name);
        priority_class(module, module.classes.back(), set);
      }
      if (across.empty() || !random_.chance(30)) continue;
      module.other_class = "across_" + module.name;
      priority_class(module, module.other_class, across);
    }
  }

  void priority_class(const Vocabulary::Module& module, const std::string& name,
                      const std::vector<int>& ids) {
    line("PriorityClass " + name + " : " + module.name + " = (" +
         id_list(random_, ids, module.size) + ");");
  }

  void indices() {
    for (const Vocabulary::Module& module : vocabulary_.modules) {
      line(join(module.indices, ", ") + " of " + module.name + ";");
    }
  }

  void bodies() {
    std::size_t num_schemas = 0;
    for (std::size_t m = 0; m < vocabulary_.modules.size(); ++m) {
      if (m > 0 && random_.chance(12)) continue;  // a module without a body
      const std::size_t num_bodies = random_.chance(15) ? 2 : 1;
      for (std::size_t b = 0; b < num_bodies; ++b) {
        const Vocabulary::Module& module = vocabulary_.modules[m];
        line(module.indices[0] + " of " + module.name + " : {");
        const std::size_t count = 1 + random_.below(num_schemas > 4 ? 2 : 4);
        for (std::size_t i = 0; i < count; ++i) {
          ++num_schemas;
          const std::string label =
              random_.chance(60) ? "[step" + std::to_string(num_schemas) + "] " : "";
          line("  " + random_schema(random_, vocabulary_, shape_, static_cast<int>(m), label));
        }
        line("}");
      }
    }
  }

  base::Random& random_;
  const ProgramShape& shape_;
  double bits_left_;
  double initial_bits_left_;
  std::string text_;
  Vocabulary vocabulary_;
};

}  // namespace

RandomProgram random_program(base::Random& random, const ProgramShape& shape) {
  return ProgramWriter(random, shape).run();
}

std::string model_text(const RandomProgram& program, const std::vector<RandomFormula>& formulas) {
  std::string text = program.text;
  std::set<std::pair<std::string, std::string>> values;
  if (!formulas.empty()) text += "Formula\n";
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    text += "  f" + std::to_string(i + 1) + " : " + formulas[i].text + ";\n";
    values.insert(formulas[i].values.begin(), formulas[i].values.end());
  }
  if (!values.empty()) text += "Evaluation\n";
  for (const auto& [name, process] : values) text += "  " + name + " = " + process + ";\n";
  return text;
}

}  // namespace cohort::support
