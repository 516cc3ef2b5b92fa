#include "symmetry/structure.hpp"

#include <map>
#include <utility>

namespace cohort::symmetry {

Structure::Structure(const model::Program& program) {
  const lang::Program& source = program.source();
  for (std::uint32_t m = 0; m < source.modules.size(); ++m) {
    Module made;
    made.first = program.process_number(lang::ModuleId{m}, 0);
    made.size = static_cast<std::size_t>(source.modules[m].size);
    made.movable = made.size > 1;
    made.own.resize(made.size);
    modules.push_back(std::move(made));
  }
  relations_of.resize(program.num_processes());
  std::map<std::pair<std::uint32_t, std::vector<model::Value>>, std::uint32_t> kinds;
  for (std::uint32_t v = 0; v < source.variables.size(); ++v) {
    const lang::Variable& variable = source.variables[v];
    const lang::VariableId id{v};
    const std::size_t target = base::index_of(variable.type.module);
    const bool points = variable.type.is_process() && modules[target].movable;
    const std::size_t first = program.instances().first(id);
    const std::size_t count = program.instances().count(id);
    for (std::size_t i = first; i < first + count; ++i) {
      const std::vector<model::Value> subscripts = program.instances().subscripts(i);
      std::size_t stride = count;
      Relation relation;
      relation.instance = static_cast<std::uint32_t>(i);
      relation.variable = v;
      relation.holds_process = points;
      if (points) relation.value_module_first = static_cast<std::uint32_t>(modules[target].first);
      std::vector<model::Value> fixed;
      std::vector<std::size_t> related;
      for (std::size_t d = 0; d < subscripts.size(); ++d) {
        const lang::Interval& range = variable.dimensions[d].range;
        stride /= static_cast<std::size_t>(range.last - range.first + 1);
        const auto& module = variable.dimensions[d].module;
        if (!module || !modules[base::index_of(*module)].movable) {
          fixed.push_back(subscripts[d]);
          continue;
        }
        relation.processes.push_back(
            static_cast<std::uint32_t>(program.process_number(*module, subscripts[d])));
        relation.strides.push_back(static_cast<std::uint32_t>(stride));
        related.push_back(base::index_of(*module));
      }
      if (points) related.push_back(target);
      if (related.size() > 1) {
        const auto kind = static_cast<std::uint32_t>(kinds.size());
        relation.kind = kinds.emplace(std::pair{v, std::move(fixed)}, kind).first->second;
        for (const std::size_t m : related) modules[m].entangled = true;
        for (const std::uint32_t p : relation.processes) {
          std::vector<std::uint32_t>& known = relations_of[p];
          const auto number = static_cast<std::uint32_t>(relations.size());
          if (known.empty() || known.back() != number) known.push_back(number);
        }
        if (points) holders.push_back(static_cast<std::uint32_t>(relations.size()));
        relations.push_back(std::move(relation));
        entangled = true;
      } else if (points) {
        modules[target].pointers.push_back(relation.instance);
      } else if (related.size() == 1) {
        Module& module = modules[related.front()];
        module.own[relation.processes.front() - module.first].push_back(relation.instance);
      }
    }
  }
}

}  // namespace cohort::symmetry
