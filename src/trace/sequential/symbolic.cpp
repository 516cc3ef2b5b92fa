#include "trace/sequential/symbolic.hpp"

#include <algorithm>
#include <utility>

namespace cohort::trace::sequential {
namespace {

/// Reads what text() writes: `[constant factor*term …]`, terms `c3`, `M(sum…)`.
class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  [[nodiscard]] std::optional<Sum> run() {
    std::optional<Sum> sum = read_sum();
    if (at_ != text_.size()) return std::nullopt;
    return sum;
  }

 private:
  [[nodiscard]] bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  [[nodiscard]] std::optional<cpp_rational> number() {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (text_[at_] == '-' || text_[at_] == '/' || (text_[at_] >= '0' && text_[at_] <= '9'))) {
      ++at_;
    }
    const std::string digits = text_.substr(begin, at_ - begin);
    const std::size_t bar = digits.find('/');
    if (digits.empty() || digits == "-" || bar == 0 || bar + 1 == digits.size()) {
      return std::nullopt;
    }
    const cpp_int top{digits.substr(0, bar)};
    const cpp_int bottom = bar == std::string::npos ? cpp_int{1} : cpp_int{digits.substr(bar + 1)};
    if (bottom == 0) return std::nullopt;
    return cpp_rational{top, bottom};
  }
  /// Parts are written by this program; their depth is bounded by Sum::most_size.
  [[nodiscard]] std::optional<Sum> read_sum() {
    if (!take('[') || ++depth_ > Sum::most_size) return std::nullopt;
    const auto constant = number();
    if (!constant) return std::nullopt;
    Sum sum{*constant};
    while (take(' ')) {
      const auto factor = number();
      if (!factor || !take('*')) return std::nullopt;
      const std::optional<Sum> term = read_term();
      if (!term) return std::nullopt;
      sum = sum.plus(term->times(*factor));
    }
    if (!take(']')) return std::nullopt;
    --depth_;
    return sum;
  }
  [[nodiscard]] std::optional<Sum> read_term() {
    if (at_ >= text_.size()) return std::nullopt;
    const char kind = text_[at_++];
    if (kind == 'c') {
      std::uint32_t counter = 0;
      while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
        counter = counter * 10 + static_cast<std::uint32_t>(text_[at_++] - '0');
      }
      return Sum::counter(counter);
    }
    if (!take('(')) return std::nullopt;
    std::vector<Sum> operands;
    while (!take(')')) {
      std::optional<Sum> operand = read_sum();
      if (!operand) return std::nullopt;
      operands.push_back(std::move(*operand));
    }
    if (operands.size() < 2) return std::nullopt;
    if (kind == 'M') return Sum::extreme(Sum::Extreme::Max, operands);
    if (kind == 'm') return Sum::extreme(Sum::Extreme::Min, operands);
    if (kind == '*') return Sum::product(operands[0], operands[1]);
    if (kind == '/') return Sum::quotient(operands[0], operands[1]);
    return std::nullopt;
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

std::string SymbolicTerm::text() const {
  if (kind == Kind::Counter) return "c" + std::to_string(counter);
  std::string out{static_cast<char>(kind)};
  out += "(";
  for (const Sum& operand : operands) out += operand.text();
  return out + ")";
}

Sum Sum::of(SymbolicTerm term) {
  for (const Sum& operand : term.operands) term.size += operand.size();
  Sum sum;
  std::string text = term.text();
  sum.terms_[std::move(text)] = {std::make_shared<const SymbolicTerm>(std::move(term)), 1};
  return sum;
}

Sum Sum::counter(std::uint32_t number) {
  SymbolicTerm term;
  term.counter = number;
  return of(std::move(term));
}

std::size_t Sum::size() const {
  std::size_t size = 1;
  for (const auto& [text, share] : terms_) size += share.term->size;
  return size;
}

std::string Sum::linear_text() const {
  std::string out;
  for (const auto& [text, share] : terms_) out += " " + share.factor.str() + "*" + text;
  return out;
}

std::string Sum::text() const { return "[" + constant_.str() + linear_text() + "]"; }

std::optional<Sum> Sum::parse(const std::string& text) { return Parser{text}.run(); }

Sum Sum::plus(const Sum& other) const {
  Sum sum = *this;
  sum.constant_ += other.constant_;
  for (const auto& [text, share] : other.terms_) {
    const auto [place, is_new] = sum.terms_.emplace(text, share);
    if (is_new) continue;
    place->second.factor += share.factor;
    if (place->second.factor == 0) sum.terms_.erase(place);
  }
  return sum;
}

Sum Sum::times(const cpp_rational& factor) const {
  if (factor == 0) return Sum{};
  Sum sum = *this;
  sum.constant_ *= factor;
  for (auto& [text, share] : sum.terms_) share.factor *= factor;
  return sum;
}

Sum Sum::product(const Sum& a, const Sum& b) {
  if (a.is_number()) return b.times(a.constant_);
  if (b.is_number()) return a.times(b.constant_);
  SymbolicTerm term;
  term.kind = SymbolicTerm::Kind::Product;
  term.operands = a.text() < b.text() ? std::vector<Sum>{a, b} : std::vector<Sum>{b, a};
  return of(std::move(term));
}

std::optional<Sum> Sum::quotient(const Sum& a, const Sum& b) {
  if (b.is_number()) {
    if (b.constant_ == 0) return std::nullopt;
    return a.times(1 / b.constant_);
  }
  SymbolicTerm term;
  term.kind = SymbolicTerm::Kind::Quotient;
  term.operands = {a, b};
  return of(std::move(term));
}

Sum Sum::extreme(Extreme which, const std::vector<Sum>& operands) {
  const auto kind = which == Extreme::Max ? SymbolicTerm::Kind::Max : SymbolicTerm::Kind::Min;
  // By the linear part: of those that differ by a constant only, one counts.
  std::map<std::string, Sum> best;
  const auto add = [&](const Sum& sum) {
    const auto [place, is_new] = best.emplace(sum.linear_text(), sum);
    if (is_new) return;
    const bool better = which == Extreme::Max ? sum.constant_ > place->second.constant_
                                              : sum.constant_ < place->second.constant_;
    if (better) place->second = sum;
  };
  for (const Sum& operand : operands) {
    const bool same = operand.terms_.size() == 1 && operand.terms_.begin()->second.factor == 1 &&
                      operand.terms_.begin()->second.term->kind == kind;
    if (!same) {
      add(operand);
      continue;
    }
    // max(a, b) + c is max(a + c, b + c).
    for (const Sum& inner : operand.terms_.begin()->second.term->operands) {
      Sum moved = inner;
      moved.constant_ += operand.constant_;
      add(moved);
    }
  }
  if (best.size() == 1) return best.begin()->second;
  SymbolicTerm term;
  term.kind = kind;
  for (auto& [text, sum] : best) term.operands.push_back(std::move(sum));
  return of(std::move(term));
}

std::optional<Sum> Sum::substitute(const std::vector<Sum>& counters) const {
  Sum sum{constant_};
  for (const auto& [text, share] : terms_) {
    const SymbolicTerm& term = *share.term;
    std::vector<Sum> operands;
    for (const Sum& operand : term.operands) {
      std::optional<Sum> replaced = operand.substitute(counters);
      if (!replaced) return std::nullopt;
      operands.push_back(std::move(*replaced));
    }
    std::optional<Sum> made;
    switch (term.kind) {
      case SymbolicTerm::Kind::Counter:
        made = counters[term.counter];
        break;
      case SymbolicTerm::Kind::Max:
        made = extreme(Extreme::Max, operands);
        break;
      case SymbolicTerm::Kind::Min:
        made = extreme(Extreme::Min, operands);
        break;
      case SymbolicTerm::Kind::Product:
        made = product(operands[0], operands[1]);
        break;
      case SymbolicTerm::Kind::Quotient:
        made = quotient(operands[0], operands[1]);
        break;
    }
    if (!made) return std::nullopt;
    sum = sum.plus(made->times(share.factor));
  }
  return sum;
}

}  // namespace cohort::trace::sequential
