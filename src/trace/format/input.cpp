#include "trace/format/input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/limits.hpp"

namespace cohort::trace {
namespace {

constexpr std::size_t block_size = std::size_t{1} << 18U;

/// Bytes from a descriptor, or from a text.
class Raw {
 public:
  explicit Raw(int descriptor) : descriptor_(descriptor) {}
  explicit Raw(std::string text) : text_(std::move(text)) {}
  Raw(const Raw&) = delete;
  Raw& operator=(const Raw&) = delete;
  ~Raw() {
    if (descriptor_ > STDIN_FILENO) close(descriptor_);
  }

  [[nodiscard]] std::size_t read(char* to, std::size_t size, std::optional<std::string>& failure) {
    if (descriptor_ < 0) {
      const std::size_t count = std::min(size, text_.size() - at_);
      std::memcpy(to, text_.data() + at_, count);
      at_ += count;
      return count;
    }
    while (true) {
      if (!wait_for_bytes()) return 0;
      const ssize_t count = ::read(descriptor_, to, size);
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno == EINTR) continue;
      failure = std::string("cannot be read: ") + std::strerror(errno);
      return 0;
    }
  }

 private:
  /// False once somebody has interrupted the program: a pipe may stay silent for ever.
  [[nodiscard]] bool wait_for_bytes() const {
    constexpr int a_second = 1000;
    pollfd waiting{descriptor_, POLLIN, 0};
    while (!base::Limits::interrupted()) {
      const int ready = poll(&waiting, 1, a_second);
      if (ready > 0 || (ready < 0 && errno != EINTR)) return true;
    }
    return false;
  }

  int descriptor_ = -1;
  std::string text_;
  std::size_t at_ = 0;
};

enum class Coding { Unknown, Plain, Gzip, Zstd };

[[nodiscard]] Coding coding_of(std::string_view begin) {
  if (begin.starts_with("\x1f\x8b")) return Coding::Gzip;
  if (begin.starts_with("\x28\xb5\x2f\xfd")) return Coding::Zstd;
  return Coding::Plain;
}

}  // namespace

class Input::Stream {
 public:
  template <typename Argument>
  explicit Stream(Argument argument) : raw_(std::move(argument)) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if (gzip_ready_) inflateEnd(&gzip_);
    ZSTD_freeDStream(zstd_);
  }

  void put_back(std::string bytes) {
    put_back_ = std::move(bytes);
    put_back_at_ = 0;
  }

  [[nodiscard]] std::size_t read(char* to, std::size_t size) {
    if (put_back_at_ < put_back_.size()) {
      const std::size_t count = std::min(size, put_back_.size() - put_back_at_);
      std::memcpy(to, put_back_.data() + put_back_at_, count);
      put_back_at_ += count;
      return count;
    }
    if (coding_ == Coding::Unknown) start();
    if (failure_ || size == 0) return 0;
    if (coding_ == Coding::Gzip) return read_gzip(to, size);
    if (coding_ == Coding::Zstd) return read_zstd(to, size);
    if (begin_ < end_) return take(to, size);
    return raw_.read(to, size, failure_);
  }

  [[nodiscard]] const std::optional<std::string>& failure() const { return failure_; }

 private:
  void start() {
    block_.resize(block_size);
    while (end_ < 4) {  // a pipe may give less
      const std::size_t count = raw_.read(block_.data() + end_, block_.size() - end_, failure_);
      if (count == 0) break;
      end_ += count;
    }
    coding_ = coding_of({block_.data(), end_});
    if (coding_ == Coding::Gzip) {
      gzip_ready_ = inflateInit2(&gzip_, 15 + 16) == Z_OK;
      if (!gzip_ready_) failure_ = "not enough memory to unpack it";
    } else if (coding_ == Coding::Zstd) {
      zstd_ = ZSTD_createDStream();
      if (zstd_ == nullptr) failure_ = "not enough memory to unpack it";
    }
  }

  [[nodiscard]] std::size_t take(char* to, std::size_t size) {
    const std::size_t count = std::min(size, end_ - begin_);
    std::memcpy(to, block_.data() + begin_, count);
    begin_ += count;
    return count;
  }

  /// Sees that there are packed bytes; false at the end of them.
  [[nodiscard]] bool refill() {
    if (begin_ < end_) return true;
    begin_ = 0;
    end_ = raw_.read(block_.data(), block_.size(), failure_);
    return end_ > 0;
  }

  [[nodiscard]] std::size_t read_gzip(char* to, std::size_t size) {
    gzip_.next_out = reinterpret_cast<Bytef*>(to);
    gzip_.avail_out = static_cast<uInt>(std::min<std::size_t>(size, block_size));
    const uInt wanted = gzip_.avail_out;
    while (gzip_.avail_out == wanted) {
      if (!refill()) {
        if (!between_ && !failure_) failure_ = "the compressed file is truncated";
        return 0;
      }
      if (between_ && started_) {
        // Several packed files in a row are one; anything else behind the last one is damage.
        if (inflateReset(&gzip_) != Z_OK) failure_ = "the compressed file is damaged";
      }
      between_ = false;
      started_ = true;
      gzip_.next_in = reinterpret_cast<Bytef*>(block_.data() + begin_);
      gzip_.avail_in = static_cast<uInt>(end_ - begin_);
      const int status = inflate(&gzip_, Z_NO_FLUSH);
      begin_ = end_ - gzip_.avail_in;
      if (status == Z_STREAM_END) {
        between_ = true;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        failure_ = "the compressed file is damaged";
        return 0;
      }
    }
    return wanted - gzip_.avail_out;
  }

  [[nodiscard]] std::size_t read_zstd(char* to, std::size_t size) {
    ZSTD_outBuffer out{to, size, 0};
    while (out.pos == 0) {
      if (begin_ == end_ && between_ && !refill()) return 0;
      if (begin_ == end_ && !refill()) {
        // What is packed may be at its end while unpacked bytes are still to be flushed.
        ZSTD_inBuffer none{block_.data(), 0, 0};
        const std::size_t left = ZSTD_decompressStream(zstd_, &out, &none);
        if (out.pos > 0) break;
        if ((ZSTD_isError(left) != 0U || left > 0) && !failure_) {
          failure_ = "the compressed file is truncated";
        }
        return 0;
      }
      ZSTD_inBuffer in{block_.data() + begin_, end_ - begin_, 0};
      const std::size_t left = ZSTD_decompressStream(zstd_, &out, &in);
      begin_ += in.pos;
      if (ZSTD_isError(left) != 0U) {
        failure_ = "the compressed file is damaged";
        return 0;
      }
      between_ = left == 0;
    }
    return out.pos;
  }

  Raw raw_;
  std::string put_back_;
  std::size_t put_back_at_ = 0;
  std::optional<std::string> failure_;
  Coding coding_ = Coding::Unknown;
  std::vector<char> block_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  z_stream gzip_{};
  bool gzip_ready_ = false;
  ZSTD_DStream* zstd_ = nullptr;
  bool started_ = false;
  bool between_ = true;  // no packed file has begun, or the last one has ended
};

Input::Input(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}
Input::Input(Input&&) noexcept = default;
Input& Input::operator=(Input&&) noexcept = default;
Input::~Input() = default;

std::variant<Input, base::Unreadable> Input::open(const std::string& path) {
  if (path == "-") return Input{std::make_unique<Stream>(STDIN_FILENO)};
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return base::Unreadable{std::string("cannot be opened: ") + std::strerror(errno)};
  }
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(descriptor);
    return base::Unreadable{"is a directory"};
  }
  return Input{std::make_unique<Stream>(descriptor)};
}

Input Input::from_text(std::string text) {
  return Input{std::make_unique<Stream>(std::move(text))};
}

std::size_t Input::read(char* to, std::size_t size) { return stream_->read(to, size); }

void Input::put_back(std::string bytes) { stream_->put_back(std::move(bytes)); }

const std::optional<std::string>& Input::failure() const { return stream_->failure(); }

Lines::Lines(Input& input)
    : input_(input), buffer_(std::make_unique<char[]>(block_size + 1)), capacity_(block_size) {}

/// Reads more behind what there is; false at the end.
bool Lines::fill() {
  if (at_end_) return false;
  if (should_stop_ && should_stop_()) {
    stopped_ = true;
    at_end_ = true;
    return false;
  }
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == capacity_) {
    auto larger = std::make_unique<char[]>(capacity_ * 2 + 1);
    std::memcpy(larger.get(), buffer_.get(), end_);
    buffer_.swap(larger);
    capacity_ *= 2;
  }
  const std::size_t count = input_.read(buffer_.get() + end_, capacity_ - end_);
  stopped_ = count == 0 && should_stop_ && should_stop_();
  end_ += count;
  buffer_[end_] = 0;
  at_end_ = count == 0;
  return count > 0;
}

std::optional<std::string_view> Lines::next() {
  std::size_t searched = begin_;
  while (true) {
    const char* const from = buffer_.get() + searched;
    const auto* const found = static_cast<const char*>(std::memchr(from, '\n', end_ - searched));
    if (found != nullptr) {
      const std::string_view line{buffer_.get() + begin_,
                                  static_cast<std::size_t>(found - buffer_.get()) - begin_};
      begin_ += line.size() + 1;
      ++number_;
      return line;
    }
    const std::size_t seen = end_ - begin_;
    if (!fill()) break;
    searched = begin_ + seen;
  }
  if (stopped_ || begin_ == end_) return std::nullopt;
  const std::string_view line{buffer_.get() + begin_, end_ - begin_};
  begin_ = end_;
  ++number_;
  return line;
}

void Lines::skip_byte_order_mark() {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (peek(mark.size()) == mark) begin_ += mark.size();
}

std::string_view Lines::peek(std::size_t size) {
  while (end_ - begin_ < size && fill()) continue;
  return {buffer_.get() + begin_, std::min(size, end_ - begin_)};
}

}  // namespace cohort::trace
