#include "base/suggest.hpp"

#include <algorithm>
#include <cstddef>

namespace cohort::base {
namespace {

[[nodiscard]] char lower(char c) {
  return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Optimal string alignment distance, by rows.
[[nodiscard]] std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_above(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(two_above, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view name,
                                        const std::vector<std::string_view>& candidates) {
  constexpr std::size_t longest_name = 64;  // beyond it nobody mistypes, and the table gets large
  if (name.size() > longest_name) return std::nullopt;
  const std::size_t allowed = std::max<std::size_t>(1, name.size() / 3);
  std::optional<std::string_view> best;
  std::size_t best_edits = allowed + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    const std::size_t shorter = std::min(name.size(), candidate.size());
    if (longer - shorter >= best_edits) continue;
    const std::size_t distance = edits(name, candidate);
    const bool shares_nothing = distance >= longer;  // 'x' is no misspelling of 'y'
    if (distance < best_edits && !shares_nothing) {
      best = candidate;
      best_edits = distance;
    }
  }
  return best;
}

}  // namespace cohort::base
