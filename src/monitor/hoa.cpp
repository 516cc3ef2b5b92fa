// Writing automata.
#include "monitor/hoa.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace cohort::monitor {
namespace {

using ltl::Automaton;
using ltl::Cube;
using ltl::Decision;
using ltl::Decisions;
using ltl::Literal;

[[nodiscard]] std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

/// `0&!1 | 2`, by names that `name` gives to atoms.
template <typename Name>
[[nodiscard]] std::string sum_of_products(Decisions& letters, Decision letter, const Name& name) {
  if (letter == Decision::True) return "t";
  if (letter == Decision::False) return "f";
  std::string out;
  for (const Cube& cube : letters.cubes(letter)) {
    if (!out.empty()) out += " | ";
    for (std::size_t i = 0; i < cube.size(); ++i) {
      if (i > 0) out += '&';
      if (!cube[i].positive) out += '!';
      out += name(cube[i].variable);
    }
  }
  return out;
}

}  // namespace

std::string to_hoa(const Automaton& given) {
  Automaton automaton = given;  // products are made in the store
  const bool finite = automaton.acceptance == ltl::Acceptance::Finite;
  std::string out = "HOA: v1\n";
  const auto line = std::back_inserter(out);
  if (!automaton.name.empty()) fmt::format_to(line, "name: {}\n", quoted(automaton.name));
  fmt::format_to(line, "States: {}\n", automaton.num_states());
  for (const ltl::StateIndex s : automaton.initial) fmt::format_to(line, "Start: {}\n", s);
  fmt::format_to(line, "AP: {}", automaton.atoms.size());
  for (const std::string& atom : automaton.atoms) fmt::format_to(line, " {}", quoted(atom));
  fmt::format_to(line, "\nacc-name: Buchi\nAcceptance: 1 Inf(0)\ntool: \"cohort\"\n");
  fmt::format_to(line, "properties: trans-labels explicit-labels state-acc{}{}{}\n",
                 automaton.is_deterministic() ? " deterministic" : "",
                 automaton.is_complete() ? " complete" : "", finite ? " finite-words" : "");
  out += "--BODY--\n";
  for (std::size_t s = 0; s < automaton.num_states(); ++s) {
    const ltl::AutomatonState& state = automaton.states[s];
    fmt::format_to(line, "State: {}", s);
    if (!state.name.empty()) fmt::format_to(line, " {}", quoted(state.name));
    out += state.accepting ? " {0}\n" : "\n";
    for (const ltl::Edge& edge : state.edges) {
      const std::string label = sum_of_products(automaton.letters, edge.letter,
                                                [](ltl::Variable v) { return std::to_string(v); });
      fmt::format_to(line, "[{}] {}\n", label, edge.target);
    }
  }
  return out + "--END--\n";
}

std::string to_dot(const Automaton& given) {
  Automaton automaton = given;
  std::string out = "digraph automaton {\n  rankdir=LR;\n";
  const auto line = std::back_inserter(out);
  if (!automaton.name.empty()) fmt::format_to(line, "  label={};\n", quoted(automaton.name));
  out += "  node [shape=circle];\n";
  for (std::size_t i = 0; i < automaton.initial.size(); ++i) {
    fmt::format_to(line, "  start{} [shape=point, style=invis];\n", i);
  }
  for (std::size_t s = 0; s < automaton.num_states(); ++s) {
    const ltl::AutomatonState& state = automaton.states[s];
    fmt::format_to(line, "  {} [label={}{}];\n", s,
                   quoted(state.name.empty() ? std::to_string(s) : state.name),
                   state.accepting ? ", shape=doublecircle" : "");
  }
  for (std::size_t i = 0; i < automaton.initial.size(); ++i) {
    fmt::format_to(line, "  start{} -> {};\n", i, automaton.initial[i]);
  }
  const auto name = [&](ltl::Variable v) {
    const std::string& atom = automaton.atoms[v];
    const bool word = std::ranges::all_of(atom, [](char c) {
      return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_';
    });
    return word ? atom : "(" + atom + ")";
  };
  for (std::size_t s = 0; s < automaton.num_states(); ++s) {
    for (const ltl::Edge& edge : automaton.states[s].edges) {
      const std::string label = edge.letter == Decision::True
                                    ? "true"
                                    : sum_of_products(automaton.letters, edge.letter, name);
      fmt::format_to(line, "  {} -> {} [label={}];\n", s, edge.target, quoted(label));
    }
  }
  return out + "}\n";
}

}  // namespace cohort::monitor
