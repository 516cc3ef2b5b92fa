// Weak process fairness of a component.
//
// Idea.  A path that goes through everything in a component again and again is as fair as any: so
// the component is fair if every process is executed by one of its edges, or disabled in one of its
// nodes.  On the quotient "a process" is not the same number everywhere: walking an edge renames
// it.  Follow the names: (node, process) belongs together with (next node, its name there), and
// with the processes that a symmetry of the node can exchange it for.  The classes of that relation
// are the processes of the component; each has to be executed or disabled somewhere.
//
// Trap.  A symmetry of a node maps the component of the unwound graph to itself, for it fixes a
// state of it.  That is why exchangeable processes belong together, and why an edge that stands for
// its images under symmetries is enough. Source.  Gyuris and Sistla 1999; Wang 2004, section 4.4,
// whose procedure is wrong (semantics.md).
#include "cctl/fairness.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace cohort::cctl {
namespace {

using quotient::Detail;
using quotient::Fan;
using quotient::NodeId;
using quotient::Space;

class Component {
 public:
  Component(Space& space, const std::vector<NodeId>& nodes, const model::Program& program)
      : space_(space), nodes_(nodes), program_(program), moving_(space.moves_processes()) {
    for (std::size_t i = 0; i < nodes.size(); ++i) index_.emplace(nodes[i], i);
  }

  [[nodiscard]] bool is_fair() {
    parents_.resize(program_.num_processes() * (moving_ ? nodes_.size() : 1));
    std::iota(parents_.begin(), parents_.end(), std::size_t{0});
    served_.assign(parents_.size(), false);
    for (std::size_t i = 0; i < nodes_.size(); ++i) visit(i);
    for (std::size_t p = 0; p < parents_.size(); ++p) {
      if (parents_[p] == p && !served_[p]) return false;
    }
    return true;
  }

 private:
  void visit(std::size_t node) {
    const Fan& fan = space_.fan(nodes_[node], Detail::Permutations);
    if (fan.fault) throw quotient::StateFault{space_.state(nodes_[node]), *fan.fault};
    for (std::size_t e = 0; e < fan.targets.size(); ++e) {
      const auto target = index_.find(fan.targets[e]);
      if (target == index_.end()) continue;
      serve(node, program_.executed_process(fan.codes[e]));
      if (moving_) follow(node, target->second, fan.from_target[e]);
    }
    const std::vector<bool>& enabled = space_.enabled(nodes_[node]);
    for (std::size_t p = 0; p < enabled.size(); ++p) {
      if (!enabled[p]) serve(node, p);
    }
    if (!moving_) return;
    const std::vector<std::uint32_t>& classes = space_.classes(nodes_[node]);
    first_of_class_.assign(classes.size(), SIZE_MAX);
    for (std::size_t p = 0; p < classes.size(); ++p) {
      std::size_t& first = first_of_class_[classes[p]];
      if (first == SIZE_MAX) first = p;
      unite(at(node, p), at(node, first));
    }
  }

  [[nodiscard]] std::size_t at(std::size_t node, std::size_t process) const {
    return moving_ ? node * program_.num_processes() + process : process;
  }
  void serve(std::size_t node, std::size_t process) { served_[root(at(node, process))] = true; }
  void follow(std::size_t node, std::size_t target, const symmetry::Permutation& from_target) {
    for (std::size_t p = 0; p < from_target.size(); ++p) {
      unite(at(target, p), at(node, from_target[p]));
    }
  }

  [[nodiscard]] std::size_t root(std::size_t p) {
    while (parents_[p] != p) {
      parents_[p] = parents_[parents_[p]];
      p = parents_[p];
    }
    return p;
  }
  void unite(std::size_t a, std::size_t b) {
    const std::size_t first = root(a);
    const std::size_t second = root(b);
    if (first == second) return;
    parents_[second] = first;
    if (served_[second]) served_[first] = true;
  }

  Space& space_;
  const std::vector<NodeId>& nodes_;
  const model::Program& program_;
  bool moving_;  // a process has a name of its own in each node
  std::unordered_map<NodeId, std::size_t> index_;
  std::vector<std::size_t> parents_;
  std::vector<bool> served_;
  std::vector<std::size_t> first_of_class_;
};

}  // namespace

bool is_fair(Space& space, const std::vector<NodeId>& component, const model::Program& program) {
  return Component(space, component, program).is_fair();
}

}  // namespace cohort::cctl
