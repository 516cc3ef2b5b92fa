// A checked program: every name resolved, every type right, every constant computed.
//
// Made by resolve.hpp from a syntax tree.  Names are strings of its own; places are spans of the
// source that the tree came from.
//
// Processes.  A schema or a formula numbers the process variables that occur in it: its *slots*. An
// expression refers to a process through a slot, so that evaluating one needs no names.  Of a
// schema's slots the first `num_indices` are its index variables (the primary one first, then the
// secondary ones in the order of their first occurrence); the others belong to ALL, EXISTS and
// COUNT, one for each variable that such an operator binds.  Of a formula's slots the first
// `num_free` are free and have a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/ids.hpp"
#include "base/source.hpp"
#include "lang/syntax.hpp"

namespace cohort::lang {

using base::ClassId;
using base::ModuleId;
using base::SchemaId;
using base::Span;
using base::VariableId;

enum class EnumId : std::uint32_t {};

/// A process is written as its id, `none` as this.
constexpr std::int64_t none_value = -1;

/// first … last, both included.
struct Interval {
  std::int64_t first = 0;
  std::int64_t last = 0;

  [[nodiscard]] bool contains(std::int64_t value) const { return first <= value && value <= last; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

struct Module {
  std::string name;
  Span where;
  std::int64_t size = 1;
  bool overridden = false;  ///< the size comes from outside
};

struct Constant {
  std::string name;
  Span where;
  std::int64_t value = 0;
};

struct Enum {
  std::string name;
  Span where;
  std::vector<std::string> constants;
};

/// A set of processes of a module.
struct ProcessSet {
  ModuleId module{};
  bool all = true;                ///< every process; else
  std::vector<std::int64_t> ids;  ///< these, ascending
  std::optional<ClassId> named;   ///< the priority class that it is
};

struct PriorityClass {
  std::string name;
  Span where;
  ProcessSet set;
};

/// What a program variable may hold: numbers, or processes (and none).
struct Type {
  enum class Kind : std::uint8_t { Integer, Range, Bool, Enum, Process, OptionalProcess };
  Kind kind = Kind::Integer;
  Interval values;  ///< in processes: the ids, from none_value on for OptionalProcess
  ModuleId module{};
  EnumId enumeration{};

  [[nodiscard]] bool is_process() const {
    return kind == Kind::Process || kind == Kind::OptionalProcess;
  }
};

/// One subscript: the processes of a module, or numbers.
struct Dimension {
  std::optional<ModuleId> module;
  Interval range;  ///< of a module: the ids
};

struct Variable {
  std::string name;
  Span where;
  std::vector<Dimension> dimensions;
  Type type;
  /// The values that an instance may start with; disjoint, ascending.
  std::vector<Interval> initial;
};

/// Overrides the initial value of one instance.
struct Init {
  VariableId variable{};
  std::vector<std::int64_t> subscripts;
  std::vector<Interval> initial;
  Span where;
};

enum class Op : std::uint8_t {
  Constant,  ///< value
  None,
  Slot,      ///< the process in slot `id`
  Variable,  ///< variable `id`; args are the subscripts
  Minus,     ///< args[0]
  Not,       ///< args[0]
  Product,   ///< args with their `join`, from the left
  Sum,       ///< args with their `join`, from the left
  Compare,   ///< args[0] and args[1], by the `join` of args[1]
  And,       ///< args, likewise the next three
  Or,
  Implies,      ///< from the right
  Iff,          ///< from the left; only in formulas
  Conditional,  ///< args[0] ? args[1] : args[2]
  All,          ///< binders; args: a filter if there are two, then the body
  Exists,       ///< likewise
  Count,        ///< likewise
  // Only in formulas.
  ForallProcess,  ///< binders; args[0]
  ExistsProcess,  ///< binders; args[0]
  CountProcess,   ///< one binder; args[0]
  Temporal,       ///< path and temporal; one arg for X F G, two for U W R
  Enabled,        ///< the process args[0]
  Deadlock,
};

/// What an expression stands for.
struct ValueType {
  enum class Kind : std::uint8_t {
    Unknown,  ///< has been reported; goes with everything
    Number,   ///< conditions are numbers: 0 is false
    Process,
    None,   ///< `none`: goes with the processes of every module
    Truth,  ///< a formula that no number can stand for
  };
  Kind kind = Kind::Unknown;
  ModuleId module{};
};

struct Binder {
  std::uint32_t slot = 0;
  ProcessSet set;
};

struct Expr {
  Op op = Op::Constant;
  syntax::Join join = syntax::Join::None;
  syntax::Path path = syntax::Path::E;
  syntax::TemporalOperator temporal = syntax::TemporalOperator::X;
  ValueType type;
  Span where;
  std::uint32_t id = 0;
  std::int64_t value = 0;
  std::vector<Expr> args;
  std::vector<Binder> binders;
};

/// The value of an expression without variables and processes; none if it has some, or if it cannot
/// be computed (a division by zero, more than 64 bits).
[[nodiscard]] std::optional<std::int64_t> constant_value(const Expr& expr);

/// Has the same value in every state: speaks of processes and numbers only.
[[nodiscard]] bool is_rigid(const Expr& expr);

/// A process variable of a schema or a formula.
struct Slot {
  std::string name;
  ModuleId module{};
};

struct Action {
  /// An assignment, unless there are binders: then ALL(binders where filter: actions).
  Expr target;
  Expr value;
  std::vector<Binder> binders;
  std::vector<Expr> filter;  ///< at most one
  std::vector<Action> actions;
  Span where;
};

struct Priority {
  std::uint32_t slot = 0;  ///< the secondary variable that is ranked
  /// By process id: 0 for the first set, and so on; ids in no set have the last rank.
  std::vector<std::uint32_t> ranks;
  std::vector<ClassId> classes;  ///< that occur in it
  Span where;
};

struct Schema {
  std::string name;  ///< its label, or `client#2`
  bool labelled = false;
  ModuleId module{};
  std::vector<Slot> slots;
  std::size_t num_indices = 1;
  Expr condition;
  std::vector<Action> actions;
  std::optional<Priority> priority;
  Span where;
};

/// A property: a formula with the values of its free variables.
struct Formula {
  std::string name;
  std::string text;                      ///< as it was written, on one line
  const base::Source* source = nullptr;  ///< that the places in it are of; `Loaded` owns it
  std::vector<Slot> slots;
  std::size_t num_free = 0;
  std::vector<std::int64_t> values;  ///< of the free slots
  Expr root;
  bool expected = true;
  Span where;
};

enum class SymbolKind : std::uint8_t {
  Module,
  Constant,
  Enum,
  EnumConstant,
  Variable,
  Index,  ///< `id` is the module
  Class,
};

/// What a declared name stands for; `id` counts within its kind.
struct Symbol {
  SymbolKind kind = SymbolKind::Module;
  std::uint32_t id = 0;
  std::int64_t value = 0;  ///< of an enum constant
  Span where;
};

struct Program {
  std::vector<Module> modules;
  std::vector<Constant> constants;
  std::vector<Enum> enums;
  std::vector<PriorityClass> classes;
  std::vector<Variable> variables;
  std::vector<Init> inits;
  std::vector<Schema> schemas;
  std::unordered_map<std::string, Symbol> names;

  [[nodiscard]] const Module& operator[](ModuleId id) const { return modules[base::index_of(id)]; }
  [[nodiscard]] const Variable& operator[](VariableId id) const {
    return variables[base::index_of(id)];
  }
  [[nodiscard]] const Schema& operator[](SchemaId id) const { return schemas[base::index_of(id)]; }
};

/// The type as a user writes it: `0..3`, `bool`, `Phase`, `client?`; `a 32-bit integer` without
/// one.
[[nodiscard]] std::string to_string(const Type& type, const Program& program);

}  // namespace cohort::lang
