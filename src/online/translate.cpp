#include "online/translate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "base/suggest.hpp"

namespace cohort::online {

namespace written = ltl::syntax;
namespace wanted = lang::syntax;
using base::Diagnostics;
using WrittenKind = written::ExprKind;
using WantedKind = wanted::ExprKind;

wanted::Expr node(WantedKind kind, lang::Span where) {
  wanted::Expr made;
  made.kind = kind;
  made.where = where;
  return made;
}

void add_arg(wanted::Expr& parent, wanted::Expr arg) {
  parent.depth = std::max<std::uint16_t>(parent.depth, static_cast<std::uint16_t>(arg.depth + 1));
  parent.args.push_back(std::move(arg));
}

wanted::Expr conjunction(lang::Span where) {
  wanted::Expr made = node(WantedKind::And, where);
  for (std::size_t i = 0; i < fillers; ++i) add_arg(made, node(WantedKind::True, where));
  return made;
}

namespace {

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

}  // namespace

class Translator::Implementation {
 public:
  Implementation(const lang::Program& program, Diagnostics& diagnostics)
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
      case WrittenKind::Intersection:  // in a regular expression: of conditions
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

Translator::Translator(const lang::Program& program, Diagnostics& diagnostics)
    : implementation_(std::make_unique<Implementation>(program, diagnostics)) {}
Translator::~Translator() = default;

wanted::Expr Translator::expr(const written::Expr& from) { return implementation_->expr(from); }
std::vector<wanted::Binding> Translator::bindings(const written::Expr& from) {
  return implementation_->bindings(from);
}
bool Translator::may_fault(const written::Expr& from) const {
  return implementation_->may_fault(from);
}
const Translator::Labels& Translator::labels() const { return implementation_->labels; }

}  // namespace cohort::online
