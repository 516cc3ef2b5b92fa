#include "trace/sequential/table.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <charconv>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace cohort::trace::sequential {
namespace {

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct CloseStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;
using Statement = std::unique_ptr<sqlite3_stmt, CloseStatement>;

[[nodiscard]] Database open_database(const std::string& path, std::string& reason) {
  sqlite3* opened = nullptr;
  const int status =
      sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database{opened};
  if (status != SQLITE_OK) {
    reason = fmt::format("cannot be opened: {}", sqlite3_errmsg(opened));
    return nullptr;
  }
  return database;
}

[[nodiscard]] Statement prepare(sqlite3* database, const std::string& text, std::string& reason) {
  sqlite3_stmt* made = nullptr;
  if (sqlite3_prepare_v2(database, text.c_str(), -1, &made, nullptr) != SQLITE_OK) {
    reason = sqlite3_errmsg(database);
  }
  return Statement{made};
}

[[nodiscard]] std::string quoted_name(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

[[nodiscard]] std::string_view text_of(sqlite3_stmt* row, int column) {
  const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
  return text == nullptr
             ? std::string_view{}
             : std::string_view{text, static_cast<std::size_t>(sqlite3_column_bytes(row, column))};
}

/// The shortest digits that are this number: 0.1 is meant as 0.1.
[[nodiscard]] std::string digits_of(double number) {
  char digits[64];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

/// The names of a table's columns; empty if there is no such table.
[[nodiscard]] std::vector<std::string> columns_of(sqlite3* database, const std::string& table,
                                                  std::string& reason) {
  std::vector<std::string> columns;
  const Statement statement =
      prepare(database, fmt::format("PRAGMA table_info({})", quoted_name(table)), reason);
  while (statement && sqlite3_step(statement.get()) == SQLITE_ROW) {
    columns.emplace_back(text_of(statement.get(), 1));
  }
  return columns;
}

/// Time, name and value: the columns that are called so, or else the first three.
[[nodiscard]] std::vector<std::string> roles_of(const std::vector<std::string>& columns) {
  std::vector<std::string> roles;
  for (const char* const role : {"time", "name", "value"}) {
    for (const std::string& column : columns) {
      if (sqlite3_stricmp(column.c_str(), role) == 0) roles.push_back(column);
    }
  }
  if (roles.size() == 3) return roles;
  return {columns[0], columns[1], columns[2]};
}

/// Reads rows into a piece.
class TableReader {
 public:
  enum class End { Done, NotSorted, Stopped, Wrong };

  TableReader(const Plan& plan, Piece& piece) : plan_(plan), piece_(piece) {}

  [[nodiscard]] End read(sqlite3* database, sqlite3_stmt* row, base::Limits& limits) {
    std::uint64_t number = 0;  // of the row
    Held last_time = Held::unknown();
    bool open = false;  // a position whose last row may not have come
    int status = SQLITE_ROW;
    while ((status = sqlite3_step(row)) == SQLITE_ROW) {
      ++number;
      if (limits.exceeded()) return End::Stopped;
      Held time;
      if (sqlite3_column_type(row, 0) == SQLITE_NULL) {
        time = last_time;
      } else {
        if (!value_at(row, 0)) return wrong("the time is a blob");
        time.set(*value_, plan_.atoms.scale());
      }
      const int order = last_time.is_known() ? compare_times(last_time, time) : -1;
      if (order > 0) return End::NotSorted;
      const bool same = order == 0 && last_time.is_known();
      if (open && !same) finish_position(number - first_row_);
      if (!open || !same) {
        first_row_ = number;
        open = true;
        if (time.is_known() && plan_.time && sqlite3_column_type(row, 0) != SQLITE_NULL) {
          piece_.assign(*plan_.time, time.value(plan_.atoms.scale()));
        }
      }
      last_time = time;
      if (!change(row)) return wrong("the value is a blob");
      if (piece_.failed()) return End::Wrong;
    }
    if (status != SQLITE_DONE) {
      return wrong(fmt::format("cannot be read: {}", sqlite3_errmsg(database)));
    }
    if (open) finish_position(number + 1 - first_row_);
    return End::Done;
  }

 private:
  [[nodiscard]] End wrong(std::string message) {
    piece_.fail(std::move(message));
    return End::Wrong;
  }

  /// `rows` of the position: a line is a row.
  void finish_position(std::uint64_t rows) {
    piece_.end_of_record();
    piece_.add_lines(rows - 1);
  }

  [[nodiscard]] bool change(sqlite3_stmt* row) {
    const auto variable = plan_.atoms.find_variable(text_of(row, 1));
    if (!variable || variable == plan_.time) return true;
    if (sqlite3_column_type(row, 2) == SQLITE_NULL) return true;
    if (!value_at(row, 2)) return false;
    piece_.assign(*variable, *value_);
    return true;
  }

  /// Into value_; false for a blob.
  [[nodiscard]] bool value_at(sqlite3_stmt* row, int column) {
    switch (sqlite3_column_type(row, column)) {
      case SQLITE_INTEGER: {
        text_ = std::to_string(sqlite3_column_int64(row, column));
        value_ = parse_number(text_, digits_);
        return true;
      }
      case SQLITE_FLOAT: {
        text_ = digits_of(sqlite3_column_double(row, column));
        value_ = cell_value(text_, digits_);
        return true;
      }
      case SQLITE_TEXT:
        text_ = text_of(row, column);
        value_ = cell_value(text_, digits_);
        return true;
      default:
        return false;
    }
  }

  [[nodiscard]] int compare_times(const Held& a, const Held& b) const {
    if (!b.is_known()) return 0;
    if (a.is_fixed() && b.is_fixed()) return a.fixed() < b.fixed() ? -1 : a.fixed() > b.fixed();
    const Value left = a.value(plan_.atoms.scale());
    const Value right = b.value(plan_.atoms.scale());
    if (left.is_text() != right.is_text()) return left.is_text() ? 1 : -1;
    if (left.is_text()) {
      const int order = left.characters().compare(right.characters());
      return order;
    }
    const auto order = compare(left, right);
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  }

  const Plan& plan_;
  Piece& piece_;
  std::uint64_t first_row_ = 0;
  std::optional<Value> value_;
  std::string text_;
  std::string digits_;
};

}  // namespace

std::optional<Problem> open_table(const std::string& path, std::string& table) {
  std::string reason;
  const Database database = open_database(path, reason);
  if (!database) return Problem{0, 0, reason, ""};
  std::vector<std::string> tables;
  {
    const Statement statement = prepare(database.get(),
                                        "SELECT name FROM sqlite_master WHERE type IN ('table', "
                                        "'view') AND name NOT LIKE 'sqlite_%' ORDER BY name",
                                        reason);
    if (!statement) return Problem{0, 0, fmt::format("cannot be read: {}", reason), ""};
    int status = SQLITE_ROW;
    while ((status = sqlite3_step(statement.get())) == SQLITE_ROW) {
      tables.emplace_back(text_of(statement.get(), 0));
    }
    if (status != SQLITE_DONE) {
      return Problem{0, 0, fmt::format("cannot be read: {}", sqlite3_errmsg(database.get())), ""};
    }
  }
  std::string list;
  for (const std::string& name : tables) list += (list.empty() ? "" : ", ") + name;
  if (table.empty()) {
    if (tables.size() != 1) {
      return Problem{
          0, 0, "--table is needed: which one?",
          tables.empty() ? "the file has no tables" : fmt::format("the file has {}", list)};
    }
    table = tables.front();
  }
  const std::vector<std::string> columns = columns_of(database.get(), table, reason);
  if (columns.empty()) {
    return Problem{0, 0, fmt::format("there is no table '{}'", table),
                   list.empty() ? "the file has no tables" : fmt::format("the file has {}", list)};
  }
  if (columns.size() < 3) {
    return Problem{0, 0, fmt::format("the table '{}' has fewer than three columns", table),
                   "a time, a name and a value"};
  }
  return std::nullopt;
}

Checked check_table(const Plan& plan, const std::string& path, const std::string& table,
                    const CheckOptions&, base::Limits& limits) {
  Checked checked{Fold{plan, 0}, true};
  std::string reason;
  const Database database = open_database(path, reason);
  const std::vector<std::string> columns =
      database ? columns_of(database.get(), table, reason) : std::vector<std::string>{};
  if (columns.size() < 3) {
    checked.fold.end_with({0, 0, reason.empty() ? "the table cannot be read" : reason, ""});
    return checked;
  }
  const std::vector<std::string> roles = roles_of(columns);
  const std::string select =
      fmt::format("SELECT {}, {}, {} FROM {}", quoted_name(roles[0]), quoted_name(roles[1]),
                  quoted_name(roles[2]), quoted_name(table));
  const std::string by_time = fmt::format(" ORDER BY {}", quoted_name(roles[0]));
  for (const std::string& order : {std::string{" ORDER BY rowid"}, by_time + ", rowid", by_time}) {
    reason.clear();
    const Statement statement = prepare(database.get(), select + order, reason);
    if (!statement) continue;  // a view, or a table without rowid
    Piece piece{plan, empty_history(plan), true, {}};
    const auto end = TableReader{plan, piece}.read(database.get(), statement.get(), limits);
    if (end == TableReader::End::NotSorted && order != by_time) continue;
    checked.complete = end != TableReader::End::Stopped;
    checked.fold.add(piece.summary(), nullptr);
    return checked;
  }
  checked.fold.end_with({0, 0, fmt::format("cannot be read: {}", reason), ""});
  return checked;
}

std::optional<std::vector<TableRow>> rows_of(const std::string& path, std::string table,
                                             std::string& reason) {
  if (const std::optional<Problem> problem = open_table(path, table)) {
    reason = problem->message;
    return std::nullopt;
  }
  const Database database = open_database(path, reason);
  if (!database) return std::nullopt;
  const std::vector<std::string> roles = roles_of(columns_of(database.get(), table, reason));
  const std::string select =
      fmt::format("SELECT {}, {}, {} FROM {}", quoted_name(roles[0]), quoted_name(roles[1]),
                  quoted_name(roles[2]), quoted_name(table));
  Statement row = prepare(database.get(), select + " ORDER BY rowid", reason);
  if (!row) row = prepare(database.get(), select, reason);  // a view, or a table without rowid
  if (!row) return std::nullopt;
  const auto text_at = [&](int column) -> std::optional<std::string> {
    if (sqlite3_column_type(row.get(), column) == SQLITE_NULL) return std::nullopt;
    if (sqlite3_column_type(row.get(), column) == SQLITE_FLOAT) {
      return digits_of(sqlite3_column_double(row.get(), column));
    }
    return std::string{text_of(row.get(), column)};
  };
  std::vector<TableRow> rows;
  int status = SQLITE_ROW;
  while ((status = sqlite3_step(row.get())) == SQLITE_ROW) {
    rows.push_back({text_at(0), std::string{text_of(row.get(), 1)}, text_at(2)});
  }
  if (status == SQLITE_DONE) return rows;
  reason = sqlite3_errmsg(database.get());
  return std::nullopt;
}

}  // namespace cohort::trace::sequential
