#include "quotient/counted_arrange.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "symmetry/labelling.hpp"

namespace cohort::quotient {

Arranger::Arranger(const CountedLayout& layout, Kinds& kinds)
    : layout_(layout),
      kinds_(kinds),
      colours_(layout.num_individuals()),
      gathered_(layout.num_individuals()),
      order_(layout.num_individuals()),
      ranks_(layout.num_individuals()),
      moves_(layout.num_individuals()) {
  std::iota(order_.begin(), order_.end(), 0U);
  std::iota(moves_.begin(), moves_.end(), 0U);
}

KindId Arranger::operator()(KindId background, Entries& entries) {
  colour(background);
  const KindId told_apart = known_[background].moved;
  if (told_apart == IdSet::none) {
    refine(background, entries);
    if (!ties_are_plain(background, entries)) break_ties(background, entries);
  }
  is_identity_ = true;
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    moves_[order_[i]] = i;
    is_identity_ = is_identity_ && order_[i] == i;
  }
  if (is_identity_) return background;
  if (layout_.crosses()) {
    for (std::size_t i = 0; i < entries.size();) {
      const std::size_t module = module_of(entries[i].first);
      const auto first = entries.begin() + static_cast<std::ptrdiff_t>(i);
      for (; i < entries.size() && module_of(entries[i].first) == module; ++i) {
        entries[i].first = permuted(entries[i].first);
      }
      std::sort(first, entries.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return told_apart == IdSet::none ? permuted(background) : told_apart;
}

// ---------------------------------------------------------------------------------------------------
// Refinement: what fields say is gathered as a sum of hashes, so that their order is of no matter

bool Arranger::find_parts(const Field& field, const Value* record) {
  parts_.clear();
  for (const Field::Subscript& subscript : field.subscripts) {
    parts_.push_back(subscript.individual);
  }
  const bool holds = field.held != Field::nobody && record[field.at] != lang::none_value;
  if (holds) {
    parts_.push_back(static_cast<std::uint32_t>(field.held) +
                     static_cast<std::uint32_t>(record[field.at]));
  }
  return holds;
}

/// Tells every individual of a record's fields what they say: which, with what value, what part the
/// individual plays, and the colours of all that are in it, the individual itself marked.
void Arranger::gather(const Value* record, std::size_t module, std::uint64_t start) {
  for (const Field& field : layout_.fields(module)) {
    const bool holds = find_parts(field, record);
    const auto value = static_cast<std::uint64_t>(holds ? 0 : record[field.at]);
    const std::uint64_t said = mixed(mixed(start, field.sort + 1), value);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      std::uint64_t hash = mixed(said, i);
      for (const std::uint32_t other : parts_) {
        hash = mixed(hash, other == parts_[i] ? UINT64_MAX : colours_[other]);
      }
      gathered_[parts_[i]] += hash;
    }
  }
}

/// What a kind is without individuals.
std::uint64_t Arranger::own_hash(KindId kind) {
  if (own_hashes_.size() <= kind) own_hashes_.resize(kinds_.size(), 0);
  std::uint64_t& hash = own_hashes_[kind];
  if (hash != 0) return hash;
  const Kinds::Look& look = kinds_.look(kind);
  hash = mixed((std::uint64_t{look.module} << 16U) | look.colour, look.names);
  for (const std::size_t at : layout_.plain_fields(look.module)) {
    hash = mixed(hash, static_cast<std::uint64_t>(kinds_.record(kind)[at]));
  }
  hash |= 1U;
  return hash;
}

std::uint64_t Arranger::hash(KindId kind, std::uint32_t count) {
  std::uint64_t sum = mixed(own_hash(kind), count);
  const Value* const record = kinds_.record(kind);
  for (const Field& field : layout_.fields(module_of(kind))) {
    const bool holds = find_parts(field, record);
    std::uint64_t hash =
        mixed(field.sort, static_cast<std::uint64_t>(holds ? 0 : record[field.at]));
    for (const std::uint32_t part : parts_) hash = mixed(hash, colours_[part]);
    sum += hash;
  }
  return sum;
}

std::size_t Arranger::split() {
  std::size_t different = 0;
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return colours_[a] != colours_[b] ? colours_[a] < colours_[b] : gathered_[a] < gathered_[b];
  };
  for (const std::size_t module : layout_.individual()) {
    const std::size_t first = layout_.first_individual(module);
    const std::size_t end = layout_.first_individual(module + 1);
    std::sort(
        order_.begin() + static_cast<std::ptrdiff_t>(first),
        order_.begin() + static_cast<std::ptrdiff_t>(end),
        [&](std::uint32_t a, std::uint32_t b) { return before(a, b) || (!before(b, a) && a < b); });
    for (std::size_t i = first; i < end; ++i) {
      const bool is_new = i == first || before(order_[i - 1], order_[i]);
      if (is_new) ++different;
      ranks_[order_[i]] = is_new ? static_cast<std::uint32_t>(i) : ranks_[order_[i - 1]];
    }
  }
  // Not before: the order looks at the old ones.
  std::swap(colours_, ranks_);
  return different;
}

void Arranger::colour(KindId background) {
  if (known_.size() <= background) known_.resize(kinds_.size());
  const std::size_t known = known_[background].colours;
  if (known != SIZE_MAX) {
    std::copy_n(remembered_.begin() + static_cast<std::ptrdiff_t>(known), colours_.size(),
                colours_.begin());
    const bool told_apart = known_[background].moved != IdSet::none;
    for (std::uint32_t i = 0; i < order_.size(); ++i) order_[told_apart ? colours_[i] : i] = i;
    return;
  }
  start(background);
  refine(background, {});
  known_[background].colours = remembered_.size();
  remembered_.insert(remembered_.end(), colours_.begin(), colours_.end());
  // Each is the first of its colour.
  const auto is_alone = [&](std::uint32_t i) { return order_[colours_[i]] == i; };
  if (!std::ranges::all_of(order_, is_alone)) return;
  for (const std::uint32_t i : order_) moves_[i] = colours_[i];
  const KindId moved = permuted(background);
  known_[background].moved = moved;
}

void Arranger::start(KindId background) {
  const Value* const looks = kinds_.record(background) + layout_.addresses().first_row;
  for (const std::size_t module : layout_.individual()) {
    const std::size_t first = layout_.first_individual(module);
    for (std::size_t i = first; i < layout_.first_individual(module + 1); ++i) {
      colours_[i] = static_cast<std::uint32_t>(first);
      order_[i] = static_cast<std::uint32_t>(i);
      gathered_[i] = static_cast<std::uint64_t>(looks[i]);
    }
  }
  (void)split();
}

void Arranger::refine(KindId background, const Entries& entries) {
  for (std::size_t different = 0;;) {
    std::ranges::fill(gathered_, 0);
    gather(kinds_.record(background), layout_.background(), 0);
    if (layout_.crosses()) {
      for (const auto& [kind, count] : entries) {
        if (crosses(kind)) gather(kinds_.record(kind), module_of(kind), hash(kind, count));
      }
    }
    const std::size_t now = split();
    if (now == different || now == order_.size()) return;
    different = now;
  }
}

// ---------------------------------------------------------------------------------------------------
// Ties

bool Arranger::ties_are_plain(KindId background, const Entries& entries) {
  std::iota(moves_.begin(), moves_.end(), 0U);
  for (std::size_t i = 1; i < order_.size(); ++i) {
    // A colour is the place in the order of the first that has it.
    const std::uint32_t first = order_[colours_[order_[i]]];
    if (first == order_[i]) continue;
    std::swap(moves_[first], moves_[order_[i]]);
    const bool is_plain = is_fixed(background, entries);
    std::swap(moves_[first], moves_[order_[i]]);
    if (!is_plain) return false;
  }
  return true;
}

/// Whether a state stays as it is when its individuals move.
bool Arranger::is_fixed(KindId background, const Entries& entries) {
  const auto is_same = [&](KindId kind) {
    permute(kind);
    return std::equal(buffer_.begin(), buffer_.end(), kinds_.record(kind));
  };
  if (!is_same(background)) return false;
  if (!layout_.crosses()) return true;
  return std::ranges::all_of(entries, [&](const std::pair<KindId, std::uint32_t>& entry) {
    if (!crosses(entry.first) || is_same(entry.first)) return true;
    const KindId moved = kinds_.find(kinds_.look(entry.first), buffer_.data());
    return moved != IdSet::none &&
           std::ranges::find(entries, std::pair{moved, entry.second}) != entries.end();
  });
}

/// The coloured graph: a vertex for each individual, a vertex for each kind that is present and
/// says something about individuals, and for each field a vertex for each part in it, tied to its
/// part and to the next one.  The most frequent value of a sort of fields is left out: where
/// nothing is drawn there it is.
void Arranger::break_ties(KindId background, const Entries& entries) {
  symmetry::ColouredGraph graph;
  for (const std::uint32_t colour : colours_) (void)graph.add_vertex(colour);
  auto next_colour = static_cast<unsigned>(colours_.size());
  struct Drawn {
    KindId kind = 0;
    bool has_vertex = false;
    unsigned vertex = 0;
  };
  std::vector<Drawn> drawn{{background, false, 0}};
  if (layout_.crosses()) {
    std::vector<std::uint64_t> looks;
    for (const auto& [kind, count] : entries) {
      if (crosses(kind)) looks.push_back(hash(kind, count));
    }
    std::ranges::sort(looks);
    for (const auto& [kind, count] : entries) {
      if (!crosses(kind)) continue;
      const auto rank = std::ranges::lower_bound(looks, hash(kind, count)) - looks.begin();
      drawn.push_back({kind, true, graph.add_vertex(next_colour + static_cast<unsigned>(rank))});
    }
    next_colour += static_cast<unsigned>(looks.size());
  }
  using Key = std::pair<std::uint32_t, Value>;  // sort and value
  constexpr Value holds_one = INT64_MIN;        // a field that holds is told by where it leads
  struct Drawing {
    std::size_t count = 0;
    unsigned colour = 0;
  };
  std::map<Key, Drawing> drawings;
  const auto for_each_field = [&](const auto& visit) {
    for (const Drawn& from : drawn) {
      const Value* const record = kinds_.record(from.kind);
      for (const Field& field : layout_.fields(module_of(from.kind))) {
        const bool holds = find_parts(field, record);
        const bool is_related = parts_.size() > (from.has_vertex ? 0U : 1U);
        if (is_related) visit(from, Key{field.sort, holds ? holds_one : record[field.at]});
      }
    }
  };
  for_each_field([&](const Drawn& /*from*/, const Key& key) { ++drawings[key].count; });
  std::map<std::uint32_t, Key> left_out;
  constexpr unsigned most_parts = 8;
  for (auto& [key, drawing] : drawings) {
    drawing.colour = next_colour;
    next_colour += most_parts;
    if (key.second == holds_one) continue;
    const auto [known, is_new] = left_out.emplace(key.first, key);
    if (!is_new && drawing.count > drawings.at(known->second).count) known->second = key;
  }
  for_each_field([&](const Drawn& from, const Key& key) {
    const auto omitted = left_out.find(key.first);
    if (omitted != left_out.end() && omitted->second == key) return;
    const unsigned first_colour = drawings.at(key).colour;
    unsigned last = from.vertex;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const unsigned part = std::min(static_cast<unsigned>(i), most_parts - 1);
      const unsigned vertex = graph.add_vertex(first_colour + part);
      graph.add_edge(vertex, parts_[i]);
      if (i > 0 || from.has_vertex) graph.add_edge(last, vertex);
      last = vertex;
    }
  });
  const std::vector<unsigned> labels = graph.labels();
  std::copy_n(labels.begin(), gathered_.size(), gathered_.begin());
  (void)split();
}

// ---------------------------------------------------------------------------------------------------
// Moving

void Arranger::permute(KindId kind) {
  const std::size_t module = module_of(kind);
  const Value* const record = kinds_.record(kind);
  buffer_.assign(record, record + kinds_.record_size(kind));
  for (const Field& field : layout_.fields(module)) {
    std::size_t to = field.at;
    for (const Field::Subscript& subscript : field.subscripts) {
      to += subscript.stride *
            (std::size_t{moves_[subscript.individual]} - std::size_t{subscript.individual});
    }
    Value value = record[field.at];
    if (field.held != Field::nobody && value != lang::none_value) {
      value = static_cast<Value>(moves_[field.held + static_cast<std::size_t>(value)]) -
              static_cast<Value>(field.held);
    }
    buffer_[to] = value;
  }
  if (module != layout_.background()) return;
  const std::size_t looks = layout_.addresses().first_row;
  for (std::size_t i = 0; i < moves_.size(); ++i) buffer_[looks + moves_[i]] = record[looks + i];
}

KindId Arranger::permuted(KindId kind) {
  if (module_of(kind) != layout_.background() && !crosses(kind)) return kind;
  permute(kind);
  return kinds_.insert(kinds_.look(kind), buffer_.data());
}

}  // namespace cohort::quotient
