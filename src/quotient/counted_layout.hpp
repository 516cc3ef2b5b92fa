// How a program's state is written down when processes are counted: which modules are counted, and
// where every value lies.
//
//   const CountedLayout layout{source};
//   if (layout.fits()) …
//
// Idea.  The processes of a *counted* module carry records that name no other process of a counted
// module, so that a state only says how many there are of each kind.  Where a variable relates
// processes of large modules to each other, some of these modules keep their processes apart: those
// are *individuals*, which have numbers in a state, as in the general quotient.  They are few (a
// handful of servers beside a million clients).  Variables over individuals alone belong to the
// background; one over individuals and a counted module is several fields in the records of the
// latter, one for each choice of individuals.
//
// A variable that holds a process of a counted module *points*.  Who is pointed at stands apart
// from its kind, and is told by a *mark*: a field of its record for each instance that may point
// there. In the background that is remembered such a variable is always `none`; while a state is
// looked at it holds a place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lang/program.hpp"
#include "model/crowd.hpp"
#include "model/fault.hpp"

namespace cohort::quotient {

using model::Value;

class CountedLayout {
 public:
  explicit CountedLayout(const lang::Program& source);

  /// Whether there are few individuals: with more of them, bringing them into order costs too much.
  [[nodiscard]] bool fits() const;
  /// Whether counting costs less than the general quotient.  Mostly it does; but a few processes
  /// that variables point at are sorted more quickly, and so are fewer than there are individuals.
  [[nodiscard]] bool is_worth_counting() const;

  [[nodiscard]] bool is_counted(std::size_t module) const {
    return roles_[module] == Role::Counted;
  }
  [[nodiscard]] bool is_individual(std::size_t module) const {
    return roles_[module] == Role::Individual;
  }
  /// Ascending.
  [[nodiscard]] const std::vector<std::size_t>& counted() const { return counted_; }
  [[nodiscard]] const std::vector<std::size_t>& individual() const { return individual_; }

  /// Whether a state is more than a background and kinds: then individuals have numbers, which
  /// edges change, or variables hold processes that are counted.
  [[nodiscard]] bool keeps_apart() const { return num_individuals_ > 0 || !pointers_.empty(); }

  /// Individuals have numbers, module after module; those of a module end where those of the next
  /// begin.
  [[nodiscard]] std::size_t num_individuals() const { return num_individuals_; }
  [[nodiscard]] std::size_t first_individual(std::size_t module) const {
    return first_individuals_[module];
  }

  [[nodiscard]] const model::Addresses& addresses() const { return addresses_; }
  /// The number, as a module, of what belongs to no process of a counted module.
  [[nodiscard]] std::size_t background() const { return roles_.size(); }
  /// How many values are remembered of a process of a module or, at the end, of the background:
  /// its values first, then for each individual what it looks like.
  [[nodiscard]] const std::vector<std::size_t>& record_sizes() const { return record_sizes_; }

  /// An instance of a variable that points.
  struct Pointer {
    std::size_t variable = 0;
    std::size_t instance = 0;  ///< within the variable, row by row
    std::size_t at = 0;        ///< in the background
    std::size_t module = 0;    ///< that it points into
    std::size_t mark = 0;      ///< in the records of that module
  };
  [[nodiscard]] const std::vector<Pointer>& pointers() const { return pointers_; }
  [[nodiscard]] bool points(std::size_t variable) const { return points_[variable]; }

  /// A field of a record or of the background that says something about individuals.
  struct Field {
    static constexpr std::size_t nobody = SIZE_MAX;
    struct Subscript {
      std::uint32_t individual = 0;
      std::uint32_t stride = 0;  ///< how far the next individual's field is
    };
    std::size_t at = 0;
    std::uint32_t sort =
        0;  ///< the same for fields that exchanges of individuals map to each other
    std::vector<Subscript> subscripts;
    std::size_t held = nobody;  ///< of a field that holds an individual: number 0 of its module
  };
  /// By module and, at the end, of the background.
  [[nodiscard]] const std::vector<Field>& fields(std::size_t module) const {
    return fields_[module];
  }
  /// Fields of a record that say nothing about individuals: the others of `fields`.
  [[nodiscard]] const std::vector<std::size_t>& plain_fields(std::size_t module) const {
    return plain_fields_[module];
  }
  /// Whether records of counted modules say anything about individuals.
  [[nodiscard]] bool crosses() const { return crosses_; }

 private:
  enum class Role : std::uint8_t { Single, Counted, Individual };

  [[nodiscard]] bool is_large(std::size_t module) const {
    return source_[lang::ModuleId{static_cast<std::uint32_t>(module)}].size > 1;
  }
  [[nodiscard]] std::vector<std::size_t> related(const lang::Variable& variable) const;
  void find_roles();
  void find_addresses();
  void find_fields();
  void add_fields(std::size_t variable, std::size_t module, std::size_t first, std::uint32_t& sort);
  [[nodiscard]] std::size_t owner(const lang::Variable& variable) const;
  /// How many values of a variable one process of its owner has.
  [[nodiscard]] std::size_t values_each(const lang::Variable& variable) const;

  const lang::Program& source_;
  std::vector<Role> roles_;
  std::vector<std::size_t> counted_;
  std::vector<std::size_t> individual_;
  std::size_t num_individuals_ = 0;
  std::size_t num_counted_ = 0;
  std::vector<std::size_t> first_individuals_;  // by module, and one past the end
  model::Addresses addresses_;
  std::vector<std::size_t> record_sizes_;
  std::vector<Pointer> pointers_;
  std::vector<bool> points_;
  std::vector<std::vector<Field>> fields_;
  std::vector<std::vector<std::size_t>> plain_fields_;
  bool crosses_ = false;
};

}  // namespace cohort::quotient
