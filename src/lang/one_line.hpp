// A piece of a source text on one line, for reports.
#pragma once

#include <string>
#include <string_view>

namespace cohort::lang {

/// The text with every comment, line break and run of blanks as one blank, and none at the ends.
/// Reading it again gives what the text itself gives.
[[nodiscard]] std::string on_one_line(std::string_view text);

}  // namespace cohort::lang
