#include "base/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.hpp"

namespace cohort::base {
namespace {

[[nodiscard]] bool is_digit(char c) { return '0' <= c && c <= '9'; }

[[nodiscard]] bool is_letter(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_';
}

[[nodiscard]] bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

class Scanner {
 public:
  Scanner(const Source& source, const Lexicon& lexicon, Diagnostics& diagnostics)
      : text_(source.text()), lexicon_(lexicon), diagnostics_(diagnostics) {}

  [[nodiscard]] Lexed run() {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
    while (at_ < text_.size() && !diagnostics_.full()) step();
    at_ = text_.size();
    push(end_token, at_);
    return std::move(lexed_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '\n' && lexicon_.form().line_breaks) {
      push(line_break_token, at_ + 1);
      line_start_ = true;
    } else if (is_blank(c)) {
      if (c == '\n') line_start_ = true;
      ++at_;
    } else if (is_letter(c)) {
      std::size_t end = at_ + 1;
      while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
      push(lexicon_.word(text_.substr(at_, end - at_)), end);
    } else if (is_digit(c)) {
      number();
    } else if (c == '"' && lexicon_.form().strings) {
      string();
    } else if (at_comment()) {
      comment(std::min(text_.find('\n', at_), text_.size()));
    } else if (!lexicon_.form().hash_comments && text_.substr(at_, 2) == "/*") {
      block_comment();
    } else {
      sign();
    }
  }

  [[nodiscard]] bool at_comment() const {
    return lexicon_.form().hash_comments ? text_[at_] == '#' : text_.substr(at_, 2) == "//";
  }

  [[nodiscard]] std::size_t behind_digits(std::size_t from) const {
    while (from < text_.size() && is_digit(text_[from])) ++from;
    return from;
  }

  void number() {
    const std::size_t end = behind_digits(at_);
    const std::size_t fraction = end + 1 < text_.size() && text_[end] == '.' ? end + 1 : end;
    const std::size_t decimal_end = behind_digits(fraction);
    if (lexicon_.form().decimals && fraction > end && decimal_end > fraction) {
      push(decimal_token, decimal_end);
    } else {
      push(integer_token, end);
    }
  }

  void string() {
    std::size_t end = at_ + 1;
    bool good = true;
    while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') {
      if (text_[end] == '\\') {
        const bool known = end + 1 < text_.size() && std::string_view("\"\\nt").find(
                                                         text_[end + 1]) != std::string_view::npos;
        if (!known && good) {
          diagnostics_.error(span(end, end + 1), "unknown escape in a string",
                             "a backslash stands before a quote, a backslash, n or t");
        }
        good = good && known;
        end += known ? 2 : 1;
        continue;
      }
      const std::size_t length = utf8_length(text_, end);
      if (length == 0) {
        if (good) bad_byte(end);
        good = false;
      }
      end += std::max<std::size_t>(length, 1);
    }
    if (end >= text_.size() || text_[end] == '\n') {
      diagnostics_.error(span(at_, at_ + 1), "the string is not closed",
                         "a string ends with '\"' on the same line");
      push(bad_token, std::min(end, text_.size()));
      return;
    }
    push(good ? string_token : bad_token, end + 1);
  }

  void block_comment() {
    const std::size_t close = text_.find("*/", at_ + 2);
    if (close == std::string_view::npos) {
      diagnostics_.error(span(at_, at_ + 2), "the comment is not closed",
                         "a comment that starts with '/*' ends with '*/'");
      push(bad_token, text_.size());
      return;
    }
    comment(close + 2);
  }

  void comment(std::size_t end) {
    check_utf8(at_, end);
    lexed_.comments.push_back(span(at_, end));
    at_ = end;
  }

  /// A comment may say anything, but in UTF-8: the formatter prints it.
  void check_utf8(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end;) {
      const std::size_t length = utf8_length(text_, i);
      if (length == 0) {
        bad_byte(i);
        return;
      }
      i += length;
    }
  }

  void bad_byte(std::size_t at) {
    diagnostics_.error(span(at, at + 1),
                       fmt::format("byte 0x{:02X} is not UTF-8",
                                   static_cast<unsigned>(static_cast<unsigned char>(text_[at]))),
                       "save the file as UTF-8");
  }

  void sign() {
    const Spelling found = lexicon_.longest_sign(text_.substr(at_));
    if (!found.text.empty()) {
      push(found.kind, at_ + found.text.size());
      return;
    }
    const std::size_t length = utf8_length(text_, at_);
    if (length == 0) {
      bad_byte(at_);
      std::size_t end = at_ + 1;
      while (end < text_.size() && utf8_length(text_, end) == 0) ++end;
      push(bad_token, end);
      return;
    }
    const auto byte = static_cast<unsigned char>(text_[at_]);
    const bool control = byte < 0x20 || byte == 0x7F;
    diagnostics_.error(
        span(at_, at_ + length),
        control ? fmt::format("unexpected control character U+{:04X}", static_cast<unsigned>(byte))
                : fmt::format("unexpected character '{}'", text_.substr(at_, length)),
        byte == '#' ? "comments are '// …' and '/* … */'" : "");
    push(bad_token, at_ + length);
  }

  void push(TokenKind kind, std::size_t end) {
    lexed_.tokens.push_back({kind, line_start_, span(at_, end)});
    line_start_ = false;
    at_ = end;
  }

  [[nodiscard]] static Span span(std::size_t begin, std::size_t end) {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

  std::string_view text_;
  const Lexicon& lexicon_;
  Diagnostics& diagnostics_;
  Lexed lexed_;
  std::size_t at_ = 0;
  bool line_start_ = true;
};

}  // namespace

Lexicon::Lexicon(std::initializer_list<Spelling> spellings, LexicalForm form) : form_(form) {
  for (const Spelling& spelling : spellings) {
    if (canonical_.size() <= spelling.kind) canonical_.resize(spelling.kind + std::size_t{1});
    if (canonical_[spelling.kind].empty()) canonical_[spelling.kind] = spelling.text;
    if (is_letter(spelling.text.front())) {
      words_.emplace(spelling.text, spelling.kind);
    } else {
      signs_[static_cast<unsigned char>(spelling.text.front())].push_back(spelling);
    }
  }
  for (std::vector<Spelling>& row : signs_) {
    std::ranges::stable_sort(row, std::ranges::greater{},
                             [](const Spelling& s) { return s.text.size(); });
  }
}

TokenKind Lexicon::word(std::string_view text) const {
  const auto found = words_.find(text);
  return found == words_.end() ? name_token : found->second;
}

Spelling Lexicon::longest_sign(std::string_view text) const {
  for (const Spelling& spelling : signs_[static_cast<unsigned char>(text.front())]) {
    if (text.starts_with(spelling.text)) return spelling;
  }
  return {{}, end_token};
}

std::string_view Lexicon::canonical(TokenKind kind) const {
  return kind < canonical_.size() ? canonical_[kind] : std::string_view{};
}

bool Lexicon::is_word(TokenKind kind) const {
  const std::string_view spelling = canonical(kind);
  return !spelling.empty() && words_.contains(spelling);
}

Lexed lex(const Source& source, const Lexicon& lexicon, Diagnostics& diagnostics) {
  return Scanner(source, lexicon, diagnostics).run();
}

std::string string_value(std::string_view token) {
  std::string value;
  for (std::size_t i = 1; i + 1 < token.size(); ++i) {
    char c = token[i];
    if (c == '\\') {
      c = token[++i];
      if (c == 'n') c = '\n';
      if (c == 't') c = '\t';
    }
    value += c;
  }
  return value;
}

}  // namespace cohort::base
