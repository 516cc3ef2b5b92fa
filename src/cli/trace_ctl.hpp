// The words of `cohort trace` about CTL: --ctl, --spec, --where, --dot.
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "report/trace.hpp"
#include "trace/ctl_syntax.hpp"
#include "trace/format/read.hpp"

namespace cohort::cli {

struct CtlWords {
  std::vector<std::string> formulas;
  std::vector<std::string> specs;
  bool where = false;
  std::string dot;
};

void add_ctl_options(CLI::App& command, CtlWords& words);

/// The CTL formulas of a command line, resolved against one file's variables.
class CtlProperties {
 public:
  /// What is wrong with a formula goes to standard error and to `errors`.
  CtlProperties(const CtlWords& words, const trace::Vocabulary& vocabulary,
                std::vector<report::TraceError>& errors);

  /// Checks all of them on one execution; `number` is 0 if the file has only one.
  [[nodiscard]] std::vector<report::TraceResult> check(const trace::Reading& reading,
                                                       const trace::Order& order,
                                                       std::size_t number,
                                                       const std::string& engine,
                                                       base::Limits& limits);
  /// What `check` would list, with no verdict but that of formulas with errors, for `reason`.
  [[nodiscard]] std::vector<report::TraceResult> unchecked(const trace::Reading& reading,
                                                           std::size_t number,
                                                           const std::string& reason) const;

 private:
  struct Item {
    const base::Source* source = nullptr;
    std::string name;
    std::string text;
    std::vector<trace::ctl::Formula> formula;  ///< empty: it has errors
  };

  void add_formula(const std::string& text, const trace::Vocabulary& vocabulary);
  void add_spec(const std::string& path, const trace::Vocabulary& vocabulary);
  /// The result of a formula before it is checked: an error.
  [[nodiscard]] static report::TraceResult result_of(const trace::Reading& reading,
                                                     const Item& item);
  void show_errors(const base::Source& source, const base::Diagnostics& diagnostics);
  [[nodiscard]] report::TraceResult check(const trace::Reading& reading, const trace::Order& order,
                                          const Item& item, const std::string& engine,
                                          base::Limits& limits);
  void add_where(const trace::Reading& reading, const trace::Order& order, const Item& item,
                 base::Limits& limits, report::TraceResult& result);

  const CtlWords& words_;
  std::vector<report::TraceError>& errors_;
  std::vector<std::unique_ptr<base::Source>> sources_;
  std::vector<Item> items_;
};

}  // namespace cohort::cli
