// Logs of ShiViz and GoVector: text with vector clocks, cut into events by a regular expression.
//
// Idea.  The text of an execution is matched from left to right, as ShiViz does it; what lies
// between two matches is text that no event has, and is counted by lines.  The text is held in a
// window only: a match that reaches the end of the window waits for more text.
//
// What an event assigns: the groups other than host, clock and event, by their names; the members
// of the event's text where that is a JSON object; otherwise event := "the text".
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/format/json_scanner.hpp"
#include "trace/format/read.hpp"
#include "trace/format/regex.hpp"
#include "trace/order_builder.hpp"

namespace cohort::trace {
namespace {

/// What GoVector writes.  A host may have blanks: own_host() tells it from a time stamp before it.
constexpr std::string_view two_lines = R"(^(?<host>[^{\n]*[^{\s]) (?<clock>{.*})\n(?<event>.*))";
constexpr const char* first_of_two_lines = R"(^[^{\n]*[^{\s] \{)";

/// Matching starts when so much text has come together.
constexpr std::size_t window_size = std::size_t{1} << 18U;

[[nodiscard]] bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// A number as a person writes it; "007" and "1e5" are names of something rather.
[[nodiscard]] bool looks_like_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  const auto digits = [](std::string_view part) {
    return !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
  };
  if (!digits(text.substr(0, point)) || (point > 1 && text[0] == '0')) return false;
  return point == text.size() || digits(text.substr(point + 1));
}

class Reader {
 public:
  Reader(Lines& lines, Trace& trace, Findings& findings)
      : lines_(lines),
        trace_(trace),
        words_(trace.words),
        findings_(findings),
        builder_(findings) {}

  [[nodiscard]] bool prepare(const ReadOptions& options) {
    two_line_form_ = options.regex.empty();
    regex_ = compile(two_line_form_ ? std::string{two_lines} : options.regex, "--regex");
    if (!options.delimiter.empty()) delimiter_ = compile(options.delimiter, "--delimiter");
    if (!regex_ || (!options.delimiter.empty() && !delimiter_)) return false;
    return find_groups();
  }

  void read() {
    std::optional<std::string_view> line;
    while ((line = lines_.next()) && !findings_.full()) {
      std::string_view text = *line;
      if (text.ends_with('\r')) text.remove_suffix(1);
      if (delimiter_ && delimiter_->search(text, 0, Regex::More::Never) == Regex::Found::Match) {
        match(Regex::More::Never);
        finish_execution();
        continue;
      }
      if (window_.empty()) window_line_ = lines_.number();
      window_ += text;
      window_ += '\n';
      if (window_.size() >= match_at_size_) match(Regex::More::MayCome);
    }
    match(Regex::More::Never);
    finish_execution();
    if (trace_.executions.empty()) trace_.executions.emplace_back();
    warn_of_unmatched();
  }

 private:
  [[nodiscard]] std::optional<Regex> compile(const std::string& expression,
                                             std::string_view option) {
    auto made = Regex::compile(expression);
    if (auto* const regex = std::get_if<Regex>(&made)) return std::move(*regex);
    const auto& error = std::get<RegexError>(made);
    findings_.error(
        {}, fmt::format("{}: {} (at character {})", option, error.message, error.offset + 1));
    return std::nullopt;
  }

  [[nodiscard]] bool find_groups() {
    bool all = true;
    const auto number_of = [&](std::string_view name) {
      for (const Regex::Group& group : regex_->groups()) {
        if (group.name == name) return group.number;
      }
      findings_.error({}, fmt::format("--regex: the expression has no group '{}'", name),
                      "the groups (?<host>…), (?<clock>…) and (?<event>…) are needed");
      all = false;
      return 0U;
    };
    host_ = number_of("host");
    clock_ = number_of("clock");
    event_ = number_of("event");
    for (const Regex::Group& group : regex_->groups()) {
      if (group.name == "host" || group.name == "clock" || group.name == "event") continue;
      others_.push_back({group.number, words_.variable(group.name)});
    }
    return all;
  }

  /// Takes all events out of the window; while more text may come, what could grow stays.
  void match(Regex::More more) {
    std::size_t from = 0;  // behind the last match
    std::size_t kept = window_.size();
    std::size_t at = 0;
    while (at < window_.size() && !findings_.full()) {
      const Regex::Found found = regex_->search(window_, at, more);
      if (found == Regex::Found::TooHard) {
        findings_.error({line_at(at), 0}, "the regular expression takes too long on this text");
        break;
      }
      if (found == Regex::Found::Nothing) break;
      if (found == Regex::Found::Partly) {
        kept = regex_->begin();
        break;
      }
      const std::size_t begin = regex_->begin();
      const std::size_t end = regex_->end();
      if (end == begin) {  // an empty match is no event
        at = end + 1;
        continue;
      }
      count_unmatched(from, begin);
      read_event(line_at(begin));
      from = at = end;
    }
    kept = std::max(kept, from);
    // A line that is matched in part is not counted before its end is known.
    if (more == Regex::More::MayCome && kept > from) {
      const std::size_t line_start = window_.rfind('\n', kept - 1);
      kept = line_start == std::string::npos || line_start < from ? from : line_start + 1;
    }
    count_unmatched(from, kept);
    window_line_ = line_at(kept);
    window_.erase(0, kept);
    counted_ = 0;
    counted_line_ = window_line_;
    // What waits may be long: look again only when there is much more.
    match_at_size_ = std::max(window_size, window_.size() * 2);
  }

  /// The line of a place in the window; asked from left to right.
  [[nodiscard]] std::uint32_t line_at(std::size_t place) {
    if (counted_ == 0) counted_line_ = window_line_;
    if (place >= counted_) {
      counted_line_ += static_cast<std::uint32_t>(
          std::count(window_.begin() + static_cast<std::ptrdiff_t>(counted_),
                     window_.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
      counted_ = place;
    }
    return counted_line_;
  }

  void count_unmatched(std::size_t begin, std::size_t end) {
    std::size_t at = begin;
    while (at < end) {
      const std::size_t stop = std::min(window_.find('\n', at), end);
      const std::string_view line = std::string_view{window_}.substr(at, stop - at);
      if (!is_blank(line)) {
        if (num_unmatched_ == 0) first_unmatched_ = line_at(at);
        ++num_unmatched_;
        last_unmatched_line_ = line_at(at);
        last_unmatched_ = line;
      }
      at = stop + 1;
    }
  }

  void warn_of_unmatched() {
    if (num_unmatched_ == 0) return;
    if (two_line_form_ && last_unmatched_line_ == lines_.number()) {
      auto header = Regex::compile(first_of_two_lines);
      if (auto* const regex = std::get_if<Regex>(&header);
          regex != nullptr &&
          regex->search(last_unmatched_, 0, Regex::More::Never) == Regex::Found::Match) {
        findings_.error({last_unmatched_line_, 0},
                        "the file is truncated: the line with the event's text is missing");
        return;
      }
    }
    findings_.warning({first_unmatched_, 0},
                      num_unmatched_ == 1
                          ? std::string{"this line does not match the regular expression"}
                          : fmt::format("{} lines do not match the regular expression; this is the "
                                        "first",
                                        num_unmatched_));
  }

  /// In the two-line form, of the words before a clock those that name a component of it; the last
  /// one if none do.
  [[nodiscard]] static std::string_view own_host(std::string_view words, std::string_view clock) {
    std::string_view rest = words;
    while (true) {
      if (clock.find(fmt::format("\"{}\"", rest)) != std::string_view::npos) return rest;
      const std::size_t blank = rest.find(' ');
      if (blank == std::string_view::npos) return rest;
      rest.remove_prefix(blank + 1);
    }
  }

  void read_event(std::uint32_t line) {
    const std::string_view text = window_;
    auto host = regex_->group(text, host_);
    const auto clock = regex_->group(text, clock_);
    const auto event = regex_->group(text, event_);
    if (!host || !clock || !event) {
      findings_.error({line, 0},
                      fmt::format("the group '{}' took no part in the match", !host    ? "host"
                                                                              : !clock ? "clock"
                                                                                       : "event"));
      return;
    }
    // Every line ends in a line break here, so a text at the very end stands on no line.
    if (two_line_form_ && event->data() == text.data() + text.size()) {
      findings_.error({line, 0},
                      "the file is truncated: the line with the event's text is missing");
      return;
    }
    if (two_line_form_ && host->find(' ') != std::string_view::npos) host = own_host(*host, *clock);
    assignments_.clear();
    for (const OtherGroup& other : others_) {
      if (const auto value = regex_->group(text, other.number)) {
        assign(other.variable, value_of(*value));
      }
    }
    read_event_text(*event);
    builder_.begin_event(builder_.process(*host), line);
    read_clock(*clock, line);
    builder_.end_event(words_.effect(assignments_));
  }

  void read_clock(std::string_view clock, std::uint32_t line) {
    JsonScanner json{clock};
    if (json.open_object()) {
      while (json.next_member()) {
        const ProcessId q = builder_.process(json.key());
        const std::string_view digits = json.number();
        if (json.failed()) break;
        if (digits.size() > 18 ||
            digits.find_first_not_of("0123456789") != std::string_view::npos) {
          json.fail("expected a natural number");
          break;
        }
        std::uint64_t number = 0;
        for (const char c : digits) number = number * 10 + static_cast<std::uint64_t>(c - '0');
        builder_.add_component(q, number);
      }
    }
    json.finish();
    if (json.failed()) {
      findings_.error({line, 0}, fmt::format("the clock cannot be read: {}", json.message()),
                      R"(a clock looks like {"node1": 2, "node2": 5})");
    }
  }

  void read_event_text(std::string_view event) {
    const std::size_t first = event.find_first_not_of(" \t");
    if (first != std::string_view::npos && event[first] == '{' && read_json_event(event)) return;
    assign(words_.variable("event"), words_.value(Value::text(event)));
    // "Received {"size": 3}": what the object says as well.
    const std::size_t object = event.find('{');
    if (object != std::string_view::npos) (void)read_json_event(event.substr(object));
  }

  /// False, with nothing assigned, if the text is no JSON object after all.
  [[nodiscard]] bool read_json_event(std::string_view event) {
    const std::size_t before = assignments_.size();
    JsonScanner json{event};
    if (json.open_object()) {
      while (json.next_member()) {
        const std::string key{json.key()};
        const std::optional<ValueId> value = json_value(json);
        if (value && !json.failed()) assign(words_.variable(key), *value);
      }
    }
    json.finish();
    if (json.failed()) assignments_.resize(before);
    return !json.failed();
  }

  [[nodiscard]] std::optional<ValueId> json_value(JsonScanner& json) {
    switch (json.type()) {
      case JsonScanner::Type::String:
        return words_.value(Value::text(json.string()));
      case JsonScanner::Type::Number: {
        const auto number = parse_number(json.number(), long_digits_);
        if (!number) return std::nullopt;
        return words_.value(*number);
      }
      case JsonScanner::Type::True:
      case JsonScanner::Type::False:
        return words_.value(Value::integer(json.skip() == "true" ? 1 : 0));
      case JsonScanner::Type::Null:
        (void)json.skip();
        return std::nullopt;
      default:
        return words_.value(Value::text(json.skip()));
    }
  }

  [[nodiscard]] ValueId value_of(std::string_view text) {
    if (looks_like_number(text)) {
      if (const auto number = parse_number(text, long_digits_)) return words_.value(*number);
    }
    return words_.value(Value::text(text));
  }

  /// The first one counts: a group rather than a member of the event's text.
  void assign(VariableId variable, ValueId value) {
    const bool there = std::ranges::any_of(
        assignments_, [&](const Assignment& other) { return other.variable == variable; });
    if (!there) assignments_.push_back({variable, value});
  }

  /// Text without events between two delimiters is no execution.
  void finish_execution() {
    if (builder_.num_events() > 0) trace_.executions.push_back(builder_.finish());
  }

  struct OtherGroup {
    unsigned number = 0;
    VariableId variable{};
  };

  Lines& lines_;
  Trace& trace_;
  Vocabulary& words_;
  Findings& findings_;
  OrderBuilder builder_;
  bool two_line_form_ = false;
  std::optional<Regex> regex_;
  std::optional<Regex> delimiter_;
  unsigned host_ = 0;
  unsigned clock_ = 0;
  unsigned event_ = 0;
  std::vector<OtherGroup> others_;

  std::string window_;
  std::uint32_t window_line_ = 1;
  std::size_t match_at_size_ = window_size;
  std::size_t counted_ = 0;
  std::uint32_t counted_line_ = 1;

  std::size_t num_unmatched_ = 0;
  std::uint32_t first_unmatched_ = 0;
  std::uint32_t last_unmatched_line_ = 0;
  std::string last_unmatched_;
  std::vector<Assignment> assignments_;
  std::string long_digits_;
};

}  // namespace

void read_shiviz(Lines& lines, const ReadOptions& options, Trace& trace, Findings& findings) {
  Reader reader{lines, trace, findings};
  if (reader.prepare(options)) reader.read();
}

}  // namespace cohort::trace
