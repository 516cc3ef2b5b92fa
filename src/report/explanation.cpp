#include "report/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lang/one_line.hpp"
#include "report/json.hpp"
#include "report/names.hpp"

namespace cohort::report {
namespace {

using model::Reason;

[[nodiscard]] const char* word_for(Explanation::Place place) {
  switch (place) {
    case Explanation::Place::Initial:
      return "initial";
    case Explanation::Place::Deadlock:
      return "deadlock";
    case Explanation::Place::Fault:
      return "fault";
    case Explanation::Place::Evidence:
      return "evidence";
    case Explanation::Place::Steps:
      return "steps";
  }
  return "";
}

[[nodiscard]] const char* word_for(Reason::Kind kind) {
  switch (kind) {
    case Reason::Kind::Fireable:
      return "fireable";
    case Reason::Kind::False:
      return "false";
    case Reason::Kind::Outranked:
      return "outranked";
    case Reason::Kind::Fault:
      return "fault";
  }
  return "";
}

class Text {
 public:
  Text(std::ostream& out, const lang::Loaded& loaded, const Explanation& explanation)
      : out_(out),
        source_(loaded.inputs.front()->source),
        names_(loaded.program),
        explanation_(explanation) {}

  void write() {
    head();
    for (const model::ProcessReasons& process : explanation_.processes) write(process);
  }

 private:
  void head() {
    switch (explanation_.place) {
      case Explanation::Place::Initial:
        out_ << "In the initial state";
        break;
      case Explanation::Place::Deadlock:
        out_ << "In a deadlock";
        break;
      case Explanation::Place::Fault:
        out_ << "In a state with a model error";
        break;
      case Explanation::Place::Evidence:
        out_ << "At the end of the evidence";
        break;
      case Explanation::Place::Steps:
        out_ << "In the state";
        break;
    }
    const std::vector<cctl::Step>& steps = explanation_.path.steps;
    if (!steps.empty()) {
      out_ << fmt::format(", after {} step{}:\n", steps.size(), steps.size() == 1 ? "" : "s");
      constexpr std::size_t most_shown = 40;
      const std::size_t first = steps.size() > most_shown ? steps.size() - most_shown : 0;
      if (first > 0) out_ << fmt::format("  … {} before\n", first);
      std::string line = " ";
      for (std::size_t i = first; i < steps.size(); ++i) {
        const std::string label =
            names_.label(steps[i].schema, steps[i].processes) + (i + 1 < steps.size() ? ";" : "");
        if (line.size() + label.size() > 98) {
          out_ << line << '\n';
          line = " ";
        }
        line += " " + label;
      }
      out_ << line << '\n';
    } else {
      out_ << ":\n";
    }
    if (!explanation_.note.empty()) out_ << "(" << explanation_.note << ")\n";
    out_ << "  ";
    const model::Instances& instances = names_.instances();
    std::size_t width = 2;
    for (std::size_t i = 0; i < instances.size(); ++i) {
      const std::string text =
          names_.assignment(i, explanation_.state[i]) + (i + 1 < instances.size() ? "," : "");
      if (width + text.size() + 1 > 100) {
        out_ << "\n  ";
        width = 2;
      } else if (i > 0) {
        out_ << ' ';
      }
      out_ << text;
      width += text.size() + 1;
    }
    out_ << '\n';
    if (explanation_.is_deadlock()) out_ << "nothing can fire\n";
  }

  void write(const model::ProcessReasons& process) {
    out_ << '\n' << names_.process(process.module, process.process);
    if (process.schemas.empty()) out_ << "\n  has no schemas";
    out_ << '\n';
    for (const model::SchemaReasons& schema : process.schemas) {
      for (const Reason& reason : schema.reasons) write(schema, reason);
    }
  }

  void write(const model::SchemaReasons& schema, const Reason& reason) {
    out_ << "  " << instances(schema, reason) << ": ";
    switch (reason.kind) {
      case Reason::Kind::Fireable:
        out_ << "can fire\n";
        break;
      case Reason::Kind::Outranked:
        out_ << fmt::format("its condition holds, but {} takes precedence\n",
                            names_.label(reason.by->schema, reason.by->processes));
        break;
      case Reason::Kind::Fault: {
        const base::Position at = source_.position(reason.fault->where.begin);
        out_ << fmt::format("model error: {} (line {}, column {})\n",
                            model::describe(*reason.fault, names_.program()), at.line, at.column);
        break;
      }
      case Reason::Kind::False:
        for (std::size_t i = 0; i < reason.parts.size(); ++i) {
          if (i > 0) out_ << "      and ";
          out_ << part(reason.parts[i]) << '\n';
        }
        break;
    }
  }

  [[nodiscard]] std::string part(const model::FalsePart& part) const {
    std::string text = lang::on_one_line(source_.text(part.where));
    text += " is false";
    std::vector<std::string> values;
    constexpr std::size_t most_shown = 12;
    for (const std::size_t instance : part.reads) {
      if (values.size() == most_shown) {
        values.push_back(fmt::format("{} more", part.reads.size() - most_shown));
        break;
      }
      values.push_back(names_.assignment(instance, explanation_.state[instance]));
    }
    if (!values.empty()) text += fmt::format(" ({})", fmt::join(values, ", "));
    return text;
  }

  /// `grant(0, 3)`, or `grant(0, k)` for all of them, or `grant(0, k) for k = 1, 2, 5`.
  [[nodiscard]] std::string instances(const model::SchemaReasons& schema,
                                      const Reason& reason) const {
    const model::plain::Instance& first = reason.instances.front();
    if (reason.instances.size() == 1) return names_.label(first.schema, first.processes);
    const lang::Schema& of = names_.program()[schema.schema];
    std::vector<std::string> words;
    std::vector<std::string> choices;
    std::size_t num_choices = 1;
    for (std::size_t i = 0; i < of.num_indices; ++i) {
      std::vector<model::Value> met;
      for (const model::plain::Instance& instance : reason.instances) {
        met.push_back(instance.processes[i]);
      }
      std::ranges::sort(met);
      met.erase(std::unique(met.begin(), met.end()), met.end());
      num_choices *= met.size();
      words.push_back(met.size() == 1 ? std::to_string(met.front()) : of.slots[i].name);
      const auto size = static_cast<std::size_t>(names_.program()[of.slots[i].module].size);
      if (met.size() > 1 && met.size() < size) {
        choices.push_back(fmt::format("{} = {}", of.slots[i].name, ids(met)));
      }
    }
    std::string text = fmt::format("{}({})", of.name, fmt::join(words, ", "));
    if (num_choices != reason.instances.size()) {
      text += fmt::format(" in {} cases", reason.instances.size());
    } else if (!choices.empty()) {
      text += fmt::format(" for {}", fmt::join(choices, " and "));
    }
    return text;
  }

  /// 1, 3-5.
  [[nodiscard]] static std::string ids(const std::vector<model::Value>& sorted) {
    std::string text;
    for (std::size_t i = 0; i < sorted.size();) {
      std::size_t last = i;
      while (last + 1 < sorted.size() && sorted[last + 1] == sorted[last] + 1) ++last;
      if (!text.empty()) text += ", ";
      text +=
          last > i + 1 ? fmt::format("{}-{}", sorted[i], sorted[last]) : std::to_string(sorted[i]);
      i = last > i + 1 ? last + 1 : i + 1;
    }
    return text;
  }

  std::ostream& out_;
  const base::Source& source_;
  Names names_;
  const Explanation& explanation_;
};

void write_instance(JsonWriter& json, const lang::Program& program,
                    const model::plain::Instance& instance) {
  const lang::Schema& schema = program[instance.schema];
  json.begin_object(JsonWriter::Layout::Line);
  for (std::size_t i = 0; i < schema.num_indices; ++i) {
    json.member(schema.slots[i].name, instance.processes[i]);
  }
  json.end();
}

void write_reason(JsonWriter& json, const Names& names, const base::Source& source,
                  const Explanation& explanation, const Reason& reason) {
  json.begin_object();
  json.member("status", word_for(reason.kind));
  json.key("instances");
  json.begin_array();
  for (const model::plain::Instance& instance : reason.instances) {
    write_instance(json, names.program(), instance);
  }
  json.end();
  if (reason.kind == Reason::Kind::False) {
    json.key("false");
    json.begin_array();
    for (const model::FalsePart& part : reason.parts) {
      const base::Position at = source.position(part.where.begin);
      json.begin_object(JsonWriter::Layout::Line);
      json.member("text", lang::on_one_line(source.text(part.where)));
      json.member("line", at.line);
      json.member("column", at.column);
      json.key("values");
      json.begin_object();
      for (const std::size_t instance : part.reads) {
        json.key(names.instances().name(instance));
        names.write_value(json, instance, explanation.state[instance]);
      }
      json.end();
      json.end();
    }
    json.end();
  }
  if (reason.by) {
    json.key("by");
    json.begin_object(JsonWriter::Layout::Line);
    json.member("label", names.program()[reason.by->schema].name);
    json.key("processes");
    write_instance(json, names.program(), *reason.by);
    json.end();
  }
  if (reason.fault) {
    const base::Position at = source.position(reason.fault->where.begin);
    json.member("message", model::describe(*reason.fault, names.program()));
    json.member("line", at.line);
    json.member("column", at.column);
  }
  json.end();
}

}  // namespace

bool Explanation::is_deadlock() const {
  return std::ranges::none_of(processes,
                              [](const model::ProcessReasons& process) {
                                return std::ranges::any_of(process.schemas,
                                                           &model::SchemaReasons::is_fireable);
                              }) &&
         !has_fault();
}

bool Explanation::has_fault() const {
  for (const model::ProcessReasons& process : processes) {
    for (const model::SchemaReasons& schema : process.schemas) {
      for (const Reason& reason : schema.reasons) {
        if (reason.kind == Reason::Kind::Fault) return true;
      }
    }
  }
  return false;
}

void write_text(std::ostream& out, const lang::Loaded& loaded, const Explanation& explanation) {
  Text(out, loaded, explanation).write();
}

void write_json(std::ostream& out, const Run& run, const Explanation* explanation) {
  JsonWriter json{out};
  json.begin_object();
  write_json_head(json, run);
  if (explanation != nullptr) {
    const Names names{run.loaded->program};
    const base::Source& source = run.loaded->inputs.front()->source;
    json.member("place", word_for(explanation->place));
    if (!explanation->note.empty()) json.member("note", explanation->note);
    json.member("deadlock", explanation->is_deadlock());
    json.key("path");
    write_json_evidence(json, names, explanation->path, nullptr);
    json.key("state");
    json.begin_object();
    for (std::size_t i = 0; i < explanation->state.size(); ++i) {
      json.key(names.instances().name(i));
      names.write_value(json, i, explanation->state[i]);
    }
    json.end();
    json.key("processes");
    json.begin_array();
    for (const model::ProcessReasons& process : explanation->processes) {
      json.begin_object();
      json.member("module", names.program()[process.module].name);
      json.member("process", process.process);
      json.key("schemas");
      json.begin_array();
      for (const model::SchemaReasons& schema : process.schemas) {
        json.begin_object();
        json.member("label", names.program()[schema.schema].name);
        json.member("fireable", schema.is_fireable());
        json.key("reasons");
        json.begin_array();
        for (const Reason& reason : schema.reasons) {
          write_reason(json, names, source, *explanation, reason);
        }
        json.end();
        json.end();
      }
      json.end();
      json.end();
    }
    json.end();
  }
  write_json_errors(json, run);
  json.end();
}

}  // namespace cohort::report
