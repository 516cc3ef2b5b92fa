#include "translate/murphi_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace cohort::translate {
namespace {

using base::index_of;
using Values = std::vector<lang::Interval>;

class Writer {
 public:
  Writer(const model::Program& program, const MurphiExpressions::Names& names,
         const std::vector<bool>& interchangeable, Words& words)
      : program_(program), names_(names), interchangeable_(interchangeable), words_(words) {}

  [[nodiscard]] std::string run(const std::string& last) {
    const std::vector<lang::Variable>& variables = program_.source().variables;
    for (std::size_t i = 0; i < variables.size(); ++i) start(i);
    std::string text;
    for (const std::string& ruleset : rulesets_) text += ruleset;
    text += "startstate\n";
    if (needs_counter_) text += fmt::format("var {} : 0..{};\n", counter(), most_counted_);
    text += "begin\n" + body_ + last + "end;\n";
    for (std::size_t i = 0; i < rulesets_.size(); ++i) text += "end;\n";
    return text;
  }

 private:
  [[nodiscard]] static bool is_one(const Values& values) {
    return values.size() == 1 && values.front().first == values.front().last;
  }

  [[nodiscard]] const std::string& counter() {
    if (counter_.empty()) counter_ = words_.take("at");
    return counter_;
  }

  void start(std::size_t number) {
    const lang::VariableId id{static_cast<std::uint32_t>(number)};
    const lang::Variable& variable = program_.source().variables[number];
    const model::Instances& instances = program_.instances();
    std::vector<const Values*> values(instances.count(id), &variable.initial);
    bool special = false;
    for (const lang::Init& init : program_.source().inits) {
      if (init.variable != id) continue;
      values[instances.number(id, init.subscripts) - instances.first(id)] = &init.initial;
      special = true;
    }
    if (special) {
      // Its processes are told apart, so they have numbers.
      for (std::size_t at = 0; at < values.size(); ++at) {
        std::string place = names_.variables[number];
        for (const model::Value subscript : instances.subscripts(instances.first(id) + at)) {
          place += fmt::format("[{}]", subscript);
        }
        set(place, variable.type, *values[at], "  ");
      }
      return;
    }
    words_.begin_scope();
    std::string place = names_.variables[number];
    std::string indent = "  ";
    const bool counts = !is_one(variable.initial) && !variable.dimensions.empty();
    if (counts) {
      body_ += fmt::format("  {} := 0;\n", counter());
      needs_counter_ = true;
      most_counted_ = std::max(most_counted_, values.size());
    }
    for (const lang::Dimension& dimension : variable.dimensions) {
      const std::string index = words_.take_local("i");
      const std::string over =
          dimension.module ? names_.modules[index_of(*dimension.module)]
                           : fmt::format("{}..{}", dimension.range.first, dimension.range.last);
      body_ += fmt::format("{}for {} : {} do\n", indent, index, over);
      place += fmt::format("[{}]", index);
      indent += "  ";
    }
    if (counts) {
      // Each instance chooses on its own: the n-th that the loop meets takes the n-th parameter.
      for (std::size_t at = 0; at < values.size(); ++at) {
        body_ += fmt::format("{}if {} = {} then\n", indent, counter(), at);
        set(place, variable.type, variable.initial, indent + "  ");
        body_ += indent + "end;\n";
      }
      body_ += fmt::format("{0}{1} := {1} + 1;\n", indent, counter());
    } else {
      set(place, variable.type, variable.initial, indent);
    }
    for (std::size_t i = 0; i < variable.dimensions.size(); ++i) {
      indent.resize(indent.size() - 2);
      body_ += indent + "end;\n";
    }
  }

  /// As few intervals as there can be.
  [[nodiscard]] static Values merged(Values values) {
    std::ranges::sort(values, {}, &lang::Interval::first);
    Values made;
    for (const lang::Interval& part : values) {
      if (!made.empty() && part.first <= made.back().last + 1) {
        made.back().last = std::max(made.back().last, part.last);
      } else {
        made.push_back(part);
      }
    }
    return made;
  }

  void set(const std::string& place, const lang::Type& type, const Values& listed,
           const std::string& indent) {
    const Values values = merged(listed);
    if (is_one(values)) {
      body_ += indent + assignment(place, type, std::to_string(values.front().first));
      return;
    }
    const bool symbolic = type.is_process() && interchangeable_[index_of(type.module)];
    if (symbolic) {
      set_any(place, type, values, indent);
    } else if (values.size() == 1 && (values.front().first >= 0 || !type.is_process())) {
      const std::string name =
          parameter(fmt::format("{}..{}", values.front().first, values.front().last));
      body_ += indent + assignment(place, type, name);
    } else {
      set_one_of(place, type, values, indent);
    }
  }

  /// A process of a module without numbers: any, and perhaps none.
  void set_any(const std::string& place, const lang::Type& type, const Values& values,
               const std::string& indent) {
    const bool any =
        std::ranges::any_of(values, [](const lang::Interval& part) { return part.last >= 0; });
    if (!any) {
      body_ += indent + assignment(place, type, "-1");
      return;
    }
    const std::string name = parameter(names_.modules[index_of(type.module)]);
    if (values.front().first >= 0) {
      body_ += indent + assignment(place, type, name);
      return;
    }
    const std::string none = parameter("boolean");
    body_ += fmt::format("{0}if {1} then undefine {2}; else {2} := {3}; end;\n", indent, none,
                         place, name);
  }

  /// Values with gaps: a parameter says which.
  void set_one_of(const std::string& place, const lang::Type& type, const Values& values,
                  const std::string& indent) {
    std::int64_t count = 0;
    for (const lang::Interval& part : values) count += part.last - part.first + 1;
    const std::string name = parameter(fmt::format("0..{}", count - 1));
    std::int64_t before = 0;
    for (const lang::Interval& part : values) {
      const bool has_none = type.is_process() && part.first < 0;
      if (has_none) {
        body_ += fmt::format("{}if {} = {} then {} end;\n", indent, name, before,
                             trimmed(assignment(place, type, "-1")));
        ++before;
      }
      const std::int64_t first = part.first + (has_none ? 1 : 0);
      if (first > part.last) continue;
      const std::int64_t after = before + part.last - first;
      if (before == after) {
        body_ +=
            fmt::format("{}if {} = {} then {} := {}; end;\n", indent, name, before, place, first);
      } else {
        body_ += fmt::format("{0}if {2} <= {1} & {1} <= {3} then {4} := {1} {5} {6}; end;\n",
                             indent, name, before, after, place, first < before ? '-' : '+',
                             std::abs(first - before));
      }
      before = after + 1;
    }
  }

  [[nodiscard]] static std::string trimmed(std::string line) {
    line.pop_back();
    return line;
  }

  [[nodiscard]] static std::string assignment(const std::string& place, const lang::Type& type,
                                              const std::string& value) {
    if (type.is_process() && value == "-1") return fmt::format("undefine {};\n", place);
    return fmt::format("{} := {};\n", place, value);
  }

  [[nodiscard]] std::string parameter(const std::string& type) {
    std::string name = words_.take("choice");
    rulesets_.push_back(fmt::format("ruleset {} : {} do\n", name, type));
    return name;
  }

  const model::Program& program_;
  const MurphiExpressions::Names& names_;
  const std::vector<bool>& interchangeable_;
  Words& words_;
  std::vector<std::string> rulesets_;
  std::string body_;
  std::string counter_;
  bool needs_counter_ = false;
  std::size_t most_counted_ = 0;
};

}  // namespace

std::string murphi_start(const model::Program& program, const MurphiExpressions::Names& names,
                         const std::vector<bool>& interchangeable, Words& words,
                         const std::string& last) {
  return Writer(program, names, interchangeable, words).run(last);
}

}  // namespace cohort::translate
