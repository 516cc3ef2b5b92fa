// JSON, written piece by piece: a path of ten million steps is never a tree in memory.
//
//   JsonWriter json{out};
//   json.begin_object();
//   json.member("tool", "cohort");
//   json.key("steps");
//   json.begin_array();
//   json.begin_object(JsonWriter::Layout::Line);   // {"label": "ask", "processes": {"k": 3}}
//   …
//   json.end();   // what was begun last
//
// Members come in the order in which they are written.  Bytes that are no UTF-8 are replaced.
#pragma once

#include <cstdint>
#include <ostream>
#include <string_view>
#include <vector>

namespace cohort::report {

class JsonWriter {
 public:
  /// How the members of an object or array stand: each on a line, or all on one.
  enum class Layout : std::uint8_t { Lines, Line };

  /// Keeps a reference to `out`.
  explicit JsonWriter(std::ostream& out) : out_(out) {}

  /// Inside something on one line everything is.
  void begin_object(Layout layout = Layout::Lines) { begin('{', '}', layout); }
  void begin_array(Layout layout = Layout::Lines) { begin('[', ']', layout); }
  void end();

  void key(std::string_view name);
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(bool truth);
  void value(std::int64_t number);
  void value(std::uint64_t number);
  void value(int number) { value(static_cast<std::int64_t>(number)); }
  void value(std::uint32_t number) { value(static_cast<std::uint64_t>(number)); }
  void value(double number);
  void null();
  /// What is JSON already.
  void written(std::string_view json);

  template <typename T>
  void member(std::string_view name, const T& its_value) {
    key(name);
    value(its_value);
  }

 private:
  struct Open {
    char close = '}';
    Layout layout = Layout::Lines;
    bool empty = true;
  };

  void begin(char open, char close, Layout layout);
  /// What stands before the next value or key.
  void separate();
  void new_line();

  std::ostream& out_;
  std::vector<Open> open_;
  bool after_key_ = false;
};

}  // namespace cohort::report
