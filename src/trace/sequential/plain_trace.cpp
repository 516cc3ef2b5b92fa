#include "trace/sequential/plain_trace.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include "trace/check.hpp"
#include "trace/format/input.hpp"
#include "trace/format/json_scanner.hpp"
#include "trace/sequential/table.hpp"
#include "trace/value.hpp"

namespace cohort::trace::sequential {
namespace {

[[nodiscard]] std::optional<std::string> text_of(const std::string& path, std::string& reason) {
  std::variant<Input, base::Unreadable> opened = Input::open(path);
  if (const auto* const unreadable = std::get_if<base::Unreadable>(&opened)) {
    reason = unreadable->reason;
    return std::nullopt;
  }
  std::string text;
  std::string block(std::size_t{1} << 16U, '\0');
  while (const std::size_t count = std::get<Input>(opened).read(block.data(), block.size())) {
    text.append(block, 0, count);
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  return text;
}

[[nodiscard]] PlainTrace plain_json(const std::string& text) {
  PlainTrace trace;
  std::uint64_t line = 1;
  std::size_t at = 0;
  for (; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view one = std::string_view{text}.substr(at, end - at);
    at = end + 1;
    if (one.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    PlainRow row;
    row.line = line;
    JsonScanner json{one};
    if (json.open_object()) {
      while (json.next_member()) {
        const std::string name{json.key()};
        if (json.type() == JsonScanner::Type::String) {
          row.changes.push_back({name, std::string{json.string()}, true});
        } else if (json.type() == JsonScanner::Type::Number) {
          row.changes.push_back({name, std::string{json.number()}, false});
        } else {
          (void)json.skip();
        }
      }
    }
    trace.rows.push_back(std::move(row));
  }
  return trace;
}

[[nodiscard]] PlainTrace plain_csv(const std::string& text) {
  PlainTrace trace;
  std::uint64_t line = 1;
  std::size_t at = 0;
  std::vector<std::string> names;
  while (at < text.size()) {
    const std::uint64_t first_line = line;
    std::vector<std::string> cells(1);
    bool quotes = false;
    bool quoted_cell = false;
    bool over = false;
    const auto trim = [&] {
      if (quoted_cell) return;
      std::string& last = cells.back();
      last.erase(0, std::min(last.find_first_not_of(" \t\r"), last.size()));
      last.erase(last.find_last_not_of(" \t\r") + 1);
    };
    while (at < text.size() && !over) {
      const char c = text[at++];
      if (c == '\n') ++line;
      if (quotes) {
        if (c == '"' && at < text.size() && text[at] == '"') {
          cells.back() += text[at++];
        } else if (c == '"') {
          quotes = false;
        } else {
          cells.back() += c;
        }
      } else if (c == '"') {
        quotes = true;
        quoted_cell = true;
        cells.back().clear();
      } else if (c == ',') {
        trim();
        cells.emplace_back();
        quoted_cell = false;
      } else if (c == '\n') {
        over = true;
      } else if (!quoted_cell) {
        cells.back() += c;
      }
    }
    trim();
    if (names.empty()) {
      names = cells;
      continue;
    }
    if (names.size() > 1 && cells.size() == 1 && cells[0].empty()) continue;
    PlainRow row;
    row.line = first_line;
    for (std::size_t i = 0; i < std::min(names.size(), cells.size()); ++i) {
      if (!cells[i].empty()) row.changes.push_back({names[i], cells[i], false});
    }
    trace.rows.push_back(std::move(row));
  }
  return trace;
}

/// Whether one time stands before another, as numbers, numbers before texts.
[[nodiscard]] bool is_earlier(const std::string& a, const std::string& b) {
  std::string digits_of_a;
  std::string digits_of_b;
  const auto left = parse_number(a, digits_of_a);
  const auto right = parse_number(b, digits_of_b);
  if (left && right) return compare(*left, *right) < 0;
  return left.has_value() == right.has_value() ? a < b : left.has_value();
}

/// Rows of one time, one after the other, are one position; a line is a row.
[[nodiscard]] PlainTrace plain_table(std::vector<TableRow> rows) {
  // A row without a time belongs to the one before it.
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (!rows[i].time) rows[i].time = rows[i - 1].time;
  }
  std::ranges::stable_sort(rows, [](const TableRow& a, const TableRow& b) {
    return a.time && b.time ? is_earlier(*a.time, *b.time) : !a.time && b.time.has_value();
  });
  PlainTrace trace;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const TableRow& row = rows[i];
    const bool same = i > 0 && (!row.time || (rows[i - 1].time && *row.time == *rows[i - 1].time));
    if (!same) {
      trace.rows.push_back({i + 1, {}});
      if (row.time) trace.rows.back().changes.push_back({"time", *row.time, false});
    }
    if (row.value) trace.rows.back().changes.push_back({row.name, *row.value, false});
  }
  return trace;
}

[[nodiscard]] PlainRow::Change change(std::string_view name, const Value& value) {
  return {std::string{name}, value.is_text() ? std::string{value.characters()} : to_string(value),
          value.is_text()};
}

/// Of events that are all ordered.
[[nodiscard]] std::optional<PlainTrace> plain_order(const std::string& path,
                                                    const ReadOptions& options,
                                                    std::string& reason) {
  const Reading reading = read_trace(path, options);
  if (!reading.ok()) {
    reason = "has errors: " + reading.findings.sorted().front().message;
    return std::nullopt;
  }
  const Vocabulary& words = reading.trace.words;
  PlainTrace trace;
  for (std::uint32_t v = 0; v < words.num_variables(); ++v) {
    trace.initial.push_back(change(words.name(VariableId{v}), words.initial(VariableId{v})));
  }
  if (reading.trace.executions.empty()) return trace;
  const Order& order = reading.trace.executions.front();
  if (reading.trace.executions.size() > 1 || !is_total(order)) {
    reason = "is not totally ordered";
    return std::nullopt;
  }
  for (const Event e : order.some_order()) {
    PlainRow& row = trace.rows.emplace_back();
    row.line = order.line(e);
    for (const Assignment& assignment : words.assignments(order.effect(e))) {
      row.changes.push_back(change(words.name(assignment.variable), words.value(assignment.value)));
    }
  }
  return trace;
}

}  // namespace

std::optional<PlainTrace> read_plainly(const std::string& path, Form form,
                                       const Source::Options& options, std::string& reason) {
  if (form == Form::Order) return plain_order(path, options.order, reason);
  if (form == Form::Sqlite) {
    std::optional<std::vector<TableRow>> rows = rows_of(path, options.table, reason);
    if (!rows) return std::nullopt;
    return plain_table(std::move(*rows));
  }
  const std::optional<std::string> text = text_of(path, reason);
  if (!text) return std::nullopt;
  return form == Form::JsonLines ? plain_json(*text) : plain_csv(*text);
}

}  // namespace cohort::trace::sequential
