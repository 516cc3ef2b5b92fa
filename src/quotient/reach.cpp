// Reachability with sets as trees.
//
// Idea.  Three kinds of sets: what was reached before, the level that is being expanded, and the
// next level.  A level is read tuple by tuple; its successors gather in a small graph of the usual
// kind, the *window*, which finds representatives and drops most repetitions.  When the window is
// full, or the level at its end, the new ones become a tree, what was reached before is subtracted,
// and the window is thrown away.  So the hash store never holds more than a window.
//
// Trap.  Uniting each level with everything before costs a look at every edge of the root, and a
// long run has as many levels as states.  What was reached before is therefore kept as a few trees,
// each at least twice as large as the next, like the digits of a binary number.
// Cost.  Each state goes through a logarithmic number of unions.
#include "quotient/reach.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "ist/iterate.hpp"
#include "ist/operations.hpp"

namespace cohort::quotient {
namespace {

/// States that a window may hold.
constexpr std::size_t window_size = std::size_t{1} << 16U;

/// A set that only grows.
class GrowingSet {
 public:
  explicit GrowingSet(std::size_t num_components) : forest_(num_components) {}

  [[nodiscard]] ist::Forest& forest() { return forest_; }

  /// What of `set` is new.
  [[nodiscard]] ist::Set news(ist::Set set) const {
    for (const Part& part : parts_) set = subtract(set, part.set);
    return set;
  }
  [[nodiscard]] bool contains(std::span<const ist::Value> tuple) const {
    return std::ranges::any_of(parts_,
                               [&](const Part& part) { return ist::contains(part.set, tuple); });
  }
  void add(ist::Set set, std::uint64_t size) {
    if (size == 0) return;
    parts_.push_back({std::move(set), size});
    while (parts_.size() > 1 && parts_[parts_.size() - 2].size < 2 * parts_.back().size) merge();
  }
  [[nodiscard]] ist::Ranking ranking() {
    while (parts_.size() > 1) merge();
    return parts_.empty() ? ist::Ranking{} : ist::Ranking{parts_.front().set};
  }

 private:
  struct Part {
    ist::Set set;
    std::uint64_t size = 0;
  };

  void merge() {
    const Part last = std::move(parts_.back());
    parts_.pop_back();
    parts_.back().set = unite(parts_.back().set, last.set);
    parts_.back().size += last.size;
  }

  ist::Forest forest_;
  std::vector<Part> parts_;  // must go before the forest
};

class Reacher {
 public:
  explicit Reacher(const ReachRequest& request)
      : request_(request),
        tuples_(request.program.layout()),
        num_fields_(tuples_.num_components()),
        width_(num_fields_ + (request.domain.coloured ? request.program.num_processes() : 0)),
        positions_(width_),
        states_(request.domain.coloured ? num_fields_ : 1),
        words_(request.program.layout().num_words()) {
    result_.fired.resize(request.program.schemas().size());
  }

  [[nodiscard]] Reached run() {
    open_window();
    enter_initial_states();
    for (std::uint64_t level = 0; !next_.empty(); ++level) {
      result_.depth = level;
      const ist::Set now = std::exchange(next_, positions_.forest().empty());
      positions_.add(now, num_next_);
      num_next_ = 0;
      if (request_.domain.coloured) note_states(now);
      for (ist::Tuples at{now}; at.valid(); at.next()) {
        expand(at.tuple());
        if (space_->num_nodes() >= window_size) close_window();
      }
      harvest();
      last_state_.clear();
    }
    close_window();
    result_.tally.expanded = num_states_;
    result_.states = request_.domain.coloured ? states_.ranking() : positions_.ranking();
    return std::move(result_);
  }

 private:
  void open_window() {
    graph_ = request_.make();
    space_ = graph_->space(request_.domain, request_.colouring);
  }
  void close_window() {
    harvest();
    for (std::size_t s = 0; s < result_.fired.size(); ++s) {
      if (graph_->fired()[s]) result_.fired[s] = true;
    }
    space_.reset();
    open_window();
  }

  void enter_initial_states() {
    for (model::InitialStates initial{request_.program}; !initial.done(); initial.next()) {
      request_.look({num_states_, result_.tally.edges, 0});
      const Position position = request_.position(graph_->add(initial.words()));
      const std::size_t known = space_->num_nodes();
      gather_if_new(space_->enter(position), request_.domain.is_trivial() ? 0 : known);
      if (space_->num_nodes() >= window_size) close_window();
    }
    harvest();
  }

  void expand(std::span<const ist::Value> tuple) {
    request_.look({num_states_, result_.tally.edges, result_.depth});
    tuples_.to_words(tuple.data(), words_.data());
    position_.state = graph_->add(words_.data()).state;
    position_.colours.assign(tuple.begin() + static_cast<std::ptrdiff_t>(num_fields_), tuple.end());
    const NodeId node = space_->enter(position_);
    const std::size_t known = space_->num_nodes();
    const Fan& fan = space_->fan(node, Detail::Targets);
    if (fan.fault) throw StateFault{position_.state, *fan.fault};
    count(tuple.first(num_fields_), fan.targets.size());
    for (const NodeId target : fan.targets) gather_if_new(target, known);
  }

  /// Edges count when a state is expanded for the first time.  Positions of one state are
  /// neighbours in their level.
  void count(std::span<const ist::Value> state, std::size_t num_edges) {
    if (request_.domain.coloured) {
      if (std::ranges::equal(state, last_state_)) return;
      last_state_.assign(state.begin(), state.end());
      // News of this level stand in `fresh_`, sorted as the level is.
      if (!fresh_.valid() || !std::ranges::equal(fresh_.tuple(), state)) return;
      fresh_.next();
    }
    ++num_states_;
    result_.tally.edges += num_edges;
    if (num_edges == 0) ++result_.tally.deadlocks;
  }

  /// The states of a level of positions that no level before had.
  void note_states(const ist::Set& level) {
    std::vector<ist::Value> found;
    for (ist::Tuples at{level}; at.valid(); at.next()) {
      const auto state = at.tuple().first(num_fields_);
      const auto last =
          std::span<const ist::Value>(found).last(std::min(found.size(), num_fields_));
      if (!std::ranges::equal(state, last)) found.insert(found.end(), state.begin(), state.end());
    }
    const ist::Set news = states_.news(states_.forest().from_tuples(found));
    states_.add(news, count_if_small(news).value_or(UINT64_MAX));
    fresh_ = ist::Tuples{news};
  }

  void gather_if_new(NodeId node, std::size_t known) {
    if (static_cast<std::size_t>(node) < known) return;
    space_->read(node, position_);
    const std::size_t at = gathered_.size();
    gathered_.resize(at + width_);
    tuples_.to_tuple(graph_->words(position_.state), gathered_.data() + at);
    std::ranges::copy(position_.colours,
                      gathered_.begin() + static_cast<std::ptrdiff_t>(at + num_fields_));
  }

  /// What was gathered joins the next level.
  void harvest() {
    if (gathered_.empty()) return;
    ist::Set found = positions_.news(positions_.forest().from_tuples(gathered_));
    gathered_.clear();
    next_ = next_.empty() ? std::move(found) : unite(next_, found);
    num_next_ = count_if_small(next_).value_or(UINT64_MAX);
  }

  const ReachRequest& request_;
  FieldTuples tuples_;
  std::size_t num_fields_;
  std::size_t width_;
  GrowingSet positions_;
  GrowingSet states_;  // with colours: their states
  ist::Set next_ = positions_.forest().empty();
  std::uint64_t num_next_ = 0;
  ist::Tuples fresh_{states_.forest().empty()};
  std::vector<ist::Value> last_state_;

  std::unique_ptr<Graph> graph_;
  std::unique_ptr<Space> space_;
  std::vector<ist::Value> gathered_;  // tuple after tuple
  Position position_;
  std::vector<Word> words_;

  std::uint64_t num_states_ = 0;
  Reached result_;
};

}  // namespace

Reached reach(const ReachRequest& request) { return Reacher{request}.run(); }

}  // namespace cohort::quotient
