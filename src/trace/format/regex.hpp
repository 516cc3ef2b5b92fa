// Regular expressions with named groups, as log formats are given.  The one door to PCRE2.
//
//   std::variant<Regex, RegexError> made = Regex::compile(R"((?<host>\S*) (?<clock>{.*})\n)");
//   if (regex.search(text, from, Regex::More::MayCome) == Regex::Found::Match) regex.group(i) …
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cohort::trace {

struct RegexError {
  std::size_t offset = 0;  ///< in the expression
  std::string message;
};

/// `^` and `$` match at lines, `.` does not match a line break.
class Regex {
 public:
  struct Group {
    std::string name;
    unsigned number = 0;
  };
  enum class More { MayCome, Never };
  enum class Found { Match, Nothing, Partly, TooHard };

  [[nodiscard]] static std::variant<Regex, RegexError> compile(const std::string& expression);

  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;
  ~Regex();

  /// The named groups, by number.
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }

  /// The first match at or behind `from`.  Partly: more text may make a match of what begins at
  /// begin(), or a longer one; only if More::MayCome.
  [[nodiscard]] Found search(std::string_view text, std::size_t from, More more);
  [[nodiscard]] std::size_t begin() const;
  [[nodiscard]] std::size_t end() const;
  /// What a group matched in the text of the last search; nothing if it took no part.
  [[nodiscard]] std::optional<std::string_view> group(std::string_view text, unsigned number) const;

 private:
  struct Code;
  explicit Regex(std::unique_ptr<Code> code);

  std::unique_ptr<Code> code_;
  std::vector<Group> groups_;
};

}  // namespace cohort::trace
