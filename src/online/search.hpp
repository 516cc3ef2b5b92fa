// Searches on a product, while it grows.
//
//   Search search{arena, product};
//   if (const auto path = search.reach(is_wanted, Search::Empty::Counts)) …     // breadth first
//   if (const auto cycle = search.accepting_cycle()) …
//
// Both stop as soon as they know.  Nothing is forgotten: see bounded.hpp for searches that do.
// Throw what the arena throws.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "online/product_space.hpp"

namespace cohort::online {

/// A way from an initial vertex.
struct Path {
  std::size_t start = 0;         ///< of the arena's starts
  std::vector<NodeId> vertices;  ///< the first is one of product.initial(start)
};

struct Cycle {
  Path stem;  ///< its last vertex is on the cycle, and accepting where `component` is given
  std::vector<NodeId> round;  ///< the vertices behind that one, until it comes again; not empty
  /// For fair cycles: a component of which a fair round has to be made; `round` is empty then.
  std::vector<NodeId> component;
};

class Search {
 public:
  /// Keeps references to both.
  Search(Arena& arena, ProductSpace& product) : arena_(arena), product_(product) {}

  /// Whether the word before the first step counts, which is empty if positions are actions.
  enum class Empty : std::uint8_t { Counts, DoesNotCount };
  /// A shortest way to a vertex that is wanted.
  [[nodiscard]] std::optional<Path> reach(const std::function<bool(NodeId)>& is_wanted,
                                          Empty empty);

  enum class Fairness : std::uint8_t { Any, Fair };
  /// A cycle through an accepting vertex; a short one, as far as the search has come.
  [[nodiscard]] std::optional<Cycle> accepting_cycle(Fairness fairness);

  [[nodiscard]] std::size_t depth() const { return depth_; }

  /// Called now and then.
  std::function<void()> show_progress;

 private:
  struct Root {
    std::uint32_t order = 0;
    bool accepting = false;
  };
  struct Frame {
    NodeId vertex{};
    std::uint32_t next = 0;
  };
  static constexpr std::uint32_t finished = UINT32_MAX;

  [[nodiscard]] static std::size_t index(NodeId id) { return static_cast<std::size_t>(id); }
  [[nodiscard]] std::uint32_t& order(NodeId vertex);
  void push(NodeId vertex);
  void tick();
  [[nodiscard]] std::optional<Cycle> search_from(NodeId start, Fairness fairness);
  [[nodiscard]] std::vector<NodeId> open_since(std::uint32_t order) const;
  [[nodiscard]] bool has_cycle(const std::vector<NodeId>& component);
  [[nodiscard]] Cycle shortened(const std::vector<NodeId>& component, Fairness fairness);
  /// A shortest way of at least one step inside a set; without `from`.
  [[nodiscard]] std::vector<NodeId> way(NodeId from, const std::function<bool(NodeId)>& is_target,
                                        const std::function<bool(NodeId)>& is_inside);

  Arena& arena_;
  ProductSpace& product_;
  std::vector<std::uint32_t> order_;  // by vertex: 0 before it is met
  std::uint32_t count_ = 0;
  std::vector<NodeId> open_;
  std::vector<Root> roots_;
  std::vector<Frame> path_;
  std::size_t depth_ = 0;
  std::uint32_t ticks_ = 0;
};

}  // namespace cohort::online
