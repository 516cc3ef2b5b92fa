// The syntax tree of an LTL formula, and of the guards and updates of monitors: as it was written,
// every node with its place.
//
// What variables, labels and processes mean is for those to say who have a trace or a model; see
// lower.hpp for the way from a tree to a Formula whose atoms they have resolved.  Names and
// numerals are views into the Source, which must outlive the tree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"

namespace cohort::ltl::syntax {

using base::Span;

struct Name {
  std::string_view text;
  Span where;
};

enum class ExprKind : std::uint8_t {
  // Arithmetic and other operands of comparisons.
  Integer,   ///< text, of any length
  Decimal,   ///< text, `2.50`, of any length: exact
  String,    ///< text, with quotes and backslashes: base::string_value
  None,      ///< `none`
  Variable,  ///< text; args are the subscripts, if any; history
  Label,     ///< text; args are the processes, if any; `number` for `client#2`
  Minus,     ///< args[0]
  Product,   ///< two or more args, see `join`
  Sum,       ///< two or more args, see `join`
  Min,       ///< two or more args; in monitors
  Max,       ///< two or more args; in monitors
  Count,     ///< bindings[0] with one name; args[0] is a formula
  Enabled,   ///< args[0]
  Deadlock,
  True,
  False,
  Paren,    ///< args[0]
  Compare,  ///< two args, see `join`
  // Formulas, and conditions in regular expressions.
  Not,         ///< args[0]
  And,         ///< two or more args
  Or,          ///< two or more args
  Implies,     ///< two args
  Iff,         ///< two args
  Temporal,    ///< see `temporal`; one arg for X, StrongX, F, G, two for U, W, R
  Forall,      ///< bindings; args[0]
  Exists,      ///< bindings; args[0]
  Match,       ///< `{r}`: args[0]
  Suffix,      ///< `{r} |-> f`: args[0], args[1]
  SuffixNext,  ///< `{r} |=> f`: args[0], args[1]
  // Regular expressions, in which Or is their union as well.
  Concat,        ///< two or more args
  Fusion,        ///< two args
  Intersection,  ///< two or more args
  Repeat,        ///< args[0], times
};

/// How an operand of a chain is joined to what stands before it.
enum class Join : std::uint8_t {
  None,
  Plus,
  Minus,
  Times,
  Divide,
  Modulo,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
};

enum class TemporalOperator : std::uint8_t { X, StrongX, F, G, U, W, R };

/// `x?T` asks for the time of the last change, `x?C` for their number, `x?3` for the value three
/// changes ago, `x?3?T` for its time.
struct History {
  enum class Asked : std::uint8_t { Value, Time, Count };
  Asked asked = Asked::Value;
  std::uint64_t changes_ago = 0;

  friend bool operator==(const History&, const History&) = default;
};

/// `[*2..3]`; no `most`: any number of times.
struct Repetition {
  std::uint64_t least = 0;
  std::optional<std::uint64_t> most;
};

/// `3`, `3-5`, `9-`.
struct IdRange {
  std::uint64_t first = 0;
  std::optional<std::uint64_t> last;  ///< none: to the last process
  Span where;
};

/// `client`, `vip`, or `client{0, 2-5}`.
struct ProcessSet {
  Name name;
  bool listed = false;  ///< with ids in braces
  std::vector<IdRange> ids;
};

/// `i, j in client`.
struct Binding {
  std::vector<Name> names;
  ProcessSet set;
};

struct Expr {
  ExprKind kind = ExprKind::True;
  Join join = Join::None;
  TemporalOperator temporal = TemporalOperator::X;
  bool is_sum = false;      ///< may be an operand of arithmetic and of comparisons
  std::uint16_t depth = 1;  ///< levels of nodes below and including this one
  Span where;
  std::string_view text;
  std::optional<std::uint64_t> number;
  History history;
  Repetition times;
  std::vector<Expr> args;
  std::vector<Binding> bindings;
};

/// What stands inside all brackets.
[[nodiscard]] const Expr& inside_brackets(const Expr& expr);

/// Whether a temporal operator or a regular expression occurs in it.
[[nodiscard]] bool is_temporal(const Expr& expr);

/// The expression in one spelling: equal texts are equal expressions.  Brackets around the whole
/// are left out.
[[nodiscard]] std::string canonical_text(const Expr& expr);

}  // namespace cohort::ltl::syntax
