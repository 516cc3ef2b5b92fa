#include "cli/replace_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace cohort::cli {
namespace {

[[nodiscard]] std::string reason(std::string_view what) {
  return std::string(what) + ": " + std::strerror(errno);
}

/// A file that is removed again unless it was renamed.
class NewFile {
 public:
  explicit NewFile(const std::string& beside) : path_(beside + ".XXXXXX") {
    descriptor_ = mkstemp(path_.data());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (descriptor_ >= 0 && !renamed_) unlink(path_.c_str());
  }

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }

  [[nodiscard]] bool take_over(const struct stat& status) const {
    // The folder may have given the new file its own group.
    struct stat made {};
    if (fstat(descriptor_, &made) != 0) return false;
    const bool same_owner = made.st_uid == status.st_uid && made.st_gid == status.st_gid;
    if (!same_owner && fchown(descriptor_, status.st_uid, status.st_gid) != 0) return false;
    return fchmod(descriptor_, status.st_mode & 07777U) == 0;
  }

  [[nodiscard]] bool write_all(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = write(descriptor_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return fsync(descriptor_) == 0;
  }

  [[nodiscard]] bool rename_to(const std::string& path) {
    renamed_ = std::rename(path_.c_str(), path.c_str()) == 0;
    return renamed_;
  }

 private:
  std::string path_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

struct Free {
  void operator()(char* text) const { std::free(text); }
};

}  // namespace

std::optional<std::string> replace_file(const std::string& path, std::string_view text) {
  const std::unique_ptr<char, Free> real{realpath(path.c_str(), nullptr)};
  struct stat status {};
  if (!real || stat(real.get(), &status) != 0) return reason("cannot be found");
  if (!S_ISREG(status.st_mode)) return "is no regular file";
  // Renaming needs only the folder's permission; a file that may not be written stays as it is.
  if (access(real.get(), W_OK) != 0) return reason("cannot be written");
  NewFile made{real.get()};
  if (!made.is_open()) return reason("no new file can be made beside it");
  if (!made.take_over(status)) return reason("its mode and ownership cannot be kept");
  if (!made.write_all(text)) return reason("cannot be written");
  if (!made.rename_to(real.get())) return reason("cannot be replaced");
  return std::nullopt;
}

}  // namespace cohort::cli
