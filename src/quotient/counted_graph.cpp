#include "quotient/counted_graph.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace cohort::quotient {
namespace {

using model::Addresses;
using model::Crowd;

constexpr std::size_t most_indices = 64;

[[nodiscard]] bool is_large(const lang::Program& program, const lang::Dimension& dimension) {
  return dimension.module && program[*dimension.module].size > 1;
}

[[nodiscard]] Addresses addresses_of(const lang::Program& program) {
  Addresses made;
  made.records.resize(program.modules.size());
  // First the sizes of the records, which lie module after module, then where each variable is.
  std::vector<std::size_t> owners(program.variables.size(), program.modules.size());
  std::vector<std::size_t> sizes(program.variables.size(), 1);
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    for (const lang::Dimension& dimension : program.variables[v].dimensions) {
      if (is_large(program, dimension)) {
        owners[v] = base::index_of(*dimension.module);
      } else if (!dimension.module) {
        sizes[v] *= static_cast<std::size_t>(dimension.range.last - dimension.range.first + 1);
      }
    }
    if (owners[v] == program.modules.size()) {
      made.first_row += sizes[v];
    } else {
      made.records[owners[v]].size += sizes[v];
    }
  }
  for (Addresses::Record& record : made.records) {
    record.first = made.row_size;
    made.row_size += record.size;
  }
  // Even a place without values needs a row that is its own.
  made.row_size = std::max<std::size_t>(made.row_size, 1);
  std::size_t next_free = 0;
  std::vector<std::size_t> next(program.modules.size());
  for (std::size_t m = 0; m < next.size(); ++m) next[m] = made.first_row + made.records[m].first;
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    std::size_t& at = owners[v] == program.modules.size() ? next_free : next[owners[v]];
    made.bases.push_back(static_cast<std::uint32_t>(at));
    at += sizes[v];
    const std::vector<lang::Dimension>& dimensions = program.variables[v].dimensions;
    std::vector<std::uint32_t> strides(dimensions.size(), 0);
    std::size_t stride = 1;
    for (std::size_t d = dimensions.size(); d-- > 0;) {
      if (is_large(program, dimensions[d])) {
        strides[d] = static_cast<std::uint32_t>(made.row_size);
      } else if (!dimensions[d].module) {
        strides[d] = static_cast<std::uint32_t>(stride);
        stride *=
            static_cast<std::size_t>(dimensions[d].range.last - dimensions[d].range.first + 1);
      }
    }
    made.strides.push_back(std::move(strides));
  }
  return made;
}

[[nodiscard]] std::vector<std::size_t> record_sizes(const Addresses& addresses) {
  std::vector<std::size_t> sizes;
  for (const Addresses::Record& record : addresses.records) sizes.push_back(record.size);
  sizes.push_back(addresses.first_row);
  return sizes;
}

}  // namespace

bool CountedGraph::fits(const lang::Expr& expr, const lang::Program& program) {
  double tries = 1;
  for (const lang::Binder& binder : expr.binders) {
    tries *= static_cast<double>(program[binder.set.module].size);
  }
  constexpr double most = 4e18;
  return tries < most &&
         std::ranges::all_of(expr.args, [&](const lang::Expr& arg) { return fits(arg, program); });
}

bool CountedGraph::fits(const lang::Program& source) {
  const auto is_one_process = [&](const lang::Variable& variable) {
    const auto large = [&](const lang::Dimension& d) { return is_large(source, d); };
    if (std::ranges::count_if(variable.dimensions, large) > 1) return false;
    return !variable.type.is_process() || source[variable.type.module].size == 1;
  };
  const auto is_countable = [&](const lang::Schema& schema) {
    return schema.num_indices <= most_indices && fits(schema.condition, source);
  };
  const auto is_small = [](const lang::Module& module) { return module.size < UINT32_MAX; };
  return std::ranges::all_of(source.variables, is_one_process) &&
         std::ranges::all_of(source.schemas, is_countable) &&
         std::ranges::all_of(source.modules, is_small);
}

CountedGraph::CountedGraph(const model::Program& program)
    : program_(program),
      placed_(program.source(), addresses_of(program.source())),
      kinds_(record_sizes(*placed_.addresses())),
      generator_(placed_) {
  for (std::size_t m = 0; m < program.source().modules.size(); ++m) {
    if (program.source().modules[m].size > 1) large_.push_back(m);
  }
  enabled_.resize(program.source().modules.size());
}

/// The only process of a module stands at place 0, which has no values: they are in the background.
Crowd CountedGraph::empty_crowd() const {
  Crowd made{*placed_.addresses()};
  for (std::size_t m = 0; m < program_.source().modules.size(); ++m) {
    if (program_.source().modules[m].size == 1) made.add(m, nullptr, 1, {});
  }
  return made;
}

void CountedGraph::set_background(Crowd& crowd, KindId kind) const {
  std::copy_n(kinds_.record(kind), kinds_.record_size(kind), crowd.values());
}

std::unique_ptr<CountedSpace> CountedGraph::space(const Domain& domain,
                                                  const Colouring& colouring) {
  return std::make_unique<CountedSpace>(*this, domain, colouring);
}

const std::vector<std::vector<bool>>& CountedGraph::enabled(Crowd& crowd,
                                                            const Colouring* colouring) {
  for (std::size_t m = 0; m < enabled_.size(); ++m) {
    enabled_[m].assign(crowd.places(m).size(), false);
  }
  const std::optional<model::InstanceFault> fault = generator_.for_each(
      crowd, colouring == nullptr ? nullptr : &colouring->ranks,
      [&](const CountedGenerator::Instance& instance) {
        const std::size_t module = base::index_of(placed_.schemas()[instance.schema].module);
        enabled_[module][instance.origins[0]] = true;
      });
  if (fault) throw StateFault{model::no_state, *fault};
  return enabled_;
}

/// Nearly in order already: an instance moves a few processes.
void CountedGraph::settle(Entries& entries, std::size_t first) {
  for (std::size_t i = first + 1; i < entries.size(); ++i) {
    const auto moved = entries[i];
    std::size_t to = i;
    for (; to > first && entries[to - 1].first > moved.first; --to) entries[to] = entries[to - 1];
    entries[to] = moved;
  }
  std::size_t last = first;
  for (std::size_t i = first + 1; i < entries.size(); ++i) {
    if (entries[i].first == entries[last].first) {
      entries[last].second += entries[i].second;
    } else {
      entries[++last] = entries[i];
    }
  }
  if (first < entries.size()) entries.resize(last + 1);
}

void CountedGraph::encode(KindId background, const Entries& entries) {
  encoding_.clear();
  encoding_.push(background);
  for (const auto& [kind, count] : entries) {
    encoding_.push(kind);
    encoding_.push(count);
  }
}

std::uint32_t CountedGraph::state_of(std::span<const std::uint8_t> node) {
  const std::uint8_t* at = node.data();
  const std::uint8_t* const end = at + node.size();
  const KindId background = Encoding::pop(at);
  plain_.clear();
  std::size_t first = 0;
  std::uint32_t module = 0;
  while (at != end) {
    const KindId kind = kinds_.plain(Encoding::pop(at));
    if (kinds_.look(kind).module != module) {
      settle(plain_, first);
      first = plain_.size();
      module = kinds_.look(kind).module;
    }
    plain_.emplace_back(kind, Encoding::pop(at));
  }
  settle(plain_, first);
  encode(background, plain_);
  return states_.insert(encoding_.bytes()).id;
}

void CountedGraph::note_expansion(std::uint32_t state, std::size_t num_edges) {
  if (expanded_.size() <= state) {
    expanded_.resize(std::max<std::size_t>({state + std::size_t{1}, 2 * expanded_.size(), 64}));
  }
  if (expanded_[state]) return;
  expanded_[state] = true;
  ++tally_.expanded;
  tally_.edges += num_edges;
  if (num_edges == 0) ++tally_.deadlocks;
}

// ---------------------------------------------------------------------------------------------------
// Spaces

CountedSpace::CountedSpace(CountedGraph& graph, const Domain& domain, const Colouring& colouring)
    : Nodes(domain),
      graph_(graph),
      colouring_(colouring),
      nodes_(domain.is_trivial() ? &graph.states_ : &own_nodes_),
      crowd_(graph.empty_crowd()) {}

NodeId CountedSpace::insert(KindId background) {
  graph_.encode(background, entries_);
  const CountedStore::Inserted made = nodes_->insert(graph_.encoding_.bytes());
  // Every node is of a state, and states are counted.
  if (made.is_new && nodes_ == &own_nodes_) (void)graph_.state_of(own_nodes_[made.id]);
  return NodeId{made.id};
}

NodeId CountedSpace::enter(const Crowd& crowd, std::span<const Value> places) {
  entries_.clear();
  for (const std::size_t module : graph_.large_) {
    const Crowd::Places& of = crowd.places(module);
    const std::size_t first = entries_.size();
    for (std::size_t p = 0; p < of.size(); ++p) {
      Names names = 0;
      for (std::size_t v = 0; v < places.size(); ++v) {
        const bool here =
            base::index_of(domain().variables[v]) == module && places[v] == static_cast<Value>(p);
        if (here) names |= Names{1} << v;
      }
      const KindId kind =
          graph_.kinds_.dressed(of.kinds[p], domain().coloured ? of.colours[p] : 0, names);
      entries_.emplace_back(kind, of.counts[p]);
    }
    CountedGraph::settle(entries_, first);
  }
  const Kinds::Look background{static_cast<std::uint32_t>(graph_.background()), 0, 0};
  return insert(graph_.kinds_.insert(background, crowd.values()));
}

void CountedSpace::read(NodeId node, Crowd& crowd, std::vector<Value>& places) const {
  const std::span<const std::uint8_t> bytes = bytes_of(node);
  const std::uint8_t* at = bytes.data();
  const std::uint8_t* const end = at + bytes.size();
  for (const std::size_t module : graph_.large_) crowd.clear(module);
  places.assign(domain().variables.size(), 0);
  graph_.set_background(crowd, Encoding::pop(at));
  while (at != end) {
    const KindId kind = Encoding::pop(at);
    const std::uint32_t count = Encoding::pop(at);
    const Kinds::Look& look = graph_.kinds_.look(kind);
    const std::size_t place =
        crowd.add(look.module, graph_.kinds_.record(kind), count, {kind, look.colour});
    for (Names names = look.names; names != 0; names &= names - 1) {
      places[static_cast<std::size_t>(std::countr_zero(names))] = static_cast<Value>(place);
    }
  }
}

void CountedSpace::load(NodeId node) {
  read(node, crowd_, places_);
  const std::uint8_t* at = bytes_of(node).data();
  background_ = Encoding::pop(at);
}

KindId CountedSpace::kind_after(std::size_t module, std::size_t place) const {
  for (const Changed& changed : changed_) {
    if (changed.place == place && changed.module == module) return changed.kind;
  }
  return crowd_.places(module).kinds[place];
}

/// Takes the processes that change out of their kinds and puts them back as they are afterwards.
NodeId CountedSpace::target(const std::vector<Write>& writes) {
  const Addresses& addresses = *graph_.placed_.addresses();
  Kinds& kinds = graph_.kinds_;
  changed_.clear();
  records_.clear();
  background_after_ = background_;
  std::size_t background_record = SIZE_MAX;
  for (const Write& write : writes) {
    if (write.at < addresses.first_row) {
      if (background_record == SIZE_MAX) {
        background_record = records_.size();
        records_.insert(records_.end(), crowd_.values(), crowd_.values() + addresses.first_row);
      }
      records_[background_record + write.at] = write.value;
      continue;
    }
    const std::size_t place = (write.at - addresses.first_row) / addresses.row_size;
    const std::size_t offset = (write.at - addresses.first_row) % addresses.row_size;
    std::size_t module = 0;
    while (offset >= addresses.records[module].first + addresses.records[module].size) ++module;
    auto known = std::ranges::find_if(changed_, [&](const Changed& changed) {
      return changed.place == place && changed.module == module;
    });
    if (known == changed_.end()) {
      changed_.push_back({module, place, records_.size(), 0});
      known = changed_.end() - 1;
      const Value* const record = crowd_.record(module, place);
      records_.insert(records_.end(), record, record + addresses.records[module].size);
    }
    records_[known->record + offset - addresses.records[module].first] = write.value;
  }
  for (Changed& changed : changed_) {
    const Kinds::Look look = kinds.look(crowd_.places(changed.module).kinds[changed.place]);
    changed.kind = kinds.insert(look, records_.data() + changed.record);
  }
  if (background_record != SIZE_MAX) {
    background_after_ = kinds.insert(kinds.look(background_), records_.data() + background_record);
  }
  entries_.clear();
  for (const std::size_t module : graph_.large_) {
    const Crowd::Places& of = crowd_.places(module);
    const std::size_t first = entries_.size();
    for (std::size_t p = 0; p < of.size(); ++p) {
      entries_.emplace_back(kind_after(module, p), of.counts[p]);
    }
    CountedGraph::settle(entries_, first);
  }
  return insert(background_after_);
}

/// What the instance that was just fired does to the processes of the node.
void CountedSpace::describe(const CountedGenerator::Instance& instance) {
  CountedEdge made;
  made.schema = instance.schema;
  made.background = background_after_;
  const model::Schema& schema = graph_.placed_.schemas()[instance.schema];
  for (std::size_t i = 0; i < instance.num_indices; ++i) {
    const std::size_t module = base::index_of(schema.modules[i]);
    std::size_t same_as = i;
    for (std::size_t earlier = i; earlier-- > 0;) {
      const bool same = base::index_of(schema.modules[earlier]) == module &&
                        instance.places[earlier] == instance.places[i];
      if (same) same_as = earlier;
    }
    made.indices.push_back({module, instance.origins[i], same_as});
  }
  for (const std::size_t module : graph_.large_) {
    const Crowd::Places& of = crowd_.places(module);
    for (std::size_t p = 0; p < of.size(); ++p) {
      CountedEdge::Transfer transfer;
      transfer.module = module;
      transfer.place = p;
      transfer.from = of.kinds[p];
      transfer.to = kind_after(module, p);
      for (std::size_t i = 0; i < instance.num_indices; ++i) {
        const bool here = made.indices[i].module == module && made.indices[i].same_as == i &&
                          instance.places[i] == static_cast<Value>(p);
        if (!here) continue;
        transfer.index = i;
        transfer.place = made.indices[i].place;
      }
      made.transfers.push_back(transfer);
    }
  }
  edges_.push_back(std::move(made));
}

const Fan& CountedSpace::fan(NodeId node, Detail detail) {
  load(node);
  fan_.targets.clear();
  edges_.clear();
  fan_.fault = graph_.generator_.for_each(crowd_, domain().coloured ? &colouring_.ranks : nullptr,
                                          [&](const CountedGenerator::Instance& instance) {
                                            const std::vector<Write>& writes =
                                                graph_.generator_.fire();
                                            if (graph_.generator_.has_fault()) return;
                                            fan_.targets.push_back(target(writes));
                                            if (detail == Detail::Permutations) describe(instance);
                                          });
  if (!fan_.fault) {
    const std::uint32_t state =
        nodes_ == &own_nodes_ ? graph_.state_of(bytes_of(node)) : static_cast<std::uint32_t>(node);
    graph_.note_expansion(state, fan_.targets.size());
  }
  return fan_;
}

const std::vector<std::vector<bool>>& CountedSpace::enabled(NodeId node) {
  load(node);
  return graph_.enabled(crowd_, colouring());
}

}  // namespace cohort::quotient
