#include "lang/file_grammar.hpp"

namespace cohort::lang {
namespace {

using base::Token;

[[nodiscard]] const Token* behind_semicolon(const Token* token) {
  return kind_of(*token) == Kind::Semicolon ? token + 1 : token;
}

/// So clear a start that nothing left open before it matters.
[[nodiscard]] bool starts_anew(const Token& token) {
  return token.first_on_line && starts_declaration(token);
}

}  // namespace

bool starts_declaration(const Token& token) {
  switch (kind_of(token)) {
    case Kind::Program:
    case Kind::Module:
    case Kind::Const:
    case Kind::Enum:
    case Kind::PriorityClass:
    case Kind::Init:
    case Kind::Formula:
    case Kind::Evaluation:
    case Kind::Property:
      return true;
    default:
      return false;
  }
}

const Token* FileParser::behind_braces(const Token* open) {
  std::size_t depth = 0;
  for (const Token* token = open; !has_open_brace_; ++token) {
    if (kind_of(*token) == Kind::End) has_open_brace_ = true;
    if (kind_of(*token) == Kind::BraceOpen) ++depth;
    if (kind_of(*token) == Kind::BraceClose && --depth == 0) return token + 1;
    if (starts_anew(*token)) return token;
  }
  return open + 1;
}

const Token* FileParser::next_piece(const Token* from, Recovery recovery) {
  std::size_t open_round = 0;
  for (const Token* token = from;; ++token) {
    if (token != from && starts_anew(*token)) return token;
    switch (kind_of(*token)) {
      case Kind::End:
        return token;
      case Kind::BraceClose:
        if (recovery == Recovery::InFormula) break;
        return recovery == Recovery::InBody ? token : behind_semicolon(token + 1);
      case Kind::BraceOpen:
        if (recovery != Recovery::BehindSemicolon) break;
        return behind_semicolon(behind_braces(token));
      case Kind::ParenOpen:
        ++open_round;
        break;
      case Kind::ParenClose:
        if (open_round > 0) --open_round;
        break;
      case Kind::Semicolon:
        // `Priority (x; y)` has semicolons inside; a bracket that was never closed must not hide
        // the rest of the file.
        if (open_round == 0 || token[1].first_on_line) return token + 1;
        break;
      default:
        break;
    }
  }
}

void FileParser::fail(Recovery recovery) {
  state_.report();
  const Token* const start = at_;
  const Token* const failed = state_.failed_at();
  at_ = next_piece(failed == nullptr || failed < start ? start : failed, recovery);
  if (at_ == start && kind() != Kind::End &&
      !(recovery == Recovery::InBody && kind() == Kind::BraceClose)) {
    ++at_;
  }
  for (const Token* token = start; token != at_; ++token) {
    if (kind_of(*token) == Kind::Name) skipped_names_.push_back(state_.text(*token));
  }
}

}  // namespace cohort::lang
