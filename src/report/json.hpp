// The JSON output: one object, described by docs/report.schema.json.
#pragma once

#include <ostream>

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
/// "errors": of the input, and model errors of the results.
void write_json_errors(JsonWriter& json, const Run& run);

}  // namespace cohort::report
