// Reads the grammar files of `grammar/`: the part of ISO/IEC 14977 that their heads describe.
//
//   const Reading reading = read_grammar({.text = text, .starts = {"spec_file", "formula"}});
//   assert(reading.problems.empty());
//   const Rule& rule = reading.grammar.rules[*reading.grammar.find("formula")];
//
// A file has two parts.  Rules before the comment that says just `Tokens` are about tokens, rules
// after it about characters; the latter are called token rules here.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cohort::grammar_test {

/// The right side of a rule, or a part of one.  A group is its content.
struct Node {
  enum class Kind {
    Alternatives,  ///< one of the children
    Sequence,      ///< all children, in order; without children: nothing
    Option,        ///< the child or nothing
    Repetition,    ///< the child any number of times
    Exception,     ///< the first child, unless the second is the same text
    Terminal,      ///< the characters of `text`
    Reference,     ///< the rule called `name`
    Range,         ///< one character from `first` to `last`
    Before         ///< nothing, and only where `text` is the next token
  };

  Kind kind = Kind::Sequence;
  std::vector<Node> children = {};
  std::u32string text = {};
  std::string name = {};
  std::size_t rule = 0;  ///< Reference: index in `Grammar::rules`, once the grammar has no problem
  char32_t first = 0;
  char32_t last = 0;
};

/// Calls `action` for a node and all below it.
void visit(const Node& node, const std::function<void(const Node&)>& action);

struct Rule {
  std::string name;
  Node definition;
  bool of_tokens = false;  ///< stands after the heading `Tokens`
  bool imported = false;   ///< comes from the second file
  std::size_t line = 0;
};

struct Grammar {
  std::vector<Rule> rules;

  /// The rule of this name, from the first file if that has one.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
};

/// A finding about a grammar, with the line it is about.
struct Problem {
  std::size_t line;
  std::string message;
};

struct GrammarText {
  std::string text;
  /// Rules that need no other rule to use them.  None: unused rules are no problem.
  std::vector<std::string> starts = {};
  /// A second file, or nothing.  Its rules see each other only; the first file's rules use them for
  /// names that the first file does not define.
  std::string imported = {};
};

struct Reading {
  Grammar grammar;                ///< to be used only if there is no problem
  std::vector<Problem> problems;  ///< in the order of the text
};

/// Reads and examines a grammar: syntax, undefined and duplicate rules, rules that derive no finite
/// text, rules that no start reaches, and mixtures of the two parts that make no sense.
[[nodiscard]] Reading read_grammar(const GrammarText& source);

}  // namespace cohort::grammar_test
