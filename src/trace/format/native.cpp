// The native form, `.trace`: grammar/trace.ebnf, a line at a time.
//
// Written by hand rather than in Spirit: a million lines a second leave no time for backtracking,
// and no rule needs more than one token of foresight.  tests/grammar compares it with the EBNF.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.hpp"
#include "trace/format/assigned_once.hpp"
#include "trace/format/read.hpp"
#include "trace/order_builder.hpp"

namespace cohort::trace {
namespace {

enum class Kind : std::uint8_t {
  End,
  Name,
  Process,  // the four words
  Init,
  Skip,
  After,
  Natural,
  Negative,
  Decimal,
  String,
  EventName,
  Comma,
  Equals,
  Assign,
  Colon,
  OpenBrace,
  CloseBrace,
  OpenBracket,
  CloseBracket,
  OpenParen,
  CloseParen,
  Bad,  // reported already
};

struct Token {
  Kind kind = Kind::End;
  std::string_view text;
};

constexpr std::uint8_t letter_class = 1;
constexpr std::uint8_t digit_class = 2;
constexpr std::uint8_t blank_class = 4;

constexpr std::array<std::uint8_t, 256> classes = [] {
  std::array<std::uint8_t, 256> table{};
  for (unsigned c = 'a'; c <= 'z'; ++c) table[c] = letter_class;
  for (unsigned c = 'A'; c <= 'Z'; ++c) table[c] = letter_class;
  table['_'] = letter_class;
  for (unsigned c = '0'; c <= '9'; ++c) table[c] = digit_class;
  table[' '] = table['\t'] = table['\r'] = blank_class;
  return table;
}();

[[nodiscard]] std::uint8_t class_of(char c) { return classes[static_cast<unsigned char>(c)]; }
[[nodiscard]] bool is_digit(char c) { return class_of(c) == digit_class; }

[[nodiscard]] Kind kind_of_word(std::string_view word) {
  switch (word.size()) {
    case 4:
      if (word == "init") return Kind::Init;
      if (word == "skip") return Kind::Skip;
      break;
    case 5:
      if (word == "after") return Kind::After;
      break;
    case 7:
      if (word == "process") return Kind::Process;
      break;
    default:
      break;
  }
  return Kind::Name;
}

class Reader {
 public:
  Reader(Lines& lines, Trace& trace, Findings& findings)
      : lines_(lines), words_(trace.words), findings_(findings), builder_(findings) {
    builder_.require_line_order();
  }
  /// Reads for the grammar's sake; what the builder says goes to `unheard`.
  Reader(Lines& lines, Trace& trace, Findings& findings, Findings& unheard)
      : lines_(lines),
        words_(trace.words),
        findings_(findings),
        builder_(unheard),
        syntax_only_(true) {}

  [[nodiscard]] Order read() {
    while (const auto line = lines_.next()) {
      line_ = *line;
      at_ = line_.data();
      end_ = at_ + line_.size();
      advance();
      if (token_.kind != Kind::End && !read_line() && findings_.full()) break;
    }
    return builder_.finish();
  }

 private:
  enum class Section { Start, Inits, Events };

  // Tokens.

  [[nodiscard]] char look(std::ptrdiff_t ahead) const {
    return end_ - at_ > ahead ? at_[ahead] : '\0';
  }

  void advance() {
    while (at_ != end_ && class_of(*at_) == blank_class) ++at_;
    const char* const begin = at_;
    const auto take = [&](Kind kind, std::ptrdiff_t size) {
      at_ = begin + size;
      token_ = {kind, {begin, static_cast<std::size_t>(size)}};
    };
    if (at_ == end_ || *at_ == '#') {
      at_ = end_;
      token_ = {Kind::End, {begin, 0}};
      return;
    }
    switch (class_of(*at_)) {
      case letter_class:
        return take_word();
      case digit_class:
        return take_number();
      default:
        break;
    }
    switch (*at_) {
      case '"':
        return take_string();
      case '-':
        if (is_digit(look(1))) return take_number();
        break;
      case ':':
        return look(1) == '=' ? take(Kind::Assign, 2) : take(Kind::Colon, 1);
      case ',':
        return take(Kind::Comma, 1);
      case '=':
        return take(Kind::Equals, 1);
      case '{':
        return take(Kind::OpenBrace, 1);
      case '}':
        return take(Kind::CloseBrace, 1);
      case '[':
        return take(Kind::OpenBracket, 1);
      case ']':
        return take(Kind::CloseBracket, 1);
      case '(':
        return take(Kind::OpenParen, 1);
      case ')':
        return take(Kind::CloseParen, 1);
      default:
        break;
    }
    const std::size_t length = base::utf8_length({at_, static_cast<std::size_t>(end_ - at_)}, 0);
    token_ = {Kind::Bad, {begin, length == 0 ? 1 : length}};
    error(begin, length == 0 ? "a byte that is no UTF-8"
                             : fmt::format("unexpected character '{}'", token_.text));
  }

  /// `#2` behind a process, without a blank, makes an event name of it.
  [[nodiscard]] bool take_event_number(const char* begin) {
    if (look(0) != '#' || !is_digit(look(1))) return false;
    ++at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    token_ = {Kind::EventName, {begin, static_cast<std::size_t>(at_ - begin)}};
    return true;
  }

  void take_word() {
    const char* const begin = at_;
    while (at_ != end_ && (class_of(*at_) & (letter_class | digit_class)) != 0) ++at_;
    const std::string_view word{begin, static_cast<std::size_t>(at_ - begin)};
    if (at_ != end_ && *at_ == '#' && take_event_number(begin)) return;
    if (at_ != end_ && *at_ == '(') {
      const char* const open = at_++;
      while (at_ != end_ && is_digit(*at_)) ++at_;
      if (at_ > open + 1 && look(0) == ')') {
        ++at_;
        if (take_event_number(begin)) return;
      }
      at_ = open;
    }
    token_ = {kind_of_word(word), word};
  }

  void take_number() {
    const char* const begin = at_;
    const bool negative = *at_ == '-';
    if (negative) ++at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    Kind kind = negative ? Kind::Negative : Kind::Natural;
    if (look(0) == '.' && is_digit(look(1))) {
      ++at_;
      while (at_ != end_ && is_digit(*at_)) ++at_;
      kind = Kind::Decimal;
    }
    token_ = {kind, {begin, static_cast<std::size_t>(at_ - begin)}};
  }

  void take_string() {
    const char* const begin = at_++;
    while (at_ != end_ && *at_ != '"') {
      if (*at_ == '\\') {
        const char next = look(1);
        if (next != '"' && next != '\\' && next != 'n' && next != 't') {
          return bad_string(at_, "a backslash stands before a quote, a backslash, n or t only");
        }
        at_ += 2;
      } else if (static_cast<unsigned char>(*at_) < 0x80) {
        ++at_;
      } else {
        const std::size_t length =
            base::utf8_length({at_, static_cast<std::size_t>(end_ - at_)}, 0);
        if (length == 0) return bad_string(at_, "a byte that is no UTF-8");
        at_ += length;
      }
    }
    if (at_ == end_) return bad_string(begin, "a string that is not closed on its line");
    ++at_;
    if (take_event_number(begin)) return;
    token_ = {Kind::String, {begin, static_cast<std::size_t>(at_ - begin)}};
  }

  void bad_string(const char* where, std::string message) {
    error(where, std::move(message));
    token_ = {Kind::Bad, {where, 0}};
  }

  /// What stands between the quotes.
  [[nodiscard]] std::string_view unquoted(std::string_view text) {
    text = text.substr(1, text.size() - 2);
    if (text.find('\\') == std::string_view::npos) return text;
    unquoted_.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
      char c = text[i];
      if (c == '\\') {
        c = text[++i];
        if (c == 'n') c = '\n';
        if (c == 't') c = '\t';
      }
      unquoted_ += c;
    }
    return unquoted_;
  }

  // Errors.

  void error(const char* where, std::string message, std::string hint = {}) {
    const auto column =
        base::count_code_points(line_.substr(0, static_cast<std::size_t>(where - line_.data())));
    findings_.error({lines_.number(), static_cast<std::uint32_t>(column) + 1}, std::move(message),
                    std::move(hint), std::string{line_.substr(0, 10'000)});
  }

  /// An error that the grammar knows nothing of; the rest of the line can still be read.
  bool object(const char* where, std::string message) {
    if (!syntax_only_) error(where, std::move(message));
    return syntax_only_;
  }

  [[nodiscard]] bool expected(std::string_view what, std::string hint = {}) {
    if (token_.kind == Kind::Bad) return false;
    const std::string found = token_.kind == Kind::End ? std::string{"the end of the line"}
                                                       : fmt::format("'{}'", token_.text);
    error(token_.text.data(), fmt::format("expected {}, found {}", what, found), std::move(hint));
    return false;
  }

  [[nodiscard]] bool take(Kind kind, std::string_view what) {
    if (token_.kind != kind) return expected(what);
    advance();
    return true;
  }

  // Lines.  Each returns false when it has reported an error.

  bool read_line() {
    switch (token_.kind) {
      case Kind::Process:
        return read_processes();
      case Kind::Init:
        return read_inits();
      default:
        return read_event();
    }
  }

  bool read_processes() {
    if (section_ != Section::Start || declared_) {
      error(token_.text.data(),
            declared_ ? "a second 'process' line" : "the 'process' line stands behind others",
            "one 'process' line, before everything else, names all processes");
      return false;
    }
    declared_ = true;
    advance();
    do {
      const char* const where = token_.text.data();
      std::string_view name;
      if (!read_process(name)) return false;
      const std::size_t before = num_declared_;
      const ProcessId p = builder_.process(name);
      if (base::index_of(p) < before) {
        if (!object(where, fmt::format("process '{}' is named twice", name))) return false;
      }
      builder_.declare(p);
      ++num_declared_;
    } while (token_.kind != Kind::End);
    return true;
  }

  bool read_inits() {
    if (section_ == Section::Events) {
      error(token_.text.data(), "'init' stands behind the first event",
            "initial values come before all events");
      return false;
    }
    section_ = Section::Inits;
    advance();
    while (true) {
      const char* const where = token_.text.data();
      VariableId variable{};
      ValueId value{};
      if (!read_variable(variable) || !take(Kind::Equals, "'='") || !read_value(value))
        return false;
      const std::size_t index = base::index_of(variable);
      if (initialised_.size() <= index) initialised_.resize(index + 1, false);
      if (initialised_[index]) {
        if (!object(where, fmt::format("'{}' has an initial value already", words_.name(variable))))
          return false;
      }
      initialised_[index] = true;
      words_.set_initial(variable, value);
      if (token_.kind == Kind::End) return true;
      if (!take(Kind::Comma, "',' or the end of the line")) return false;
    }
  }

  bool read_event() {
    section_ = Section::Events;
    std::string_view name;
    if (token_.kind != Kind::Name && token_.kind != Kind::String) {
      return expected("a process", token_.kind == Kind::EventName
                                       ? "an event's number is counted, not written"
                                       : "");
    }
    if (!read_process(name)) return false;
    builder_.begin_event(builder_.process(name), lines_.number());
    assignments_.clear();
    assigned_.start_event();
    const bool clock = token_.kind == Kind::OpenBrace;
    const bool right = clock ? read_clock() && read_effect() : read_effect() && read_after();
    // An event with an error is kept, so that those that come after it are not at fault.
    builder_.end_event(words_.effect(assignments_));
    if (!right) return false;
    if (token_.kind == Kind::End) return true;
    if (clock && token_.kind == Kind::After) {
      return expected("the end of the line", "an event has a clock or an 'after', not both");
    }
    return expected("the end of the line");
  }

  bool read_clock() {
    advance();
    while (true) {
      std::string_view name;
      if (!read_process(name)) return false;
      const ProcessId q = builder_.process(name);
      std::uint64_t number = 0;
      if (!take(Kind::Colon, "':'") || !read_number(number)) return false;
      builder_.add_component(q, number);
      if (token_.kind == Kind::CloseBrace) break;
      if (!take(Kind::Comma, "',' or '}'")) return false;
    }
    advance();
    return true;
  }

  bool read_effect() {
    if (token_.kind == Kind::Skip) {
      advance();
      return true;
    }
    while (true) {
      const char* const where = token_.text.data();
      Assignment assignment;
      if (token_.kind != Kind::Name) return expected("an assignment or 'skip'");
      if (!read_variable(assignment.variable) || !take(Kind::Assign, "':='") ||
          !read_value(assignment.value)) {
        return false;
      }
      if (!assigned_.add(assignment.variable) &&
          !object(where,
                  fmt::format("the event assigns '{}' twice", words_.name(assignment.variable)))) {
        return false;
      }
      assignments_.push_back(assignment);
      if (token_.kind != Kind::Comma) return true;
      advance();
    }
  }

  bool read_after() {
    if (token_.kind != Kind::After) return true;
    do {
      advance();
      if (token_.kind != Kind::EventName) {
        return expected("the name of an event", "such as P1#2, without a blank");
      }
      const std::size_t sign = token_.text.rfind('#');
      std::uint64_t number = 0;
      if (!to_number(token_.text.substr(sign + 1), number)) return false;
      std::string_view process = token_.text.substr(0, sign);
      if (process.front() == '"') {
        process = unquoted(process);
      } else if (process.back() == ')') {
        const std::size_t open = process.find('(');
        process = with_index(process.substr(0, open),
                             process.substr(open + 1, process.size() - open - 2));
      } else if (kind_of_word(process) != Kind::Name) {
        return expected("the name of an event");
      }
      builder_.add_after(builder_.process(process), number);
      advance();
    } while (token_.kind == Kind::Comma);
    return true;
  }

  // Parts of lines.

  /// `client(3)`, whatever zeros stand before the 3.
  [[nodiscard]] std::string_view with_index(std::string_view name, std::string_view digits) {
    while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
    indexed_.assign(name);
    indexed_ += '(';
    indexed_ += digits;
    indexed_ += ')';
    return indexed_;
  }

  bool read_process(std::string_view& name) {
    if (token_.kind == Kind::String) {
      name = unquoted(token_.text);
      advance();
      return true;
    }
    if (token_.kind != Kind::Name) return expected("a process");
    name = token_.text;
    advance();
    if (token_.kind != Kind::OpenParen) return true;
    advance();
    if (token_.kind != Kind::Natural) return expected("a process number");
    name = with_index(name, token_.text);
    advance();
    return take(Kind::CloseParen, "')'");
  }

  bool to_number(std::string_view digits, std::uint64_t& number) {
    number = 0;
    for (const char c : digits) {
      if (number > 900'000'000'000'000'000) {
        if (!object(digits.data(), "this number is too large")) return false;
      }
      number = number * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return true;
  }

  bool read_number(std::uint64_t& number) {
    if (token_.kind != Kind::Natural) return expected("a number");
    if (!to_number(token_.text, number)) return false;
    advance();
    return true;
  }

  bool read_variable(VariableId& variable) {
    if (token_.kind != Kind::Name) return expected("a variable");
    const std::string_view name = token_.text;
    advance();
    if (token_.kind != Kind::OpenBracket) {
      variable = words_.variable(name);
      return true;
    }
    std::string indexed{name};
    char before = '[';
    do {
      advance();
      if (token_.kind != Kind::Natural && token_.kind != Kind::Negative) {
        return expected("an integer");
      }
      std::string_view digits = token_.text;
      const bool negative = digits.front() == '-';
      if (negative) digits.remove_prefix(1);
      while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
      indexed += before;
      if (negative && digits != "0") indexed += '-';
      indexed += digits;
      before = ',';
      advance();
    } while (token_.kind == Kind::Comma);
    if (!take(Kind::CloseBracket, "',' or ']'")) return false;
    variable = words_.variable(indexed + "]");
    return true;
  }

  bool read_value(ValueId& value) {
    switch (token_.kind) {
      case Kind::Natural:
      case Kind::Negative:
      case Kind::Decimal:
        value = words_.value(*parse_number(token_.text, long_digits_));
        break;
      case Kind::String:
        value = words_.value(Value::text(unquoted(token_.text)));
        break;
      default:
        return expected("a value", token_.kind == Kind::Name ? "strings are in quotes" : "");
    }
    advance();
    return true;
  }

  Lines& lines_;
  Vocabulary& words_;
  Findings& findings_;
  OrderBuilder builder_;
  bool syntax_only_ = false;

  std::string_view line_;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  Token token_;

  Section section_ = Section::Start;
  bool declared_ = false;
  std::size_t num_declared_ = 0;
  std::vector<bool> initialised_;
  std::vector<Assignment> assignments_;
  AssignedOnce assigned_;
  std::string unquoted_;
  std::string indexed_;
  std::string long_digits_;
};

}  // namespace

void read_native(Lines& lines, Trace& trace, Findings& findings) {
  Reader reader{lines, trace, findings};
  trace.executions.push_back(reader.read());
}

Findings check_native_syntax(std::string text) {
  Input input = Input::from_text(std::move(text));
  Lines lines{input};
  Trace trace;
  Findings findings;
  Findings unheard;
  (void)Reader{lines, trace, findings, unheard}.read();
  return findings;
}

}  // namespace cohort::trace
