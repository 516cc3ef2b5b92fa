#include "ltl/decision.hpp"

#include <algorithm>
#include <utility>

namespace cohort::ltl {
namespace {

constexpr Variable no_variable = 0xFFFF'FFFFU;
constexpr std::size_t first_table_size = 256;
constexpr std::size_t most_remembered = std::size_t{1} << 18U;

[[nodiscard]] std::size_t hash(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t h = a * 0x9E3779B97F4A7C15ULL;
  h = (h ^ (h >> 29U) ^ b) * 0xBF58476D1CE4E5B9ULL;
  h = (h ^ (h >> 32U) ^ c) * 0x94D049BB133111EBULL;
  return static_cast<std::size_t>(h ^ (h >> 31U));
}

[[nodiscard]] std::uint64_t number(Decision f) { return static_cast<std::uint64_t>(f); }

}  // namespace

Decisions::Decisions() : table_(first_table_size, 0), remembered_(first_table_size) {
  nodes_.push_back({no_variable, Decision::False, Decision::False});
  nodes_.push_back({no_variable, Decision::True, Decision::True});
}

void Decisions::grow() {
  table_.assign(table_.size() * 2, 0);
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = 2; i < nodes_.size(); ++i) {
    const Node& n = nodes_[i];
    std::size_t at = hash(n.variable, number(n.low), number(n.high)) & mask;
    while (table_[at] != 0) at = (at + 1) & mask;
    table_[at] = static_cast<std::uint32_t>(i);
  }
  if (remembered_.size() < most_remembered) {
    remembered_.assign(remembered_.size() * 2, Remembered{});
  }
}

Decision Decisions::make(Variable variable, Decision low, Decision high) {
  if (low == high) return low;
  if (nodes_.size() * 2 > table_.size()) grow();
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash(variable, number(low), number(high)) & mask;
  for (; table_[at] != 0; at = (at + 1) & mask) {
    const Node& n = nodes_[table_[at]];
    if (n.variable == variable && n.low == low && n.high == high) return Decision{table_[at]};
  }
  if (nodes_.size() >= bounds_.nodes) throw OutOfBounds{};
  table_[at] = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({variable, low, high});
  return Decision{table_[at]};
}

void Decisions::look() {
  constexpr std::uint64_t steps_between_looks = 1024;
  if (steps_ > bounds_.steps) throw OutOfBounds{};
  if (bounds_.limits != nullptr && bounds_.limits->exceeded()) throw OutOfBounds{};
  next_look_ = steps_ + steps_between_looks;
}

Decision Decisions::variable(Variable variable) {
  return make(variable, Decision::False, Decision::True);
}

Decision Decisions::if_then_else(Decision f, Decision g, Decision h) {
  if (f == Decision::True) return g;
  if (f == Decision::False) return h;
  if (g == h) return g;
  if (g == Decision::True && h == Decision::False) return f;
  if (g == f) g = Decision::True;
  if (h == f) h = Decision::False;
  // `and` and `or` commute; one order for both makes more results known.
  if (h == Decision::False && g < f && !is_constant(g)) std::swap(f, g);
  if (g == Decision::True && h < f && !is_constant(h)) std::swap(f, h);
  if (g == Decision::True && h == Decision::False) return f;
  const std::size_t place = hash(number(f), number(g), number(h));
  {
    const Remembered& known = remembered_[place & (remembered_.size() - 1)];
    if (known.known && known.f == f && known.g == g && known.h == h) return known.result;
  }
  step();
  const Variable first = std::min({node(f).variable, node(g).variable, node(h).variable});
  const auto part = [&](Decision d, bool value) {
    const Node& n = node(d);
    if (n.variable != first) return d;
    return value ? n.high : n.low;
  };
  const Decision low = if_then_else(part(f, false), part(g, false), part(h, false));
  const Decision high = if_then_else(part(f, true), part(g, true), part(h, true));
  const Decision result = make(first, low, high);
  remembered_[place & (remembered_.size() - 1)] = {f, g, h, result, true};
  return result;
}

Decision Decisions::negation(Decision f) {
  return if_then_else(f, Decision::False, Decision::True);
}

Decision Decisions::conjunction(Decision f, Decision g) {
  return if_then_else(f, g, Decision::False);
}

Decision Decisions::disjunction(Decision f, Decision g) {
  return if_then_else(f, Decision::True, g);
}

Decision Decisions::cube(const Cube& literals) {
  Decision made = Decision::True;
  for (auto literal = literals.rbegin(); literal != literals.rend(); ++literal) {
    const Decision v = variable(literal->variable);
    made = conjunction(literal->positive ? v : negation(v), made);
  }
  return made;
}

Decision Decisions::restrict(Decision f, Variable variable, bool value) {
  std::unordered_map<Decision, Decision> done;
  const auto walk = [&](const auto& self, Decision d) -> Decision {
    if (is_constant(d) || top(d) > variable) return d;
    if (top(d) == variable) return value ? high(d) : low(d);
    if (const auto found = done.find(d); found != done.end()) return found->second;
    const Decision result = make(top(d), self(self, low(d)), self(self, high(d)));
    done.emplace(d, result);
    return result;
  };
  return walk(walk, f);
}

Decision Decisions::rename(Decision f, const std::function<Variable(Variable)>& renamed) {
  std::unordered_map<Decision, Decision> done;
  const auto walk = [&](const auto& self, Decision d) -> Decision {
    if (is_constant(d)) return d;
    if (const auto found = done.find(d); found != done.end()) return found->second;
    const Variable v = top(d);
    const Decision when_false = self(self, low(d));
    const Decision when_true = self(self, high(d));
    const Decision result = if_then_else(variable(renamed(v)), when_true, when_false);
    done.emplace(d, result);
    return result;
  };
  return walk(walk, f);
}

std::vector<Variable> Decisions::support(Decision f) const {
  std::vector<Variable> found;
  std::vector<Decision> open{f};
  std::unordered_map<Decision, bool> seen;
  while (!open.empty()) {
    const Decision d = open.back();
    open.pop_back();
    if (is_constant(d) || !seen.emplace(d, true).second) continue;
    found.push_back(top(d));
    open.push_back(low(d));
    open.push_back(high(d));
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// Cubes of some function between `lower` and `upper`.  Minato, "Fast generation of
/// prime-irredundant covers from binary decision diagrams", 1993.
Decisions::Products Decisions::products(Decision lower, Decision upper) {
  if (lower == Decision::False) return {Decision::False, {}};
  if (upper == Decision::True) return {Decision::True, {Cube{}}};
  const Variable v = std::min(node(lower).variable, node(upper).variable);
  const auto part = [&](Decision d, bool value) {
    const Node& n = node(d);
    if (n.variable != v) return d;
    return value ? n.high : n.low;
  };
  const Decision lower0 = part(lower, false);
  const Decision lower1 = part(lower, true);
  const Decision upper0 = part(upper, false);
  const Decision upper1 = part(upper, true);
  // What only v = 0, only v = 1 can cover; then the rest, without v.
  Products with0 = products(difference(lower0, upper1), upper0);
  Products with1 = products(difference(lower1, upper0), upper1);
  const Decision rest =
      disjunction(difference(lower0, with0.function), difference(lower1, with1.function));
  Products without = products(rest, conjunction(upper0, upper1));
  Products all;
  all.function = make(v, disjunction(with0.function, without.function),
                      disjunction(with1.function, without.function));
  const auto take = [&](Products& some, bool value) {
    for (Cube& cube : some.cubes) {
      cube.insert(cube.begin(), {v, value});
      all.cubes.push_back(std::move(cube));
    }
  };
  take(with0, false);
  take(with1, true);
  for (Cube& cube : without.cubes) all.cubes.push_back(std::move(cube));
  if (all.cubes.size() > bounds_.cubes) throw OutOfBounds{};
  step(all.cubes.size());
  return all;
}

std::vector<Cube> Decisions::cubes(Decision f) { return products(f, f).cubes; }

Cube Decisions::some_cube(Decision f) const {
  assert(f != Decision::False);
  Cube found;
  while (!is_constant(f)) {
    const bool positive = low(f) == Decision::False;
    found.push_back({top(f), positive});
    f = positive ? high(f) : low(f);
  }
  return found;
}

}  // namespace cohort::ltl
