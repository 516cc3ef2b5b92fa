#include "trace/sequential/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "trace/check.hpp"
#include "trace/sequential/table.hpp"

namespace cohort::trace::sequential {
namespace {

constexpr std::size_t longest_header = std::size_t{1} << 24U;

/// How many digits the numbers of a text have before and behind the point.  Those with more places
/// than any scale has are kept apart from the others anyway, so they do not count.
struct Digits {
  unsigned whole = 0;
  unsigned places = 0;

  void add(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
      const unsigned before = run(text, i);
      unsigned behind = 0;
      if (before > 0 && i < text.size() && text[i] == '.') behind = run(text, ++i);
      if (before == 0) {
        ++i;
      } else if (behind <= largest_scale) {
        whole = std::max(whole, before);
        places = std::max(places, behind);
      }
    }
  }

 private:
  /// Steps over digits.
  [[nodiscard]] static unsigned run(std::string_view text, std::size_t& i) {
    const std::size_t begin = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return static_cast<unsigned>(i - begin);
  }
};

}  // namespace

std::optional<Form> form_of_name(std::string_view name) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  if (name.ends_with(".csv")) return Form::Csv;
  for (const std::string_view database : {".db", ".sqlite", ".sqlite3"}) {
    if (name.ends_with(database)) return Form::Sqlite;
  }
  return std::nullopt;
}

std::optional<Form> form_of_text(std::string_view begin) {
  if (begin.starts_with("SQLite format 3")) return Form::Sqlite;
  if (begin.starts_with("\xEF\xBB\xBF")) begin.remove_prefix(3);
  const std::size_t first = begin.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return std::nullopt;
  const std::string_view rest = begin.substr(first);
  const std::string_view line = rest.substr(0, rest.find_first_of("\r\n"));
  if (line.starts_with('{')) {
    for (const std::string_view member : {"\"process\"", "\"processes\"", "\"init\""}) {
      if (line.find(member) != std::string_view::npos) return std::nullopt;
    }
    return Form::JsonLines;
  }
  // What the native form and logs begin with.
  const auto has = [&](std::string_view text) { return line.find(text) != std::string_view::npos; };
  if (line.starts_with('#') || line.starts_with("process ") || line.starts_with("init ") ||
      has(":=") || has("{") || has("skip")) {
    return std::nullopt;
  }
  if (!has(",") && (has(" ") || has("\t"))) return std::nullopt;
  return Form::Csv;
}

std::variant<Source, Problem> Source::open(const std::string& path, Form form,
                                           const Options& options, std::optional<Input> input) {
  Source source;
  source.path_ = path;
  source.form_ = form;
  source.table_ = options.table;
  std::optional<Problem> problem;
  if (form == Form::Order) {
    problem = source.open_order(path, options, std::move(input));
  } else if (form == Form::Sqlite) {
    problem = open_table(path, source.table_);
  } else {
    problem = source.open_text(path, std::move(input));
  }
  if (problem) return *problem;
  return source;
}

std::optional<Problem> Source::open_text(const std::string& path, std::optional<Input> input) {
  if (!input) bytes_ = Bytes::open(path);
  if (!bytes_ && !input) {
    std::variant<Input, base::Unreadable> opened = Input::open(path);
    if (const auto* const unreadable = std::get_if<base::Unreadable>(&opened)) {
      return Problem{0, 0, unreadable->reason, ""};
    }
    input = std::move(std::get<Input>(opened));
  }
  input_ = std::move(input);
  std::size_t wanted = 1U << 16U;
  bool failed = false;
  while (true) {
    std::size_t filled = ahead_.size();
    ahead_.resize(wanted);
    if (bytes_) {
      filled += bytes_->read(filled, ahead_.data() + filled, wanted - filled, failed);
    } else {
      while (filled < wanted) {
        const std::size_t count = input_->read(ahead_.data() + filled, wanted - filled);
        if (count == 0) break;
        filled += count;
      }
    }
    ahead_.resize(filled);
    const bool complete = filled < wanted;
    if (failed) return Problem{0, 0, "cannot be read", ""};
    if (input_ && input_->failure()) return Problem{0, 0, *input_->failure(), ""};
    if (form_ != Form::Csv) break;
    std::string reason;
    std::optional<CsvHeader> header = read_csv_header(ahead_, complete, reason);
    if (header) {
      header_ = std::move(*header);
      names_ = header_.names;
      begin_ = header_.size;
      header_lines_ = header_.lines;
      break;
    }
    if (!reason.empty()) return Problem{1, 0, reason, ""};
    if (filled > longest_header) {
      return Problem{1, 0, "the header is longer than 16 MiB", "is a quote missing?"};
    }
    wanted *= 4;
  }
  ahead_.erase(0, begin_);
  return std::nullopt;
}

std::optional<Problem> Source::open_order(const std::string& path, const Options& options,
                                          std::optional<Input> input) {
  reading_ = std::make_unique<Reading>(input ? read_trace(path, *input, options.order)
                                             : read_trace(path, options.order));
  if (reading_->stopped) return std::nullopt;
  if (!reading_->ok()) {
    const Finding first = reading_->findings.sorted().front();
    for (const Finding& finding : reading_->findings.sorted()) {
      if (finding.severity != Finding::Severity::Error) continue;
      return Problem{finding.where.line, finding.where.column, finding.message, finding.hint};
    }
    return Problem{first.where.line, first.where.column, first.message, first.hint};
  }
  const Trace& trace = reading_->trace;
  if (trace.executions.size() > 1) {
    return Problem{0, 0, "the file holds several executions", "leave --sequential out"};
  }
  if (!trace.executions.empty() && !is_total(trace.executions.front())) {
    return Problem{0, 0, "the events are not totally ordered",
                   "without --sequential every order of them is checked"};
  }
  names_.emplace();
  for (std::uint32_t v = 0; v < trace.words.num_variables(); ++v) {
    names_->emplace_back(trace.words.name(VariableId{v}));
  }
  return std::nullopt;
}

unsigned Source::scale(const Atoms& atoms) const {
  Digits digits;
  const std::string_view first = std::string_view{ahead_}.substr(0, 4096);
  if (form_ == Form::Csv) {
    // Quotes may shift a cell into another column here: that costs speed, nothing else.
    std::size_t column = 0;
    for (std::size_t at = 0; at < first.size(); ++at) {
      const std::size_t end = std::min(first.find_first_of(",\n", at), first.size());
      const std::string_view name = column < header_.names.size()
                                        ? std::string_view{header_.names[column]}
                                        : std::string_view{};
      if (name == "time" || atoms.find_variable(name)) {
        digits.add(first.substr(at, end - at));
      }
      column = end < first.size() && first[end] == ',' ? column + 1 : 0;
      at = end;
    }
  } else {
    digits.add(first);
  }
  constexpr unsigned most_digits = 18;
  const unsigned places = std::max(atoms.places_of_constants(), digits.places);
  return std::min(places, most_digits - std::min(digits.whole, most_digits));
}

void Source::set_initial(Plan& plan) const {
  plan.has_times = !names_ || std::ranges::find(*names_, "time") != names_->end();
  if (!reading_) return;
  const Vocabulary& words = reading_->trace.words;
  for (std::uint32_t v = 0; v < plan.atoms.variables().size(); ++v) {
    const auto known = words.find_variable(plan.atoms.variables()[v].name);
    if (known) plan.initial[v] = Held::of(words.initial(*known), plan.atoms.scale());
  }
}

std::unique_ptr<RecordReader> Source::reader(const Plan& plan) const {
  if (form_ == Form::Csv) return std::make_unique<CsvReader>(CsvLayout{plan, header_});
  return std::make_unique<JsonLinesReader>();
}

Checked Source::check(const Plan& plan, const CheckOptions& options, base::Limits& limits) {
  if (form_ == Form::Order) return check_order(plan, limits);
  if (form_ == Form::Sqlite) return check_table(plan, path_, table_, options, limits);
  const std::unique_ptr<RecordReader> records = reader(plan);
  if (bytes_) return check_bytes(plan, *records, *bytes_, begin_, header_lines_, options, limits);
  Checked checked =
      check_stream(plan, *records, *input_, std::move(ahead_), header_lines_, options, limits);
  if (base::Limits::interrupted()) {
    checked.complete = false;
    return checked;
  }
  if (input_->failure()) {
    checked.fold.end_with({checked.fold.offset().lines, 0, *input_->failure(), ""});
  }
  return checked;
}

Checked Source::check_order(const Plan& plan, base::Limits& limits) const {
  Checked checked{Fold{plan, 0}, true};
  Piece piece{plan, checked.fold.history(), true, {}};
  const Trace& trace = reading_->trace;
  if (reading_->stopped) checked.complete = false;
  if (!trace.executions.empty()) {
    const Order& order = trace.executions.front();
    std::uint64_t next_line = 1;
    for (const Event e : order.some_order()) {
      if (limits.exceeded()) {
        checked.complete = false;
        break;
      }
      // Lines of a file need not stand in causal order.
      piece.add_lines(order.line(e) - next_line);
      for (const Assignment& assignment : trace.words.assignments(order.effect(e))) {
        const auto variable = plan.atoms.find_variable(trace.words.name(assignment.variable));
        if (variable) piece.assign(*variable, trace.words.value(assignment.value));
      }
      if (piece.failed()) break;
      piece.end_of_record();
      next_line = order.line(e) + std::uint64_t{1};
    }
  }
  checked.fold.add(piece.summary(), nullptr);
  return checked;
}

}  // namespace cohort::trace::sequential
