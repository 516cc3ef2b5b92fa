// Writing a file so that it is, at every moment, either the old one or the new one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cohort::cli {

/// Gives an existing file a new text: writes a new file beside it, with its mode and ownership, and
/// renames that.  Follows symbolic links.  Returns what went wrong, if something did; the file is
/// then as it was.
[[nodiscard]] std::optional<std::string> replace_file(const std::string& path,
                                                      std::string_view text);

}  // namespace cohort::cli
