#include "report/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/utf8.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

namespace cohort::report {
namespace {

[[nodiscard]] bool is_full(const Attempt& attempt) {
  return attempt.options.engine == cctl::Engine::Full;
}
[[nodiscard]] const char* engine_word(const Attempt& attempt) {
  return is_full(attempt) ? "full" : "quotient";
}
[[nodiscard]] const char* elimination_word(const Attempt& attempt) {
  return attempt.options.quantifier_elimination == cctl::Elimination::On ? "on" : "off";
}
[[nodiscard]] const char* counting_word(const Attempt& attempt) {
  const bool counts = attempt.can_count && attempt.options.counting != cctl::Counting::Off;
  return counts ? "on" : "off";
}
[[nodiscard]] const char* build_word(const Attempt& attempt) {
  return attempt.options.build == cctl::Build::Lazy ? "lazy" : "eager";
}

/// How many times as much as in the first attempt; none where that cannot be said.
struct Ratios {
  std::optional<double> states;
  std::optional<double> seconds;
  std::optional<double> memory;
};

[[nodiscard]] Ratios ratios(const Attempt& attempt, const Attempt& first) {
  const auto ratio = [&](double mine, double its) -> std::optional<double> {
    // A search that was cut short says nothing about the other one's size.
    if (attempt.verdict == base::Verdict::Unknown || first.verdict == base::Verdict::Unknown ||
        its <= 0) {
      return std::nullopt;
    }
    return mine / its;
  };
  const cctl::Statistics& mine = attempt.statistics;
  const cctl::Statistics& its = first.statistics;
  return {ratio(static_cast<double>(mine.states), static_cast<double>(its.states)),
          ratio(mine.seconds, its.seconds),
          ratio(static_cast<double>(mine.memory_bytes), static_cast<double>(its.memory_bytes))};
}

constexpr std::size_t num_columns = 15;
using Line = std::array<std::string, num_columns>;
// The words stand at the left, the numbers at the right of their columns.
constexpr std::size_t first_number = 5;
constexpr std::size_t last_number = 13;

[[nodiscard]] std::string ratio_text(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.3g}", *ratio) : "-";
}

[[nodiscard]] std::string seconds_text(double seconds) {
  return seconds < 10 ? fmt::format("{:.3f} s", seconds) : fmt::format("{:.1f} s", seconds);
}

[[nodiscard]] Line line_of(const Comparison& comparison, std::size_t number) {
  const Attempt& attempt = comparison.attempts[number];
  const cctl::Statistics& statistics = attempt.statistics;
  const Ratios ratio = ratios(attempt, comparison.attempts.front());
  std::string verdict = word_for(attempt.verdict);
  if (!attempt.reason.empty()) verdict += fmt::format(" ({})", attempt.reason);
  return {number == 0 ? comparison.formula->name : "",
          engine_word(attempt),
          is_full(attempt) ? "-" : elimination_word(attempt),
          is_full(attempt) ? "-" : counting_word(attempt),
          build_word(attempt),
          fmt::format("{}", statistics.states),
          fmt::format("{}", statistics.edges),
          fmt::format("{}", statistics.marks),
          fmt::format("{}", statistics.labels),
          seconds_text(statistics.seconds),
          text_of_bytes(statistics.memory_bytes),
          ratio_text(ratio.states),
          ratio_text(ratio.seconds),
          ratio_text(ratio.memory),
          verdict};
}

}  // namespace

bool Comparison::disagrees() const {
  const auto any = [&](base::Verdict wanted) {
    return std::ranges::any_of(attempts, [&](const Attempt& a) { return a.verdict == wanted; });
  };
  return any(base::Verdict::Holds) && any(base::Verdict::Fails);
}

base::Verdict Comparison::verdict() const {
  for (const base::Verdict wanted :
       {base::Verdict::Holds, base::Verdict::Fails, base::Verdict::Error}) {
    const bool found =
        std::ranges::any_of(attempts, [&](const Attempt& a) { return a.verdict == wanted; });
    if (found) return wanted;
  }
  return base::Verdict::Unknown;
}

std::string text_of_disagreements(const std::vector<Comparison>& comparisons) {
  std::string text;
  for (const Comparison& comparison : comparisons) {
    if (!comparison.disagrees()) continue;
    text += fmt::format(
        "cohort: INTERNAL ERROR: the configurations disagree about '{}'; at least one verdict is "
        "wrong.\nPlease report the model, the property and this table.\n",
        comparison.formula->name);
  }
  return text;
}

void write_table(std::ostream& out, const std::vector<Comparison>& comparisons) {
  std::vector<Line> lines{{"property", "engine", "elimination", "counting", "build", "states",
                           "edges", "marks", "labels", "time", "memory", "ratio: states", "time",
                           "memory", "verdict"}};
  for (const Comparison& comparison : comparisons) {
    for (std::size_t i = 0; i < comparison.attempts.size(); ++i) {
      lines.push_back(line_of(comparison, i));
    }
  }
  std::array<std::size_t, num_columns> widths{};
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < num_columns; ++i) {
      widths[i] = std::max(widths[i], base::count_code_points(line[i]));
    }
  }
  for (const Line& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < num_columns; ++i) {
      const std::string padding(widths[i] - base::count_code_points(line[i]), ' ');
      const bool number = i >= first_number && i <= last_number;
      if (i > 0) text += "  ";
      text += number ? padding + line[i] : line[i] + padding;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out << text << '\n';
  }
}

void write_json(std::ostream& out, const Run& run, const std::vector<Comparison>& comparisons) {
  JsonWriter json{out};
  const auto write_ratio = [&](const char* name, const std::optional<double>& ratio) {
    json.key(name);
    if (ratio) {
      json.value(*ratio);
    } else {
      json.null();
    }
  };
  std::vector<std::string> errors;
  json.begin_object();
  write_json_head(json, run);
  json.key("properties");
  json.begin_array();
  for (const Comparison& comparison : comparisons) {
    const auto met = std::ranges::find_if(
        comparison.attempts, [](const Attempt& attempt) { return !attempt.error.empty(); });
    if (met != comparison.attempts.end()) errors.push_back(met->error);
    json.begin_object();
    json.member("name", comparison.formula->name);
    json.member("formula", comparison.formula->text);
    json.member("verdict",
                word_for(comparison.disagrees() ? base::Verdict::Error : comparison.verdict()));
    json.member("expected", comparison.formula->expected);
    json.member("agree", !comparison.disagrees());
    json.key("configurations");
    json.begin_array();
    for (const Attempt& attempt : comparison.attempts) {
      json.begin_object();
      json.member("engine", engine_word(attempt));
      json.member("quantifier_elimination", elimination_word(attempt));
      json.member("counting", counting_word(attempt));
      json.member("build", build_word(attempt));
      json.member("verdict", word_for(attempt.verdict));
      if (!attempt.reason.empty()) json.member("reason", attempt.reason);
      json.key("statistics");
      write_json_statistics(json, attempt.statistics);
      const Ratios ratio = ratios(attempt, comparison.attempts.front());
      json.key("ratio");
      json.begin_object(JsonWriter::Layout::Line);
      write_ratio("states", ratio.states);
      write_ratio("seconds", ratio.seconds);
      write_ratio("memory_bytes", ratio.memory);
      json.end();
      json.end();
    }
    json.end();
    json.end();
  }
  json.end();
  write_json_errors(json, run, errors);
  json.end();
}

}  // namespace cohort::report
