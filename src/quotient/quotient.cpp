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
#include <numeric>
#include <utility>

#include "quotient/graph.hpp"
#include "symmetry/canonical.hpp"

namespace cohort::quotient {
namespace {

using model::Thinning;
using model::Word;

class Quotient final : public Graph {
 public:
  explicit Quotient(const model::Program& program)
      : Graph(program), canonical_(program), buffer_(program.layout().num_words()) {}

  [[nodiscard]] std::unique_ptr<Space> space(const Domain& domain,
                                             const Colouring& colouring) override;
  [[nodiscard]] InitialState add(const Word* words) override {
    InitialState made;
    made.state = insert(words, &made.to_real);
    return made;
  }
  const std::vector<std::uint32_t>& classes(StateId state) override {
    if (classes_of_ != state) canonical_.classes(store_[state], classes_);
    classes_of_ = state;
    return classes_;
  }
  [[nodiscard]] bool moves_processes() const override { return true; }

  [[nodiscard]] StateId insert(const Word* words, Permutation* from_representative) {
    std::copy_n(words, buffer_.size(), buffer_.begin());
    canonical_(buffer_.data(), from_representative);
    return store_.insert(buffer_.data()).id;
  }
  using Graph::expand;
  using Graph::fireable;

 private:
  symmetry::Canonicalizer canonical_;
  std::vector<Word> buffer_;
  std::vector<std::uint32_t> classes_;
  StateId classes_of_ = model::no_state;
};

class QuotientSpace final : public Space {
 public:
  QuotientSpace(Quotient& graph, const Domain& domain, const Colouring& colouring)
      : Space(domain),
        graph_(graph),
        colouring_(colouring),
        num_processes_(graph.program().num_processes()),
        colours_at_(1 + (domain.variables.size() + 1) / 2),
        width_(colours_at_ + (domain.coloured ? (num_processes_ + 3) / 4 : 0)),
        nodes_(width_),
        words_(width_) {
    for (std::size_t m = 0; m < graph.program().source().modules.size(); ++m) {
      first_processes_.push_back(
          graph.program().process_number(lang::ModuleId{static_cast<std::uint32_t>(m)}, 0));
    }
  }

  [[nodiscard]] bool moves_processes() const override { return true; }
  [[nodiscard]] NodeId enter(const Position& position) override {
    if (domain().is_trivial()) return NodeId{static_cast<std::uint32_t>(position.state)};
    here_ = position;
    sort_names(here_, nullptr);
    return insert(here_);
  }
  [[nodiscard]] NodeId enter(const Position& position, Permutation& from_node) override {
    from_node = symmetry::identity(num_processes_);
    if (domain().is_trivial()) return NodeId{static_cast<std::uint32_t>(position.state)};
    here_ = position;
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
    read(node, here_);
    find_classes(here_);
    return refined_;
  }

 private:
  [[nodiscard]] const Word* words_of(NodeId node) const {
    return nodes_[StateId{static_cast<std::uint32_t>(node)}];
  }
  [[nodiscard]] NodeId insert(const Position& position);
  /// What a process is called besides its colour: the variables that stand for it.
  [[nodiscard]] std::uint64_t names(const Position& position, std::size_t process) const;
  void sort_names(Position& position, Permutation* from_node);
  void find_classes(const Position& position);
  void find_thinning();
  [[nodiscard]] model::Sight sight() const;

  Quotient& graph_;
  const Colouring& colouring_;
  std::size_t num_processes_;
  std::size_t colours_at_;  // in a node's words, behind the state and the evaluation
  std::size_t width_;
  model::Store nodes_;
  std::vector<Word> words_;
  std::vector<std::size_t> first_processes_;  // by module
  Position here_;
  Position there_;
  std::vector<std::uint32_t> refined_;
  Thinning thinning_;
  std::vector<std::uint32_t> last_of_class_;
  Fan fan_;
  std::vector<bool> enabled_;
  // For sort_names.
  std::vector<std::pair<std::pair<Colour, std::uint64_t>, std::uint32_t>> members_;
  std::vector<std::uint32_t> moved_;
};

NodeId QuotientSpace::insert(const Position& position) {
  std::ranges::fill(words_, 0);
  words_[0] = static_cast<Word>(position.state);
  for (std::size_t i = 0; i < position.processes.size(); ++i) {
    words_[1 + i / 2] |= static_cast<Word>(position.processes[i]) << (32 * (i % 2));
  }
  for (std::size_t i = 0; i < position.colours.size(); ++i) {
    words_[colours_at_ + i / 4] |= static_cast<Word>(position.colours[i]) << (16 * (i % 4));
  }
  return NodeId{static_cast<std::uint32_t>(nodes_.insert(words_.data()).id)};
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
  for (std::size_t i = 0; i < position.colours.size(); ++i) {
    position.colours[i] = static_cast<Colour>(words[colours_at_ + i / 4] >> (16 * (i % 4)));
  }
}

std::uint64_t QuotientSpace::names(const Position& position, std::size_t process) const {
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < position.processes.size(); ++i) {
    const std::size_t named = first_processes_[base::index_of(domain().variables[i])] +
                              static_cast<std::size_t>(position.processes[i]);
    // Variables beyond the 63rd share a bit: they only make fewer positions equal.
    if (named == process) found |= std::uint64_t{1} << std::min<std::size_t>(i, 63);
  }
  return found;
}

/// Brings the colours and the evaluation into the order that is canonical among the symmetries of
/// the state: within a class of its processes, ascending by colour and names.
void QuotientSpace::sort_names(Position& position, Permutation* from_node) {
  const std::vector<std::uint32_t>& classes = graph_.classes(position.state);
  const auto key = [&](std::size_t p) {
    return std::pair{position.colours.empty() ? Colour{0} : position.colours[p],
                     names(position, p)};
  };
  // Classes whose members may look different: all with colours, else those with a named process.
  members_.clear();
  if (position.colours.empty()) {
    for (std::size_t i = 0; i < position.processes.size(); ++i) {
      const std::size_t named = first_processes_[base::index_of(domain().variables[i])] +
                                static_cast<std::size_t>(position.processes[i]);
      const auto has_class = [&](const auto& member) {
        return classes[member.second] == classes[named];
      };
      if (std::ranges::any_of(members_, has_class)) continue;
      for (std::size_t p = classes[named]; p < num_processes_; ++p) {
        if (classes[p] == classes[named]) {
          members_.emplace_back(key(p), static_cast<std::uint32_t>(p));
        }
      }
    }
  } else {
    for (std::size_t p = 0; p < num_processes_; ++p) {
      members_.emplace_back(key(p), static_cast<std::uint32_t>(p));
    }
  }
  const auto in_class = [&](const auto& a, const auto& b) {
    return classes[a.second] != classes[b.second] ? classes[a.second] < classes[b.second]
                                                  : a.second < b.second;
  };
  const auto by_key = [&](const auto& a, const auto& b) {
    return classes[a.second] != classes[b.second] ? classes[a.second] < classes[b.second] : a < b;
  };
  std::ranges::sort(members_, in_class);
  if (std::ranges::is_sorted(members_, by_key)) return;
  std::vector<std::uint32_t> places;
  places.reserve(members_.size());
  for (const auto& member : members_) places.push_back(member.second);
  std::ranges::sort(members_, by_key);
  moved_.resize(num_processes_);
  std::iota(moved_.begin(), moved_.end(), 0U);
  Permutation change = symmetry::identity(num_processes_);
  for (std::size_t i = 0; i < members_.size(); ++i) {
    change[places[i]] = members_[i].second;  // who stands at this place now
    moved_[members_[i].second] = places[i];  // where a process has gone
    if (!position.colours.empty()) position.colours[places[i]] = members_[i].first.first;
  }
  for (std::size_t i = 0; i < position.processes.size(); ++i) {
    const std::size_t first = first_processes_[base::index_of(domain().variables[i])];
    position.processes[i] =
        static_cast<Value>(moved_[first + static_cast<std::size_t>(position.processes[i])] - first);
  }
  if (from_node != nullptr) *from_node = symmetry::compose(*from_node, change);
}

/// Classes of processes that can be exchanged without changing the position.
void QuotientSpace::find_classes(const Position& position) {
  refined_ = graph_.classes(position.state);
  if (domain().is_trivial()) return;
  // A process joins the last one of its class if they look alike; looks are sorted, except where
  // classes are not made of neighbours: then the last look decides, which only makes more classes.
  last_of_class_.assign(num_processes_, Thinning::none);
  for (std::uint32_t p = 0; p < num_processes_; ++p) {
    const std::uint32_t type = refined_[p];
    const std::uint32_t last = std::exchange(last_of_class_[type], p);
    refined_[p] = p;
    if (last == Thinning::none) continue;
    const bool same_colour =
        position.colours.empty() || position.colours[p] == position.colours[last];
    if (same_colour && names(position, p) == names(position, last)) refined_[p] = refined_[last];
  }
}

void QuotientSpace::find_thinning() {
  thinning_.next.assign(num_processes_, Thinning::none);
  thinning_.firsts.resize(first_processes_.size());
  last_of_class_.assign(num_processes_, Thinning::none);
  for (std::size_t m = 0; m < first_processes_.size(); ++m) {
    thinning_.firsts[m].clear();
    const std::size_t end =
        m + 1 < first_processes_.size() ? first_processes_[m + 1] : num_processes_;
    for (std::size_t i = first_processes_[m]; i < end; ++i) {
      const auto p = static_cast<std::uint32_t>(i);
      const std::uint32_t last = std::exchange(last_of_class_[refined_[p]], p);
      if (last == Thinning::none) {
        thinning_.firsts[m].push_back(p);
      } else {
        thinning_.next[last] = p;
      }
    }
  }
}

model::Sight QuotientSpace::sight() const {
  model::Sight made;
  made.thinning = &thinning_;
  if (domain().coloured) {
    made.colours = here_.colours.data();
    made.ranks = &colouring_.ranks;
  }
  return made;
}

const Fan& QuotientSpace::fan(NodeId node, Detail detail) {
  read(node, here_);
  find_classes(here_);
  find_thinning();
  const model::Successors& found = graph_.expand(here_.state, sight());
  fan_.fault = found.fault;
  fan_.targets.clear();
  fan_.from_target.clear();
  if (fan_.fault) return fan_;
  const bool trivial = domain().is_trivial();
  const bool wanted = detail == Detail::Permutations;
  if (wanted) fan_.codes = found.codes();
  Permutation from_representative;
  for (std::size_t e = 0; e < found.size(); ++e) {
    Permutation* const permutation = trivial && !wanted ? nullptr : &from_representative;
    there_.state = graph_.insert(found.target(e), permutation);
    if (trivial) {
      fan_.targets.push_back(NodeId{static_cast<std::uint32_t>(there_.state)});
      if (wanted) fan_.from_target.push_back(from_representative);
      continue;
    }
    there_.colours.resize(here_.colours.size());
    for (std::size_t p = 0; p < there_.colours.size(); ++p) {
      there_.colours[p] = here_.colours[from_representative[p]];
    }
    there_.processes.resize(here_.processes.size());
    for (std::size_t i = 0; i < there_.processes.size(); ++i) {
      const std::size_t first = first_processes_[base::index_of(domain().variables[i])];
      const auto named =
          static_cast<std::uint32_t>(first + static_cast<std::size_t>(here_.processes[i]));
      const auto place = std::ranges::find(from_representative, named);
      there_.processes[i] =
          static_cast<Value>(static_cast<std::size_t>(place - from_representative.begin()) - first);
    }
    sort_names(there_, wanted ? &from_representative : nullptr);
    fan_.targets.push_back(insert(there_));
    if (wanted) fan_.from_target.push_back(from_representative);
  }
  return fan_;
}

const std::vector<bool>& QuotientSpace::enabled(NodeId node) {
  read(node, here_);
  find_classes(here_);
  find_thinning();
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
