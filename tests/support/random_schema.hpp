// The schemas of random programs.
#pragma once

#include <string>
#include <vector>

#include "base/random.hpp"
#include "support/random_program.hpp"

namespace cohort::support {

[[nodiscard]] std::string join(const std::vector<std::string>& parts, const std::string& between);

/// Process ids as a user writes them, `0, 2-3`: neighbours are often put together, and what reaches
/// the last process may leave it out.  `ids` ascend.
[[nodiscard]] std::string id_list(base::Random& random, const std::vector<int>& ids,
                                  int module_size);

/// One schema of a module, from its label to the semicolon.
[[nodiscard]] std::string random_schema(base::Random& random, const Vocabulary& vocabulary,
                                        const ProgramShape& shape, int module,
                                        const std::string& label);

}  // namespace cohort::support
