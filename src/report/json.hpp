// The JSON output: one object, described by docs/report.schema.json.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "report/json_writer.hpp"
#include "report/names.hpp"
#include "report/results.hpp"

namespace cohort::report {

/// `{"tool": "cohort", …}`, with a line break at its end.
void write_json(std::ostream& out, const Run& run);

/// Parts of it, for other commands.
void write_json_body(JsonWriter& json, const Run& run);  ///< all members of the object
void write_json_head(JsonWriter& json, const Run& run);
void write_json_evidence(JsonWriter& json, const Names& names, const cctl::Evidence& evidence,
                         const base::Source* source);
void write_json_statistics(JsonWriter& json, const cctl::Statistics& statistics);
/// "errors": of the input, and model errors of the results; then those of `more`, JSON already.
void write_json_errors(JsonWriter& json, const Run& run, const std::vector<std::string>& more = {});
/// One of them, on one line.
[[nodiscard]] std::string json_of_error(const lang::Loaded& loaded, const cctl::ModelError& error,
                                        const lang::Formula& formula);

}  // namespace cohort::report
