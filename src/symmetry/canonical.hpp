// Canonical states: one representative for each orbit of a state under the module permutations.
//
//   Canonicalizer canonical{program};
//   canonical(words, &from_representative);   // words are now the representative's
//   assert(apply(program, from_representative, representative) == state);
//
// Exact: two states have one representative if and only if a module permutation maps one to the
// other.  Deterministic.  Keeps buffers: one object for each thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/program.hpp"
#include "symmetry/permutation.hpp"
#include "symmetry/refinement.hpp"
#include "symmetry/structure.hpp"

namespace cohort::symmetry {

class Canonicalizer {
 public:
  /// Keeps a reference to `program`.
  explicit Canonicalizer(const model::Program& program);

  /// Replaces a state by its representative.  `from_representative`, if not null, leads back: it
  /// maps the representative's processes to those of the state that was given.
  void operator()(model::Word* words, Permutation* from_representative) {
    (*this)(words, from_representative, nullptr);
  }
  /// As above.  Where sorting is all that is needed, processes with equal records come in the order
  /// of `looks`, a number for each process of the given state, if not null.
  void operator()(model::Word* words, Permutation* from_representative, const std::uint64_t* looks);

  /// Numbers processes so that two have one number if and only if exchanging them leaves the state
  /// as it is.  A number is that of the first process of its class.
  void classes(const model::Word* words, std::vector<std::uint32_t>& numbers);

  /// Whether sorting is all that is needed.
  [[nodiscard]] bool sorts() const { return sorts_; }

 private:
  /// Where the records of a module lie in the packed words.
  struct Records {
    std::size_t module = 0;
    std::size_t first = 0;
    std::size_t size = 0;
    unsigned width = 0;
    struct Place {
      std::uint32_t word = 0;
      std::uint32_t shift = 0;
    };
    std::vector<Place> places;
    std::vector<std::uint32_t> pointers;
  };

  void find_records();
  void read_keys(const Records& records, const model::Word* words);
  void sort_records(model::Word* words, Permutation* from_representative,
                    const std::uint64_t* looks);
  template <typename Before>
  void sort_order(std::size_t size, Before before);
  void sort_keys();
  void write_sorted(const Records& records, model::Word* words) const;

  void break_ties();
  void order_by_colour(Permutation& from_representative) const;

  const model::Program& program_;
  Structure structure_;
  bool sorts_ = true;
  std::vector<Records> records_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint64_t> sorted_keys_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> strays_;
  std::vector<std::uint32_t> merged_;
  // Where sorting is not enough.
  std::unique_ptr<Refinement> refinement_;
  std::vector<std::uint64_t> labels_;
  Permutation found_;
  Permutation inverse_;
};

}  // namespace cohort::symmetry
