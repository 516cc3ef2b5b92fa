#include "trace/sequential/check.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace cohort::trace::sequential {
namespace {

constexpr std::size_t block_size = std::size_t{1} << 18U;
/// Behind the bytes of a buffer: readers look ahead.
constexpr std::size_t padding = 64;
/// A record that is longer is one whose quote was forgotten.
constexpr std::size_t longest_record = std::size_t{1} << 26U;

[[nodiscard]] Problem too_long(std::uint64_t line) {
  return {line, 0, "a record of more than 64 MiB", "is a quote missing?"};
}

[[nodiscard]] Problem too_nested() {
  return {0, 0, "the counters of a monitor cannot be put together from pieces",
          "their updates nest, or divide by a counter that is 0: use --jobs 1"};
}

/// Asks the limits from several threads.
class Stop {
 public:
  explicit Stop(base::Limits& limits) : limits_(limits) {}

  [[nodiscard]] bool operator()() {
    if (stopped_.load(std::memory_order_relaxed)) return true;
    const std::scoped_lock lock{mutex_};
    if (limits_.exceeded_now()) stopped_.store(true, std::memory_order_relaxed);
    return stopped_.load(std::memory_order_relaxed);
  }

 private:
  base::Limits& limits_;
  std::mutex mutex_;
  std::atomic<bool> stopped_{false};
};

/// Does work 0 to count - 1, each once, on some threads.
template <typename Work>
void in_parallel(unsigned jobs, std::size_t count, const Work& work) {
  std::atomic<std::size_t> next{0};
  const auto loop = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < std::min<std::size_t>(jobs, count); ++i) threads.emplace_back(loop);
  loop();
}

/// One piece of something that can be read again.
struct ReadPiece {
  std::uint64_t begin = 0;  // of its first record
  std::uint64_t end = 0;    // of its last one
  PieceSummary summary;
  PieceSummary prefix;
  History before;
};

/// What states cost: summaries have an entry for each.
[[nodiscard]] std::size_t num_states(const Plan& plan) {
  std::size_t states = 1;
  for (const Property& property : plan.properties) {
    if (property.has_automaton()) states += property.compiled().num_states();
  }
  return states;
}

}  // namespace

std::uint64_t record_after(const Bytes& bytes, std::uint64_t first, std::uint64_t cut,
                           bool has_quotes, bool inside) {
  if (cut <= first) return first;
  std::vector<char> block(4096);
  bool in_quotes = inside;
  bool failed = false;
  for (std::uint64_t at = cut - 1;;) {
    const std::size_t count = bytes.read(at, block.data(), block.size(), failed);
    if (count == 0) return bytes.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (block[i] == '"' && has_quotes) in_quotes = !in_quotes;
      if (block[i] == '\n' && !in_quotes) return at + i + 1;
    }
    at += count;
    if (block.size() < block_size) block.resize(block.size() * 4);
  }
}

std::uint64_t read_range(const RecordReader& reader, const Bytes& bytes, std::uint64_t begin,
                         std::uint64_t stop, const std::function<bool()>& should_stop,
                         Piece& piece) {
  std::vector<char> buffer(block_size + padding);
  std::size_t filled = 0;
  std::uint64_t base = begin;
  bool failed = false;
  while (base < stop) {
    if (should_stop()) return base;
    const std::size_t room = buffer.size() - padding - filled;
    filled += bytes.read(base + filled, buffer.data() + filled, room, failed);
    if (failed) {
      piece.fail("the file cannot be read to its end");
      return base;
    }
    std::memset(buffer.data() + filled, 0, padding);
    const bool complete = base + filled >= bytes.size();
    const char* const data = buffer.data();
    const std::uint64_t wanted = std::min<std::uint64_t>(stop - base, filled);
    const char* const p = reader.read(data, data + filled, data + wanted, complete, piece);
    const auto used = static_cast<std::size_t>(p - data);
    base += used;
    if (piece.failed() || !piece.wants_more() || complete) return base;
    if (used == 0) {
      if (filled > longest_record) {
        const Problem problem = too_long(0);
        piece.fail(problem.message, problem.hint);
        return base;
      }
      buffer.resize(buffer.size() * 2);
      continue;
    }
    std::memmove(buffer.data(), p, filled - used);
    filled -= used;
  }
  return base;
}

Checked check_bytes(const Plan& plan, const RecordReader& reader, const Bytes& bytes,
                    std::uint64_t begin, std::uint64_t lines, const CheckOptions& options,
                    base::Limits& limits) {
  Checked checked{Fold{plan, lines}, true};
  Fold& fold = checked.fold;
  Stop stop{limits};
  const std::function<bool()> should_stop = [&stop] { return stop(); };
  const std::uint64_t size = bytes.size() - begin;
  if (options.jobs <= 1 || size <= options.least_piece) {
    Piece piece{plan, fold.history(), true, {}};
    (void)read_range(reader, bytes, begin, bytes.size(), should_stop, piece);
    fold.add(piece.summary(), nullptr);
    checked.complete = !stop();
    return checked;
  }

  std::uint64_t count = std::uint64_t{options.jobs} * options.pieces_per_job;
  count = std::min(count, std::max<std::uint64_t>(options.jobs, 400'000 / num_states(plan)));
  count = std::max<std::uint64_t>(1, std::min(count, size / options.least_piece));
  std::vector<std::uint64_t> cuts;
  for (std::uint64_t i = 0; i <= count; ++i) cuts.push_back(begin + size / count * i);
  cuts.back() = bytes.size();
  std::vector<ReadPiece> parts(count);

  const auto read_part = [&](std::size_t i, std::uint64_t from) {
    ReadPiece part;
    part.begin = from;
    Piece piece = i == 0 ? Piece{plan, empty_history(plan), true, {}} : Piece{plan};
    part.end = read_range(reader, bytes, from, cuts[i + 1], should_stop, piece);
    part.summary = piece.summary();
    return part;
  };
  in_parallel(options.jobs, count, [&](std::size_t i) {
    const bool quotes = reader.has_quotes();
    parts[i] = read_part(i, record_after(bytes, begin, cuts[i], quotes, false));
    if (!parts[i].summary.problems.empty() && i > 0 && quotes) {
      ReadPiece other = read_part(i, record_after(bytes, begin, cuts[i], quotes, true));
      if (other.summary.problems.empty()) parts[i] = std::move(other);
    }
  });
  if (stop()) {
    checked.complete = false;
    return checked;
  }

  // From the first piece on: is each where the one before it ends?
  History before = empty_history(plan);
  std::uint64_t expected = begin;
  for (std::size_t i = 0; i < count; ++i) {
    ReadPiece& part = parts[i];
    if (part.begin != expected) part = read_part(i, expected);
    expected = part.end;
    part.before = before;
    if (part.summary.stuck || stop()) {
      parts.resize(i + 1);
      break;
    }
    before.append(plan, part.summary.history);
  }
  in_parallel(options.jobs, parts.size(), [&](std::size_t i) {
    ReadPiece& part = parts[i];
    if (!needs_prefix(plan, part.summary)) return;
    Piece piece{plan, part.before, false, prefix_lengths(part.summary)};
    (void)read_range(reader, bytes, part.begin, part.end, should_stop, piece);
    part.prefix = piece.summary();
  });
  if (stop()) {
    checked.complete = false;
    return checked;
  }
  for (const ReadPiece& part : parts) {
    const bool prefixed = !part.prefix.properties.empty();
    if (!fold.add(part.summary, prefixed ? &part.prefix : nullptr)) break;
  }
  if (!fold.counters_too_large()) return checked;
  // Updates that nest without end can only be followed from the begin on.
  CheckOptions alone = options;
  alone.jobs = 1;
  return check_bytes(plan, reader, bytes, begin, lines, alone, limits);
}

namespace {

/// A block of whole records, with padding behind it.
struct Block {
  std::string text;
  std::size_t size = 0;
};

/// Cuts a stream into blocks of whole records.
class Blocks {
 public:
  Blocks(Input& input, std::string begin, bool has_quotes, std::size_t size)
      : input_(input), rest_(std::move(begin)), has_quotes_(has_quotes), size_(size) {}

  /// Nothing at the end.
  [[nodiscard]] std::optional<Block> next() {
    if (at_end_) return std::nullopt;
    Block block;
    std::string& text = block.text;
    text = std::move(rest_);
    rest_.clear();
    std::size_t wanted = size_;
    while (true) {
      std::size_t filled = text.size();
      text.resize(std::max(filled, wanted));
      while (filled < text.size()) {
        const std::size_t count = input_.read(text.data() + filled, text.size() - filled);
        if (count == 0) break;
        filled += count;
      }
      at_end_ = filled < text.size();
      text.resize(filled);
      block.size = at_end_ ? filled : last_record_end(text);
      if (block.size > 0 || at_end_) break;
      if (filled > longest_record) {
        too_long_ = true;
        at_end_ = true;
        return std::nullopt;
      }
      wanted = filled * 2;
    }
    if (block.size == 0 && at_end_) return std::nullopt;
    rest_ = text.substr(block.size);
    text.resize(block.size);
    text.append(padding, '\0');
    return block;
  }

  [[nodiscard]] bool too_long() const { return too_long_; }

 private:
  [[nodiscard]] std::size_t last_record_end(const std::string& text) const {
    if (!has_quotes_ || text.find('"') == std::string::npos) {
      const std::size_t end = text.rfind('\n');
      return end == std::string::npos ? 0 : end + 1;
    }
    bool in_quotes = false;
    std::size_t end = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '"') in_quotes = !in_quotes;
      if (text[i] == '\n' && !in_quotes) end = i + 1;
    }
    return end;
  }

  Input& input_;
  std::string rest_;
  bool has_quotes_;
  std::size_t size_;
  bool at_end_ = false;
  bool too_long_ = false;
};

void read_block(const RecordReader& reader, const Block& block, Piece& piece) {
  const char* const begin = block.text.data();
  (void)reader.read(begin, begin + block.size, begin + block.size, true, piece);
}

/// Some blocks in a row, all of them in memory.
void check_round(const Plan& plan, const RecordReader& reader, const std::vector<Block>& blocks,
                 unsigned jobs, Fold& fold) {
  std::vector<ReadPiece> parts(blocks.size());
  in_parallel(jobs, blocks.size(), [&](std::size_t i) {
    Piece piece{plan};
    read_block(reader, blocks[i], piece);
    parts[i].summary = piece.summary();
  });
  History before = fold.history();
  for (ReadPiece& part : parts) {
    part.before = before;
    if (part.summary.stuck) break;
    before.append(plan, part.summary.history);
  }
  in_parallel(jobs, blocks.size(), [&](std::size_t i) {
    ReadPiece& part = parts[i];
    if (part.before.variables.empty() || !needs_prefix(plan, part.summary)) return;
    Piece piece{plan, part.before, false, prefix_lengths(part.summary)};
    read_block(reader, blocks[i], piece);
    part.prefix = piece.summary();
  });
  for (const ReadPiece& part : parts) {
    const bool prefixed = !part.prefix.properties.empty();
    if (!fold.add(part.summary, prefixed ? &part.prefix : nullptr)) break;
  }
}

}  // namespace

Checked check_stream(const Plan& plan, const RecordReader& reader, Input& input, std::string begin,
                     std::uint64_t lines, const CheckOptions& options, base::Limits& limits) {
  Checked checked{Fold{plan, lines}, true};
  Fold& fold = checked.fold;
  if (options.jobs <= 1) {
    Piece piece{plan, fold.history(), true, {}};
    Blocks blocks{input, std::move(begin), reader.has_quotes(), block_size};
    while (const std::optional<Block> block = blocks.next()) {
      if (limits.exceeded_now()) {
        checked.complete = false;
        break;
      }
      read_block(reader, *block, piece);
      if (piece.failed()) break;
    }
    if (blocks.too_long() && !piece.failed()) {
      piece.fail(too_long(0).message, too_long(0).hint);
    }
    fold.add(piece.summary(), nullptr);
    return checked;
  }
  // While the workers are busy with some blocks, the next ones are unpacked.
  const auto size = static_cast<std::size_t>(
      std::min<std::uint64_t>(options.least_piece, std::uint64_t{1} << 22U));
  Blocks blocks{input, std::move(begin), reader.has_quotes(), size};
  const auto read_round = [&] {
    std::vector<Block> round;
    for (unsigned i = 0; i < options.jobs * 4; ++i) {
      std::optional<Block> block = blocks.next();
      if (!block) break;
      round.push_back(std::move(*block));
    }
    return round;
  };
  std::vector<Block> round = read_round();
  while (!round.empty() && !fold.ended()) {
    if (limits.exceeded_now()) {
      checked.complete = false;
      break;
    }
    std::vector<Block> next;
    {
      const std::jthread workers{[&] { check_round(plan, reader, round, options.jobs, fold); }};
      next = read_round();
    }
    round = std::move(next);
  }
  if (blocks.too_long() && !fold.ended()) fold.end_with(too_long(fold.offset().lines + 1));
  if (fold.counters_too_large() && fold.problems().empty()) fold.end_with(too_nested());
  return checked;
}

}  // namespace cohort::trace::sequential
