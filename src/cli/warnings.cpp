#include "cli/warnings.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <map>

#include "base/diagnostic.hpp"

namespace cohort::cli {
namespace {

enum class Level { Default, Warn, Error, Off };

[[nodiscard]] std::string known_codes() {
  std::vector<std::string> codes;
  for (const cctl::FindingCode& code : cctl::finding_codes()) codes.emplace_back(code.code);
  return fmt::format("{}", fmt::join(codes, ", "));
}

[[nodiscard]] std::string check_word(const std::string& word) {
  const std::size_t equals = word.find('=');
  const std::string code = word.substr(0, equals);
  const std::string level = equals == std::string::npos ? "" : word.substr(equals + 1);
  const bool known = code == "all" || std::ranges::any_of(cctl::finding_codes(),
                                                          [&](const cctl::FindingCode& other) {
                                                            return code == other.code;
                                                          });
  if (!known) return fmt::format("there is no finding '{}'; there are: {}", code, known_codes());
  if (level == "error" || level == "warn" || level == "off") return {};
  return fmt::format("'{}' is not of the form CODE=error|warn|off", word);
}

[[nodiscard]] std::map<std::string, Level> levels_of(const WarningWords& words) {
  std::map<std::string, Level> levels;
  for (const cctl::FindingCode& code : cctl::finding_codes()) levels[code.code] = Level::Default;
  for (const std::string& word : words.given) {
    const std::string code = word.substr(0, word.find('='));
    const std::string text = word.substr(word.find('=') + 1);
    const Level level = text == "error" ? Level::Error : text == "warn" ? Level::Warn : Level::Off;
    for (auto& [name, kept] : levels) {
      if (code == "all" || code == name) kept = level;
    }
  }
  return levels;
}

}  // namespace

void add_warning_options(CLI::App& command, WarningWords& words) {
  command
      .add_option("-W", words.given,
                  "a finding is an error (status 2), a warning, or not looked for; CODE is all or "
                  "one of " +
                      known_codes() + " (repeatable)")
      ->allow_extra_args(false)
      ->check(CLI::Validator(check_word, std::string{}))
      ->type_name("CODE=error|warn|off")
      ->group("Checking");
}

std::vector<report::Finding> find(const WarningWords& words, bool quiet, cctl::Checker& checker,
                                  const cctl::Summary& summary, const lang::Loaded& loaded,
                                  const std::vector<report::Result>& results, double seconds) {
  const std::map<std::string, Level> levels = levels_of(words);
  cctl::FindingOptions options;
  options.typical_seconds = seconds / static_cast<double>(results.size() + 1);
  options.budget = std::max(0.05, 0.1 * seconds);
  for (const auto& [code, level] : levels) {
    if (level == Level::Off || (quiet && level == Level::Default)) continue;
    options.wanted.push_back(code);
    if (level != Level::Default) options.budget = std::numeric_limits<double>::infinity();
  }
  std::vector<cctl::Asked> asked;
  for (const report::Result& result : results) asked.push_back({result.formula, &result.answer});
  std::vector<report::Finding> made;
  for (cctl::Finding& found : cctl::find(checker, summary, loaded.program, asked, options)) {
    const bool is_error = levels.at(found.code) == Level::Error;
    made.push_back({std::move(found), is_error});
  }
  return made;
}

std::string text_of(const std::vector<report::Finding>& findings, const lang::Loaded& loaded) {
  std::string text;
  for (const report::Finding& finding : findings) {
    const cctl::Finding& what = finding.what;
    const base::Source& source =
        what.formula == nullptr ? loaded.inputs.front()->source : *what.formula->source;
    text += base::render(
        source, {finding.is_error ? base::Severity::Error : base::Severity::Warning, what.where,
                 fmt::format("{} [{}]", what.message, what.code), what.hint});
  }
  return text;
}

}  // namespace cohort::cli
