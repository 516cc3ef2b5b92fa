#include "grammar/ebnf.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <string>
#include <utility>

#include "grammar/utf8.hpp"

namespace cohort::grammar_test {
namespace {

// Deeper brackets in a right side are refused, so that walking over it may be recursive.
constexpr std::size_t deepest_nesting = 50;

struct Lexeme {
  enum class Kind { Name, Terminal, Special, Sign, TokensHeading, End };
  Kind kind;
  std::u32string text;
  std::size_t line;
};

bool is_letter(char32_t c) {
  return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') || c == U'_';
}
bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
bool is_blank(char32_t c) { return c == U' ' || c == U'\t' || c == U'\r' || c == U'\n'; }

std::u32string trimmed(std::u32string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return std::u32string{text};
}

/// Splits a grammar file.  Comments nest, as the standard has it; quotes in them mean nothing.
class Scanner {
 public:
  explicit Scanner(std::u32string text) : text_(std::move(text)) {}

  Lexeme next() {
    for (;;) {
      while (at_ < text_.size() && is_blank(text_[at_])) step();
      if (!looks_at(U"(*")) break;
      const std::size_t line = line_;
      const std::u32string comment = read_comment();
      if (trimmed(comment) == U"Tokens") return {Lexeme::Kind::TokensHeading, comment, line};
    }
    const std::size_t line = line_;
    if (at_ == text_.size()) return {Lexeme::Kind::End, U"", line};
    const char32_t c = text_[at_];
    if (is_letter(c)) {
      std::u32string name;
      while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) name += step();
      return {Lexeme::Kind::Name, name, line};
    }
    if (c == U'"' || c == U'\'') return {Lexeme::Kind::Terminal, read_until(c), line};
    if (c == U'?') return {Lexeme::Kind::Special, trimmed(read_special()), line};
    return {Lexeme::Kind::Sign, std::u32string(1, step()), line};
  }

 private:
  bool looks_at(std::u32string_view expected) const {
    return std::u32string_view{text_}.substr(at_, expected.size()) == expected;
  }

  char32_t step() {
    if (text_[at_] == U'\n') ++line_;
    return text_[at_++];
  }

  std::u32string read_comment() {
    std::u32string comment;
    std::size_t open = 0;
    while (at_ < text_.size()) {
      if (looks_at(U"(*")) ++open;
      const bool closes = looks_at(U"*)");
      if (looks_at(U"(*") || closes) {
        comment += step();
        comment += step();
        if (closes && --open == 0) break;
      } else {
        comment += step();
      }
    }
    if (comment.size() < 4) return U"";
    return comment.substr(2, comment.size() - 4);
  }

  std::u32string read_until(char32_t quote) {
    std::u32string text;
    step();
    while (at_ < text_.size() && text_[at_] != quote) text += step();
    if (at_ < text_.size()) step();
    return text;
  }

  // A question mark in quotes does not end a special sequence: ? before "?" ?
  std::u32string read_special() {
    std::u32string text;
    bool quoted = false;
    step();
    while (at_ < text_.size() && (quoted || text_[at_] != U'?')) {
      if (text_[at_] == U'"') quoted = !quoted;
      text += step();
    }
    if (at_ < text_.size()) step();
    return text;
  }

  std::u32string text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

std::optional<char32_t> read_code_point(const std::u32string& word) {
  if (word.size() == 1) return word[0];
  if (word.size() < 3 || word.substr(0, 2) != U"U+") return std::nullopt;
  std::uint32_t value = 0;
  for (const char32_t c : word.substr(2)) {
    if (is_digit(c)) {
      value = value * 16 + static_cast<std::uint32_t>(c - U'0');
    } else if (c >= U'A' && c <= U'F') {
      value = value * 16 + static_cast<std::uint32_t>(c - U'A') + 10;
    } else {
      return std::nullopt;
    }
    if (value > 0x10FFFFU) return std::nullopt;
  }
  return static_cast<char32_t>(value);
}

/// Reads what stands between question marks, if it is one of the forms we know.
std::optional<Node> read_special(const std::u32string& text) {
  if (text == U"any character")
    return Node{.kind = Node::Kind::Range, .first = 0, .last = 0x10FFFF};
  const std::u32string before = U"before \"";
  if (text.size() > before.size() + 1 && text.starts_with(before) && text.back() == U'"') {
    const std::size_t length = text.size() - before.size() - 1;
    return Node{.kind = Node::Kind::Before, .text = text.substr(before.size(), length)};
  }
  const std::size_t to = text.find(U" to ");
  if (to == std::u32string::npos) return std::nullopt;
  const std::optional<char32_t> first = read_code_point(trimmed(text.substr(0, to)));
  const std::optional<char32_t> last = read_code_point(trimmed(text.substr(to + 4)));
  if (!first || !last || *first > *last) return std::nullopt;
  return Node{.kind = Node::Kind::Range, .first = *first, .last = *last};
}

struct File {
  std::vector<Rule> rules;
  std::vector<Problem> problems;
};

/// A recursive-descent parser of grammar files.  After the first syntax error it reads no further.
class Parser {
 public:
  explicit Parser(const std::string& text) : scanner_(decode(text)), next_(scanner_.next()) {}

  File read() {
    bool of_tokens = false;
    while (next_.kind != Lexeme::Kind::End) {
      if (next_.kind == Lexeme::Kind::TokensHeading) {
        of_tokens = true;
        advance();
        continue;
      }
      const std::size_t line = next_.line;
      if (next_.kind != Lexeme::Kind::Name) {
        fail("expected the name of a rule");
        break;
      }
      std::string name = encode(advance().text);
      expect(U'=');
      Node definition = read_alternatives(0);
      expect(U';');
      if (failed_) break;
      file_.rules.push_back({.name = std::move(name),
                             .definition = std::move(definition),
                             .of_tokens = of_tokens,
                             .line = line});
    }
    return std::move(file_);
  }

 private:
  Lexeme advance() { return std::exchange(next_, scanner_.next()); }

  bool at_sign(char32_t sign) const {
    return next_.kind == Lexeme::Kind::Sign && next_.text[0] == sign;
  }

  void expect(char32_t sign) {
    if (at_sign(sign)) {
      advance();
    } else {
      fail("expected '" + encode(std::u32string(1, sign)) + "'");
    }
  }

  void fail(std::string message) {
    if (!failed_) file_.problems.push_back({.line = next_.line, .message = std::move(message)});
    failed_ = true;
  }

  Node read_alternatives(std::size_t depth) {
    if (depth > deepest_nesting) fail("brackets are nested too deeply");
    Node alternatives{.kind = Node::Kind::Alternatives};
    if (failed_) return alternatives;
    alternatives.children.push_back(read_sequence(depth));
    while (at_sign(U'|') && !failed_) {
      advance();
      alternatives.children.push_back(read_sequence(depth));
    }
    return alternatives.children.size() == 1 ? std::move(alternatives.children[0]) : alternatives;
  }

  Node read_sequence(std::size_t depth) {
    Node sequence{.kind = Node::Kind::Sequence};
    if (at_sign(U'|') || at_sign(U';') || at_sign(U')') || at_sign(U']') || at_sign(U'}')) {
      return sequence;
    }
    sequence.children.push_back(read_term(depth));
    while (at_sign(U',') && !failed_) {
      advance();
      sequence.children.push_back(read_term(depth));
    }
    return sequence.children.size() == 1 ? std::move(sequence.children[0]) : sequence;
  }

  Node read_term(std::size_t depth) {
    Node term = read_factor(depth);
    if (!at_sign(U'-')) return term;
    advance();
    Node exception{.kind = Node::Kind::Exception};
    exception.children.push_back(std::move(term));
    exception.children.push_back(read_factor(depth));
    return exception;
  }

  Node read_factor(std::size_t depth) {
    switch (next_.kind) {
      case Lexeme::Kind::Name:
        return {.kind = Node::Kind::Reference, .name = encode(advance().text)};
      case Lexeme::Kind::Terminal:
        if (next_.text.empty()) fail("an empty terminal");
        return {.kind = Node::Kind::Terminal, .text = advance().text};
      case Lexeme::Kind::Special: {
        std::optional<Node> special = read_special(next_.text);
        if (!special) fail("unknown special sequence '" + encode(next_.text) + "'");
        advance();
        return special.value_or(Node{});
      }
      default:
        break;
    }
    if (at_sign(U'(')) return read_bracket(std::nullopt, U')', depth);
    if (at_sign(U'[')) return read_bracket(Node::Kind::Option, U']', depth);
    if (at_sign(U'{')) return read_bracket(Node::Kind::Repetition, U'}', depth);
    fail("expected a name, a terminal or a bracket");
    return {};
  }

  Node read_bracket(std::optional<Node::Kind> kind, char32_t closing, std::size_t depth) {
    advance();
    Node content = read_alternatives(depth + 1);
    expect(closing);
    if (!kind) return content;
    Node node{.kind = *kind};
    node.children.push_back(std::move(content));
    return node;
  }

  Scanner scanner_;
  Lexeme next_;
  File file_;
  bool failed_ = false;
};

std::optional<std::size_t> find_in(const std::vector<Rule>& rules, std::string_view name,
                                   bool imported) {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].imported == imported && rules[i].name == name) return i;
  }
  return std::nullopt;
}

/// Looks for what is wrong with rules that can be read.
class Examiner {
 public:
  explicit Examiner(Grammar& grammar) : grammar_(grammar) {}

  std::vector<Problem> examine(const std::vector<std::string>& starts) {
    find_duplicates();
    for (Rule& rule : grammar_.rules) resolve(rule, rule.definition);
    for (const std::string& start : starts) {
      if (!find_in(grammar_.rules, start, false)) {
        problems_.push_back({.line = 1, .message = "no rule '" + start + "' to start with"});
      }
    }
    if (problems_.empty()) {
      find_mixtures();
      find_recursive_token_rules();
      find_unproductive();
      if (!starts.empty()) find_unreachable(starts);
    }
    std::ranges::stable_sort(problems_, {}, &Problem::line);
    return std::move(problems_);
  }

 private:
  void report(const Rule& rule, const std::string& what) {
    const std::string file = rule.imported ? " of the imported file" : "";
    problems_.push_back({.line = rule.line, .message = "rule '" + rule.name + "'" + file + what});
  }

  void find_duplicates() {
    for (std::size_t i = 0; i < grammar_.rules.size(); ++i) {
      const Rule& rule = grammar_.rules[i];
      if (find_in(grammar_.rules, rule.name, rule.imported) != i) report(rule, " is defined twice");
    }
  }

  void resolve(const Rule& rule, Node& node) {
    if (node.kind == Node::Kind::Reference) {
      std::optional<std::size_t> target = find_in(grammar_.rules, node.name, rule.imported);
      if (!target && !rule.imported) target = find_in(grammar_.rules, node.name, true);
      if (target) {
        node.rule = *target;
      } else {
        report(rule, " uses '" + node.name + "', which is not defined");
      }
    }
    for (Node& child : node.children) resolve(rule, child);
  }

  void find_mixtures() {
    for (const Rule& rule : grammar_.rules) {
      visit(rule.definition, [&](const Node& node) {
        const bool of_characters =
            node.kind == Node::Kind::Exception || node.kind == Node::Kind::Range;
        if (!rule.of_tokens && of_characters) report(rule, " is about characters, not tokens");
        if (rule.of_tokens && node.kind == Node::Kind::Before) report(rule, " looks at tokens");
        if (rule.of_tokens && node.kind == Node::Kind::Reference &&
            !grammar_.rules[node.rule].of_tokens) {
          report(rule, " uses '" + node.name + "', which is about tokens");
        }
        if (node.kind == Node::Kind::Sequence && !node.children.empty() &&
            node.children.back().kind == Node::Kind::Before) {
          report(rule, " ends with '? before ?'");
        }
      });
    }
  }

  bool refers_only_to(const Node& node, const std::vector<bool>& known) const {
    bool only = true;
    visit(node, [&](const Node& part) {
      if (part.kind == Node::Kind::Reference && !known[part.rule]) only = false;
    });
    return only;
  }

  void find_recursive_token_rules() {
    std::vector<bool> finite(grammar_.rules.size(), false);
    for (std::size_t round = 0; round < grammar_.rules.size(); ++round) {
      for (std::size_t i = 0; i < grammar_.rules.size(); ++i) {
        const Rule& rule = grammar_.rules[i];
        if (rule.of_tokens && refers_only_to(rule.definition, finite)) finite[i] = true;
      }
    }
    for (std::size_t i = 0; i < grammar_.rules.size(); ++i) {
      const Rule& rule = grammar_.rules[i];
      if (rule.of_tokens && !finite[i]) report(rule, " is a recursive token rule");
    }
  }

  static bool is_productive(const Node& node, const std::vector<bool>& known) {
    const auto productive = [&](const Node& child) { return is_productive(child, known); };
    switch (node.kind) {
      case Node::Kind::Alternatives:
        return std::ranges::any_of(node.children, productive);
      case Node::Kind::Sequence:
        return std::ranges::all_of(node.children, productive);
      case Node::Kind::Exception:
        return productive(node.children[0]);
      case Node::Kind::Reference:
        return known[node.rule];
      default:
        return true;
    }
  }

  void find_unproductive() {
    std::vector<bool> productive(grammar_.rules.size(), false);
    for (std::size_t round = 0; round < grammar_.rules.size(); ++round) {
      for (std::size_t i = 0; i < grammar_.rules.size(); ++i) {
        if (is_productive(grammar_.rules[i].definition, productive)) productive[i] = true;
      }
    }
    for (std::size_t i = 0; i < grammar_.rules.size(); ++i) {
      if (!productive[i]) report(grammar_.rules[i], " derives no finite text");
    }
  }

  void find_unreachable(const std::vector<std::string>& starts) {
    std::vector<bool> reached(grammar_.rules.size(), false);
    std::vector<std::size_t> open;
    const auto reach = [&](std::size_t rule) {
      if (!reached[rule]) open.push_back(rule);
      reached[rule] = true;
    };
    for (std::size_t i = 0; i < grammar_.rules.size(); ++i) {
      const std::string& name = grammar_.rules[i].name;
      const bool starts_here = std::ranges::find(starts, name) != starts.end();
      if (starts_here || name == "comment" || name == "keyword") reach(i);
    }
    while (!open.empty()) {
      const Node& definition = grammar_.rules[open.back()].definition;
      open.pop_back();
      visit(definition, [&](const Node& node) {
        if (node.kind == Node::Kind::Reference) reach(node.rule);
      });
    }
    for (std::size_t i = 0; i < grammar_.rules.size(); ++i) {
      const Rule& rule = grammar_.rules[i];
      if (!reached[i] && !rule.imported) report(rule, " is used nowhere");
    }
  }

  Grammar& grammar_;
  std::vector<Problem> problems_;
};

}  // namespace

void visit(const Node& node, const std::function<void(const Node&)>& action) {
  action(node);
  for (const Node& child : node.children) visit(child, action);
}

std::optional<std::size_t> Grammar::find(std::string_view name) const {
  const std::optional<std::size_t> own = find_in(rules, name, false);
  return own ? own : find_in(rules, name, true);
}

Reading read_grammar(const GrammarText& source) {
  Reading reading;
  File own = Parser{source.text}.read();
  File imported = Parser{source.imported}.read();
  reading.problems = std::move(own.problems);
  for (Problem& problem : imported.problems) {
    problem.message += " (in the imported file)";
    reading.problems.push_back(std::move(problem));
  }
  reading.grammar.rules = std::move(own.rules);
  for (Rule& rule : imported.rules) {
    rule.imported = true;
    reading.grammar.rules.push_back(std::move(rule));
  }
  if (reading.problems.empty()) {
    reading.problems = Examiner{reading.grammar}.examine(source.starts);
  }
  return reading;
}

}  // namespace cohort::grammar_test
