#include "quotient/listing.hpp"

#include <set>
#include <unordered_map>
#include <utility>

#include "quotient/graph.hpp"
#include "symmetry/apply.hpp"
#include "symmetry/canonical.hpp"

namespace cohort::quotient {
namespace {

/// Counts the states of an orbit.
class Orbits {
 public:
  explicit Orbits(const model::Program& program) : program_(program), canonical_(program) {}

  [[nodiscard]] std::optional<double> size(const model::Word* words,
                                           const std::vector<model::Value>& values) {
    return canonical_.sorts() ? std::optional(size_by_classes(words)) : size_by_counting(values);
  }

 private:
  /// Where processes are independent records, only exchanges of equal ones change nothing.
  [[nodiscard]] double size_by_classes(const model::Word* words) {
    std::vector<std::uint32_t> classes;
    canonical_.classes(words, classes);
    double size = 1;
    std::size_t first = 0;
    for (const lang::Module& module : program_.source().modules) {
      // n! / (c1! c2! …), a factor at a time.
      std::vector<double> members(classes.size(), 0);
      for (std::size_t i = 0; i < static_cast<std::size_t>(module.size); ++i) {
        size *= static_cast<double>(i + 1) / ++members[classes[first + i]];
      }
      first += static_cast<std::size_t>(module.size);
    }
    return size;
  }

  /// Exchanges of neighbours reach every state of the orbit.
  [[nodiscard]] std::optional<double> size_by_counting(const std::vector<model::Value>& values) {
    constexpr std::size_t most = 5000;
    std::set<std::vector<model::Value>> seen{values};
    std::vector<std::vector<model::Value>> queue{values};
    while (!queue.empty()) {
      const std::vector<model::Value> at = std::move(queue.back());
      queue.pop_back();
      std::size_t first = 0;
      for (const lang::Module& module : program_.source().modules) {
        for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(module.size); ++i) {
          Permutation swap = symmetry::identity(program_.num_processes());
          std::swap(swap[first + i], swap[first + i + 1]);
          std::vector<model::Value> next = symmetry::apply(program_, swap, at);
          if (!seen.insert(next).second) continue;
          if (seen.size() > most) return std::nullopt;
          queue.push_back(std::move(next));
        }
        first += static_cast<std::size_t>(module.size);
      }
    }
    return static_cast<double>(seen.size());
  }

  const model::Program& program_;
  symmetry::Canonicalizer canonical_;
};

class Lister {
 public:
  Lister(const model::Program& program, const ListingOptions& options, base::Limits& limits)
      : program_(program),
        options_(options),
        limits_(limits),
        graph_(options.symmetry ? make_quotient(program) : make_full_graph(program)),
        colouring_(one_colour(program)),
        space_(graph_->space({{}, options.symmetry && program.has_priorities()}, colouring_)),
        guards_(program),
        orbits_(program) {}

  [[nodiscard]] Listing run() {
    for (model::InitialStates initial{program_}; !initial.done(); initial.next()) {
      if (limits_.exceeded()) return stopped();
      const NodeId node = space_->enter(position(graph_->add(initial.words()).state));
      if (const std::optional<std::size_t> place = place_of(node)) {
        listing_.states[*place].initial = true;
      } else {
        break;
      }
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (limits_.exceeded()) return stopped();
      add_edges(i);
    }
    return std::move(listing_);
  }

 private:
  /// All processes look alike: the program without priorities.
  [[nodiscard]] static Colouring one_colour(const model::Program& program) {
    Colouring made;
    made.initial.assign(program.num_processes(), 0);
    for (const model::Schema& schema : program.schemas()) {
      made.ranks.emplace_back(schema.priority == nullptr ? 0 : 1, 0);
    }
    return made;
  }

  [[nodiscard]] Listing stopped() {
    listing_.complete = false;
    return std::move(listing_);
  }

  [[nodiscard]] Position position(StateId state) const {
    Position made;
    made.state = state;
    if (space_->domain().coloured) made.colours = colouring_.initial;
    return made;
  }

  /// Where a node is listed, now at the latest; none if there are too many.
  [[nodiscard]] std::optional<std::size_t> place_of(NodeId node) {
    const auto known = places_.find(node);
    if (known != places_.end()) return known->second;
    if (nodes_.size() >= options_.most_states) {
      listing_.complete = false;
      return std::nullopt;
    }
    places_.emplace(node, nodes_.size());
    nodes_.push_back(node);
    const model::Word* const words = graph_->store()[space_->state(node)];
    ListedState made;
    made.values.resize(program_.layout().num_instances());
    program_.layout().unpack(words, made.values.data());
    if (options_.symmetry) made.orbit = orbits_.size(words, made.values);
    listing_.states.push_back(std::move(made));
    return nodes_.size() - 1;
  }

  void add_edges(std::size_t from) {
    // A copy: finding a place may grow the store, and a guard asks for instances again.
    const Fan fan = space_->fan(nodes_[from], Detail::Permutations);
    if (fan.fault) {
      listing_.states[from].fault = fan.fault->fault;
      return;
    }
    for (std::size_t e = 0; e < fan.targets.size(); ++e) {
      const std::optional<std::size_t> to = place_of(fan.targets[e]);
      if (!to) {
        ++listing_.edges_left_out;
        continue;
      }
      ListedEdge edge{from, *to, program_.instance(fan.codes[e]), {}, {}};
      if (!fan.from_target.empty()) edge.from_target = fan.from_target[e];
      if (options_.symmetry) {
        edge.guard = guards_.of(graph_->store()[space_->state(nodes_[from])], edge.instance);
      }
      listing_.edges.push_back(std::move(edge));
    }
  }

  const model::Program& program_;
  ListingOptions options_;
  base::Limits& limits_;
  std::unique_ptr<Graph> graph_;
  Colouring colouring_;
  std::unique_ptr<Space> space_;
  Guards guards_;
  Orbits orbits_;
  std::vector<NodeId> nodes_;
  std::unordered_map<NodeId, std::size_t> places_;
  Listing listing_;
};

}  // namespace

Listing list_graph(const model::Program& program, const ListingOptions& options,
                   base::Limits& limits) {
  return Lister(program, options, limits).run();
}

}  // namespace cohort::quotient
