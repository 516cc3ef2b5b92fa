#include "report/path_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "base/utf8.hpp"
#include "lang/one_line.hpp"

namespace cohort::report {
namespace {

constexpr std::size_t line_width = 110;
constexpr std::size_t widest_label = 40;
constexpr std::size_t widest_note = 160;

/// A value that most instances of a variable have.
[[nodiscard]] std::optional<cctl::Value> common_value(std::span<const cctl::Value> values) {
  std::map<cctl::Value, std::size_t> counts;
  for (const cctl::Value value : values) ++counts[value];
  const auto most =
      std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  if (most == counts.end()) return std::nullopt;
  const bool all = counts.size() == 1;
  // Of a few different values each is shown: that is shorter than a rule with exceptions.
  constexpr std::size_t fewest_for_a_rule = 4;
  if (!all && (values.size() < fewest_for_a_rule || 2 * most->second <= values.size())) {
    return std::nullopt;
  }
  return most->first;
}

/// A state: variable after variable, equal values together.
class StateText {
 public:
  StateText(const Names& names, const std::vector<cctl::Value>& values)
      : names_(names), values_(values) {}

  [[nodiscard]] std::vector<std::string> pieces() {
    const std::size_t count = names_.program().variables.size();
    for (std::size_t i = 0; i < count; ++i) add(lang::VariableId{static_cast<std::uint32_t>(i)});
    return std::move(pieces_);
  }

 private:
  void add(lang::VariableId id) {
    const lang::Variable& variable = names_.program()[id];
    const std::size_t first = names_.instances().first(id);
    const std::size_t count = names_.instances().count(id);
    const std::span<const cctl::Value> values = std::span(values_).subspan(first, count);
    const std::optional<cctl::Value> common =
        variable.dimensions.empty() ? std::nullopt : common_value(values);
    if (!common) {
      for (std::size_t i = first; i < first + count; ++i) {
        pieces_.push_back(names_.assignment(i, values_[i]));
      }
      return;
    }
    std::string stars;
    for (std::size_t i = 0; i < variable.dimensions.size(); ++i) stars += i == 0 ? "*" : ",*";
    pieces_.push_back(fmt::format("{}[{}] = {}", variable.name, stars,
                                  names_.instances().value_text(first, *common)));
    add_exceptions(first, values, *common);
  }

  void add_exceptions(std::size_t first, std::span<const cctl::Value> values, cctl::Value common) {
    bool open = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == common) continue;
      const std::string piece = names_.assignment(first + i, values[i]);
      if (open) {
        pieces_.push_back(piece);
      } else {
        pieces_.back() += " (but " + piece;
      }
      open = true;
    }
    if (open) pieces_.back() += ")";
  }

  const Names& names_;
  const std::vector<cctl::Value>& values_;
  std::vector<std::string> pieces_;
};

class Writer {
 public:
  Writer(std::ostream& out, const Names& names, const cctl::Evidence& evidence,
         const base::Source* source)
      : out_(out),
        names_(names),
        evidence_(evidence),
        source_(source),
        number_width_(std::max<std::size_t>(4, std::to_string(evidence.steps.size()).size() + 2)),
        label_width_(label_width()) {}

  void write() {
    write_initial();
    write_notes(0);
    for (std::size_t i = 0; i < evidence_.steps.size(); ++i) {
      if (is_left_out(i)) {
        i = leave_out(i);
        continue;
      }
      if (evidence_.loop == i) write_loop(i);
      write_step(i);
      write_notes(i + 1);
    }
    if (!evidence_.loop) return;
    out_ << fmt::format("{:{}}-- back to the state before step {} --\n", "", number_width_ + 2,
                        *evidence_.loop + 1);
  }

 private:
  /// Nobody reads the middle of a path of a million steps; the beginning of its loop is shown.
  [[nodiscard]] bool is_left_out(std::size_t step) const {
    constexpr std::size_t longest_in_full = 1000;
    constexpr std::size_t shown_at_each_end = 50;
    const std::size_t count = evidence_.steps.size();
    if (count <= longest_in_full) return false;
    const bool near_loop = evidence_.loop && step + shown_at_each_end >= *evidence_.loop &&
                           step < *evidence_.loop + shown_at_each_end;
    return step >= shown_at_each_end && step + shown_at_each_end < count && !near_loop;
  }

  /// Says how many steps are left out from `first` on; returns the last of them.
  std::size_t leave_out(std::size_t first) {
    std::size_t last = first;
    while (is_left_out(last + 1)) ++last;
    out_ << fmt::format("{:>{}}  … {} steps left out; --format json has them all …\n", "",
                        number_width_, last - first + 1);
    return last;
  }

  [[nodiscard]] std::size_t label_width() const {
    // The labels of a long path repeat.
    constexpr std::size_t steps_to_look_at = 1000;
    std::size_t width = 0;
    const std::size_t count = std::min(evidence_.steps.size(), steps_to_look_at);
    for (std::size_t i = 0; i < count; ++i) {
      const cctl::Step& step = evidence_.steps[i];
      width = std::max(width, names_.label(step.schema, step.processes).size());
    }
    return std::min(width, widest_label);
  }

  void write_initial() {
    const std::vector<std::string> pieces = pieces_of_state(names_, evidence_.initial);
    out_ << fmt::format("{:>{}}  ", 0, number_width_);
    std::size_t column = number_width_ + 2;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const std::size_t width = base::count_code_points(pieces[i]);
      if (i > 0) {
        const bool fits = column + 2 + width <= line_width;
        out_ << (fits ? ", " : fmt::format(",\n{:{}}", "", number_width_ + 2));
        column = fits ? column + 2 : number_width_ + 2;
      }
      out_ << pieces[i];
      column += width;
    }
    out_ << '\n';
  }

  void write_loop(std::size_t first) {
    const std::size_t last = evidence_.steps.size();
    const std::string which = first + 1 == last
                                  ? fmt::format("step {} repeats", last)
                                  : fmt::format("steps {} to {} repeat", first + 1, last);
    out_ << fmt::format("{:{}}-- {} for ever --\n", "", number_width_ + 2, which);
  }

  void write_step(std::size_t number) {
    const cctl::Step& step = evidence_.steps[number];
    out_ << fmt::format("{:>{}}  {:{}}  ", number + 1, number_width_,
                        names_.label(step.schema, step.processes), label_width_);
    if (step.changes.empty()) out_ << "(nothing changes)";
    for (std::size_t i = 0; i < step.changes.size(); ++i) {
      if (i > 0) out_ << ", ";
      out_ << names_.assignment(step.changes[i].instance, step.changes[i].value);
    }
    out_ << '\n';
  }

  void write_notes(std::size_t position) {
    if (source_ == nullptr) return;
    for (; note_ < evidence_.notes.size() && evidence_.notes[note_].position <= position; ++note_) {
      const cctl::Note& note = evidence_.notes[note_];
      out_ << fmt::format("{:{}}{}: {}\n", "", number_width_ + 2, note.holds ? "holds" : "fails",
                          shortened(lang::on_one_line(source_->text(note.where)), widest_note));
    }
  }

  std::ostream& out_;
  const Names& names_;
  const cctl::Evidence& evidence_;
  const base::Source* source_;
  std::size_t number_width_;
  std::size_t label_width_;
  std::size_t note_ = 0;
};

}  // namespace

std::vector<std::string> pieces_of_state(const Names& names,
                                         const std::vector<cctl::Value>& values) {
  return StateText(names, values).pieces();
}

void write_path(std::ostream& out, const Names& names, const cctl::Evidence& evidence,
                const base::Source* source) {
  Writer(out, names, evidence, source).write();
}

std::string text_of_choices(const Names& names, const cctl::Evidence& evidence) {
  std::string text;
  for (const cctl::Choice& choice : evidence.choices) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} = {}", choice.variable, names.process(choice.module, choice.process));
  }
  return text;
}

}  // namespace cohort::report
