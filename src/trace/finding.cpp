#include "trace/finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/utf8.hpp"

namespace cohort::trace {
namespace {

/// At most this much of a line is shown.
constexpr std::size_t longest_excerpt = 120;

[[nodiscard]] std::string render(const std::string& file, const Finding& finding) {
  std::string out = file;
  if (finding.where.line > 0) out += fmt::format(":{}", finding.where.line);
  if (finding.where.column > 0) out += fmt::format(":{}", finding.where.column);
  out +=
      fmt::format(": {}: {}\n", finding.severity == Finding::Severity::Error ? "error" : "warning",
                  finding.message);
  if (!finding.excerpt.empty() && finding.where.column > 0) {
    // Starts the excerpt near the place when the line is long.
    std::size_t begin = 0;
    std::size_t column = 1;
    const std::string_view text = finding.excerpt;
    std::size_t at = 0;
    while (column < finding.where.column && at < text.size()) {
      at += std::max<std::size_t>(1, base::utf8_length(text, at));
      ++column;
      if (at - begin > longest_excerpt / 2) {
        begin += std::max<std::size_t>(1, base::utf8_length(text, begin));
      }
    }
    std::string shown{text.substr(begin, longest_excerpt)};
    std::string under;
    for (std::size_t i = begin; i < at; i += std::max<std::size_t>(1, base::utf8_length(text, i))) {
      under += text[i] == '\t' ? '\t' : ' ';
    }
    const std::string number = std::to_string(finding.where.line);
    const std::string margin(std::max<std::size_t>(5, number.size()), ' ');
    out += fmt::format("{:>5} | {}\n{} | {}^\n", number, shown, margin, under);
  }
  if (!finding.hint.empty()) out += fmt::format("  hint: {}\n", finding.hint);
  return out;
}

}  // namespace

void Findings::error(Place where, std::string message, std::string hint, std::string excerpt) {
  ++num_errors_;
  if (num_errors_ > most_errors) {
    ++num_left_out_;
    return;
  }
  found_.push_back(
      {Finding::Severity::Error, where, std::move(message), std::move(hint), std::move(excerpt)});
}

void Findings::warning(Place where, std::string message, std::string hint) {
  found_.push_back({Finding::Severity::Warning, where, std::move(message), std::move(hint), {}});
}

std::vector<Finding> Findings::sorted() const {
  std::vector<Finding> sorted = found_;
  std::ranges::stable_sort(sorted, {}, [](const Finding& finding) {
    return std::pair{finding.where.line, finding.where.column};
  });
  return sorted;
}

void Findings::make_strict() {
  for (Finding& finding : found_) {
    if (finding.severity == Finding::Severity::Error) continue;
    finding.severity = Finding::Severity::Error;
    ++num_errors_;
  }
}

std::string render(const std::string& file, const Findings& findings) {
  std::string out;
  for (const Finding& finding : findings.sorted()) out += render(file, finding);
  if (findings.num_left_out() > 0) {
    out += fmt::format("{}: {} more errors\n", file, findings.num_left_out());
  }
  return out;
}

}  // namespace cohort::trace
