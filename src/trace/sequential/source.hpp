// A sequential trace, open: whatever its form, it can be asked for its variables and checked.
//
//   std::variant<Source, Problem> opened = Source::open("log.csv", {});
//   plan.finish(source.places(plan.atoms));
//   const Checked checked = source.check(plan, {.jobs = 2}, limits);
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/limits.hpp"
#include "trace/format/read.hpp"
#include "trace/sequential/bytes.hpp"
#include "trace/sequential/check.hpp"
#include "trace/sequential/csv.hpp"

namespace cohort::trace::sequential {

enum class Form : std::uint8_t {
  Csv,
  JsonLines,
  Sqlite,
  Order,  ///< events of processes, all of them ordered
};

/// The form that a file's name tells; `.gz` and `.zst` are looked through.  JSON lines and the
/// native form can be partial orders as well: their names tell nothing.
[[nodiscard]] std::optional<Form> form_of_name(std::string_view name);
/// The form that the first bytes of a file tell, if those are of a sequential trace.
[[nodiscard]] std::optional<Form> form_of_text(std::string_view begin);

class Source {
 public:
  struct Options {
    std::string table;
    ReadOptions order;  ///< of Form::Order
  };

  /// `input` is what a stream was opened as, if somebody looked into it; otherwise nothing.
  [[nodiscard]] static std::variant<Source, Problem> open(const std::string& path, Form form,
                                                          const Options& options,
                                                          std::optional<Input> input);

  [[nodiscard]] Form form() const { return form_; }
  /// The variables, where the form says them before its lines.
  [[nodiscard]] const std::optional<std::vector<std::string>>& names() const { return names_; }
  /// The scale for a plan: decimal places of constants and of the first lines, as far as the whole
  /// parts of those leave room.  Only speed depends on it.
  [[nodiscard]] unsigned scale(const Atoms& atoms) const;
  /// Values that variables start with, where the form says them: names and values.
  void set_initial(Plan& plan) const;
  /// May be called once.
  [[nodiscard]] Checked check(const Plan& plan, const CheckOptions& options, base::Limits& limits);

  /// For pieces: the bytes, if the file can be cut, and where its records begin.
  [[nodiscard]] const std::optional<Bytes>& bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t begin() const { return begin_; }
  [[nodiscard]] std::uint64_t header_lines() const { return header_lines_; }
  [[nodiscard]] std::unique_ptr<RecordReader> reader(const Plan& plan) const;
  /// Findings about a partial order: warnings.
  [[nodiscard]] const Reading* reading() const { return reading_.get(); }

 private:
  Source() = default;
  [[nodiscard]] std::optional<Problem> open_text(const std::string& path,
                                                 std::optional<Input> input);
  [[nodiscard]] std::optional<Problem> open_order(const std::string& path, const Options& options,
                                                  std::optional<Input> input);
  [[nodiscard]] Checked check_order(const Plan& plan, base::Limits& limits) const;

  std::string path_;
  Form form_ = Form::Csv;
  std::string table_;
  std::optional<std::vector<std::string>> names_;
  std::optional<Bytes> bytes_;
  std::optional<Input> input_;
  std::string ahead_;  // of a stream: what was read of its records; of a file: its first lines
  std::uint64_t begin_ = 0;
  std::uint64_t header_lines_ = 0;
  CsvHeader header_;
  std::unique_ptr<Reading> reading_;
};

}  // namespace cohort::trace::sequential
