#include "trace/sequential/counter_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <utility>

#include "trace/sequential/rational.hpp"

namespace cohort::trace::sequential {

struct CounterRun::Numbers {
  std::vector<cpp_rational> values;
};

namespace {

/// The value of an update; false with the reason if it has none.
[[nodiscard]] bool evaluate(const Term& term, const std::vector<cpp_rational>& counters,
                            const std::function<Value(std::uint32_t)>& value_of,
                            cpp_rational& result, std::string& reason) {
  std::vector<cpp_rational> stack;
  for (const Term::Instruction& step : term.steps()) {
    if (step.step == Term::Step::Constant) {
      stack.push_back(rational_of(term.constant(step.operand)));
      continue;
    }
    if (step.step == Term::Step::Variable) {
      if (step.operand >= Counters::first_counter) {
        stack.push_back(counters[step.operand - Counters::first_counter]);
        continue;
      }
      const Value value = value_of(step.operand);
      if (value.is_text()) {
        reason = fmt::format("computes with the text {}", quoted(value.characters()));
        return false;
      }
      stack.push_back(rational_of(value));
      continue;
    }
    if (step.step == Term::Step::Negate) {
      stack.back() = -stack.back();
      continue;
    }
    const cpp_rational right = stack.back();
    stack.pop_back();
    cpp_rational& left = stack.back();
    switch (step.step) {
      case Term::Step::Plus:
        left += right;
        break;
      case Term::Step::Minus:
        left -= right;
        break;
      case Term::Step::Times:
        left *= right;
        break;
      case Term::Step::Divide:
        if (right == 0) {
          reason = "divides by zero";
          return false;
        }
        left /= right;
        break;
      case Term::Step::Min:
        if (right < left) left = right;
        break;
      case Term::Step::Max:
        if (right > left) left = right;
        break;
      default:
        reason = "has an operator that counters do not know";
        return false;
    }
  }
  result = stack.back();
  return true;
}

}  // namespace

CounterRun::CounterRun(const Property& property)
    : property_(property),
      state_(property.compiled().start()),
      moves_(property.compiled().num_states() + 1),
      numbers_(std::make_unique<Numbers>()) {
  for (const Value& value : property.counters().initial) {
    numbers_->values.push_back(rational_of(value));
  }
  for (const CounterMove& move : property.counters().moves) moves_[move.from].push_back(&move);
}

CounterRun::CounterRun(const CounterRun& other)
    : property_(other.property_),
      state_(other.state_),
      moves_(other.moves_),
      numbers_(std::make_unique<Numbers>(*other.numbers_)) {}

CounterRun::CounterRun(CounterRun&&) noexcept = default;
CounterRun::~CounterRun() = default;

std::string CounterRun::step(const std::uint64_t* letter,
                             const std::function<Value(std::uint32_t)>& value_of) {
  const auto truth = [&](ltl::Variable atom) {
    return (letter[atom / 64] >> (atom % 64) & 1U) != 0;
  };
  std::string reason;
  for (const CounterMove* const move : moves_[state_]) {
    if (!property_.letters().evaluate(move->letter, truth)) continue;
    // All right sides see the old values.
    std::vector<std::pair<std::uint32_t, cpp_rational>> changed;
    for (const CounterUpdate& update : move->updates) {
      cpp_rational value;
      if (!evaluate(update.value, numbers_->values, value_of, value, reason)) {
        return fmt::format("the update of counter '{}' {}",
                           property_.counters().names[update.counter], reason);
      }
      changed.emplace_back(update.counter, std::move(value));
    }
    for (auto& [counter, value] : changed) numbers_->values[counter] = std::move(value);
    break;  // deterministic: there is only one
  }
  state_ = property_.compiled().step(state_, letter);
  return reason;
}

std::vector<std::string> CounterRun::values() const {
  std::vector<std::string> texts;
  for (const cpp_rational& value : numbers_->values) texts.push_back(text_of(value));
  return texts;
}

}  // namespace cohort::trace::sequential
