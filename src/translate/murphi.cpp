// Murphi, as rumur reads it: a ruleset over the index variables for each schema.
//
// Modules are scalarsets where nothing tells their processes apart, plain ranges otherwise.  A
// model error is a failed assertion or an error statement.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "translate/murphi_action.hpp"
#include "translate/murphi_expression.hpp"
#include "translate/murphi_start.hpp"
#include "translate/murphi_symmetry.hpp"
#include "translate/scope.hpp"
#include "translate/translation.hpp"
#include "translate/words.hpp"

namespace cohort::translate {
namespace {

using base::index_of;
using lang::Expr;
using lang::Op;
using lang::syntax::Path;
using lang::syntax::TemporalOperator;

/// That something holds in every state, or in the initial ones.
struct Claim {
  bool always = false;
  std::string text;
};

class Murphi {
 public:
  explicit Murphi(const Subject& subject)
      : subject_(subject),
        program_(subject.program.source()),
        words_(Words::Language::Murphi),
        expressions_(subject.program, names_, words_) {}

  [[nodiscard]] Translation run() {
    std::vector<const lang::Formula*> kept;
    for (const lang::Formula* const formula : subject_.formulas) {
      if (has_claims(*formula)) kept.push_back(formula);
    }
    subject_.formulas = std::move(kept);  // one that is left out tells no processes apart
    std::erase_if(subject_.linear,
                  [this](const online::Property* property) { return !has_claims(*property); });
    interchangeable_ = interchangeable_modules(subject_);
    choose_names();
    choose_types();
    for (std::size_t i = 0; i < program_.schemas.size(); ++i) declare_condition(i);
    const std::string conditions = std::exchange(expressions_.functions, {});
    std::string rules;
    for (std::size_t i = 0; i < program_.schemas.size(); ++i) add_rules(rules, i);
    std::string invariants;
    std::string initial;
    for (const lang::Formula* const formula : subject_.formulas) {
      add_property(*formula, invariants, initial);
    }
    for (const online::Property* const property : subject_.linear) {
      add_property(*property, invariants, initial);
    }
    const std::string start =
        murphi_start(subject_.program, names_, interchangeable_, words_, initial);
    made_.text = head() + declarations() + conditions + enabled() + expressions_.functions + rules +
                 start + invariants;
    return std::move(made_);
  }

 private:
  void choose_names() {
    for (const lang::Variable& variable : program_.variables) {
      names_.variables.push_back(words_.take(variable.name));
    }
    for (const lang::Module& module : program_.modules) {
      names_.modules.push_back(words_.take(module.name));
    }
    for (const lang::Schema& schema : program_.schemas) {
      names_.holds.push_back(words_.take(schema.name + "_holds"));
    }
    for (const lang::Module& module : program_.modules) {
      names_.enabled.push_back(words_.take(module.name + "_enabled"));
    }
    names_.deadlock = words_.take("deadlock");
    for (const lang::Variable& variable : program_.variables) {
      names_.copies.push_back(words_.take("new_" + variable.name));
      names_.flags.push_back(words_.take("set_" + variable.name));
    }
    names_.total = words_.take("total");
    me_ = words_.take("me");
    process_ = words_.take("who");
  }

  void choose_types() {
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
      const lang::Variable& variable = program_.variables[i];
      const lang::VariableId id{static_cast<std::uint32_t>(i)};
      const lang::Interval& values = subject_.program.bounds().of(id);
      std::string dimensions;
      for (const lang::Dimension& dimension : variable.dimensions) {
        dimensions +=
            dimension.module
                ? fmt::format("array [{}] of ", names_.modules[index_of(*dimension.module)])
                : fmt::format("array [{}..{}] of ", dimension.range.first, dimension.range.last);
      }
      flags_.push_back(dimensions + "boolean");
      types_.push_back(dimensions + (variable.type.is_process()
                                         ? names_.modules[index_of(variable.type.module)]
                                         : fmt::format("{}..{}", values.first, values.last)));
    }
  }

  // -------------------------------------------------------------------------------------------------
  // Head and variables

  [[nodiscard]] static std::string one_line(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
  }
  [[nodiscard]] static std::string in_quotes(std::string text) {
    std::ranges::replace(text, '"', '\'');
    return '"' + one_line(std::move(text)) + '"';
  }

  [[nodiscard]] std::string head() const {
    return fmt::format(
        "-- {}, written by cohort {}.\n"
        "--\n"
        "--   rumur --deadlock-detection off --output model.c FILE\n"
        "--   gcc -O2 -mcx16 -o model model.c -lpthread -latomic && ./model\n"
        "--\n"
        "-- One rule firing is one transition.  A failed assertion outside the invariants is a "
        "model\n"
        "-- error.  `--deadlock-detection stuck` looks for states in which nothing can be fired.\n"
        "-- With scalarsets `--symmetry-reduction exhaustive` counts orbits, `off` counts "
        "states.\n\n",
        one_line(subject_.name), subject_.version);
  }

  [[nodiscard]] std::string declarations() const {
    std::string text = "type\n";
    for (std::size_t i = 0; i < program_.modules.size(); ++i) {
      const std::int64_t size = program_.modules[i].size;
      text += interchangeable_[i]
                  ? fmt::format("  {} : scalarset({});\n", names_.modules[i], size)
                  : fmt::format("  {} : 0..{};{}\n", names_.modules[i], size - 1,
                                size > 1 ? "  -- its processes are told apart" : "");
    }
    text +=
        "  -- Computations are done in the narrowest numbers that hold all types; sums may need "
        "more.\n"
        "  number_t : -4611686018427387904..4611686018427387904;\n";
    if (!program_.variables.empty()) text += "\nvar\n";
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
      const lang::Type& type = program_.variables[i].type;
      text += fmt::format("  {} : {};", names_.variables[i], types_[i]);
      if (type.kind == lang::Type::Kind::Enum) {
        const lang::Enum& of = program_.enums[static_cast<std::size_t>(type.enumeration)];
        text += "  --";
        for (std::size_t at = 0; at < of.constants.size(); ++at) {
          text += fmt::format("{} {} {}", at == 0 ? "" : ",", at, of.constants[at]);
        }
      }
      if (type.kind == lang::Type::Kind::OptionalProcess) text += "  -- undefined: none";
      text += "\n";
    }
    return text + "\n-- Conditions: the primary process first, then the secondary ones.\n";
  }

  // -------------------------------------------------------------------------------------------------
  // Schemas

  [[nodiscard]] std::string arguments(const MurphiSlots& slots, std::size_t count) const {
    return fmt::format(
        "{}", fmt::join(slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(count), ", "));
  }

  void declare_condition(std::size_t number) {
    const lang::Schema& schema = program_.schemas[number];
    MurphiSlots slots = expressions_.enter(schema.slots);
    const std::string defined = expressions_.defined(schema.condition, slots);
    const std::string truth = expressions_.truth(schema.condition, slots);
    expressions_.functions += fmt::format(
        "function {}({}) : boolean;\nbegin\n  return {};\nend;\n\n", names_.holds[number],
        expressions_.parameters(schema.slots, schema.num_indices, slots),
        murphi_all({defined, truth}));
    slots_.push_back(std::move(slots));
    faults_.push_back(murphi_not(defined));
  }

  /// What properties ask of it.
  [[nodiscard]] std::string enabled() {
    std::string text;
    std::vector<std::string> some;
    for (std::size_t module = 0; module < program_.modules.size(); ++module) {
      some.push_back(fmt::format("(exists {0} : {1} do {2}({0}) end)", process_,
                                 names_.modules[module], names_.enabled[module]));
      if (!expressions_.asks_deadlock && !expressions_.asks_enabled.contains(module)) continue;
      std::vector<std::string> terms;
      for (std::size_t i = 0; i < program_.schemas.size(); ++i) {
        const lang::Schema& schema = program_.schemas[i];
        if (index_of(schema.module) != module) continue;
        // With priorities, too: of the instances whose condition holds a highest one is fireable.
        MurphiSlots slots = slots_[i];
        slots[0] = me_;
        terms.push_back(expressions_.for_some(
            secondary_binders(schema), slots,
            fmt::format("{}({})", names_.holds[i], arguments(slots, schema.num_indices))));
      }
      text += fmt::format("function {}({} : {}) : boolean;\nbegin\n  return {};\nend;\n\n",
                          names_.enabled[module], me_, names_.modules[module], murphi_any(terms));
    }
    if (expressions_.asks_deadlock) {
      text += fmt::format("function {}() : boolean;\nbegin\n  return {};\nend;\n\n",
                          names_.deadlock, murphi_not(murphi_any(some)));
    }
    return text;
  }

  /// That no instance with the same primary process and a higher rank has a true condition.
  [[nodiscard]] std::string unblocked(std::size_t number) {
    const lang::Schema& schema = program_.schemas[number];
    if (!schema.priority) return "true";
    const std::vector<std::uint32_t>& ranks = schema.priority->ranks;
    const std::string rank = words_.take(schema.name + "_rank");
    const std::uint32_t last = *std::ranges::max_element(ranks);
    if (last == *std::ranges::min_element(ranks)) return "true";
    std::string body;
    for (std::size_t id = 0; id < ranks.size(); ++id) {
      if (ranks[id] != last) {
        body += fmt::format("  if {} = {} then return {}; end;\n", process_, id, ranks[id]);
      }
    }
    const lang::Slot& ranked = schema.slots[schema.priority->slot];
    expressions_.functions +=
        fmt::format("function {}({} : {}) : 0..{};\nbegin\n{}  return {};\nend;\n\n", rank,
                    process_, names_.modules[index_of(ranked.module)], last, body, last);
    MurphiSlots others = slots_[number];
    for (std::size_t i = 1; i < schema.num_indices; ++i) {
      others[i] = words_.take_local("other_" + schema.slots[i].name);
    }
    const std::size_t slot = schema.priority->slot;
    const std::string above = murphi_all(
        {fmt::format("({0}({1}) < {0}({2}))", rank, others[slot], slots_[number][slot]),
         fmt::format("{}({})", names_.holds[number], arguments(others, schema.num_indices))});
    return murphi_not(expressions_.for_some(secondary_binders(schema), others, above));
  }

  void add_rules(std::string& text, std::size_t number) {
    const lang::Schema& schema = program_.schemas[number];
    const MurphiSlots& slots = slots_[number];
    expressions_.enter(schema.slots, slots);
    for (std::size_t i = 0; i < schema.num_indices; ++i) {
      text +=
          fmt::format("ruleset {} do\n", expressions_.parameters({schema.slots[i]}, 1, {slots[i]}));
    }
    if (faults_[number] != "false") {
      text += fmt::format("rule {} {} ==>\nbegin\n  error {};\nend;\n",
                          in_quotes("fault in the condition of " + schema.name), faults_[number],
                          in_quotes("model error in the condition of " + schema.name));
    }
    const std::string guard = murphi_all(
        {fmt::format("{}({})", names_.holds[number], arguments(slots, schema.num_indices)),
         unblocked(number)});
    const MurphiAction action =
        murphi_action(subject_.program, number, slots, names_, types_, flags_, expressions_);
    text += fmt::format("rule {} {} ==>\n{}begin\n{}end;\n", in_quotes(schema.name), guard,
                        action.locals.empty() ? "" : "var\n" + action.locals, action.statements);
    for (std::size_t i = 0; i < schema.num_indices; ++i) text += "end;\n";
    text += "\n";
  }

  // -------------------------------------------------------------------------------------------------
  // Properties

  [[nodiscard]] bool has_claims(const lang::Formula& formula) {
    const std::size_t before = made_.findings.size();
    look_at(formula, formula.root, true, true);
    return made_.findings.size() == before;
  }

  /// Of the conjuncts of each goal; what has no temporal operator is about the initial states.
  [[nodiscard]] bool has_claims(const online::Property& property) {
    const ltl::Formulas& formulas = *property.formulas;
    const bool all = std::ranges::all_of(property.goals, [&](const online::Goal& goal) {
      return std::ranges::all_of(conjuncts(formulas, goal.formula), [&](ltl::Formula part) {
        return formulas.is_boolean(part) || is_always(formulas, part);
      });
    });
    if (property.view == online::View::Actions) {
      made_.findings.push_back({&property.formula,
                                {},
                                "its positions are actions, and what is exported has states only",
                                "say with variables what has happened"});
    } else if (!all) {
      made_.findings.push_back({&property.formula,
                                {},
                                "Murphi has invariants only: G of a formula without time",
                                "leave it out with --partial"});
    }
    return all && property.view == online::View::States;
  }

  [[nodiscard]] static std::vector<ltl::Formula> conjuncts(const ltl::Formulas& formulas,
                                                           ltl::Formula formula) {
    if (formulas.op(formula) != ltl::Operator::And) return {formula};
    const std::span<const ltl::Formula> parts = formulas.operands(formula);
    return {parts.begin(), parts.end()};
  }

  [[nodiscard]] static bool is_always(const ltl::Formulas& formulas, ltl::Formula formula) {
    return formulas.op(formula) == ltl::Operator::G && formulas.is_boolean(formulas.last(formula));
  }

  void object(const lang::Formula& formula, const Expr& expr, std::string message,
              std::string hint = {}) {
    made_.findings.push_back({&formula, expr.where, std::move(message), std::move(hint)});
  }

  /// Whether the formula (or its negation) is made of claims about every state or the initial ones.
  /// `here`: about initial states as well; below an AG there are only all states.
  void look_at(const lang::Formula& formula, const Expr& expr, bool positive, bool here) {
    if (!is_temporal(expr)) return;
    const bool conjunction = (expr.op == Op::And && positive) ||
                             ((expr.op == Op::Or || expr.op == Op::Implies) && !positive);
    const bool disjunction = (expr.op == Op::And && !positive) ||
                             ((expr.op == Op::Or || expr.op == Op::Implies) && positive);
    if (expr.op == Op::Not) {
      look_at(formula, expr.args[0], !positive, here);
    } else if (conjunction) {
      for (std::size_t i = 0; i < expr.args.size(); ++i) {
        look_at(formula, expr.args[i], sign(expr, i, positive), here);
      }
    } else if (disjunction) {
      std::size_t num_changing = 0;
      for (std::size_t i = 0; i < expr.args.size(); ++i) {
        if (!is_rigid(expr.args[i])) ++num_changing;
        look_at(formula, expr.args[i], sign(expr, i, positive), here);
      }
      if (num_changing > 1) {
        object(formula, expr, "an invariant cannot choose between formulas that change in time");
      }
    } else if ((expr.op == Op::ForallProcess && positive) ||
               (expr.op == Op::ExistsProcess && !positive)) {
      look_at(formula, expr.args[0], positive, here);
    } else if (is_always(expr, positive)) {
      look_at(formula, expr.args[0], positive, false);
    } else {
      object(formula, expr, "Murphi has invariants only: AG of a formula without time",
             "leave it out with --property or --partial");
    }
  }

  [[nodiscard]] static bool is_always(const Expr& expr, bool positive) {
    if (expr.op != Op::Temporal) return false;
    const bool all_paths = expr.path == Path::A || expr.path == Path::Afair;
    return positive ? all_paths && expr.temporal == TemporalOperator::G
                    : !all_paths && expr.temporal == TemporalOperator::F;
  }

  /// Of the i-th operand: those before the last of an implication are negated.
  [[nodiscard]] static bool sign(const Expr& expr, std::size_t i, bool positive) {
    return expr.op == Op::Implies && i + 1 < expr.args.size() ? !positive : positive;
  }

  [[nodiscard]] std::vector<Claim> claims(const Expr& expr, bool positive, bool always,
                                          const MurphiSlots& slots) {
    if (!is_temporal(expr)) {
      const std::string truth = expressions_.truth(expr, slots);
      return {{always, murphi_all({expressions_.defined(expr, slots),
                                   positive ? truth : murphi_not(truth)})}};
    }
    if (expr.op == Op::Not) return claims(expr.args[0], !positive, always, slots);
    if (expr.op == Op::Temporal) return claims(expr.args[0], positive, true, slots);
    std::vector<Claim> made;
    if (expr.op == Op::ForallProcess || expr.op == Op::ExistsProcess) {
      made = claims(expr.args[0], positive, always, slots);
      for (Claim& claim : made) {
        claim.text = expressions_.for_all(expr.binders, slots, claim.text);
      }
      return made;
    }
    const bool conjunction = (expr.op == Op::And) == positive;
    std::vector<std::string> rigid;
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
      const bool side = sign(expr, i, positive);
      if (!conjunction && !is_temporal(expr.args[i])) {
        const std::string truth = expressions_.truth(expr.args[i], slots);
        rigid.push_back(side ? truth : murphi_not(truth));
        continue;
      }
      std::ranges::move(claims(expr.args[i], side, always, slots), std::back_inserter(made));
    }
    for (Claim& claim : made) {
      std::vector<std::string> terms = rigid;
      terms.push_back(claim.text);
      claim.text = murphi_any(terms);
    }
    return made;
  }

  void add_property(const lang::Formula& formula, std::string& invariants, std::string& initial) {
    MurphiSlots slots = expressions_.enter(formula.slots);
    for (std::size_t i = 0; i < formula.num_free; ++i) slots[i] = std::to_string(formula.values[i]);
    print_head(formula, invariants);
    for (const Claim& claim : claims(formula.root, true, false, slots)) {
      print(formula, claim, invariants, initial);
    }
  }

  void add_property(const online::Property& property, std::string& invariants,
                    std::string& initial) {
    const ltl::Formulas& formulas = *property.formulas;
    print_head(property.formula, invariants);
    for (const online::Goal& goal : property.goals) {
      MurphiSlots slots = expressions_.enter(goal.slots);
      for (std::size_t i = 0; i < slots.size(); ++i) {
        if (goal.values[i]) slots[i] = std::to_string(*goal.values[i]);
      }
      for (const ltl::Formula part : conjuncts(formulas, goal.formula)) {
        const bool always = !formulas.is_boolean(part);
        const std::string text =
            truth(formulas, always ? formulas.last(part) : part, true, goal, slots);
        print(property.formula, {always, expressions_.for_all(goal.foralls, slots, text)},
              invariants, initial);
      }
    }
  }

  /// Of a formula without temporal operators; where an atom has no value it is violated.
  [[nodiscard]] std::string truth(const ltl::Formulas& formulas, ltl::Formula formula,
                                  bool positive, const online::Goal& goal,
                                  const MurphiSlots& slots) {
    const ltl::Operator op = formulas.op(formula);
    if (op == ltl::Operator::True || op == ltl::Operator::False) {
      return (op == ltl::Operator::True) == positive ? "true" : "false";
    }
    if (op == ltl::Operator::Atom) {
      const Expr& atom = goal.atoms[static_cast<std::size_t>(formulas.atom_of(formula))];
      const std::string holds = expressions_.truth(atom, slots);
      return murphi_all({expressions_.defined(atom, slots), positive ? holds : murphi_not(holds)});
    }
    std::vector<std::string> parts;
    const bool changes = op == ltl::Operator::Not;
    for (const ltl::Formula part : formulas.operands(formula)) {
      parts.push_back(truth(formulas, part, positive != changes, goal, slots));
    }
    return (op == ltl::Operator::Or) == positive ? murphi_any(parts) : murphi_all(parts);
  }

  static void print_head(const lang::Formula& formula, std::string& invariants) {
    invariants += fmt::format("\n-- {}: {}{}\n", one_line(formula.name), one_line(formula.text),
                              formula.expected ? "" : "\n-- expected to fail");
  }

  static void print(const lang::Formula& formula, const Claim& claim, std::string& invariants,
                    std::string& initial) {
    if (claim.always) {
      invariants += fmt::format("invariant {} {};\n", in_quotes(formula.name), claim.text);
    } else {
      initial += fmt::format("  assert {} {};\n", claim.text, in_quotes(formula.name));
    }
  }

  Subject subject_;
  const lang::Program& program_;
  Words words_;
  MurphiExpressions::Names names_;
  MurphiExpressions expressions_;
  std::vector<bool> interchangeable_;
  std::vector<std::string> types_;
  std::vector<std::string> flags_;  // the same with booleans
  std::vector<MurphiSlots> slots_;  // by schema
  std::string me_;                  // parameters of functions about one process
  std::string process_;
  std::vector<std::string> faults_;
  Translation made_;
};

}  // namespace

Translation to_murphi(const Subject& subject) { return Murphi(subject).run(); }

}  // namespace cohort::translate
