#include "cli/test_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/options.hpp"

namespace cohort::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view directive = "//! test:";

/// What was given, each file once.
struct Files {
  std::set<fs::path> models;
  std::set<fs::path> specs;
  std::vector<std::string> problems;

  bool add_file(const fs::path& path) {
    if (path.extension() == ".coh") models.insert(path.lexically_normal());
    if (path.extension() == ".cctl") specs.insert(path.lexically_normal());
    return path.extension() == ".coh" || path.extension() == ".cctl";
  }

  void add(const std::string& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      if (!fs::exists(path, error)) {
        problems.push_back(fmt::format("{}: no such file or folder", path));
      } else if (!add_file(path)) {
        problems.push_back(fmt::format("{}: neither a model (.coh) nor a spec (.cctl)", path));
      }
      return;
    }
    bool any = false;
    auto entry = fs::recursive_directory_iterator(path, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
      std::error_code ignored;
      if (entry->is_regular_file(ignored) && add_file(entry->path())) any = true;
    }
    if (error) {
      problems.push_back(fmt::format("{}: {}", path, error.message()));
    } else if (!any) {
      problems.push_back(fmt::format("{}: no models and no specs in this folder", path));
    }
  }
};

/// NAME with this ending beside `path`, or in the folder `sibling` next to its own.
[[nodiscard]] std::optional<fs::path> partner(const fs::path& path, const char* sibling,
                                              const char* ending) {
  const fs::path name = path.stem().concat(ending);
  for (const fs::path& candidate :
       {path.parent_path() / name, (path.parent_path() / ".." / sibling / name)}) {
    std::error_code error;
    if (fs::is_regular_file(candidate, error)) return candidate.lexically_normal();
  }
  return std::nullopt;
}

/// The directives at the head of a file; what cannot be understood is a problem.
[[nodiscard]] std::vector<std::vector<std::string>> directives_of(
    const fs::path& path, std::vector<std::string>& problems) {
  std::vector<std::vector<std::string>> found;
  std::ifstream file{path};
  std::size_t number = 0;
  for (std::string line; std::getline(file, line) && line.starts_with("//");) {
    ++number;
    if (!line.starts_with(directive)) continue;
    std::vector<std::string> definitions;
    std::istringstream words{line.substr(directive.size())};
    bool fine = true;
    for (std::string word; fine && words >> word;) {
      std::string value;
      fine = word == "-D" && words >> value && is_definition(value);
      definitions.push_back(std::move(value));
    }
    if (fine) {
      found.push_back(std::move(definitions));
    } else {
      problems.push_back(fmt::format("{}:{}: error: after '{}' stands -D NAME=NUMBER, repeatedly",
                                     path.string(), number, directive));
    }
  }
  return found;
}

}  // namespace

TestPlan plan_tests(const std::vector<std::string>& paths) {
  Files files;
  for (const std::string& path : paths) files.add(path);
  TestPlan plan;
  plan.problems = std::move(files.problems);

  std::map<fs::path, std::vector<fs::path>> specs_of;
  for (const fs::path& model : files.models) specs_of[model];
  for (const fs::path& spec : files.specs) {
    bool any = false;
    for (auto& [model, specs] : specs_of) {
      if (model.stem() != spec.stem()) continue;
      specs.push_back(spec);
      any = true;
    }
    if (any) continue;
    const std::optional<fs::path> model = partner(spec, "models", ".coh");
    if (model) {
      specs_of[*model].push_back(spec);
    } else {
      plan.problems.push_back(fmt::format("{}: there is no model '{}.coh' for this spec",
                                          spec.string(), spec.stem().string()));
    }
  }
  for (auto& [model, specs] : specs_of) {
    if (specs.empty()) {
      const std::optional<fs::path> spec = partner(model, "specs", ".cctl");
      if (spec) specs.push_back(*spec);
    }
    PlannedTest test{model.string(), {}, {}};
    auto runs = directives_of(model, plan.problems);
    for (const fs::path& spec : specs) {
      test.specs.push_back(spec.string());
      if (runs.empty()) runs = directives_of(spec, plan.problems);
    }
    if (runs.empty()) runs.emplace_back();
    for (std::vector<std::string>& definitions : runs) {
      test.definitions = std::move(definitions);
      plan.tests.push_back(test);
    }
  }
  return plan;
}

}  // namespace cohort::cli
