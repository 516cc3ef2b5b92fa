#include "ltl/syntax.hpp"

#include <algorithm>

#include "base/lexer.hpp"

namespace cohort::ltl::syntax {
namespace {

[[nodiscard]] const char* sign_of(Join join) {
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
      return " = ";
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
  return "";
}

[[nodiscard]] const char* sign_of(TemporalOperator op) {
  switch (op) {
    case TemporalOperator::X:
      return "X";
    case TemporalOperator::StrongX:
      return "X[!]";
    case TemporalOperator::F:
      return "F";
    case TemporalOperator::G:
      return "G";
    case TemporalOperator::U:
      return "U";
    case TemporalOperator::W:
      return "W";
    case TemporalOperator::R:
      return "R";
  }
  return "";
}

/// How tightly the outermost operator binds.
[[nodiscard]] int tightness(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::Forall:
    case ExprKind::Exists:
    case ExprKind::Suffix:
    case ExprKind::SuffixNext:
      return 0;
    case ExprKind::Concat:
      return 1;
    case ExprKind::Fusion:
      return 2;
    case ExprKind::Iff:
      return 3;
    case ExprKind::Implies:
      return 4;
    case ExprKind::Or:
      return 5;
    case ExprKind::Intersection:
      return 6;
    case ExprKind::And:
      return 7;
    case ExprKind::Temporal:
      return expr.args.size() == 2 ? 8 : 10;
    case ExprKind::Repeat:
      return 9;
    case ExprKind::Not:
      return 10;
    case ExprKind::Compare:
      return 11;
    case ExprKind::Sum:
      return 12;
    case ExprKind::Product:
      return 13;
    case ExprKind::Minus:
      return 14;
    default:
      return 15;
  }
}

class Writer {
 public:
  void write(const Expr& bracketed, int least) {
    const Expr& expr = inside_brackets(bracketed);
    const bool brackets = tightness(expr) < least;
    if (brackets) out += '(';
    bare(expr);
    if (brackets) out += ')';
  }

  std::string out;

 private:
  void list(const std::vector<Expr>& args, const char* open, const char* close) {
    if (args.empty()) return;
    out += open;
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (i > 0) out += ", ";
      write(args[i], 0);
    }
    out += close;
  }

  void chain(const Expr& expr, const char* sign) {
    const int own = tightness(expr);
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
      if (i > 0) out += sign[0] == '\0' ? sign_of(expr.args[i].join) : sign;
      write(expr.args[i], own + 1);
    }
  }

  void bindings(const Expr& expr) {
    for (std::size_t i = 0; i < expr.bindings.size(); ++i) {
      const Binding& binding = expr.bindings[i];
      if (i > 0) out += ", ";
      for (std::size_t j = 0; j < binding.names.size(); ++j) {
        if (j > 0) out += ", ";
        out += binding.names[j].text;
      }
      out += " in ";
      out += binding.set.name.text;
      if (binding.set.listed) ids(binding.set.ids);
    }
  }

  void ids(const std::vector<IdRange>& ranges) {
    out += '{';
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      if (i > 0) out += ", ";
      out += std::to_string(ranges[i].first);
      if (!ranges[i].last) {
        out += '-';
      } else if (*ranges[i].last != ranges[i].first) {
        out += "-" + std::to_string(*ranges[i].last);
      }
    }
    out += '}';
  }

  void history(const Expr& expr) {
    if (expr.number) out += "?" + std::to_string(*expr.number);
    if (expr.history.asked == History::Asked::Time) out += "?T";
    if (expr.history.asked == History::Asked::Count) out += "?C";
  }

  void prefix(const char* sign, const Expr& expr) {
    out += sign;
    write(expr.args[0], tightness(expr));
  }

  void repetition(const Repetition& times) {
    out += "[*" + std::to_string(times.least) + "..";
    if (times.most) out += std::to_string(*times.most);
    out += ']';
  }

  void bare(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::Integer:
      case ExprKind::Decimal:
      case ExprKind::String:
        out += expr.text;
        return;
      case ExprKind::None:
        out += "none";
        return;
      case ExprKind::True:
        out += "true";
        return;
      case ExprKind::False:
        out += "false";
        return;
      case ExprKind::Deadlock:
        out += "deadlock";
        return;
      case ExprKind::Variable:
        out += expr.text;
        list(expr.args, "[", "]");
        history(expr);
        return;
      case ExprKind::Label:
        out += expr.text;
        if (expr.number) out += "#" + std::to_string(*expr.number);
        list(expr.args, "(", ")");
        return;
      case ExprKind::Min:
      case ExprKind::Max:
        out += expr.kind == ExprKind::Min ? "min" : "max";
        list(expr.args, "(", ")");
        return;
      case ExprKind::Enabled:
        out += "enabled";
        list(expr.args, "(", ")");
        return;
      case ExprKind::Count:
        out += "COUNT(";
        bindings(expr);
        out += " : ";
        write(expr.args[0], 0);
        out += ')';
        return;
      case ExprKind::Paren:
        write(expr, 0);
        return;
      case ExprKind::Minus:
        prefix("-", expr);
        return;
      case ExprKind::Not:
        prefix("!", expr);
        return;
      case ExprKind::Product:
      case ExprKind::Sum:
      case ExprKind::Compare:
        chain(expr, "");
        return;
      case ExprKind::And:
        chain(expr, " & ");
        return;
      case ExprKind::Or:
        chain(expr, " | ");
        return;
      case ExprKind::Implies:
        chain(expr, " -> ");
        return;
      case ExprKind::Iff:
        chain(expr, " <-> ");
        return;
      case ExprKind::Temporal:
        if (expr.args.size() == 2) {
          chain(expr, expr.temporal == TemporalOperator::U   ? " U "
                      : expr.temporal == TemporalOperator::W ? " W "
                                                             : " R ");
        } else {
          out += sign_of(expr.temporal);
          out += ' ';
          write(expr.args[0], tightness(expr));
        }
        return;
      case ExprKind::Forall:
      case ExprKind::Exists:
        out += expr.kind == ExprKind::Forall ? "forall " : "exists ";
        bindings(expr);
        out += " . ";
        write(expr.args[0], 0);
        return;
      case ExprKind::Match:
      case ExprKind::Suffix:
      case ExprKind::SuffixNext:
        out += '{';
        write(expr.args[0], 0);
        out += '}';
        if (expr.kind == ExprKind::Match) return;
        out += expr.kind == ExprKind::Suffix ? " |-> " : " |=> ";
        write(expr.args[1], 0);
        return;
      case ExprKind::Concat:
        chain(expr, "; ");
        return;
      case ExprKind::Fusion:
        chain(expr, " : ");
        return;
      case ExprKind::Intersection:
        chain(expr, " && ");
        return;
      case ExprKind::Repeat:
        write(expr.args[0], 9);
        repetition(expr.times);
        return;
    }
  }
};

}  // namespace

const Expr& inside_brackets(const Expr& expr) {
  const Expr* inner = &expr;
  while (inner->kind == ExprKind::Paren) inner = &inner->args.front();
  return *inner;
}

bool is_temporal(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::Temporal:
    case ExprKind::Match:
    case ExprKind::Suffix:
    case ExprKind::SuffixNext:
      return true;
    default:
      return std::ranges::any_of(expr.args, is_temporal);
  }
}

std::string canonical_text(const Expr& expr) {
  Writer writer;
  writer.write(expr, 0);
  return std::move(writer.out);
}

}  // namespace cohort::ltl::syntax
