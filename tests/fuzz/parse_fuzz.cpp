#include "fuzz/parse_fuzz.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/source.hpp"
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
  require(render(source, diagnostics).empty() == !diagnostics.has_errors());
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

}  // namespace cohort::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  cohort::fuzz::parse_everything(std::string(data, data + size));
  return 0;
}
