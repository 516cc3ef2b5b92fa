// The bytes of a trace file, a block at a time: plain, gzip or zstd, from a file or standard input.
//
//   std::variant<Input, base::Unreadable> opened = Input::open("run.trace.gz");
//   while (input.fill(buffer)) …
//
// Compression is recognised by the first bytes, whatever the file is called.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/source.hpp"

namespace cohort::trace {

class Input {
 public:
  /// "-" is standard input.
  [[nodiscard]] static std::variant<Input, base::Unreadable> open(const std::string& path);
  /// Reads a text that is already there; for tests.
  [[nodiscard]] static Input from_text(std::string text);

  Input(Input&&) noexcept;
  Input& operator=(Input&&) noexcept;
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input();

  /// Writes up to `size` bytes to `to`; 0 at the end, or after a failure.
  [[nodiscard]] std::size_t read(char* to, std::size_t size);
  /// What read() gives next, before all else: bytes that somebody looked at.
  void put_back(std::string bytes);
  /// Why reading stopped before the end: a truncated or damaged file.
  [[nodiscard]] const std::optional<std::string>& failure() const;

 private:
  class Stream;
  explicit Input(std::unique_ptr<Stream> stream);
  std::unique_ptr<Stream> stream_;
};

/// Splits an input into lines.
class Lines {
 public:
  /// Keeps a reference to `input`, which must outlive this object.
  explicit Lines(Input& input);
  /// Asked before each block: there are no more lines once this is true.
  void stop_if(std::function<bool()> should_stop) { should_stop_ = std::move(should_stop); }
  [[nodiscard]] bool stopped() const { return stopped_; }

  /// The next line, without its line break; nothing at the end.  Valid until the next call.  The
  /// byte behind it can be read: a line break or 0.
  [[nodiscard]] std::optional<std::string_view> next();
  /// The number of the line that next() returned last, from 1.
  [[nodiscard]] std::uint32_t number() const { return number_; }
  /// Steps over a byte-order mark; to be called before the first line is asked for.
  void skip_byte_order_mark();
  /// The first bytes of the input, at most `size`; to be asked before the first line is.
  [[nodiscard]] std::string_view peek(std::size_t size);

 private:
  [[nodiscard]] bool fill();

  Input& input_;
  std::function<bool()> should_stop_;
  bool stopped_ = false;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;
  std::uint32_t number_ = 0;
};

}  // namespace cohort::trace
