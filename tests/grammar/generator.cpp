// Idea.  Begin with the start rule and replace one nonterminal after the other, each time one that
// chance picks: so the budget is spent all over the sentence, not on its first half.  When it is
// spent, every nonterminal left takes the production of the lowest derivation.
//
// `? before "x" ?` binds the symbol after it: it must begin with x.  The demand is handed on to the
// first symbol of whatever replaces it; only productions that can meet it are taken.
#include "grammar/generator.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <iterator>
#include <list>
#include <optional>

namespace cohort::grammar_test {
namespace {

// A grammar's "any character" is drawn from these: signs that mean something somewhere, and some
// that take two, three and four bytes.
constexpr std::u32string_view any_characters = U"aZ_09 \t\n\"'\\/*#-+.;:,(){}[]<>=!&|?@é∀→𝔸";

constexpr std::size_t most_repetitions = 4;

}  // namespace

struct Generator::Part {
  Symbol symbol;
  std::optional<TokenKind> first = std::nullopt;  // the token that it must begin with
};

Generator::Generator(const Lexer& lexer, const Productions& productions, base::Random& random)
    : lexer_(lexer), productions_(productions), random_(random) {}

std::size_t Generator::below(std::size_t bound) {
  return static_cast<std::size_t>(random_.below(bound));
}

std::size_t Generator::choose_body(const Part& part, bool lowest) {
  const std::vector<Body>& bodies = productions_.bodies(part.symbol.index);
  std::vector<std::size_t> possible;
  std::size_t best = no_height;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::size_t height =
        part.first ? productions_.height(bodies[i], *part.first) : productions_.height(bodies[i]);
    if (height == no_height || (lowest && height > best)) continue;
    if (lowest && height < best) possible.clear();
    best = std::min(best, height);
    possible.push_back(i);
  }
  assert(!possible.empty());
  return possible[below(possible.size())];
}

Sentence Generator::derive(std::string_view start, std::size_t budget) {
  const Symbol first{.kind = Symbol::Kind::Nonterminal, .index = productions_.nonterminal(start)};
  std::list<Part> form{Part{.symbol = first}};
  std::vector<std::list<Part>::iterator> open{form.begin()};
  while (!open.empty()) {
    std::swap(open[below(open.size())], open.back());
    const auto place = open.back();
    open.pop_back();
    const std::vector<Body>& bodies = productions_.bodies(place->symbol.index);
    const Body& body = bodies[choose_body(*place, budget == 0)];
    if (bodies.size() > 1 && budget > 0) --budget;
    std::optional<TokenKind> demand = place->first;
    for (const Symbol& symbol : body) {
      if (symbol.kind == Symbol::Kind::Before) {
        demand = symbol.token();
        continue;
      }
      const auto added = form.insert(place, Part{.symbol = symbol, .first = demand});
      demand.reset();
      if (symbol.kind == Symbol::Kind::Nonterminal) open.push_back(added);
    }
    form.erase(place);
  }
  Sentence sentence;
  for (const Part& part : form) sentence.push_back(lexeme(part.symbol.token()));
  return sentence;
}

std::u32string Generator::lexeme(TokenKind kind) {
  const std::optional<std::size_t> rule = lexer_.rule(kind);
  if (!rule) return lexer_.terminal(kind);
  const Rule& definition = lexer_.grammar().rules[*rule];
  return definition.name == "name" ? name(definition.definition)
                                   : characters(definition.definition);
}

std::u32string Generator::any_lexeme() {
  const std::size_t kind = below(lexer_.num_kinds() + 1);
  if (kind < lexer_.num_kinds()) return lexeme(static_cast<TokenKind>(kind));
  if (lexer_.words().empty()) return U"x";
  return *std::next(lexer_.words().begin(),
                    static_cast<std::ptrdiff_t>(below(lexer_.words().size())));
}

/// A name that is no keyword, and now and then one that only just is none.
std::u32string Generator::name(const Node& rule) {
  const std::set<std::u32string>& words = lexer_.words();
  for (;;) {
    std::u32string text = characters(rule);
    if (!words.empty() && once_in(8)) {
      text.insert(0, *std::next(words.begin(), static_cast<std::ptrdiff_t>(below(words.size()))));
    }
    if (!words.contains(text) && lexer_.matches(rule, text)) return text;
  }
}

/// A text of a part of a token rule.  Token rules are not recursive, so neither can this be for
/// long.
std::u32string Generator::characters(const Node& node) {
  std::u32string text;
  switch (node.kind) {
    case Node::Kind::Alternatives:
      return characters(node.children[below(node.children.size())]);
    case Node::Kind::Sequence:
      for (const Node& child : node.children) text += characters(child);
      return text;
    case Node::Kind::Option:
      return once_in(2) ? characters(node.children[0]) : text;
    case Node::Kind::Repetition:
      for (std::size_t i = 0; i < most_repetitions && once_in(2); ++i) {
        text += characters(node.children[0]);
      }
      return text;
    case Node::Kind::Exception:
      do {
        text = characters(node.children[0]);
      } while (lexer_.matches(node.children[1], text));
      return text;
    case Node::Kind::Terminal:
      return node.text;
    case Node::Kind::Reference:
      return characters(lexer_.grammar().rules[node.rule].definition);
    case Node::Kind::Range:
      if (node.last == 0x10FFFF) return {any_characters[below(any_characters.size())]};
      return {node.first + static_cast<char32_t>(below(node.last - node.first + 1))};
    case Node::Kind::Before:
      break;
  }
  assert(false && "a token rule looks at tokens");
  return text;
}

std::u32string Generator::comment() {
  const std::optional<std::size_t> rule = lexer_.grammar().find("comment");
  return rule ? characters(lexer_.grammar().rules[*rule].definition) : U" ";
}

/// Something that may stand between two tokens, if they allow it.
std::u32string Generator::gap() {
  static constexpr std::array<std::u32string_view, 8> gaps = {U"",   U"",   U" ",   U" ",
                                                              U"  ", U"\n", U"\t ", U"\r\n"};
  if (!once_in(12)) return std::u32string{gaps[below(gaps.size())]};
  std::u32string text = gap() + comment();
  if (once_in(2)) text += U'\n';
  return text;
}

bool Generator::reads_as(const std::u32string& text, const Sentence& sentence) const {
  const std::optional<std::vector<Token>> tokens = lexer_.split(text);
  if (!tokens) return false;
  const auto same = [&](const Token& token, const std::u32string& expected) {
    return std::u32string_view{text}.substr(token.begin, token.end - token.begin) == expected;
  };
  return std::ranges::equal(*tokens, sentence, same);
}

std::u32string Generator::gap_between(const std::u32string& left, const std::u32string& right) {
  const auto separates_words = [&](const std::u32string& gap) {
    const auto is_word_character = [](char32_t c) {
      return (c >= U'0' && c <= U'9') || (c >= U'A' && c <= U'Z') || (c >= U'a' && c <= U'z') ||
             c == U'_';
    };
    return !gap.empty() || left.empty() || right.empty() || !is_word_character(left.back()) ||
           !is_word_character(right.front());
  };
  Sentence both;
  if (!left.empty()) both.push_back(left);
  if (!right.empty()) both.push_back(right);
  const std::u32string text = gap();
  return separates_words(text) && reads_as(left + text + right, both) ? text : U" ";
}

std::u32string Generator::write(const Sentence& sentence) {
  std::u32string text;
  std::u32string left;
  for (const std::u32string& right : sentence) {
    text += gap_between(left, right) + right;
    left = right;
  }
  text += gap_between(left, U"");
  if (reads_as(text, sentence)) return text;
  // Three tokens can fuse where two do not.
  text.clear();
  for (const std::u32string& token : sentence) text += token + U' ';
  return text;
}

}  // namespace cohort::grammar_test
