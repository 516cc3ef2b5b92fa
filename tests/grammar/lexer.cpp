// Token rules are matched by sets of places: for a part of a rule and the places where it may
// begin, the places where it may end.  That gives the exception `a - b` its meaning without tricks,
// for both sides are about the same piece of text: the ends of a from one place without the ends of
// b from it.
//
// Cost.  Linear in the text for each rule, except where an exception is asked at many places at
// once; in our grammars those are about one character.
#include "grammar/lexer.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace cohort::grammar_test {
namespace {

bool is_blank(char32_t c) { return c == U' ' || c == U'\t' || c == U'\r' || c == U'\n'; }

bool is_word_character(char32_t c) {
  return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') || (c >= U'0' && c <= U'9') ||
         c == U'_';
}

bool is_word(const std::u32string& text) {
  return !text.empty() && std::ranges::all_of(text, is_word_character);
}

}  // namespace

bool Token::is(TokenKind kind) const { return std::ranges::find(kinds, kind) != kinds.end(); }

Lexer::Lexer(Grammar grammar) : grammar_(std::move(grammar)) {
  collect_kinds();
  collect_words();
  for (std::size_t i = 0; i < grammar_.rules.size(); ++i) {
    if (grammar_.rules[i].of_tokens && grammar_.rules[i].name == "comment") comments_.push_back(i);
  }
}

void Lexer::collect_kinds() {
  for (const Rule& rule : grammar_.rules) {
    if (rule.of_tokens) continue;
    visit(rule.definition, [&](const Node& node) {
      const auto next = static_cast<TokenKind>(kinds_.size());
      if (node.kind == Node::Kind::Terminal || node.kind == Node::Kind::Before) {
        if (terminals_.emplace(node.text, next).second) {
          kinds_.push_back({.terminal = node.text, .rule = std::nullopt});
        }
      }
      if (node.kind == Node::Kind::Reference && grammar_.rules[node.rule].of_tokens) {
        if (rules_.emplace(node.rule, next).second) {
          kinds_.push_back({.terminal = {}, .rule = node.rule});
        }
      }
    });
  }
}

void Lexer::collect_words() {
  for (const auto& [text, kind] : terminals_) {
    if (is_word(text)) words_.insert(text);
  }
  for (const Rule& rule : grammar_.rules) {
    if (rule.name != "keyword") continue;
    visit(rule.definition, [&](const Node& node) {
      if (node.kind == Node::Kind::Terminal) words_.insert(node.text);
    });
  }
}

TokenKind Lexer::kind_of_terminal(const std::u32string& text) const {
  assert(terminals_.contains(text));
  return terminals_.at(text);
}

TokenKind Lexer::kind_of_rule(std::size_t rule) const {
  assert(rules_.contains(rule));
  return rules_.at(rule);
}

const std::u32string& Lexer::terminal(TokenKind kind) const {
  return kinds_[static_cast<std::size_t>(kind)].terminal;
}

std::optional<std::size_t> Lexer::rule(TokenKind kind) const {
  return kinds_[static_cast<std::size_t>(kind)].rule;
}

Lexer::Ends Lexer::ends(const Node& node, std::u32string_view text, const Ends& begins) const {
  Ends result;
  switch (node.kind) {
    case Node::Kind::Alternatives:
      for (const Node& child : node.children) {
        Ends merged;
        std::ranges::set_union(result, ends(child, text, begins), std::back_inserter(merged));
        result = std::move(merged);
      }
      return result;
    case Node::Kind::Sequence:
      result = begins;
      for (const Node& child : node.children) {
        if (!result.empty()) result = ends(child, text, result);
      }
      return result;
    case Node::Kind::Option:
      std::ranges::set_union(begins, ends(node.children[0], text, begins),
                             std::back_inserter(result));
      return result;
    case Node::Kind::Repetition:
      return repetition_ends(node.children[0], text, begins);
    case Node::Kind::Exception: {
      std::set<std::size_t> found;
      for (const std::size_t begin : begins) {
        const Ends wanted = ends(node.children[0], text, {begin});
        if (wanted.empty()) continue;
        std::ranges::set_difference(wanted, ends(node.children[1], text, {begin}),
                                    std::inserter(found, found.end()));
      }
      return {found.begin(), found.end()};
    }
    case Node::Kind::Terminal:
      for (const std::size_t begin : begins) {
        if (text.substr(begin).starts_with(node.text)) result.push_back(begin + node.text.size());
      }
      return result;
    case Node::Kind::Reference:
      return ends(grammar_.rules[node.rule].definition, text, begins);
    case Node::Kind::Range:
      for (const std::size_t begin : begins) {
        if (begin < text.size() && text[begin] >= node.first && text[begin] <= node.last) {
          result.push_back(begin + 1);
        }
      }
      return result;
    case Node::Kind::Before:
      break;
  }
  assert(false && "a token rule looks at tokens");
  return {};
}

Lexer::Ends Lexer::repetition_ends(const Node& node, std::u32string_view text, Ends begins) const {
  std::set<std::size_t> reached{begins.begin(), begins.end()};
  while (!begins.empty()) {
    Ends fresh;
    for (const std::size_t end : ends(node, text, begins)) {
      if (reached.insert(end).second) fresh.push_back(end);
    }
    begins = std::move(fresh);
  }
  return {reached.begin(), reached.end()};
}

bool Lexer::matches(const Node& node, std::u32string_view text) const {
  return std::ranges::binary_search(ends(node, text, {0}), text.size());
}

/// The last place where the rule may end, or `begin` if it matches nothing there.
std::size_t Lexer::longest(const Node& node, std::u32string_view text, std::size_t begin) const {
  const Ends found = ends(node, text, {begin});
  return found.empty() ? begin : found.back();
}

Token Lexer::longest_token(std::u32string_view text, std::size_t begin) const {
  Token token{.begin = begin, .end = begin, .kinds = {}};
  const auto consider = [&](std::size_t end, TokenKind kind) {
    if (end > token.end) token = {.begin = begin, .end = end, .kinds = {}};
    if (end == token.end && end > begin) token.kinds.push_back(kind);
  };
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const Kind& kind = kinds_[i];
    if (kind.rule) {
      const Node& definition = grammar_.rules[*kind.rule].definition;
      consider(longest(definition, text, begin), static_cast<TokenKind>(i));
    } else if (text.substr(begin).starts_with(kind.terminal)) {
      consider(begin + kind.terminal.size(), static_cast<TokenKind>(i));
    }
  }
  if (words_.contains(std::u32string{text.substr(begin, token.end - begin)})) {
    std::erase_if(token.kinds, [&](TokenKind kind) {
      return rule(kind) && grammar_.rules[*rule(kind)].name == "name";
    });
  }
  return token;
}

std::optional<std::vector<Token>> Lexer::split(std::u32string_view text) const {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (at < text.size()) {
    Token token = longest_token(text, at);
    std::size_t comment_end = at;
    for (const std::size_t rule : comments_) {
      comment_end = std::max(comment_end, longest(grammar_.rules[rule].definition, text, at));
    }
    if (comment_end > token.end) {
      at = comment_end;
    } else if (token.end > at) {
      at = token.end;
      tokens.push_back(std::move(token));
    } else if (is_blank(text[at])) {
      ++at;
    } else {
      return std::nullopt;
    }
  }
  return tokens;
}

}  // namespace cohort::grammar_test
