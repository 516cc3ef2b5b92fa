// Which processes may stand for which when instances are tried.
#pragma once

#include <cstdint>
#include <vector>

#include "model/program.hpp"
#include "model/successors.hpp"

namespace cohort::quotient {

/// Turns class numbers (as Space::classes gives them) into the chains that a generator follows.
/// Keeps its buffers.
class ThinningMaker {
 public:
  explicit ThinningMaker(const model::Program& program);

  /// Valid until the next call.
  [[nodiscard]] const model::Thinning& operator()(const std::vector<std::uint32_t>& classes);

 private:
  std::vector<std::size_t> first_processes_;  // by module, and one past the end
  std::vector<std::uint32_t> last_of_class_;
  model::Thinning thinning_;
};

}  // namespace cohort::quotient
