// What counters are after a piece, as expressions over what they were before it.
//
//   Sum n = Sum::counter(0);            // unknown
//   n = n + Sum{1};                     // n + 1
//   substitute(n, {Sum{41}})            // 42
//
// A Sum is linear over *terms*: unknown counters, and maxima, minima, products and quotients that
// contain some.  Maxima and minima are flattened, and of operands that differ by a constant one
// stays; so what statistical automata do (count, add up, remember the largest) stays small however
// long the piece is.  What does not is cut off: see Sum::size().  For .cpp files only.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trace/sequential/rational.hpp"

namespace cohort::trace::sequential {

struct SymbolicTerm;

class Sum {
 public:
  Sum() = default;
  explicit Sum(cpp_rational number) : constant_(std::move(number)) {}
  [[nodiscard]] static Sum counter(std::uint32_t number);

  [[nodiscard]] bool is_number() const { return terms_.empty(); }
  [[nodiscard]] const cpp_rational& constant() const { return constant_; }
  /// How large the expression is; beyond most_size nobody should go on with it.
  [[nodiscard]] std::size_t size() const;
  static constexpr std::size_t most_size = 2000;
  /// Equal texts are equal expressions.  parse() reads it.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] static std::optional<Sum> parse(const std::string& text);

  [[nodiscard]] Sum plus(const Sum& other) const;
  [[nodiscard]] Sum times(const cpp_rational& factor) const;
  [[nodiscard]] static Sum product(const Sum& a, const Sum& b);
  /// Nothing if the divisor is 0.
  [[nodiscard]] static std::optional<Sum> quotient(const Sum& a, const Sum& b);
  enum class Extreme : std::uint8_t { Max, Min };
  [[nodiscard]] static Sum extreme(Extreme which, const std::vector<Sum>& operands);

  /// With the counters replaced; nothing if that divides by 0.
  [[nodiscard]] std::optional<Sum> substitute(const std::vector<Sum>& counters) const;

 private:
  struct Share {
    std::shared_ptr<const SymbolicTerm> term;
    cpp_rational factor;
  };

  [[nodiscard]] static Sum of(SymbolicTerm term);
  [[nodiscard]] std::string linear_text() const;

  cpp_rational constant_ = 0;
  std::map<std::string, Share> terms_;  // by text
};

struct SymbolicTerm {
  enum class Kind : char { Counter = 'c', Max = 'M', Min = 'm', Product = '*', Quotient = '/' };
  Kind kind = Kind::Counter;
  std::uint32_t counter = 0;
  std::vector<Sum> operands;
  std::size_t size = 1;

  [[nodiscard]] std::string text() const;
};

}  // namespace cohort::trace::sequential
