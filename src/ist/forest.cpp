// The store of nodes: hash-consing, remembered results, garbage collection.
//
// A node's edges lie together in one array.  The table of nodes is open addressing over node
// numbers.  Remembered results sit in a direct-mapped cache, a little larger than the number of
// nodes: a collision forgets, which costs time and never truth.  Collection marks from the Sets,
// keeps numbers as they are, moves edges together and drops remembered results about dead nodes.
#include <bit>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "ist/operation.hpp"
#include "ist/tree.hpp"

namespace cohort::ist {
namespace {

constexpr std::size_t first_table_size = std::size_t{1} << 10U;
constexpr std::size_t first_cache_size = std::size_t{1} << 12U;
constexpr std::size_t largest_cache_size = std::size_t{1} << 23U;
constexpr std::uint32_t nodes_between_questions = std::uint32_t{1} << 6U;
constexpr std::size_t num_fixed_nodes = 2;  // empty and end

[[nodiscard]] std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
  return hash ^ (hash >> 29U);
}

[[nodiscard]] std::uint32_t hash_of(std::span<const Edge> edges) {
  std::uint64_t hash = edges.size();
  for (const Edge& edge : edges) {
    hash = mix(hash, (static_cast<std::uint64_t>(edge.low) << 32U) | edge.high);
    hash = mix(hash, static_cast<std::uint64_t>(edge.child));
  }
  return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
}

}  // namespace

const char* Stopped::what() const noexcept { return "an operation on sets was stopped"; }

// ---------------------------------------------------------------------------------------------------
// Sets

Set::Set(Forest& forest, NodeId root) : forest_(&forest), root_(root) {
  ++forest_->nodes_[Forest::index(root_)].num_sets;
}

Set::Set(const Set& other) : forest_(other.forest_), root_(other.root_) {
  if (forest_ != nullptr) ++forest_->nodes_[Forest::index(root_)].num_sets;
}

Set::Set(Set&& other) noexcept
    : forest_(std::exchange(other.forest_, nullptr)), root_(std::exchange(other.root_, {})) {}

Set& Set::operator=(const Set& other) {
  Set copy{other};
  *this = std::move(copy);
  return *this;
}

Set& Set::operator=(Set&& other) noexcept {
  std::swap(forest_, other.forest_);
  std::swap(root_, other.root_);
  return *this;
}

Set::~Set() {
  if (forest_ != nullptr) --forest_->nodes_[Forest::index(root_)].num_sets;
}

// ---------------------------------------------------------------------------------------------------
// Nodes

Forest::Forest(std::size_t num_components)
    : num_components_(num_components),
      nodes_(num_fixed_nodes),
      table_(first_table_size, empty_node),
      cache_(first_cache_size) {
  if (num_components > most_components) {
    throw std::logic_error("an interval sharing tree with too many components");
  }
}

NodeId Forest::intern(std::span<const Edge> edges) {
  if (edges.empty()) return empty_node;
  if (++ticks_ % nodes_between_questions == 0 && should_stop_ && should_stop_()) throw Stopped{};
  const std::uint32_t hash = hash_of(edges);
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash & mask;
  for (; table_[slot] != empty_node; slot = (slot + 1) & mask) {
    const NodeId id = table_[slot];
    const Node& node = nodes_[index(id)];
    if (node.hash == hash && node.num_edges == edges.size() &&
        std::equal(edges.begin(), edges.end(), edges_.begin() + node.first_edge)) {
      return id;
    }
  }
  if (edges_.size() + edges.size() > UINT32_MAX || nodes_.size() >= UINT32_MAX) {
    throw std::bad_alloc{};  // numbers have run out, which is out of memory for whoever asks
  }
  NodeId id{static_cast<std::uint32_t>(nodes_.size())};
  if (free_.empty()) {
    nodes_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  Node& node = nodes_[index(id)];
  node.first_edge = static_cast<std::uint32_t>(edges_.size());
  node.num_edges = static_cast<std::uint32_t>(edges.size());
  node.hash = hash;
  node.num_sets = 0;
  edges_.insert(edges_.end(), edges.begin(), edges.end());
  table_[slot] = id;
  ++num_in_table_;
  peak_ = std::max(peak_, num_in_table_);
  if (num_in_table_ * 3 > table_.size() * 2) grow_table();
  return id;
}

NodeId Forest::node(std::span<const Edge> edges) {
  std::vector<Edge> merged;
  merged.reserve(edges.size());
  for (const Edge& edge : edges) {
    if (edge.child == empty_node) continue;
    if (!merged.empty() && merged.back().child == edge.child &&
        merged.back().high + 1 == edge.low) {
      merged.back().high = edge.high;
    } else {
      assert(merged.empty() || merged.back().high < edge.low);
      merged.push_back(edge);
    }
  }
  return intern(merged);
}

void Forest::grow_table() {
  std::vector<NodeId> larger(table_.size() * 2, empty_node);
  const std::size_t mask = larger.size() - 1;
  for (const NodeId id : table_) {
    if (id == empty_node) continue;
    std::size_t slot = nodes_[index(id)].hash & mask;
    while (larger[slot] != empty_node) slot = (slot + 1) & mask;
    larger[slot] = id;
  }
  table_ = std::move(larger);
  if (cache_.size() >= table_.size() * 2 || cache_.size() >= largest_cache_size) return;
  const std::vector<Remembered> old =
      std::exchange(cache_, std::vector<Remembered>(table_.size() * 2));
  for (const Remembered& entry : old) {
    if (entry.operation != 0) remembered(entry.operation, entry.a, entry.b) = entry;
  }
}

Forest::Remembered& Forest::remembered(std::uint32_t operation, NodeId a, NodeId b) {
  std::uint64_t hash =
      mix(operation, (static_cast<std::uint64_t>(a) << 32U) | static_cast<std::uint64_t>(b));
  hash ^= hash >> 32U;
  return cache_[hash & (cache_.size() - 1)];
}

// ---------------------------------------------------------------------------------------------------
// Collection

std::vector<bool> Forest::reachable() const {
  std::vector<bool> seen(nodes_.size(), false);
  std::vector<NodeId> open;
  const auto visit = [&](NodeId id) {
    if (seen[index(id)]) return;
    seen[index(id)] = true;
    open.push_back(id);
  };
  seen[index(empty_node)] = true;
  seen[index(end_node)] = true;
  for (std::size_t i = num_fixed_nodes; i < nodes_.size(); ++i) {
    if (nodes_[i].num_sets > 0) visit(NodeId{static_cast<std::uint32_t>(i)});
  }
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    for (const Edge& edge : edges(id)) visit(edge.child);
  }
  return seen;
}

void Forest::collect() {
  const std::vector<bool> alive = reachable();
  std::vector<Edge> kept;
  std::ranges::fill(table_, empty_node);
  num_in_table_ = 0;
  free_.clear();
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = num_fixed_nodes; i < nodes_.size(); ++i) {
    const NodeId id{static_cast<std::uint32_t>(i)};
    Node& node = nodes_[i];
    if (!alive[i]) {
      node = Node{};
      free_.push_back(id);
      continue;
    }
    const auto first = edges_.begin() + node.first_edge;
    node.first_edge = static_cast<std::uint32_t>(kept.size());
    kept.insert(kept.end(), first, first + node.num_edges);
    std::size_t slot = node.hash & mask;
    while (table_[slot] != empty_node) slot = (slot + 1) & mask;
    table_[slot] = id;
    ++num_in_table_;
  }
  edges_ = std::move(kept);
  for (Remembered& entry : cache_) {
    if (entry.operation == 0) continue;
    if (!alive[index(entry.a)] || !alive[index(entry.b)] || !alive[index(entry.result)]) entry = {};
  }
  live_after_collection_ = num_in_table_;
  ++collections_;
}

void Forest::collect_if_worth_it() {
  if (num_in_table_ > threshold_ && num_in_table_ > 2 * live_after_collection_) collect();
}

Forest::Statistics Forest::statistics() const {
  return {.nodes = num_in_table_,
          .edges = edges_.size(),
          .peak_nodes = peak_,
          .collections = collections_,
          .bytes = nodes_.capacity() * sizeof(Node) + edges_.capacity() * sizeof(Edge) +
                   table_.capacity() * sizeof(NodeId) + cache_.capacity() * sizeof(Remembered)};
}

// ---------------------------------------------------------------------------------------------------
// First sets

Set Forest::box(std::span<const Interval> intervals) {
  assert(intervals.size() == num_components_);
  Operation operation{*this};
  NodeId below = end_node;
  for (std::size_t i = intervals.size(); i-- > 0;) {
    if (intervals[i].low > intervals[i].high) return empty();
    const Edge edge{intervals[i].low, intervals[i].high, below};
    below = intern({&edge, 1});
  }
  return {*this, below};
}

Set Forest::singleton(std::span<const Value> tuple) {
  std::vector<Interval> points;
  points.reserve(tuple.size());
  for (const Value value : tuple) points.push_back({value, value});
  return box(points);
}

namespace {

/// Builds a tree from sorted tuples, from the last layer up, with one open list of edges for each
/// layer: a tuple closes the lists behind the first component in which it differs from the last.
class Loader {
 public:
  Loader(Forest& forest, std::size_t num_components)
      : forest_(forest), open_(num_components), num_components_(num_components) {}

  void add(std::span<const Value> tuple) {
    std::size_t same = 0;
    if (!last_.empty()) {
      while (same < num_components_ && tuple[same] == last_[same]) ++same;
      if (same == num_components_) return;
      close_below(same);
    }
    last_.assign(tuple.begin(), tuple.end());
  }

  [[nodiscard]] NodeId finish() {
    if (last_.empty()) return empty_node;
    close_below(0);
    return forest_.node(open_[0]);
  }

 private:
  void close_below(std::size_t layer) {
    NodeId below = end_node;
    for (std::size_t i = num_components_; i-- > layer;) {
      if (i + 1 < num_components_) {
        below = forest_.node(open_[i + 1]);
        open_[i + 1].clear();
      }
      open_[i].push_back({last_[i], last_[i], below});
    }
  }

  Forest& forest_;
  std::vector<std::vector<Edge>> open_;
  std::vector<Value> last_;
  std::size_t num_components_;
};

}  // namespace

Set Forest::from_tuples(std::span<const Value> values) {
  const std::size_t k = num_components_;
  if (k == 0 || values.empty()) return empty();
  assert(values.size() % k == 0);
  Operation operation{*this};
  const std::size_t num_tuples = values.size() / k;
  const auto tuple = [&](std::size_t i) { return values.subspan(i * k, k); };
  const auto less = [&](std::size_t a, std::size_t b) {
    return std::ranges::lexicographical_compare(tuple(a), tuple(b));
  };
  bool sorted = true;
  for (std::size_t i = 1; i < num_tuples && sorted; ++i) sorted = !less(i, i - 1);
  Loader loader{*this, k};
  if (sorted) {
    for (std::size_t i = 0; i < num_tuples; ++i) loader.add(tuple(i));
  } else {
    std::vector<std::size_t> order(num_tuples);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, less);
    for (const std::size_t i : order) loader.add(tuple(i));
  }
  return {*this, loader.finish()};
}

}  // namespace cohort::ist
