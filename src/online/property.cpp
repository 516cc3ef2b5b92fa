// Names and types of LTL formulas.
//
// Idea.  Everything that an atom can be is a formula of the language already, so the language's own
// resolver does the work.  The atoms are collected, in the order of the text, into one conjunction
// inside the quantifiers that stand around them; that is resolved as a property, which finds free
// variables, their modules and all mistakes; then the formula is lowered with the resolved atoms
// taken from there in the same order.
//
// A label `grant(c, k)` becomes `true & c = controller(0) & k = client(0)`: the comparisons give
// the processes their modules.  What stands at a label's place is known (Property::labels) and
// never evaluated as a comparison.
#include "online/property.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <system_error>

#include "base/suggest.hpp"
#include "lang/one_line.hpp"
#include "lang/resolve.hpp"
#include "ltl/lower.hpp"
#include "ltl/parse.hpp"
#include "monitor/hoa.hpp"

namespace cohort::online {
namespace {

namespace written = ltl::syntax;
namespace wanted = lang::syntax;
using base::Diagnostics;
using lang::Op;
using WrittenKind = written::ExprKind;
using WantedKind = wanted::ExprKind;

/// Items before those of the text, so that a conjunction has two operands at least.
constexpr std::size_t fillers = 2;

[[nodiscard]] wanted::Expr node(WantedKind kind, lang::Span where) {
  wanted::Expr made;
  made.kind = kind;
  made.where = where;
  return made;
}

void add_arg(wanted::Expr& parent, wanted::Expr arg) {
  parent.depth = std::max<std::uint16_t>(parent.depth, static_cast<std::uint16_t>(arg.depth + 1));
  parent.args.push_back(std::move(arg));
}

[[nodiscard]] wanted::Expr conjunction(lang::Span where) {
  wanted::Expr made = node(WantedKind::And, where);
  for (std::size_t i = 0; i < fillers; ++i) add_arg(made, node(WantedKind::True, where));
  return made;
}

[[nodiscard]] wanted::Join join_of(written::Join join) {
  switch (join) {
    case written::Join::None:
      return wanted::Join::None;
    case written::Join::Plus:
      return wanted::Join::Plus;
    case written::Join::Minus:
      return wanted::Join::Minus;
    case written::Join::Times:
      return wanted::Join::Times;
    case written::Join::Divide:
      return wanted::Join::Divide;
    case written::Join::Modulo:
      return wanted::Join::Modulo;
    case written::Join::Equal:
      return wanted::Join::Equal;
    case written::Join::NotEqual:
      return wanted::Join::NotEqual;
    case written::Join::Less:
      return wanted::Join::Less;
    case written::Join::LessEqual:
      return wanted::Join::LessEqual;
    case written::Join::Greater:
      return wanted::Join::Greater;
    case written::Join::GreaterEqual:
      return wanted::Join::GreaterEqual;
  }
  return wanted::Join::None;
}

/// Trees of formulas as trees of the language.
class Translator {
 public:
  Translator(const lang::Program& program, Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics) {}

  std::map<std::pair<std::uint32_t, std::uint32_t>, base::SchemaId> labels;

  /// Without temporal operators.  Recurses as deep as the tree, which the parser limits.
  [[nodiscard]] wanted::Expr expr(const written::Expr& bracketed) {
    const written::Expr& from = written::inside_brackets(bracketed);
    wanted::Expr made = translated(from);
    made.join = join_of(bracketed.join);
    return made;
  }

  [[nodiscard]] std::vector<wanted::Binding> bindings(const written::Expr& from) {
    std::vector<wanted::Binding> made;
    for (const written::Binding& binding : from.bindings) {
      wanted::Binding& one = made.emplace_back();
      for (const written::Name& name : binding.names) one.names.push_back({name.text, name.where});
      one.set.name = {binding.set.name.text, binding.set.name.where};
      one.set.listed = binding.set.listed;
      for (const written::IdRange& ids : binding.set.ids) {
        wanted::IdRange& range = one.set.ids.emplace_back();
        range.where = ids.where;
        range.first = id(ids.first);
        if (ids.last) range.last = id(*ids.last);
      }
    }
    return made;
  }

  /// Whether evaluating it may be a fault, as far as the text tells.
  [[nodiscard]] bool may_fault(const written::Expr& from) const {
    if (from.kind == WrittenKind::Product) {
      for (std::size_t i = 1; i < from.args.size(); ++i) {
        const written::Expr& arg = from.args[i];
        const bool divides = arg.join == written::Join::Divide || arg.join == written::Join::Modulo;
        const bool is_number =
            written::inside_brackets(arg).kind == WrittenKind::Integer &&
            written::inside_brackets(arg).text.find_first_not_of('0') != std::string_view::npos;
        if (divides && !is_number) return true;
      }
    }
    if (from.kind == WrittenKind::Variable) {
      for (const written::Expr& arg : from.args) {
        if (!is_plain_subscript(written::inside_brackets(arg))) return true;
      }
    }
    return std::ranges::any_of(from.args, [&](const auto& arg) { return may_fault(arg); });
  }

 private:
  [[nodiscard]] bool is_plain_subscript(const written::Expr& arg) const {
    if (arg.kind == WrittenKind::Integer || arg.kind == WrittenKind::Label) return true;
    if (arg.kind != WrittenKind::Variable || !arg.args.empty()) return false;
    const lang::Symbol* const symbol = declared(arg.text);
    return symbol == nullptr || symbol->kind == lang::SymbolKind::Index;
  }

  [[nodiscard]] const lang::Symbol* declared(std::string_view name) const {
    const auto found = program_.names.find(std::string(name));
    return found == program_.names.end() ? nullptr : &found->second;
  }

  [[nodiscard]] static std::int64_t id(std::uint64_t number) {
    return static_cast<std::int64_t>(std::min<std::uint64_t>(number, INT64_MAX));
  }

  [[nodiscard]] wanted::Expr with_args(WantedKind kind, const written::Expr& from) {
    wanted::Expr made = node(kind, from.where);
    for (const written::Expr& arg : from.args) add_arg(made, expr(arg));
    return made;
  }

  [[nodiscard]] wanted::Expr translated(const written::Expr& from) {
    switch (from.kind) {
      case WrittenKind::Integer:
        return integer(from);
      case WrittenKind::Decimal:
      case WrittenKind::String:
        diagnostics_.error(from.where, "the variables of a model hold integers and processes",
                           "decimals and strings are for traces");
        return node(WantedKind::True, from.where);
      case WrittenKind::None:
        return node(WantedKind::None, from.where);
      case WrittenKind::True:
        return node(WantedKind::True, from.where);
      case WrittenKind::False:
        return node(WantedKind::False, from.where);
      case WrittenKind::Variable:
        return variable(from);
      case WrittenKind::Label:
        return label_or_process(from);
      case WrittenKind::Minus:
        return with_args(WantedKind::Minus, from);
      case WrittenKind::Product:
        return with_args(WantedKind::Product, from);
      case WrittenKind::Sum:
        return with_args(WantedKind::Sum, from);
      case WrittenKind::Compare:
        return with_args(WantedKind::Compare, from);
      case WrittenKind::Not:
        return with_args(WantedKind::Not, from);
      case WrittenKind::And:
        return with_args(WantedKind::And, from);
      case WrittenKind::Or:
        return with_args(WantedKind::Or, from);
      case WrittenKind::Implies:
        return with_args(WantedKind::Implies, from);
      case WrittenKind::Iff:
        return with_args(WantedKind::Iff, from);
      case WrittenKind::Enabled:
        return with_args(WantedKind::Enabled, from);
      case WrittenKind::Deadlock:
        return node(WantedKind::Deadlock, from.where);
      case WrittenKind::Count:
        return quantified(WantedKind::CountProcess, from);
      case WrittenKind::Forall:
        return quantified(WantedKind::ForallProcess, from);
      case WrittenKind::Exists:
        return quantified(WantedKind::ExistsProcess, from);
      default:
        break;
    }
    diagnostics_.error(from.where, "this is no condition on one position of a run");
    return node(WantedKind::True, from.where);
  }

  [[nodiscard]] wanted::Expr quantified(WantedKind kind, const written::Expr& from) {
    wanted::Expr made = with_args(kind, from);
    made.bindings = bindings(from);
    return made;
  }

  [[nodiscard]] wanted::Expr integer(const written::Expr& from) {
    wanted::Expr made = node(WantedKind::Number, from.where);
    const auto [end, error] =
        std::from_chars(from.text.data(), from.text.data() + from.text.size(), made.number);
    if (error != std::errc{}) {
      diagnostics_.error(from.where, fmt::format("{} does not fit in 64 bits", from.text));
    }
    return made;
  }

  [[nodiscard]] std::optional<base::SchemaId> schema(std::string_view name) const {
    for (std::uint32_t s = 0; s < program_.schemas.size(); ++s) {
      if (program_.schemas[s].name == name) return base::SchemaId{s};
    }
    return std::nullopt;
  }

  [[nodiscard]] wanted::Expr variable(const written::Expr& from) {
    if (from.history != written::History{}) {
      diagnostics_.error(from.where,
                         "the history of a variable is known on sequential traces only");
    }
    if (from.args.empty() && declared(from.text) == nullptr) {
      if (const auto found = schema(from.text)) return label(from, *found);
    }
    wanted::Expr made = node(WantedKind::Reference, from.where);
    made.name = from.text;
    for (const written::Expr& arg : from.args) add_arg(made, expr(arg));
    return made;
  }

  [[nodiscard]] wanted::Expr label_or_process(const written::Expr& from) {
    const lang::Symbol* const symbol = declared(from.text);
    if (symbol != nullptr && symbol->kind == lang::SymbolKind::Module && !from.number &&
        from.args.size() == 1) {
      wanted::Expr made = node(WantedKind::ProcessLiteral, from.where);
      made.name = from.text;
      add_arg(made, expr(from.args.front()));
      return made;
    }
    const std::string name =
        from.number ? fmt::format("{}#{}", from.text, *from.number) : std::string(from.text);
    if (const auto found = schema(name)) return label(from, *found);
    const lang::Span where{from.where.begin,
                           from.where.begin + static_cast<std::uint32_t>(from.text.size())};
    if (symbol != nullptr && symbol->kind == lang::SymbolKind::Variable) {
      diagnostics_.error(where, fmt::format("'{}' is a variable and no label", name),
                         "subscripts stand in square brackets");
    } else {
      std::vector<std::string_view> names;
      for (const lang::Schema& known : program_.schemas) names.push_back(known.name);
      const std::optional<std::string_view> near = base::nearest(name, names);
      diagnostics_.error(where, fmt::format("unknown label '{}'", name),
                         near ? fmt::format("did you mean '{}'?", *near) : std::string());
    }
    return node(WantedKind::True, from.where);
  }

  [[nodiscard]] wanted::Expr label(const written::Expr& from, base::SchemaId id) {
    const lang::Schema& schema = program_[id];
    wanted::Expr made = conjunction(from.where);
    labels.emplace(std::pair{from.where.begin, from.where.end}, id);
    if (from.args.empty()) return made;
    if (from.args.size() != schema.num_indices) {
      std::string names;
      for (std::size_t i = 0; i < schema.num_indices; ++i) {
        names += (i == 0 ? "" : ", ") + schema.slots[i].name;
      }
      diagnostics_.error(from.where,
                         fmt::format("'{0}' has {1} process{2}, {0}({3}), not {4}", schema.name,
                                     schema.num_indices, schema.num_indices == 1 ? "" : "es", names,
                                     from.args.size()));
      return made;
    }
    for (std::size_t i = 0; i < from.args.size(); ++i) {
      const lang::ModuleId module = schema.slots[i].module;
      const written::Expr& arg = written::inside_brackets(from.args[i]);
      wanted::Expr test = node(WantedKind::Compare, arg.where);
      add_arg(test, process(arg, module));
      add_arg(test, literal(arg.where, module, node(WantedKind::Number, arg.where)));
      test.args.back().join = wanted::Join::Equal;
      add_arg(made, std::move(test));
    }
    return made;
  }

  [[nodiscard]] wanted::Expr literal(lang::Span where, lang::ModuleId module, wanted::Expr number) {
    wanted::Expr made = node(WantedKind::ProcessLiteral, where);
    made.name = program_[module].name;
    add_arg(made, std::move(number));
    return made;
  }

  [[nodiscard]] wanted::Expr process(const written::Expr& arg, lang::ModuleId module) {
    if (arg.kind == WrittenKind::Integer) return literal(arg.where, module, integer(arg));
    const lang::Symbol* const symbol = declared(arg.text);
    const bool is_name = arg.kind == WrittenKind::Variable && arg.args.empty() &&
                         (symbol == nullptr || symbol->kind == lang::SymbolKind::Index);
    const bool is_literal = arg.kind == WrittenKind::Label && symbol != nullptr &&
                            symbol->kind == lang::SymbolKind::Module;
    if (!is_name && !is_literal) {
      diagnostics_.error(arg.where, "the processes of a label are process variables and ids");
      return literal(arg.where, module, node(WantedKind::Number, arg.where));
    }
    return expr(arg);
  }

  const lang::Program& program_;
  Diagnostics& diagnostics_;
};

/// The first walk: what the resolver is to see.
class Collector final : public ltl::AtomSource {
 public:
  Collector(Translator& translator, lang::Span where)
      : translator_(translator), items_(conjunction(where)) {}

  [[nodiscard]] ltl::Formula atom(const written::Expr& expr, ltl::Formulas& formulas) override {
    add_arg(items_, translator_.expr(expr));
    return formulas.constant(true);
  }
  [[nodiscard]] bool is_one_atom(const written::Expr& expr) override {
    return translator_.may_fault(expr);
  }
  [[nodiscard]] ltl::Formula quantified(const written::Expr& expr, ltl::Formulas& formulas,
                                        Diagnostics& diagnostics) override {
    Collector inside{translator_, expr.args[0].where};
    (void)ltl::lower(expr.args[0], formulas, inside, diagnostics);
    wanted::Expr made = node(
        expr.kind == WrittenKind::Forall ? WantedKind::ForallProcess : WantedKind::ExistsProcess,
        expr.where);
    made.bindings = translator_.bindings(expr);
    add_arg(made, inside.take());
    add_arg(items_, std::move(made));
    return formulas.constant(true);
  }
  [[nodiscard]] wanted::Expr take() { return std::move(items_); }

 private:
  Translator& translator_;
  wanted::Expr items_;
};

// ---------------------------------------------------------------------------------------------------
// The second walk

/// Equal texts are equal expressions.
void append_key(const lang::Expr& expr, std::string& key) {
  key += fmt::format("({} {} {} {} ", static_cast<int>(expr.op), static_cast<int>(expr.join),
                     expr.id, expr.value);
  for (const lang::Binder& binder : expr.binders) {
    key += fmt::format("b{} {} {} {}", binder.slot, base::index_of(binder.set.module),
                       binder.set.all, fmt::join(binder.set.ids, ","));
  }
  for (const lang::Expr& arg : expr.args) append_key(arg, key);
  key += ')';
}

void replace_slots(lang::Expr& expr, const std::map<std::uint32_t, std::uint32_t>& slots) {
  if (expr.op == Op::Slot) {
    const auto found = slots.find(expr.id);
    if (found != slots.end()) expr.id = found->second;
  }
  for (lang::Expr& arg : expr.args) replace_slots(arg, slots);
}

[[nodiscard]] std::vector<std::int64_t> members(const lang::ProcessSet& set,
                                                const lang::Program& program) {
  if (!set.all) return set.ids;
  std::vector<std::int64_t> made;
  for (std::int64_t p = 0; p < program[set.module].size; ++p) made.push_back(p);
  return made;
}

class Builder final : public ltl::AtomSource {
 public:
  Builder(const lang::Program& program, const lang::Formula& resolved, Translator& translator,
          Property& property, bool about_actions, Diagnostics& diagnostics)
      : program_(program),
        about_actions_(about_actions),
        resolved_(resolved),
        translator_(translator),
        property_(property),
        diagnostics_(diagnostics) {}

  void run(const written::Expr& tree) {
    scopes_.push_back({&resolved_.root, fillers});
    peel(tree, {});
  }

  [[nodiscard]] ltl::Formula atom(const written::Expr& /*expr*/, ltl::Formulas& formulas) override {
    lang::Expr expr = next_item();
    replace_slots(expr, spelled_);
    if (about_actions_) spell_out(expr);
    return atom(std::move(expr), formulas);
  }
  [[nodiscard]] bool is_one_atom(const written::Expr& expr) override {
    return translator_.may_fault(expr);
  }

  [[nodiscard]] ltl::Formula quantified(const written::Expr& expr, ltl::Formulas& formulas,
                                        Diagnostics& diagnostics) override {
    const lang::Expr& quantifier = next_item();
    std::size_t count = 1;
    std::vector<std::vector<std::int64_t>> sets;
    for (const lang::Binder& binder : quantifier.binders) {
      sets.push_back(members(binder.set, program_));
      count = count > most_spelled_out ? count : count * sets.back().size();
    }
    num_spelled_ += count;
    if (num_spelled_ > most_spelled_out) {
      diagnostics.error({expr.where.begin, expr.args[0].where.begin},
                        fmt::format("a quantifier that has to be spelled out, for more than {} "
                                    "combinations of processes",
                                    most_spelled_out),
                        "only a 'forall' in front of everything is never spelled out");
      return formulas.constant(true);
    }
    std::vector<ltl::Formula> parts;
    for (std::size_t n = 0; n < count; ++n) {
      const std::map<std::uint32_t, std::uint32_t> outer = spelled_;
      std::size_t rest = n;
      for (std::size_t b = sets.size(); b-- > 0;) {
        const lang::Binder& binder = quantifier.binders[b];
        spelled_[binder.slot] = literal_slot(binder.set.module, sets[b][rest % sets[b].size()]);
        rest /= sets[b].size();
      }
      scopes_.push_back({&quantifier.args[0], fillers});
      parts.push_back(ltl::lower(expr.args[0], formulas, *this, diagnostics));
      scopes_.pop_back();
      spelled_ = outer;
    }
    return expr.kind == WrittenKind::Forall ? formulas.conjunction(std::move(parts))
                                            : formulas.disjunction(std::move(parts));
  }

  /// The atoms of an automaton, in their order.
  void automaton_atoms(std::size_t count) {
    scopes_.push_back({&resolved_.root, fillers});
    start_goal({});
    for (std::size_t i = 0; i < count; ++i) {
      lang::Expr expr = next_item();
      if (about_actions_) spell_out(expr);
      add_atom(std::move(expr));
    }
    property_.goals.back().formula = property_.formulas->constant(true);
  }

 private:
  /// The items of a quantifier's scope, and the next of them.
  struct Scope {
    const lang::Expr* items = nullptr;
    std::size_t next = 0;
  };

  [[nodiscard]] const lang::Expr& next_item() {
    Scope& scope = scopes_.back();
    return scope.items->args[scope.next++];
  }

  /// Conjuncts and outermost foralls.
  void peel(const written::Expr& bracketed, std::vector<lang::Binder> foralls) {
    const written::Expr& tree = written::inside_brackets(bracketed);
    if (tree.kind == WrittenKind::And && written::is_temporal(tree)) {
      for (const written::Expr& arg : tree.args) peel(arg, foralls);
      return;
    }
    if (tree.kind == WrittenKind::Forall && written::is_temporal(tree.args[0])) {
      const lang::Expr& quantifier = next_item();
      foralls.insert(foralls.end(), quantifier.binders.begin(), quantifier.binders.end());
      scopes_.push_back({&quantifier.args[0], fillers});
      peel(tree.args[0], std::move(foralls));
      scopes_.pop_back();
      return;
    }
    start_goal(std::move(foralls));
    const ltl::Formula formula = ltl::lower(tree, *property_.formulas, *this, diagnostics_);
    property_.goals.back().formula = formula;
  }

  void start_goal(std::vector<lang::Binder> foralls) {
    Goal& goal = property_.goals.emplace_back();
    goal.foralls = std::move(foralls);
    goal.slots = resolved_.slots;
    goal.values.resize(goal.slots.size());
    for (std::size_t i = 0; i < resolved_.num_free; ++i) goal.values[i] = resolved_.values[i];
    known_.clear();
    literals_.clear();
    num_spelled_ = 0;
  }

  [[nodiscard]] std::uint32_t literal_slot(lang::ModuleId module, std::int64_t process) {
    Goal& goal = property_.goals.back();
    const auto next = static_cast<std::uint32_t>(goal.slots.size());
    const auto [found, is_new] =
        literals_.emplace(std::pair{base::index_of(module), process}, next);
    if (is_new) {
      goal.slots.push_back({fmt::format("{}({})", program_[module].name, process), module});
      goal.values.emplace_back(process);
    }
    return found->second;
  }

  /// Quantifiers over a part of a module inside an atom about actions: which processes these are
  /// cannot be told from the instance that is fired, so they get names.
  void spell_out(lang::Expr& expr) {
    for (lang::Expr& arg : expr.args) spell_out(arg);
    const bool partial = std::ranges::any_of(
        expr.binders, [](const lang::Binder& binder) { return !binder.set.all; });
    if (!partial) return;
    std::vector<lang::Expr> bodies{expr.args[0]};
    for (const lang::Binder& binder : expr.binders) {
      std::vector<lang::Expr> more;
      for (const lang::Expr& body : bodies) {
        for (const std::int64_t process : members(binder.set, program_)) {
          more.push_back(body);
          replace_slots(more.back(), {{binder.slot, literal_slot(binder.set.module, process)}});
        }
      }
      bodies = std::move(more);
    }
    const Op op = expr.op == Op::ForallProcess   ? Op::And
                  : expr.op == Op::ExistsProcess ? Op::Or
                                                 : Op::Sum;
    for (lang::Expr& body : bodies) body.join = wanted::Join::Plus;
    if (op == Op::Sum) bodies.insert(bodies.begin(), lang::Expr{});  // 0
    expr.op = op;
    expr.binders.clear();
    // No label's place.
    expr.where.end = expr.where.begin;
    expr.args = std::move(bodies);
  }

  /// What a combination of labels says of the empty word, on which no label and no comparison
  /// holds.
  [[nodiscard]] bool holds_on_empty_word(const lang::Expr& expr) const {
    if (property_.label(expr)) return false;
    const auto holds = [&](const lang::Expr& arg) { return holds_on_empty_word(arg); };
    switch (expr.op) {
      case Op::Constant:
        return expr.value != 0;
      case Op::Not:
        return !holds(expr.args[0]);
      case Op::And:
        return std::ranges::all_of(expr.args, holds);
      case Op::Or:
        return std::ranges::any_of(expr.args, holds);
      case Op::Implies:
        // a -> b -> c: false only if the last is false and all before it are true.
        return holds(expr.args.back()) ||
               !std::all_of(expr.args.begin(), expr.args.end() - 1, holds);
      case Op::Iff: {
        bool value = holds(expr.args[0]);
        for (std::size_t i = 1; i < expr.args.size(); ++i) value = value == holds(expr.args[i]);
        return value;
      }
      case Op::ForallProcess:
      case Op::ExistsProcess: {
        const bool is_empty = std::ranges::any_of(expr.binders, [&](const lang::Binder& binder) {
          return members(binder.set, program_).empty();
        });
        return is_empty ? expr.op == Op::ForallProcess : holds(expr.args[0]);
      }
      default:
        return false;
    }
  }

  /// `x != 1` and `x = 1` are one atom, and so are `<` and `>=`.
  [[nodiscard]] ltl::Formula atom(lang::Expr expr, ltl::Formulas& formulas) {
    if (property_.label(expr)) return formulas.atom(add_atom(std::move(expr)));
    if (about_actions_ && expr.op != Op::Not && holds_on_empty_word(expr)) {
      // Atoms do not hold on the empty word: this one is written as the negation of another.
      lang::Expr opposite;
      opposite.op = Op::Not;
      opposite.type = expr.type;
      opposite.where = {expr.where.begin, expr.where.begin};  // no label's place
      opposite.args.push_back(std::move(expr));
      return formulas.negation(formulas.atom(add_atom(std::move(opposite))));
    }
    const std::optional<std::int64_t> value = lang::constant_value(expr);
    if (value && !has_label(expr)) return formulas.constant(*value != 0);
    if (expr.op == Op::Not) return formulas.negation(atom(std::move(expr.args[0]), formulas));
    if (expr.op == Op::Compare) {
      wanted::Join& join = expr.args[1].join;
      const wanted::Join opposite = join == wanted::Join::NotEqual       ? wanted::Join::Equal
                                    : join == wanted::Join::GreaterEqual ? wanted::Join::Less
                                    : join == wanted::Join::Greater      ? wanted::Join::LessEqual
                                                                         : wanted::Join::None;
      if (opposite != wanted::Join::None) {
        join = opposite;
        return formulas.negation(formulas.atom(add_atom(std::move(expr))));
      }
    }
    return formulas.atom(add_atom(std::move(expr)));
  }

  [[nodiscard]] ltl::Atom add_new_atom(lang::Expr expr) {
    Goal& goal = property_.goals.back();
    goal.atom_names.push_back(fmt::format("a{}", goal.atoms.size()));
    goal.atoms.push_back(std::move(expr));
    return ltl::Atom{static_cast<std::uint32_t>(goal.atoms.size() - 1)};
  }

  ltl::Atom add_atom(lang::Expr expr) {
    // An automaton's atoms are numbered by its file.
    if (property_.automaton) return add_new_atom(std::move(expr));
    std::string key;
    append_key(expr, key);
    // Labels look like the comparisons of their processes.
    append_labels(expr, key);
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    const ltl::Atom made = add_new_atom(std::move(expr));
    known_.emplace(std::move(key), made);
    return made;
  }

  [[nodiscard]] bool has_label(const lang::Expr& expr) const {
    return property_.label(expr) ||
           std::ranges::any_of(expr.args, [&](const lang::Expr& arg) { return has_label(arg); });
  }

  void append_labels(const lang::Expr& expr, std::string& key) const {
    if (const auto label = property_.label(expr)) {
      key += fmt::format("l{} ", base::index_of(*label));
      return;
    }
    for (const lang::Expr& arg : expr.args) append_labels(arg, key);
  }

  const lang::Program& program_;
  bool about_actions_;
  const lang::Formula& resolved_;
  Translator& translator_;
  Property& property_;
  Diagnostics& diagnostics_;
  std::vector<Scope> scopes_;
  std::map<std::uint32_t, std::uint32_t> spelled_;  // slots of quantifiers that are spelled out
  std::map<std::pair<std::size_t, std::int64_t>, std::uint32_t> literals_;
  std::map<std::string, ltl::Atom> known_;
  std::size_t num_spelled_ = 0;
};

// ---------------------------------------------------------------------------------------------------
// One property

class Reader {
 public:
  Reader(lang::Loaded& loaded, const Settings& settings)
      : loaded_(loaded), settings_(settings), model_is_right_(loaded.ok()) {
    for (const lang::GivenValue& value : loaded.evaluation) {
      wanted::Value& given = values_.emplace_back();
      given.variable.text = value.variable;
      if (value.module) given.module = wanted::Name{*value.module, {}};
      given.id = value.id;
    }
  }

  [[nodiscard]] std::optional<Property> read(const Request& request) {
    Property property;
    property.formulas = std::make_unique<ltl::Formulas>();
    std::string text = request.text;
    if (request.is_automaton && !read_automaton(request, property, text)) return std::nullopt;
    lang::Input& input = add(request.is_automaton ? request.name + " (atoms)" : request.name, text);
    const written::Expr tree = ltl::parse_formula(input.source, input.diagnostics);
    if (input.diagnostics.has_errors() || !model_is_right_) return std::nullopt;
    Translator translator{loaded_.program, input.diagnostics};
    wanted::Property as_written;
    as_written.formula = collect(tree, translator, property, input);
    if (input.diagnostics.has_errors()) return std::nullopt;
    as_written.name = {request.name, tree.where};
    const lang::PropertyContext context{loaded_.program, input.source, {}, values_, {}};
    lang::Formula resolved =
        std::move(lang::resolve_properties({as_written}, context, input.diagnostics).front());
    if (input.diagnostics.has_errors()) return std::nullopt;
    property.labels = translator.labels;
    forget_modules(resolved.root, property);
    const bool about_actions = settings_.view == View::Actions || !property.labels.empty();
    Builder builder{loaded_.program, resolved,      translator,
                    property,        about_actions, input.diagnostics};
    if (property.automaton) {
      builder.automaton_atoms(property.automaton->atoms.size());
    } else {
      builder.run(tree);
    }
    choose_view(property, input.diagnostics);
    if (input.diagnostics.has_errors()) return std::nullopt;
    property.finite = settings_.finite;
    property.fair = settings_.fair;
    if (property.automaton && property.automaton->acceptance == ltl::Acceptance::Finite) {
      property.finite = true;
    }
    property.formula = std::move(resolved);
    property.formula.root = {};
    property.formula.text =
        request.is_automaton ? request.file : lang::on_one_line(input.source.text());
    return property;
  }

 private:
  lang::Input& add(const std::string& name, const std::string& text) {
    loaded_.inputs.push_back(
        std::make_unique<lang::Input>(lang::Input{base::Source::from_text(name, text), {}}));
    return *loaded_.inputs.back();
  }

  [[nodiscard]] bool read_automaton(const Request& request, Property& property,
                                    std::string& atoms) {
    lang::Input& input = add(request.file, request.text);
    property.automaton = monitor::read_hoa(input.source, input.diagnostics);
    if (!property.automaton) return false;
    property.automaton_text = request.text;
    atoms = "true & true";
    for (const std::string& atom : property.automaton->atoms) atoms += " & (" + atom + ")";
    return true;
  }

  [[nodiscard]] static wanted::Expr collect(const written::Expr& tree, Translator& translator,
                                            Property& property, lang::Input& input) {
    if (!property.automaton) {
      Collector collector{translator, tree.where};
      (void)ltl::lower(tree, *property.formulas, collector, input.diagnostics);
      return collector.take();
    }
    wanted::Expr items = conjunction(tree.where);
    for (std::size_t i = 2; i < tree.args.size(); ++i) {
      if (written::is_temporal(tree.args[i])) {
        input.diagnostics.error(tree.args[i].where, "an atom has a temporal operator");
        continue;
      }
      add_arg(items, translator.expr(tree.args[i]));
    }
    return items;
  }

  /// What a label's processes were compared with was there for their modules only.
  static void forget_modules(lang::Expr& expr, const Property& property) {
    if (property.label(expr)) {
      for (std::size_t i = fillers; i < expr.args.size(); ++i) {
        expr.args[i].args[1] = expr.args[i].args[0];
        expr.args[i].args[1].join = wanted::Join::Equal;
      }
      return;
    }
    for (lang::Expr& arg : expr.args) forget_modules(arg, property);
  }

  /// Where a state, or the program's variables, are asked for.
  [[nodiscard]] static const lang::Expr* about_states(const lang::Expr& expr) {
    if (expr.op == Op::Variable || expr.op == Op::Enabled || expr.op == Op::Deadlock) return &expr;
    for (const lang::Expr& arg : expr.args) {
      if (const lang::Expr* const found = about_states(arg)) return found;
    }
    return nullptr;
  }

  void choose_view(Property& property, Diagnostics& diagnostics) const {
    property.view = settings_.view.value_or(property.labels.empty() ? View::States : View::Actions);
    if (property.view == View::States) {
      for (const auto& [place, schema] : property.labels) {
        diagnostics.error({place.first, place.second}, "a label in a formula about states",
                          "labels are for '--view actions'");
      }
      return;
    }
    std::set<std::uint32_t> told;
    for (const Goal& goal : property.goals) {
      for (const lang::Expr& atom : goal.atoms) {
        const lang::Expr* const found = about_states(atom);
        if (found == nullptr || !told.insert(found->where.begin).second) continue;
        diagnostics.error(found->where, "a condition on states in a formula about actions",
                          property.labels.empty()
                              ? "with '--view actions' atoms are labels"
                              : "a label occurs in it, so that its positions are actions; one "
                                "formula cannot be about both");
      }
    }
  }

  lang::Loaded& loaded_;
  const Settings& settings_;
  bool model_is_right_;
  std::vector<wanted::Value> values_;
};

void collect_slots(const lang::Expr& expr, std::set<std::uint32_t>& bound,
                   std::set<std::uint32_t>& found) {
  if (expr.op == Op::Slot && !bound.contains(expr.id)) found.insert(expr.id);
  for (const lang::Binder& binder : expr.binders) bound.insert(binder.slot);
  for (const lang::Expr& arg : expr.args) collect_slots(arg, bound, found);
  for (const lang::Binder& binder : expr.binders) bound.erase(binder.slot);
}

}  // namespace

std::vector<std::uint32_t> Goal::tracked() const {
  std::set<std::uint32_t> bound;
  std::set<std::uint32_t> found;
  for (const lang::Expr& atom : atoms) collect_slots(atom, bound, found);
  return {found.begin(), found.end()};
}

std::optional<base::SchemaId> Property::label(const lang::Expr& expr) const {
  if (expr.op != Op::And) return std::nullopt;
  const auto found = labels.find({expr.where.begin, expr.where.end});
  return found == labels.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::uint32_t> Property::label_slots(const lang::Expr& label) {
  std::vector<std::uint32_t> made;
  for (std::size_t i = fillers; i < label.args.size(); ++i) {
    made.push_back(label.args[i].args[0].id);
  }
  return made;
}

std::vector<Property> load_properties(lang::Loaded& loaded, const std::vector<Request>& requests,
                                      const Settings& settings) {
  std::vector<Property> made;
  Reader reader{loaded, settings};
  for (const Request& request : requests) {
    if (std::optional<Property> property = reader.read(request)) {
      made.push_back(std::move(*property));
    }
  }
  return made;
}

}  // namespace cohort::online
