#include "cli/trace_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "base/suggest.hpp"
#include "monitor/hoa.hpp"

namespace cohort::cli {

namespace sequential = trace::sequential;

namespace {

/// `property NAME [expect true|false] : FORMULA ;` with an LTL formula.
struct SpecProperty {
  std::string name;
  bool expected = true;
  std::string formula;
};

/// Splits a spec file into its properties; formulas are read by those who know LTL.
class SpecSplitter {
 public:
  explicit SpecSplitter(const base::Source& source) : text_(source.text()) {}

  [[nodiscard]] std::vector<SpecProperty> run(base::Diagnostics& diagnostics) {
    std::vector<SpecProperty> found;
    skip();
    while (at_ < text_.size() && !diagnostics.has_errors()) {
      SpecProperty property;
      if (word() != "property") {
        error(diagnostics, "expected 'property'");
        break;
      }
      property.name = word();
      if (property.name.empty()) error(diagnostics, "expected the property's name");
      skip();
      if (text_.substr(at_).starts_with("expect")) {
        (void)word();
        const std::string truth = word();
        if (truth != "true" && truth != "false") error(diagnostics, "expected 'true' or 'false'");
        property.expected = truth == "true";
        skip();
      }
      if (at_ >= text_.size() || text_[at_] != ':') {
        error(diagnostics, "expected ':' and a formula");
        break;
      }
      const std::size_t begin = ++at_;
      while (at_ < text_.size() && text_[at_] != ';') step();
      if (at_ >= text_.size()) {
        error(diagnostics, "expected ';' behind the formula");
        break;
      }
      property.formula = text_.substr(begin, at_ - begin);
      ++at_;
      found.push_back(std::move(property));
      skip();
    }
    return found;
  }

 private:
  void error(base::Diagnostics& diagnostics, const char* message) const {
    const auto at = static_cast<std::uint32_t>(std::min(at_, text_.size()));
    diagnostics.error({at, at}, message, "property NAME : FORMULA ;");
  }
  /// Over a comment, a string, or one character.
  void step() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("//")) {
      at_ += std::min(rest.find('\n'), rest.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = rest.find("*/", 2);
      at_ += end == std::string_view::npos ? rest.size() : end + 2;
    } else if (rest.starts_with('"')) {
      std::size_t i = 1;
      while (i < rest.size() && rest[i] != '"' && rest[i] != '\n') i += rest[i] == '\\' ? 2U : 1U;
      at_ += std::min(i + 1, rest.size());
    } else {
      ++at_;
    }
  }
  void skip() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      if (std::isspace(static_cast<unsigned char>(rest[0])) == 0 && !rest.starts_with("//") &&
          !rest.starts_with("/*")) {
        return;
      }
      step();
    }
  }
  [[nodiscard]] std::string word() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_')) {
      ++at_;
    }
    return std::string{text_.substr(begin, at_ - begin)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

void add_errors(const base::Source& source, const base::Diagnostics& found,
                std::vector<report::TraceError>& errors) {
  std::fputs(base::render(source, found).c_str(), stderr);
  for (const base::Diagnostic& diagnostic : found.sorted()) {
    if (diagnostic.severity != base::Severity::Error) continue;
    const base::Position at = source.position(diagnostic.where.begin);
    errors.push_back({source.name(), at.line, at.column, diagnostic.message, diagnostic.hint});
  }
}

}  // namespace

PlanWords make_plan(const SequentialProperties& properties, const SequentialWords& words,
                    base::Limits& limits, std::vector<report::TraceError>& errors) {
  PlanWords made;
  sequential::Plan& plan = made.plan;
  plan.limits = &limits;
  plan.extension =
      words.extend == "loop" ? sequential::Extension::Loop : sequential::Extension::None;
  plan.statistics = words.statistics;
  const PropertyWords& given = properties.properties;
  for (std::size_t i = 0; i < given.ltl.size(); ++i) {
    plan.add_ltl(fmt::format("ltl{}", i + 1), given.ltl[i]);
    made.named.push_back({});
  }
  for (const std::string& path : properties.specs) {
    const std::optional<base::Source> source = read_property_file(path, errors);
    if (!source) {
      made.failed = true;
      continue;
    }
    base::Diagnostics found;
    for (const SpecProperty& property : SpecSplitter{*source}.run(found)) {
      plan.add_ltl(property.name, property.formula);
      made.named.push_back({property.expected});
    }
    add_errors(*source, found, errors);
    made.failed |= found.has_errors();
  }
  for (const std::string& path : given.monitors) {
    std::optional<base::Source> source = read_property_file(path, errors);
    made.failed |= !source;
    if (!source) continue;
    if (monitor::looks_like_hoa(source->text())) {
      plan.add_automaton(std::move(*source));
    } else {
      plan.add_monitor(std::move(*source));
    }
    made.named.push_back({});
  }
  for (const std::string& path : given.automata) {
    std::optional<base::Source> source = read_property_file(path, errors);
    made.failed |= !source;
    if (!source) continue;
    plan.add_automaton(std::move(*source));
    made.named.push_back({});
  }
  return made;
}

void mention(sequential::Plan& plan, const std::vector<std::string>& names,
             const std::vector<std::uint64_t>& changes) {
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (std::size_t v = 0; v < plan.atoms.variables().size(); ++v) {
    const sequential::Variable& variable = plan.atoms.variables()[v];
    if (!variable.required) continue;
    const bool there =
        changes.empty() ? std::ranges::find(names, variable.name) != names.end() : changes[v] > 0;
    if (there) continue;
    const auto near = base::nearest(variable.name, known);
    std::string hint = near ? fmt::format("did you mean '{}'?", *near) : "";
    if (variable.name == "time") hint = "the time stamps are what 'time' and '?T' ask for";
    plan.properties[variable.property].diagnostics().error(
        variable.where, fmt::format("the trace never mentions a variable '{}'", variable.name),
        hint);
  }
}

void report_errors(const sequential::Plan& plan, std::vector<report::TraceError>& errors) {
  for (const sequential::Property& property : plan.properties) {
    add_errors(property.source(), property.diagnostics(), errors);
  }
}

}  // namespace cohort::cli
