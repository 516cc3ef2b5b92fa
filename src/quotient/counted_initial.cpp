#include "quotient/counted_initial.hpp"

#include <algorithm>
#include <tuple>

namespace cohort::quotient {
namespace {

using Intervals = std::vector<lang::Interval>;

constexpr std::size_t nobody = SIZE_MAX;
/// More ways to start than this are not listed.
constexpr double most_ways = 1e6;

[[nodiscard]] double num_values(const Intervals& values) {
  double count = 0;
  for (const lang::Interval& interval : values) {
    count += static_cast<double>(interval.last) - static_cast<double>(interval.first) + 1;
  }
  return count;
}

[[nodiscard]] bool contains(const Intervals& values, Value value) {
  return std::ranges::any_of(
      values, [&](const lang::Interval& interval) { return interval.contains(value); });
}

}  // namespace

CountedInitial::CountedInitial(CountedGraph& graph, const Colouring* colouring,
                               std::span<const NamedProcess> named)
    : graph_(graph),
      layout_(graph.layout()),
      named_(named.begin(), named.end()),
      group_of_name_(named.size(), nobody),
      colours_(layout_.num_individuals(), 0) {
  std::vector<Fields> usual;
  Specials specials;
  read_inits(usual, specials);
  find_choices(specials);
  backgrounds_ = ways(layout_.background(), usual[layout_.background()]);
  for (const std::size_t module : layout_.counted()) {
    find_groups(module, usual[module], specials, colouring);
  }
  for (const std::size_t module : layout_.individual()) {
    const std::size_t first =
        graph.program().process_number(lang::ModuleId{static_cast<std::uint32_t>(module)}, 0);
    const std::size_t number = layout_.first_individual(module);
    for (std::size_t i = number; i < layout_.first_individual(module + 1); ++i) {
      if (colouring != nullptr) colours_[i] = colouring->initial[first + i - number];
    }
  }
  find_targets();
  done_ = !listable_;
  if (listable_) start_targets();
}

// ---------------------------------------------------------------------------------------------------
// What may be chosen

/// By module, and for the background: what a process starts with unless Init says otherwise; and
/// what it says.
void CountedInitial::read_inits(std::vector<Fields>& usual, Specials& specials) {
  static const Intervals zero{{0, 0}};
  static const Intervals none{{lang::none_value, lang::none_value}};
  const lang::Program& source = graph_.program().source();
  const model::Addresses& addresses = layout_.addresses();
  const std::size_t background = layout_.background();
  for (const std::size_t size : layout_.record_sizes()) usual.emplace_back(size, &zero);
  const auto is_counted = [&](const lang::Dimension& d) {
    return d.module && layout_.is_counted(base::index_of(*d.module));
  };
  const auto owner = [&](const lang::Variable& variable) {
    const auto found = std::ranges::find_if(variable.dimensions, is_counted);
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
      if (!is_counted(d)) size *= static_cast<std::size_t>(d.range.last - d.range.first + 1);
    }
    for (std::size_t i = 0; i < size; ++i) {
      usual[module][first_in_record(v, module) + i] = layout_.points(v) ? &none : &variable.initial;
    }
  }
  for (const CountedLayout::Pointer& pointer : layout_.pointers()) {
    choices_.push_back(&source.variables[pointer.variable].initial);
  }
  for (const lang::Init& init : source.inits) {
    const std::size_t v = base::index_of(init.variable);
    const lang::Variable& variable = source.variables[v];
    const std::size_t module = owner(variable);
    std::size_t process = nobody;
    std::size_t at = first_in_record(v, module);
    for (std::size_t d = 0; d < variable.dimensions.size(); ++d) {
      const lang::Dimension& dimension = variable.dimensions[d];
      if (is_counted(dimension)) {
        process = static_cast<std::size_t>(init.subscripts[d]);
      } else {
        at += static_cast<std::size_t>(init.subscripts[d] - dimension.range.first) *
              addresses.strides[v][d];
      }
    }
    if (layout_.points(v)) {
      for (std::size_t i = 0; i < choices_.size(); ++i) {
        if (layout_.pointers()[i].at == at) choices_[i] = &init.initial;
      }
    } else if (module == background) {
      usual[background][at] = &init.initial;
    } else {
      specials[{module, process}].fields[at] = &init.initial;
    }
  }
}

/// Tells processes apart that a variable may point at from those that it may not: the fewer of
/// the two are special.
void CountedInitial::find_choices(Specials& specials) const {
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    const std::size_t module = layout_.pointers()[i].module;
    const Value size = graph_.program().source().modules[module].size;
    Value inside = 0;
    for (const lang::Interval& interval : *choices_[i]) {
      inside += std::max<Value>(
          0, std::min(interval.last, size - 1) - std::max<Value>(interval.first, 0) + 1);
    }
    if (inside == 0 || inside == size) continue;
    const bool few_inside = 2 * inside <= size;
    for (Value p = 0; p < size; ++p) {
      if (contains(*choices_[i], p) != few_inside) continue;
      specials[{module, static_cast<std::size_t>(p)}].pointers.push_back(i);
    }
  }
}

/// Groups by colour, by name, and by what Init and choices say.
void CountedInitial::find_groups(std::size_t module, const Fields& usual, const Specials& specials,
                                 const Colouring* colouring) {
  using Key = std::tuple<std::uint16_t, std::size_t, std::vector<std::int64_t>>;
  std::map<Key, std::size_t> groups;
  const lang::Program& source = graph_.program().source();
  const std::size_t first =
      graph_.program().process_number(lang::ModuleId{static_cast<std::uint32_t>(module)}, 0);
  const auto size = static_cast<std::size_t>(source.modules[module].size);
  auto next_special = specials.lower_bound({module, 0});
  std::vector<std::size_t> names;
  for (std::size_t n = 0; n < named_.size(); ++n) {
    if (base::index_of(named_[n].module) == module) names.push_back(n);
  }
  std::size_t last_group = nobody;
  for (std::size_t p = 0; p < size; ++p) {
    const std::uint16_t colour = colouring == nullptr ? 0 : colouring->initial[first + p];
    const bool is_special =
        next_special != specials.end() && next_special->first == std::pair{module, p};
    std::size_t name = nobody;
    for (const std::size_t n : names) {
      if (static_cast<std::size_t>(named_[n].process) == p) name = name == nobody ? n : name;
    }
    // The commonest process by far is like the one before.
    if (!is_special && name == nobody && last_group != nobody &&
        groups_[last_group].colour == colour) {
      groups_[last_group].processes.push_back(static_cast<std::uint32_t>(p));
      continue;
    }
    Key key{colour, name, {}};
    Fields fields = usual;
    if (is_special) {
      std::vector<std::int64_t>& said = std::get<2>(key);
      for (const auto& [at, values] : next_special->second.fields) {
        fields[at] = values;
        said.push_back(static_cast<std::int64_t>(at));
        said.push_back(static_cast<std::int64_t>(values->size()));
        for (const lang::Interval& interval : *values) {
          said.push_back(interval.first);
          said.push_back(interval.last);
        }
      }
      for (const std::size_t pointer : next_special->second.pointers) {
        said.push_back(-1 - static_cast<std::int64_t>(pointer));
      }
      ++next_special;
    }
    const auto [found, is_new] = groups.emplace(std::move(key), groups_.size());
    if (is_new) groups_.push_back({module, colour, {}, ways(module, fields)});
    groups_[found->second].processes.push_back(static_cast<std::uint32_t>(p));
    if (!is_special && name == nobody) last_group = found->second;
    if (name == nobody) continue;
    for (const std::size_t n : names) {
      if (static_cast<std::size_t>(named_[n].process) == p) group_of_name_[n] = found->second;
    }
  }
}

/// Every record that the fields allow, as kinds.
std::vector<KindId> CountedInitial::ways(std::size_t module, const Fields& fields) {
  double count = 1;
  for (const Intervals* const field : fields) count *= num_values(*field);
  std::vector<KindId> made;
  if (count > most_ways) {
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

// ---------------------------------------------------------------------------------------------------
// Variables that point

/// Every choice of processes for the variables that point, one for all that groups cannot tell
/// apart: a process that an earlier variable points at, or the next one of a group.
void CountedInitial::find_targets() {
  targets_ = {{}};
  for (std::size_t i = 0; i < choices_.size() && listable_; ++i) {
    std::vector<Targets> longer;
    const auto add = [&](const Targets& known, const Target& target) {
      longer.push_back(known);
      longer.back().push_back(target);
    };
    for (const Targets& known : targets_) {
      if (contains(*choices_[i], lang::none_value)) add(known, {});
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        const Group& group = groups_[g];
        const bool is_allowed = group.module == layout_.pointers()[i].module &&
                                contains(*choices_[i], group.processes.front());
        if (!is_allowed) continue;
        std::size_t used = 0;
        for (const Target& target : known) {
          if (target.group == g) used = std::max(used, target.number + 1);
        }
        const std::size_t end = std::min(used + 1, group.processes.size());
        for (std::size_t number = 0; number < end; ++number) add(known, {g, number});
      }
      listable_ = listable_ && static_cast<double>(longer.size()) <= most_ways;
      if (!listable_) break;
    }
    targets_ = std::move(longer);
  }
}

/// The ways of a process that is pointed at.
std::vector<KindId> CountedInitial::marked(std::vector<KindId> ways, const Target& target) const {
  Kinds& kinds = graph_.kinds();
  for (KindId& way : ways) {
    std::vector<Value> record{kinds.record(way), kinds.record(way) + kinds.record_size(way)};
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      if (targets_[target_][i] == target) record[layout_.pointers()[i].mark] = 1;
    }
    way = kinds.insert(kinds.look(way), record.data());
  }
  return ways;
}

void CountedInitial::start_targets() {
  batches_.clear();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    std::size_t used = 0;
    for (const Target& target : targets_[target_]) {
      if (target.group == g) used = std::max(used, target.number + 1);
    }
    for (std::size_t number = 0; number < used; ++number) {
      batches_.push_back({g, number, 1, marked(group.ways, {g, number}), {}});
    }
    if (used == group.processes.size()) continue;
    batches_.push_back({g, used, group.processes.size() - used, group.ways, {}});
  }
  for (Batch& batch : batches_) begin(batch);
}

// ---------------------------------------------------------------------------------------------------
// One after the other

void CountedInitial::begin(Batch& batch) {
  batch.counts.assign(batch.ways.size(), 0);
  batch.counts.front() = static_cast<std::uint32_t>(batch.size);
}

/// The next multiset; false after the last, when it begins again.
bool CountedInitial::advance(Batch& batch) {
  // Of the first way in use one more goes to the next way, and the others begin again.
  std::vector<std::uint32_t>& counts = batch.counts;
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
  for (Batch& batch : batches_) {
    if (advance(batch)) return;
  }
  if (++target_ == targets_.size()) {
    target_ = 0;
    if (++background_ == backgrounds_.size()) {
      done_ = true;
      return;
    }
  }
  if (targets_.size() > 1) start_targets();
}

KindId CountedInitial::background() const { return backgrounds_[background_]; }

void CountedInitial::fill(model::Crowd& crowd, std::vector<Value>& places) {
  crowd = graph_.empty_crowd();
  Kinds& kinds = graph_.kinds();
  graph_.set_background(crowd, background());
  for (const std::size_t module : layout_.individual()) {
    const std::size_t first = layout_.first_individual(module);
    for (std::size_t i = first; i < layout_.first_individual(module + 1); ++i) {
      crowd.set_colour(module, i - first, colours_[i]);
    }
  }
  places.assign(named_.size(), 0);
  for (std::size_t n = 0; n < named_.size(); ++n) {
    if (layout_.is_individual(base::index_of(named_[n].module))) places[n] = named_[n].process;
  }
  for (const Batch& batch : batches_) {
    const Group& group = groups_[batch.group];
    for (std::size_t way = 0; way < batch.ways.size(); ++way) {
      if (batch.counts[way] == 0) continue;
      const KindId kind = kinds.dressed(batch.ways[way], group.colour, 0);
      const std::size_t place =
          crowd.add(group.module, kinds.record(kind), batch.counts[way], {kind, group.colour});
      for (std::size_t n = 0; n < named_.size(); ++n) {
        if (group_of_name_[n] == batch.group) places[n] = static_cast<Value>(place);
      }
      for (std::size_t i = 0; i < choices_.size(); ++i) {
        if (targets_[target_][i] != Target{batch.group, batch.first}) continue;
        crowd.values()[layout_.pointers()[i].at] = static_cast<Value>(place);
      }
    }
  }
}

std::vector<KindId> CountedInitial::kinds_of_processes() const {
  std::vector<KindId> made(graph_.program().num_processes(), 0);
  for (const Batch& batch : batches_) {
    const Group& group = groups_[batch.group];
    const std::size_t first = graph_.program().process_number(
        lang::ModuleId{static_cast<std::uint32_t>(group.module)}, 0);
    std::size_t next = batch.first;
    for (std::size_t way = 0; way < batch.ways.size(); ++way) {
      for (std::uint32_t i = 0; i < batch.counts[way]; ++i) {
        made[first + group.processes[next++]] = batch.ways[way];
      }
    }
  }
  return made;
}

}  // namespace cohort::quotient
