#include "support/random_program.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace cohort::support {
namespace {

using Variable = Vocabulary::Variable;
using Kind = Variable::Kind;

[[nodiscard]] std::string join(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : between) + parts[i];
  return text;
}

/// A process variable that may be used.
struct Bound {
  std::string name;
  int module = 0;
};

/// Writes conditions and actions of one schema.
class SchemaWriter {
 public:
  SchemaWriter(base::Random& random, const Vocabulary& vocabulary, unsigned fault_percent,
               int module)
      : random_(random), vocabulary_(vocabulary), fault_percent_(fault_percent) {
    scope_.push_back({vocabulary.modules[static_cast<std::size_t>(module)].indices[0], module});
  }

  [[nodiscard]] std::string schema(const std::string& label) {
    std::vector<std::string> parts;
    std::vector<std::string> written;
    std::set<std::string> assigned;
    if (random_.chance(70)) move(parts, written, assigned);
    const std::size_t num_conditions =
        parts.empty() ? 1 + random_.below(2) : (random_.chance(50) ? 0 : 1);
    for (std::size_t i = 0; i < num_conditions; ++i) parts.push_back(condition(2));
    actions(written, assigned);
    // What the actions need comes first: a guard may be needed by the other conditions as well.
    parts.insert(parts.begin(), needed_.begin(), needed_.end());
    if (parts.empty()) parts.push_back("true");
    return label + join(parts, " & ") + " -> " + join(written, ", ") + priority() + ";";
  }

 private:
  [[nodiscard]] std::size_t pick(std::size_t size) { return random_.below(size); }
  template <typename T>
  [[nodiscard]] const T& one_of(const std::vector<T>& things) {
    return things[pick(things.size())];
  }
  [[nodiscard]] bool risky() { return random_.chance(fault_percent_); }
  [[nodiscard]] static std::string number(int value) {
    return value < 0 ? "(" + std::to_string(value) + ")" : std::to_string(value);
  }

  // -------------------------------------------------------------------------------------------------
  // Processes

  /// A process of a module; what must hold so that it is one goes to `guards`.
  [[nodiscard]] std::string process(int module, std::vector<std::string>& guards) {
    if (random_.chance(20)) {
      std::vector<const Variable*> holders;
      for (const Variable& variable : vocabulary_.variables) {
        if (variable.is_process() && variable.module == module && variable.dimensions.size() < 2) {
          holders.push_back(&variable);
        }
      }
      if (!holders.empty() && depth_ < 3) {
        const Variable& holder = *one_of(holders);
        const std::string text = reference(holder, guards);
        if (holder.kind == Kind::OptionalProcess && !risky()) guards.push_back(text + " != none");
        return text;
      }
    }
    return index(module);
  }

  /// An index variable of a module that is in scope, or a secondary one.
  [[nodiscard]] std::string index(int module) {
    std::vector<std::string> known;
    for (const Bound& bound : scope_) {
      if (bound.module == module) known.push_back(bound.name);
    }
    if (!known.empty() && (secondaries_.size() >= 2 || random_.chance(75))) return one_of(known);
    const auto& indices = vocabulary_.modules[static_cast<std::size_t>(module)].indices;
    for (std::size_t attempt = 0; attempt < 4; ++attempt) {
      const std::string& name = one_of(indices);
      const bool is_new =
          std::ranges::none_of(scope_, [&](const Bound& bound) { return bound.name == name; });
      if (!is_new) return name;
      if (binders_ > 0 && !known.empty()) break;  // most names are bound here: keep to them
      secondaries_.insert(name);
      scope_.insert(scope_.begin() + 1, {name, module});
      return name;
    }
    return known.empty() ? indices.back() : one_of(known);
  }

  [[nodiscard]] std::string subscript(const Vocabulary::Dimension& dimension,
                                      std::vector<std::string>& guards) {
    if (dimension.module >= 0) return process(dimension.module, guards);
    if (random_.chance(60)) {
      return std::to_string(random_.between(dimension.low, dimension.high));
    }
    const std::string value = plain_number(guards);
    if (risky()) return value;
    const int size = dimension.high - dimension.low + 1;
    // The remainder of a negative number is negative.
    const std::string inside = "(" + value + ") % " + std::to_string(size);
    return "(" + inside + " + " + std::to_string(size) + ") % " + std::to_string(size) +
           (dimension.low == 0 ? "" : " + " + number(dimension.low));
  }

  [[nodiscard]] std::string reference(const Variable& variable, std::vector<std::string>& guards) {
    if (variable.dimensions.empty()) return variable.name;
    ++depth_;
    std::vector<std::string> subscripts;
    for (const Vocabulary::Dimension& dimension : variable.dimensions) {
      subscripts.push_back(subscript(dimension, guards));
    }
    --depth_;
    return variable.name + "[" + join(subscripts, ", ") + "]";
  }

  [[nodiscard]] const Variable* some_variable(bool process) {
    std::vector<const Variable*> found;
    for (const Variable& variable : vocabulary_.variables) {
      if (variable.is_process() == process) found.push_back(&variable);
    }
    return found.empty() ? nullptr : one_of(found);
  }

  // -------------------------------------------------------------------------------------------------
  // Expressions

  [[nodiscard]] std::string constant_for(const Variable& variable) {
    const auto value = static_cast<int>(random_.between(variable.low, variable.high));
    if (variable.kind == Kind::Enum && random_.chance(80)) {
      return vocabulary_.enum_constants[static_cast<std::size_t>(value)];
    }
    if (variable.kind == Kind::Bool && random_.chance(60)) return value == 0 ? "false" : "true";
    return number(value);
  }

  /// A variable or a constant.
  [[nodiscard]] std::string plain_number(std::vector<std::string>& guards) {
    const Variable* const variable = some_variable(false);
    if (variable == nullptr || depth_ > 2 || random_.chance(15)) {
      return std::to_string(random_.below(3));
    }
    return reference(*variable, guards);
  }

  [[nodiscard]] std::string number_expression(unsigned depth, std::vector<std::string>& guards) {
    if (depth == 0) return plain_number(guards);
    switch (random_.below(8)) {
      case 0:
        return plain_number(guards) + " + " + plain_number(guards);
      case 1:
        return plain_number(guards) + " - " + plain_number(guards);
      case 2:
        return plain_number(guards) + " * " + plain_number(guards);
      case 3:
        return "(" + plain_number(guards) + " + " + plain_number(guards) + ")" +
               (random_.chance(50) ? " / " : " % ") +
               (risky() ? "(" + plain_number(guards) + ")" : std::to_string(1 + random_.below(3)));
      case 4:
        return quantifier("COUNT", depth - 1);
      case 5:
        return "(" + condition(depth - 1) + " ? " + plain_number(guards) + " : " +
               plain_number(guards) + ")";
      case 6:
        return "-" + plain_number(guards);
      default:
        return plain_number(guards);
    }
  }

  [[nodiscard]] std::string comparison_sign() {
    static const std::vector<std::string> signs = {"==", "==", "==", "!=", "<", "<=", ">", ">="};
    return one_of(signs);
  }

  /// A comparison or a variable; what it needs is written before it.
  [[nodiscard]] std::string atom() {
    std::vector<std::string> guards;
    std::string text = bare_atom(guards);
    if (guards.empty()) return text;
    guards.push_back(std::move(text));
    return "(" + join(guards, " & ") + ")";
  }

  [[nodiscard]] std::string bare_atom(std::vector<std::string>& guards) {
    const std::uint64_t choice = random_.below(10);
    if (choice < 2) {
      if (const Variable* const variable = some_variable(true)) {
        const std::string sign = random_.chance(60) ? " == " : " != ";
        const std::string left = reference(*variable, guards);
        if (variable->kind == Kind::OptionalProcess && random_.chance(40)) {
          return left + sign + "none";
        }
        return left + sign + process(variable->module, guards);
      }
    }
    if (choice == 2) {  // two processes
      const int module = one_of(scope_).module;
      const std::string left = index(module);
      const std::string right = index(module);
      if (left != right || random_.chance(10)) {
        return left + (random_.chance(40) ? " == " : " != ") + right;
      }
    }
    if (choice == 3) {
      return number_expression(1, guards) + " " + comparison_sign() + " " +
             number_expression(1, guards);
    }
    const Variable* const variable = some_variable(false);
    if (variable == nullptr) return random_.chance(50) ? "true" : "false";
    const std::string text = reference(*variable, guards);
    if (variable->kind == Kind::Bool || random_.chance(10)) {
      return (random_.chance(40) ? "!" : "") + text;
    }
    const std::string sign =
        variable->kind == Kind::Enum ? (random_.chance(70) ? "==" : "!=") : comparison_sign();
    return text + " " + sign + " " + constant_for(*variable);
  }

  /// ALL, EXISTS, COUNT with one or two variables and perhaps a filter.
  [[nodiscard]] std::string quantifier(const std::string& word, unsigned depth) {
    std::vector<std::string> names;
    bind(names);
    if (random_.chance(20)) bind(names);
    std::string text = word + "(" + join(names, ", ");
    if (random_.chance(35)) text += " where " + condition(depth / 2);
    text += ": " + condition(depth) + ")";
    unbind(names.size());
    return text;
  }

  void bind(std::vector<std::string>& names) {
    const auto module = static_cast<int>(pick(vocabulary_.modules.size()));
    const std::string& name = one_of(vocabulary_.modules[static_cast<std::size_t>(module)].indices);
    if (std::ranges::find(names, name) != names.end()) return;
    names.push_back(name);
    scope_.push_back({name, module});
    ++binders_;
  }

  /// Secondary variables that came up inside stay in scope; they stand before the bound ones.
  void unbind(std::size_t num_names) {
    scope_.resize(scope_.size() - num_names);
    binders_ -= num_names;
  }

  [[nodiscard]] std::string condition(unsigned depth) {
    if (depth == 0 || random_.chance(45)) return atom();
    switch (random_.below(10)) {
      case 0:
      case 1:
        return "(" + condition(depth - 1) + " & " + condition(depth - 1) + ")";
      case 2:
      case 3:
        return "(" + condition(depth - 1) + " | " + condition(depth - 1) + ")";
      case 4:
        return "!(" + condition(depth - 1) + ")";
      case 5:
        return "(" + condition(depth - 1) + " => " + condition(depth - 1) + ")";
      case 6:
        return quantifier("ALL", depth - 1);
      case 7:
        return quantifier("EXISTS", depth - 1);
      case 8:
        return "(" + condition(depth - 1) + " ? " + condition(depth - 1) + " : " +
               condition(depth - 1) + ")";
      default:
        return quantifier("COUNT", depth - 1) + " " + comparison_sign() + " " +
               std::to_string(random_.below(3));
    }
  }

  // -------------------------------------------------------------------------------------------------
  // Actions

  /// From one value of a variable to another: what keeps programs going.
  void move(std::vector<std::string>& parts, std::vector<std::string>& written,
            std::set<std::string>& assigned) {
    const Variable* const variable = some_variable(false);
    if (variable == nullptr) return;
    assigned.insert(variable->name);
    const std::string target = reference(*variable, needed_);
    if (random_.chance(30)) {
      written.push_back(target + " = " + value_for(*variable, target, needed_));
      return;
    }
    const auto from = static_cast<int>(random_.between(variable->low, variable->high));
    const int to = from == variable->high ? variable->low : from + 1;
    parts.push_back(target + " == " + number(from));
    written.push_back(target + " = " + number(to));
  }

  void actions(std::vector<std::string>& written, std::set<std::string>& assigned) {
    const std::size_t count = written.empty() ? 1 + random_.below(3) : random_.below(3);
    for (std::size_t i = 0; i < count; ++i) {
      const Variable& variable = one_of(vocabulary_.variables);
      if (!assigned.insert(variable.name).second && !risky()) continue;
      written.push_back(random_.chance(20) ? all_action(variable) : assignment(variable, needed_));
    }
  }

  [[nodiscard]] std::string assignment(const Variable& variable, std::vector<std::string>& guards) {
    const std::string target = reference(variable, guards);
    return target + " = " + value_for(variable, target, guards);
  }

  /// Every bound variable is a subscript, so that nothing is assigned twice, unless that is wanted.
  [[nodiscard]] std::string all_action(const Variable& variable) {
    std::vector<std::string> names;
    std::vector<std::string> subscripts;
    std::vector<std::string> guards;
    for (const Vocabulary::Dimension& dimension : variable.dimensions) {
      const bool bindable = dimension.module >= 0 && (names.empty() || random_.chance(50));
      if (!bindable) {
        subscripts.push_back(subscript(dimension, guards));
        continue;
      }
      const std::string& name =
          one_of(vocabulary_.modules[static_cast<std::size_t>(dimension.module)].indices);
      if (std::ranges::find(names, name) == names.end()) {
        names.push_back(name);
        scope_.push_back({name, dimension.module});
        ++binders_;
      }
      subscripts.push_back(name);
    }
    if (names.empty()) {
      if (!risky()) return assignment(variable, needed_);
      bind(names);
    }
    const std::string target = variable.dimensions.empty()
                                   ? variable.name
                                   : variable.name + "[" + join(subscripts, ", ") + "]";
    const std::string value = value_for(variable, target, guards);
    if (random_.chance(40)) guards.push_back(condition(1));
    std::string text = "ALL(" + join(names, ", ");
    if (!guards.empty()) text += " where " + join(guards, " & ");
    text += ": " + target + " = " + value + ")";
    unbind(names.size());
    return text;
  }

  [[nodiscard]] std::string value_for(const Variable& variable, const std::string& target,
                                      std::vector<std::string>& guards) {
    if (variable.is_process()) return process_value(variable, guards);
    const std::string size = std::to_string(variable.high - variable.low + 1);
    switch (random_.below(9)) {
      case 0:
      case 1:  // round and round
        if (variable.low == 0) return "(" + target + " + 1) % " + size;
        return target + " == " + number(variable.high) + " ? " + number(variable.low) + " : " +
               target + " + 1";
      case 2:
        if (!risky()) guards.push_back(target + " < " + number(variable.high));
        return target + " + 1";
      case 3:
        if (!risky()) guards.push_back(target + " > " + number(variable.low));
        return target + " - 1";
      case 4: {  // another variable with no other values
        const Variable* const other = some_variable(false);
        const bool fits = other->low >= variable.low && other->high <= variable.high;
        if (fits || risky()) return reference(*other, guards);
        return constant_for(variable);
      }
      case 5:
        if (variable.low <= 0 && variable.high >= 1) return "(" + condition(1) + ")";
        return constant_for(variable);
      case 6:
        return condition(1) + " ? " + constant_for(variable) + " : " + constant_for(variable);
      case 7:
        if (variable.low == 0) return quantifier("COUNT", 1) + " % " + size;
        if (risky()) return number_expression(1, guards);
        return constant_for(variable);
      default:
        return constant_for(variable);
    }
  }

  [[nodiscard]] std::string process_value(const Variable& variable,
                                          std::vector<std::string>& guards) {
    const bool optional = variable.kind == Kind::OptionalProcess;
    if (optional && random_.chance(25)) return "none";
    if (random_.chance(15)) {
      return condition(1) + " ? " + process(variable.module, guards) + " : " +
             (optional && random_.chance(50) ? "none" : process(variable.module, guards));
    }
    return process(variable.module, guards);
  }

  // -------------------------------------------------------------------------------------------------
  // Priorities

  [[nodiscard]] std::string priority() {
    // Only what was really written is free in the schema; binders hide names, so look at them all.
    if (secondaries_.empty() || !random_.chance(45)) return "";
    const std::string& name =
        *std::next(secondaries_.begin(), static_cast<std::ptrdiff_t>(pick(secondaries_.size())));
    int module = 0;
    for (const Bound& bound : scope_) {
      if (bound.name == name) module = bound.module;
    }
    const Vocabulary::Module& of = vocabulary_.modules[static_cast<std::size_t>(module)];
    if (of.size < 2) return "";
    if (!of.classes.empty() && random_.chance(50)) {
      // One class, or all of them in some order; they are disjoint.
      std::vector<std::string> classes = of.classes;
      if (random_.chance(50)) std::ranges::reverse(classes);
      if (random_.chance(30)) classes.resize(1);
      return written_priority(name, classes);
    }
    std::vector<std::string> sets(1 + random_.below(2));
    for (int id = 0; id < of.size; ++id) {
      const std::size_t set = pick(sets.size() + 1);
      if (set == sets.size()) continue;
      sets[set] += (sets[set].empty() ? "" : ", ") + std::to_string(id);
    }
    std::erase(sets, std::string());
    if (sets.empty()) sets.push_back(std::to_string(pick(static_cast<std::size_t>(of.size))));
    return written_priority(name, sets);
  }

  /// Either form; the variable may be left out if there is no other.
  [[nodiscard]] std::string written_priority(const std::string& name,
                                             const std::vector<std::string>& sets) {
    const bool only = secondaries_.size() == 1;
    if (only && random_.chance(40)) return " (Priority " + join(sets, ":") + ")";
    return " Priority " + (only && random_.chance(50) ? "" : name + " ") + "(" + join(sets, "; ") +
           ")";
  }

  base::Random& random_;
  const Vocabulary& vocabulary_;
  unsigned fault_percent_;
  std::vector<Bound> scope_;           // the primary one, the secondary ones, the bound ones
  std::set<std::string> secondaries_;  // that have been written
  std::vector<std::string> needed_;    // by the actions
  unsigned depth_ = 0;
  std::size_t binders_ = 0;
};

class ProgramWriter {
 public:
  ProgramWriter(base::Random& random, const ProgramShape& shape)
      : random_(random), shape_(shape), bits_left_(shape.most_bits) {}

  [[nodiscard]] RandomProgram run() {
    text_ = "Program\n";
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

  void modules() {
    static const std::vector<std::pair<std::string, std::string>> names = {
        {"client", "c"}, {"server", "s"}, {"node", "n"}};
    const std::size_t count = 1 + random_.below(shape_.most_modules);
    int left = shape_.most_processes;
    for (std::size_t i = 0; i < count && left > 0; ++i) {
      static const std::vector<int> sizes = {1, 2, 2, 2, 3, 3, 3, 4};
      const int size = std::min(left, sizes[random_.below(sizes.size())]);
      left -= size;
      const auto& [name, index] = names[i];
      vocabulary_.modules.push_back({name, size, {index + "0", index + "1", index + "2"}, {}});
      line("Module " + name + " = " + std::to_string(size) + ";");
    }
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
    if (choice < 52) return {of(module)};
    if (choice < 68) return {};
    if (choice < 79) return {of(module), of(module)};
    if (choice < 88) return {of(module), of(some_module())};
    if (choice < 94) return {range};
    return random_.chance(50) ? std::vector{range, of(module)} : std::vector{of(module), range};
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
    line(name + (dims.empty() ? "" : "[" + join(dims, ", ") + "]") + type +
         initial(made, static_cast<int>(instances)) + ";");
    if (!made.dimensions.empty() && random_.chance(25)) init(made);
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
    if (random_.chance(25) && all_bits <= initial_bits_left_) {
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

  void classes() {
    for (Vocabulary::Module& module : vocabulary_.modules) {
      if (module.size < 2 || !random_.chance(50)) continue;
      std::string first;
      std::string second;
      for (int id = 0; id < module.size; ++id) {
        const std::uint64_t where = random_.below(5);
        std::string& set = where < 2 ? first : second;
        if (where < 4) set += (set.empty() ? "" : ", ") + std::to_string(id);
      }
      for (const std::string& set : {first, second}) {
        if (set.empty()) continue;
        module.classes.push_back((&set == &first ? "few_" : "others_") + module.name +
                                 std::to_string(module.classes.size()));
        line("PriorityClass " + module.classes.back() + " : " + module.name + " = (" + set + ");");
      }
    }
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
          line("  " + SchemaWriter(random_, vocabulary_, shape_.fault_percent, static_cast<int>(m))
                          .schema(label));
        }
        line("}");
      }
    }
  }

  base::Random& random_;
  const ProgramShape& shape_;
  double bits_left_;
  double initial_bits_left_ = 5;
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
