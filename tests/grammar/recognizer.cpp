// Earley's recognizer.
//
// Idea.  For each place between two tokens keep the set of items: productions of which a part, from
// some earlier place up to here, has been recognized.  An item that waits for a token moves on with
// it; one that waits for a nonterminal adds that one's productions; a complete one moves all items
// on that waited for it where it began.
//
// Trap.  A nonterminal that is empty here is complete before all items that wait for it have come.
// So each set remembers who was empty in it, and an item that asks later moves on at once.  This
// covers
// `? before ?` too, whose emptiness depends on the place.
// Cost.  At most cubic in the tokens; linear or nearly so for our grammars.  Productions that
// cannot begin with the next token are not added. Source.  Earley 1970; the remedy for empty rules
// is the usual one, close to Aycock and Horspool 2002.
#include "grammar/recognizer.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "grammar/utf8.hpp"

namespace cohort::grammar_test {
namespace {

struct Item {
  std::size_t head;    // a nonterminal
  std::size_t body;    // which of its bodies
  std::size_t dot;     // symbols recognized so far
  std::size_t origin;  // the place where it began
};

struct ItemSet {
  std::vector<Item> items;
  std::unordered_set<std::uint64_t> known;
  std::vector<std::vector<Item>> waiting;  // by nonterminal
  std::vector<bool> predicted;
  std::vector<bool> empty_here;
};

class Chart {
 public:
  Chart(const Productions& productions, const std::vector<Token>& tokens)
      : productions_(productions), tokens_(tokens), sets_(tokens.size() + 1) {}

  bool recognizes(std::size_t start) {
    open(0);
    predict(0, start);
    for (std::size_t place = 0; place <= tokens_.size(); ++place) {
      if (sets_[place].items.empty()) return false;
      if (place < tokens_.size()) open(place + 1);
      // The set grows while it is worked on.
      for (std::size_t i = 0; i < sets_[place].items.size(); ++i) {
        work_on(place, sets_[place].items[i]);
      }
      sets_[place].known = {};
    }
    return std::ranges::any_of(sets_.back().items, [&](const Item& item) {
      return item.head == start && item.origin == 0 && item.dot == body_of(item).size();
    });
  }

 private:
  const Body& body_of(const Item& item) const { return productions_.bodies(item.head)[item.body]; }

  void open(std::size_t place) {
    ItemSet& set = sets_[place];
    set.waiting.resize(productions_.num_nonterminals());
    set.predicted.assign(productions_.num_nonterminals(), false);
    set.empty_here.assign(productions_.num_nonterminals(), false);
  }

  void add(std::size_t place, const Item& item) {
    assert(item.head < (1U << 16U) && item.body < (1U << 10U) && item.dot < (1U << 10U) &&
           item.origin < (1U << 28U));
    const std::uint64_t key =
        ((((std::uint64_t{item.origin} << 16U) | item.head) << 10U | item.body) << 10U) | item.dot;
    if (sets_[place].known.insert(key).second) sets_[place].items.push_back(item);
  }

  static Item advanced(Item item) {
    ++item.dot;
    return item;
  }

  bool next_token_is(std::size_t place, TokenKind kind) const {
    return place < tokens_.size() && tokens_[place].is(kind);
  }

  bool may_begin_here(std::size_t place, const Body& body) const {
    for (const Symbol& symbol : body) {
      switch (symbol.kind) {
        case Symbol::Kind::Token:
          return next_token_is(place, symbol.token());
        case Symbol::Kind::Before:
          if (!next_token_is(place, symbol.token())) return false;
          break;
        case Symbol::Kind::Nonterminal:
          if (place < tokens_.size()) {
            const auto begins = [&](TokenKind kind) {
              return productions_.may_begin(symbol.index, kind);
            };
            if (std::ranges::any_of(tokens_[place].kinds, begins)) return true;
          }
          if (!productions_.may_be_empty(symbol.index)) return false;
          break;
      }
    }
    return true;
  }

  void predict(std::size_t place, std::size_t nonterminal) {
    if (sets_[place].predicted[nonterminal]) return;
    sets_[place].predicted[nonterminal] = true;
    const std::vector<Body>& bodies = productions_.bodies(nonterminal);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (!may_begin_here(place, bodies[i])) continue;
      add(place, {.head = nonterminal, .body = i, .dot = 0, .origin = place});
    }
  }

  void complete(std::size_t place, const Item& item) {
    if (item.origin == place) sets_[place].empty_here[item.head] = true;
    for (const Item& waiting : sets_[item.origin].waiting[item.head]) add(place, advanced(waiting));
  }

  // By value: the set that holds the item may move.
  void work_on(std::size_t place, Item item) {
    const Body& body = body_of(item);
    if (item.dot == body.size()) return complete(place, item);
    const Symbol& symbol = body[item.dot];
    switch (symbol.kind) {
      case Symbol::Kind::Token:
        if (next_token_is(place, symbol.token())) add(place + 1, advanced(item));
        break;
      case Symbol::Kind::Before:
        if (next_token_is(place, symbol.token())) add(place, advanced(item));
        break;
      case Symbol::Kind::Nonterminal:
        sets_[place].waiting[symbol.index].push_back(item);
        predict(place, symbol.index);
        if (sets_[place].empty_here[symbol.index]) add(place, advanced(item));
        break;
    }
  }

  const Productions& productions_;
  const std::vector<Token>& tokens_;
  std::vector<ItemSet> sets_;
};

}  // namespace

bool Recognizer::accepts(std::string_view start, std::string_view text) const {
  return accepts(start, std::u32string_view{decode(text)});
}

bool Recognizer::accepts(std::string_view start, std::u32string_view text) const {
  const std::optional<std::vector<Token>> tokens = lexer_.split(text);
  if (!tokens) return false;
  return Chart{productions_, *tokens}.recognizes(productions_.nonterminal(start));
}

}  // namespace cohort::grammar_test
