// cohort check: reads a model and its properties, and says what is wrong with them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "cli/commands.hpp"
#include "lang/load.hpp"
#include "report/diagnostics.hpp"

namespace cohort::cli {
namespace {

struct Words {
  lang::LoadRequest request;
  std::vector<std::string> definitions;
  std::string format = "text";
};

/// `NAME=VALUE`; a validator's answer: empty if it is right.
[[nodiscard]] std::string check_definition(const std::string& text) {
  const std::size_t equals = text.find('=');
  const char* const end = text.data() + text.size();
  if (equals != std::string::npos && equals > 0) {
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, value);
    if (error == std::errc{} && stop == end) return {};
  }
  return "'" + text + "' is not of the form NAME=NUMBER";
}

void define(Words& words) {
  for (const std::string& text : words.definitions) {
    const std::size_t equals = text.find('=');
    words.request.overrides.push_back(
        {text.substr(0, equals), std::stoll(text.substr(equals + 1))});
  }
}

[[nodiscard]] nlohmann::json json_of(const Words& words, const lang::Loaded& loaded) {
  nlohmann::json properties = nlohmann::json::array();
  if (loaded.ok()) {
    for (const lang::Formula& formula : loaded.formulas) {
      properties.push_back({{"name", formula.name},
                            {"formula", formula.text},
                            {"verdict", "unknown"},
                            {"expected", formula.expected}});
    }
  }
  return {{"tool", "cohort"},
          {"version", COHORT_VERSION},
          {"command", "check"},
          {"input", words.request.model},
          {"properties", std::move(properties)},
          {"errors", report::json_of_errors(loaded)}};
}

[[nodiscard]] ExitStatus run(Words& words) {
  define(words);
  const lang::Loaded loaded = lang::load(words.request);
  std::fputs(report::text_of_findings(loaded).c_str(), stderr);
  if (words.format == "json") {
    // A file's name need not be UTF-8.
    const auto replace = nlohmann::json::error_handler_t::replace;
    fmt::print("{}\n", json_of(words, loaded).dump(2, ' ', false, replace));
  } else if (loaded.ok()) {
    for (const lang::Formula& formula : loaded.formulas) {
      fmt::print("{}: unknown (checking is not built in yet)\n", formula.name);
    }
  }
  if (!loaded.ok()) return ExitStatus::InputError;
  return loaded.formulas.empty() ? ExitStatus::AsExpected : ExitStatus::Unknown;
}

}  // namespace

void add_check(CLI::App& app, ExitStatus& status) {
  auto words = std::make_shared<Words>();
  CLI::App* const command = app.add_subcommand("check", "check a model's properties");
  command->add_option("MODEL", words->request.model, "the model, a .coh file; - is standard input")
      ->required();
  command->add_option("SPEC", words->request.specs, "properties, .cctl files");
  command->add_option("--cctl", words->request.cctl, "a formula (repeatable)")
      ->allow_extra_args(false);
  command
      ->add_option("--evaluate", words->request.values,
                   "value of a free process variable: i=3 (repeatable)")
      ->allow_extra_args(false);
  command
      ->add_option("-D", words->definitions,
                   "another size for a Module or value for a Const: NAME=VALUE (repeatable)")
      ->allow_extra_args(false)
      ->check(check_definition);
  command->add_option("--format", words->format, "how to print the result")
      ->check(CLI::IsMember({"text", "json"}));
  command->callback([words, &status] { status = run(*words); });
}

}  // namespace cohort::cli
