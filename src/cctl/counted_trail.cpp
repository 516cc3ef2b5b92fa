#include "cctl/counted_trail.hpp"

#include <algorithm>
#include <utility>

#include "cctl/walk.hpp"

namespace cohort::cctl {

using quotient::CountedEdge;
using quotient::KindId;
using quotient::Kinds;
using quotient::NodeId;

// -------------------------------------------------------------------------------------------------
// Pools

void Pools::put(std::uint32_t process, KindId kind) {
  if (kind >= members_.size())
    members_.resize(std::max<std::size_t>(kind + 1, 2 * members_.size()));
  places_[process] = static_cast<std::uint32_t>(members_[kind].size());
  members_[kind].push_back(process);
}

void Pools::take(std::uint32_t process, KindId kind) {
  std::vector<std::uint32_t>& members = members_[kind];
  members[places_[process]] = members.back();
  places_[members.back()] = places_[process];
  members.pop_back();
}

void Pools::clear() {
  for (std::vector<std::uint32_t>& members : members_) members.clear();
}

// -------------------------------------------------------------------------------------------------
// The trail

CountedTrail::CountedTrail(quotient::CountedGraph& graph, const quotient::CountedInitial& initial)
    : graph_(graph),
      kinds_(initial.kinds_of_processes()),
      background_(initial.background()),
      pools_(graph.program().num_processes()) {
  find_fields();
  fill_pools();
  note_initial();
}

std::size_t CountedTrail::first_process(std::size_t module) const {
  return graph_.program().process_number(lang::ModuleId{static_cast<std::uint32_t>(module)}, 0);
}

/// Which instance each value of a record is.
void CountedTrail::find_fields() {
  const lang::Program& source = graph_.program().source();
  const model::Addresses& addresses = *graph_.placed().addresses();
  for (const model::Addresses::Record& record : addresses.records)
    fields_.emplace_back(record.size);
  fields_.emplace_back(addresses.first_row);
  for (std::uint32_t v = 0; v < source.variables.size(); ++v) {
    const std::vector<lang::Dimension>& dimensions = source.variables[v].dimensions;
    std::size_t owner = graph_.layout().background();
    std::uint32_t stride = 0;
    // Of the values that one process has: how far each is in the record, and its instance.
    std::vector<std::pair<std::size_t, std::uint32_t>> values{
        {addresses.bases[v],
         static_cast<std::uint32_t>(graph_.program().instances().first(lang::VariableId{v}))}};
    std::uint32_t row = 1;
    for (std::size_t d = dimensions.size(); d-- > 0;) {
      const auto length = static_cast<std::uint32_t>(std::int64_t{dimensions[d].range.last} -
                                                     dimensions[d].range.first + 1);
      if (!dimensions[d].module) {
        const std::size_t count = values.size();
        for (std::uint32_t i = 1; i < length; ++i) {
          for (std::size_t k = 0; k < count; ++k) {
            values.emplace_back(values[k].first + std::size_t{i} * addresses.strides[v][d],
                                values[k].second + i * row);
          }
        }
      } else if (source[*dimensions[d].module].size > 1) {
        owner = base::index_of(*dimensions[d].module);
        stride = row;
      }
      row *= length;
    }
    const std::size_t before = owner == graph_.layout().background()
                                   ? 0
                                   : addresses.first_row + addresses.records[owner].first;
    for (const auto& [at, instance] : values) fields_[owner][at - before] = {instance, stride};
  }
}

void CountedTrail::fill_pools() {
  pools_.clear();
  for (const std::size_t module : graph_.layout().counted()) {
    const std::size_t first = first_process(module);
    const std::size_t end = first_process(module + 1);
    // The last of a pool is chosen before the others.
    for (std::size_t p = end; p-- > first;) {
      pools_.put(static_cast<std::uint32_t>(p), kinds_[p]);
    }
  }
}

void CountedTrail::note_initial() {
  const Kinds& kinds = graph_.kinds();
  std::vector<Value>& initial = evidence_.initial;
  initial.resize(graph_.program().instances().size());
  const std::vector<Field>& of_nobody = fields_.back();
  for (std::size_t i = 0; i < of_nobody.size(); ++i) {
    initial[of_nobody[i].first] = kinds.record(background_)[i];
  }
  for (const std::size_t module : graph_.layout().counted()) {
    const std::size_t first = first_process(module);
    const std::size_t end = first_process(module + 1);
    for (std::size_t p = first; p < end; ++p) {
      const Value* const record = kinds.record(kinds_[p]);
      for (std::size_t i = 0; i < fields_[module].size(); ++i) {
        const Field& field = fields_[module][i];
        initial[field.first + (p - first) * field.stride] = record[i];
      }
    }
  }
}

void CountedTrail::dress(const quotient::Colouring* colouring,
                         std::span<const quotient::NamedProcess> variables) {
  Kinds& kinds = graph_.kinds();
  std::vector<std::pair<std::size_t, quotient::Names>> named;
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const lang::ModuleId module = variables[v].module;
    // Who is alone in a module is of no kind.
    if (graph_.program().source()[module].size == 1) continue;
    named.emplace_back(graph_.program().process_number(module, variables[v].process),
                       quotient::Names{1} << v);
  }
  for (const std::size_t module : graph_.layout().counted()) {
    const std::size_t end = first_process(module + 1);
    // Neighbours mostly look alike.
    KindId last = quotient::IdSet::none;
    std::uint16_t last_colour = 0;
    KindId last_dressed = 0;
    for (std::size_t p = first_process(module); p < end; ++p) {
      const std::uint16_t colour = colouring == nullptr ? 0 : colouring->initial[p];
      if (kinds_[p] != last || colour != last_colour) {
        last = kinds_[p];
        last_colour = colour;
        last_dressed = kinds.dressed(last, colour, 0);
      }
      kinds_[p] = last_dressed;
    }
  }
  for (const auto& [process, name] : named) {
    const Kinds::Look look = kinds.look(kinds_[process]);
    kinds_[process] = kinds.dressed(kinds_[process], look.colour, look.names | name);
  }
  fill_pools();
}

std::vector<Value> CountedTrail::cast(const model::Crowd& crowd,
                                      const std::vector<Edge::Index>& indices) const {
  std::vector<Value> made;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Edge::Index& index = indices[i];
    if (index.same_as != i) {
      made.push_back(made[index.same_as]);
      continue;
    }
    if (graph_.program().source().modules[index.module].size == 1) {
      made.push_back(0);
      continue;
    }
    const std::size_t first = first_process(index.module);
    const std::span<const std::uint32_t> pool =
        standing(crowd.places(index.module).kinds[index.place]);
    // Those that other index variables stand for already are not to be had.
    std::size_t at = pool.size();
    bool is_taken = true;
    while (is_taken) {
      --at;
      is_taken = false;
      for (std::size_t j = 0; j < i && !is_taken; ++j) {
        is_taken = indices[j].module == index.module &&
                   static_cast<std::size_t>(made[j]) == pool[at] - first;
      }
    }
    made.push_back(static_cast<Value>(pool[at] - first));
  }
  return made;
}

void CountedTrail::note_changes(const std::vector<Field>& fields, std::size_t process, KindId from,
                                KindId to, std::vector<Change>& changes) const {
  const Value* const before = graph_.kinds().record(from);
  const Value* const after = graph_.kinds().record(to);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (before[i] == after[i]) continue;
    changes.push_back(
        {static_cast<std::uint32_t>(fields[i].first + process * fields[i].stride), after[i]});
  }
}

NodeId CountedTrail::step(quotient::CountedSpace& space, NodeId node, std::size_t edge,
                          std::span<const Value> processes) {
  const NodeId target = space.fan(node, quotient::Detail::Permutations).targets[edge];
  const CountedEdge& taken = space.edges()[edge];
  Step made;
  made.schema = base::SchemaId{static_cast<std::uint32_t>(taken.schema)};
  made.processes.assign(processes.begin(), processes.end());
  if (processes.empty()) made.processes = cast(space.crowd(), taken.indices);
  note_changes(fields_.back(), 0, background_, taken.background, made.changes);
  background_ = taken.background;
  // First those of the index variables, so that their pools hold the others only.
  std::vector<Move> acting;
  for (const Edge::Transfer& transfer : taken.transfers) {
    if (transfer.index == Edge::Transfer::nobody) continue;
    const auto process = static_cast<std::uint32_t>(
        first_process(transfer.module) + static_cast<std::size_t>(made.processes[transfer.index]));
    pools_.take(process, transfer.from);
    acting.push_back({process, transfer.from, transfer.to});
  }
  moves_.clear();
  for (const Edge::Transfer& transfer : taken.transfers) {
    if (transfer.index != Edge::Transfer::nobody || transfer.from == transfer.to) continue;
    for (const std::uint32_t process : pools_.of(transfer.from)) {
      moves_.push_back({process, transfer.from, transfer.to});
    }
  }
  for (const Move& move : moves_) pools_.take(move.process, move.from);
  // Those of the index variables come last, to be the next that are chosen.
  moves_.insert(moves_.end(), acting.begin(), acting.end());
  for (const Move& move : moves_) {
    pools_.put(move.process, move.to);
    kinds_[move.process] = move.to;
    const std::size_t module = graph_.kinds().look(move.to).module;
    note_changes(fields_[module], move.process - first_process(module), move.from, move.to,
                 made.changes);
  }
  std::ranges::sort(made.changes, {}, &Change::instance);
  num_changes_ += made.changes.size();
  // A change takes less room than a step.
  constexpr std::size_t changes_in_a_step = 10;
  evidence_.steps.push_back(std::move(made));
  if (length() + num_changes_ / changes_in_a_step > longest_evidence) throw TooLong{};
  return target;
}

}  // namespace cohort::cctl
