#include "trace/format/json_scanner.hpp"

#include "base/utf8.hpp"

namespace cohort::trace {
namespace {

[[nodiscard]] bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_utf8(std::string& to, unsigned code) {
  const auto byte = [&](unsigned value) { to += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0U | (code >> 6U));
    byte(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    byte(0xE0U | (code >> 12U));
    byte(0x80U | ((code >> 6U) & 0x3FU));
    byte(0x80U | (code & 0x3FU));
  } else {
    byte(0xF0U | (code >> 18U));
    byte(0x80U | ((code >> 12U) & 0x3FU));
    byte(0x80U | ((code >> 6U) & 0x3FU));
    byte(0x80U | (code & 0x3FU));
  }
}

}  // namespace

void JsonScanner::fail_at(std::size_t where, std::string_view message) {
  if (failed_) return;
  failed_ = true;
  failed_at_ = where;
  message_ = message;
}

void JsonScanner::skip_blanks() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n')) {
    ++at_;
  }
}

JsonScanner::Type JsonScanner::type() {
  skip_blanks();
  switch (look()) {
    case '{':
      return Type::Object;
    case '[':
      return Type::Array;
    case '"':
      return Type::String;
    case 't':
      return Type::True;
    case 'f':
      return Type::False;
    case 'n':
      return Type::Null;
    default:
      return look() == '-' || is_digit(look()) ? Type::Number : Type::None;
  }
}

bool JsonScanner::open(char bracket, std::string_view what) {
  skip_blanks();
  if (failed_) return false;
  if (look() != bracket) {
    fail(at_ == text_.size()
             ? std::string("expected ") + std::string(what) + ", found the end of the line"
             : std::string("expected ") + std::string(what));
    return false;
  }
  ++at_;
  fresh_ = true;
  return true;
}

bool JsonScanner::open_object() { return open('{', "an object"); }
bool JsonScanner::open_array() { return open('[', "an array"); }

/// Goes behind the comma before the next entry; false at the closing bracket, or at a failure.
bool JsonScanner::next(char close) {
  if (failed_) return false;
  skip_blanks();
  if (look() == close && at_ < text_.size()) {
    ++at_;
    fresh_ = false;
    return false;
  }
  if (!fresh_) {
    if (look() != ',') {
      fail(close == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
      return false;
    }
    ++at_;
    skip_blanks();
  }
  fresh_ = false;
  return true;
}

bool JsonScanner::next_member() {
  if (!next('}')) return false;
  if (look() != '"') {
    fail("expected a name in quotes");
    return false;
  }
  if (!read_string(key_scratch_, key_)) return false;
  skip_blanks();
  if (look() != ':') {
    fail("expected ':'");
    return false;
  }
  ++at_;
  return true;
}

bool JsonScanner::next_element() { return next(']'); }

bool JsonScanner::read_hex(unsigned& code) {
  code = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = look();
    unsigned digit = 0;
    if (is_digit(c)) {
      digit = static_cast<unsigned>(c - '0');
    } else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) {
      digit = static_cast<unsigned>((c | 0x20) - 'a') + 10;
    } else {
      fail("expected four hexadecimal digits");
      return false;
    }
    code = code * 16 + digit;
    ++at_;
  }
  return true;
}

bool JsonScanner::read_escape(std::string& scratch) {
  const char c = look();
  ++at_;
  switch (c) {
    case '"':
    case '\\':
    case '/':
      scratch += c;
      return true;
    case 'b':
      scratch += '\b';
      return true;
    case 'f':
      scratch += '\f';
      return true;
    case 'n':
      scratch += '\n';
      return true;
    case 'r':
      scratch += '\r';
      return true;
    case 't':
      scratch += '\t';
      return true;
    case 'u':
      break;
    default:
      fail_at(at_ - 1, "this is no escape sequence of JSON");
      return false;
  }
  const std::size_t begin = at_;
  unsigned code = 0;
  if (!read_hex(code)) return false;
  if (code >= 0xD800 && code < 0xDC00) {
    unsigned low = 0;
    if (look() == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == 'u') {
      at_ += 2;
      if (!read_hex(low)) return false;
    }
    if (low < 0xDC00 || low > 0xDFFF) {
      fail_at(begin, "half of a surrogate pair");
      return false;
    }
    code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
  } else if (code >= 0xDC00 && code < 0xE000) {
    fail_at(begin, "half of a surrogate pair");
    return false;
  }
  append_utf8(scratch, code);
  return true;
}

bool JsonScanner::read_string(std::string& scratch, std::string_view& result) {
  const std::size_t open = at_++;
  std::size_t plain = at_;
  bool copied = false;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"') {
      const std::string_view rest = text_.substr(plain, at_ - plain);
      ++at_;
      if (!copied) {
        result = rest;
      } else {
        scratch += rest;
        result = scratch;
      }
      return true;
    }
    if (c == '\\') {
      if (!copied) scratch.clear();
      copied = true;
      scratch += text_.substr(plain, at_ - plain);
      ++at_;
      if (!read_escape(scratch)) return false;
      plain = at_;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fail("a control character in a string");
      return false;
    } else if (static_cast<unsigned char>(c) < 0x80) {
      ++at_;
    } else {
      const std::size_t length = base::utf8_length(text_, at_);
      if (length == 0) {
        fail("a byte that is no UTF-8");
        return false;
      }
      at_ += length;
    }
  }
  fail_at(open, "a string that is not closed on its line");
  return false;
}

std::string_view JsonScanner::string() {
  skip_blanks();
  if (failed_) return {};
  if (look() != '"') {
    fail("expected a string");
    return {};
  }
  std::string_view result;
  return read_string(scratch_, result) ? result : std::string_view{};
}

std::string_view JsonScanner::number() {
  skip_blanks();
  if (failed_) return {};
  const std::size_t begin = at_;
  const auto digits = [&] {
    const std::size_t first = at_;
    while (is_digit(look())) ++at_;
    return at_ > first;
  };
  if (look() == '-') ++at_;
  const bool zero = look() == '0';
  bool right = digits();
  if (zero && at_ > begin + (text_[begin] == '-' ? 2U : 1U)) right = false;  // no leading zeros
  if (right && look() == '.') {
    ++at_;
    right = digits();
  }
  if (right && (look() == 'e' || look() == 'E')) {
    ++at_;
    if (look() == '+' || look() == '-') ++at_;
    right = digits();
  }
  if (!right) {
    fail_at(begin, "expected a number");
    return {};
  }
  return text_.substr(begin, at_ - begin);
}

bool JsonScanner::skip_word(std::string_view word) {
  if (!text_.substr(at_).starts_with(word)) return false;
  at_ += word.size();
  return true;
}

std::string_view JsonScanner::skip() {
  skip_blanks();
  const std::size_t begin = at_;
  std::vector<char> open;  // closing brackets to come
  do {
    if (failed_) return {};
    if (!open.empty()) {
      const char close = open.back();
      const bool more = close == '}' ? next_member() : next_element();
      if (!more) {
        open.pop_back();
        continue;
      }
    }
    switch (type()) {
      case Type::Object:
      case Type::Array:
        open.push_back(look() == '{' ? '}' : ']');
        if (open.size() > deepest) fail("nested too deep");
        ++at_;
        fresh_ = true;
        break;
      case Type::String:
        (void)string();
        break;
      case Type::Number:
        (void)number();
        break;
      case Type::True:
        if (!skip_word("true")) fail("expected a value");
        break;
      case Type::False:
        if (!skip_word("false")) fail("expected a value");
        break;
      case Type::Null:
        if (!skip_word("null")) fail("expected a value");
        break;
      case Type::None:
        fail("expected a value");
        break;
    }
  } while (!open.empty());
  return failed_ ? std::string_view{} : text_.substr(begin, at_ - begin);
}

void JsonScanner::finish() {
  skip_blanks();
  if (!failed_ && at_ < text_.size()) fail("unexpected text behind the object");
}

}  // namespace cohort::trace
