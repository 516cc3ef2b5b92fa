#include "symmetry/labelling.hpp"

#include <bliss/graph.hh>

namespace cohort::symmetry {

class ColouredGraph::Implementation {
 public:
  bliss::Graph graph;
};

ColouredGraph::ColouredGraph() : implementation_(std::make_unique<Implementation>()) {}
ColouredGraph::~ColouredGraph() = default;

unsigned ColouredGraph::add_vertex(unsigned colour) {
  ++size_;
  return implementation_->graph.add_vertex(colour);
}

void ColouredGraph::add_edge(unsigned a, unsigned b) { implementation_->graph.add_edge(a, b); }

std::vector<unsigned> ColouredGraph::labels() {
  bliss::Stats stats;
  const unsigned* const found = implementation_->graph.canonical_form(stats, nullptr, nullptr);
  return {found, found + size_};
}

}  // namespace cohort::symmetry
