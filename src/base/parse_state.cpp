#include "base/parse_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/parse_habits.hpp"

namespace cohort::base {
namespace {

[[nodiscard]] bool is_closing(std::string_view sign) {
  return sign == ")" || sign == "]" || sign == "}";
}

}  // namespace

void ParseState::start_piece(const Token* at) {
  piece_start_ = at;
  furthest_ = nullptr;
  expected_.clear();
  refused_ = false;
  depth_ = 0;
}

void ParseState::expected(const Token& at, Expectation expectation) {
  if (furthest_ != nullptr && &at < furthest_) return;
  if (&at != furthest_) {
    furthest_ = &at;
    expected_.clear();
  }
  const auto same = [&](const Expectation& other) {
    return other.kind == expectation.kind && other.description == expectation.description;
  };
  if (std::ranges::none_of(expected_, same)) expected_.push_back(expectation);
}

void ParseState::rename_since(Mark mark, const Token& at, std::string_view description) {
  if (furthest_ != &at) return;
  expected_.resize(mark.furthest == &at ? std::min(mark.num_expected, expected_.size()) : 0);
  expected(at, description);
}

void ParseState::refuse(const Token& at, std::string message, std::string hint) {
  if (refused_) return;
  refused_ = true;
  refused_at_ = &at;
  refusal_ = std::move(message);
  refusal_hint_ = std::move(hint);
}

bool ParseState::enter(const Token& at) {
  if (depth_ >= deepest_nesting) {
    refuse_depth(at);
    return false;
  }
  ++depth_;
  return true;
}

void ParseState::refuse_depth(const Token& at) {
  refuse(at, fmt::format("nested too deeply: more than {} levels", deepest_nesting),
         "split the expression, with a Const or a further variable for a part of it");
}

bool ParseState::forgotten(const Token* at, TokenKind kind) {
  if (last_forgotten_ == at || failed_at() != at) return false;
  last_forgotten_ = at;
  // An operator would do as well, but that is not what the author forgot.
  expected_ = {Expectation{kind, {}}};
  report();
  start_piece(at);
  return true;
}

std::string ParseState::name_of(const Expectation& expectation) const {
  if (!expectation.description.empty()) return std::string(expectation.description);
  if (expectation.kind == name_token) return "a name";
  if (expectation.kind == integer_token) return "a number";
  if (expectation.kind == decimal_token) return "a decimal";
  if (expectation.kind == string_token) return "a string";
  if (expectation.kind == line_break_token) return "the end of the line";
  if (expectation.kind == end_token) return "the end of the input";
  return fmt::format("'{}'", lexicon_.canonical(expectation.kind));
}

std::string ParseState::name_of(const Token& token) const {
  constexpr std::size_t longest_shown = 40;
  if (token.kind == end_token) return "the end of the input";
  if (token.kind == line_break_token) return "the end of the line";
  const std::string_view whole = text(token);
  if (whole.size() <= longest_shown) return fmt::format("'{}'", whole);
  return fmt::format("'{}…'", whole.substr(0, longest_shown));
}

std::string ParseState::list_of_expected() const {
  std::string list;
  for (std::size_t i = 0; i < expected_.size(); ++i) {
    if (i > 0) list += i + 1 == expected_.size() ? " or " : ", ";
    list += name_of(expected_[i]);
  }
  return list;
}

bool ParseState::expects_name() const {
  return std::ranges::any_of(expected_, [](const Expectation& e) {
    return e.description.empty() && e.kind == name_token;
  });
}

/// The innermost bracket that is open where the failure is, if it wants to be closed there.
std::string ParseState::unclosed_bracket_hint() const {
  const auto spelling = [&](const Token& token) { return lexicon_.canonical(token.kind); };
  const bool wants_to_close = std::ranges::any_of(expected_, [&](const Expectation& e) {
    const std::string_view text = lexicon_.canonical(e.kind);
    return e.description.empty() && is_closing(text);
  });
  // Between two words a comma or an operator is missing, not the bracket.
  const bool word = furthest_->kind == name_token || furthest_->kind == integer_token;
  if (!wants_to_close || (word && !furthest_->first_on_line)) return {};
  std::size_t closed = 0;
  for (const Token* token = furthest_; token != piece_start_;) {
    --token;
    const std::string_view text = spelling(*token);
    if (is_closing(text)) ++closed;
    if (text != "(" && text != "[" && text != "{") continue;
    if (closed == 0) {
      const Position place = source_.position(token->where.begin);
      return fmt::format("the '{}' at line {}, column {} is not closed", text, place.line,
                         place.column);
    }
    --closed;
  }
  return {};
}

void ParseState::report() {
  if (refused_) {
    diagnostics_.error(refused_at_->where, refusal_, refusal_hint_);
    return;
  }
  const Token& found = *furthest_;
  if (found.kind == bad_token) return;  // the lexer has said what is wrong here
  const bool keyword = lexicon_.is_word(found.kind);
  if (keyword && expects_name()) {
    diagnostics_.error(found.where,
                       fmt::format("{} is a keyword and cannot be used as a name", name_of(found)));
    return;
  }
  // A missing semicolon belongs to the end of the line before, not to the start of the next one.
  const bool at_break =
      found.first_on_line || found.kind == end_token || found.kind == line_break_token;
  const bool after_previous = at_break && &found != piece_start_ && &found != tokens_.data();
  const Span previous = after_previous ? (&found)[-1].where : found.where;
  const Span where = after_previous ? Span{previous.end, previous.end} : found.where;
  std::vector<std::string> expected;
  for (const Expectation& one : expected_) expected.push_back(name_of(one));
  std::string hint =
      habit_hint({tokens_.data(), piece_start_, furthest_, std::move(expected)}, source_, lexicon_);
  if (hint.empty()) hint = unclosed_bracket_hint();
  diagnostics_.error(where,
                     fmt::format("expected {} {} {}{}", list_of_expected(),
                                 after_previous ? "before" : "but found",
                                 keyword && !after_previous ? "the keyword " : "", name_of(found)),
                     std::move(hint));
}

}  // namespace cohort::base
