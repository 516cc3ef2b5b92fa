#include "trace/sequential/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace cohort::trace::sequential {
namespace {

constexpr std::size_t most_fast_cells = 64;

[[nodiscard]] std::uint64_t load8(const char* p) {
  std::uint64_t word = 0;
  std::memcpy(&word, p, sizeof word);
  return word;
}

/// The number that eight digits write, the first in the lowest byte; each byte is 0 to 9.
[[nodiscard]] std::uint64_t eight_digits(std::uint64_t digits) {
  digits = digits * 10 + (digits >> 8U);
  return (((digits & 0x000000FF000000FFULL) * 0x000F424000000064ULL) +
          (((digits >> 16U) & 0x000000FF000000FFULL) * 0x0000271000000001ULL)) >>
         32U;
}

/// How many digits stand at p, 0 to 8, and their bytes minus '0'.
[[nodiscard]] unsigned count_digits(const char* p, std::uint64_t& digits) {
  digits = load8(p) ^ 0x3030303030303030ULL;
  const std::uint64_t others = ((digits + 0x7676767676767676ULL) | digits) & 0x8080808080808080ULL;
  return others == 0 ? 8U : static_cast<unsigned>(std::countr_zero(others)) / 8;
}

/// What fixed numbers are multiples of.
struct Scale {
  unsigned places = 0;
  std::int64_t unit = 1;              ///< 10^places
  std::uint64_t largest_whole = ~0U;  ///< of a number with a point
};

[[nodiscard]] Scale scale_of(unsigned places) {
  const std::int64_t unit = power_of_ten(places);
  return {places, unit, static_cast<std::uint64_t>(INT64_MAX / unit - 1)};
}

/// The digits behind a point, at most nine, as a multiple of 10^-places; -1 if that is not enough.
/// Stands behind them then.
[[nodiscard]] inline std::int64_t read_places(const char*& at, unsigned scale) {
  std::uint64_t digits = 0;
  unsigned places = count_digits(at, digits);
  if (places == 0 || places > scale) return -1;
  auto part = static_cast<std::int64_t>(eight_digits(digits << (64 - 8 * places)));
  at += places;
  if (*at >= '0' && *at <= '9') {
    if (++places > scale) return -1;
    part = part * 10 + (*at++ - '0');
    if (*at >= '0' && *at <= '9') return -1;
  }
  return part * power_of_ten(scale - places);
}

/// A plain number at p: digits, maybe with a minus and a point.  Stands behind it then.  False if
/// it is something else, or does not fit.
[[nodiscard]] inline bool read_fixed(const char*& p, const Scale& scale, std::int64_t& fixed) {
  const bool negative = *p == '-';
  const char* at = p + (negative ? 1 : 0);
  std::uint64_t digits = 0;
  const unsigned count = count_digits(at, digits);
  if (count == 0) return false;
  std::uint64_t number = 0;
  if (count < 8) [[likely]] {
    number = eight_digits(digits << (64 - 8 * count));
    at += count;
  } else {
    number = eight_digits(digits);
    at += 8;
    unsigned more = 8;
    for (; *at >= '0' && *at <= '9'; ++at) {
      if (++more > 19) return false;
      number = number * 10 + static_cast<std::uint64_t>(*at - '0');
    }
    if (number > INT64_MAX) return false;
  }
  auto result = static_cast<std::int64_t>(number);
  if (*at == '.') {
    ++at;
    if (number > scale.largest_whole) return false;
    const std::int64_t part = read_places(at, scale.places);
    if (part < 0) return false;
    result = result * scale.unit + part;
  } else if (scale.places > 0 && __builtin_mul_overflow(result, scale.unit, &result)) {
    return false;
  }
  fixed = negative ? -result : result;
  p = at;
  return true;
}

/// Steps over `count` commas.  Null where a line break or a quote comes first.
[[nodiscard]] inline const char* skip_cells(const char* p, std::uint32_t count) {
  if (count == 0) return p;
#if defined(__SSE2__)
  const __m128i comma = _mm_set1_epi8(',');
  const __m128i line = _mm_set1_epi8('\n');
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i zero = _mm_setzero_si128();
  while (true) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    auto commas = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, comma)));
    const __m128i stops =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, line), _mm_cmpeq_epi8(bytes, quote)),
                     _mm_cmpeq_epi8(bytes, zero));
    const auto stop = static_cast<unsigned>(_mm_movemask_epi8(stops));
    if (stop != 0) commas &= (stop & (0U - stop)) - 1;
    const auto found = static_cast<std::uint32_t>(std::popcount(commas));
    if (found >= count) {
      for (; count > 1; --count) commas &= commas - 1;
      return p + std::countr_zero(commas) + 1;
    }
    if (stop != 0) return nullptr;
    count -= found;
    p += 16;
  }
#else
  for (;; ++p) {
    if (*p == ',' && --count == 0) return p + 1;
    if (*p == '\n' || *p == '"' || *p == 0) return nullptr;
  }
#endif
}

/// The line break behind the last cell; null where a comma or a quote comes first.
[[nodiscard]] inline const char* find_line_end(const char* p) {
#if defined(__SSE2__)
  const __m128i comma = _mm_set1_epi8(',');
  const __m128i line = _mm_set1_epi8('\n');
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i zero = _mm_setzero_si128();
  while (true) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i others =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, comma), _mm_cmpeq_epi8(bytes, quote)),
                     _mm_cmpeq_epi8(bytes, zero));
    const auto ends = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, line)));
    const auto stop = static_cast<unsigned>(_mm_movemask_epi8(others));
    if ((ends | stop) != 0) {
      const int at = std::countr_zero(ends | stop);
      return (ends >> at & 1U) != 0 ? p + at : nullptr;
    }
    p += 16;
  }
#else
  for (;; ++p) {
    if (*p == '\n') return p;
    if (*p == ',' || *p == '"' || *p == 0) return nullptr;
  }
#endif
}

/// Reads one record with all rules.
class SlowReader {
 public:
  enum class Result { Record, Blank, Skipped, NeedsMore, Wrong };

  SlowReader(const CsvLayout& layout, Piece& piece) : layout_(layout), piece_(piece) {}

  /// Stands behind the record then.  Assigns nothing unless the record is right.
  [[nodiscard]] Result read(const char*& p, const char* end, bool complete) {
    begin_ = p;
    lines_ = 0;
    cells_.clear();
    texts_.clear();
    std::size_t column = 0;
    const char* at = p;
    while (true) {
      bool quoted = false;
      std::string_view cell;
      const Result result = cell_at(at, end, complete, cell, quoted);
      if (result != Result::Record) return result;
      if (column < layout_.num_columns()) {
        keep(column, cell, quoted);
      }
      ++column;
      if (at < end && *at == ',') {
        ++at;
        continue;
      }
      if (at < end) ++at;  // the line break
      break;
    }
    if (column == 1 && layout_.num_columns() > 1 && blank_) {
      p = at;
      return Result::Blank;
    }
    p = at;
    if (column != layout_.num_columns()) {
      piece_.complain(fmt::format("expected {} cell{}, found {}", layout_.num_columns(),
                                  layout_.num_columns() == 1 ? "" : "s", column));
      return Result::Skipped;
    }
    commit();
    return Result::Record;
  }

  [[nodiscard]] std::uint64_t lines_inside() const { return lines_; }

 private:
  struct Cell {
    std::size_t column;
    std::string_view text;
    std::size_t copy;  // 1 + index into texts_, or 0
  };

  [[nodiscard]] Result wrong(std::string message, std::string hint = {}) {
    piece_.fail(std::move(message), std::move(hint));
    return Result::Wrong;
  }

  /// One cell; stands at the comma or line break behind it, or at the end.
  [[nodiscard]] Result cell_at(const char*& at, const char* end, bool complete,
                               std::string_view& cell, bool& quoted) {
    const char* begin = at;
    while (at < end && (*at == ' ' || *at == '\t')) ++at;
    blank_ = false;
    if (at < end && *at == '"') {
      quoted = true;
      return quoted_cell(at, end, complete, cell);
    }
    begin = at;
    while (at < end && *at != ',' && *at != '\n') {
      if (*at == '"') {
        return wrong("a quote inside a cell that does not begin with one",
                     "put the whole cell into quotes and double the quote");
      }
      ++at;
    }
    if (at == end && !complete) return Result::NeedsMore;
    const char* last = at;
    if (last > begin && last[-1] == '\r' && (at == end || *at == '\n')) --last;
    while (last > begin && (last[-1] == ' ' || last[-1] == '\t')) --last;
    cell = {begin, static_cast<std::size_t>(last - begin)};
    blank_ = cell.empty();
    if (cell.find('\r') != std::string_view::npos) {
      return wrong("a carriage return inside a cell", "lines end with LF or CRLF");
    }
    return Result::Record;
  }

  [[nodiscard]] Result quoted_cell(const char*& at, const char* end, bool complete,
                                   std::string_view& cell) {
    ++at;
    std::string text;
    const char* from = at;
    while (true) {
      const auto* const quote =
          static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end - at)));
      if (quote == nullptr) {
        if (!complete) return Result::NeedsMore;
        return wrong("a quote that is never closed");
      }
      if (quote + 1 == end && !complete) return Result::NeedsMore;
      at = quote + 1;
      if (at < end && *at == '"') {  // doubled: one quote of the text
        text.append(from, at);
        from = ++at;
        continue;
      }
      text.append(from, quote);
      break;
    }
    lines_ += static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
    texts_.push_back(std::move(text));
    cell = texts_.back();
    while (at < end && (*at == ' ' || *at == '\t')) ++at;
    if (at < end && *at == '\r' && (at + 1 == end || at[1] == '\n')) {
      if (at + 1 == end && !complete) return Result::NeedsMore;
      ++at;
    }
    if (at == end) return complete ? Result::Record : Result::NeedsMore;
    if (*at != ',' && *at != '\n') {
      return wrong("expected a comma or the end of the line behind a closing quote",
                   "a quote inside quotes is doubled");
    }
    return Result::Record;
  }

  void keep(std::size_t column, std::string_view cell, bool quoted) {
    if (layout_.variable(column) == CsvLayout::nobody || cell.empty()) return;
    cells_.push_back({column, cell, quoted ? texts_.size() : 0});
  }

  void commit() {
    for (const Cell& cell : cells_) {
      // Quoted texts may have moved while others were added.
      const std::string_view text = cell.copy == 0 ? cell.text : texts_[cell.copy - 1];
      piece_.assign(layout_.variable(cell.column), cell_value(text, scratch_));
    }
  }

  const CsvLayout& layout_;
  Piece& piece_;
  const char* begin_ = nullptr;
  std::uint64_t lines_ = 0;
  bool blank_ = false;
  std::vector<Cell> cells_;
  std::vector<std::string> texts_;
  std::string scratch_;
};

/// The fast reader.  True, and behind the record, if that was plain.
[[nodiscard]] inline bool read_plain(const CsvLayout& layout, const char*& begin, Piece& piece,
                                     const Scale& scale) {
  struct Change {
    std::uint32_t variable;
    std::int64_t fixed;
  };
  Change changes[most_fast_cells];
  std::size_t count = 0;
  const char* p = begin;
  const auto& watched = layout.watched();
  const std::size_t last = watched.size() - 1;
  const bool to_end = layout.rest() == 0;
  for (std::size_t i = 0; i <= last; ++i) {
    const CsvLayout::Watched& next = watched[i];
    if (next.skip > 0) {
      p = skip_cells(p, next.skip);
      if (p == nullptr) return false;
    }
    if (*p != ',' && *p != '\n') {  // else it is empty: unchanged
      Change& change = changes[count];
      if (!read_fixed(p, scale, change.fixed)) return false;
      change.variable = next.variable;
      ++count;
    }
    if (i == last && to_end) {
      if (*p == '\r') ++p;
      if (*p != '\n') return false;
      ++p;
    } else {
      if (*p != ',') return false;
      ++p;
    }
  }
  if (!to_end) {
    p = skip_cells(p, layout.rest() - 1);
    if (p == nullptr) return false;
    p = find_line_end(p);
    if (p == nullptr) return false;
    ++p;
  }
  begin = p;
  for (std::size_t i = 0; i < count; ++i) piece.assign_fixed(changes[i].variable, changes[i].fixed);
  return true;
}

}  // namespace

CsvLayout::CsvLayout(const Plan& plan, const CsvHeader& header) : names_(header.names) {
  std::uint32_t skip = 0;
  for (const std::string& name : header.names) {
    const auto variable = plan.atoms.find_variable(name);
    variables_.push_back(variable.value_or(nobody));
    if (variable) {
      watched_.push_back({skip, *variable});
      skip = 0;
    } else {
      ++skip;
    }
  }
  rest_ = skip;
}

const char* read_csv(const CsvLayout& layout, const char* begin, const char* end, const char* stop,
                     bool complete, Piece& piece) {
  SlowReader slow{layout, piece};
  const Scale scale = scale_of(piece.plan().atoms.scale());
  const bool has_fast = !layout.watched().empty() && layout.watched().size() <= most_fast_cells;
  // The fast reader looks at bytes behind the end; what it makes of them must not count.
  const char* p = begin;
  while (p < stop) {
    const char* at = p;
    if (has_fast && read_plain(layout, at, piece, scale)) {
      p = at;
      piece.end_of_record();
      if (!piece.wants_more()) return p;
      continue;
    }
    switch (slow.read(p, end, complete)) {
      case SlowReader::Result::Record:
        if (piece.failed()) return p;
        piece.end_of_record();
        piece.add_lines(slow.lines_inside());
        if (!piece.wants_more()) return p;
        break;
      case SlowReader::Result::Blank:
        piece.add_lines(1);
        break;
      case SlowReader::Result::Skipped:
        piece.add_lines(1 + slow.lines_inside());
        if (piece.failed()) return p;
        break;
      case SlowReader::Result::NeedsMore:
      case SlowReader::Result::Wrong:
        return p;
    }
  }
  return p;
}

Value cell_value(std::string_view cell, std::string& scratch) {
  const char first = cell.empty() ? ' ' : cell.front();
  // Only what starts like a number can be one.
  if ((first < '0' || first > '9') && first != '-' && first != '+' && first != '.') {
    return Value::text(cell);
  }
  if (const auto number = parse_number(cell, scratch)) return *number;
  // `+5`, `.5`, `5.` are numbers elsewhere, too.
  std::string plain{cell.starts_with('+') ? cell.substr(1) : cell};
  const std::size_t sign = plain.starts_with('-') && !cell.starts_with('+') ? 1 : 0;
  if (plain.size() > sign && plain[sign] == '.') plain.insert(sign, "0");
  const std::size_t point = plain.find('.');
  if (point != std::string::npos && point > sign &&
      (point + 1 == plain.size() || plain[point + 1] == 'e' || plain[point + 1] == 'E')) {
    plain.insert(point + 1, "0");
  }
  if (plain != cell && plain != "0.0" && !plain.starts_with("+")) {
    if (const auto number = parse_number(plain, scratch)) return *number;
  }
  return Value::text(cell);
}

std::optional<CsvHeader> read_csv_header(std::string_view text, bool complete,
                                         std::string& reason) {
  CsvHeader header;
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  if (rest.starts_with("\xFF\xFE") || rest.starts_with("\xFE\xFF")) {
    reason = "the file is UTF-16; UTF-8 is what can be read";
    return std::nullopt;
  }
  if (rest.empty() && complete) {
    reason = "the file is empty: there is no header with the names of the variables";
    return std::nullopt;
  }
  // The header is one record: read it as texts.
  bool in_quotes = false;
  bool was_quoted = false;
  bool ended = false;
  std::string name;
  std::size_t i = 0;
  const auto finish_name = [&] {
    if (!was_quoted) {
      const std::size_t first = name.find_first_not_of(" \t\r");
      const std::size_t last = name.find_last_not_of(" \t\r");
      name = first == std::string::npos ? "" : name.substr(first, last - first + 1);
    }
    header.names.push_back(std::move(name));
    name.clear();
    was_quoted = false;
  };
  for (; i < rest.size(); ++i) {
    const char c = rest[i];
    if (in_quotes) {
      if (c == '\n') ++header.lines;
      if (c != '"') {
        name += c;
      } else if (i + 1 < rest.size() && rest[i + 1] == '"') {
        name += c;
        ++i;
      } else {
        in_quotes = false;
      }
    } else if (c == '"') {
      if (was_quoted || name.find_first_not_of(" \t") != std::string::npos) {
        reason = "a quote inside a name of the header";
        return std::nullopt;
      }
      name.clear();
      in_quotes = true;
      was_quoted = true;
    } else if (c == ',') {
      finish_name();
    } else if (c == '\n') {
      ended = true;
      ++i;
      break;
    } else if (was_quoted) {
      if (c != ' ' && c != '\t' && c != '\r') {
        reason = "expected a comma behind a closing quote in the header";
        return std::nullopt;
      }
    } else {
      name += c;
    }
  }
  if (!ended && !complete) return std::nullopt;
  if (in_quotes) {
    reason = "a quote in the header is never closed";
    return std::nullopt;
  }
  finish_name();
  header.size = static_cast<std::size_t>(rest.data() - text.data()) + i;
  std::set<std::string> seen;
  for (const std::string& column : header.names) {
    if (column.empty() || seen.insert(column).second) continue;
    reason = fmt::format("two columns are called '{}'", column);
    return std::nullopt;
  }
  return header;
}

}  // namespace cohort::trace::sequential
