#include "online/unwind.hpp"

#include <algorithm>
#include <stdexcept>

#include "cctl/fair_loop.hpp"
#include "cctl/trail.hpp"

namespace cohort::online {
namespace {

/// Beyond this the verdict stands alone.
constexpr std::size_t longest_evidence = 2'000'000;

class Walk {
 public:
  Walk(Arena& arena, ProductSpace& product, const Path& path)
      : arena_(arena),
        product_(product),
        start_(arena.starts()[path.start]),
        trail_(arena.graph(), start_.initial),
        at_(path.vertices.front()) {
    trail_.reframe(start_.from_node);
    for (std::size_t i = 1; i < path.vertices.size(); ++i) go_to(path.vertices[i]);
  }

  void go_to(NodeId next) {
    const std::vector<NodeId>& targets = product_.targets(at_);
    const auto found = std::ranges::find(targets, next);
    if (found == targets.end()) throw std::logic_error("a path that the product does not have");
    take(static_cast<std::size_t>(found - targets.begin()));
  }
  void take(std::size_t edge) { at_ = trail_.step(product_, at_, edge); }

  /// False if it is too long.
  [[nodiscard]] bool close(const Cycle& cycle) {
    std::vector<cctl::Move> moves;
    if (!cycle.component.empty()) {
      moves = cctl::fair_round(product_, cycle.component, at_, arena_.program());
    }
    trail_.evidence().loop = trail_.length();
    const std::vector<Value> begin = trail_.real_values();
    do {
      for (const NodeId next : cycle.round) go_to(next);
      for (const cctl::Move& move : moves) {
        if (move.renaming.empty()) {
          take(move.edge);
        } else {
          trail_.reframe(move.renaming);
        }
      }
      if (trail_.length() > longest_evidence) return false;
      arena_.tick();
    } while (trail_.real_values() != begin);
    return true;
  }

  [[nodiscard]] cctl::Evidence finish() {
    cctl::Evidence& made = trail_.evidence();
    made.kind = cctl::Evidence::Kind::Counterexample;
    made.choices = choices_of(arena_.goal(), start_.chosen);
    return std::move(made);
  }

 private:
  Arena& arena_;
  ProductSpace& product_;
  const Start& start_;
  cctl::Trail trail_;
  NodeId at_;
};

}  // namespace

cctl::Evidence unwind(Arena& arena, ProductSpace& product, const Path& path) {
  return Walk(arena, product, path).finish();
}

std::optional<cctl::Evidence> unwind(Arena& arena, ProductSpace& product, const Cycle& cycle) {
  Walk walk{arena, product, cycle.stem};
  if (!walk.close(cycle)) return std::nullopt;
  return walk.finish();
}

std::vector<cctl::Choice> choices_of(const Goal& goal, const std::vector<Value>& chosen) {
  std::vector<cctl::Choice> made;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const lang::Slot& slot = goal.slots[goal.foralls[i].slot];
    made.push_back({slot.name, slot.module, chosen[i]});
  }
  return made;
}

}  // namespace cohort::online
