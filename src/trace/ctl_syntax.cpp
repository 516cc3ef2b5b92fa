#include "trace/ctl_syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/suggest.hpp"
#include "lang/parse.hpp"
#include "trace/ctl_literals.hpp"

namespace cohort::trace::ctl {
namespace {

using lang::syntax::Expr;
using lang::syntax::ExprKind;
using lang::syntax::Join;
using lang::syntax::Path;
using lang::syntax::TemporalOperator;

/// Text that tells two expressions apart exactly if they differ.
void write_key(const Expression& e, std::string& key) {
  key += '(';
  key += std::to_string(static_cast<unsigned>(e.kind));
  if (e.kind == Expression::Kind::Variable) key += 'v' + std::to_string(e.slot);
  if (e.kind == Expression::Kind::Constant) key += 'c' + to_string(e.constant);
  for (const Expression& arg : e.args) write_key(arg, key);
  key += ')';
}

[[nodiscard]] const Expr& without_brackets(const Expr& expr) {
  const Expr* at = &expr;
  while (at->kind == ExprKind::Paren) at = &at->args[0];
  return *at;
}

[[nodiscard]] Expression::Kind kind_of(Join join) {
  switch (join) {
    case Join::Plus:
      return Expression::Kind::Add;
    case Join::Minus:
      return Expression::Kind::Subtract;
    case Join::Times:
      return Expression::Kind::Multiply;
    case Join::Divide:
      return Expression::Kind::Divide;
    case Join::Modulo:
      return Expression::Kind::Modulo;
    case Join::Equal:
      return Expression::Kind::Equal;
    case Join::NotEqual:
      return Expression::Kind::NotEqual;
    case Join::Less:
      return Expression::Kind::Less;
    case Join::LessEqual:
      return Expression::Kind::LessEqual;
    case Join::Greater:
      return Expression::Kind::Greater;
    case Join::GreaterEqual:
    case Join::None:
      break;
  }
  return Expression::Kind::GreaterEqual;
}

/// Which variables are ever a string, and which one.
class Strings {
 public:
  explicit Strings(const Vocabulary& words) : found_(words.num_variables()) {
    const auto note = [&](VariableId variable, const Value& value) {
      std::optional<Value>& slot = found_[base::index_of(variable)];
      if (value.is_text() && !slot) slot = value;
    };
    for (std::size_t v = 0; v < found_.size(); ++v) {
      const VariableId variable{static_cast<std::uint32_t>(v)};
      note(variable, words.initial(variable));
    }
    for (std::size_t e = 0; e < words.num_effects(); ++e) {
      for (const Assignment& a : words.assignments(EffectId{static_cast<std::uint32_t>(e)})) {
        note(a.variable, words.value(a.value));
      }
    }
  }
  [[nodiscard]] const std::optional<Value>& of(VariableId variable) const {
    return found_[base::index_of(variable)];
  }

 private:
  std::vector<std::optional<Value>> found_;
};

/// What a condition means, and where its evaluation divides by zero.
struct Meaning {
  FormulaId holds{};
  FormulaId faults{};
};

/// Reads one syntax tree.  Recursion is as deep as the parser lets brackets nest.
class Resolver {
 public:
  Resolver(const Literals& literals, const Vocabulary& words, const Strings& strings,
           base::Diagnostics& diagnostics)
      : literals_(literals), words_(words), strings_(strings), diagnostics_(diagnostics) {}

  [[nodiscard]] Formula run(const Expr& expr) {
    const Meaning meaning = formula(expr);
    made_.root = meaning.holds;
    const FormulaId somewhere =
        forms().some_finally(forms().disjunction(std::move(operand_faults_)));
    made_.fault = forms().disjunction({meaning.faults, somewhere});
    made_.where = expr.where;
    return std::move(made_);
  }

 private:
  [[nodiscard]] Formulas& forms() { return made_.forms; }
  [[nodiscard]] Meaning constant(bool value) {
    return {forms().truth(value), forms().truth(false)};
  }

  // -------------------------------------------------------------------------------------------------
  // Formulas

  [[nodiscard]] Meaning formula(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::Paren:
        return formula(expr.args[0]);
      case ExprKind::True:
        return constant(true);
      case ExprKind::False:
        return constant(false);
      case ExprKind::Not: {
        const Meaning inner = formula(expr.args[0]);
        return {forms().negate(inner.holds), inner.faults};
      }
      case ExprKind::And:
      case ExprKind::Or:
        return chain(expr, expr.kind == ExprKind::And);
      case ExprKind::Implies:
        return implication(expr);
      case ExprKind::Iff:
        return equivalence(expr);
      case ExprKind::Temporal:
        return temporal(expr);
      case ExprKind::ForallProcess:
      case ExprKind::ExistsProcess:
      case ExprKind::Enabled:
      case ExprKind::Deadlock:
        refuse_model_form(expr);
        return constant(false);
      default:
        return atom(expr);
    }
  }

  /// `a & b & …` and `a | b | …`, evaluated from the left until one decides.
  [[nodiscard]] Meaning chain(const Expr& expr, bool is_and) {
    std::vector<Meaning> parts;
    std::vector<FormulaId> holds;
    for (const Expr& arg : expr.args) {
      parts.push_back(formula(arg));
      holds.push_back(parts.back().holds);
    }
    const FormulaId never = forms().truth(false);
    FormulaId faults = never;
    // From the right: what comes later is evaluated only if this part has not decided.
    for (std::size_t i = parts.size(); i-- > 0;) {
      const FormulaId goes_on = is_and ? parts[i].holds : forms().negate(parts[i].holds);
      const FormulaId later = faults == never ? never : forms().conjunction({goes_on, faults});
      faults = forms().disjunction({parts[i].faults, later});
    }
    return {is_and ? forms().conjunction(std::move(holds)) : forms().disjunction(std::move(holds)),
            faults};
  }

  [[nodiscard]] Meaning implication(const Expr& expr) {
    std::vector<Meaning> parts;
    for (const Expr& arg : expr.args) parts.push_back(formula(arg));
    Meaning result = parts.back();
    for (std::size_t i = parts.size() - 1; i-- > 0;) {
      const Meaning& left = parts[i];
      result = {
          forms().disjunction({forms().negate(left.holds), result.holds}),
          forms().disjunction({left.faults, forms().conjunction({left.holds, result.faults})})};
    }
    return result;
  }

  [[nodiscard]] Meaning equivalence(const Expr& expr) {
    Meaning result = formula(expr.args[0]);
    for (std::size_t i = 1; i < expr.args.size(); ++i) {
      const Meaning right = formula(expr.args[i]);
      const FormulaId both = forms().conjunction({result.holds, right.holds});
      const FormulaId neither =
          forms().conjunction({forms().negate(result.holds), forms().negate(right.holds)});
      result = {forms().disjunction({both, neither}),
                forms().disjunction({result.faults, right.faults})};
    }
    return result;
  }

  [[nodiscard]] Meaning temporal(const Expr& expr) {
    if (expr.path == Path::Efair || expr.path == Path::Afair) {
      diagnostics_.error(expr.where, "fairness is about models",
                         "every run of a trace is finite: write 'E' or 'A'");
      for (const Expr& arg : expr.args) (void)formula(arg);
      return constant(false);
    }
    const Meaning first = formula(expr.args[0]);
    operand_faults_.push_back(first.faults);
    const FormulaId a = first.holds;
    FormulaId b = a;
    if (expr.args.size() > 1) {
      const Meaning second = formula(expr.args[1]);
      operand_faults_.push_back(second.faults);
      b = second.holds;
    }
    const bool some = expr.path == Path::E;
    FormulaId made{};
    switch (expr.temporal) {
      case TemporalOperator::X:
        made = some ? forms().some_next(a) : forms().all_next(a);
        break;
      case TemporalOperator::F:
        made = some ? forms().some_finally(a) : forms().all_finally(a);
        break;
      case TemporalOperator::G:
        made = some ? forms().some_globally(a) : forms().all_globally(a);
        break;
      case TemporalOperator::U:
        made = some ? forms().some_until(a, b) : forms().all_until(a, b);
        break;
      case TemporalOperator::W:
        made = some ? forms().some_weak_until(a, b) : forms().all_weak_until(a, b);
        break;
      case TemporalOperator::R:
        made = some ? forms().some_release(a, b) : forms().all_release(a, b);
        break;
    }
    return {made, forms().truth(false)};
  }

  void refuse_model_form(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::ForallProcess:
      case ExprKind::ExistsProcess:
        diagnostics_.error(expr.where, "quantifiers over processes are about models",
                           "write the formula out for the variables of the trace");
        return;
      case ExprKind::CountProcess:
        diagnostics_.error(expr.where, "COUNT is about models",
                           "add up conditions, for instance '(a = 1) + (b = 1) < 2'");
        return;
      case ExprKind::Enabled:
        diagnostics_.error(expr.where, "'enabled' is about models", "ask for values of variables");
        return;
      case ExprKind::Deadlock:
        diagnostics_.error(expr.where, "'deadlock' is about models",
                           "write '!EX true' for the end of the trace");
        return;
      case ExprKind::None:
        diagnostics_.error(expr.where, "'none' is about models",
                           "values in a trace are numbers and strings");
        return;
      default:
        diagnostics_.error(expr.where, "processes are about models",
                           "ask for values of variables of the trace");
        return;
    }
  }

  // -------------------------------------------------------------------------------------------------
  // Atoms

  [[nodiscard]] Meaning atom(const Expr& expr) {
    atom_variables_.clear();
    const std::size_t errors_before = diagnostics_.num_errors();
    Atom made;
    made.condition = condition(expr);
    made.where = expr.where;
    if (diagnostics_.num_errors() > errors_before) return constant(false);
    made.variables = atom_variables_;
    if (made.variables.empty()) {
      const Truth truth = evaluate(made, {});
      if (truth == Truth::Fault) diagnostics_.error(expr.where, "division by zero");
      return constant(truth == Truth::True);
    }
    FormulaId faults = forms().truth(false);
    if (can_fault(made.condition)) {
      made.asks_for_fault = true;
      faults = forms().atom(number_of(made));
      made.asks_for_fault = false;
    }
    return {forms().atom(number_of(made)), faults};
  }

  [[nodiscard]] std::uint32_t number_of(const Atom& atom) {
    std::string key = atom.asks_for_fault ? "!" : "";
    for (const VariableId v : atom.variables) {
      key += std::to_string(base::index_of(v));
      key += ',';
    }
    write_key(atom.condition, key);
    const auto next = static_cast<std::uint32_t>(made_.atoms.size());
    const auto [found, is_new] = atom_numbers_.try_emplace(std::move(key), next);
    if (is_new) made_.atoms.push_back(atom);
    return found->second;
  }

  /// An expression where a truth value is wanted, inside an atom.
  [[nodiscard]] Expression condition(const Expr& expr) {
    Expression made;
    switch (expr.kind) {
      case ExprKind::Paren:
        return condition(expr.args[0]);
      case ExprKind::Not:
        made.kind = Expression::Kind::Not;
        made.args.push_back(condition(expr.args[0]));
        return made;
      case ExprKind::And:
      case ExprKind::Or:
        made.kind = expr.kind == ExprKind::And ? Expression::Kind::And : Expression::Kind::Or;
        for (const Expr& arg : expr.args) made.args.push_back(condition(arg));
        return made;
      case ExprKind::Implies:
        made = condition(expr.args.back());
        for (std::size_t i = expr.args.size() - 1; i-- > 0;) {
          made = binary(Expression::Kind::Implies, condition(expr.args[i]), std::move(made));
        }
        return made;
      case ExprKind::Iff:
        made = condition(expr.args[0]);
        for (std::size_t i = 1; i < expr.args.size(); ++i) {
          made = binary(Expression::Kind::Iff, std::move(made), condition(expr.args[i]));
        }
        return made;
      case ExprKind::Compare:
        return comparison(expr);
      default:
        return number(expr);
    }
  }

  [[nodiscard]] static Expression binary(Expression::Kind kind, Expression a, Expression b) {
    Expression made;
    made.kind = kind;
    made.args.push_back(std::move(a));
    made.args.push_back(std::move(b));
    return made;
  }

  [[nodiscard]] Expression comparison(const Expr& expr) {
    const Join join = expr.args[1].join;
    const bool equality = join == Join::Equal || join == Join::NotEqual;
    // In text order, for the errors' sake.
    Expression left = equality ? side(expr.args[0]) : number(expr.args[0]);
    Expression right = equality ? side(expr.args[1]) : number(expr.args[1]);
    return binary(kind_of(join), std::move(left), std::move(right));
  }

  /// A side of = or !=: a variable or a literal alone may be a string.
  [[nodiscard]] Expression side(const Expr& expr) {
    const Expr& bare = without_brackets(expr);
    if (bare.kind != ExprKind::Reference) return number(bare);
    if (const Literals::Literal* literal = literals_.at(bare.where)) return literal_value(*literal);
    return variable(bare).value_or(Expression{});
  }

  [[nodiscard]] static Expression constant_of(const Value& value) {
    Expression made;
    made.constant = value;
    return made;
  }

  [[nodiscard]] Expression literal_value(const Literals::Literal& literal) {
    Expression made;
    auto text = std::make_shared<std::string>(literal.characters);
    if (literal.is_text) {
      made.constant = Value::text(*text);
    } else {
      std::string long_digits;
      const std::optional<Value> value = parse_number(*text, long_digits);
      made.constant = value.value_or(Value{});
      if (made.constant.kind() == Value::Kind::Long) {
        *text = long_digits;
        made.constant = Value::long_number(*text);
      }
    }
    made.text = std::move(text);
    return made;
  }

  /// An expression where a number is wanted.
  [[nodiscard]] Expression number(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::Paren:
        return number(expr.args[0]);
      case ExprKind::Number:
        return constant_of(Value::integer(expr.number));
      case ExprKind::True:
      case ExprKind::False:
        return constant_of(Value::integer(expr.kind == ExprKind::True ? 1 : 0));
      case ExprKind::Reference:
        return number_reference(expr);
      case ExprKind::Minus: {
        Expression made;
        made.kind = Expression::Kind::Minus;
        made.args.push_back(number(expr.args[0]));
        return made;
      }
      case ExprKind::Sum:
      case ExprKind::Product: {
        Expression made = number(expr.args[0]);
        for (std::size_t i = 1; i < expr.args.size(); ++i) {
          made = binary(kind_of(expr.args[i].join), std::move(made), number(expr.args[i]));
        }
        return made;
      }
      case ExprKind::Not:
      case ExprKind::And:
      case ExprKind::Or:
      case ExprKind::Implies:
      case ExprKind::Iff:
      case ExprKind::Compare:
        return condition(expr);
      case ExprKind::Temporal:
        diagnostics_.error(expr.where, "a temporal operator cannot be part of arithmetic");
        return {};
      default:
        refuse_model_form(expr);
        return {};
    }
  }

  [[nodiscard]] Expression number_reference(const Expr& expr) {
    if (const Literals::Literal* literal = literals_.at(expr.where)) {
      if (literal->is_text) {
        diagnostics_.error(literal->where, "a string can be compared with '=' and '!=' only");
      }
      return literal_value(*literal);
    }
    std::optional<Expression> made = variable(expr);
    if (!made) return {};
    const VariableId id = atom_variables_[made->slot];
    if (const std::optional<Value>& text = strings_.of(id)) {
      diagnostics_.error(expr.where,
                         fmt::format("'{}' can be a string in this trace, for instance {}; strings "
                                     "can be compared with '=' and '!=' only",
                                     words_.name(id), to_string(*text)));
    }
    return std::move(*made);
  }

  [[nodiscard]] std::optional<Expression> variable(const Expr& expr) {
    std::string name{expr.name};
    if (!expr.args.empty()) {
      name += '[';
      for (const Expr& arg : expr.args) {
        const Expr& bare = without_brackets(arg);
        const bool minus = bare.kind == ExprKind::Minus;
        const Expr& digits = minus ? without_brackets(bare.args[0]) : bare;
        if (digits.kind != ExprKind::Number) {
          diagnostics_.error(arg.where, "a subscript in a formula on a trace is an integer");
          return std::nullopt;
        }
        if (&arg != &expr.args.front()) name += ',';
        name += fmt::format("{}{}", minus && digits.number != 0 ? "-" : "", digits.number);
      }
      name += ']';
    }
    const std::optional<VariableId> found = words_.find_variable(name);
    if (!found) {
      unknown(name, lang::syntax::name_span(expr));
      return std::nullopt;
    }
    if (mentioned_.insert(*found).second) made_.mentions.push_back({*found, expr.where});
    auto slot = std::ranges::find(atom_variables_, *found);
    if (slot == atom_variables_.end()) {
      atom_variables_.push_back(*found);
      slot = atom_variables_.end() - 1;
    }
    Expression made;
    made.kind = Expression::Kind::Variable;
    made.slot = static_cast<std::uint32_t>(slot - atom_variables_.begin());
    return made;
  }

  void unknown(const std::string& name, base::Span where) {
    if (!unknown_.insert(name).second) return;
    std::vector<std::string_view> names;
    names.reserve(words_.num_variables());
    for (std::size_t v = 0; v < words_.num_variables(); ++v) {
      names.push_back(words_.name(VariableId{static_cast<std::uint32_t>(v)}));
    }
    const std::optional<std::string_view> near = base::nearest(name, names);
    diagnostics_.error(where, fmt::format("the trace has no variable '{}'", name),
                       near ? fmt::format("did you mean '{}'?", *near)
                            : "'init' in the trace declares one that no event assigns");
  }

  const Literals& literals_;
  const Vocabulary& words_;
  const Strings& strings_;
  base::Diagnostics& diagnostics_;
  Formula made_;
  std::vector<FormulaId> operand_faults_;
  std::vector<VariableId> atom_variables_;
  std::map<std::string, std::uint32_t> atom_numbers_;
  std::set<VariableId> mentioned_;
  std::set<std::string> unknown_;
};

}  // namespace

std::vector<Formula> parse_formula(const base::Source& source, const Vocabulary& words,
                                   base::Diagnostics& diagnostics) {
  const Literals literals{source};
  base::Diagnostics found;
  const Expr expr = lang::parse_formula(literals.source(), found);
  literals.hand_over(found, diagnostics);
  if (diagnostics.has_errors()) return {};
  const Strings strings{words};
  std::vector<Formula> made;
  made.push_back(Resolver{literals, words, strings, diagnostics}.run(expr));
  made.back().name = "formula";
  made.back().text = source.text();
  if (diagnostics.has_errors()) return {};
  return made;
}

std::vector<Formula> parse_properties(const base::Source& source, const Vocabulary& words,
                                      base::Diagnostics& diagnostics) {
  const Literals literals{source};
  base::Diagnostics found;
  const lang::syntax::SpecFile spec = lang::parse_spec(literals.source(), found);
  literals.hand_over(found, diagnostics);
  if (diagnostics.has_errors()) return {};
  const Strings strings{words};
  std::vector<Formula> made;
  for (const lang::syntax::Property& property : spec.properties) {
    for (const lang::syntax::Value& value : property.values) {
      diagnostics.error(value.variable.where, "values of process variables are about models");
    }
    made.push_back(Resolver{literals, words, strings, diagnostics}.run(property.formula));
    made.back().name = property.name.text;
    made.back().text = source.text(property.formula.where);
    made.back().expected = property.expected;
  }
  if (diagnostics.has_errors()) return {};
  return made;
}

}  // namespace cohort::trace::ctl
