#include "trace/sequential/bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace cohort::trace::sequential {

Bytes::File::~File() {
  if (descriptor >= 0) close(descriptor);
}

std::optional<Bytes> Bytes::open(const std::string& path) {
  if (path == "-") return std::nullopt;
  auto file = std::make_shared<File>();
  file->descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file->descriptor < 0) return std::nullopt;
  struct stat status {};
  if (fstat(file->descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  Bytes bytes;
  bytes.size_ = static_cast<std::uint64_t>(status.st_size);
  bytes.file_ = std::move(file);
  char begin[4] = {};
  bool failed = false;
  const std::string_view first{begin, bytes.read(0, begin, sizeof begin, failed)};
  if (failed || first.starts_with("\x1f\x8b") || first.starts_with("\x28\xb5\x2f\xfd")) {
    return std::nullopt;
  }
  return bytes;
}

Bytes Bytes::from_text(std::string text) {
  Bytes bytes;
  bytes.size_ = text.size();
  bytes.text_ = std::make_shared<const std::string>(std::move(text));
  return bytes;
}

std::size_t Bytes::read(std::uint64_t offset, char* to, std::size_t size, bool& failed) const {
  if (offset >= size_) return 0;
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(size, size_ - offset));
  if (text_) {
    std::memcpy(to, text_->data() + offset, count);
    return count;
  }
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got =
        pread(file_->descriptor, to + done, count - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {  // gone while it was read
      failed = true;
      return done;
    }
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace cohort::trace::sequential
