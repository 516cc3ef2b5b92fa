#include "trace/format/regex.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <utility>

namespace cohort::trace {

struct Regex::Code {
  explicit Code(pcre2_code* compiled)
      : code(compiled), match(pcre2_match_data_create_from_pattern(compiled, nullptr)) {}
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
  ~Code() {
    pcre2_match_data_free(match);
    pcre2_code_free(code);
  }

  pcre2_code* code;
  pcre2_match_data* match;
};

Regex::Regex(std::unique_ptr<Code> code) : code_(std::move(code)) {}
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

std::variant<Regex, RegexError> Regex::compile(const std::string& expression) {
  int error = 0;
  PCRE2_SIZE offset = 0;
  // Logs hold what programs printed: bytes that are no UTF-8 match nothing, and do no harm.
  pcre2_code* const code =
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expression.data()), expression.size(),
                    PCRE2_MULTILINE | PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_DUPNAMES |
                        PCRE2_NEVER_BACKSLASH_C,
                    &error, &offset, nullptr);
  if (code == nullptr) {
    std::array<char, 256> message{};
    pcre2_get_error_message(error, reinterpret_cast<PCRE2_UCHAR*>(message.data()), message.size());
    return RegexError{offset, message.data()};
  }
  // Without the compiler inside PCRE2 it is slower, not wrong.
  (void)pcre2_jit_compile(code, PCRE2_JIT_COMPLETE | PCRE2_JIT_PARTIAL_HARD);
  Regex regex{std::make_unique<Code>(code)};

  std::uint32_t count = 0;
  std::uint32_t size = 0;
  PCRE2_SPTR table = nullptr;
  pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &count);
  pcre2_pattern_info(code, PCRE2_INFO_NAMEENTRYSIZE, &size);
  pcre2_pattern_info(code, PCRE2_INFO_NAMETABLE, &table);
  for (std::uint32_t i = 0; i < count; ++i) {
    const PCRE2_SPTR entry = table + std::size_t{i} * size;
    const unsigned number = (static_cast<unsigned>(entry[0]) << 8U) | entry[1];
    regex.groups_.push_back({reinterpret_cast<const char*>(entry + 2), number});
  }
  std::ranges::sort(regex.groups_, {}, &Group::number);
  return regex;
}

Regex::Found Regex::search(std::string_view text, std::size_t from, More more) {
  const std::uint32_t options = more == More::MayCome ? PCRE2_PARTIAL_HARD : 0;
  const int status = pcre2_match(code_->code, reinterpret_cast<PCRE2_SPTR>(text.data()),
                                 text.size(), from, options, code_->match, nullptr);
  if (status > 0) return Found::Match;
  if (status == PCRE2_ERROR_PARTIAL) return Found::Partly;
  return status == PCRE2_ERROR_NOMATCH ? Found::Nothing : Found::TooHard;
}

std::size_t Regex::begin() const { return pcre2_get_ovector_pointer(code_->match)[0]; }
std::size_t Regex::end() const { return pcre2_get_ovector_pointer(code_->match)[1]; }

std::optional<std::string_view> Regex::group(std::string_view text, unsigned number) const {
  const PCRE2_SIZE* const bounds =
      pcre2_get_ovector_pointer(code_->match) + std::size_t{2} * number;
  if (number >= pcre2_get_ovector_count(code_->match) || bounds[0] == PCRE2_UNSET) {
    return std::nullopt;
  }
  return text.substr(bounds[0], bounds[1] - bounds[0]);
}

}  // namespace cohort::trace
