// Evaluation of terms: in 64-bit fractions, and once more in rationals of any size where those
// overflow.
#include "trace/term.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <numeric>
#include <optional>

namespace cohort::trace {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

__extension__ using Wide = __int128;

/// A fraction in lowest terms with a positive denominator.
struct Fraction {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
};

/// Fits a 128-bit fraction into 64 bits; nothing if it does not.
[[nodiscard]] std::optional<Fraction> fit(Wide numerator, Wide denominator) {
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  Wide a = numerator < 0 ? -numerator : numerator;
  Wide b = denominator;
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  if (a > 1) {
    numerator /= a;
    denominator /= a;
  }
  constexpr Wide most = INT64_MAX;
  if (numerator > most || numerator < -most || denominator > most) return std::nullopt;
  return Fraction{static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator)};
}

/// 64-bit arithmetic.  Each operation says nothing on overflow.
struct Small {
  using Number = Fraction;

  [[nodiscard]] static std::optional<Fraction> from(const Value& value) {
    if (value.kind() != Value::Kind::Number) return std::nullopt;
    std::int64_t power = 1;
    for (unsigned i = 0; i < value.scale(); ++i) power *= 10;
    return value.scale() == 0 ? Fraction{value.mantissa(), 1} : fit(value.mantissa(), power);
  }
  [[nodiscard]] static std::optional<Fraction> plus(const Fraction& a, const Fraction& b) {
    return fit(Wide{a.numerator} * b.denominator + Wide{b.numerator} * a.denominator,
               Wide{a.denominator} * b.denominator);
  }
  [[nodiscard]] static std::optional<Fraction> times(const Fraction& a, const Fraction& b) {
    return fit(Wide{a.numerator} * b.numerator, Wide{a.denominator} * b.denominator);
  }
  [[nodiscard]] static std::optional<Fraction> divide(const Fraction& a, const Fraction& b) {
    return fit(Wide{a.numerator} * b.denominator, Wide{a.denominator} * b.numerator);
  }
  [[nodiscard]] static Fraction negate(const Fraction& a) { return {-a.numerator, a.denominator}; }
  [[nodiscard]] static Fraction truncate(const Fraction& a) {
    return {a.numerator / a.denominator, 1};
  }
  [[nodiscard]] static int compare(const Fraction& a, const Fraction& b) {
    const Wide left = Wide{a.numerator} * b.denominator;
    const Wide right = Wide{b.numerator} * a.denominator;
    return left < right ? -1 : left > right ? 1 : 0;
  }
};

/// Arithmetic without limits.
struct Large {
  using Number = cpp_rational;

  [[nodiscard]] static std::optional<cpp_rational> from(const Value& value) {
    std::string digits = to_string(value);
    const bool negative = digits.starts_with('-');
    if (negative) digits.erase(0, 1);
    const std::size_t point = digits.find('.');
    cpp_int denominator = 1;
    if (point != std::string::npos) {
      for (std::size_t i = point + 1; i < digits.size(); ++i) denominator *= 10;
      digits.erase(point, 1);
    }
    // A leading zero would make an octal number of it.
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
    const cpp_rational number{cpp_int{digits}, denominator};
    return negative ? cpp_rational{-number} : number;
  }
  [[nodiscard]] static std::optional<cpp_rational> plus(const cpp_rational& a,
                                                        const cpp_rational& b) {
    return cpp_rational{a + b};
  }
  [[nodiscard]] static std::optional<cpp_rational> times(const cpp_rational& a,
                                                         const cpp_rational& b) {
    return cpp_rational{a * b};
  }
  [[nodiscard]] static std::optional<cpp_rational> divide(const cpp_rational& a,
                                                          const cpp_rational& b) {
    return cpp_rational{a / b};
  }
  [[nodiscard]] static cpp_rational negate(const cpp_rational& a) { return -a; }
  [[nodiscard]] static cpp_rational truncate(const cpp_rational& a) {
    return cpp_rational{cpp_int{numerator(a) / denominator(a)}};
  }
  [[nodiscard]] static int compare(const cpp_rational& a, const cpp_rational& b) {
    return a.compare(b);
  }
};

enum class Outcome { True, False, NoValue, Overflow };

}  // namespace

bool holds(Relation relation, int order) {
  switch (relation) {
    case Relation::Equal:
      return order == 0;
    case Relation::NotEqual:
      return order != 0;
    case Relation::Less:
      return order < 0;
    case Relation::LessEqual:
      return order <= 0;
    case Relation::Greater:
      return order > 0;
    case Relation::GreaterEqual:
      return order >= 0;
  }
  return false;
}

/// Runs terms over one kind of numbers.
class Evaluator {
 public:
  template <typename Arithmetic>
  [[nodiscard]] static Outcome compare(const Comparison& comparison, const ValueOf& value_of) {
    Undefined why = Undefined::No;
    const auto left = run<Arithmetic>(comparison.left(), value_of, why);
    if (!left) return why == Undefined::Overflow ? Outcome::Overflow : Outcome::NoValue;
    const auto right = run<Arithmetic>(comparison.right(), value_of, why);
    if (!right) return why == Undefined::Overflow ? Outcome::Overflow : Outcome::NoValue;
    const int order = Arithmetic::compare(*left, *right);
    return trace::holds(comparison.relation(), order) ? Outcome::True : Outcome::False;
  }

  /// The value of a plain term.
  [[nodiscard]] static Value plain(const Term& term, const ValueOf& value_of) {
    const Term::Instruction& only = term.steps_.front();
    return only.step == Term::Step::Constant ? term.constants_[only.operand].get()
                                             : value_of(VariableId{only.operand});
  }

 private:
  enum class Undefined { No, Overflow, NoValue };

  template <typename Arithmetic>
  [[nodiscard]] static std::optional<typename Arithmetic::Number> run(const Term& term,
                                                                      const ValueOf& value_of,
                                                                      Undefined& why) {
    using Number = typename Arithmetic::Number;
    std::vector<Number> stack;
    for (const Term::Instruction& instruction : term.steps_) {
      std::optional<Number> result;
      if (instruction.step == Term::Step::Constant || instruction.step == Term::Step::Variable) {
        const Value value = instruction.step == Term::Step::Constant
                                ? term.constants_[instruction.operand].get()
                                : value_of(VariableId{instruction.operand});
        if (value.is_text()) {
          why = Undefined::NoValue;
          return std::nullopt;
        }
        result = Arithmetic::from(value);
      } else if (instruction.step == Term::Step::Negate) {
        result = Arithmetic::negate(stack.back());
        stack.pop_back();
      } else {
        const Number right = std::move(stack.back());
        stack.pop_back();
        const Number left = std::move(stack.back());
        stack.pop_back();
        const bool divides =
            instruction.step == Term::Step::Divide || instruction.step == Term::Step::Modulo;
        if (divides && Arithmetic::compare(right, Number{0}) == 0) {
          why = Undefined::NoValue;
          return std::nullopt;
        }
        result = apply<Arithmetic>(instruction.step, left, right);
      }
      if (!result) {
        why = Undefined::Overflow;
        return std::nullopt;
      }
      stack.push_back(std::move(*result));
    }
    return std::move(stack.back());
  }

  template <typename Arithmetic>
  [[nodiscard]] static std::optional<typename Arithmetic::Number> apply(
      Term::Step step, const typename Arithmetic::Number& left,
      const typename Arithmetic::Number& right) {
    switch (step) {
      case Term::Step::Plus:
        return Arithmetic::plus(left, right);
      case Term::Step::Minus:
        return Arithmetic::plus(left, Arithmetic::negate(right));
      case Term::Step::Times:
        return Arithmetic::times(left, right);
      case Term::Step::Divide:
        return Arithmetic::divide(left, right);
      case Term::Step::Modulo: {
        const auto quotient = Arithmetic::divide(left, right);
        if (!quotient) return std::nullopt;
        const auto whole = Arithmetic::times(Arithmetic::truncate(*quotient), right);
        if (!whole) return std::nullopt;
        return Arithmetic::plus(left, Arithmetic::negate(*whole));
      }
      case Term::Step::Min:
        return Arithmetic::compare(left, right) <= 0 ? left : right;
      case Term::Step::Max:
        return Arithmetic::compare(left, right) >= 0 ? left : right;
      default:
        return std::nullopt;
    }
  }
};

Value Term::Constant::get() const {
  if (value.kind() == Value::Kind::Number) return value;
  return value.is_text() ? Value::text(text) : Value::long_number(text);
}

void Term::push_constant(const Value& value) {
  Constant constant;
  constant.value = value;
  if (value.kind() != Value::Kind::Number) constant.text = value.characters();
  steps_.push_back({Step::Constant, static_cast<std::uint32_t>(constants_.size())});
  constants_.push_back(std::move(constant));
}

void Term::push_variable(VariableId variable) {
  steps_.push_back({Step::Variable, static_cast<std::uint32_t>(base::index_of(variable))});
}

std::vector<VariableId> Term::variables() const {
  std::vector<VariableId> found;
  for (const Instruction& instruction : steps_) {
    if (instruction.step != Step::Variable) continue;
    const VariableId variable{instruction.operand};
    if (std::ranges::find(found, variable) == found.end()) found.push_back(variable);
  }
  return found;
}

bool Term::is_text() const {
  return is_plain() && steps_.front().step == Step::Constant && constants_.front().value.is_text();
}

bool Term::computes_with_text() const {
  return !is_plain() && std::ranges::any_of(constants_, [](const Constant& constant) {
    return constant.value.is_text();
  });
}

std::optional<bool> Comparison::evaluate(const ValueOf& value_of) const {
  if (left_.is_plain() && right_.is_plain()) {
    const Value left = Evaluator::plain(left_, value_of);
    const Value right = Evaluator::plain(right_, value_of);
    if (left.is_text() || right.is_text()) {
      if (relation_ == Relation::Equal) return left == right;
      if (relation_ == Relation::NotEqual) return left != right;
      return std::nullopt;
    }
    const auto order = trace::compare(left, right);
    return trace::holds(relation_, order < 0 ? -1 : order > 0 ? 1 : 0);
  }
  Outcome outcome = Evaluator::compare<Small>(*this, value_of);
  if (outcome == Outcome::Overflow) outcome = Evaluator::compare<Large>(*this, value_of);
  if (outcome == Outcome::NoValue) return std::nullopt;
  return outcome == Outcome::True;
}

std::vector<VariableId> Comparison::variables() const {
  std::vector<VariableId> found = left_.variables();
  for (const VariableId variable : right_.variables()) {
    if (std::ranges::find(found, variable) == found.end()) found.push_back(variable);
  }
  return found;
}

}  // namespace cohort::trace
