// LTL properties of a model: from text to formulas whose atoms are resolved.
//
//   lang::Loaded loaded = lang::load(request);
//   std::vector<Property> properties =
//       load_properties(loaded, {{.name = "ltl1", .text = "G(ask -> F grant)"}}, {});
//   if (!loaded.ok()) …                       // findings stand with the others, in `loaded`
//
// An atom is a state formula of the language (a condition on one state, `enabled`, `deadlock`,
// COUNT, quantifiers inside) or a label, `grant(c, k)`, `grant`; the view says which.  Quantifiers
// with temporal operators in their scope stand outside all temporal operators, and are about the
// word: a word satisfies `exists i in M . φ` if it satisfies φ for some process.  Outermost
// `forall`s stay variables, whose processes a search can choose one after the other, or up to
// symmetry; others are spelled out.
//
// Knows the language and LTL, no graph and no search: the judge of evidence reads properties with
// it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lang/load.hpp"
#include "lang/program.hpp"
#include "ltl/automaton.hpp"
#include "ltl/formula.hpp"

namespace cohort::online {

/// What a position of a word is: a state, or the instance that is fired.
enum class View : std::uint8_t { States, Actions };

struct Request {
  std::string name;
  std::string text;  ///< the formula, or the text of an automaton in HOA
  bool is_automaton = false;
  std::string file;  ///< of the automaton, as the user named it
};

struct Settings {
  std::optional<View> view;  ///< none: actions if a label occurs, else states
  bool finite = false;       ///< every prefix of every run, as a finite word
  bool fair = false;         ///< weakly fair paths only
};

/// A formula without quantifiers over words, for processes that are known or still to be chosen.
/// Property::Goals are conjuncts: a property holds when all of them do.
struct Goal {
  std::vector<lang::Slot> slots;
  /// By slot: the process of a free variable or a literal; none for the variables of `foralls` and
  /// for those that are bound inside an atom.
  std::vector<std::optional<std::int64_t>> values;
  std::vector<lang::Binder> foralls;  ///< from the outside in
  std::vector<lang::Expr> atoms;      ///< by ltl::Atom
  std::vector<std::string> atom_names;
  ltl::Formula formula{};  ///< of Property::formulas; true for an automaton

  /// The slots that the atoms name and do not bind, ascending.
  [[nodiscard]] std::vector<std::uint32_t> tracked() const;
};

struct Property {
  /// Name, text, free variables, for reports; no root.
  lang::Formula formula;
  View view = View::States;
  bool finite = false;
  bool fair = false;
  std::unique_ptr<ltl::Formulas> formulas;
  std::vector<Goal> goals;
  /// In place of a formula: it accepts the *bad* words, as on traces.  Its atoms are the only
  /// goal's.
  std::optional<ltl::Automaton> automaton;
  std::string automaton_text;

  /// The schema whose label stands at this place; its processes are the slots of the comparisons in
  /// `expr`.  None: an ordinary expression.
  [[nodiscard]] std::optional<base::SchemaId> label(const lang::Expr& expr) const;
  /// The slots of a label's processes; empty: any processes.
  [[nodiscard]] static std::vector<std::uint32_t> label_slots(const lang::Expr& label);

  std::map<std::pair<std::uint32_t, std::uint32_t>, base::SchemaId> labels;  ///< by place
};

/// Reads properties.  What is wrong with them is added to `loaded`; those with errors are left out.
[[nodiscard]] std::vector<Property> load_properties(lang::Loaded& loaded,
                                                    const std::vector<Request>& requests,
                                                    const Settings& settings);

/// More processes than this for the quantifiers that are spelled out are refused.
constexpr std::size_t most_spelled_out = 4096;

}  // namespace cohort::online
