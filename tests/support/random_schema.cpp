#include "support/random_schema.hpp"

#include <algorithm>
#include <set>

namespace cohort::support {

std::string join(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : between) + parts[i];
  return text;
}

std::string id_list(base::Random& random, const std::vector<int>& ids, int module_size) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < ids.size();) {
    std::size_t end = i + 1;
    while (end < ids.size() && ids[end] == ids[end - 1] + 1 && random.chance(75)) ++end;
    const int last = ids[end - 1];
    if (last == module_size - 1 && random.chance(40)) {
      parts.push_back(std::to_string(ids[i]) + "-");
    } else if (end == i + 1 && random.chance(80)) {
      parts.push_back(std::to_string(ids[i]));
    } else {
      parts.push_back(std::to_string(ids[i]) + "-" + std::to_string(last));
    }
    i = end;
  }
  return join(parts, ", ");
}

namespace {

using Variable = Vocabulary::Variable;
using Kind = Variable::Kind;

/// A process variable that may be used.
struct Bound {
  std::string name;
  int module = 0;
};

/// Writes conditions and actions of one schema.
class SchemaWriter {
 public:
  SchemaWriter(base::Random& random, const Vocabulary& vocabulary, const ProgramShape& shape,
               int module)
      : random_(random),
        vocabulary_(vocabulary),
        fault_percent_(shape.fault_percent),
        priority_percent_(shape.is_hard() ? 80 : 45) {
    scope_.push_back({vocabulary.modules[static_cast<std::size_t>(module)].indices[0], module});
  }

  [[nodiscard]] std::string schema(const std::string& label) {
    std::vector<std::string> parts;
    std::vector<std::string> written;
    if (random_.chance(70)) move(parts, written);
    const std::size_t num_conditions =
        parts.empty() ? 1 + random_.below(2) : (random_.chance(50) ? 0 : 1);
    for (std::size_t i = 0; i < num_conditions; ++i) parts.push_back(condition(2));
    actions(written);
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
      if (!vocabulary_.constants.empty() && random_.chance(40))
        return one_of(vocabulary_.constants);
      return std::to_string(random_.below(3));
    }
    return reference(*variable, guards);
  }

  [[nodiscard]] std::string number_expression(unsigned depth, std::vector<std::string>& guards) {
    if (depth == 0) return plain_number(guards);
    switch (random_.below(10)) {
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
      case 7:  // both signs, so that quotients and remainders are rounded towards zero
        return "(" + plain_number(guards) + " - " + plain_number(guards) + " - 1)" +
               (random_.chance(50) ? " / " : " % ") + (random_.chance(50) ? "2" : "(-2)");
      case 8:  // beyond 64 bits
        return "(" + plain_number(guards) + " * 4000000000 * 4000000000 * 4000000000)" +
               (random_.chance(50) ? " / 4000000000 / 4000000000 / 4000000000" : " % 7");
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
  void move(std::vector<std::string>& parts, std::vector<std::string>& written) {
    const Variable* const variable = some_variable(false);
    if (variable == nullptr) return;
    assigned_.insert(variable->name);
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

  void actions(std::vector<std::string>& written) {
    const std::size_t count = written.empty() ? 1 + random_.below(3) : random_.below(3);
    for (std::size_t i = 0; i < count; ++i) {
      const Variable& variable = one_of(vocabulary_.variables);
      if (!assigned_.insert(variable.name).second && !risky()) continue;
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
    text += ": " + target + " = " + value + second_assignment(variable, target) + ")";
    unbind(names.size());
    return text;
  }

  /// Another variable with the same subscripts, in the same ALL; it is assigned nowhere else.
  [[nodiscard]] std::string second_assignment(const Variable& variable, const std::string& target) {
    if (variable.dimensions.empty() || !random_.chance(35)) return "";
    for (const Variable& other : vocabulary_.variables) {
      const bool alike =
          other.name != variable.name && !other.is_process() &&
          std::ranges::equal(other.dimensions, variable.dimensions,
                             [](const auto& a, const auto& b) {
                               return a.module == b.module && a.low == b.low && a.high == b.high;
                             });
      if (!alike || !assigned_.insert(other.name).second) continue;
      return ", " + other.name + target.substr(variable.name.size()) + " = " + constant_for(other);
    }
    return "";
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
    if (secondaries_.empty() || !random_.chance(priority_percent_)) return "";
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
    std::vector<std::vector<int>> sets(1 + random_.below(3));
    const bool covers = random_.chance(50);
    for (int id = 0; id < of.size; ++id) {
      const std::size_t set = pick(sets.size() + (covers ? 0 : 1));
      if (set < sets.size()) sets[set].push_back(id);
    }
    std::erase(sets, std::vector<int>());
    if (sets.empty()) sets.push_back({static_cast<int>(pick(static_cast<std::size_t>(of.size)))});
    std::vector<std::string> written;
    for (const std::vector<int>& set : sets) written.push_back(id_list(random_, set, of.size));
    return written_priority(name, written);
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
  unsigned priority_percent_;
  std::vector<Bound> scope_;           // the primary one, the secondary ones, the bound ones
  std::set<std::string> secondaries_;  // that have been written
  std::set<std::string> assigned_;     // names of variables
  std::vector<std::string> needed_;    // by the actions
  unsigned depth_ = 0;
  std::size_t binders_ = 0;
};

}  // namespace

std::string random_schema(base::Random& random, const Vocabulary& vocabulary,
                          const ProgramShape& shape, int module, const std::string& label) {
  return SchemaWriter(random, vocabulary, shape, module).schema(label);
}

}  // namespace cohort::support
