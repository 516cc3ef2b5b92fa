// A state in which processes stand in groups: those that look alike share a *place*.
//
//   Crowd crowd{addresses};
//   const std::size_t place = crowd.add(client, record, 40, look);   // forty with this record
//   environment.crowd = &crowd, environment.values = crowd.values();
//
// Expressions that were compiled with Addresses are evaluated in a crowd: their slots hold places
// instead of processes, and a quantifier asks once for each place and counts with its size.  A
// process that is bound while others of its place are looked at has to stand apart from them:
// `split` gives it a place of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lang/program.hpp"
#include "model/fault.hpp"

namespace cohort::model {

/// Where the instances of variables lie when a process stands for all that look like it: first what
/// belongs to no process, or to the only one of its module; then rows, one for each place, with the
/// records of all modules side by side.
struct Addresses {
  std::vector<std::uint32_t> bases;                 ///< by variable
  std::vector<std::vector<std::uint32_t>> strides;  ///< by variable and dimension
  std::size_t first_row = 0;
  std::size_t row_size = 0;
  /// Of each module: where its record begins in a row, and how long it is.
  struct Record {
    std::size_t first = 0;
    std::size_t size = 0;
  };
  std::vector<Record> records;
};

class Crowd {
 public:
  /// The places of one module.
  struct Places {
    std::vector<std::uint32_t> counts;   ///< how many processes stand there
    std::vector<std::uint32_t> kinds;    ///< a number for what they look like
    std::vector<std::uint16_t> colours;  ///< as the quotient gives them
    [[nodiscard]] std::size_t size() const { return counts.size(); }
  };

  Crowd() = default;
  /// Keeps a reference to `addresses`.
  explicit Crowd(const Addresses& addresses)
      : addresses_(&addresses),
        values_(addresses.first_row + 8 * addresses.row_size + 1),
        places_(addresses.records.size()) {}

  [[nodiscard]] const Value* values() const { return values_.data(); }
  [[nodiscard]] Value* values() { return values_.data(); }
  [[nodiscard]] const Places& places(std::size_t module) const { return places_[module]; }
  [[nodiscard]] std::size_t num_modules() const { return places_.size(); }
  [[nodiscard]] Value* record(std::size_t module, std::size_t place) {
    return values_.data() + at(module, place);
  }
  [[nodiscard]] const Value* record(std::size_t module, std::size_t place) const {
    return values_.data() + at(module, place);
  }
  [[nodiscard]] std::size_t record_size(std::size_t module) const {
    return addresses_->records[module].size;
  }

  void clear(std::size_t module) {
    places_[module].counts.clear();
    places_[module].kinds.clear();
    places_[module].colours.clear();
  }
  struct Look {
    std::uint32_t kind = 0;
    std::uint16_t colour = 0;
  };
  std::size_t add(std::size_t module, const Value* record, std::uint32_t count, Look look) {
    Places& places = places_[module];
    const std::size_t place = places.size();
    places.counts.push_back(count);
    places.kinds.push_back(look.kind);
    places.colours.push_back(look.colour);
    const std::size_t begin = at(module, place);
    const std::size_t size = addresses_->records[module].size;
    if (values_.size() <= begin + addresses_->row_size) values_.resize(2 * values_.size());
    for (std::size_t i = 0; i < size; ++i) values_[begin + i] = record[i];
    return place;
  }
  /// Gives one process of a place, with at least two, a place of its own: the last.
  std::size_t split(std::size_t module, std::size_t place) {
    Places& places = places_[module];
    --places.counts[place];
    const std::size_t made = places.size();
    places.counts.push_back(1);
    places.kinds.push_back(places.kinds[place]);
    places.colours.push_back(places.colours[place]);
    const std::size_t to = at(module, made);
    if (values_.size() <= to + addresses_->row_size) values_.resize(2 * values_.size());
    const std::size_t from = at(module, place);
    const std::size_t size = addresses_->records[module].size;
    for (std::size_t i = 0; i < size; ++i) values_[to + i] = values_[from + i];
    return made;
  }
  void set_colour(std::size_t module, std::size_t place, std::uint16_t colour) {
    places_[module].colours[place] = colour;
  }
  /// Undoes the last split.
  void unsplit(std::size_t module, std::size_t place) {
    Places& places = places_[module];
    places.counts.pop_back();
    places.kinds.pop_back();
    places.colours.pop_back();
    ++places.counts[place];
  }

 private:
  [[nodiscard]] std::size_t at(std::size_t module, std::size_t place) const {
    return addresses_->first_row + place * addresses_->row_size + addresses_->records[module].first;
  }

  const Addresses* addresses_ = nullptr;
  std::vector<Value> values_;
  std::vector<Places> places_;  // by module
};

}  // namespace cohort::model
