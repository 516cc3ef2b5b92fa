#include "quotient/graph.hpp"
namespace cohort::quotient {
std::unique_ptr<Graph> make_quotient(const model::Program& program) { return make_full_graph(program); }
}
