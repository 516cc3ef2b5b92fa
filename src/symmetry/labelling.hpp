// Canonical labels of a coloured graph: the door to bliss.
//
//   ColouredGraph graph;
//   const unsigned a = graph.add_vertex(0);
//   const unsigned b = graph.add_vertex(1);
//   graph.add_edge(a, b);
//   graph.labels()   // by vertex: its number in the canonical form
//
// Graphs that a renaming of vertices maps to each other, colours included, have one canonical form:
// vertices with one label are mapped to each other by such a renaming.
#pragma once

#include <memory>
#include <vector>

namespace cohort::symmetry {

class ColouredGraph {
 public:
  ColouredGraph();
  ~ColouredGraph();
  ColouredGraph(const ColouredGraph&) = delete;
  ColouredGraph& operator=(const ColouredGraph&) = delete;

  unsigned add_vertex(unsigned colour);
  void add_edge(unsigned a, unsigned b);
  [[nodiscard]] std::vector<unsigned> labels();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
  unsigned size_ = 0;
};

}  // namespace cohort::symmetry
