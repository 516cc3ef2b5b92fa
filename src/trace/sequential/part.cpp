#include "trace/sequential/part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>

namespace cohort::trace::sequential {
namespace {

/// Longer prefixes are not carried along.
constexpr std::uint64_t longest_prefix = std::uint64_t{1} << 18U;

[[nodiscard]] bool has_quote(const Bytes& bytes, std::uint64_t begin, std::uint64_t end) {
  std::vector<char> block(std::size_t{1} << 18U);
  bool failed = false;
  while (begin < end) {
    const auto wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), end - begin));
    const std::size_t count = bytes.read(begin, block.data(), wanted, failed);
    if (count == 0) return false;
    if (std::memchr(block.data(), '"', count) != nullptr) return true;
    begin += count;
  }
  return false;
}

[[nodiscard]] std::uint64_t cut_of(const Bytes& bytes, std::uint64_t begin, std::uint32_t piece,
                                   std::uint32_t pieces) {
  if (piece == pieces) return bytes.size();
  return begin + (bytes.size() - begin) / pieces * piece;
}

}  // namespace

TracePart make_part(const Plan& plan, const RecordReader& reader, const Bytes& bytes,
                    std::uint64_t begin, std::uint32_t piece, std::uint32_t pieces,
                    base::Limits& limits) {
  const std::function<bool()> stop = [&limits] { return limits.exceeded_now(); };
  TracePart part;
  part.piece = piece;
  part.pieces = pieces;
  part.cut_end = cut_of(bytes, begin, piece, pieces);
  const std::uint64_t cut = cut_of(bytes, begin, piece - 1, pieces);

  const auto add_prefix = [&](PartReading& reading) {
    if (!needs_prefix(plan, reading.summary)) return;
    Piece trial{plan, empty_history(plan), false, prefix_lengths(reading.summary)};
    const std::uint64_t end =
        read_range(reader, bytes, reading.begin,
                   std::min(reading.end, reading.begin + longest_prefix), stop, trial);
    if (!trial.wants_more() && end - reading.begin <= longest_prefix) {
      bool failed = false;
      reading.prefix_text.resize(end - reading.begin);
      (void)bytes.read(reading.begin, reading.prefix_text.data(), reading.prefix_text.size(),
                       failed);
      return;
    }
    Piece all{plan, empty_history(plan), true, {}};
    if (read_range(reader, bytes, begin, reading.begin, stop, all) != reading.begin) return;
    History before = empty_history(plan);
    before.append(plan, all.summary().history);
    Piece again{plan, before, false, prefix_lengths(reading.summary)};
    (void)read_range(reader, bytes, reading.begin, reading.end, stop, again);
    reading.prefix = again.summary();
  };
  const auto add_reading = [&](std::uint64_t from) {
    if (from >= part.cut_end && piece > 1) return;
    PartReading reading;
    reading.begin = from;
    Piece work = piece == 1 ? Piece{plan, empty_history(plan), true, {}} : Piece{plan};
    reading.end = read_range(reader, bytes, from, part.cut_end, stop, work);
    reading.summary = work.summary();
    if (piece > 1) add_prefix(reading);
    part.readings.push_back(std::move(reading));
  };

  const std::uint64_t outside = record_after(bytes, begin, cut, reader.has_quotes(), false);
  add_reading(piece == 1 ? begin : outside);
  if (piece > 1 && reader.has_quotes() && has_quote(bytes, cut - 1, part.cut_end)) {
    const std::uint64_t inside = record_after(bytes, begin, cut, true, true);
    if (inside != outside) add_reading(inside);
  }
  part.complete = !stop();
  return part;
}

Checked merge_parts(const Plan& plan, const RecordReader& reader, std::uint64_t header_lines,
                    std::uint64_t begin, const std::vector<TracePart>& parts) {
  Checked checked{Fold{plan, header_lines}, true};
  Fold& fold = checked.fold;
  std::uint64_t expected = begin;
  for (const TracePart& part : parts) {
    if (expected >= part.cut_end && part.piece > 1) continue;  // inside one long record
    const auto reading = std::ranges::find_if(
        part.readings, [&](const PartReading& one) { return one.begin == expected; });
    if (reading == part.readings.end()) {
      fold.end_with({0, 0, fmt::format("piece {} does not fit to the one before it", part.piece),
                     "are they of the same file?"});
      return checked;
    }
    std::optional<PieceSummary> prefix = reading->prefix;
    if (!reading->prefix_text.empty()) {
      Piece again{plan, fold.history(), false, prefix_lengths(reading->summary)};
      const Bytes text = Bytes::from_text(reading->prefix_text);
      (void)read_range(
          reader, text, 0, text.size(), [] { return false; }, again);
      prefix = again.summary();
    }
    if (!fold.add(reading->summary, prefix ? &*prefix : nullptr)) return checked;
    expected = reading->end;
  }
  if (fold.counters_too_large() && fold.problems().empty()) {
    fold.end_with(
        {0, 0, "the counters of a monitor cannot be put together from pieces",
         "their updates nest, or divide by a counter that is 0: check the trace as a whole"});
  }
  return checked;
}

std::string fingerprint(const Bytes& bytes) {
  constexpr std::uint64_t samples = 32;
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  const auto mix = [&](std::uint64_t byte) { hash = (hash ^ byte) * 0x100000001b3ULL; };
  for (unsigned i = 0; i < 8; ++i) mix(bytes.size() >> (8 * i) & 0xFFU);
  std::vector<char> block(4096);
  bool failed = false;
  for (std::uint64_t i = 0; i <= samples; ++i) {
    const std::uint64_t span = bytes.size() > block.size() ? bytes.size() - block.size() : 0;
    const std::size_t count = bytes.read(span / samples * i, block.data(), block.size(), failed);
    for (std::size_t k = 0; k < count; ++k) mix(static_cast<unsigned char>(block[k]));
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace cohort::trace::sequential
