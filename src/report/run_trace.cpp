// Idea.  Each variable instance remembers its last writer and, since then, its readers: of each
// process the last one is enough, for the events of a process are ordered anyway.  These are the
// candidates for what stands immediately before the next event.  A candidate is left out if another
// one comes after it, which the candidate's clock tells.
#include "report/run_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/instances.hpp"
#include "report/json_writer.hpp"
#include "report/names.hpp"

namespace cohort::report {
namespace {

using Clock = std::vector<std::uint32_t>;  // of each process, how many events are at or before

struct Event {
  std::uint32_t position = 0;  ///< in its process, from 1; 0: there is none
  std::shared_ptr<const Clock> clock;
};

/// The last event of each process among some, by process.
using Latest = std::map<std::size_t, Event>;

void keep_later(Latest& latest, std::size_t process, const Event& event) {
  Event& kept = latest[process];
  if (kept.position < event.position) kept = event;
}

struct Accesses {
  std::size_t writer = 0;  ///< a process, if last_write has a position
  Event last_write;
  Latest readers;  ///< since then
};

class Writer {
 public:
  Writer(std::ostream& out, const lang::Program& program, const model::Run& run)
      : out_(out),
        program_(program),
        run_(run),
        names_(program),
        accesses_(names_.instances().size()) {
    name_processes();
    name_variables();
    last_.resize(processes_.size());
  }

  void write() {
    if (!processes_.empty()) {
      out_ << "process";
      for (const std::string& process : processes_) out_ << ' ' << process;
      out_ << '\n';
    }
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      out_ << "init " << variables_[i] << " = " << value(i, run_.initial[i]) << '\n';
    }
    for (const model::Run::Step& step : run_.steps) write(step);
  }

  /// Every clock knows the first event, which gives the initial values.
  void write_shiviz() {
    out_ << start_host << " {\"" << start_host << "\":1}\n";
    JsonWriter first{out_};
    first.begin_object(JsonWriter::Layout::Line);
    for (std::size_t i = 0; i < variables_.size(); ++i) member(first, i, run_.initial[i]);
    first.end();
    for (const model::Run::Step& step : run_.steps) write_shiviz(step);
  }

 private:
  static constexpr const char* start_host = "start";

  void member(JsonWriter& json, std::size_t instance, model::Value value) const {
    json.key(variables_[instance]);
    const lang::Type& type = program_[names_.instances().variable_of(instance)].type;
    if (type.kind == lang::Type::Kind::Enum) {
      json.value(names_.instances().value_text(instance, value));
    } else {
      json.value(value);
    }
  }

  void write_shiviz(const model::Run::Step& step) {
    const std::size_t process = executed(step);
    remember(step.footprint, process, candidates(step.footprint, process));
    out_ << host(process) << " {\"" << start_host << "\":1";
    const Clock& clock = *last_[process].clock;
    for (std::size_t i = 0; i < clock.size(); ++i) {
      if (clock[i] > 0) out_ << ", \"" << host(i) << "\":" << clock[i];
    }
    out_ << "}\n";
    JsonWriter json{out_};
    json.begin_object(JsonWriter::Layout::Line);
    std::string event = "event";
    while (program_.names.contains(event)) event += '_';
    json.member(event, names_.label(step.instance.schema, step.instance.processes));
    for (const auto& [instance, assigned] : step.footprint.writes) member(json, instance, assigned);
    json.end();
  }

  /// Without the quotes of the native form.
  [[nodiscard]] std::string host(std::size_t process) const {
    std::string name = processes_[process];
    std::erase(name, '"');
    return name;
  }

  [[nodiscard]] std::size_t executed(const model::Run::Step& step) const {
    return first_processes_[base::index_of(program_[step.instance.schema].module)] +
           static_cast<std::size_t>(step.instance.processes[0]);
  }

  [[nodiscard]] static bool is_word_of_traces(std::string_view name) {
    return name == "process" || name == "init" || name == "skip" || name == "after";
  }

  /// Those that can execute something.
  void name_processes() {
    for (std::size_t m = 0; m < program_.modules.size(); ++m) {
      first_processes_.push_back(processes_.size());
      const base::ModuleId id{static_cast<std::uint32_t>(m)};
      const bool acts = std::ranges::any_of(
          program_.schemas, [&](const lang::Schema& schema) { return schema.module == id; });
      if (!acts) continue;
      const lang::Module& module = program_.modules[m];
      const char* const quote = is_word_of_traces(module.name) ? "\"" : "";
      for (std::int64_t i = 0; i < module.size; ++i) {
        processes_.push_back(fmt::format("{}{}({}){}", quote, module.name, i, quote));
      }
    }
  }

  void name_variables() {
    const model::Instances& instances = names_.instances();
    for (std::size_t i = 0; i < instances.size(); ++i) {
      std::string name = instances.name(i);
      const std::string& variable = program_[instances.variable_of(i)].name;
      if (is_word_of_traces(variable)) {
        std::string other = variable;
        while (is_word_of_traces(other) || program_.names.contains(other)) other += '_';
        name.replace(0, variable.size(), other);
      }
      variables_.push_back(std::move(name));
    }
  }

  [[nodiscard]] std::string value(std::size_t instance, model::Value value) const {
    const lang::Type& type = program_[names_.instances().variable_of(instance)].type;
    if (type.kind != lang::Type::Kind::Enum) return std::to_string(value);
    return fmt::format("\"{}\"", names_.instances().value_text(instance, value));
  }

  void write(const model::Run::Step& step) {
    const std::size_t process = executed(step);
    const Latest before = candidates(step.footprint, process);
    out_ << processes_[process] << "  ";
    if (step.footprint.writes.empty()) out_ << "skip";
    const char* separator = "";
    for (const auto& [instance, assigned] : step.footprint.writes) {
      out_ << separator << variables_[instance] << " := " << value(instance, assigned);
      separator = ", ";
    }
    separator = "  after ";
    for (const auto& [other, event] : before) {
      if (other == process || is_before_another(other, event, before)) continue;
      out_ << separator << processes_[other] << '#' << event.position;
      separator = ", ";
    }
    out_ << "  # " << names_.label(step.instance.schema, step.instance.processes) << '\n';
    remember(step.footprint, process, before);
  }

  /// What has to be before an event, its predecessor in the process included.
  [[nodiscard]] Latest candidates(const model::plain::Footprint& footprint,
                                  std::size_t process) const {
    Latest before;
    if (last_[process].position > 0) before.emplace(process, last_[process]);
    const auto after_write = [&](const Accesses& accesses) {
      if (accesses.last_write.position == 0) return;
      keep_later(before, accesses.writer, accesses.last_write);
    };
    for (const std::size_t instance : footprint.reads) after_write(accesses_[instance]);
    for (const auto& [instance, assigned] : footprint.writes) {
      after_write(accesses_[instance]);
      for (const auto& [reader, event] : accesses_[instance].readers) {
        keep_later(before, reader, event);
      }
    }
    return before;
  }

  [[nodiscard]] static bool is_before_another(std::size_t process, const Event& event,
                                              const Latest& events) {
    return std::ranges::any_of(events, [&](const auto& other) {
      return other.first != process && (*other.second.clock)[process] >= event.position;
    });
  }

  void remember(const model::plain::Footprint& footprint, std::size_t process,
                const Latest& before) {
    auto clock = std::make_shared<Clock>(processes_.size(), 0);
    for (const auto& [other, event] : before) {
      for (std::size_t i = 0; i < clock->size(); ++i) {
        (*clock)[i] = std::max((*clock)[i], (*event.clock)[i]);
      }
    }
    const Event event{last_[process].position + 1, clock};
    (*clock)[process] = event.position;
    last_[process] = event;
    for (const std::size_t instance : footprint.reads) {
      accesses_[instance].readers[process] = event;
    }
    for (const auto& [instance, assigned] : footprint.writes) {
      // A later event that overwrites this one comes after all readers through it.
      accesses_[instance] = {process, event, {}};
    }
  }

  std::ostream& out_;
  const lang::Program& program_;
  const model::Run& run_;
  Names names_;
  std::vector<std::string> processes_;
  std::vector<std::size_t> first_processes_;  // by module
  std::vector<std::string> variables_;
  std::vector<Event> last_;         // of each process
  std::vector<Accesses> accesses_;  // by variable instance
};

}  // namespace

void write_trace(std::ostream& out, const lang::Program& program, const model::Run& run) {
  Writer(out, program, run).write();
}

void write_shiviz(std::ostream& out, const lang::Program& program, const model::Run& run) {
  Writer(out, program, run).write_shiviz();
}

}  // namespace cohort::report
