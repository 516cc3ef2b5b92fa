#include "translate/common_expressions.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>

namespace cohort::translate {
namespace {

using lang::syntax::Join;

[[nodiscard]] std::string joined(const std::vector<std::string>& terms, const char* decisive,
                                 const char* idle, const char* sign) {
  std::vector<std::string> kept;
  std::set<std::string_view> known{idle};
  for (const std::string& term : terms) {
    if (term == decisive) return decisive;
    if (known.insert(term).second) kept.push_back(term);
  }
  if (kept.empty()) return idle;
  return kept.size() == 1 ? kept.front() : fmt::format("({})", fmt::join(kept, sign));
}

/// All of it from there on is in one pair of brackets.
[[nodiscard]] bool is_closed(std::string_view text, std::size_t from) {
  if (from >= text.size() || text[from] != '(') return false;
  std::size_t depth = 0;
  for (std::size_t at = from; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at + 1 == text.size();
  }
  return false;
}

}  // namespace

std::string Connectives::all(const std::vector<std::string>& terms) const {
  return joined(terms, no, yes, conjunction);
}

std::string Connectives::any(const std::vector<std::string>& terms) const {
  return joined(terms, yes, no, disjunction);
}

std::string Connectives::negation(const std::string& term) const {
  if (term == yes) return no;
  if (term == no) return yes;
  if (is_closed(term, 0)) return "!" + term;
  // Of a negation; as a condition it is as good as what is negated.
  if (term.starts_with('!') && is_closed(term, 1)) return term.substr(1);
  return "!(" + term + ")";
}

std::string Connectives::sign(Join join) const {
  switch (join) {
    case Join::Plus:
      return " + ";
    case Join::Minus:
      return " - ";
    case Join::Times:
      return " * ";
    case Join::Divide:
      return " / ";
    case Join::Modulo:
      return " % ";
    case Join::Equal:
      return equal;
    case Join::NotEqual:
      return " != ";
    case Join::Less:
      return " < ";
    case Join::LessEqual:
      return " <= ";
    case Join::Greater:
      return " > ";
    case Join::GreaterEqual:
      return " >= ";
    case Join::None:
      break;
  }
  return " ? ";
}

}  // namespace cohort::translate
