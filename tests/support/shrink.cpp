#include "support/shrink.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/lexer.hpp"
#include "base/source.hpp"
#include "lang/parse.hpp"
#include "lang/token.hpp"

namespace cohort::support {
namespace {

using lang::syntax::Expr;

struct Edit {
  base::Span where;
  std::string replacement;
};

[[nodiscard]] std::string applied(const std::string& text, const Edit& edit) {
  return text.substr(0, edit.where.begin) + edit.replacement + text.substr(edit.where.end);
}

/// Whether every bracket that opens in a stretch closes there: others cannot be deleted.
[[nodiscard]] bool is_balanced(std::string_view stretch) {
  std::string open;
  for (const char c : stretch) {
    if (c == '(' || c == '[' || c == '{') open += c;
    if (c != ')' && c != ']' && c != '}') continue;
    const char wanted = c == ')' ? '(' : c == ']' ? '[' : '{';
    if (open.empty() || open.back() != wanted) return false;
    open.pop_back();
  }
  return open.empty();
}

class Shrinker {
 public:
  Shrinker(std::string text, const std::function<bool(const std::string&)>& fails)
      : text_(std::move(text)), fails_(fails) {}

  [[nodiscard]] std::string run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t length = 256; length > 0; length /= 2) changed |= delete_tokens(length);
      // Declarations and lists end with a sign that goes with them.
      for (const std::size_t length : {3U, 5U, 6U, 7U}) changed |= delete_tokens(length);
      changed |= hoist();
      changed |= lower_numbers();
    }
    return text_;
  }

 private:
  [[nodiscard]] bool improves(const Edit& edit) {
    std::string candidate = applied(text_, edit);
    if (!fails_(candidate)) return false;
    text_ = std::move(candidate);
    return true;
  }

  [[nodiscard]] std::vector<base::Token> tokens() const {
    const base::Source source = base::Source::from_text("shrink", text_);
    base::Diagnostics diagnostics;
    std::vector<base::Token> found = base::lex(source, lang::lexicon(), diagnostics).tokens;
    found.pop_back();  // the end
    return found;
  }

  bool delete_tokens(std::size_t length) {
    bool changed = false;
    std::vector<base::Token> all = tokens();
    for (std::size_t first = 0; first + length <= all.size();) {
      const base::Span where{all[first].where.begin, all[first + length - 1].where.end};
      const std::string_view stretch =
          std::string_view(text_).substr(where.begin, where.end - where.begin);
      if (is_balanced(stretch) && improves({where, ""})) {
        changed = true;
        all = tokens();
      } else {
        ++first;
      }
    }
    return changed;
  }

  static void collect(const Expr& expr, const std::string& text, std::vector<Edit>& edits) {
    for (const Expr& arg : expr.args) {
      edits.push_back({expr.where, text.substr(arg.where.begin, arg.where.end - arg.where.begin)});
    }
    for (const char* const simple : {"true", "false", "0"}) edits.push_back({expr.where, simple});
    for (const Expr& arg : expr.args) collect(arg, text, edits);
  }

  static void collect(const lang::syntax::Action& action, const std::string& text,
                      std::vector<Edit>& edits) {
    if (action.binders.empty()) {
      collect(action.target, text, edits);
      collect(action.value, text, edits);
    }
    for (const Expr& filter : action.filter) collect(filter, text, edits);
    for (const lang::syntax::Action& inner : action.actions) {
      edits.push_back(
          {action.where, text.substr(inner.where.begin, inner.where.end - inner.where.begin)});
      collect(inner, text, edits);
    }
  }

  /// Puts operands in the place of what they are operands of.
  bool hoist() {
    bool changed = false;
    for (std::size_t next = 0;;) {
      const base::Source source = base::Source::from_text("shrink", text_);
      base::Diagnostics diagnostics;
      const lang::syntax::ModelFile file = lang::parse_model(source, diagnostics);
      std::vector<Edit> edits;
      for (const lang::syntax::Body& body : file.bodies) {
        for (const lang::syntax::Schema& schema : body.schemas) {
          collect(schema.condition, text_, edits);
          for (const lang::syntax::Action& action : schema.actions) collect(action, text_, edits);
        }
      }
      for (const lang::syntax::Property& property : file.properties) {
        collect(property.formula, text_, edits);
      }
      std::erase_if(edits, [](const Edit& edit) {
        return edit.replacement.size() >= edit.where.end - edit.where.begin;
      });
      while (next < edits.size() && !improves(edits[next])) ++next;
      if (next >= edits.size()) return changed;
      changed = true;
    }
  }

  bool lower_numbers() {
    bool changed = false;
    const std::size_t count = tokens().size();
    for (std::size_t i = 0; i < count; ++i) {
      while (true) {
        const std::vector<base::Token> all = tokens();
        if (i >= all.size() || all[i].kind != base::integer_token) break;
        const base::Span where = all[i].where;
        const std::string number = text_.substr(where.begin, where.end - where.begin);
        if (number == "0" || number.size() > 9) break;
        const int value = std::stoi(number);
        if (!improves({where, "0"}) && !improves({where, std::to_string(value - 1)})) break;
        changed = true;
      }
    }
    return changed;
  }

  std::string text_;
  const std::function<bool(const std::string&)>& fails_;
};

}  // namespace

std::string shrink(std::string text, const std::function<bool(const std::string&)>& fails) {
  return Shrinker(std::move(text), fails).run();
}

}  // namespace cohort::support
