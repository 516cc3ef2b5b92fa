// What a program can do in a counted state.
//
// Idea.  An instance needs processes for its index variables, and it does not matter which of those
// that look alike.  So an index variable goes through the places of a crowd; a process that is
// bound leaves its place (its kind has one less), the actions change its record, and afterwards it
// is counted among those that it looks like then.  Priorities ask whether a process of a better
// rank has a true condition: a question over places as well.
//
// ALL in actions gives the same to every process of a place: the processes that an instance is
// about stand apart, and those that stay together cannot be told from each other by anything that
// is assigned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "model/crowd.hpp"
#include "model/program.hpp"
#include "quotient/counted_layout.hpp"
#include "quotient/graph.hpp"

namespace cohort::quotient {

/// How the processes of a crowd are ranked; null for no priorities.
using Ranks = std::vector<std::vector<std::uint32_t>>;

/// An assignment of an instance: an index into the crowd's values.
struct Write {
  std::size_t at = 0;
  Value value = 0;
};

class CountedGenerator {
 public:
  /// Keeps references to both; `program` has the layout's addresses.
  CountedGenerator(const model::Program& program, const CountedLayout& layout);

  /// An instance that can be fired, while it is bound.
  struct Instance {
    std::size_t schema = 0;
    std::size_t num_indices = 1;
    const Value* places = nullptr;  ///< of its index variables, in the crowd as it is then
    /// Of each index variable the place that its process comes from.
    const std::size_t* origins = nullptr;
  };
  using Visit = std::function<void(const Instance&)>;

  /// Visits the fireable instances, one for all that look alike.  A fault ends it.
  std::optional<model::InstanceFault> for_each(model::Crowd& crowd, const Ranks* ranks,
                                               const Visit& visit);
  /// What the instance that is being visited assigns.  Not to be used after a fault, which ends
  /// for_each.
  [[nodiscard]] const std::vector<Write>& fire();
  [[nodiscard]] bool has_fault() const { return fault_.has_value(); }
  /// The instance that had the fault which ended for_each; valid until that is called again.
  [[nodiscard]] Instance faulty() const {
    return {schema_number_, program_.schemas()[schema_number_].num_indices, slots_.data(),
            origins_.data()};
  }

  /// By schema: whether an instance was ever fired.
  [[nodiscard]] const std::vector<bool>& fired() const { return fired_; }

 private:
  void bind(const model::Schema& schema, std::uint32_t level);
  [[nodiscard]] bool passes(const model::Schema& schema, std::uint32_t level);
  void found(const model::Schema& schema);
  void fire_candidates(const model::Schema& schema);
  void show(const model::Schema& schema);
  void find_origins(const model::Schema& schema);
  void run(const model::Schema& schema, const model::Action& action);
  void run_bound(const model::Schema& schema, const model::Action& action, std::size_t binder);
  void assign(const model::Schema& schema, const model::Assignment& assignment);
  [[nodiscard]] std::size_t home_of(std::size_t at) const;
  [[nodiscard]] bool is_one_of_many(std::size_t module, Value place) const;
  [[nodiscard]] static std::uint64_t bit(std::uint32_t level) { return std::uint64_t{1} << level; }
  void report();
  /// Gives a process of the place to a slot; says whether it had to leave its place.
  bool take(std::size_t module, std::size_t place, std::uint32_t slot);

  const model::Program& program_;
  const model::Expressions& code_;
  const CountedLayout& layout_;
  const model::Addresses& addresses_;
  std::vector<bool> fired_;
  /// By schema: its condition has quantifiers, which need bound processes to stand apart.
  std::vector<bool> apart_;
  std::vector<Value> slots_;
  std::vector<std::size_t> origins_;
  model::Environment environment_;
  model::Crowd* crowd_ = nullptr;
  const Ranks* ranks_ = nullptr;
  const Visit* visit_ = nullptr;
  std::size_t schema_number_ = 0;
  std::optional<model::InstanceFault> fault_;
  std::vector<std::size_t> picks_;       // by index variable: the place that its process is from
  std::vector<std::size_t> candidates_;  // picks, with a rank behind those of each instance
  std::vector<Write> writes_;
  /// Of an ALL in an action: a place that a bound process left its own for.
  struct Moved {
    std::size_t module = 0;
    std::size_t place = 0;
    std::size_t home = 0;
  };
  std::vector<Moved> moved_;
};

}  // namespace cohort::quotient
