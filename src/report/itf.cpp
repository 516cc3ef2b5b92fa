#include "report/itf.hpp"

#include <fmt/format.h>

#include <vector>

#include "report/json_writer.hpp"
#include "report/names.hpp"

namespace cohort::report {
namespace {

using Layout = JsonWriter::Layout;

constexpr const char* action_variable = "mbt::actionTaken";

class Writer {
 public:
  Writer(std::ostream& out, const lang::Program& program) : json_(out), names_(program) {}

  void write(const cctl::Evidence& evidence, const ItfHead& head) {
    const bool witness = evidence.kind == cctl::Evidence::Kind::Witness;
    json_.begin_object();
    json_.key("#meta");
    json_.begin_object();
    json_.member("format", "ITF");
    json_.member("format-description", "https://apalache-mc.org/docs/adr/015adr-trace.html");
    json_.member("source", head.source);
    if (!head.property.empty()) json_.member("property", head.property);
    if (!head.formula.empty()) json_.member("formula", head.formula);
    json_.member("status", witness ? "ok" : "violation");
    json_.member("kind", witness ? "witness" : "counterexample");
    json_.member("description", "written by cohort");
    json_.end();
    json_.key("vars");
    json_.begin_array(Layout::Line);
    for (const lang::Variable& variable : names_.program().variables) json_.value(variable.name);
    json_.value(action_variable);
    json_.end();
    json_.key("states");
    json_.begin_array();
    std::vector<cctl::Value> state = evidence.initial;
    write_state(0, state, "init");
    for (std::size_t i = 0; i < evidence.steps.size(); ++i) {
      const cctl::Step& step = evidence.steps[i];
      for (const cctl::Change& change : step.changes) state[change.instance] = change.value;
      write_state(i + 1, state, names_.label(step.schema, step.processes));
    }
    json_.end();
    // The last state is that in which step `loop` starts: what comes next is what came after it.
    if (evidence.loop) json_.member("loop", *evidence.loop + 1);
    json_.end();
  }

 private:
  void write_state(std::size_t index, const std::vector<cctl::Value>& state,
                   const std::string& action) {
    json_.begin_object(Layout::Line);
    json_.key("#meta");
    json_.begin_object();
    json_.member("index", index);
    json_.end();
    const lang::Program& program = names_.program();
    const model::Instances& instances = names_.instances();
    for (std::size_t i = 0; i < program.variables.size(); ++i) {
      const lang::VariableId id{static_cast<std::uint32_t>(i)};
      json_.key(program.variables[i].name);
      const std::size_t first = instances.first(id);
      if (program.variables[i].dimensions.empty()) {
        write_value(first, state[first]);
        continue;
      }
      json_.begin_object();
      json_.key("#map");
      json_.begin_array();
      for (std::size_t at = first; at < first + instances.count(id); ++at) {
        json_.begin_array();
        write_key(instances.subscripts(at));
        write_value(at, state[at]);
        json_.end();
      }
      json_.end();
      json_.end();
    }
    json_.member(action_variable, action);
    json_.end();
  }

  void write_key(const std::vector<model::Value>& subscripts) {
    if (subscripts.size() == 1) {
      json_.value(subscripts.front());
      return;
    }
    json_.begin_object();
    json_.key("#tup");
    json_.begin_array();
    for (const model::Value subscript : subscripts) json_.value(subscript);
    json_.end();
    json_.end();
  }

  void write_value(std::size_t instance, cctl::Value value) {
    const lang::Type& type = names_.program()[names_.instances().variable_of(instance)].type;
    if (!type.is_process()) {
      names_.write_value(json_, instance, value);
    } else {
      json_.value(value == lang::none_value ? "none" : names_.process(type.module, value));
    }
  }

  JsonWriter json_;
  Names names_;
};

}  // namespace

void write_itf(std::ostream& out, const lang::Program& program, const cctl::Evidence& evidence,
               const ItfHead& head) {
  Writer(out, program).write(evidence, head);
}

}  // namespace cohort::report
