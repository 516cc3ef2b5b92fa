// Figures 1 to 5 of Wang's thesis: mutual exclusion of two processes, written N, T and C for the
// sections that they are in.
//
// The drawings are not part of the thesis' text that we have; its sections 1.1 to 1.3 define what
// is drawn, and the numbers follow from there.  Both processes in the critical section is
// impossible, so G has 3 * 3 - 1 = 8 states.  Its edges: N to T is always possible (2 from NN, 1
// from each of NT, TN, NC, CN), T to C unless somebody is in C (1 from each of NT, TN, 2 from TT),
// C to N always (1 from each of CN, NC, CT, TC): 6 + 4 + 4 = 14.  The orbits are NN, NT, TT, NC,
// TC.  The quotient structure has an edge for each pair of orbits that an edge of G connects:
// NN-NT, NT-TT, NT-NC, TT-TC, NC-TC, NC-NN, TC-NT.  The annotated one has a labelled edge for each
// edge of G that leaves a representative: 2 + 2 + 2 + 2 + 1 = 9.  With priorities G lacks one edge,
// the admission of the second process while both try; H is the graph of figure 1, and "two edges
// have non-trivial edge conditions": those that leave TT.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "lang/load.hpp"
#include "oracle/graph.hpp"
#include "quotient/guarded.hpp"
#include "quotient/listing.hpp"

namespace cohort::quotient {
namespace {

lang::Loaded load_model(const std::string& name) {
  lang::LoadRequest request;
  request.model = COHORT_SOURCE_DIR "/models/" + name;
  return lang::load(request);
}

struct Model {
  explicit Model(const std::string& name) : loaded(load_model(name)), program(loaded.program) {
    REQUIRE(loaded.ok());
  }
  [[nodiscard]] Listing list(bool symmetry,
                             GuardedQuotient::Edges edges = GuardedQuotient::Edges::All) const {
    base::Limits limits;
    Listing listing = list_graph(program, {.symmetry = symmetry, .edges = edges}, limits);
    CHECK(listing.complete);
    return listing;
  }
  [[nodiscard]] oracle::Graph full() const {
    return *oracle::build(oracle::Semantics{loaded.program}, 100);
  }

  lang::Loaded loaded;
  model::Program program;
};

/// As in the thesis: the sections of process 0 and process 1.
std::string sections(const ListedState& state) {
  const char* const letters = "NTC";
  return {letters[state.values[0]], letters[state.values[1]]};
}

std::size_t num_guards(const Listing& listing) {
  return static_cast<std::size_t>(std::ranges::count_if(
      listing.edges, [](const ListedEdge& edge) { return edge.guard.has_value(); }));
}

}  // namespace

TEST_CASE("figure 1: the graph of mutual exclusion has 8 states and 14 edges", "[quotient]") {
  const Model model{"mutual_exclusion.coh"};
  const Listing listing = model.list(false);
  CHECK(listing.states.size() == 8);
  CHECK(listing.edges.size() == 14);
  CHECK(model.full().nodes.size() == 8);
  CHECK(model.full().num_edges() == 14);
}

TEST_CASE("figure 2: its quotient has 5 states and 7 edges", "[quotient]") {
  const Model model{"mutual_exclusion.coh"};
  const Listing listing = model.list(true);
  CHECK(listing.states.size() == 5);
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (const ListedEdge& edge : listing.edges) pairs.emplace(edge.from, edge.to);
  CHECK(pairs.size() == 7);
  // Orbits of one or two states, all of them together.
  std::map<std::string, double> orbits;
  double states = 0;
  for (const ListedState& state : listing.states) {
    orbits[sections(state)] = *state.orbit;
    states += *state.orbit;
  }
  CHECK(orbits ==
        std::map<std::string, double>{{"NN", 1}, {"NT", 2}, {"TT", 1}, {"NC", 2}, {"TC", 2}});
  CHECK(states == 8);
  // One edge stands for those that exchanging the processes maps to each other.
  CHECK(model.list(true, GuardedQuotient::Edges::Thinned).edges.size() == 7);
}

TEST_CASE("figure 3: annotated with permutations it has 9 edges and no guards", "[quotient]") {
  const Listing listing = Model{"mutual_exclusion.coh"}.list(true);
  std::set<std::tuple<std::size_t, std::size_t, Permutation>> edges;
  std::size_t flips = 0;
  for (const ListedEdge& edge : listing.edges) {
    edges.emplace(edge.from, edge.to, edge.from_target);
    // The arbiter is process 0 among all.
    const bool is_flip = edge.from_target == Permutation{0, 2, 1};
    CHECK((is_flip || edge.from_target == Permutation{0, 1, 2}));
    if (is_flip) ++flips;
  }
  CHECK(listing.edges.size() == 9);
  CHECK(edges.size() == 9);
  // Sorted, a representative has N before T before C.  The first process overtakes the second:
  // from NN to TN, from TT to CT; and the second falls behind: from TC to TN.
  CHECK(flips == 3);
  CHECK(num_guards(listing) == 0);
}

TEST_CASE("figure 4: with priorities the graph has 8 states and 13 edges", "[quotient]") {
  const Model model{"mutual_exclusion_priority.coh"};
  const Listing listing = model.list(false);
  CHECK(listing.states.size() == 8);
  CHECK(listing.edges.size() == 13);
  CHECK(model.full().nodes.size() == 8);
  CHECK(model.full().num_edges() == 13);
}

TEST_CASE("figure 5: the guarded quotient has 5 states, 9 edges, and 2 of them have guards",
          "[quotient]") {
  const Model model{"mutual_exclusion_priority.coh"};
  const Listing listing = model.list(true);
  CHECK(listing.states.size() == 5);
  CHECK(listing.edges.size() == 9);
  std::set<std::string> guards;
  for (const ListedEdge& edge : listing.edges) {
    if (!edge.guard) continue;
    CHECK(sections(listing.states[edge.from]) == "TT");
    CHECK(sections(listing.states[edge.to]) == "TC");
    guards.insert(to_string(*edge.guard, model.loaded.program));
    // T1 and C1': it may be taken for the process that ranks first.
    CHECK(edge.guard->holds({0, 1}) == (edge.guard->process == 0));
    CHECK(edge.guard->holds({1, 0}) == (edge.guard->process == 1));
    CHECK(edge.guard->holds({0, 0}));
  }
  CHECK(guards == std::set<std::string>{"process(0) is outranked by none of process(1)",
                                        "process(1) is outranked by none of process(0)"});
}

}  // namespace cohort::quotient
