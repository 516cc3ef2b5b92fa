// The guarded quotient structure, the program, and what the searches walk on, against each other.
#include "quotient/guarded.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "lang/load.hpp"
#include "oracle/graph.hpp"
#include "quotient/colouring.hpp"
#include "support/random_program.hpp"
#include "symmetry/apply.hpp"

namespace cohort::quotient {
namespace {

using Values = std::vector<Value>;
using RealEdge = std::tuple<Values, base::SchemaId, std::vector<Value>, Values>;

constexpr std::size_t most_states = 1500;

/// Walks the guarded structure with the permutation that leads to the real state.
class Unwinding {
 public:
  explicit Unwinding(const model::Program& program) : program_(program), structure_(program) {}

  /// False if the structure has a fault somewhere: H may have one that G never meets.
  [[nodiscard]] bool run() {
    for (model::InitialStates initial{program_}; !initial.done(); initial.next()) {
      InitialState at = structure_.add(initial.words());
      meet(at.state, std::move(at.to_real));
    }
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      if (!visit(i)) return false;
    }
    return true;
  }
  [[nodiscard]] const std::set<RealEdge>& edges() const { return edges_; }
  [[nodiscard]] std::size_t num_states() const { return queue_.size(); }
  [[nodiscard]] std::size_t num_blocked() const { return num_blocked_; }

 private:
  struct Place {
    StateId state{};
    Permutation to_real;
    Values real;
  };

  Values meet(StateId state, Permutation to_real) {
    Values values(program_.instances().size());
    program_.layout().unpack(structure_.words(state), values.data());
    Values real = symmetry::apply(program_, to_real, values);
    if (seen_.insert(real).second) queue_.push_back({state, std::move(to_real), real});
    return real;
  }

  [[nodiscard]] bool visit(std::size_t number) {
    const Place place = queue_[number];
    const GuardedFan fan = structure_.edges(place.state);
    if (fan.fault) return false;
    for (const GuardedEdge& edge : fan.edges) {
      if (edge.guard && !edge.guard->holds(ranks(*edge.guard, place.to_real))) {
        ++num_blocked_;
        continue;
      }
      const model::Schema& schema = program_.schemas()[base::index_of(edge.instance.schema)];
      std::vector<Value> processes;
      for (std::size_t i = 0; i < edge.instance.processes.size(); ++i) {
        const std::size_t first = program_.process_number(schema.modules[i], 0);
        const auto local = static_cast<std::size_t>(edge.instance.processes[i]);
        processes.push_back(static_cast<Value>(place.to_real[first + local] - first));
      }
      Values after = meet(edge.target, symmetry::compose(place.to_real, edge.from_target));
      edges_.emplace(place.real, edge.instance.schema, std::move(processes), std::move(after));
    }
    return true;
  }

  /// The ranks that processes have, as the representative sees them.
  [[nodiscard]] std::vector<std::uint32_t> ranks(const Guard& guard,
                                                 const Permutation& to_real) const {
    const model::Schema& schema = program_.schemas()[base::index_of(guard.schema)];
    const std::size_t first = program_.process_number(guard.module, 0);
    std::vector<std::uint32_t> seen;
    for (std::size_t p = 0; p < schema.priority->ranks.size(); ++p) {
      seen.push_back(schema.priority->ranks[to_real[first + p] - first]);
    }
    return seen;
  }

  const model::Program& program_;
  GuardedQuotient structure_;
  std::vector<Place> queue_;
  std::set<Values> seen_;
  std::set<RealEdge> edges_;
  std::size_t num_blocked_ = 0;
};

/// Every permutation that maps each module onto itself; nothing if there are many.
std::vector<Permutation> all_permutations(const model::Program& program) {
  std::vector<Permutation> all{symmetry::identity(program.num_processes())};
  for (std::uint32_t m = 0; m < program.source().modules.size(); ++m) {
    const auto first = static_cast<std::ptrdiff_t>(program.process_number(lang::ModuleId{m}, 0));
    const auto end = first + static_cast<std::ptrdiff_t>(program.source().modules[m].size);
    std::vector<Permutation> more;
    for (Permutation made : all) {
      do {
        more.push_back(made);
      } while (std::next_permutation(made.begin() + first, made.begin() + end));
    }
    all = std::move(more);
    if (all.size() > 50) return {};
  }
  return all;
}

/// What positions have in common that a permutation maps to each other, by trying all of them.
class Orbits {
 public:
  using Key = std::pair<Values, std::vector<Colour>>;

  Orbits(const model::Program& program, const Graph& graph, const Space& space)
      : program_(program), graph_(graph), space_(space), group_(all_permutations(program)) {}

  [[nodiscard]] bool can_be_found() const { return !group_.empty(); }
  [[nodiscard]] const Key& of(NodeId node) {
    const auto known = keys_.find(node);
    if (known != keys_.end()) return known->second;
    Position position;
    space_.read(node, position);
    Values values(program_.instances().size());
    program_.layout().unpack(graph_.store()[position.state], values.data());
    std::optional<Key> least;
    for (const Permutation& permutation : group_) {
      Key key{symmetry::apply(program_, permutation, values), position.colours};
      for (std::size_t p = 0; p < permutation.size(); ++p) {
        key.second[permutation[p]] = position.colours[p];
      }
      if (!least || key < *least) least = std::move(key);
    }
    return keys_.emplace(node, *least).first->second;
  }

 private:
  const model::Program& program_;
  const Graph& graph_;
  const Space& space_;
  std::vector<Permutation> group_;
  std::map<NodeId, Key> keys_;
};

/// Walks a space with the colours of the priorities and compares every fan with the guarded edges
/// of its state; returns how many nodes there were.
std::size_t compare_fans(const model::Program& program) {
  const Colouring colouring = make_colouring(program, nullptr);
  const std::unique_ptr<Graph> graph = make_quotient(program);
  const std::unique_ptr<Space> space = graph->space({{}, true}, colouring);
  Orbits orbits{program, *graph, *space};
  if (!orbits.can_be_found()) return 0;
  GuardedQuotient structure{program};
  std::vector<NodeId> queue;
  std::set<NodeId> seen;
  const auto enter = [&](StateId state, const std::vector<Colour>& colours,
                         const Permutation& from_state) {
    Position position{state, {}, colours};
    for (std::size_t p = 0; p < colours.size(); ++p) position.colours[p] = colours[from_state[p]];
    return space->enter(position);
  };
  const auto meet = [&](NodeId node) {
    if (seen.insert(node).second) queue.push_back(node);
  };
  for (model::InitialStates initial{program}; !initial.done(); initial.next()) {
    const InitialState at = graph->add(initial.words());
    meet(enter(at.state, colouring.initial, at.to_real));
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    Position here;
    space->read(queue[i], here);
    const Fan fan = space->fan(queue[i], Detail::Targets);
    if (fan.fault) break;
    std::set<Orbits::Key> walked;
    for (const NodeId target : fan.targets) {
      meet(target);
      walked.insert(orbits.of(target));
    }
    std::set<Orbits::Key> guarded;
    const GuardedFan all = structure.edges(structure.add(graph->store()[here.state]).state);
    if (all.fault) break;
    for (const GuardedEdge& edge : all.edges) {
      if (edge.guard) {
        const auto& by_colour = colouring.ranks[base::index_of(edge.guard->schema)];
        const std::size_t first = program.process_number(edge.guard->module, 0);
        std::vector<std::uint32_t> ranks;
        for (std::int64_t p = 0; p < program.source()[edge.guard->module].size; ++p) {
          ranks.push_back(by_colour[here.colours[first + static_cast<std::size_t>(p)]]);
        }
        if (!edge.guard->holds(ranks)) continue;
      }
      const InitialState target = graph->add(structure.words(edge.target));
      guarded.insert(orbits.of(enter(target.state, here.colours, edge.from_target)));
    }
    CHECK(walked == guarded);
  }
  return queue.size();
}

struct Case {
  std::string text;
  lang::Loaded loaded;
};

Case random_case(std::uint64_t seed) {
  base::Random random{seed};
  Case made;
  made.text = support::random_program(random, {.most_bits = 10}).text;
  made.loaded = lang::load_text("random.coh", made.text, {});
  return made;
}

}  // namespace

TEST_CASE("walking the guarded quotient with its guards gives the edges of the program, exactly",
          "[quotient][random]") {
  std::size_t compared = 0;
  std::size_t blocked = 0;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    const Case made = random_case(seed);
    if (!made.loaded.ok()) continue;
    const std::optional<oracle::Graph> full =
        oracle::build(oracle::Semantics{made.loaded.program}, most_states);
    if (!full || full->has_faults()) continue;
    CAPTURE(seed, made.text);
    std::set<RealEdge> expected;
    for (const oracle::Node& node : full->nodes) {
      for (const oracle::Edge& edge : node.edges) {
        expected.emplace(node.state, edge.instance.schema, edge.instance.processes,
                         full->nodes[edge.to].state);
      }
    }
    const model::Program program{made.loaded.program};
    Unwinding unwinding{program};
    if (!unwinding.run()) continue;
    ++compared;
    blocked += unwinding.num_blocked();
    CHECK(unwinding.num_states() == full->nodes.size());
    CHECK(unwinding.edges() == expected);
  }
  CHECK(compared > 120);
  CHECK(blocked > 500);
}

TEST_CASE("the searches walk the guarded edges whose guards hold for the colours",
          "[quotient][random]") {
  std::size_t nodes = 0;
  for (std::uint64_t seed = 1000; seed <= 1200; ++seed) {
    const Case made = random_case(seed);
    if (!made.loaded.ok()) continue;
    if (!oracle::build(oracle::Semantics{made.loaded.program}, most_states)) continue;
    CAPTURE(seed, made.text);
    nodes += compare_fans(model::Program{made.loaded.program});
  }
  CHECK(nodes > 2000);
}

}  // namespace cohort::quotient
