#include "trace/sequential/property.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ltl/finite_word.hpp"
#include "ltl/parse.hpp"
#include "monitor/hoa.hpp"
#include "trace/event_atoms.hpp"
#include "trace/sequential/determinize.hpp"
#include "trace/sequential/overlap.hpp"

namespace cohort::trace::sequential {
namespace {

constexpr std::size_t most_states = 20'000;

/// A formula without temporal operators as a decision over its atoms.
[[nodiscard]] ltl::Decision decision_of(ltl::Formula f, const ltl::Formulas& formulas,
                                        ltl::Decisions& decisions) {
  ltl::Decision made = decisions.constant(formulas.op(f) != ltl::Operator::Or);
  switch (formulas.op(f)) {
    case ltl::Operator::Atom:
      return decisions.variable(static_cast<ltl::Variable>(formulas.atom_of(f)));
    case ltl::Operator::Not:
      return decisions.negation(decision_of(formulas.last(f), formulas, decisions));
    case ltl::Operator::And:
      for (const ltl::Formula g : formulas.operands(f)) {
        made = decisions.conjunction(made, decision_of(g, formulas, decisions));
      }
      return made;
    case ltl::Operator::Or:
      for (const ltl::Formula g : formulas.operands(f)) {
        made = decisions.disjunction(made, decision_of(g, formulas, decisions));
      }
      return made;
    default:
      return decisions.constant(formulas.op(f) == ltl::Operator::True);
  }
}

/// `f` with every variable v replaced by the decision meanings[v].
[[nodiscard]] ltl::Decision substitute(ltl::Decisions& decisions, ltl::Decision f,
                                       const std::vector<ltl::Decision>& meanings) {
  if (ltl::Decisions::is_constant(f)) return f;
  const ltl::Decision high = substitute(decisions, decisions.high(f), meanings);
  const ltl::Decision low = substitute(decisions, decisions.low(f), meanings);
  return decisions.if_then_else(meanings[decisions.top(f)], high, low);
}

/// Two guards that no line triggers at once may still have letters in common, such as that in which
/// both `x = 1` and `x = 2` hold.  The first edge gets those.
void separate_letters(ltl::Automaton& automaton) {
  ltl::Decisions& letters = automaton.letters;
  for (ltl::AutomatonState& state : automaton.states) {
    ltl::Decision taken = ltl::Decision::False;
    for (ltl::Edge& edge : state.edges) {
      edge.letter = letters.difference(edge.letter, taken);
      taken = letters.disjunction(taken, edge.letter);
    }
    std::erase_if(state.edges,
                  [](const ltl::Edge& edge) { return edge.letter == ltl::Decision::False; });
  }
}

}  // namespace

Property::Property(Kind kind, std::string name, base::Source source)
    : kind_(kind),
      name_(std::move(name)),
      source_(std::make_unique<base::Source>(std::move(source))),
      diagnostics_(std::make_unique<base::Diagnostics>()),
      formulas_(std::make_unique<ltl::Formulas>()) {
  text_ = kind == Kind::Ltl ? std::string{source_->text()} : source_->name();
}

Property Property::from_ltl(Atoms& atoms, std::size_t number, const std::string& name,
                            const std::string& formula, Extension extension,
                            base::Limits* limits_of_run) {
  Property property{Kind::Ltl, name, base::Source::from_text(name, formula)};
  base::Diagnostics& diagnostics = *property.diagnostics_;
  const ltl::syntax::Expr tree = ltl::parse_formula(*property.source_, diagnostics);
  if (!property.ok()) return property;
  ltl::Formulas& formulas = *property.formulas_;
  AtomReader reader{atoms, number, diagnostics};
  property.formula_ = ltl::lower(tree, formulas, reader, diagnostics);
  property.own_ = reader.own();
  if (!property.ok()) return property;
  property.value_checks_.add_formula(tree, atoms);
  ltl::TranslationLimits limits;
  limits.limits = limits_of_run;
  std::optional<ltl::Automaton> automaton =
      extension == Extension::Loop
          ? ltl::repeating_automaton(formulas, property.formula_, reader.names(), limits)
          : ltl::finite_automaton(formulas, property.formula_, reader.names(), limits);
  if (automaton) property.compiled_ = std::make_unique<monitor::Compiled>(std::move(*automaton));
  return property;
}

Property Property::from_monitor(Atoms& atoms, std::size_t number, base::Source source) {
  std::string path = source.name();
  Property property{Kind::Monitor, std::move(path), std::move(source)};
  base::Diagnostics& diagnostics = *property.diagnostics_;
  const monitor::MonitorFile file = monitor::parse_monitor(*property.source_, diagnostics);
  if (!property.ok()) return property;
  property.name_ = file.name.text;
  monitor::Monitor made = monitor::automaton_of(file, monitor::Trigger::OnAssignment);
  AtomReader reader{atoms, number, diagnostics};
  // Atoms that are constants disappear from the letters; the others get the reader's numbers.
  std::vector<ltl::Decision> meanings;
  ltl::Decisions& letters = made.automaton.letters;
  const auto meaning_of = [&](std::optional<std::uint32_t> atom, bool truth) {
    if (!atom) return letters.constant(truth);
    const auto known = std::ranges::find(property.own_, *atom);
    const auto place = static_cast<ltl::Variable>(known - property.own_.begin());
    if (known == property.own_.end()) property.own_.push_back(*atom);
    return letters.variable(place);
  };
  for (const monitor::MonitorAtom& atom : made.atoms) {
    bool truth = true;
    if (atom.kind == monitor::MonitorAtom::Kind::Comparison) {
      const auto found = reader.comparison(*atom.expr, truth);
      meanings.push_back(meaning_of(found, truth));
    } else {
      meanings.push_back(meaning_of(reader.assigns(*atom.expr), true));
    }
  }
  if (!property.ok()) return property;
  for (const monitor::Transition& transition : file.transitions) {
    property.value_checks_.add_guard(transition.guard, atoms);
  }
  for (ltl::AutomatonState& state : made.automaton.states) {
    std::vector<ltl::Edge> edges = std::move(state.edges);
    state.edges.clear();
    for (ltl::Edge& edge : edges) {
      edge.letter = substitute(letters, edge.letter, meanings);
      if (edge.letter != ltl::Decision::False) state.edges.push_back(edge);
    }
  }
  for (monitor::Monitor::Move& move : made.moves) {
    move.letter = substitute(letters, move.letter, meanings);
  }
  made.automaton.atoms.clear();
  for (const std::uint32_t atom : property.own_) made.automaton.atoms.push_back(atoms[atom].name);
  property.read_counters(file, made, reader);
  if (property.ok()) property.finish_bad(std::move(made.automaton));
  return property;
}

void Property::read_counters(const monitor::MonitorFile& file, monitor::Monitor& made,
                             AtomReader& reader) {
  for (const monitor::Counter& counter : file.counters) {
    counters_.names.emplace_back(counter.name.text);
    std::string& digits = counters_.texts.emplace_back();
    const std::string text = (counter.negative ? "-" : "") + std::string{counter.value};
    (void)parse_number(text, digits);
  }
  // Views into the texts: only now that those stay where they are.
  for (std::size_t i = 0; i < file.counters.size(); ++i) {
    const monitor::Counter& counter = file.counters[i];
    const std::string text = (counter.negative ? "-" : "") + std::string{counter.value};
    counters_.initial.push_back(*parse_number(text, counters_.texts[i]));
  }
  if (counters_.names.empty()) return;
  ltl::Decisions& letters = made.automaton.letters;
  if (made.automaton.initial.size() > 1) {
    diagnostics_->error(file.initial.back().where,
                        "a statistical automaton with two initial states",
                        "it must be deterministic, or it would count twice");
  }
  for (std::size_t i = 0; i < made.moves.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (made.moves[i].from != made.moves[j].from) continue;
      const ltl::Decision both = letters.conjunction(made.moves[i].letter, made.moves[j].letter);
      if (!satisfiable(letters, both, own_, reader.atoms())) continue;
      diagnostics_->error(file.transitions[i].guard.where,
                          fmt::format("two transitions of the state '{}' can be triggered at once",
                                      file.transitions[i].from.text),
                          "an automaton with counters must be deterministic, or it would count "
                          "twice");
    }
  }
  const ResolveVariable resolve =
      [&](const ltl::syntax::Expr& variable) -> std::optional<VariableId> {
    const auto known = std::ranges::find(counters_.names, variable.text);
    if (known != counters_.names.end() && variable.args.empty() &&
        variable.history == ltl::syntax::History{}) {
      return VariableId{Counters::first_counter +
                        static_cast<std::uint32_t>(known - counters_.names.begin())};
    }
    const auto slot = reader.slot(variable);
    if (!slot) return std::nullopt;
    if (std::ranges::find(counters_.slots, *slot) == counters_.slots.end()) {
      counters_.slots.push_back(*slot);
    }
    return VariableId{*slot};
  };
  for (std::size_t i = 0; i < made.moves.size(); ++i) {
    const monitor::Transition& transition = file.transitions[i];
    if (transition.updates.empty()) continue;
    CounterMove move;
    move.from = made.moves[i].from;
    move.letter = made.moves[i].letter;
    for (const monitor::Update& update : transition.updates) {
      CounterUpdate made_update;
      made_update.counter = static_cast<std::uint32_t>(
          std::ranges::find(counters_.names, update.counter.text) - counters_.names.begin());
      if (!add_term(update.value, made_update.value, resolve, *diagnostics_)) continue;
      if (made_update.value.is_text() || made_update.value.computes_with_text()) {
        diagnostics_->error(update.value.where, "a counter is a number");
        continue;
      }
      move.updates.push_back(std::move(made_update));
    }
    counters_.moves.push_back(std::move(move));
  }
  letters_ = std::make_unique<ltl::Decisions>(letters);
}

Property Property::from_automaton(Atoms& atoms, std::size_t number, base::Source source,
                                  Extension extension) {
  std::string path = source.name();
  Property property{Kind::Automaton, path, std::move(source)};
  base::Diagnostics& diagnostics = *property.diagnostics_;
  std::optional<ltl::Automaton> automaton = monitor::read_hoa(*property.source_, diagnostics);
  if (!automaton || !property.ok()) return property;
  if (!automaton->name.empty()) property.name_ = automaton->name;
  if (extension == Extension::None) {
    // As on partial orders: an automaton for infinite words is read as one that ends in such a
    // state.
    automaton->acceptance = ltl::Acceptance::Finite;
  } else if (automaton->acceptance == ltl::Acceptance::Finite) {
    diagnostics.error({}, "the automaton accepts finite words, the trace is extended",
                      "leave --extend loop out");
    return property;
  }
  std::vector<ltl::Decision> meanings;
  AtomReader reader{atoms, number, diagnostics};
  ltl::Formulas& formulas = *property.formulas_;
  for (const std::string& text : automaton->atoms) {
    // The findings about an atom's name are shown with the name, for the file has its own syntax.
    const base::Source atom_source = base::Source::from_text("atom", text);
    base::Diagnostics found;
    AtomReader trial{atoms, number, found};
    const ltl::syntax::Expr tree = ltl::parse_formula(atom_source, found);
    if (!found.has_errors()) (void)ltl::lower(tree, formulas, trial, found);
    for (const base::Diagnostic& diagnostic : found.sorted()) {
      diagnostics.error({}, fmt::format("atom '{}': {}", text, diagnostic.message),
                        diagnostic.hint);
    }
    if (found.has_errors()) continue;
    const ltl::Formula condition = ltl::lower(tree, formulas, reader, diagnostics);
    if (!formulas.is_boolean(condition)) {
      diagnostics.error({}, fmt::format("atom '{}' has a temporal operator", text));
      continue;
    }
    property.value_checks_.add_formula(tree, atoms);
    meanings.push_back(decision_of(condition, formulas, automaton->letters));
  }
  property.own_ = reader.own();
  if (!property.ok()) return property;
  for (ltl::AutomatonState& state : automaton->states) {
    std::vector<ltl::Edge> edges = std::move(state.edges);
    state.edges.clear();
    for (ltl::Edge& edge : edges) {
      edge.letter = substitute(automaton->letters, edge.letter, meanings);
      if (edge.letter != ltl::Decision::False) state.edges.push_back(edge);
    }
  }
  automaton->atoms = reader.names();
  if (extension == Extension::Loop) {
    property.finish_loop(std::move(*automaton));
  } else {
    property.finish_bad(std::move(*automaton));
  }
  return property;
}

void Property::finish_bad(ltl::Automaton automaton) {
  // Counters follow the states of the file, so those of a monitor with counters stay as they are.
  if (has_counters()) {
    separate_letters(automaton);
    ltl::Automaton good = ltl::complement(std::move(automaton));
    compiled_ = std::make_unique<monitor::Compiled>(std::move(good));
    return;
  }
  std::optional<Determinized> made = determinize(std::move(automaton), most_states);
  if (!made) return;
  compiled_ = std::make_unique<monitor::Compiled>(
      ltl::minimal(ltl::complement(std::move(made->automaton))));
}

void Property::finish_loop(ltl::Automaton automaton) {
  std::optional<Determinized> made = determinize(automaton, most_states);
  if (!made) return;
  loop_ = std::make_unique<LoopEnd>();
  loop_->automaton = std::make_unique<monitor::Compiled>(std::move(automaton));
  loop_->subsets = std::move(made->subsets);
  compiled_ = std::make_unique<monitor::Compiled>(std::move(made->automaton));
}

bool Property::settled(StateIndex state) const {
  if (!loop_) return compiled_->settled(state);
  return state == compiled_->dead() || loop_->subsets[state].empty();
}

bool Property::good(StateIndex state, const std::uint64_t* bits) const {
  if (!loop_) return compiled_->accepting(state);
  if (settled(state)) return true;
  // The states that the last letter leads to, and among them an accepting one on a cycle.
  const monitor::Compiled& automaton = *loop_->automaton;
  const auto reach = [&](std::vector<StateIndex> from) {
    std::vector<std::uint8_t> reached(automaton.num_states(), 0);
    for (const StateIndex q : from) reached[q] = 1;
    while (!from.empty()) {
      const StateIndex q = from.back();
      from.pop_back();
      for (const StateIndex next : automaton.next(q, bits)) {
        if (reached[next] != 0) continue;
        reached[next] = 1;
        from.push_back(next);
      }
    }
    return reached;
  };
  const std::vector<std::uint8_t> reached = reach(loop_->subsets[state]);
  for (StateIndex q = 0; q < reached.size(); ++q) {
    if (reached[q] == 0 || !automaton.accepting(q)) continue;
    const auto next = automaton.next(q, bits);
    if (reach({next.begin(), next.end()})[q] != 0) return false;
  }
  return true;
}

}  // namespace cohort::trace::sequential
