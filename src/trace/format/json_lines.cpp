// JSON lines, `.jsonl`: one event a line.
//
//   {"process": "P2", "set": {"w": 4}, "after": ["P1#1"]}
//   {"process": "P2", "clock": {"P1": 2, "P2": 2}, "set": {"v": "on"}}
//
// Before the events lines of their own may say what `process` and `init` say in the native form:
//   {"processes": ["P1", "P2"]}
//   {"init": {"x": 1}}
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/suggest.hpp"
#include "base/utf8.hpp"
#include "trace/format/assigned_once.hpp"
#include "trace/format/json_scanner.hpp"
#include "trace/format/read.hpp"
#include "trace/order_builder.hpp"

namespace cohort::trace {
namespace {

class Reader {
 public:
  Reader(Lines& lines, Trace& trace, Findings& findings)
      : lines_(lines), words_(trace.words), findings_(findings), builder_(findings) {}

  [[nodiscard]] Order read() {
    while (const auto line = lines_.next()) {
      if (line->find_first_not_of(" \t\r") == std::string_view::npos) continue;
      read_line(*line);
      if (findings_.full()) break;
    }
    return builder_.finish();
  }

 private:
  struct Reference {
    std::uint32_t process = 0;
    std::uint64_t number = 0;
  };

  void read_line(std::string_view line) {
    JsonScanner json{line};
    hint_.clear();
    read_object(json);
    json.finish();
    if (!json.failed()) return;
    const auto column = base::count_code_points(line.substr(0, json.where()));
    const bool cut_off = json.where() >= line.size();
    findings_.error({lines_.number(), static_cast<std::uint32_t>(column) + 1},
                    cut_off ? json.message() + ": the line is cut off" : json.message(), hint_,
                    std::string{line.substr(0, 10'000)});
  }

  void read_object(JsonScanner& json) {
    bool has_process = false;
    bool other_line = false;
    ProcessId process{};
    assignments_.clear();
    assigned_.start_event();
    after_.clear();
    clock_.clear();
    unsigned seen = 0;
    if (!json.open_object()) return;
    const auto once = [&](unsigned bit) {
      if ((seen & bit) != 0) json.fail(fmt::format("a second \"{}\"", json.key()));
      seen |= bit;
    };
    while (json.next_member()) {
      const std::string_view key = json.key();
      if (key == "process") {
        once(1);
        const std::string_view name = json.string();
        if (json.failed()) break;
        process = builder_.process(name);
        has_process = true;
      } else if (key == "set") {
        once(2);
        read_set(json);
      } else if (key == "after") {
        once(4);
        read_after(json);
      } else if (key == "clock") {
        once(8);
        read_clock(json);
      } else if (key == "time") {
        (void)json.skip();  // the order is what counts
      } else if (key == "processes") {
        other_line = true;
        read_processes(json);
      } else if (key == "init") {
        other_line = true;
        read_init(json);
      } else {
        const auto near =
            base::nearest(key, {"process", "set", "after", "clock", "time", "processes", "init"});
        hint_ = near ? fmt::format("did you mean \"{}\"?", *near)
                     : "an event has \"process\", \"set\", and \"after\" or \"clock\"";
        json.fail(fmt::format("unknown member \"{}\"", key));
      }
    }
    if (!has_process) {
      if (!json.failed() && (!other_line || seen != 0)) {
        hint_ = "without one the line is of a sequential trace";
        json.fail_at(0, "expected a \"process\"");
      }
      return;
    }
    if (other_line) json.fail_at(0, "\"processes\" and \"init\" stand on lines of their own");
    builder_.begin_event(process, lines_.number());
    for (const Reference& r : clock_) builder_.add_component(ProcessId{r.process}, r.number);
    for (const Reference& r : after_) builder_.add_after(ProcessId{r.process}, r.number);
    builder_.end_event(words_.effect(assignments_));
    in_events_ = true;
  }

  bool read_value(JsonScanner& json, ValueId& value) {
    switch (json.type()) {
      case JsonScanner::Type::String:
        value = words_.value(Value::text(json.string()));
        return !json.failed();
      case JsonScanner::Type::Number: {
        const std::size_t where = json.where();
        const std::string_view digits = json.number();
        if (json.failed()) return false;
        const auto number = parse_number(digits, long_digits_);
        if (!number) {
          json.fail_at(where, "the exponent of this number is too large");
          return false;
        }
        value = words_.value(*number);
        return true;
      }
      default:
        hint_ = "values are numbers and strings; write 1 and 0 for true and false";
        json.fail("expected a number or a string");
        return false;
    }
  }

  void read_set(JsonScanner& json) {
    if (!json.open_object()) return;
    while (json.next_member()) {
      Assignment assignment;
      assignment.variable = words_.variable(json.key());
      if (!read_value(json, assignment.value)) return;
      if (!assigned_.add(assignment.variable)) {
        json.fail(fmt::format("the event assigns '{}' twice", words_.name(assignment.variable)));
      }
      assignments_.push_back(assignment);
    }
  }

  void read_after(JsonScanner& json) {
    if (!json.open_array()) return;
    while (json.next_element()) {
      const std::size_t where = json.where();
      const std::string_view name = json.string();
      if (json.failed()) return;
      const std::size_t sign = name.rfind('#');
      std::uint64_t number = 0;
      if (sign == std::string_view::npos || !to_number(name.substr(sign + 1), number)) {
        hint_ = "such as \"P1#2\", event 2 of P1";
        json.fail_at(where, "expected the name of an event");
        return;
      }
      after_.push_back({id(builder_.process(name.substr(0, sign))), number});
    }
  }

  void read_clock(JsonScanner& json) {
    if (!json.open_object()) return;
    while (json.next_member()) {
      const std::uint32_t process = id(builder_.process(json.key()));
      (void)json.type();  // goes to the value
      const std::size_t where = json.where();
      std::uint64_t number = 0;
      const std::string_view digits = json.number();
      if (json.failed()) return;
      if (!to_number(digits, number)) {
        json.fail_at(where, "expected a natural number");
        return;
      }
      clock_.push_back({process, number});
    }
  }

  void read_processes(JsonScanner& json) {
    if (in_events_) json.fail("\"processes\" stands behind the first event");
    if (!json.open_array()) return;
    while (json.next_element()) {
      const std::string_view name = json.string();
      if (!json.failed()) builder_.declare(builder_.process(name));
    }
  }

  void read_init(JsonScanner& json) {
    if (in_events_) json.fail("\"init\" stands behind the first event");
    if (!json.open_object()) return;
    while (json.next_member()) {
      const VariableId variable = words_.variable(json.key());
      ValueId value{};
      if (!read_value(json, value)) return;
      words_.set_initial(variable, value);
    }
  }

  [[nodiscard]] static std::uint32_t id(ProcessId p) {
    return static_cast<std::uint32_t>(base::index_of(p));
  }

  [[nodiscard]] static bool to_number(std::string_view digits, std::uint64_t& number) {
    if (digits.empty() || digits.size() > 18) return false;
    number = 0;
    for (const char c : digits) {
      if (c < '0' || c > '9') return false;
      number = number * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return true;
  }

  Lines& lines_;
  Vocabulary& words_;
  Findings& findings_;
  OrderBuilder builder_;
  bool in_events_ = false;
  std::vector<Assignment> assignments_;
  AssignedOnce assigned_;
  std::vector<Reference> after_;
  std::vector<Reference> clock_;
  std::string long_digits_;
  std::string hint_;
};

}  // namespace

void read_json_lines(Lines& lines, Trace& trace, Findings& findings) {
  Reader reader{lines, trace, findings};
  trace.executions.push_back(reader.read());
}

}  // namespace cohort::trace
