// The syntax tree: a model or spec file as it was written, every node with its place.
//
// Nothing here is checked beyond the grammar: names are words, numbers are numbers.  resolve.hpp
// turns a tree into a checked program.  Names are views into the Source, which must outlive the
// tree.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/source.hpp"

namespace cohort::lang::syntax {

using base::Span;

struct Name {
  std::string_view text;
  Span where;
};

enum class ExprKind : std::uint8_t {
  Number,
  True,
  False,
  None,
  Reference,       ///< name; args are the subscripts, if any
  ProcessLiteral,  ///< client(3): name and args[0]
  Paren,           ///< args[0]
  Minus,           ///< args[0]
  Not,             ///< args[0]
  Product,         ///< two or more args, see `join`
  Sum,             ///< two or more args, see `join`
  Compare,         ///< two args, see `join`
  And,             ///< two or more args, likewise the next three
  Or,
  Implies,      ///< to be read from the right
  Iff,          ///< to be read from the left
  Conditional,  ///< args[0] ? args[1] : args[2]
  // Only in models: bindings[0].names; the body is the last arg, a filter may stand before it.
  All,
  Exists,
  CountIndex,
  // Only in formulas.
  ForallProcess,  ///< bindings; args[0]
  ExistsProcess,  ///< bindings; args[0]
  CountProcess,   ///< bindings[0] with one name; args[0]
  Temporal,       ///< path and temporal; one arg for X F G, two for U W R
  Enabled,        ///< args[0]
  Deadlock,
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

/// What a comparison says of its two sides; `join` is one of those from Equal on.
template <typename Number>
[[nodiscard]] bool compares(Join join, Number left, Number right) {
  switch (join) {
    case Join::Equal:
      return left == right;
    case Join::NotEqual:
      return left != right;
    case Join::Less:
      return left < right;
    case Join::LessEqual:
      return left <= right;
    case Join::Greater:
      return left > right;
    default:
      return left >= right;
  }
}

enum class Path : std::uint8_t { E, A, Efair, Afair };
enum class TemporalOperator : std::uint8_t { X, F, G, U, W, R };

/// `3`, `3-5`, `9-`.
struct IdRange {
  std::int64_t first = 0;
  std::optional<std::int64_t> last;  ///< none: to the last process
  Span where;
};

/// `client`, `vip`, or `client{0, 2-5}`.
struct ProcessSet {
  Name name;
  bool listed = false;  ///< with ids in braces
  std::vector<IdRange> ids;
};

/// `i, j in client`; in a model `i, j` alone.
struct Binding {
  std::vector<Name> names;
  ProcessSet set;
};

struct Expr {
  ExprKind kind = ExprKind::Number;
  Join join = Join::None;
  Path path = Path::E;
  TemporalOperator temporal = TemporalOperator::X;
  std::uint16_t depth = 1;  ///< levels of nodes below and including this one
  Span where;
  std::int64_t number = 0;
  std::string_view name;
  std::vector<Expr> args;
  std::vector<Binding> bindings;
};

/// The place of a reference's or a process literal's name.
[[nodiscard]] inline Span name_span(const Expr& expr) {
  return {expr.where.begin, expr.where.begin + static_cast<std::uint32_t>(expr.name.size())};
}

struct Range {
  Expr first;
  Expr last;
};

struct Type {
  enum class Kind : std::uint8_t { Bool, Range, Named, Optional };
  Kind kind = Kind::Bool;
  std::vector<Range> range;  ///< one for Range
  Name name;                 ///< for Named and Optional (`client?`)
  Span where;
};

/// `= e`, `in { e, … }`, `in a..b`, `in client`.
struct Initial {
  enum class Kind : std::uint8_t { Value, List, Range, Module };
  Kind kind = Kind::Value;
  std::vector<Expr> values;  ///< one for Value, the two borders for Range
  Name module;
  Span where;
};

struct Dimension {
  std::vector<Range> range;  ///< empty: the module `name`
  Name name;
  Span where;
};

struct Module {
  Name name;
  Expr size;
};

struct Constant {
  Name name;
  Expr value;
};

struct Enum {
  Name name;
  std::vector<Name> constants;
};

struct PriorityClass {
  Name name;
  Name module;
  std::vector<IdRange> ids;
};

struct Init {
  Expr target;
  Initial initial;
};

struct Variable {
  Name name;
  std::vector<Dimension> dimensions;
  std::optional<Type> type;
  std::optional<Initial> initial;
};

struct Indices {
  std::vector<Name> names;
  Name module;
};

struct Action {
  Expr target;                ///< an assignment's left side
  Expr value;                 ///< and its right side
  std::vector<Name> binders;  ///< not empty: ALL(binders where filter: actions)
  std::vector<Expr> filter;   ///< at most one
  std::vector<Action> actions;
  Span where;
};

/// One of the sets of a priority: a class, or ids.
struct Rank {
  Name name;  ///< empty: ids
  std::vector<IdRange> ids;
  Span where;
};

struct Priority {
  std::optional<Name> variable;
  std::vector<Rank> ranks;
  Span where;
};

struct Schema {
  std::optional<Name> label;
  Expr condition;
  std::vector<Action> actions;
  std::optional<Priority> priority;
  Span where;
};

struct Body {
  Name index;
  Name module;
  std::vector<Schema> schemas;
};

/// The value of a free process variable: `i = 3` or `i = client(3)`.
struct Value {
  Name variable;
  std::optional<Name> module;
  std::int64_t id = 0;
  Span where;  ///< of the process
};

struct Property {
  Name name;  ///< the text is "formula", the place that of the formula, for a bare one
  Expr formula;
  std::vector<Value> values;
  bool expected = true;
};

struct ModelFile {
  std::vector<Module> modules;
  std::vector<Constant> constants;
  std::vector<Enum> enums;
  std::vector<PriorityClass> classes;
  std::vector<Init> inits;
  std::vector<Variable> variables;
  std::vector<Indices> indices;
  std::vector<Body> bodies;
  std::vector<Property> properties;
  std::vector<Value> evaluation;
  /// Names in what could not be parsed: that one of them is unknown may be no error of its own.
  std::vector<std::string_view> names_in_errors;
};

struct SpecFile {
  std::vector<Property> properties;
};

}  // namespace cohort::lang::syntax
