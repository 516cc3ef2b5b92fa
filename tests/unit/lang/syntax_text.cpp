// Every node is `kind(…)`, with all that it holds but places.  Nothing is left out for beauty: what
// is not printed cannot be compared.
#include "unit/lang/syntax_text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace cohort::lang {
namespace {

using syntax::ExprKind;

[[nodiscard]] std::string_view name_of(ExprKind kind) {
  static constexpr std::array<std::string_view, 26> names = {
      "number",  "true",  "false",   "none",   "ref",    "process", "paren",   "minus",   "not",
      "product", "sum",   "compare", "and",    "or",     "implies", "iff",     "if",      "ALL",
      "EXISTS",  "COUNT", "forall",  "exists", "COUNT'", "path",    "enabled", "deadlock"};
  static_assert(static_cast<std::size_t>(ExprKind::Deadlock) + 1 == names.size());
  return names[static_cast<std::size_t>(kind)];
}

[[nodiscard]] std::string_view name_of(syntax::Join join) {
  static constexpr std::array<std::string_view, 12> names = {"",   "+",  "-", "*",  "/", "%",
                                                             "==", "!=", "<", "<=", ">", ">="};
  static_assert(static_cast<std::size_t>(syntax::Join::GreaterEqual) + 1 == names.size());
  return names[static_cast<std::size_t>(join)];
}

[[nodiscard]] std::string_view name_of(syntax::Path path) {
  static constexpr std::array<std::string_view, 4> names = {"E", "A", "Efair", "Afair"};
  return names[static_cast<std::size_t>(path)];
}

/// Writes trees; a stack of calls is as deep as the parser lets trees be.
class Writer {
 public:
  [[nodiscard]] std::string take() { return std::move(text_); }

  void write(const syntax::Expr& expr) {
    text_ += name_of(expr.join);
    text_ += name_of(expr.kind);
    if (expr.kind == ExprKind::Number) text_ += std::to_string(expr.number);
    if (expr.kind == ExprKind::Temporal) {
      text_ += name_of(expr.path);
      text_ += "XFGUWR"[static_cast<std::size_t>(expr.temporal)];
    }
    word(expr.name);
    for (const syntax::Binding& binding : expr.bindings) write(binding);
    list(expr.args);
  }

  void write(const syntax::Binding& binding) {
    list(binding.names);
    text_ += " in ";
    write(binding.set.name);
    if (binding.set.listed) list(binding.set.ids);
  }

  void write(const syntax::Name& name) { word(name.text); }

  void write(const syntax::IdRange& range) {
    text_ += std::to_string(range.first);
    text_ += '-';
    if (range.last) text_ += std::to_string(*range.last);
  }

  void write(const syntax::Range& range) {
    write(range.first);
    text_ += "..";
    write(range.last);
  }

  void write(const syntax::Type& type) {
    text_ += " type";
    number(static_cast<std::uint8_t>(type.kind));
    write(type.name);
    list(type.range);
  }

  void write(const syntax::Initial& initial) {
    text_ += " initial";
    number(static_cast<std::uint8_t>(initial.kind));
    write(initial.module);
    list(initial.values);
  }

  void write(const syntax::Dimension& dimension) {
    write(dimension.name);
    list(dimension.range);
  }

  void write(const syntax::Module& module) {
    text_ += "Module";
    write(module.name);
    write(module.size);
  }

  void write(const syntax::Constant& constant) {
    text_ += "Const";
    write(constant.name);
    write(constant.value);
  }

  void write(const syntax::Enum& type) {
    text_ += "Enum";
    write(type.name);
    list(type.constants);
  }

  void write(const syntax::PriorityClass& set) {
    text_ += "PriorityClass";
    write(set.name);
    write(set.module);
    list(set.ids);
  }

  void write(const syntax::Init& init) {
    text_ += "Init ";
    write(init.target);
    write(init.initial);
  }

  void write(const syntax::Variable& variable) {
    text_ += "variable";
    write(variable.name);
    list(variable.dimensions);
    optional(variable.type);
    optional(variable.initial);
  }

  void write(const syntax::Indices& indices) {
    text_ += "indices";
    list(indices.names);
    write(indices.module);
  }

  void write(const syntax::Action& action) {
    if (action.binders.empty()) {
      write(action.target);
      text_ += " = ";
      write(action.value);
      return;
    }
    text_ += "ALL";
    list(action.binders);
    list(action.filter);
    list(action.actions);
  }

  void write(const syntax::Rank& rank) {
    write(rank.name);
    list(rank.ids);
  }

  void write(const syntax::Priority& priority) {
    text_ += " Priority";
    optional(priority.variable);
    list(priority.ranks);
  }

  void write(const syntax::Schema& schema) {
    text_ += "\n  schema";
    optional(schema.label);
    write(schema.condition);
    text_ += " -> ";
    list(schema.actions);
    optional(schema.priority);
  }

  void write(const syntax::Body& body) {
    text_ += "body";
    write(body.index);
    write(body.module);
    list(body.schemas);
  }

  void write(const syntax::Value& value) {
    write(value.variable);
    text_ += " = ";
    optional(value.module);
    text_ += std::to_string(value.id);
  }

  void write(const syntax::Property& property) {
    text_ += property.expected ? "property" : "property meant to fail";
    write(property.name);
    list(property.values);
    write(property.formula);
  }

  template <typename Node>
  void lines(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      write(node);
      text_ += '\n';
    }
  }

 private:
  void word(std::string_view name) {
    if (name.empty()) return;
    text_ += ' ';
    text_ += name;
    text_ += ' ';
  }

  void number(std::uint8_t value) { text_ += std::to_string(static_cast<unsigned>(value)); }

  template <typename Node>
  void optional(const std::optional<Node>& node) {
    text_ += node ? '+' : '-';
    if (node) write(*node);
  }

  template <typename Node>
  void list(const std::vector<Node>& nodes) {
    text_ += '(';
    for (const Node& node : nodes) {
      write(node);
      text_ += ", ";
    }
    text_ += ')';
  }

  std::string text_;
};

}  // namespace

std::string syntax_text(const syntax::Expr& expr) {
  Writer writer;
  writer.write(expr);
  return writer.take();
}

std::string syntax_text(const syntax::ModelFile& model) {
  Writer writer;
  writer.lines(model.modules);
  writer.lines(model.constants);
  writer.lines(model.enums);
  writer.lines(model.classes);
  writer.lines(model.inits);
  writer.lines(model.variables);
  writer.lines(model.indices);
  writer.lines(model.bodies);
  writer.lines(model.properties);
  writer.lines(model.evaluation);
  return writer.take();
}

std::string syntax_text(const syntax::SpecFile& spec) {
  Writer writer;
  writer.lines(spec.properties);
  return writer.take();
}

}  // namespace cohort::lang
