#include "ltl/components.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

namespace cohort::ltl {

Components components(const Graph& graph) {
  using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  BoostGraph copy(graph.size());
  for (std::uint32_t v = 0; v < graph.size(); ++v) {
    for (const std::uint32_t w : graph[v]) boost::add_edge(v, w, copy);
  }
  Components found;
  found.of.resize(graph.size());
  const std::size_t count = boost::strong_components(
      copy,
      boost::make_iterator_property_map(found.of.begin(), boost::get(boost::vertex_index, copy)));
  found.has_cycle.assign(count, false);
  std::vector<bool> seen(count, false);
  for (std::uint32_t v = 0; v < graph.size(); ++v) {
    const std::uint32_t c = found.of[v];
    if (seen[c]) found.has_cycle[c] = true;  // a second vertex
    seen[c] = true;
    for (const std::uint32_t w : graph[v]) {
      if (w == v) found.has_cycle[c] = true;
    }
  }
  return found;
}

}  // namespace cohort::ltl
