#include "cctl/counted_fault.hpp"

#include <algorithm>
#include <utility>

#include "cctl/counted_trail.hpp"
#include "cctl/counted_walk.hpp"
#include "cctl/fault_path.hpp"
#include "quotient/counted_initial.hpp"

namespace cohort::cctl {

using quotient::CountedInitial;
using quotient::CountedSpace;

std::optional<ModelError> nearest_counted_fault(CountedSpace& space,
                                                const quotient::Colouring& colouring,
                                                base::Limits& limits) {
  quotient::CountedGraph& graph = space.graph();
  const quotient::Colouring* const colours = space.domain().coloured ? &colouring : nullptr;
  model::Crowd crowd;
  std::vector<Value> places;
  const auto enter = [&](CountedInitial& initial) {
    initial.fill(crowd, places);
    return space.enter(crowd, {});
  };
  CountedInitial all{graph, colours, {}};
  const auto starts = [&] {
    if (all.done()) return quotient::no_node;
    const NodeId node = enter(all);
    all.next();
    return node;
  };
  const std::optional<Way> way = nearest(space, starts, {}, limits);
  if (!way) return std::nullopt;
  CountedInitial initial{graph, colours, {}};
  for (std::size_t i = 0; i < way->start; ++i) initial.next();
  CountedTrail trail{graph, initial};
  trail.dress(colours, {});
  ModelError made;
  NodeId node = enter(initial);
  try {
    for (const std::size_t edge : way->edges) node = trail.step(space, node, edge, {});
  } catch (const TooLong&) {
    return std::nullopt;
  }
  const model::InstanceFault found = *space.fan(node, quotient::Detail::Targets).fault;
  made.fault = found.fault;
  made.schema =
      base::SchemaId{static_cast<std::uint32_t>(graph.program().schema_of(found.instance))};
  made.processes = trail.cast(space.crowd(), space.faulty());
  made.path = std::move(trail.evidence());
  return made;
}

namespace {

/// Looks for a way from an initial state, and a choice of processes for the variables of a
/// sub-formula there, to a fault of that.
class FormulaFaultSearch {
 public:
  FormulaFaultSearch(CountedEvaluator& evaluator, FormulaId id, CountedSpace& space)
      : evaluator_(evaluator), formula_(evaluator.formula()), id_(id), space_(space) {
    for (const std::uint32_t slot : formula_[id].variables) {
      if (slot >= formula_.source().num_free) bound_.push_back(binder_of(slot));
    }
  }

  [[nodiscard]] std::optional<Evidence> run(base::Limits& limits) {
    CountedInitial initial{evaluator_.graph(), colours(), evaluator_.named()};
    std::vector<NodeId> starts;
    std::size_t next = 0;
    const auto next_start = [&] {
      while (next == starts.size()) {
        if (initial.done()) return quotient::no_node;
        starts.clear();
        next = 0;
        Frame frame = evaluator_.root_frame(initial);
        for_each_choice(frame, [&](const Choices& /*choices*/) {
          starts.push_back(enter(frame));
          return false;
        });
        initial.next();
      }
      return starts[next++];
    };
    const auto is_there = [&](NodeId node) { return is_fault(node); };
    const std::optional<Way> way = nearest(space_, next_start, is_there, limits);
    if (!way) return std::nullopt;
    return walk(*way);
  }

 private:
  using Choices = std::vector<Evaluator::Candidate>;  // by bound_

  [[nodiscard]] FormulaId binder_of(std::uint32_t slot) const {
    FormulaId id = 0;
    const auto binds = [&](const FormulaNode& node) {
      return (node.kind == Kind::Forall || node.kind == Kind::Exists || node.kind == Kind::Count) &&
             node.slot == slot;
    };
    while (!binds(formula_[id])) ++id;
    return id;
  }

  [[nodiscard]] const quotient::Colouring* colours() const {
    const bool coloured = formula_[formula_.root()].coloured || space_.domain().coloured;
    return coloured ? &evaluator_.colouring() : nullptr;
  }

  [[nodiscard]] NodeId enter(const Frame& frame) {
    std::vector<Value> places;
    for (const std::uint32_t slot : formula_[id_].variables) places.push_back(frame.slots[slot]);
    return space_.enter(frame.crowd, places);
  }

  [[nodiscard]] bool is_fault(NodeId node) {
    evaluator_.read(space_, formula_[id_].variables, node, frame_);
    return evaluator_.is_fault(id_, frame_);
  }

  /// Visits every choice while it is bound in the frame, until one is enough.  Recurses once for
  /// each variable.
  template <typename Visit>
  bool for_each_choice(Frame& frame, const Visit& visit) {
    Choices choices;
    return choose_from(frame, choices, visit);
  }
  template <typename Visit>
  bool choose_from(Frame& frame, Choices& choices, const Visit& visit) {
    if (choices.size() == bound_.size()) return visit(choices);
    const FormulaId binder = bound_[choices.size()];
    for (const Evaluator::Candidate& candidate : evaluator_.candidates(binder, frame)) {
      evaluator_.bind(binder, candidate, frame);
      choices.push_back(candidate);
      const bool is_enough = choose_from(frame, choices, visit);
      choices.pop_back();
      evaluator_.release(binder, candidate, frame);
      if (is_enough) return true;
    }
    return false;
  }

  [[nodiscard]] std::optional<Evidence> walk(const Way& way) {
    CountedInitial initial{evaluator_.graph(), colours(), evaluator_.named()};
    std::size_t left = way.start;
    std::optional<Choices> chosen;
    for (; !chosen; initial.next()) {
      Frame frame = evaluator_.root_frame(initial);
      for_each_choice(frame, [&](const Choices& choices) {
        if (left-- > 0) return false;
        chosen = choices;
        return true;
      });
      if (chosen) break;
    }
    CountedWalk walk{evaluator_, initial, colours()};
    Frame frame = evaluator_.root_frame(initial);
    for (std::size_t i = 0; i < bound_.size(); ++i) {
      evaluator_.bind(bound_[i], (*chosen)[i], frame);
      (void)walk.choose(bound_[i], (*chosen)[i], frame);
    }
    try {
      NodeId node = walk.enter(space_, formula_[id_].variables, frame);
      for (const std::size_t edge : way.edges) node = walk.trail().step(space_, node, edge, {});
    } catch (const TooLong&) {
      return std::nullopt;
    }
    return std::move(walk.evidence());
  }

  CountedEvaluator& evaluator_;
  const Formula& formula_;
  FormulaId id_;
  CountedSpace& space_;
  std::vector<FormulaId> bound_;  // the quantifiers of the variables that are not free
  Frame frame_;
};

}  // namespace

std::optional<Evidence> path_to_counted_fault(CountedEvaluator& evaluator, FormulaId id,
                                              CountedSpace& space, base::Limits& limits) {
  return FormulaFaultSearch(evaluator, id, space).run(limits);
}

}  // namespace cohort::cctl
