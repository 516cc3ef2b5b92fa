#include "cli/warnings.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/diagnostic.hpp"
#include "cli/sections.hpp"
#include "lang/warning_codes.hpp"

namespace cohort::cli {
namespace {

enum class Level { Default, Warn, Error, Off };

[[nodiscard]] std::set<std::string> all_codes() {
  std::set<std::string> codes;
  for (const base::FindingCode& code : lang::warning_codes()) codes.insert(code.code);
  for (const base::FindingCode& code : cctl::finding_codes()) codes.insert(code.code);
  return codes;
}

[[nodiscard]] std::string known_codes() { return fmt::format("{}", fmt::join(all_codes(), ", ")); }

[[nodiscard]] std::string check_word(const std::string& word) {
  const std::size_t equals = word.find('=');
  const std::string code = word.substr(0, equals);
  const std::string level = equals == std::string::npos ? "" : word.substr(equals + 1);
  if (code != "all" && !all_codes().contains(code)) {
    return fmt::format("there is no finding '{}'; there are: {}", code, known_codes());
  }
  if (level == "error" || level == "warn" || level == "off") return {};
  return fmt::format("'{}' is not of the form CODE=error|warn|off", word);
}

[[nodiscard]] std::map<std::string, Level> levels_of(const WarningWords& words) {
  std::map<std::string, Level> levels;
  for (const std::string& code : all_codes()) levels[code] = Level::Default;
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
      ->group(checking_section);
}

void weigh(const WarningWords& words, bool quiet, lang::Loaded& loaded) {
  const std::map<std::string, Level> levels = levels_of(words);
  for (const auto& input : loaded.inputs) {
    input->diagnostics.weigh([&](const std::string& code) {
      const auto found = levels.find(code);
      const Level level = found == levels.end() ? Level::Default : found->second;
      if (level == Level::Off || (quiet && level == Level::Default)) return base::Weight::Off;
      return level == Level::Error ? base::Weight::Error : base::Weight::Warning;
    });
  }
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
