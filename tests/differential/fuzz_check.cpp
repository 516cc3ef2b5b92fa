// Looks for disagreements by the hour, and makes what it finds small.
//
//   fuzz_check run FIRST COUNT FOLDER [FAULT_PERCENT [BITS]]   random models; findings go to FOLDER
//   fuzz_check entangled FIRST COUNT FOLDER [FAULT_PERCENT]    … that symmetry finds hard
//   fuzz_check mixed FIRST COUNT FOLDER [FAULT_PERCENT]        … where some processes are counted
//   fuzz_check counted FIRST COUNT FOLDER [FAULT_PERCENT]      … by that engine only
//   fuzz_check kinds FIRST COUNT FOLDER [FAULT_PERCENT [BITS]]   likewise of those of `run`
//   fuzz_check compare FILE                             one model through everything
//   fuzz_check shrink FILE                              a smaller one with a complaint of its kind
//   fuzz_check shrink FILE COMMAND                      … for which `COMMAND file` fails
//   fuzz_check show SEED [FAULT_PERCENT [BITS]]         the model of a seed
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "differential/compare.hpp"
#include "differential/random_case.hpp"
#include "lang/load.hpp"
#include "support/shrink.hpp"

namespace cohort::differential {
namespace {

[[nodiscard]] std::string read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

/// What a complaint is about, without the formula's name, the numbers and the names in it.
[[nodiscard]] std::string kind_of(const std::string& complaint) {
  std::string kind;
  bool quoted = false;
  for (const char c : complaint) {
    if (c == '\'') quoted = !quoted;
    if (!quoted && (c < '0' || c > '9')) kind += c;
  }
  return kind;
}

/// Shrinks to a model with the same kind of complaint, so that one mistake does not become another.
[[nodiscard]] std::string shrunk(const std::string& text, const std::string& complaint,
                                 const Bounds& bounds) {
  const std::string kind = kind_of(complaint);
  return support::shrink(text, [&](const std::string& candidate) {
    const Comparison found = compare(candidate, bounds);
    return std::ranges::any_of(found.complaints,
                               [&](const std::string& other) { return kind_of(other) == kind; });
  });
}

[[nodiscard]] std::string shrunk_by_command(const std::string& text, const std::string& command) {
  const std::string path = std::filesystem::temp_directory_path() / "fuzz_check_candidate.coh";
  return support::shrink(text, [&](const std::string& candidate) {
    if (!lang::load_text("candidate.coh", candidate, {}).ok()) return false;
    write(path, candidate);
    return std::system((command + " " + path + " >/dev/null 2>&1").c_str()) != 0;
  });
}

int run(std::uint64_t first, std::uint64_t count, const std::string& folder,
        const std::function<std::string(std::uint64_t)>& make, const Bounds& bounds = {}) {
  std::filesystem::create_directories(folder);
  std::map<std::string, std::size_t> tally;
  std::map<std::string, std::size_t> kinds;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string text = make(seed);
    // Of a crash the file tells what did it.
    const std::string name = folder + "/seed" + std::to_string(seed);
    write(folder + "/current" + std::to_string(first) + ".coh", text);
    const Comparison found = compare(text, bounds);
    ++tally[found.outcome == Comparison::Outcome::Compared   ? "models compared"
            : found.outcome == Comparison::Outcome::TooLarge ? "models too large"
                                                             : "models rejected"];
    if (found.is_counted) ++tally["models counted by kinds"];
    for (const auto& [what, number] : found.tally) tally["answers: " + what] += number;
    if ((seed - first) % 1000 == 999) {
      std::printf("-- seed %llu\n", static_cast<unsigned long long>(seed));
      std::fflush(stdout);
    }
    if (found.complaints.empty()) continue;
    ++tally["models with complaints"];
    // Five of each kind are enough to find the mistake.
    const std::string& complaint = found.complaints.front();
    if (++kinds[kind_of(complaint)] > 2) continue;
    std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), complaint.c_str());
    std::fflush(stdout);
    write(name + ".coh", text);
    const std::string small = shrunk(text, complaint, bounds);
    std::string report = small;
    for (const std::string& line : compare(small, bounds).complaints) report += "// " + line + "\n";
    write(name + ".small.coh", report);
    std::printf("%s\n", report.c_str());
    std::fflush(stdout);
  }
  for (const auto& [what, number] : tally) std::printf("%9zu %s\n", number, what.c_str());
  for (const auto& [kind, number] : kinds)
    std::printf("%9zu complaints: %s\n", number, kind.c_str());
  return kinds.empty() ? 0 : 1;
}

int compare_file(const std::string& path) {
  const Comparison found = compare(read(path), {.most_states = 100'000});
  if (found.outcome != Comparison::Outcome::Compared) {
    std::printf("not compared: rejected or too large\n");
    return 2;
  }
  for (const auto& [what, number] : found.tally) std::printf("%9zu %s\n", number, what.c_str());
  for (const std::string& complaint : found.complaints) std::printf("%s\n", complaint.c_str());
  return found.complaints.empty() ? 0 : 1;
}

int shrink_file(const std::string& path) {
  const std::string text = read(path);
  const Comparison found = compare(text, {});
  if (found.complaints.empty()) {
    std::printf("nothing to complain of\n");
    return 2;
  }
  std::printf("%s", shrunk(text, found.complaints.front(), {}).c_str());
  return 0;
}

[[nodiscard]] int main_with(const std::vector<std::string>& words) {
  const auto number = [&](std::size_t i, std::uint64_t otherwise) {
    return i < words.size() ? std::strtoull(words[i].c_str(), nullptr, 10) : otherwise;
  };
  const std::string command = words.empty() ? "" : words[0];
  if ((command == "run" || command == "kinds") && words.size() >= 4) {
    const auto make = [&](std::uint64_t seed) {
      return random_case(seed, static_cast<unsigned>(number(4, 0)),
                         static_cast<double>(number(5, 13)));
    };
    return run(number(1, 1), number(2, 100), words[3], make, {.only_counting = command == "kinds"});
  }
  if (command == "entangled" && words.size() >= 4) {
    return run(number(1, 1), number(2, 100), words[3], [&](std::uint64_t seed) {
      return random_entangled_case(seed, static_cast<unsigned>(number(4, 0)));
    });
  }
  if (command == "mixed" && words.size() >= 4) {
    return run(number(1, 1), number(2, 100), words[3], [&](std::uint64_t seed) {
      return random_mixed_case(seed, static_cast<unsigned>(number(4, 0)));
    });
  }
  if (command == "counted" && words.size() >= 4) {
    const auto make = [&](std::uint64_t seed) {
      return random_mixed_case(seed, static_cast<unsigned>(number(4, 0)));
    };
    return run(number(1, 1), number(2, 100), words[3], make,
               {.most_states = 400, .most_initial_states = 100, .only_counting = true});
  }
  if (command == "compare" && words.size() == 2) return compare_file(words[1]);
  if (command == "shrink" && words.size() == 2) return shrink_file(words[1]);
  if (command == "shrink" && words.size() == 3) {
    std::printf("%s", shrunk_by_command(read(words[1]), words[2]).c_str());
    return 0;
  }
  if (command == "show" && words.size() >= 2) {
    std::printf("%s", random_case(number(1, 1), static_cast<unsigned>(number(2, 0)),
                                  static_cast<double>(number(3, 13)))
                          .c_str());
    return 0;
  }
  std::fprintf(stderr,
               "fuzz_check run|kinds FIRST COUNT FOLDER [FAULT_PERCENT [BITS]] | compare FILE | "
               "entangled FIRST COUNT FOLDER [FAULT_PERCENT] | "
               "mixed FIRST COUNT FOLDER [FAULT_PERCENT] | "
               "counted FIRST COUNT FOLDER [FAULT_PERCENT] | "
               "shrink FILE [COMMAND] | show SEED [FAULT_PERCENT [BITS]]\n");
  return 2;
}

}  // namespace
}  // namespace cohort::differential

int main(int argc, char** argv) { return cohort::differential::main_with({argv + 1, argv + argc}); }
