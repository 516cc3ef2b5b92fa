// cohort fmt: prints files in canonical form, or writes them back.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/lexer.hpp"
#include "base/source.hpp"
#include "cli/commands.hpp"
#include "cli/replace_file.hpp"
#include "lang/format.hpp"
#include "lang/token.hpp"

namespace cohort::cli {
namespace {

struct Words {
  std::vector<std::string> files;
  bool check = false;
  bool in_place = false;
};

/// By the name; for other names (standard input) by the first word.
[[nodiscard]] lang::FileKind file_kind(const base::Source& source) {
  if (source.name().ends_with(".cctl")) return lang::FileKind::Spec;
  if (source.name().ends_with(".coh")) return lang::FileKind::Model;
  base::Diagnostics ignored;
  const base::Lexed lexed = base::lex(source, lang::lexicon(), ignored);
  const bool is_spec = lang::kind_of(lexed.tokens.front()) == lang::Kind::Property;
  return is_spec ? lang::FileKind::Spec : lang::FileKind::Model;
}

[[nodiscard]] ExitStatus deliver(const Words& words, const std::string& path,
                                 const base::Source& source, const std::string& text) {
  const bool changed = text != source.text();
  if (words.check) {
    if (changed) fmt::print("{}: not in canonical form\n", path);
    return changed ? ExitStatus::NotAsExpected : ExitStatus::AsExpected;
  }
  if (!words.in_place || path == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return ExitStatus::AsExpected;
  }
  if (!changed) return ExitStatus::AsExpected;
  const std::optional<std::string> failure = replace_file(path, text);
  if (!failure) return ExitStatus::AsExpected;
  fmt::print(stderr, "{}: error: {}\n", path, *failure);
  return ExitStatus::InputError;
}

[[nodiscard]] ExitStatus format_file(const Words& words, const std::string& path) {
  const std::variant<base::Source, base::Unreadable> read = base::read_source(path);
  if (const auto* const unreadable = std::get_if<base::Unreadable>(&read)) {
    fmt::print(stderr, "{}: error: {}\n", path, unreadable->reason);
    return ExitStatus::InputError;
  }
  const auto& source = std::get<base::Source>(read);
  base::Diagnostics diagnostics;
  const std::optional<std::string> text = lang::format(source, file_kind(source), diagnostics);
  std::fputs(base::render(source, diagnostics).c_str(), stderr);
  if (!text) return ExitStatus::InputError;
  return deliver(words, path, source, *text);
}

[[nodiscard]] ExitStatus run(const Words& words) {
  ExitStatus worst = ExitStatus::AsExpected;
  for (const std::string& path : words.files) {
    const ExitStatus status = format_file(words, path);
    if (static_cast<int>(status) > static_cast<int>(worst)) worst = status;
  }
  if (std::fflush(stdout) != 0) {
    std::fputs("cohort: cannot write to standard output\n", stderr);
    return ExitStatus::InputError;
  }
  return worst;
}

}  // namespace

void add_fmt(CLI::App& app, ExitStatus& status) {
  auto words = std::make_shared<Words>();
  CLI::App* const command = app.add_subcommand("fmt", "print files in canonical form");
  command->add_option("FILE", words->files, ".coh and .cctl files; - is standard input")
      ->required();
  CLI::Option* const check = command->add_flag(
      "--check", words->check, "only say which files are not in canonical form, and exit with 1");
  command->add_flag("--in-place", words->in_place, "write the files back")->excludes(check);
  command->callback([words, &status] { status = run(*words); });
}

}  // namespace cohort::cli
