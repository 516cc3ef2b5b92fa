#include "quotient/counted_graph.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace cohort::quotient {
namespace {

using model::Addresses;
using model::Crowd;

constexpr std::size_t most_indices = 64;

/// What an individual looks like, in the record of the background.
struct IndividualLook {
  Colour colour = 0;
  Names names = 0;
};
constexpr unsigned names_shift = 16;

[[nodiscard]] Value look_of(const IndividualLook& look) {
  return static_cast<Value>((std::uint64_t{look.names} << names_shift) | look.colour);
}

[[nodiscard]] IndividualLook look_in(Value field) {
  const auto bits = static_cast<std::uint64_t>(field);
  return {static_cast<Colour>(bits), static_cast<Names>(bits >> names_shift)};
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
  const auto is_countable = [&](const lang::Schema& schema) {
    return schema.num_indices <= most_indices && fits(schema.condition, source);
  };
  const auto is_small = [](const lang::Module& module) { return module.size < UINT32_MAX; };
  return std::ranges::all_of(source.schemas, is_countable) &&
         std::ranges::all_of(source.modules, is_small) && CountedLayout(source).fits();
}

CountedGraph::CountedGraph(const model::Program& program)
    : program_(program),
      layout_(program.source()),
      placed_(program.source(), layout_.addresses()),
      kinds_(layout_.record_sizes(), layout_.num_individuals()),
      generator_(placed_, layout_),
      arrange_(layout_, kinds_) {
  enabled_.resize(program.source().modules.size());
}

/// The only process of a module stands at place 0 and individuals stand where their numbers say.
/// These places have no values: they are in the background.
Crowd CountedGraph::empty_crowd() const {
  Crowd made{layout_.addresses()};
  for (std::size_t m = 0; m < program_.source().modules.size(); ++m) {
    if (layout_.is_counted(m)) continue;
    for (std::int64_t p = 0; p < program_.source().modules[m].size; ++p) {
      made.add(m, nullptr, 1, {});
    }
  }
  return made;
}

void CountedGraph::set_background(Crowd& crowd, KindId kind) const {
  std::copy_n(kinds_.record(kind), layout_.addresses().first_row, crowd.values());
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

void CountedGraph::encode_state_of(std::span<const std::uint8_t> node) {
  const std::uint8_t* at = node.data();
  const std::uint8_t* const end = at + node.size();
  KindId background = kinds_.plain(Encoding::pop(at));
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
  if (layout_.num_individuals() > 0) background = arrange_(background, plain_);
  encode(background, plain_);
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
      crowd_(graph.empty_crowd()),
      arrange_(graph.layout_, graph.kinds_) {}

/// Announces the node of a background and of entries_.
void CountedSpace::announce(KindId background) {
  if (graph_.layout_.num_individuals() > 0) background = arrange_(background, entries_);
  background_after_ = background;
  graph_.encode(background, entries_);
  nodes_->announce(graph_.encoding_.bytes());
}

/// What was announced.  Every node is of a state, and states are counted.
const std::vector<CountedStore::Inserted>& CountedSpace::insert_announced() {
  const std::size_t known = nodes_->size();
  const std::vector<CountedStore::Inserted>& inserted = nodes_->insert_announced();
  if (nodes_ != &own_nodes_) return inserted;
  for (std::size_t node = known; node < own_nodes_.size(); ++node) {
    graph_.encode_state_of(own_nodes_[static_cast<std::uint32_t>(node)]);
    graph_.states_.announce(graph_.encoding_.bytes());
  }
  for (const CountedStore::Inserted& made : graph_.states_.insert_announced()) {
    states_of_nodes_.push_back(made.id);
  }
  return inserted;
}

NodeId CountedSpace::enter(const Crowd& crowd, std::span<const Value> places) {
  const auto names_at = [&](std::size_t module, std::size_t place) {
    Names names = 0;
    for (std::size_t v = 0; v < places.size(); ++v) {
      const bool here =
          base::index_of(domain().variables[v]) == module && places[v] == static_cast<Value>(place);
      if (here) names |= Names{1} << v;
    }
    return names;
  };
  entries_.clear();
  for (const std::size_t module : graph_.layout_.counted()) {
    const Crowd::Places& of = crowd.places(module);
    const std::size_t first = entries_.size();
    for (std::size_t p = 0; p < of.size(); ++p) {
      const KindId kind = graph_.kinds_.dressed(of.kinds[p], domain().coloured ? of.colours[p] : 0,
                                                names_at(module, p));
      entries_.emplace_back(kind, of.counts[p]);
    }
    CountedGraph::settle(entries_, first);
  }
  records_.assign(crowd.values(), crowd.values() + graph_.layout_.addresses().first_row);
  forget_pointers(records_.data());
  for (const std::size_t module : graph_.layout_.individual()) {
    const Crowd::Places& of = crowd.places(module);
    for (std::size_t p = 0; p < of.size(); ++p) {
      records_.push_back(
          look_of({domain().coloured ? of.colours[p] : Colour{0}, names_at(module, p)}));
    }
  }
  nodes_->forget_announced();
  announce(graph_.kinds_.insert(graph_.background_look(), records_.data()));
  return NodeId{insert_announced().front().id};
}

/// Where they point is remembered by marks.
void CountedSpace::forget_pointers(Value* background) const {
  for (const CountedLayout::Pointer& pointer : graph_.layout_.pointers()) {
    background[pointer.at] = lang::none_value;
  }
}

void CountedSpace::read(NodeId node, Crowd& crowd, std::vector<Value>& places) const {
  const std::span<const std::uint8_t> bytes = bytes_of(node);
  const std::uint8_t* at = bytes.data();
  const std::uint8_t* const end = at + bytes.size();
  const CountedLayout& layout = graph_.layout_;
  for (const std::size_t module : layout.counted()) crowd.clear(module);
  places.assign(domain().variables.size(), 0);
  const KindId background = Encoding::pop(at);
  graph_.set_background(crowd, background);
  const auto name = [&](Names names, std::size_t place) {
    for (; names != 0; names &= names - 1) {
      places[static_cast<std::size_t>(std::countr_zero(names))] = static_cast<Value>(place);
    }
  };
  const Value* const looks = graph_.kinds_.record(background) + layout.addresses().first_row;
  for (const std::size_t module : layout.individual()) {
    const std::size_t first = layout.first_individual(module);
    for (std::size_t i = first; i < layout.first_individual(module + 1); ++i) {
      crowd.set_colour(module, i - first, look_in(looks[i]).colour);
      name(look_in(looks[i]).names, i - first);
    }
  }
  while (at != end) {
    const KindId kind = Encoding::pop(at);
    const std::uint32_t count = Encoding::pop(at);
    const Kinds::Look& look = graph_.kinds_.look(kind);
    const std::size_t place =
        crowd.add(look.module, graph_.kinds_.record(kind), count, {kind, look.colour});
    name(look.names, place);
  }
  for (const CountedLayout::Pointer& pointer : layout.pointers()) {
    const std::size_t size = crowd.places(pointer.module).size();
    for (std::size_t place = 0; place < size; ++place) {
      if (crowd.record(pointer.module, place)[pointer.mark] == 0) continue;
      crowd.values()[pointer.at] = static_cast<Value>(place);
      break;
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

/// The record of a place as it will be, and its place in records_.
Value* CountedSpace::changing(std::size_t module, std::size_t place) {
  auto known = std::ranges::find_if(changed_, [&](const Changed& changed) {
    return changed.place == place && changed.module == module;
  });
  if (known == changed_.end()) {
    changed_.push_back({module, place, records_.size(), 0});
    known = changed_.end() - 1;
    const Value* const record = crowd_.record(module, place);
    records_.insert(records_.end(), record, record + crowd_.record_size(module));
  }
  return records_.data() + known->record;
}

/// Marks move from those that were pointed at to those that are.
void CountedSpace::move_marks(std::size_t background_record) {
  for (const CountedLayout::Pointer& pointer : graph_.layout_.pointers()) {
    const Value before = crowd_.values()[pointer.at];
    const Value after = records_[background_record + pointer.at];
    if (before == after) continue;
    if (before != lang::none_value) {
      changing(pointer.module, static_cast<std::size_t>(before))[pointer.mark] = 0;
    }
    if (after != lang::none_value) {
      changing(pointer.module, static_cast<std::size_t>(after))[pointer.mark] = 1;
    }
  }
  forget_pointers(records_.data() + background_record);
}

/// Takes the processes that change out of their kinds and puts them back as they are afterwards.
void CountedSpace::announce_target(const std::vector<Write>& writes) {
  const Addresses& addresses = graph_.layout_.addresses();
  Kinds& kinds = graph_.kinds_;
  changed_.clear();
  records_.clear();
  KindId background = background_;
  std::size_t background_record = SIZE_MAX;
  for (const Write& write : writes) {
    if (write.at < addresses.first_row) {
      if (background_record == SIZE_MAX) {
        background_record = records_.size();
        const Value* const looks = kinds.record(background_) + addresses.first_row;
        records_.insert(records_.end(), crowd_.values(), crowd_.values() + addresses.first_row);
        records_.insert(records_.end(), looks, looks + graph_.layout_.num_individuals());
      }
      records_[background_record + write.at] = write.value;
      continue;
    }
    const std::size_t place = (write.at - addresses.first_row) / addresses.row_size;
    const std::size_t offset = (write.at - addresses.first_row) % addresses.row_size;
    std::size_t module = 0;
    while (offset >= addresses.records[module].first + addresses.records[module].size) ++module;
    changing(module, place)[offset - addresses.records[module].first] = write.value;
  }
  if (background_record != SIZE_MAX) {
    move_marks(background_record);
    background = kinds.insert(kinds.look(background_), records_.data() + background_record);
  }
  for (Changed& changed : changed_) {
    const Kinds::Look look = kinds.look(crowd_.places(changed.module).kinds[changed.place]);
    changed.kind = kinds.insert(look, records_.data() + changed.record);
  }
  entries_.clear();
  for (const std::size_t module : graph_.layout_.counted()) {
    const Crowd::Places& of = crowd_.places(module);
    const std::size_t first = entries_.size();
    for (std::size_t p = 0; p < of.size(); ++p) {
      entries_.emplace_back(kind_after(module, p), of.counts[p]);
    }
    CountedGraph::settle(entries_, first);
  }
  announce(background);
}

std::vector<CountedEdge::Index> CountedSpace::indices_of(
    const CountedGenerator::Instance& instance) const {
  std::vector<CountedEdge::Index> made;
  const model::Schema& schema = graph_.placed_.schemas()[instance.schema];
  for (std::size_t i = 0; i < instance.num_indices; ++i) {
    const std::size_t module = base::index_of(schema.modules[i]);
    std::size_t same_as = i;
    for (std::size_t earlier = i; earlier-- > 0;) {
      const bool same = base::index_of(schema.modules[earlier]) == module &&
                        instance.places[earlier] == instance.places[i];
      if (same) same_as = earlier;
    }
    made.push_back({module, instance.origins[i], same_as});
  }
  return made;
}

/// What the instance that was just fired does to the processes of the node.
void CountedSpace::describe(const CountedGenerator::Instance& instance) {
  CountedEdge made;
  made.schema = instance.schema;
  made.background = background_after_;
  made.indices = indices_of(instance);
  made.individuals = arrange_.moves();
  for (const std::size_t module : graph_.layout_.counted()) {
    const Crowd::Places& of = crowd_.places(module);
    for (std::size_t p = 0; p < of.size(); ++p) {
      CountedEdge::Transfer transfer;
      transfer.module = module;
      transfer.place = p;
      transfer.from = of.kinds[p];
      transfer.to = arrange_.moved(kind_after(module, p));
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
  nodes_->forget_announced();
  fan_.targets.clear();
  edges_.clear();
  fan_.fault = graph_.generator_.for_each(crowd_, domain().coloured ? &colouring_.ranks : nullptr,
                                          [&](const CountedGenerator::Instance& instance) {
                                            const std::vector<Write>& writes =
                                                graph_.generator_.fire();
                                            if (graph_.generator_.has_fault()) return;
                                            announce_target(writes);
                                            if (detail == Detail::Permutations) describe(instance);
                                          });
  if (fan_.fault) return fan_;
  for (const CountedStore::Inserted& made : insert_announced()) {
    fan_.targets.push_back(NodeId{made.id});
  }
  graph_.note_expansion(static_cast<std::uint32_t>(state(node)), fan_.targets.size());
  return fan_;
}

const std::vector<std::vector<bool>>& CountedSpace::enabled(NodeId node) {
  load(node);
  return graph_.enabled(crowd_, colouring());
}

}  // namespace cohort::quotient
