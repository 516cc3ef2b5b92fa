// Promela: a proctype for each module, a process for each process.
//
// An edge of the graph is one d_step, so that there are no states between.  The condition of a
// schema is a macro over its index variables; priorities, `enabled` and `deadlock` are made of
// these.  A model error is a violated assertion.  Because Cohort's processes are Spin's, weak
// fairness of the verifier (-f) is Cohort's fairness.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "translate/linear.hpp"
#include "translate/promela_action.hpp"
#include "translate/promela_expression.hpp"
#include "translate/promela_formula.hpp"
#include "translate/scope.hpp"
#include "translate/translation.hpp"
#include "translate/words.hpp"

namespace cohort::translate {
namespace {

using base::index_of;

/// Spin numbers processes with a byte, and the one that starts the others is one as well.
constexpr std::int64_t most_processes = 254;
/// Beyond some 2,000 characters Spin's parser of LTL loses its way; then propositions are C.
constexpr std::size_t longest_formula = 700;

class Promela {
 public:
  explicit Promela(const Subject& subject)
      : subject_(subject),
        program_(subject.program.source()),
        words_(Words::Language::Promela),
        promela_(subject.program, variables_, PromelaExpressions::Dialect::Promela),
        c_(subject.program, variables_, PromelaExpressions::Dialect::C) {}

  [[nodiscard]] Translation run() {
    choose_names();
    check_sizes();
    std::string body;
    declare_conditions(body);
    for (std::size_t i = 0; i < program_.modules.size(); ++i) declare_process(body, i);
    std::string properties;
    for (const lang::Formula* const formula : subject_.formulas) {
      add_property(properties, *formula, to_linear(program_, *formula));
    }
    for (const online::Property* const property : subject_.linear) {
      add_property(properties, property->formula, to_linear(program_, *property));
    }
    if (any_fair_) declare_idle(body);
    if (model_is_fine_ && num_claims_ > 0) {
      // A claim is a process.
      check_processes(most_processes - (idle_.empty() ? 1 : 2), " beside a property");
    }
    const std::string start = initial();
    for (const lang::Span where : promela_.too_large) {
      object(where, "a number beyond 32 bits, which Promela does not have");
    }
    if (!model_is_fine_) return std::move(made_);
    made_.text = head() + declarations() + body + start + properties;
    return std::move(made_);
  }

 private:
  void object(lang::Span where, std::string message, std::string hint = {}) {
    made_.findings.push_back({nullptr, where, std::move(message), std::move(hint)});
    model_is_fine_ = false;
  }

  void choose_names() {
    for (const lang::Module& module : program_.modules) {
      modules_.push_back(words_.take_process(module.name));
    }
    for (const lang::Variable& variable : program_.variables) {
      variables_.push_back(words_.take(variable.name));
    }
    std::vector<PromelaExpressions::Macros> macros;
    for (const lang::Schema& schema : program_.schemas) {
      macros.push_back({words_.take(schema.name + "_holds"), words_.take(schema.name + "_above")});
    }
    faults_.resize(program_.schemas.size());
    is_fault_.resize(program_.schemas.size());
    promela_.set_macros(std::move(macros));
  }

  void check_sizes() {
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
      const lang::VariableId id{static_cast<std::uint32_t>(i)};
      const lang::Interval& values = subject_.program.bounds().of(id);
      constexpr lang::Interval promela_int{-2147483648LL, 2147483647LL};
      if (promela_int.contains(values.first) && promela_int.contains(values.last)) continue;
      object(program_.variables[i].where,
             fmt::format("variable '{}' needs more than 32 bits, which Promela does not have",
                         program_.variables[i].name));
    }
    check_processes(most_processes, "");
  }

  void check_processes(std::int64_t most, const char* beside) {
    std::int64_t all = 0;
    for (const lang::Module& module : program_.modules) {
      all += module.size;
      if (all > most) {
        object(module.where,
               fmt::format("more than {} processes, which Promela cannot have{}", most, beside));
        return;
      }
    }
  }

  // -------------------------------------------------------------------------------------------------
  // Head and variables

  [[nodiscard]] std::string head() const {
    std::size_t bytes = 64;
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
      bytes +=
          4 * subject_.program.instances().count(lang::VariableId{static_cast<std::uint32_t>(i)});
    }
    for (const lang::Module& module : program_.modules) {
      bytes += 16 * static_cast<std::size_t>(module.size);
    }
    const std::string vector =
        bytes > 1000 ? fmt::format(" -DVECTORSZ={}", (bytes / 1024 + 1) * 1024) : "";
    return fmt::format(
        "/* {0}, written by cohort {1}.\n"
        " *\n"
        " *   spin -a FILE\n"
        " *   gcc -O2 -w -DNOREDUCE -DNOCLAIM{2} -o pan pan.c && ./pan -m1000000   # every state; "
        "model "
        "errors\n"
        "{3}"
        " *\n"
        " * One d_step is one transition; the first state, before the initial values are chosen, "
        "is\n"
        " * none of the model.  A violated assertion is a model error.  A state in which nothing "
        "can\n"
        " * be fired is a proper end; the end of a run repeats its last state.\n"
        " */\n",
        in_comment(subject_.name), subject_.version, vector, how_to_verify(vector));
  }

  [[nodiscard]] std::string how_to_verify(const std::string& vector) const {
    if (num_claims_ == 0) return {};
    // With a single one the verifier warns of -N.
    const char* const which =
        num_claims_ > 1 ? " -N NAME  # the property NAME" : "  # the property";
    std::string text =
        fmt::format(" *   gcc -O2 -w -DNOREDUCE{}{} -o pan pan.c && ./pan -m1000000 -a{}\n", vector,
                    any_fair_ ? fair_counters() : "", which);
    if (any_fair_) text += fmt::format(" *   ./pan -m1000000 -a -f{}, of fair paths\n", which);
    return text;
  }

  /// Weak fairness counts processes, with four to a byte; `init`, the claim and the one that idles
  /// are processes as well.
  [[nodiscard]] std::string fair_counters() const {
    std::int64_t num_processes = 4;  // with one that does not exist
    for (const lang::Module& module : program_.modules) num_processes += module.size;
    const std::int64_t bytes = num_processes / 4 + 1;
    return bytes > 2 ? fmt::format(" -DNFAIR={}", bytes) : "";
  }

  [[nodiscard]] static std::string in_comment(std::string text) {
    for (std::size_t at = text.find("*/"); at != std::string::npos; at = text.find("*/")) {
      text.replace(at, 2, "* /");
    }
    std::ranges::replace(text, '\n', ' ');
    std::ranges::replace(text, '\\', '/');
    return text;
  }

  [[nodiscard]] static const char* type_for(const lang::Variable& variable,
                                            const lang::Interval& values) {
    if (variable.type.kind == lang::Type::Kind::Bool) return "bool";
    if (values.first >= 0 && values.last <= 255) return "byte";
    if (values.first >= -32768 && values.last <= 32767) return "short";
    return "int";
  }

  [[nodiscard]] std::string declarations() const {
    std::string text = "\nbool started;\n";
    if (leaves_bits_) {
      text +=
          "hidden byte fits_in_32_bits = 0;  /* asserted where a condition needs more, which is no "
          "fault of the model */\n";
    }
    if (num_held_ > 0) text += fmt::format("hidden int held[{}];\n", num_held_);
    text += "\n";
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
      const lang::Variable& variable = program_.variables[i];
      const lang::VariableId id{static_cast<std::uint32_t>(i)};
      const lang::Interval& values = subject_.program.bounds().of(id);
      std::string brackets;
      if (!variable.dimensions.empty()) {
        brackets = fmt::format("[{}]", subject_.program.instances().count(id));
      }
      text += fmt::format("{} {}{} = {};", type_for(variable, values), variables_[i], brackets,
                          promela_number(variable.initial.front().first));
      text += fmt::format("  /* {}{} */\n", lang::to_string(variable.type, program_),
                          meanings(variable.type));
    }
    return text;
  }

  /// What its numbers stand for.
  [[nodiscard]] std::string meanings(const lang::Type& type) const {
    if (type.kind == lang::Type::Kind::OptionalProcess) return ": -1 none";
    if (type.kind != lang::Type::Kind::Enum) return {};
    const lang::Enum& of = program_.enums[static_cast<std::size_t>(type.enumeration)];
    std::string text = ":";
    for (std::size_t i = 0; i < of.constants.size(); ++i) {
      text += fmt::format("{} {} {}", i == 0 ? "" : ",", i, of.constants[i]);
    }
    return text;
  }

  /// Free choices, and the values of single instances.
  [[nodiscard]] std::string initial() {
    std::map<std::size_t, const std::vector<lang::Interval>*> special;
    const model::Instances& instances = subject_.program.instances();
    for (const lang::Init& init : program_.inits) {
      special[instances.number(init.variable, init.subscripts)] = &init.initial;
    }
    std::string text = "\ninit {\n  atomic {\n";
    text += "    /* What nothing reads would be no part of the states. */\n" + read_all();
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
      const lang::VariableId id{static_cast<std::uint32_t>(i)};
      const lang::Variable& variable = program_.variables[i];
      for (std::size_t at = 0; at < instances.count(id); ++at) {
        const auto found = special.find(instances.first(id) + at);
        if (found == special.end() && is_one(variable.initial)) continue;
        const auto& values = found == special.end() ? variable.initial : *found->second;
        choose(
            text,
            variable.dimensions.empty() ? variables_[i] : fmt::format("{}[{}]", variables_[i], at),
            values);
      }
    }
    for (std::size_t i = 0; i < program_.modules.size(); ++i) {
      if (!has_process(i)) continue;
      for (std::int64_t id = 0; id < program_.modules[i].size; ++id) {
        text += fmt::format("    run {}({});\n", modules_[i], id);
      }
    }
    if (!idle_.empty()) text += fmt::format("    run {}();\n", idle_);
    return text + "    started = 1\n  }\n}\n";
  }

  /// What nothing reads Spin leaves out of the states.
  [[nodiscard]] std::string read_all() const {
    std::string text;
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
      const std::string place =
          program_.variables[i].dimensions.empty() ? variables_[i] : variables_[i] + "[0]";
      text += fmt::format("    ({0} == {0});\n", place);
    }
    return text;
  }

  [[nodiscard]] static bool is_one(const std::vector<lang::Interval>& values) {
    return values.size() == 1 && values.front().first == values.front().last;
  }

  static void choose(std::string& text, const std::string& place,
                     const std::vector<lang::Interval>& values) {
    if (is_one(values)) {
      text += fmt::format("    {} = {};\n", place, promela_number(values.front().first));
      return;
    }
    text += "    if\n";
    for (const lang::Interval& interval : values) {
      text += fmt::format("    :: {} = {}", place, promela_number(interval.first));
      if (interval.first < interval.last) {
        text += fmt::format(";\n       do :: {0} < {1} -> {0}++ :: break od", place,
                            promela_number(interval.last));
      }
      text += "\n";
    }
    text += "    fi;\n";
  }

  // -------------------------------------------------------------------------------------------------
  // Schemas

  /// The index variables of a schema as the parameters of a macro.
  [[nodiscard]] Slots parameters(const lang::Schema& schema) const {
    Slots slots(schema.slots.size());
    for (std::size_t i = 0; i < schema.num_indices; ++i) {
      slots[i].text = fmt::format("p{}", i);
      // A module of one has one process: no parameter is needed to know which.
      if (program_[schema.slots[i].module].size == 1) slots[i].id = 0;
    }
    return slots;
  }

  /// The parameters in brackets: a macro's argument may be an expression.
  [[nodiscard]] static std::string parameter_list(const Slots& slots, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + slots[i].text;
    return text;
  }

  /// What a macro stands for: a negation of it would be two signs in a row, which Spin takes for
  /// one of channels.
  [[nodiscard]] static std::string closed(const std::string& text) {
    return text.starts_with('!') ? fmt::format("({})", text) : text;
  }

  void declare_conditions(std::string& text) {
    text += "\n/* Conditions: the primary process first, then the secondary ones. */\n";
    for (std::size_t i = 0; i < program_.schemas.size(); ++i) {
      const lang::Schema& schema = program_.schemas[i];
      const Slots slots = parameters(schema);
      const std::string list = parameter_list(slots, schema.num_indices);
      const std::string defined = promela_.defined(schema.condition, slots);
      const std::string condition = all_of({defined, promela_.truth(schema.condition, slots)});
      if (defined != "1") {
        // Beside a fault of the model a number that leaves 32 bits cannot be told.
        is_fault_[i] = promela_.has_faults(schema.condition, slots);
        if (!is_fault_[i]) leaves_bits_ = true;
        faults_[i] = words_.take(schema.name + (is_fault_[i] ? "_fault" : "_leaves_32_bits"));
        text += fmt::format("#define {}({}) {}\n", faults_[i], list, closed(negated(defined)));
      }
      const std::string holds = promela_.holds(i, slots);
      text += fmt::format("#define {} {}\n", holds, closed(condition));
      declare_ranks(text, i);
    }
  }

  void declare_ranks(std::string& text, std::size_t number) {
    const lang::Schema& schema = program_.schemas[number];
    if (!schema.priority) return;
    const std::vector<std::uint32_t>& ranks = schema.priority->ranks;
    const std::uint32_t last = *std::ranges::max_element(ranks);
    for (std::uint32_t rank = 1; rank <= last; ++rank) {
      std::vector<std::string> above;
      for (const Slots& slots : instances_of(program_, schema, {"p0", std::nullopt})) {
        const auto id = static_cast<std::size_t>(slots[schema.priority->slot].id.value());
        if (ranks[id] < rank) above.push_back(promela_.holds(number, slots));
      }
      text += fmt::format("#define {}_{}(p0) {}\n", promela_.above(number), rank, any_of(above));
    }
  }

  [[nodiscard]] bool has_process(std::size_t module) const {
    return std::ranges::any_of(program_.schemas, [&](const lang::Schema& schema) {
      return index_of(schema.module) == module;
    });
  }

  void declare_process(std::string& text, std::size_t module) {
    if (!has_process(module)) return;
    text += fmt::format("\nproctype {}(byte me) {{\nend:\n  do\n", modules_[module]);
    for (std::size_t i = 0; i < program_.schemas.size(); ++i) {
      const lang::Schema& schema = program_.schemas[i];
      if (index_of(schema.module) != module) continue;
      text += fmt::format("  /* {} */\n", in_comment(schema.name));
      Named me{"me", std::nullopt};
      if (program_.modules[module].size == 1) me.id = 0;
      for (const Slots& slots : instances_of(program_, schema, me)) {
        if (!faults_[i].empty()) {
          text += fmt::format("  :: d_step {{ {}({}) -> assert({}) }}\n", faults_[i],
                              parameter_list(slots, schema.num_indices),
                              is_fault_[i] ? "false" : "fits_in_32_bits");
        }
        const PromelaAction action = promela_action(subject_.program, i, slots, promela_);
        num_held_ = std::max(num_held_, action.num_held);
        text +=
            fmt::format("  :: d_step {{ {} ->\n       {}\n     }}\n", promela_.fireable(i, slots),
                        action.statements.empty()
                            ? "skip"
                            : fmt::format("{}", fmt::join(action.statements, ";\n       ")));
      }
    }
    text += "  od\n}\n";
  }

  /// Spin repeats the last state of a run by letting the claim alone go on, and finds no fair cycle
  /// of it.
  void declare_idle(std::string& text) {
    const std::string nothing = promela_.deadlock();
    if (nothing == "0") return;
    idle_ = words_.take_process("idle");
    text += fmt::format(
        "\n/* Repeats the last state of a run: a fair cycle has a process that goes round. */\n"
        "proctype {}() {{\nend:\n  do\n  :: d_step {{ {} -> skip }}\n  od\n}}\n",
        idle_, nothing);
  }

  // -------------------------------------------------------------------------------------------------
  // Properties

  void add_property(std::string& text, const lang::Formula& formula, Linear linear) {
    for (const LinearNode& node : linear.nodes) {
      if (node.kind != LinearNode::Kind::Next) continue;
      linear.findings.push_back(
          {&formula, formula.root.where, "Spin is built without the next operator",
           "a property that counts steps is not kept when steps are left out"});
      break;
    }
    if (!linear.findings.empty()) {
      std::ranges::move(linear.findings, std::back_inserter(made_.findings));
      return;
    }
    const std::string name = words_.take_process(formula.name);
    const auto longest = [](const std::vector<std::string>& texts) {
      std::size_t size = 0;
      for (const std::string& one : texts) size = std::max(size, one.size());
      return size;
    };
    PromelaFormula printed = promela_formula(linear, promela_);
    // Spin reads what macros stand for, whose length is not seen here.  In LTL it takes an arrow
    // for no conditional expression, and a minus behind < for half of an arrow.
    const auto says = [&](const char* sign) {
      return std::ranges::any_of(printed.parts, [&](const std::string& part) {
        return part.find(sign) != std::string::npos;
      });
    };
    const bool any_macro = std::ranges::any_of(linear.nodes, [](const LinearNode& node) {
      return node.state != nullptr && is_about_firing(*node.state);
    });
    if (any_macro || says(" -> ") || says("< (-") || longest(printed.parts) > longest_formula) {
      printed = promela_formula_of_functions(linear, c_, words_, name);
    }
    const std::vector<std::string>& parts = printed.parts;
    if (longest(parts) > longest_formula * 2) {
      made_.findings.push_back({&formula, formula.root.where,
                                "unfolded for all processes it is longer than what Spin reads",
                                "export it with fewer processes"});
      return;
    }
    text += fmt::format("\n/* {}: {}{}{}{} */\n", in_comment(formula.name),
                        in_comment(formula.text), formula.expected ? "" : "\n * expected to fail",
                        linear.fair ? "\n * of fair paths: run the verifier with -f" : "",
                        parts.size() > 1 ? "\n * holds if all of these do:" : "");
    num_claims_ += parts.size();
    if (linear.fair) any_fair_ = true;
    text += printed.functions;
    text += fmt::format("ltl {} {{ {} }}\n", name, parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) {
      text += fmt::format("ltl {} {{ {} }}\n",
                          words_.take_process(fmt::format("{}_{}", name, i + 1)), parts[i]);
    }
  }

  const Subject& subject_;
  const lang::Program& program_;
  Words words_;
  std::vector<std::string> variables_;
  std::vector<std::string> modules_;
  std::vector<std::string> faults_;  // of schemas; empty where there cannot be one
  std::vector<bool> is_fault_;       // likewise; false: no more than a number beyond 32 bits
  bool leaves_bits_ = false;
  PromelaExpressions promela_;
  PromelaExpressions c_;
  std::string idle_;  // the process that repeats the last state; empty if there is none
  std::size_t num_held_ = 0;
  std::size_t num_claims_ = 0;
  bool any_fair_ = false;
  bool model_is_fine_ = true;
  Translation made_;
};

}  // namespace

Translation to_promela(const Subject& subject) { return Promela(subject).run(); }

}  // namespace cohort::translate
