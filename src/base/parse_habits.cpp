// Hints for those who write as in another language.  They come with errors only, so a wrong guess
// costs a line; what was expected is said in any case.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/parse_habits.hpp"

namespace cohort::base {
namespace {

struct Habit {
  std::string_view word;
  std::string_view hint;
};
constexpr std::array<Habit, 5> operator_words{{
    {"and", "'and' is written '&'"},
    {"or", "'or' is written '|'"},
    {"not", "'not' is written '!'"},
    {"imply", "'implies' is written '->'"},
    {"implies", "'implies' is written '->'"},
}};

[[nodiscard]] std::string lower(std::string_view text) {
  std::string made{text};
  std::ranges::transform(made, made.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return made;
}

/// A word that is one of the language, but for the case of its letters.
[[nodiscard]] std::string keyword_hint(std::string_view text, const Lexicon& lexicon) {
  constexpr std::size_t longest_keyword = 20;
  constexpr TokenKind last_kind = 255;
  if (text.size() < 3 || text.size() > longest_keyword) return {};
  for (TokenKind kind = first_own_token; kind <= last_kind; ++kind) {
    const std::string_view word = lexicon.canonical(kind);
    if (word != text && lower(word) == lower(text)) {
      return fmt::format("the keyword is written '{}'", word);
    }
  }
  return {};
}

[[nodiscard]] std::string word_hint(std::string_view text, const Lexicon& lexicon) {
  constexpr std::size_t longest_operator = 7;
  const std::string small = lower(text.substr(0, longest_operator));
  for (const Habit& habit : operator_words) {
    if (text.size() == habit.word.size() && small == habit.word) return std::string(habit.hint);
  }
  return keyword_hint(text, lexicon);
}

}  // namespace

std::string habit_hint(const Stumble& stumble, const Source& source, const Lexicon& lexicon) {
  const Token& found = *stumble.found;
  const Token* const before = stumble.found != stumble.first ? &found - 1 : nullptr;
  const Token* const after = found.kind != end_token ? &found + 1 : nullptr;
  const auto text = [&](const Token& token) { return source.text(token.where); };
  const auto expects = [&](std::string_view what) {
    return std::ranges::find(stumble.expected, what) != stumble.expected.end();
  };
  for (const Token* word : {before, &found}) {
    if (word == nullptr || word->kind != name_token) continue;
    std::string hint = word_hint(text(*word), lexicon);
    if (!hint.empty()) return hint;
  }
  const auto touching = [&](const Token* token, std::string_view spelling) {
    if (token == nullptr || token->kind == end_token || text(*token) != spelling) return false;
    return token < &found ? token->where.end == found.where.begin
                          : token->where.begin == found.where.end;
  };
  const std::string_view sign = found.kind == end_token ? std::string_view{} : text(found);
  if (sign == ">" && touching(before, "<")) return "'not equal' is written '!='";
  if (sign == "=" && touching(before, "==")) return "equality is written '=='";
  if (expects("'='")) {
    if (sign == "==") return "an assignment is written with '='";
    if (sign == ":" && touching(after, "=")) return "an assignment is written with '='";
    const bool arithmetic = sign == "+" || sign == "-" || sign == "*" || sign == "/";
    if (arithmetic && (touching(after, "=") || touching(after, sign))) {
      return "an assignment is written out: 'x = x + 1'";
    }
  }
  const bool behind_number = before != nullptr && before->kind == integer_token;
  if (sign == "." && behind_number && !lexicon.form().decimals) return "numbers are integers";
  if (sign == "]" && behind_number && expects("'..'")) {
    return "a dimension is a module or a range, such as 0..2";
  }
  if (sign == ":" && before != nullptr && before == stumble.piece_start &&
      before->kind == name_token && expects("'->'")) {
    return fmt::format("a label stands in square brackets: '[{}]'", text(*before));
  }
  if (sign == ">" && touching(before, "-")) return "'implies' is written '->'";
  if (sign == "->" && touching(before, "-")) return "'implies' is written '->'";
  if (expects("'property'")) return "a property is written 'property name : formula;'";
  if (sign == "with" && expects("':'")) return "'with …' stands before 'expect …'";
  const bool is_linear = sign == "G" || sign == "F" || sign == "X" || sign == "U" || sign == "W" ||
                         sign == "R" || (sign == "[" && touching(after, "]"));
  const bool is_branching = lexicon.word("AG") != name_token;
  if (is_linear && is_branching && (expects("a formula") || expects("an operator"))) {
    return "here it is AG, EF, A[p U q], …; formulas of linear time go with --ltl";
  }
  if ((sign == "forall" || sign == "exists") && expects("an expression")) {
    return fmt::format("in a program it is '{}(i: …)'", sign == "forall" ? "ALL" : "EXISTS");
  }
  return {};
}

}  // namespace cohort::base
