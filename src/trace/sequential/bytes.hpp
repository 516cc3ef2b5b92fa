// The bytes of a trace, from any place on: a file that can be cut, or a text in memory.
//
//   const Bytes bytes = *Bytes::open("log.csv");
//   const std::size_t count = bytes.read(offset, buffer, size);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace cohort::trace::sequential {

/// Immutable; may be shared by threads.
class Bytes {
 public:
  /// Nothing if the file is no plain one: a pipe, a directory, packed, not there.
  [[nodiscard]] static std::optional<Bytes> open(const std::string& path);
  /// Keeps a copy.
  [[nodiscard]] static Bytes from_text(std::string text);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Up to `size` bytes from `offset` on; fewer at the end only.  Nothing after a failure, which
  /// sets `failed`.
  [[nodiscard]] std::size_t read(std::uint64_t offset, char* to, std::size_t size,
                                 bool& failed) const;

 private:
  struct File {
    int descriptor = -1;
    File() = default;
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File();
  };

  std::shared_ptr<const File> file_;
  std::shared_ptr<const std::string> text_;
  std::uint64_t size_ = 0;
};

}  // namespace cohort::trace::sequential
