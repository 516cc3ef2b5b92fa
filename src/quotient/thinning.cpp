#include "quotient/thinning.hpp"

#include <utility>

namespace cohort::quotient {

using model::Thinning;

ThinningMaker::ThinningMaker(const model::Program& program) {
  const std::size_t num_modules = program.source().modules.size();
  for (std::uint32_t m = 0; m < num_modules; ++m) {
    first_processes_.push_back(program.process_number(lang::ModuleId{m}, 0));
  }
  first_processes_.push_back(program.num_processes());
  thinning_.firsts.resize(num_modules);
}

const Thinning& ThinningMaker::operator()(const std::vector<std::uint32_t>& classes) {
  thinning_.next.assign(classes.size(), Thinning::none);
  last_of_class_.assign(classes.size(), Thinning::none);
  for (std::size_t m = 0; m + 1 < first_processes_.size(); ++m) {
    thinning_.firsts[m].clear();
    for (std::size_t i = first_processes_[m]; i < first_processes_[m + 1]; ++i) {
      const auto p = static_cast<std::uint32_t>(i);
      const std::uint32_t last = std::exchange(last_of_class_[classes[p]], p);
      if (last == Thinning::none) {
        thinning_.firsts[m].push_back(p);
      } else {
        thinning_.next[last] = p;
      }
    }
  }
  return thinning_;
}

}  // namespace cohort::quotient
