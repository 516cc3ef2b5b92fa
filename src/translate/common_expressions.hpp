// What expressions have in common in all languages they are written in.
//
// A language has its words for truth, its signs, and its own ways of quantifiers and processes; how
// conditions are put together, and when one has a value at all, is the same everywhere.
#pragma once

#include <string>
#include <vector>

#include "lang/program.hpp"

namespace cohort::translate {

/// Signs and words of a language, and formulas made of them that have no operands which decide
/// nothing.
struct Connectives {
  const char* yes;
  const char* no;
  const char* conjunction;  ///< " && "
  const char* disjunction;
  const char* equal;  ///< " == "

  [[nodiscard]] std::string all(const std::vector<std::string>& terms) const;
  [[nodiscard]] std::string any(const std::vector<std::string>& terms) const;
  [[nodiscard]] std::string negation(const std::string& term) const;
  [[nodiscard]] std::string sign(lang::syntax::Join join) const;
};

/// `Slots` say what stands for the process of each slot.
template <typename Slots>
class CommonExpressions {
 public:
  CommonExpressions(const CommonExpressions&) = delete;
  CommonExpressions& operator=(const CommonExpressions&) = delete;
  virtual ~CommonExpressions() = default;

  /// An expression as a number, and as a condition.
  [[nodiscard]] virtual std::string value(const lang::Expr& expr, const Slots& slots) = 0;
  [[nodiscard]] virtual std::string truth(const lang::Expr& expr, const Slots& slots) = 0;
  /// When evaluation meets no fault; the word for truth if it never does.
  [[nodiscard]] virtual std::string defined(const lang::Expr& expr, const Slots& slots) = 0;

 protected:
  explicit CommonExpressions(const Connectives& connectives) : connectives_(connectives) {}

  /// A sum, a product or a comparison of numbers.
  [[nodiscard]] std::string chain(const lang::Expr& expr, const Slots& slots) {
    std::string text = value(expr.args[0], slots);
    for (std::size_t i = 1; i < expr.args.size(); ++i) {
      text += connectives_.sign(expr.args[i].join) + value(expr.args[i], slots);
    }
    return "(" + text + ")";
  }

  /// `&` and `|`.
  [[nodiscard]] std::string junction(const lang::Expr& expr, const Slots& slots) {
    std::vector<std::string> terms;
    for (const lang::Expr& arg : expr.args) terms.push_back(truth(arg, slots));
    return expr.op == lang::Op::And ? connectives_.all(terms) : connectives_.any(terms);
  }

  [[nodiscard]] std::string implication(const lang::Expr& expr, const Slots& slots) {
    std::string text = truth(expr.args.back(), slots);
    for (std::size_t i = expr.args.size() - 1; i-- > 0;) {
      text = connectives_.any({connectives_.negation(truth(expr.args[i], slots)), text});
    }
    return text;
  }

  /// The body of a quantifier for processes that are known, with its filter.
  [[nodiscard]] std::string body(const lang::Expr& quantifier, const Slots& slots) {
    const std::string inside = truth(quantifier.args.back(), slots);
    if (quantifier.args.size() == 1) return inside;
    const std::string filter = truth(quantifier.args.front(), slots);
    const bool all = quantifier.op == lang::Op::All || quantifier.op == lang::Op::ForallProcess;
    return all ? connectives_.any({connectives_.negation(filter), inside})
               : connectives_.all({filter, inside});
  }

  [[nodiscard]] std::string body_defined(const lang::Expr& quantifier, const Slots& slots) {
    std::string inside = defined(quantifier.args.back(), slots);
    if (quantifier.args.size() == 1) return inside;
    const lang::Expr& filter = quantifier.args.front();
    if (inside != connectives_.yes) {
      inside = connectives_.any({connectives_.negation(truth(filter, slots)), inside});
    }
    return connectives_.all({defined(filter, slots), inside});
  }

  /// Operands from the left; the next one is looked at if those before are as true as it says.
  [[nodiscard]] std::string sequence_defined(const lang::Expr& expr, bool goes_on_if_true,
                                             const Slots& slots) {
    std::string text = defined(expr.args.back(), slots);
    for (std::size_t i = expr.args.size() - 1; i-- > 0;) {
      if (text != connectives_.yes) {
        const std::string test = truth(expr.args[i], slots);
        text = connectives_.any({goes_on_if_true ? connectives_.negation(test) : test, text});
      }
      text = connectives_.all({defined(expr.args[i], slots), text});
    }
    return text;
  }

  /// Of all operands.
  [[nodiscard]] std::string arguments_defined(const lang::Expr& expr, const Slots& slots) {
    std::vector<std::string> terms;
    for (const lang::Expr& arg : expr.args) terms.push_back(defined(arg, slots));
    return connectives_.all(terms);
  }

  const Connectives& connectives_;
};

}  // namespace cohort::translate
