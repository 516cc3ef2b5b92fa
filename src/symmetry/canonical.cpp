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
#include <map>
#include <numeric>
#include <utility>

#include "symmetry/labelling.hpp"

namespace cohort::symmetry {

using model::Value;
using model::Word;

namespace {
/// Records that are not worth more than sorting them by insertion.
constexpr std::size_t few = 24;
}  // namespace

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
      made.places.push_back({start.word, start.shift});
    }
    records_.push_back(std::move(made));
  }
  if (!sorts_) refinement_ = std::make_unique<Refinement>(program_, structure_);
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
  refinement_->load(words);
  refinement_->colour_by_content();
  refinement_->refine();
  if (!refinement_->ties_are_plain()) break_ties();
  found_.resize(program_.num_processes());
  std::iota(found_.begin(), found_.end(), 0U);
  order_by_colour(found_);
  inverse_.resize(found_.size());
  for (std::uint32_t p = 0; p < found_.size(); ++p) inverse_[found_[p]] = p;
  refinement_->write(inverse_, words);
  if (from_representative != nullptr) *from_representative = found_;
}

// ---------------------------------------------------------------------------------------------------
// Sorting

/// A record's bits, and below them a bit for each variable that holds the process.
void Canonicalizer::read_keys(const Records& records, const Word* words) {
  const auto num_pointers = static_cast<unsigned>(records.pointers.size());
  const Word mask = records.width == 64 ? ~Word{0} : (Word{1} << records.width) - 1;
  keys_.resize(records.size);
  std::ranges::transform(records.places, keys_.begin(), [&](const Records::Place& place) {
    const Word record = (words[place.word] >> place.shift) & mask;
    return num_pointers == 64 ? 0 : record << num_pointers;
  });
  for (unsigned i = 0; i < num_pointers; ++i) {
    const Value held = program_.layout().get(words, records.pointers[i]);
    if (held != lang::none_value) keys_[static_cast<std::size_t>(held)] |= Word{1} << i;
  }
}

/// A handful of keys into sorted_keys_.
void Canonicalizer::sort_keys() {
  sorted_keys_ = keys_;
  for (std::size_t i = 1; i < sorted_keys_.size(); ++i) {
    const std::uint64_t inserted = sorted_keys_[i];
    std::size_t at = i;
    for (; at > 0 && inserted < sorted_keys_[at - 1]; --at) sorted_keys_[at] = sorted_keys_[at - 1];
    sorted_keys_[at] = inserted;
  }
}

/// Sorts the numbers up to `size` into order_.  What is sorted is mostly a representative with a
/// few records changed: those that stand out are taken out, sorted alone and merged again, so that
/// this costs little more than looking at every record once.
template <typename Before>
void Canonicalizer::sort_order(std::size_t size, Before before) {
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

/// Puts the records of sorted_keys_ where they belong.
void Canonicalizer::write_sorted(const Records& records, Word* words) const {
  const auto num_pointers = static_cast<unsigned>(records.pointers.size());
  const Word mask = records.width == 64 ? ~Word{0} : (Word{1} << records.width) - 1;
  const Word pointer_mask = num_pointers == 64 ? ~Word{0} : (Word{1} << num_pointers) - 1;
  for (std::size_t p = 0; p < records.size; ++p) {
    const Word key = sorted_keys_[p];
    if (key == keys_[p]) continue;
    if (records.width > 0) {
      const auto [at, shift] = records.places[p];
      words[at] = (words[at] & ~(mask << shift)) | ((key >> num_pointers) << shift);
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
    if (from_representative == nullptr && records.size <= few) {
      sort_keys();
      write_sorted(records, words);
      return;
    }
    sort_order(records.size, before);
    sorted_keys_.resize(records.size);
    for (std::size_t p = 0; p < records.size; ++p) sorted_keys_[p] = keys_[order_[p]];
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
  refinement_->load(words);
  refinement_->colour_by_content();
  refinement_->classes(numbers);
}

// ---------------------------------------------------------------------------------------------------
// True ties

/// The coloured graph: a vertex for each process with its colour, and for each relation a vertex
/// for each part in it, coloured by the relation's kind and value and by the part, tied to its
/// process and to the next part.  The most frequent value of a kind is left out: where nothing is
/// drawn there it is.
void Canonicalizer::break_ties() {
  const std::vector<std::uint32_t>& colours = refinement_->colours();
  const auto is_drawn = [&](const Relation& relation) {
    return !relation.holds_process || refinement_->holds_some(relation);
  };
  using Key = std::pair<std::uint32_t, Value>;  // kind and value
  const auto key = [&](const Relation& relation) {
    return Key{relation.kind,
               relation.holds_process ? 0 : refinement_->values()[relation.instance]};
  };
  struct Drawing {
    std::size_t count = 0;
    unsigned first_colour = 0;
  };
  std::map<Key, Drawing> drawings;
  for (const Relation& relation : structure_.relations) {
    if (is_drawn(relation)) ++drawings[key(relation)].count;
  }
  std::map<std::uint32_t, Key> left_out;
  for (const auto& [which, drawing] : drawings) {
    const auto [known, is_new] = left_out.emplace(which.first, which);
    if (!is_new && drawing.count > drawings.at(known->second).count) known->second = which;
  }
  constexpr unsigned most_parts = 8;
  const auto num_processes = static_cast<unsigned>(program_.num_processes());
  unsigned next = num_processes;
  for (auto& [which, drawing] : drawings) {
    drawing.first_colour = next;
    next += most_parts;
  }
  ColouredGraph graph;
  for (unsigned p = 0; p < num_processes; ++p) (void)graph.add_vertex(colours[p]);
  for (const Relation& relation : structure_.relations) {
    if (!is_drawn(relation)) continue;
    const Key which = key(relation);
    // A relation that holds a process is told by where it leads: it is always drawn.
    if (!relation.holds_process && left_out.at(which.first) == which) continue;
    const unsigned first_colour = drawings.at(which).first_colour;
    unsigned last = num_processes;
    const auto tie = [&](std::size_t part, std::uint32_t process) {
      const auto colour = std::min(static_cast<unsigned>(part), most_parts - 1);
      const unsigned vertex = graph.add_vertex(first_colour + colour);
      graph.add_edge(vertex, process);
      if (part > 0) graph.add_edge(last, vertex);
      last = vertex;
    };
    for (std::size_t i = 0; i < relation.processes.size(); ++i) tie(i, relation.processes[i]);
    if (relation.holds_process) tie(relation.processes.size(), refinement_->held(relation));
  }
  const std::vector<unsigned> labels = graph.labels();
  labels_.assign(labels.begin(), labels.begin() + num_processes);
  refinement_->split(labels_);
}

void Canonicalizer::order_by_colour(Permutation& from_representative) const {
  const std::vector<std::uint32_t>& colours = refinement_->colours();
  for (const Structure::Module& module : structure_.modules) {
    if (!module.movable) continue;
    const auto begin = from_representative.begin() + static_cast<std::ptrdiff_t>(module.first);
    std::sort(begin, begin + static_cast<std::ptrdiff_t>(module.size),
              [&](std::uint32_t a, std::uint32_t b) {
                return colours[a] != colours[b] ? colours[a] < colours[b] : a < b;
              });
  }
}

}  // namespace cohort::symmetry
