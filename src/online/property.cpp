// Names and types of LTL formulas.
//
// Idea.  Everything that an atom can be is a formula of the language already, so the language's own
// resolver does the work.  The atoms are collected, in the order of the text, into one conjunction
// inside the quantifiers that stand around them; that is resolved as a property, which finds free
// variables, their modules and all mistakes; then the formula is lowered with the resolved atoms
// taken from there in the same order.
#include "online/property.hpp"

#include <algorithm>
#include <set>

#include "lang/one_line.hpp"
#include "lang/resolve.hpp"
#include "ltl/lower.hpp"
#include "ltl/parse.hpp"
#include "monitor/hoa.hpp"
#include "online/goals.hpp"
#include "online/translate.hpp"

namespace cohort::online {
namespace {

namespace written = ltl::syntax;
namespace wanted = lang::syntax;
using base::Diagnostics;
using lang::Op;
using WrittenKind = written::ExprKind;
using WantedKind = wanted::ExprKind;

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

class Reader {
 public:
  Reader(lang::Loaded& loaded, const Settings& settings)
      : loaded_(loaded), settings_(settings), model_is_right_(is_right(loaded)) {
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
    as_written.name = {request.name, tree.where};
    const lang::PropertyContext context{loaded_.program, input.source, {}, values_, {}};
    lang::Formula resolved =
        std::move(lang::resolve_properties({as_written}, context, input.diagnostics).front());
    if (input.diagnostics.has_errors()) return std::nullopt;
    property.labels = translator.labels();
    forget_modules(resolved.root, property);
    const bool about_actions = settings_.view == View::Actions || !property.labels.empty();
    const Resolved from{loaded_.program, resolved, translator, about_actions};
    if (property.automaton) {
      add_automaton_goal(property.automaton->atoms.size(), from, property, input.diagnostics);
    } else {
      add_goals(tree, from, property, input.diagnostics);
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
  /// Mistakes in other formulas are no reason to leave out those in this one.
  [[nodiscard]] static bool is_right(const lang::Loaded& loaded) {
    return !loaded.inputs.empty() && !loaded.inputs.front()->diagnostics.has_errors();
  }

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
