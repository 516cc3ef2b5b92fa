#include "base/source.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "base/utf8.hpp"

namespace cohort::base {
namespace {

/// Code points are counted once for each block, so that a place in a line of ten megabytes is
/// cheap.
constexpr std::size_t block_size = 4096;

constexpr std::size_t largest_file = (std::size_t{1} << 31U) - 1;

struct CloseFile {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

[[nodiscard]] std::optional<std::string> why_no_file(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::strerror(errno);
  if (S_ISDIR(status.st_mode)) return "is a directory";
  return std::nullopt;
}

}  // namespace

Source::Source(std::string name, std::string_view text)
    : name_(std::move(name)), text_(text.begin(), text.end()), line_starts_{0} {
  for (std::size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1)) {
    line_starts_.push_back(static_cast<std::uint32_t>(at + 1));
  }
  std::size_t counted = 0;
  for (std::size_t at = 0; at <= text.size(); at += block_size) {
    code_points_before_.push_back(static_cast<std::uint32_t>(counted));
    counted += count_code_points(this->text().substr(at, block_size));
  }
}

std::size_t Source::code_points_before(std::uint32_t byte) const {
  const std::size_t block = byte / block_size;
  const std::size_t start = block * block_size;
  return code_points_before_[block] + count_code_points(text().substr(start, byte - start));
}

Source Source::from_text(std::string name, std::string_view text) {
  return Source(std::move(name), text);
}

Position Source::position(std::uint32_t byte) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), byte);
  const auto line = static_cast<std::uint32_t>(after - line_starts_.begin());
  const std::uint32_t start = *(after - 1);
  const std::size_t before = code_points_before(byte) - code_points_before(start);
  return {line, static_cast<std::uint32_t>(before + 1)};
}

std::string_view Source::line(std::uint32_t number) const {
  const std::uint32_t start = line_starts_[number - 1];
  std::string_view rest = text().substr(start);
  rest = rest.substr(0, rest.find('\n'));
  if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
  return rest;
}

std::variant<Source, Unreadable> read_source(const std::string& path) {
  if (path != "-") {
    if (auto reason = why_no_file(path)) return Unreadable{*std::move(reason)};
  }
  const File file{path == "-" ? stdin : std::fopen(path.c_str(), "rb")};
  if (!file) return Unreadable{std::strerror(errno)};

  std::string text;
  constexpr std::size_t block = std::size_t{1} << 20U;
  for (;;) {
    const std::size_t old_size = text.size();
    text.resize(old_size + block);
    const std::size_t got = std::fread(text.data() + old_size, 1, block, file.get());
    text.resize(old_size + got);
    if (text.size() > largest_file) return Unreadable{"is larger than 2 GiB"};
    if (got < block) break;
  }
  if (std::ferror(file.get()) != 0) return Unreadable{std::strerror(errno)};
  return Source::from_text(path == "-" ? "<stdin>" : path, text);
}

}  // namespace cohort::base
