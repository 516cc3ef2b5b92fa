#include "quotient/counted_initial.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace cohort::quotient {
namespace {

using Intervals = std::vector<lang::Interval>;

constexpr std::size_t nobody = SIZE_MAX;

[[nodiscard]] double num_values(const Intervals& values) {
  double count = 0;
  for (const lang::Interval& interval : values) {
    count += static_cast<double>(interval.last) - static_cast<double>(interval.first) + 1;
  }
  return count;
}

/// The fields of one record, or of the background: where each lies and what it may start with.
class Fields {
 public:
  explicit Fields(std::size_t size) : values_(size, nullptr) {}

  void set(std::size_t at, const Intervals& values) { values_[at] = &values; }
  [[nodiscard]] const std::vector<const Intervals*>& values() const { return values_; }

 private:
  std::vector<const Intervals*> values_;
};

/// Where an instance of a variable lies: whose it is, and its place in the record.
struct Spot {
  std::size_t module = 0;
  std::size_t process = nobody;
  std::size_t at = 0;
};

}  // namespace

CountedInitial::CountedInitial(CountedGraph& graph, const Colouring* colouring,
                               std::span<const NamedProcess> named)
    : graph_(graph) {
  const lang::Program& source = graph.program().source();
  const model::Addresses& addresses = *graph.placed().addresses();
  const std::size_t background = graph.background();
  // By module, and for the background: what a process starts with unless Init says otherwise.
  std::vector<Fields> usual;
  for (const model::Addresses::Record& record : addresses.records) usual.emplace_back(record.size);
  usual.emplace_back(addresses.first_row);
  const auto is_large = [&](const lang::Dimension& d) {
    return d.module && source[*d.module].size > 1;
  };
  const auto owner = [&](const lang::Variable& variable) {
    const auto found = std::ranges::find_if(variable.dimensions, is_large);
    return found == variable.dimensions.end() ? background : base::index_of(*found->module);
  };
  const auto first_in_record = [&](std::size_t v, std::size_t module) {
    const std::size_t before =
        module == background ? 0 : addresses.first_row + addresses.records[module].first;
    return addresses.bases[v] - before;
  };
  for (std::size_t v = 0; v < source.variables.size(); ++v) {
    const lang::Variable& variable = source.variables[v];
    const std::size_t module = owner(variable);
    std::size_t size = 1;
    for (const lang::Dimension& d : variable.dimensions) {
      if (!d.module) size *= static_cast<std::size_t>(d.range.last - d.range.first + 1);
    }
    for (std::size_t i = 0; i < size; ++i) {
      usual[module].set(first_in_record(v, module) + i, variable.initial);
    }
  }
  // Init: by module and process, what is different.
  std::map<std::pair<std::size_t, std::size_t>, std::map<std::size_t, const Intervals*>> special;
  for (const lang::Init& init : source.inits) {
    const std::size_t v = base::index_of(init.variable);
    const lang::Variable& variable = source.variables[v];
    Spot spot{owner(variable), nobody, 0};
    spot.at = first_in_record(v, spot.module);
    for (std::size_t d = 0; d < variable.dimensions.size(); ++d) {
      const lang::Dimension& dimension = variable.dimensions[d];
      if (is_large(dimension)) {
        spot.process = static_cast<std::size_t>(init.subscripts[d]);
      } else if (!dimension.module) {
        spot.at += static_cast<std::size_t>(init.subscripts[d] - dimension.range.first) *
                   addresses.strides[v][d];
      }
    }
    if (spot.module == background) {
      usual[background].set(spot.at, init.initial);
    } else {
      special[{spot.module, spot.process}][spot.at] = &init.initial;
    }
  }
  backgrounds_ = ways(background, usual[background].values());
  named_.assign(named.size(), nobody);
  using Key = std::tuple<std::uint16_t, std::size_t, std::vector<std::int64_t>>;
  for (const std::size_t module : graph.large()) {
    // Groups by colour, by name, and by what Init says.
    std::map<Key, std::size_t> groups;
    const std::size_t first =
        graph.program().process_number(lang::ModuleId{static_cast<std::uint32_t>(module)}, 0);
    const auto size = static_cast<std::size_t>(source.modules[module].size);
    auto next_special = special.lower_bound({module, 0});
    std::vector<std::size_t> names;
    for (std::size_t n = 0; n < named.size(); ++n) {
      if (base::index_of(named[n].module) == module) names.push_back(n);
    }
    std::size_t last_group = nobody;
    for (std::size_t p = 0; p < size; ++p) {
      const std::uint16_t colour = colouring == nullptr ? 0 : colouring->initial[first + p];
      const bool is_special = next_special != special.end() &&
                              next_special->first.first == module &&
                              next_special->first.second == p;
      std::size_t name = nobody;
      for (const std::size_t n : names) {
        if (static_cast<std::size_t>(named[n].process) == p) name = name == nobody ? n : name;
      }
      // The commonest process by far is like the one before.
      if (!is_special && name == nobody && last_group != nobody &&
          groups_[last_group].colour == colour) {
        groups_[last_group].processes.push_back(static_cast<std::uint32_t>(p));
        continue;
      }
      Key key{colour, name, {}};
      Fields fields = usual[module];
      if (is_special) {
        for (const auto& [at, values] : next_special->second) {
          fields.set(at, *values);
          std::vector<std::int64_t>& said = std::get<2>(key);
          said.push_back(static_cast<std::int64_t>(at));
          said.push_back(static_cast<std::int64_t>(values->size()));
          for (const lang::Interval& interval : *values) {
            said.push_back(interval.first);
            said.push_back(interval.last);
          }
        }
        ++next_special;
      }
      const auto [found, is_new] = groups.emplace(std::move(key), groups_.size());
      if (is_new) {
        Group group;
        group.module = module;
        group.colour = colour;
        group.ways = ways(module, fields.values());
        groups_.push_back(std::move(group));
      }
      groups_[found->second].processes.push_back(static_cast<std::uint32_t>(p));
      if (!is_special && name == nobody) last_group = found->second;
      if (name == nobody) continue;
      for (const std::size_t n : names) {
        if (static_cast<std::size_t>(named[n].process) == p) named_[n] = found->second;
      }
    }
  }
  for (Group& group : groups_) {
    group.counts.assign(group.ways.size(), 0);
    if (!group.counts.empty()) {
      group.counts.front() = static_cast<std::uint32_t>(group.processes.size());
    }
  }
}

/// Every record that the fields allow, as kinds.
std::vector<KindId> CountedInitial::ways(std::size_t module,
                                         const std::vector<const Intervals*>& fields) {
  constexpr double most = 1e6;
  double count = 1;
  for (const Intervals* const field : fields) count *= num_values(*field);
  std::vector<KindId> made;
  if (count > most) {
    listable_ = false;
    return made;
  }
  std::vector<std::size_t> intervals(fields.size(), 0);
  std::vector<Value> record;
  for (const Intervals* const field : fields) record.push_back(field->front().first);
  for (;;) {
    made.push_back(
        graph_.kinds().insert({static_cast<std::uint32_t>(module), 0, 0}, record.data()));
    std::size_t i = 0;
    for (; i < fields.size(); ++i) {
      const Intervals& values = *fields[i];
      if (record[i] < values[intervals[i]].last) {
        ++record[i];
        break;
      }
      intervals[i] = intervals[i] + 1 == values.size() ? 0 : intervals[i] + 1;
      record[i] = values[intervals[i]].first;
      if (intervals[i] != 0) break;
    }
    if (i == fields.size()) return made;
  }
}

/// The next multiset; false after the last, when it begins again.
bool CountedInitial::advance(Group& group) {
  // Of the first way in use one more goes to the next way, and the others begin again.
  std::vector<std::uint32_t>& counts = group.counts;
  std::size_t i = 0;
  while (counts[i] == 0) ++i;
  if (i + 1 == counts.size()) {
    std::swap(counts[i], counts.front());
    return false;
  }
  const std::uint32_t moved = counts[i] - 1;
  counts[i] = 0;
  counts.front() = moved;
  ++counts[i + 1];
  return true;
}

void CountedInitial::next() {
  for (Group& group : groups_) {
    if (advance(group)) return;
  }
  done_ = ++background_ == backgrounds_.size();
}

KindId CountedInitial::background() const { return backgrounds_[background_]; }

void CountedInitial::fill(model::Crowd& crowd, std::vector<Value>& places) {
  crowd = graph_.empty_crowd();
  Kinds& kinds = graph_.kinds();
  graph_.set_background(crowd, background());
  places.assign(named_.size(), 0);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    for (std::size_t way = 0; way < group.ways.size(); ++way) {
      if (group.counts[way] == 0) continue;
      const KindId kind = kinds.dressed(group.ways[way], group.colour, 0);
      const std::size_t place =
          crowd.add(group.module, kinds.record(kind), group.counts[way], {kind, group.colour});
      for (std::size_t n = 0; n < named_.size(); ++n) {
        if (named_[n] == g) places[n] = static_cast<Value>(place);
      }
    }
  }
}

std::vector<KindId> CountedInitial::kinds_of_processes() const {
  std::vector<KindId> made(graph_.program().num_processes(), 0);
  for (const Group& group : groups_) {
    const std::size_t first = graph_.program().process_number(
        lang::ModuleId{static_cast<std::uint32_t>(group.module)}, 0);
    std::size_t next = 0;
    for (std::size_t way = 0; way < group.ways.size(); ++way) {
      for (std::uint32_t i = 0; i < group.counts[way]; ++i) {
        made[first + group.processes[next++]] = group.ways[way];
      }
    }
  }
  return made;
}

}  // namespace cohort::quotient
