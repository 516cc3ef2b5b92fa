// The formula is solved over the events that it can see; then every visible position is spread to
// the events of the trace up to the next visible one, the other processes are free, and what is no
// cut of the trace is taken away.
#include "trace/ctl_where.hpp"

#include "ist/operations.hpp"
#include "trace/ctl_engines.hpp"
#include "trace/ctl_lattice.hpp"

namespace cohort::trace::ctl {
namespace {

[[nodiscard]] std::vector<ist::Spread> spread_of(const Lattice& lattice, const Order& order) {
  std::vector<ist::Spread> components(order.num_processes());
  for (std::size_t p = 0; p < components.size(); ++p) {
    components[p].all = {0, order.num_events(ProcessId{static_cast<std::uint32_t>(p)})};
  }
  for (std::uint32_t c = 0; c < lattice.num_components(); ++c) {
    ist::Spread& component = components[base::index_of(lattice.process(c))];
    for (std::uint32_t v = 0; v <= lattice.num_events(c); ++v) {
      component.starts.push_back(lattice.position({c, v}));
    }
    component.starts.push_back(component.all.high + 1);
  }
  return components;
}

}  // namespace

Where satisfying_cuts(const Order& order, const Vocabulary& words, const Formula& formula,
                      const std::function<bool()>& should_stop, base::Diagnostics& diagnostics) {
  Where where;
  const std::size_t errors_before = diagnostics.num_errors();
  const Writes writes{order, words, formula, diagnostics};
  if (diagnostics.num_errors() > errors_before) return where;
  if (order.num_processes() > ist::Forest::most_components) {
    where.reason = "too many processes for a tree";
    return where;
  }
  std::vector<std::uint32_t> atoms;
  for (const FormulaId id : formula.forms.subformulas(formula.root)) {
    if (formula.forms[id].form == Form::Atom) atoms.push_back(formula.forms[id].atom);
  }
  const Limits limits{should_stop, UINT64_MAX};
  auto forest = std::make_unique<ist::Forest>(order.num_processes());
  forest->set_should_stop(should_stop);
  try {
    const Lattice full{writes, formula.atoms, {}, {.every_event = true, .process_order = true}};
    const Symbolic everything{full, limits};
    where.all = spread(everything.cuts(), *forest, spread_of(full, order));
    const Lattice lattice{
        writes,
        formula.atoms,
        atoms,
        {.every_event = formula.forms[formula.root].has_next, .process_order = true}};
    Symbolic symbolic{lattice, limits};
    symbolic.solve(formula.forms, formula.root);
    const ist::Set seen = spread(symbolic.set(formula.root), *forest, spread_of(lattice, order));
    where.cuts = intersect(seen, where.all);
    where.forest = std::move(forest);
  } catch (const LimitHit& hit) {
    where.reason = hit.what();
  } catch (const ist::Stopped&) {
    where.reason = "stopped";
  }
  if (where.forest == nullptr) where.all = ist::Set{};
  return where;
}

}  // namespace cohort::trace::ctl
