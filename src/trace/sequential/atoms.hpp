// The atoms of formulas and monitors on sequential traces: comparisons over variables, their
// history and the time, compiled to tests of machine words.
//
//   Atoms atoms;
//   AtomReader reader{atoms, diagnostics, …};         // an ltl::AtomSource
//   const ltl::Formula f = ltl::lower(tree, formulas, reader, diagnostics);
//   atoms.compile(scale);
//
// All properties of a run share one table, so an atom that ten of them have is evaluated once.  An
// atom reads *slots*: the value of a variable, or something of its history.  Three kinds:
//
//   Single   a linear condition on the value of one variable, or its equality with a text: the line
//            of numbers falls into regions, each with the truth of all such atoms of the variable
//   Linear   a linear condition on several slots: a sum of products in 128 bits
//   General  everything else, by exact rational arithmetic
//
// The first two are for values that are Held::Fixed; for others every atom is General.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "ltl/formula.hpp"
#include "ltl/lower.hpp"
#include "ltl/syntax.hpp"
#include "trace/sequential/held.hpp"
#include "trace/term.hpp"

namespace cohort::trace::sequential {

using Asked = ltl::syntax::History::Asked;

/// What an atom reads: `x` is {x, Value, 0}, `x?2?T` is {x, Time, 2}.
struct Slot {
  std::uint32_t variable = 0;
  Asked asked = Asked::Value;
  std::uint32_t ago = 0;

  friend auto operator<=>(const Slot&, const Slot&) = default;
};

/// A variable that some property names.
struct Variable {
  std::string name;
  /// The first place that names it: the property's number, and where in its text.
  std::size_t property = 0;
  base::Span where;
  bool required = false;      ///< named by a property, not only wanted for showing the time
  std::uint32_t depth = 0;    ///< the largest n of `x?n` and `x?n?T`
  bool history = false;       ///< some slot asks for more than the value
  bool needs_number = false;  ///< some atom orders it or computes with it
  bool ordered_history = false;
};

/// lo <= x <= hi, or not that.
struct Interval {
  std::int64_t low = 0;
  std::int64_t high = -1;
  bool outside = false;
};

struct AtomInfo {
  enum class Kind : std::uint8_t { Single, Linear, General, Assigns };

  Kind kind = Kind::General;
  std::string name;
  std::optional<Comparison> comparison;  ///< over slots; none for Assigns
  std::vector<std::uint32_t> slots;
  std::uint32_t variable = 0;   ///< of Single and Assigns
  bool needs_numbers = false;   ///< a text makes no sense: an order, or arithmetic
  bool may_lack_value = false;  ///< it divides by something that may be 0
  Interval interval;            ///< Single: the fixed values for which it is true
  bool about_text = false;      ///< Single: equality with a text
  bool text_equal = false;      ///< Single, about_text: = and not !=
  std::string text;
  // Linear: sum of factors times slots, plus constant, compared with 0.
  std::vector<std::int64_t> factors;
  std::int64_t constant = 0;
  Relation relation = Relation::Equal;
};

/// Immutable once compiled; may then be shared by threads.
class Atoms {
 public:
  /// The regions of one variable: region i begins at begins[i] and ends before the next one.
  struct Regions {
    std::vector<std::int64_t> begins;  ///< ascending; the first is the least number
    std::vector<std::uint32_t> atoms;  ///< the Single atoms of the variable
    std::vector<std::uint8_t> truth;   ///< by region and atom
  };

  [[nodiscard]] std::uint32_t variable(std::string_view name);
  [[nodiscard]] std::optional<std::uint32_t> find_variable(std::string_view name) const;
  [[nodiscard]] std::uint32_t slot(const Slot& slot);
  /// Finds an atom by its name or makes it.
  [[nodiscard]] std::uint32_t add(AtomInfo info);
  [[nodiscard]] std::optional<std::uint32_t> find(const std::string& name) const;

  [[nodiscard]] std::vector<Variable>& variables() { return variables_; }
  [[nodiscard]] const std::vector<Variable>& variables() const { return variables_; }
  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }
  [[nodiscard]] const AtomInfo& operator[](std::uint32_t atom) const { return atoms_[atom]; }
  [[nodiscard]] std::size_t size() const { return atoms_.size(); }

  /// The most decimal places that a constant has, at most largest_scale.
  [[nodiscard]] unsigned places_of_constants() const;
  /// Sorts the atoms into their kinds.  `scale` is that of the Held values.
  void compile(unsigned scale);
  [[nodiscard]] unsigned scale() const { return scale_; }
  [[nodiscard]] const Regions& regions(std::uint32_t variable) const { return regions_[variable]; }
  /// By variable: the Linear and General atoms that read it or its history.
  [[nodiscard]] const std::vector<std::uint32_t>& readers(std::uint32_t variable) const {
    return readers_[variable];
  }
  [[nodiscard]] std::optional<std::uint32_t> time() const { return find_variable("time"); }

 private:
  void classify(AtomInfo& atom) const;
  void make_regions(std::uint32_t variable);

  std::vector<Variable> variables_;
  std::map<std::string, std::uint32_t, std::less<>> variable_numbers_;
  std::vector<Slot> slots_;
  std::map<Slot, std::uint32_t> slot_numbers_;
  std::vector<AtomInfo> atoms_;
  std::map<std::string, std::uint32_t> atom_numbers_;
  std::vector<Regions> regions_;
  std::vector<std::vector<std::uint32_t>> readers_;
  unsigned scale_ = 0;
};

/// Reads the atoms of one property into a shared table.  What it returns are formulas over the
/// property's own atoms, numbered from 0; own() says which of the table they are.
class AtomReader : public ltl::AtomSource {
 public:
  /// Keeps the references.  `property` is the property's number.
  AtomReader(Atoms& atoms, std::size_t property, base::Diagnostics& diagnostics)
      : atoms_(atoms), property_(property), diagnostics_(diagnostics) {}

  [[nodiscard]] ltl::Formula atom(const ltl::syntax::Expr& expr, ltl::Formulas& formulas) override;
  /// The comparison as an atom of the table; nothing for a constant (see `truth`) or an error.
  [[nodiscard]] std::optional<std::uint32_t> comparison(const ltl::syntax::Expr& expr, bool& truth);
  /// "this line assigns the variable".
  [[nodiscard]] std::optional<std::uint32_t> assigns(const ltl::syntax::Expr& expr);
  /// The slot that a variable with its history is; an error if it is none.
  [[nodiscard]] std::optional<std::uint32_t> slot(const ltl::syntax::Expr& expr);

  [[nodiscard]] const std::vector<std::uint32_t>& own() const { return own_; }
  [[nodiscard]] const Atoms& atoms() const { return atoms_; }
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  [[nodiscard]] std::uint32_t mention(const std::string& name, base::Span where);
  [[nodiscard]] std::uint32_t number(std::uint32_t atom);

  Atoms& atoms_;
  std::size_t property_;
  base::Diagnostics& diagnostics_;
  std::vector<std::uint32_t> own_;
};

}  // namespace cohort::trace::sequential
