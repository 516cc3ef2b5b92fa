// SQLite tables: a row is a time, a name and a value.
//
// Rows of one time, one after the other, are one position.  A table whose times never decrease in
// the order of its rows is read in that order; another one is sorted by time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "trace/sequential/check.hpp"

namespace cohort::trace::sequential {

/// What is wrong with the file or the table; picks the table if there is only one.
[[nodiscard]] std::optional<Problem> open_table(const std::string& path, std::string& table);

[[nodiscard]] Checked check_table(const Plan& plan, const std::string& path,
                                  const std::string& table, const CheckOptions& options,
                                  base::Limits& limits);

/// A row as texts; a null is nothing.
struct TableRow {
  std::optional<std::string> time;
  std::string name;
  std::optional<std::string> value;
};

/// All rows in the order of the table, for those who can hold them; nothing, with the reason, if
/// they cannot be read.  An empty name means the only table.
[[nodiscard]] std::optional<std::vector<TableRow>> rows_of(const std::string& path,
                                                           std::string table, std::string& reason);

}  // namespace cohort::trace::sequential
