// Which models `cohort test` runs, with which specs and sizes.
//
//   const TestPlan plan = plan_tests({"models", "specs"});
//   for (const PlannedTest& test : plan.tests) …   // or plan.problems
//
// A folder stands for its .coh and .cctl files and those of its folders.  A model goes with the
// specs of its name among what was given; without one, with NAME.cctl beside it or in ../specs.
// Likewise a spec without a model goes with NAME.coh beside it or in ../models.
//
// What a test says of itself.  Lines `//! test: -D NAME=VALUE …` before anything else in the model
// (or, if it has none, in a spec) give the sizes: one run for each such line, one as it stands
// without any.
#pragma once

#include <string>
#include <vector>

namespace cohort::cli {

struct PlannedTest {
  std::string model;
  std::vector<std::string> specs;
  std::vector<std::string> definitions;  ///< NAME=VALUE
};

struct TestPlan {
  std::vector<PlannedTest> tests;  ///< by the path of the model
  std::vector<std::string> problems;
};

/// The same for the same files, in whatever order the paths are given.
[[nodiscard]] TestPlan plan_tests(const std::vector<std::string>& paths);

}  // namespace cohort::cli
