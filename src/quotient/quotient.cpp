// The quotient: one representative for each orbit of states.
//
// Idea.  The program without priorities is symmetric under every permutation of processes within
// their modules.  An edge from a representative leads to a state, that state has a representative,
// and the permutation between the two renames the processes of the evaluation and the colours.  A
// node is a representative with these, and made canonical itself: processes that the representative
// cannot tell apart stand in the order of their colours and names.  So a node is an orbit of
// positions, and no two nodes are the same orbit where the symmetries of a state are exchanges.
//
// Ranks are colours, and the guard of an edge (guard.hpp) is decided by the colours of the node, on
// the spot: an instance whose process is outranked never becomes an edge, and states that only the
// program without priorities can reach are never stored.
//
// Of the instances that an exchange of processes of the node maps to each other, one is fired.
#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "quotient/graph.hpp"
#include "quotient/initial_orbits.hpp"
#include "quotient/thinning.hpp"
#include "symmetry/canonical.hpp"

namespace cohort::quotient {
namespace {

using model::Thinning;
using model::Word;

/// What tells a process from others beside the state: its colour and the variables that stand for
/// it.  Ordered by colour first.
using Look = std::uint64_t;
constexpr unsigned colour_shift = 48;
/// Variables from this one on share a bit.
constexpr std::size_t last_name = 47;
constexpr Look shared_name = Look{1} << last_name;
constexpr Look all_names = (Look{1} << colour_shift) - 1;

class Quotient final : public Graph {
 public:
  explicit Quotient(const model::Program& program)
      : Graph(program), canonical_(program), buffer_(program.layout().num_words()) {}

  [[nodiscard]] std::unique_ptr<Space> space(const Domain& domain,
                                             const Colouring& colouring) override;
  [[nodiscard]] std::unique_ptr<InitialSource> initial_states(
      const std::vector<std::uint32_t>& marks) override {
    std::unique_ptr<InitialSource> orbits = make_initial_orbits(*this, marks);
    return orbits ? std::move(orbits) : Graph::initial_states(marks);
  }
  [[nodiscard]] InitialState add(const Word* words) override {
    InitialState made;
    made.state = insert(words, &made.to_real, nullptr);
    return made;
  }
  const std::vector<std::uint32_t>& classes(StateId state) override {
    if (classes_of_ != state) canonical_.classes(store_[state], classes_);
    classes_of_ = state;
    return classes_;
  }
  [[nodiscard]] bool moves_processes() const override { return true; }

  [[nodiscard]] StateId insert(const Word* words, Permutation* from_representative,
                               const Look* looks) {
    std::copy_n(words, buffer_.size(), buffer_.begin());
    canonical_(buffer_.data(), from_representative, looks);
    return store_.insert(buffer_.data());
  }
  /// In two steps, for several states at once, as States.
  void announce(const Word* words, Permutation* from_representative, const Look* looks) {
    std::copy_n(words, buffer_.size(), buffer_.begin());
    canonical_(buffer_.data(), from_representative, looks);
    store_.announce(buffer_.data());
  }
  const std::vector<StateId>& insert_announced() { return store_.insert_announced(); }
  void forget_announced() { store_.forget_announced(); }
  /// Whether insert brings processes that the representative cannot tell apart into the order of
  /// their looks.
  [[nodiscard]] bool sorts() const { return canonical_.sorts(); }
  using Graph::expand;
  using Graph::fireable;

 private:
  symmetry::Canonicalizer canonical_;
  std::vector<Word> buffer_;
  std::vector<std::uint32_t> classes_;
  StateId classes_of_ = model::no_state;
};

/// Bits that a colour takes in a node: a power of two, so that none lies across two words.
[[nodiscard]] unsigned colour_bits(const Colouring& colouring) {
  const auto most = std::ranges::max_element(colouring.initial);
  const unsigned needed =
      most == colouring.initial.end() ? 1U : static_cast<unsigned>(std::bit_width(*most));
  return std::bit_ceil(std::max(needed, 1U));
}

class QuotientSpace final : public Space {
 public:
  QuotientSpace(Quotient& graph, const Domain& domain, const Colouring& colouring)
      : Space(domain),
        graph_(graph),
        colouring_(colouring),
        num_processes_(graph.program().num_processes()),
        colour_bits_(domain.coloured ? colour_bits(colouring) : 1),
        colours_at_(1 + (domain.variables.size() + 1) / 2),
        width_(colours_at_ + (domain.coloured ? (num_processes_ * colour_bits_ + 63) / 64 : 0)),
        nodes_(width_),
        words_(width_),
        make_thinning_(graph.program()) {
    for (const lang::ModuleId module : domain.variables) {
      firsts_.push_back(graph.program().process_number(module, 0));
    }
  }

  [[nodiscard]] bool moves_processes() const override { return true; }
  [[nodiscard]] NodeId enter(const Position& position) override {
    if (domain().is_trivial()) return NodeId{static_cast<std::uint32_t>(position.state)};
    here_ = position;
    find_looks(here_);
    sort_names(here_, nullptr);
    return insert(here_);
  }
  [[nodiscard]] NodeId enter(const Position& position, Permutation& from_node) override {
    from_node = symmetry::identity(num_processes_);
    if (domain().is_trivial()) return NodeId{static_cast<std::uint32_t>(position.state)};
    here_ = position;
    find_looks(here_);
    sort_names(here_, &from_node);
    return insert(here_);
  }
  [[nodiscard]] StateId state(NodeId node) const override {
    if (domain().is_trivial()) return StateId{static_cast<std::uint32_t>(node)};
    return StateId{static_cast<std::uint32_t>(words_of(node)[0])};
  }
  void read(NodeId node, Position& position) const override;
  [[nodiscard]] std::size_t num_nodes() const override {
    return domain().is_trivial() ? graph_.store().size() : nodes_.size();
  }
  const Fan& fan(NodeId node, Detail detail) override;
  const std::vector<bool>& enabled(NodeId node) override;
  const std::vector<std::uint32_t>& classes(NodeId node) override {
    look_at(node);
    return refined_;
  }

 private:
  [[nodiscard]] const Word* words_of(NodeId node) const {
    return nodes_[StateId{static_cast<std::uint32_t>(node)}];
  }
  /// A position as words_.
  void pack(const Position& position);
  [[nodiscard]] NodeId insert(const Position& position) {
    pack(position);
    return NodeId{static_cast<std::uint32_t>(nodes_.insert(words_.data()).id)};
  }
  /// Reads a node and finds which of its processes can be exchanged.
  void look_at(NodeId node);
  /// By process, into looks_.
  void find_looks(const Position& position);
  void find_classes(StateId state);
  /// The process that a variable stands for, among all.
  [[nodiscard]] std::size_t named(const Position& position, std::size_t variable) const {
    return firsts_[variable] + static_cast<std::size_t>(position.processes[variable]);
  }
  /// `position` as the representative of another state sees it, which is reached through
  /// `from_representative`.
  void carry(const Position& position, const Permutation& from_representative, Position& carried);
  const std::vector<StateId>& carry_to(const std::vector<StateId>& states, Detail detail);
  /// Brings a position with its looks into canonical order.
  void sort_names(Position& position, Permutation* from_node);
  void reorder(Position& position, Permutation* from_node);
  [[nodiscard]] model::Sight sight();

  Quotient& graph_;
  const Colouring& colouring_;
  std::size_t num_processes_;
  unsigned colour_bits_;
  std::size_t colours_at_;  // in a node's words, behind the state and the evaluation
  std::size_t width_;
  model::Store nodes_;
  std::vector<Word> words_;
  std::vector<std::size_t> firsts_;  // by variable: the first process of its module
  Position here_;
  Position there_;
  std::vector<Look> looks_;
  std::vector<Look> looks_here_;  // while looks_ are those of a target
  std::vector<std::uint32_t> refined_;
  ThinningMaker make_thinning_;
  std::vector<std::uint32_t> last_of_class_;
  Fan fan_;
  std::vector<bool> enabled_;
  // For reorder.
  std::vector<std::uint32_t> members_;
  std::vector<std::uint32_t> places_;
  std::vector<std::uint32_t> moved_;
};

void QuotientSpace::pack(const Position& position) {
  std::ranges::fill(words_, 0);
  words_[0] = static_cast<Word>(position.state);
  for (std::size_t i = 0; i < position.processes.size(); ++i) {
    words_[1 + i / 2] |= static_cast<Word>(position.processes[i]) << (32 * (i % 2));
  }
  const std::size_t in_word = 64 / colour_bits_;
  for (std::size_t i = 0, at = colours_at_; i < position.colours.size(); ++at) {
    const std::size_t end = std::min(i + in_word, position.colours.size());
    Word word = 0;
    for (unsigned shift = 0; i < end; ++i, shift += colour_bits_) {
      word |= static_cast<Word>(position.colours[i]) << shift;
    }
    words_[at] = word;
  }
}

void QuotientSpace::read(NodeId node, Position& position) const {
  position.state = state(node);
  position.processes.resize(domain().variables.size());
  position.colours.resize(domain().coloured ? num_processes_ : 0);
  if (domain().is_trivial()) return;
  const Word* const words = words_of(node);
  for (std::size_t i = 0; i < position.processes.size(); ++i) {
    position.processes[i] = static_cast<Value>((words[1 + i / 2] >> (32 * (i % 2))) & UINT32_MAX);
  }
  const std::size_t in_word = 64 / colour_bits_;
  const Word mask = (Word{1} << colour_bits_) - 1;
  for (std::size_t i = 0, at = colours_at_; i < position.colours.size(); ++at) {
    const std::size_t end = std::min(i + in_word, position.colours.size());
    for (Word word = words[at]; i < end; ++i, word >>= colour_bits_) {
      position.colours[i] = static_cast<Colour>(word & mask);
    }
  }
}

void QuotientSpace::find_looks(const Position& position) {
  looks_.assign(num_processes_, 0);
  for (std::size_t p = 0; p < position.colours.size(); ++p) {
    looks_[p] = Look{position.colours[p]} << colour_shift;
  }
  for (std::size_t i = 0; i < position.processes.size(); ++i) {
    looks_[named(position, i)] |= Look{1} << std::min(i, last_name);
  }
}

/// Within a class of processes of the state, looks ascend.
void QuotientSpace::sort_names(Position& position, Permutation* from_node) {
  const std::vector<std::uint32_t>& classes = graph_.classes(position.state);
  last_of_class_.assign(num_processes_, Thinning::none);
  for (std::uint32_t p = 0; p < num_processes_; ++p) {
    const std::uint32_t last = std::exchange(last_of_class_[classes[p]], p);
    if (last == Thinning::none || looks_[last] <= looks_[p]) continue;
    reorder(position, from_node);
    return;
  }
}

void QuotientSpace::reorder(Position& position, Permutation* from_node) {
  const std::vector<std::uint32_t>& classes = graph_.classes(position.state);
  members_.resize(num_processes_);
  std::iota(members_.begin(), members_.end(), 0U);
  // Classes one after the other, in the order of their first members: these are the places.
  std::ranges::stable_sort(
      members_, [&](std::uint32_t a, std::uint32_t b) { return classes[a] < classes[b]; });
  places_ = members_;
  std::ranges::stable_sort(members_, [&](std::uint32_t a, std::uint32_t b) {
    return classes[a] != classes[b] ? classes[a] < classes[b] : looks_[a] < looks_[b];
  });
  moved_.resize(num_processes_);
  Permutation change(num_processes_);
  for (std::size_t i = 0; i < num_processes_; ++i) {
    change[places_[i]] = members_[i];  // who stands at this place now
    moved_[members_[i]] = places_[i];  // where a process has gone
    if (!position.colours.empty()) {
      position.colours[places_[i]] = static_cast<Colour>(looks_[members_[i]] >> colour_shift);
    }
  }
  for (std::size_t i = 0; i < position.processes.size(); ++i) {
    position.processes[i] = static_cast<Value>(moved_[named(position, i)] - firsts_[i]);
  }
  if (from_node != nullptr) *from_node = symmetry::compose(*from_node, change);
}

/// Classes of processes that can be exchanged without changing the position.
void QuotientSpace::find_classes(StateId state) {
  refined_ = graph_.classes(state);
  if (domain().is_trivial()) return;
  // A process joins the last one of its class if they look alike; looks are sorted, so that all
  // that look alike come together.
  last_of_class_.assign(num_processes_, Thinning::none);
  for (std::uint32_t p = 0; p < num_processes_; ++p) {
    const std::uint32_t last = std::exchange(last_of_class_[refined_[p]], p);
    refined_[p] = p;
    if (last == Thinning::none || looks_[p] != looks_[last]) continue;
    // Two with the shared name may be named by different variables.
    if ((looks_[p] & shared_name) == 0) refined_[p] = refined_[last];
  }
}

void QuotientSpace::look_at(NodeId node) {
  read(node, here_);
  if (!domain().is_trivial()) find_looks(here_);
  find_classes(here_.state);
}

model::Sight QuotientSpace::sight() {
  model::Sight made;
  made.thinning = &make_thinning_(refined_);
  if (domain().coloured) {
    made.colours = here_.colours.data();
    made.ranks = &colouring_.ranks;
  }
  return made;
}

void QuotientSpace::carry(const Position& position, const Permutation& from_representative,
                          Position& carried) {
  carried.colours.resize(position.colours.size());
  carried.processes.resize(position.processes.size());
  for (std::size_t p = 0; p < carried.colours.size(); ++p) {
    carried.colours[p] = position.colours[from_representative[p]];
  }
  if (position.processes.empty()) return;
  for (std::size_t p = 0; p < num_processes_; ++p) {
    const std::uint32_t before = from_representative[p];
    if ((looks_[before] & all_names) == 0) continue;
    for (std::size_t i = 0; i < position.processes.size(); ++i) {
      if (named(position, i) == before) carried.processes[i] = static_cast<Value>(p - firsts_[i]);
    }
  }
}

const Fan& QuotientSpace::fan(NodeId node, Detail detail) {
  look_at(node);
  const model::Successors& found = graph_.expand(here_.state, sight());
  fan_.fault = found.fault;
  fan_.targets.clear();
  if (fan_.fault) return fan_;
  const bool trivial = domain().is_trivial();
  const bool wanted = detail == Detail::Permutations;
  if (wanted) fan_.codes = found.codes();
  const bool moves = !trivial || wanted;
  const Look* const looks = trivial ? nullptr : looks_.data();
  if (moves && fan_.from_target.size() < found.size()) fan_.from_target.resize(found.size());
  graph_.forget_announced();
  for (std::size_t e = 0; e < found.size(); ++e) {
    graph_.announce(found.target(e), moves ? &fan_.from_target[e] : nullptr, looks);
  }
  const std::vector<StateId>* targets = &graph_.insert_announced();
  if (!trivial) targets = &carry_to(*targets, detail);
  for (const StateId to : *targets) fan_.targets.push_back(NodeId{static_cast<std::uint32_t>(to)});
  return fan_;
}

/// What the node carries goes with the edges to these states; returns the nodes.
const std::vector<StateId>& QuotientSpace::carry_to(const std::vector<StateId>& states,
                                                    Detail detail) {
  nodes_.forget_announced();
  for (std::size_t e = 0; e < states.size(); ++e) {
    there_.state = states[e];
    carry(here_, fan_.from_target[e], there_);
    if (!graph_.sorts()) {
      std::swap(looks_, looks_here_);
      find_looks(there_);
      sort_names(there_, detail == Detail::Permutations ? &fan_.from_target[e] : nullptr);
      std::swap(looks_, looks_here_);
    }
    pack(there_);
    nodes_.announce(words_.data());
  }
  return nodes_.insert_announced();
}

const std::vector<bool>& QuotientSpace::enabled(NodeId node) {
  look_at(node);
  const model::Successors& found = graph_.fireable(here_.state, sight());
  if (found.fault) throw StateFault{here_.state, *found.fault};
  enabled_.assign(num_processes_, false);
  for (const model::InstanceCode code : found.codes()) {
    enabled_[graph_.program().executed_process(code)] = true;
  }
  // What one process of a class can do, all can.
  for (std::size_t p = 0; p < num_processes_; ++p) {
    if (enabled_[refined_[p]]) enabled_[p] = true;
  }
  return enabled_;
}

std::unique_ptr<Space> Quotient::space(const Domain& domain, const Colouring& colouring) {
  return std::make_unique<QuotientSpace>(*this, domain, colouring);
}

}  // namespace

std::unique_ptr<Graph> make_quotient(const model::Program& program) {
  return std::make_unique<Quotient>(program);
}

}  // namespace cohort::quotient
