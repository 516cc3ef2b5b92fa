// Canonical forms.
//
// Idea.  Where processes are independent records (structure.hpp), sort the records; a variable that
// holds a process is a mark on that process' record.  Otherwise colour the processes by content and
// refine: by the colours of those that they are related to, until nothing changes.  If no two
// processes of an entangled module have one colour, or those that have can be exchanged without
// changing anything, the order of colours is canonical.  What remains are true ties, such as the
// rotations of a ring: bliss finds a canonical labelling of the coloured graph.
//
// Never are all permutations tried.
#include "symmetry/canonical.hpp"

#include <algorithm>
#include <bliss/graph.hh>
#include <map>
#include <numeric>
#include <utility>

#include "symmetry/apply.hpp"

namespace cohort::symmetry {

using model::Value;
using model::Word;

Canonicalizer::Canonicalizer(const model::Program& program)
    : program_(program), structure_(program) {
  find_records();
}

void Canonicalizer::find_records() {
  sorts_ = !structure_.entangled;
  for (std::size_t m = 0; m < structure_.modules.size() && sorts_; ++m) {
    const Structure::Module& module = structure_.modules[m];
    if (!module.movable) continue;
    Records made;
    made.module = m;
    made.first = module.first;
    made.size = module.size;
    made.pointers = module.pointers;
    for (const std::uint32_t i : module.own.front()) made.width += program_.layout().field(i).width;
    sorts_ = made.width + made.pointers.size() <= 64;
    for (const std::vector<std::uint32_t>& own : module.own) {
      model::Field start;
      start.shift = UINT8_MAX;
      for (const std::uint32_t i : own) {
        const model::Field& field = program_.layout().field(i);
        if (field.width > 0 && field.shift < start.shift) start = field;
      }
      if (start.shift == UINT8_MAX) start.shift = 0;
      made.words.push_back(start.word);
      made.shifts.push_back(start.shift);
    }
    records_.push_back(std::move(made));
  }
  if (!sorts_) values_.resize(program_.instances().size());
}

void Canonicalizer::operator()(Word* words, Permutation* from_representative,
                               const std::uint64_t* looks) {
  if (from_representative != nullptr) {
    from_representative->resize(program_.num_processes());
    std::iota(from_representative->begin(), from_representative->end(), 0U);
  }
  if (sorts_) {
    sort_records(words, from_representative, looks);
    return;
  }
  unpack(words);
  colour_by_content();
  refine();
  if (!ties_are_plain()) break_ties();
  Permutation found = identity(program_.num_processes());
  order_by_colour(found);
  const std::vector<Value> made = apply(program_, inverse(found), values_);
  for (std::size_t i = 0; i < made.size(); ++i) program_.layout().set(words, i, made[i]);
  if (from_representative != nullptr) *from_representative = std::move(found);
}

// ---------------------------------------------------------------------------------------------------
// Sorting

/// A record's bits, and below them a bit for each variable that holds the process.
void Canonicalizer::read_keys(const Records& records, const Word* words) {
  const auto num_pointers = static_cast<unsigned>(records.pointers.size());
  const Word mask = records.width == 64 ? ~Word{0} : (Word{1} << records.width) - 1;
  keys_.resize(records.size);
  for (std::size_t p = 0; p < records.size; ++p) {
    const Word record = (words[records.words[p]] >> records.shifts[p]) & mask;
    keys_[p] = num_pointers == 64 ? 0 : record << num_pointers;
  }
  for (unsigned i = 0; i < num_pointers; ++i) {
    const Value held = program_.layout().get(words, records.pointers[i]);
    if (held != lang::none_value) keys_[static_cast<std::size_t>(held)] |= Word{1} << i;
  }
}

/// Sorts the numbers up to `size` into order_.  What is sorted is mostly a representative with a
/// few records changed: those that stand out are taken out, sorted alone and merged again, so that
/// this costs little more than looking at every record once.
template <typename Before>
void Canonicalizer::sort_order(std::size_t size, Before before) {
  constexpr std::size_t few = 24;
  if (size <= few) {
    order_.resize(size);
    std::iota(order_.begin(), order_.end(), 0U);
    for (std::size_t i = 1; i < size; ++i) {
      const std::uint32_t inserted = order_[i];
      std::size_t at = i;
      for (; at > 0 && before(inserted, order_[at - 1]); --at) order_[at] = order_[at - 1];
      order_[at] = inserted;
    }
    return;
  }
  order_.clear();
  strays_.clear();
  for (std::uint32_t p = 0; p < size; ++p) {
    if (order_.empty() || before(order_.back(), p)) {
      order_.push_back(p);
      continue;
    }
    // One of the two stands out; nobody knows which.
    strays_.push_back(order_.back());
    strays_.push_back(p);
    order_.pop_back();
  }
  std::ranges::sort(strays_, before);
  merged_.resize(size);
  std::ranges::merge(order_, strays_, merged_.begin(), before);
  std::swap(order_, merged_);
}

/// Puts the records of order_ where they belong.
void Canonicalizer::write_sorted(const Records& records, Word* words) const {
  const auto num_pointers = static_cast<unsigned>(records.pointers.size());
  const Word mask = records.width == 64 ? ~Word{0} : (Word{1} << records.width) - 1;
  const Word pointer_mask = num_pointers == 64 ? ~Word{0} : (Word{1} << num_pointers) - 1;
  for (std::size_t p = 0; p < records.size; ++p) {
    const Word key = keys_[order_[p]];
    if (key == keys_[p]) continue;
    if (records.width > 0) {
      Word& word = words[records.words[p]];
      word = (word & ~(mask << records.shifts[p])) | ((key >> num_pointers) << records.shifts[p]);
    }
    if ((key & pointer_mask) == 0) continue;
    for (unsigned i = 0; i < num_pointers; ++i) {
      if (((key >> i) & 1U) != 0) {
        program_.layout().set(words, records.pointers[i], static_cast<Value>(p));
      }
    }
  }
}

void Canonicalizer::sort_records(Word* words, Permutation* from_representative,
                                 const std::uint64_t* looks) {
  const auto sort = [&](const Records& records, auto before) {
    bool sorted = true;
    for (std::uint32_t p = 1; p < records.size && sorted; ++p) sorted = before(p - 1, p);
    if (sorted) return;
    sort_order(records.size, before);
    write_sorted(records, words);
    if (from_representative == nullptr) return;
    const auto first = static_cast<std::uint32_t>(records.first);
    for (std::size_t p = 0; p < records.size; ++p) {
      (*from_representative)[records.first + p] = first + order_[p];
    }
  };
  for (const Records& records : records_) {
    read_keys(records, words);
    const std::uint64_t* const keys = keys_.data();
    if (looks == nullptr) {
      sort(records, [keys](std::uint32_t a, std::uint32_t b) {
        return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
      });
      continue;
    }
    const std::uint64_t* const of_records = looks + records.first;
    sort(records, [keys, of_records](std::uint32_t a, std::uint32_t b) {
      if (keys[a] != keys[b]) return keys[a] < keys[b];
      return of_records[a] != of_records[b] ? of_records[a] < of_records[b] : a < b;
    });
  }
}

void Canonicalizer::classes(const Word* words, std::vector<std::uint32_t>& numbers) {
  numbers.resize(program_.num_processes());
  std::iota(numbers.begin(), numbers.end(), 0U);
  if (sorts_) {
    for (const Records& records : records_) {
      read_keys(records, words);
      if (std::ranges::is_sorted(keys_)) {
        for (std::size_t p = 0; p < records.size; ++p) {
          numbers[records.first + p] = p > 0 && keys_[p] == keys_[p - 1]
                                           ? numbers[records.first + p - 1]
                                           : static_cast<std::uint32_t>(records.first + p);
        }
        continue;
      }
      std::map<std::uint64_t, std::uint32_t> firsts;
      for (std::size_t p = 0; p < records.size; ++p) {
        const auto number = static_cast<std::uint32_t>(records.first + p);
        numbers[number] = firsts.emplace(keys_[p], number).first->second;
      }
    }
    return;
  }
  unpack(words);
  colour_by_content();
  for (const Structure::Module& module : structure_.modules) {
    if (!module.movable) continue;
    std::vector<std::uint32_t> firsts;
    for (std::size_t i = 0; i < module.size; ++i) {
      const auto p = static_cast<std::uint32_t>(module.first + i);
      const auto same = std::ranges::find_if(firsts, [&](std::uint32_t first) {
        return colours_[first] == colours_[p] && (!module.entangled || can_exchange(first, p));
      });
      numbers[p] = same == firsts.end() ? p : *same;
      if (same == firsts.end()) firsts.push_back(p);
    }
  }
}

// ---------------------------------------------------------------------------------------------------
// Refinement

void Canonicalizer::unpack(const Word* words) { program_.layout().unpack(words, values_.data()); }

/// Gives the processes of a module colours in the order of their signatures: a colour is the number
/// of processes before it.  Returns how many different ones there are.
std::size_t Canonicalizer::number_by_signature(std::size_t first, std::size_t size) {
  order_.resize(size);
  std::iota(order_.begin(), order_.end(), static_cast<std::uint32_t>(first));
  std::ranges::sort(
      order_, [&](std::uint32_t a, std::uint32_t b) { return signatures_[a] < signatures_[b]; });
  std::size_t different = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const bool is_new = i == 0 || signatures_[order_[i]] != signatures_[order_[i - 1]];
    colours_[order_[i]] = is_new ? static_cast<std::uint32_t>(first + i) : colours_[order_[i - 1]];
    if (is_new) ++different;
  }
  return different;
}

void Canonicalizer::colour_by_content() {
  colours_.resize(program_.num_processes());
  signatures_.resize(program_.num_processes());
  std::iota(colours_.begin(), colours_.end(), 0U);
  for (const Structure::Module& module : structure_.modules) {
    if (!module.movable) continue;
    for (std::size_t p = 0; p < module.size; ++p) {
      Signature& signature = signatures_[module.first + p];
      signature.clear();
      for (const std::uint32_t i : module.own[p]) signature.push_back(values_[i]);
      for (const std::uint32_t i : module.pointers) {
        signature.push_back(values_[i] == static_cast<Value>(p) ? 1 : 0);
      }
    }
    (void)number_by_signature(module.first, module.size);
  }
}

/// What a process is related to, in an order that does not depend on names.
Canonicalizer::Signature Canonicalizer::surroundings(std::uint32_t process) const {
  constexpr Value myself = -2;
  constexpr Value holder = -3;
  std::vector<Signature> ties;
  const auto seen = [&](std::uint32_t p) { return p == process ? myself : Value{colours_[p]}; };
  const auto held = [&](const Relation& relation) {
    const Value value = values_[relation.instance];
    if (!relation.holds_process || value == lang::none_value) return value;
    return seen(relation.value_module_first + static_cast<std::uint32_t>(value));
  };
  for (const std::uint32_t r : structure_.relations_of[process]) {
    const Relation& relation = structure_.relations[r];
    Signature tie{relation.kind, held(relation)};
    for (const std::uint32_t p : relation.processes) tie.push_back(seen(p));
    ties.push_back(std::move(tie));
  }
  for (const Relation& relation : structure_.relations) {
    const Value value = values_[relation.instance];
    if (!relation.holds_process || value == lang::none_value ||
        relation.value_module_first + static_cast<std::uint32_t>(value) != process) {
      continue;
    }
    Signature tie{relation.kind, holder};
    for (const std::uint32_t p : relation.processes) tie.push_back(seen(p));
    ties.push_back(std::move(tie));
  }
  std::ranges::sort(ties);
  Signature made{colours_[process]};
  for (const Signature& tie : ties) {
    made.push_back(static_cast<Value>(tie.size()));
    made.insert(made.end(), tie.begin(), tie.end());
  }
  return made;
}

void Canonicalizer::refine() {
  if (!structure_.entangled) return;
  std::size_t different = 0;
  for (;;) {
    for (const Structure::Module& module : structure_.modules) {
      if (!module.entangled) continue;
      for (std::size_t p = 0; p < module.size; ++p) {
        const auto process = static_cast<std::uint32_t>(module.first + p);
        signatures_[process] = surroundings(process);
      }
    }
    std::size_t now = 0;
    for (const Structure::Module& module : structure_.modules) {
      if (module.entangled) now += number_by_signature(module.first, module.size);
    }
    if (now == different) return;
    different = now;
  }
}

bool Canonicalizer::can_exchange(std::uint32_t a, std::uint32_t b) const {
  Permutation swap = identity(program_.num_processes());
  std::swap(swap[a], swap[b]);
  return apply(program_, swap, values_) == values_;
}

bool Canonicalizer::ties_are_plain() {
  for (const Structure::Module& module : structure_.modules) {
    if (!module.entangled) continue;
    std::map<std::uint32_t, std::uint32_t> firsts;
    for (std::size_t p = 0; p < module.size; ++p) {
      const auto process = static_cast<std::uint32_t>(module.first + p);
      const auto [first, is_new] = firsts.emplace(colours_[process], process);
      if (!is_new && !can_exchange(first->second, process)) return false;
    }
  }
  return true;
}

/// A vertex for each process, coloured; one for each relation, coloured by its kind and value, tied
/// to its processes through a vertex for each part that they play.
void Canonicalizer::break_ties() {
  std::map<std::pair<std::uint32_t, Value>, unsigned> relation_colours;
  const auto tells = [&](const Relation& relation) {
    return !relation.holds_process || values_[relation.instance] != lang::none_value;
  };
  for (const Relation& relation : structure_.relations) {
    if (!tells(relation)) continue;
    const Value value = relation.holds_process ? 0 : values_[relation.instance];
    relation_colours.emplace(std::pair{relation.kind, value}, 0);
  }
  const auto num_processes = static_cast<unsigned>(program_.num_processes());
  unsigned next = num_processes;
  for (auto& [key, colour] : relation_colours) colour = next++;
  bliss::Graph graph;
  for (unsigned p = 0; p < num_processes; ++p) (void)graph.add_vertex(colours_[p]);
  for (const Relation& relation : structure_.relations) {
    if (!tells(relation)) continue;
    const Value value = relation.holds_process ? 0 : values_[relation.instance];
    const unsigned centre = graph.add_vertex(relation_colours.at({relation.kind, value}));
    const auto tie = [&](std::size_t part, std::uint32_t process) {
      const unsigned vertex = graph.add_vertex(next + static_cast<unsigned>(part));
      graph.add_edge(centre, vertex);
      graph.add_edge(vertex, process);
    };
    for (std::size_t i = 0; i < relation.processes.size(); ++i) tie(i, relation.processes[i]);
    if (relation.holds_process) {
      tie(relation.processes.size(),
          relation.value_module_first + static_cast<std::uint32_t>(values_[relation.instance]));
    }
  }
  bliss::Stats stats;
  const unsigned* const labels = graph.canonical_form(stats, nullptr, nullptr);
  for (const Structure::Module& module : structure_.modules) {
    if (!module.entangled) continue;
    for (std::size_t p = 0; p < module.size; ++p) {
      signatures_[module.first + p] = {colours_[module.first + p],
                                       static_cast<Value>(labels[module.first + p])};
    }
    (void)number_by_signature(module.first, module.size);
  }
}

void Canonicalizer::order_by_colour(Permutation& from_representative) const {
  for (const Structure::Module& module : structure_.modules) {
    if (!module.movable) continue;
    const auto begin = from_representative.begin() + static_cast<std::ptrdiff_t>(module.first);
    std::sort(begin, begin + static_cast<std::ptrdiff_t>(module.size),
              [&](std::uint32_t a, std::uint32_t b) {
                return colours_[a] != colours_[b] ? colours_[a] < colours_[b] : a < b;
              });
  }
}

}  // namespace cohort::symmetry
