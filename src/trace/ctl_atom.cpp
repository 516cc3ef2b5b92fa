#include "trace/ctl_atom.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <optional>
#include <variant>

namespace cohort::trace::ctl {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;
using Kind = Expression::Kind;

[[nodiscard]] cpp_int power_of_ten(std::size_t exponent) {
  return boost::multiprecision::pow(cpp_int{10}, static_cast<unsigned>(exponent));
}

[[nodiscard]] cpp_rational number_of(const Value& value) {
  if (value.kind() == Value::Kind::Number) {
    if (value.scale() == 0) return cpp_rational{value.mantissa()};
    return cpp_rational{cpp_int{value.mantissa()}, power_of_ten(value.scale())};
  }
  std::string digits{value.characters()};
  const std::size_t point = digits.find('.');
  if (point == std::string::npos) return cpp_rational{cpp_int{digits}};
  const std::size_t scale = digits.size() - point - 1;
  digits.erase(point, 1);
  // A leading zero would be read as an octal number.
  const bool negative = digits.starts_with('-');
  const std::size_t sign = negative ? 1 : 0;
  const std::size_t first = digits.find_first_not_of('0', sign);
  if (first == std::string::npos) return cpp_rational{0};
  const cpp_int magnitude{digits.substr(first)};
  return cpp_rational{negative ? -magnitude : magnitude, power_of_ten(scale)};
}

using Result = std::variant<cpp_rational, std::string_view>;

/// One evaluation.  The depth of an expression is limited by the parser.
class Evaluation {
 public:
  explicit Evaluation(std::span<const Value> values) : values_(values) {}

  /// None: a fault.
  [[nodiscard]] std::optional<bool> condition(const Expression& e) const {
    switch (e.kind) {
      case Kind::Not: {
        const std::optional<bool> inner = condition(e.args[0]);
        if (!inner) return std::nullopt;
        return !*inner;
      }
      case Kind::And:
      case Kind::Or: {
        const bool stops_at = e.kind == Kind::Or;
        for (const Expression& arg : e.args) {
          const std::optional<bool> inner = condition(arg);
          if (!inner || *inner == stops_at) return inner;
        }
        return !stops_at;
      }
      case Kind::Implies: {
        const std::optional<bool> left = condition(e.args[0]);
        if (!left) return std::nullopt;
        return *left ? condition(e.args[1]) : true;
      }
      case Kind::Iff: {
        const std::optional<bool> left = condition(e.args[0]);
        const std::optional<bool> right = left ? condition(e.args[1]) : std::nullopt;
        if (!right) return std::nullopt;
        return *left == *right;
      }
      case Kind::Equal:
      case Kind::NotEqual:
      case Kind::Less:
      case Kind::LessEqual:
      case Kind::Greater:
      case Kind::GreaterEqual:
        return comparison(e);
      default: {
        const std::optional<Result> value = evaluate(e);
        if (!value) return std::nullopt;
        const auto* number = std::get_if<cpp_rational>(&*value);
        return number == nullptr || *number != 0;
      }
    }
  }

 private:
  [[nodiscard]] const Value* plain(const Expression& e) const {
    if (e.kind == Kind::Constant) return &e.constant;
    if (e.kind == Kind::Variable) return &values_[e.slot];
    return nullptr;
  }

  [[nodiscard]] static bool decide(Kind kind, int order) {
    switch (kind) {
      case Kind::Equal:
        return order == 0;
      case Kind::NotEqual:
        return order != 0;
      case Kind::Less:
        return order < 0;
      case Kind::LessEqual:
        return order <= 0;
      case Kind::Greater:
        return order > 0;
      default:
        return order >= 0;
    }
  }

  [[nodiscard]] std::optional<bool> comparison(const Expression& e) const {
    // Nearly all comparisons are of a variable with a constant, and need no rational numbers.
    const Value* const left = plain(e.args[0]);
    const Value* const right = plain(e.args[1]);
    if (left != nullptr && right != nullptr) {
      if (left->is_text() || right->is_text()) return decide(e.kind, *left == *right ? 0 : 1);
      const auto order = compare(*left, *right);
      return decide(e.kind, order < 0 ? -1 : (order > 0 ? 1 : 0));
    }
    const std::optional<Result> a = evaluate(e.args[0]);
    const std::optional<Result> b = a ? evaluate(e.args[1]) : std::nullopt;
    if (!b) return std::nullopt;
    const auto* number_a = std::get_if<cpp_rational>(&*a);
    const auto* number_b = std::get_if<cpp_rational>(&*b);
    if (number_a == nullptr || number_b == nullptr) return decide(e.kind, *a == *b ? 0 : 1);
    return decide(e.kind, number_a->compare(*number_b));
  }

  [[nodiscard]] std::optional<Result> evaluate(const Expression& e) const {
    if (const Value* const value = plain(e)) {
      if (value->is_text()) return Result{value->characters()};
      return Result{number_of(*value)};
    }
    switch (e.kind) {
      case Kind::Minus: {
        const std::optional<cpp_rational> inner = number(e.args[0]);
        if (!inner) return std::nullopt;
        return Result{cpp_rational{-*inner}};
      }
      case Kind::Add:
      case Kind::Subtract:
      case Kind::Multiply:
      case Kind::Divide:
      case Kind::Modulo: {
        const std::optional<cpp_rational> a = number(e.args[0]);
        const std::optional<cpp_rational> b = a ? number(e.args[1]) : std::nullopt;
        if (!b) return std::nullopt;
        return arithmetic(e.kind, *a, *b);
      }
      default: {
        const std::optional<bool> truth = condition(e);
        if (!truth) return std::nullopt;
        return Result{cpp_rational{*truth ? 1 : 0}};
      }
    }
  }

  [[nodiscard]] std::optional<cpp_rational> number(const Expression& e) const {
    std::optional<Result> value = evaluate(e);
    if (!value) return std::nullopt;
    auto* found = std::get_if<cpp_rational>(&*value);
    if (found == nullptr) return std::nullopt;  // the syntax keeps strings out of here
    return std::move(*found);
  }

  [[nodiscard]] static std::optional<Result> arithmetic(Kind kind, const cpp_rational& a,
                                                        const cpp_rational& b) {
    if (kind == Kind::Add) return Result{cpp_rational{a + b}};
    if (kind == Kind::Subtract) return Result{cpp_rational{a - b}};
    if (kind == Kind::Multiply) return Result{cpp_rational{a * b}};
    if (b == 0) return std::nullopt;
    const cpp_rational quotient{a / b};
    if (kind == Kind::Divide) return Result{quotient};
    const cpp_int whole = numerator(quotient) / denominator(quotient);
    return Result{cpp_rational{a - b * whole}};
  }

  std::span<const Value> values_;
};

}  // namespace

Truth evaluate(const Atom& atom, std::span<const Value> values) {
  const std::optional<bool> truth = Evaluation{values}.condition(atom.condition);
  if (atom.asks_for_fault) return truth ? Truth::False : Truth::True;
  if (!truth) return Truth::Fault;
  return *truth ? Truth::True : Truth::False;
}

bool can_fault(const Expression& expression) {
  if (expression.kind == Kind::Divide || expression.kind == Kind::Modulo) {
    const Expression& divisor = expression.args[1];
    if (divisor.kind != Kind::Constant || divisor.constant == Value::integer(0)) return true;
  }
  for (const Expression& arg : expression.args) {
    if (can_fault(arg)) return true;
  }
  return false;
}

}  // namespace cohort::trace::ctl
