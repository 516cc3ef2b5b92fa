#include "grammar/productions.hpp"

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

namespace cohort::grammar_test {

Productions::Productions(const Lexer& lexer) {
  const std::vector<Rule>& rules = lexer.grammar().rules;
  bodies_.resize(rules.size());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].of_tokens) continue;
    names_.emplace(rules[i].name, i);  // the first file's rule stays
    add_bodies(lexer, i, rules[i].definition, {});
  }
  find_empty();
  find_first(lexer.num_kinds());
  find_heights();
  find_heights_with_first();
}

std::size_t Productions::nonterminal(std::string_view rule) const {
  const auto found = names_.find(rule);
  assert(found != names_.end());
  return found->second;
}

std::size_t Productions::add_nonterminal() {
  bodies_.emplace_back();
  return bodies_.size() - 1;
}

void Productions::add_bodies(const Lexer& lexer, std::size_t nonterminal, const Node& node,
                             const Body& prefix) {
  if (node.kind == Node::Kind::Alternatives) {
    for (const Node& child : node.children) add_bodies(lexer, nonterminal, child, prefix);
    return;
  }
  Body body = prefix;
  append(lexer, body, node);
  bodies_[nonterminal].push_back(std::move(body));
}

void Productions::append(const Lexer& lexer, Body& body, const Node& node) {
  const auto token = [&](Symbol::Kind kind, TokenKind token_kind) {
    body.push_back({.kind = kind, .index = static_cast<std::size_t>(token_kind)});
  };
  switch (node.kind) {
    case Node::Kind::Sequence:
      for (const Node& child : node.children) append(lexer, body, child);
      return;
    case Node::Kind::Terminal:
      return token(Symbol::Kind::Token, lexer.kind_of_terminal(node.text));
    case Node::Kind::Before:
      return token(Symbol::Kind::Before, lexer.kind_of_terminal(node.text));
    case Node::Kind::Reference:
      if (lexer.grammar().rules[node.rule].of_tokens) {
        return token(Symbol::Kind::Token, lexer.kind_of_rule(node.rule));
      }
      body.push_back({.kind = Symbol::Kind::Nonterminal, .index = node.rule});
      return;
    default:
      break;
  }
  const Symbol bracket{.kind = Symbol::Kind::Nonterminal, .index = add_nonterminal()};
  body.push_back(bracket);
  if (node.kind == Node::Kind::Alternatives) {
    add_bodies(lexer, bracket.index, node, {});
    return;
  }
  assert(node.kind == Node::Kind::Option || node.kind == Node::Kind::Repetition);
  bodies_[bracket.index].emplace_back();
  // A repetition is left-recursive: that is what an Earley recognizer does in linear time.
  const bool repeats = node.kind == Node::Kind::Repetition;
  add_bodies(lexer, bracket.index, node.children[0], repeats ? Body{bracket} : Body{});
}

void Productions::find_empty() {
  empty_.assign(bodies_.size(), false);
  const auto may_vanish = [&](const Symbol& symbol) {
    return symbol.kind == Symbol::Kind::Before ||
           (symbol.kind == Symbol::Kind::Nonterminal && empty_[symbol.index]);
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t n = 0; n < bodies_.size(); ++n) {
      for (const Body& body : bodies_[n]) {
        if (empty_[n] || !std::ranges::all_of(body, may_vanish)) continue;
        empty_[n] = true;
        changed = true;
      }
    }
  }
}

void Productions::find_first(std::size_t num_kinds) {
  first_.assign(bodies_.size(), std::vector<bool>(num_kinds, false));
  bool changed = true;
  const auto add = [&](std::size_t nonterminal, std::size_t kind) {
    if (first_[nonterminal][kind]) return;
    first_[nonterminal][kind] = true;
    changed = true;
  };
  while (changed) {
    changed = false;
    for (std::size_t n = 0; n < bodies_.size(); ++n) {
      for (const Body& body : bodies_[n]) {
        for (const Symbol& symbol : body) {
          if (symbol.kind == Symbol::Kind::Before) continue;
          if (symbol.kind == Symbol::Kind::Token) {
            add(n, symbol.index);
            break;
          }
          for (std::size_t kind = 0; kind < num_kinds; ++kind) {
            if (first_[symbol.index][kind]) add(n, kind);
          }
          if (!empty_[symbol.index]) break;
        }
      }
    }
  }
}

std::size_t Productions::height(const Body& body) const {
  std::size_t highest = 0;
  for (const Symbol& symbol : body) {
    if (symbol.kind != Symbol::Kind::Nonterminal) continue;
    highest = std::max(highest, heights_[symbol.index]);  // no_height is the largest number
  }
  return highest;
}

std::size_t Productions::height(const Body& body, TokenKind first) const {
  if (body.empty() || body[0].kind == Symbol::Kind::Before) return no_height;
  const Heights& heights = heights_with_first_.at(first);
  if (body[0].kind == Symbol::Kind::Token) {
    return body[0].token() == first ? height(body) : no_height;
  }
  return std::max(heights[body[0].index], height(body));
}

void Productions::find_heights() {
  heights_.assign(bodies_.size(), no_height);
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t n = 0; n < bodies_.size(); ++n) {
      for (const Body& body : bodies_[n]) {
        const std::size_t below = height(body);
        if (below == no_height || below + 1 >= heights_[n]) continue;
        heights_[n] = below + 1;
        changed = true;
      }
    }
  }
}

void Productions::find_heights_with_first() {
  std::set<TokenKind> firsts;
  for (const std::vector<Body>& bodies : bodies_) {
    for (const Body& body : bodies) {
      for (const Symbol& symbol : body) {
        if (symbol.kind == Symbol::Kind::Before) firsts.insert(symbol.token());
      }
    }
  }
  for (const TokenKind first : firsts) {
    Heights& heights = heights_with_first_[first];
    heights.assign(bodies_.size(), no_height);
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t n = 0; n < bodies_.size(); ++n) {
        for (const Body& body : bodies_[n]) {
          const std::size_t below = height(body, first);
          if (below == no_height || below + 1 >= heights[n]) continue;
          heights[n] = below + 1;
          changed = true;
        }
      }
    }
  }
}

}  // namespace cohort::grammar_test
