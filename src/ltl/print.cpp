// Formulas as text that the parser reads back.
#include <string>

#include "ltl/formula.hpp"

namespace cohort::ltl {
namespace {

/// How tightly the outermost operator of a text binds, loosest first.
enum class Tight : std::uint8_t {
  Suffix,  // `{r} |-> f` reaches to the right as far as it can
  Or,
  And,
  Until,
  Unary,
  Operand,
};

enum class RegexTight : std::uint8_t {
  Concat,
  Fusion,
  Union,
  Intersection,
  Both,
  Repeat,
  Position
};

class Printer {
 public:
  Printer(const Formulas& formulas, const AtomNames& names) : formulas_(formulas), names_(names) {}

  [[nodiscard]] std::string text(Formula f, Tight least) const {
    const Tight own = tightness(f);
    const std::string inner = bare(f);
    return own < least ? "(" + inner + ")" : inner;
  }

  [[nodiscard]] std::string text(Regex r, RegexTight least) const {
    const RegexTight own = tightness(r);
    const std::string inner = bare(r);
    return own < least ? "(" + inner + ")" : inner;
  }

 private:
  [[nodiscard]] Tight tightness(Formula f) const {
    switch (formulas_.op(f)) {
      case Operator::All:
        return Tight::Suffix;
      case Operator::Or:
        return Tight::Or;
      case Operator::And:
        return Tight::And;
      case Operator::U:
      case Operator::W:
      case Operator::R:
      case Operator::M:
        return Tight::Until;
      case Operator::Some:
        return plain_match(f) ? Tight::Operand : Tight::Unary;
      case Operator::Not:
      case Operator::X:
      case Operator::StrongX:
      case Operator::F:
      case Operator::G:
        return Tight::Unary;
      case Operator::True:
      case Operator::False:
      case Operator::Atom:
        break;
    }
    return Tight::Operand;
  }

  [[nodiscard]] bool plain_match(Formula f) const {
    return formulas_.last(f) == formulas_.constant(true);
  }

  [[nodiscard]] std::string bare(Formula f) const {
    const auto args = formulas_.operands(f);
    switch (formulas_.op(f)) {
      case Operator::True:
        return "true";
      case Operator::False:
        return "false";
      case Operator::Atom:
        return names_(formulas_.atom_of(f));
      case Operator::Not:
        return "!" + text(args[0], Tight::Unary);
      case Operator::And:
        return chain(args, " & ", Tight::Until);
      case Operator::Or:
        return chain(args, " | ", Tight::And);
      case Operator::X:
        return prefix("X", args[0]);
      case Operator::StrongX:
        return prefix("X[!]", args[0]);
      case Operator::F:
        return prefix("F", args[0]);
      case Operator::G:
        return prefix("G", args[0]);
      case Operator::U:
        return text(args[0], Tight::Unary) + " U " + text(args[1], Tight::Until);
      case Operator::W:
        return text(args[0], Tight::Unary) + " W " + text(args[1], Tight::Until);
      case Operator::R:
        return text(args[0], Tight::Unary) + " R " + text(args[1], Tight::Until);
      case Operator::M:  // has no sign of its own
        return text(args[1], Tight::Unary) + " U (" + text(args[0], Tight::Until) + " & " +
               text(args[1], Tight::Until) + ")";
      case Operator::Some:
        if (plain_match(f)) return braces(f);
        return "!(" + braces(f) + " |-> !" + text(args[0], Tight::Unary) + ")";
      case Operator::All:
        return braces(f) + " |-> " + text(args[0], Tight::Suffix);
    }
    return {};
  }

  [[nodiscard]] std::string braces(Formula f) const {
    return "{" + text(formulas_.regex_of(f), RegexTight::Concat) + "}";
  }

  [[nodiscard]] std::string prefix(const char* sign, Formula operand) const {
    const std::string inner = text(operand, Tight::Unary);
    return std::string(sign) + (inner.front() == '(' ? "" : " ") + inner;
  }

  [[nodiscard]] std::string chain(std::span<const Formula> args, const char* sign,
                                  Tight least) const {
    std::string all;
    for (const Formula f : args) all += (all.empty() ? "" : sign) + text(f, least);
    return all;
  }

  [[nodiscard]] RegexTight tightness(Regex r) const {
    switch (formulas_.op(r)) {
      case RegexOperator::Concat:
        return RegexTight::Concat;
      case RegexOperator::Fusion:
        return RegexTight::Fusion;
      case RegexOperator::Union:
        return RegexTight::Union;
      case RegexOperator::Intersection:
        return RegexTight::Intersection;
      case RegexOperator::Condition: {
        const Operator op = formulas_.op(formulas_.condition_of(r));
        if (op == Operator::Or) return RegexTight::Union;
        return op == Operator::And ? RegexTight::Both : RegexTight::Position;
      }
      case RegexOperator::None:
        return RegexTight::Position;
      case RegexOperator::EmptyWord:
      case RegexOperator::Repeat:
        break;
    }
    return RegexTight::Repeat;
  }

  [[nodiscard]] std::string bare(Regex r) const {
    const auto args = formulas_.operands(r);
    switch (formulas_.op(r)) {
      case RegexOperator::None:
        return "false";
      case RegexOperator::EmptyWord:
        return "true[*0]";
      case RegexOperator::Condition:
        return bare(formulas_.condition_of(r));
      case RegexOperator::Concat:
        return chain(args, "; ", RegexTight::Concat);
      case RegexOperator::Fusion:
        return text(args[0], RegexTight::Fusion) + " : " + text(args[1], RegexTight::Union);
      case RegexOperator::Union:
        return chain(args, " | ", RegexTight::Intersection);
      case RegexOperator::Intersection:
        return chain(args, " && ", RegexTight::Both);
      case RegexOperator::Repeat:
        return text(args[0], RegexTight::Repeat) + times(formulas_.times_of(r));
    }
    return {};
  }

  [[nodiscard]] static std::string times(Times times) {
    if (times == Times{}) return "[*]";
    if (times == Times{1, Times::unbounded}) return "[+]";
    if (times.least == times.most) return "[*" + std::to_string(times.least) + "]";
    return "[*" + std::to_string(times.least) + ".." +
           (times.most == Times::unbounded ? "" : std::to_string(times.most)) + "]";
  }

  [[nodiscard]] std::string chain(std::span<const Regex> args, const char* sign,
                                  RegexTight least) const {
    std::string all;
    for (const Regex r : args) all += (all.empty() ? "" : sign) + text(r, least);
    return all;
  }

  const Formulas& formulas_;
  const AtomNames& names_;
};

}  // namespace

std::string Formulas::to_string(Formula f, const AtomNames& names) const {
  return Printer(*this, names).text(f, Tight::Suffix);
}

std::string Formulas::to_string(Regex r, const AtomNames& names) const {
  return Printer(*this, names).text(r, RegexTight::Concat);
}

}  // namespace cohort::ltl
