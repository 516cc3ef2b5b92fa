#include "fuzz/parse_fuzz.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "lang/format.hpp"
#include "lang/load.hpp"
#include "lang/parse.hpp"
#include "ltl/parse.hpp"
#include "monitor/hoa.hpp"
#include "monitor/monitor_file.hpp"

namespace cohort::fuzz {
namespace {

void require(bool fact) {
  if (!fact) std::abort();
}

template <typename Parse>
void check(const std::string& bytes, const Parse& parse) {
  const base::Source source = base::Source::from_text("fuzz", bytes);
  base::Diagnostics diagnostics;
  (void)parse(source, diagnostics);
  for (const base::Diagnostic& found : diagnostics.sorted()) {
    require(found.where.begin <= found.where.end && found.where.end <= bytes.size());
    require(!found.message.empty());
  }
  require(render(source, diagnostics).empty() == diagnostics.sorted().empty());
}

[[nodiscard]] std::optional<std::string> formatted(const std::string& text, lang::FileKind kind) {
  base::Diagnostics ignored;
  return lang::format(base::Source::from_text("fuzz", text), kind, ignored);
}

/// What is found in a model when its names and types are checked.
[[nodiscard]] std::vector<std::string> findings(const std::string& text) {
  const lang::Loaded loaded = lang::load_text("fuzz", text, {});
  std::vector<std::string> messages;
  for (const auto& input : loaded.inputs) {
    for (const base::Diagnostic& found : input->diagnostics.sorted()) {
      require(found.where.begin <= found.where.end && found.where.end <= text.size());
      messages.push_back(found.message);
    }
  }
  return messages;
}

}  // namespace

void parse_everything(const std::string& bytes) {
  check(bytes, lang::parse_model);
  check(bytes, lang::parse_spec);
  check(bytes, lang::parse_formula);
  check(bytes, ltl::parse_formula);
  check(bytes, monitor::parse_monitor);
  check(bytes, monitor::read_hoa);
}

void format_everything(const std::string& bytes) {
  const std::vector<std::string> found = findings(bytes);
  for (const lang::FileKind kind : {lang::FileKind::Model, lang::FileKind::Spec}) {
    const std::optional<std::string> once = formatted(bytes, kind);
    if (!once) continue;
    require(formatted(*once, kind) == once);
    if (kind == lang::FileKind::Model) require(findings(*once) == found);
  }
}

}  // namespace cohort::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  cohort::fuzz::parse_everything(bytes);
  cohort::fuzz::format_everything(bytes);
  return 0;
}
