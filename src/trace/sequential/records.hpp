// What a text format looks like to those who cut a trace into pieces.
#pragma once

#include "trace/sequential/csv.hpp"
#include "trace/sequential/piece.hpp"

namespace cohort::trace::sequential {

/// Reads records out of bytes.  Immutable; may be shared by threads.
class RecordReader {
 public:
  RecordReader() = default;
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;
  virtual ~RecordReader() = default;

  /// As read_csv does.
  [[nodiscard]] virtual const char* read(const char* begin, const char* end, const char* stop,
                                         bool complete, Piece& piece) const = 0;
  /// A line break between quotes ends no record.
  [[nodiscard]] virtual bool has_quotes() const = 0;
};

class CsvReader : public RecordReader {
 public:
  explicit CsvReader(CsvLayout layout) : layout_(std::move(layout)) {}

  [[nodiscard]] const char* read(const char* begin, const char* end, const char* stop,
                                 bool complete, Piece& piece) const override {
    return read_csv(layout_, begin, end, stop, complete, piece);
  }
  [[nodiscard]] bool has_quotes() const override { return true; }

 private:
  CsvLayout layout_;
};

/// `{"time": 12, "x": 3}`, one a line.
class JsonLinesReader : public RecordReader {
 public:
  [[nodiscard]] const char* read(const char* begin, const char* end, const char* stop,
                                 bool complete, Piece& piece) const override;
  [[nodiscard]] bool has_quotes() const override { return false; }
};

}  // namespace cohort::trace::sequential
