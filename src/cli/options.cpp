#include "cli/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>
#include <system_error>

#include "base/suggest.hpp"
#include "cli/sections.hpp"
#include "cli/whole_number.hpp"

namespace cohort::cli {
namespace {

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

template <typename Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

/// An option whose value is one of a few words.
template <typename Value>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Value& value,
                        const std::vector<std::pair<std::string, Value>>& words,
                        const std::string& help) {
  std::vector<std::string> names;
  for (const auto& [word, meaning] : words) names.push_back(word);
  const std::string list = fmt::format("{}", fmt::join(names, "|"));
  return command
      .add_option_function<std::string>(
          name,
          [&value, words](const std::string& given) {
            for (const auto& [word, meaning] : words) {
              if (word == given) value = meaning;
            }
          },
          help)
      ->check(CLI::Validator(
          [names, list, name](const std::string& given) -> std::string {
            if (std::ranges::find(names, given) != names.end()) return {};
            return fmt::format("'{}' is none of {}", given, list);
          },
          std::string{}))
      ->type_name(list)
      ->take_last();
}

template <typename Number>
CLI::Option* add_positive(CLI::App& command, const std::string& name, Number& value,
                          const std::string& help) {
  return command
      .add_option_function<std::string>(
          name, [&value](const std::string& text) { value = parse_number<Number>(text).value(); },
          help)
      ->check(CLI::Validator(
          [](const std::string& text) -> std::string {
            const std::optional<Number> number = parse_number<Number>(text);
            if (number && *number > 0) return {};
            return fmt::format("'{}' is no whole number above 0", text);
          },
          std::string{}))
      ->type_name("N")
      ->take_last();
}

[[nodiscard]] lang::LoadRequest request_of(const InputWords& words) {
  lang::LoadRequest request = words.request;
  request.overrides = overrides_of(words);
  return request;
}

[[nodiscard]] lang::Loaded selected(lang::Loaded loaded, const InputWords& words) {
  const std::vector<std::string>& names = words.properties;
  // With errors in the texts a name may be missing because of them.
  if (names.empty() || !loaded.ok()) return loaded;
  std::vector<std::string_view> known;
  for (const lang::Formula& formula : loaded.formulas) known.push_back(formula.name);
  known.insert(known.end(), words.elsewhere.begin(), words.elsewhere.end());
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const std::optional<std::string_view> near = base::nearest(name, known);
    std::string hint;
    if (near) {
      hint = fmt::format("did you mean '{}'?", *near);
    } else if (!known.empty()) {
      hint = fmt::format("there are: {}", fmt::join(known, ", "));
    }
    loaded.problems.push_back({"--property " + name, "names no property", hint});
  }
  if (!loaded.ok()) return loaded;
  std::erase_if(loaded.formulas, [&](const lang::Formula& formula) {
    return std::ranges::find(names, formula.name) == names.end();
  });
  return loaded;
}

}  // namespace

void add_model_options(CLI::App& command, InputWords& words) {
  command.add_option("MODEL", words.request.model, "the model, a .coh file; - is standard input")
      ->required()
      ->group(input_section);
  command
      .add_option("-D", words.definitions,
                  "another size for a Module or value for a Const (repeatable)")
      ->allow_extra_args(false)
      ->check(check_definition)
      ->type_name("NAME=VALUE")
      ->group(input_section);
}

void add_formula_options(CLI::App& command, InputWords& words) {
  command.add_option("--property", words.properties, "only this one (repeatable)")
      ->allow_extra_args(false)
      ->type_name("NAME")
      ->group(input_section);
  command.add_option("--cctl", words.request.cctl, "a formula; the first is cctl1 (repeatable)")
      ->allow_extra_args(false)
      ->type_name("FORMULA")
      ->group(input_section);
  command
      .add_option("--evaluate", words.request.values,
                  "value of a free process variable (repeatable)")
      ->allow_extra_args(false)
      ->type_name("i=3")
      ->group(input_section);
}

void add_input_options(CLI::App& command, InputWords& words) {
  add_model_options(command, words);
  command.add_option("SPEC", words.request.specs, "properties, .cctl files")->group(input_section);
  add_formula_options(command, words);
}

std::vector<lang::Override> overrides_of(const InputWords& words) {
  std::vector<lang::Override> made;
  for (const std::string& text : words.definitions) {
    const std::size_t equals = text.find('=');
    std::string name = text.substr(0, equals);
    std::erase_if(made, [&](const lang::Override& other) { return other.name == name; });
    made.push_back({std::move(name), parse_number<std::int64_t>(text.substr(equals + 1)).value()});
  }
  return made;
}

lang::Loaded load(const InputWords& words) {
  return selected(lang::load(request_of(words)), words);
}

lang::Loaded load_model(InputWords words) {
  words.request.own_formulas = lang::OwnFormulas::Beside;
  return load(words);
}

lang::Loaded load_text(const InputWords& words, std::string text) {
  return selected(lang::load_text(words.request.model, std::move(text), request_of(words)), words);
}

void add_engine_option(CLI::App& command, SearchWords& words) {
  add_choice<cctl::Engine>(command, "--engine", words.options.engine,
                           {{"quotient", cctl::Engine::Quotient}, {"full", cctl::Engine::Full}},
                           "with symmetry (the default) or without")
      ->group(checking_section);
}

void add_engine_options(CLI::App& command, SearchWords& words) {
  add_engine_option(command, words);
  add_choice<cctl::Elimination>(command, "--quantifier-elimination",
                                words.options.quantifier_elimination,
                                {{"on", cctl::Elimination::On}, {"off", cctl::Elimination::Off}},
                                "ask one process of each class of interchangeable ones (on, the "
                                "default), or every process")
      ->group(checking_section);
  add_choice<cctl::Counting>(command, "--counting", words.options.counting,
                             {{"on", cctl::Counting::On}, {"off", cctl::Counting::Off}},
                             "count processes that look alike where the model allows it (on, the "
                             "default), or never")
      ->group(checking_section);
  add_choice<cctl::Build>(command, "--build", words.options.build,
                          {{"lazy", cctl::Build::Lazy}, {"eager", cctl::Build::Eager}},
                          "states on demand (the default), or the whole structure first")
      ->group(checking_section);
}

void add_store_option(CLI::App& command, SearchWords& words) {
  add_choice<cctl::StateStore>(
      command, "--store", words.options.store,
      {{"hash", cctl::StateStore::Hash}, {"ist", cctl::StateStore::Ist}},
      "with --build eager: states in a hash table (the default) or in an interval sharing tree")
      ->group(checking_section);
}

void add_resource_options(CLI::App& command, SearchWords& words) {
  command
      .add_option_function<std::string>(
          "--timeout",
          [&words](const std::string& text) { words.timeout = parse_number<double>(text).value(); },
          "give up after this time")
      ->check(CLI::Validator(
          [](const std::string& text) -> std::string {
            const std::optional<double> seconds = parse_number<double>(text);
            if (seconds && *seconds > 0 && std::isfinite(*seconds)) return {};
            return fmt::format("'{}' is no number of seconds above 0", text);
          },
          std::string{}))
      ->type_name("SECONDS")
      ->take_last()
      ->group(checking_section);
  command
      .add_option_function<std::string>(
          "--max-memory",
          [&words](const std::string& text) { words.max_memory = parse_size(text).value(); },
          "give up at this size of the process, for instance 4G or 512M")
      ->check(CLI::Validator(
          [](const std::string& text) -> std::string {
            const std::optional<std::uint64_t> size = parse_size(text);
            if (size && *size > 0) return {};
            return fmt::format("'{}' is no size; write 4G, 512M or a number of bytes", text);
          },
          std::string{}))
      ->type_name("SIZE")
      ->take_last()
      ->group(checking_section);
}

void add_limit_options(CLI::App& command, SearchWords& words) {
  add_resource_options(command, words);
  add_positive(command, "--max-states", words.max_states, "give up at this number of states")
      ->group(checking_section);
  add_positive(command, "--jobs", words.jobs,
               "accepted; the search of a model is one thread's work")
      ->group(checking_section);
  command.add_option("--seed", words.seed, "with --heap: which states are forgotten")
      ->check(check_whole_number)
      ->type_name("S")
      ->take_last()
      ->group(checking_section);
}

void apply(const SearchWords& words, base::Limits& limits) {
  if (words.timeout > 0) limits.set_timeout(words.timeout);
  if (words.max_memory > 0) limits.set_max_memory(words.max_memory);
  if (words.max_states > 0) limits.set_max_states(words.max_states);
}

void add_format_option(CLI::App& command, Format& format, const std::vector<Format>& formats) {
  std::vector<std::pair<std::string, Format>> words{
      {"text", Format::Text}, {"json", Format::Json}, {"junit", Format::Junit}};
  std::erase_if(words, [&](const auto& word) {
    return std::ranges::find(formats, word.second) == formats.end();
  });
  add_choice<Format>(command, "--format", format, words, "how to print the result")
      ->group(output_section);
}

void add_progress_options(CLI::App& command, OutputWords& words) {
  command.add_flag("--quiet,-q", words.quiet, "no summary, no warnings, no progress")
      ->group(output_section);
  add_choice<ShowProgress>(command, "--progress", words.progress,
                           {{"auto", ShowProgress::Auto},
                            {"always", ShowProgress::Always},
                            {"never", ShowProgress::Never}},
                           "on standard error; auto: if that is a terminal")
      ->group(output_section);
}

void add_output_options(CLI::App& command, OutputWords& words) {
  add_format_option(command, words.format, {Format::Text, Format::Json, Format::Junit});
  command.add_flag("--no-witness", words.no_witness, "verdicts only, without evidence")
      ->group(output_section);
  add_progress_options(command, words);
}

CLI::Option* add_positive_option(CLI::App& command, const std::string& name, std::size_t& value,
                                 const std::string& help) {
  return add_positive(command, name, value, help);
}

bool is_definition(const std::string& text) { return check_definition(text).empty(); }

std::optional<std::uint64_t> parse_size(const std::string& text) {
  const char* const end = text.data() + text.size();
  double number = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (error != std::errc{} || !std::isfinite(number) || number < 0) return std::nullopt;
  std::string unit(stop, end);
  std::ranges::transform(unit, unit.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  static const std::map<std::string, unsigned, std::less<>> shifts{
      {"", 0},     {"B", 0},  {"K", 10},  {"KB", 10},  {"KIB", 10}, {"M", 20},  {"MB", 20},
      {"MIB", 20}, {"G", 30}, {"GB", 30}, {"GIB", 30}, {"T", 40},   {"TB", 40}, {"TIB", 40}};
  const auto shift = shifts.find(unit);
  if (shift == shifts.end()) return std::nullopt;
  const double bytes = std::ldexp(number, static_cast<int>(shift->second));
  if (bytes >= 0x1p63) return std::nullopt;
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace cohort::cli
