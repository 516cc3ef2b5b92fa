#include "report/graph.hpp"

#include <fmt/format.h>

#include <string_view>

#include "model/fault.hpp"
#include "report/json.hpp"
#include "report/path_text.hpp"

namespace cohort::report {
namespace {

using Layout = JsonWriter::Layout;

[[nodiscard]] std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + '"';
}

/// "client (0 2 1)": 0 becomes 2, 2 becomes 1, 1 becomes 0.  Empty for the identity.
[[nodiscard]] std::string cycles_text(const lang::Program& program,
                                      const symmetry::Permutation& permutation) {
  std::string text;
  if (permutation.empty()) return text;
  std::size_t first = 0;
  std::vector<bool> seen(permutation.size(), false);
  for (const lang::Module& module : program.modules) {
    std::string cycles;
    for (std::size_t i = 0; i < static_cast<std::size_t>(module.size); ++i) {
      if (seen[first + i] || permutation[first + i] == first + i) continue;
      std::string cycle;
      for (std::size_t at = first + i; !seen[at]; at = permutation[at]) {
        seen[at] = true;
        cycle += fmt::format("{}{}", cycle.empty() ? "" : " ", at - first);
      }
      cycles += fmt::format("({})", cycle);
    }
    if (!cycles.empty())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", module.name, cycles);
    first += static_cast<std::size_t>(module.size);
  }
  return text;
}

[[nodiscard]] std::string joined(const std::vector<std::string>& pieces) {
  return fmt::format("{}", fmt::join(pieces, "\n"));
}

/// By module, where it moves anything: the process that each one becomes.
void write_permutation(JsonWriter& json, const lang::Program& program,
                       const symmetry::Permutation& permutation) {
  json.begin_object(Layout::Line);
  std::size_t first = 0;
  for (const lang::Module& module : program.modules) {
    const auto size = static_cast<std::size_t>(module.size);
    bool moves = false;
    for (std::size_t i = first; i < first + size; ++i) moves = moves || permutation[i] != i;
    if (moves) {
      json.key(module.name);
      json.begin_array();
      for (std::size_t i = first; i < first + size; ++i) json.value(permutation[i] - first);
      json.end();
    }
    first += size;
  }
  json.end();
}

void write_guard(JsonWriter& json, const lang::Program& program, const quotient::Guard& guard) {
  json.begin_object(Layout::Line);
  json.member("module", program[guard.module].name);
  json.member("process", guard.process);
  json.key("rivals");
  json.begin_array();
  for (const cctl::Value rival : guard.rivals) json.value(rival);
  json.end();
  json.end();
}

void write_state(JsonWriter& json, const Names& names, const quotient::ListedState& state,
                 std::size_t number) {
  json.begin_object(Layout::Line);
  json.member("id", number);
  json.member("initial", state.initial);
  if (state.orbit) json.member("orbit", *state.orbit);
  if (state.fault) json.member("error", model::describe(*state.fault, names.program()));
  json.key("state");
  json.begin_object();
  for (std::size_t i = 0; i < state.values.size(); ++i) {
    json.key(names.instances().name(i));
    names.write_value(json, i, state.values[i]);
  }
  json.end();
  json.end();
}

void write_edge(JsonWriter& json, const Names& names, const quotient::ListedEdge& edge) {
  const lang::Schema& schema = names.program()[edge.instance.schema];
  json.begin_object(Layout::Line);
  json.member("from", edge.from);
  json.member("to", edge.to);
  json.member("label", schema.name);
  json.key("processes");
  json.begin_object();
  for (std::size_t i = 0; i < edge.instance.processes.size(); ++i) {
    json.member(schema.slots[i].name, edge.instance.processes[i]);
  }
  json.end();
  if (!edge.from_target.empty()) {
    json.key("permutation");
    write_permutation(json, names.program(), edge.from_target);
  }
  if (edge.guard) {
    json.key("guard");
    write_guard(json, names.program(), *edge.guard);
  }
  json.end();
}

}  // namespace

void write_dot(std::ostream& out, const Names& names, const quotient::Listing& listing,
               const GraphHead& head) {
  out << fmt::format("// {} states, {} edges ({})\n", listing.states.size(), listing.edges.size(),
                     head.engine);
  out << "digraph cohort {\n  node [shape=box];\n";
  if (!listing.complete) {
    const std::string note = fmt::format(
        "only the first {} states and {} edges are shown; {} edges of these states "
        "are left out",
        listing.states.size(), listing.edges.size(), listing.edges_left_out);
    out << fmt::format("  // {}\n  label={};\n", note, quoted(note));
  }
  for (std::size_t i = 0; i < listing.states.size(); ++i) {
    const quotient::ListedState& state = listing.states[i];
    std::string text = joined(pieces_of_state(names, state.values));
    if (state.orbit) text += fmt::format("\norbit of {}", *state.orbit);
    if (state.fault) text += "\n" + model::describe(*state.fault, names.program());
    out << fmt::format("  s{} [label={}{}];\n", i, quoted(text),
                       state.initial ? ", penwidth=2" : "");
  }
  for (const quotient::ListedEdge& edge : listing.edges) {
    std::string text = names.label(edge.instance.schema, edge.instance.processes);
    const std::string cycles = cycles_text(names.program(), edge.from_target);
    if (!cycles.empty()) text += "\n" + cycles;
    if (edge.guard) text += "\n[" + quotient::to_string(*edge.guard, names.program()) + "]";
    out << fmt::format("  s{} -> s{} [label={}];\n", edge.from, edge.to, quoted(text));
  }
  out << "}\n";
}

void write_json(std::ostream& out, const Run& run, const quotient::Listing& listing,
                const GraphHead& head) {
  JsonWriter json{out};
  json.begin_object();
  write_json_head(json, run);
  json.member("engine", head.engine);
  json.member("complete", listing.complete);
  json.member("most_states", head.most_states);
  json.member("most_edges", head.most_edges);
  json.member("edges_left_out", listing.edges_left_out);
  json.key("states");
  json.begin_array();
  if (run.loaded->ok()) {
    const Names names{run.loaded->program};
    for (std::size_t i = 0; i < listing.states.size(); ++i) {
      write_state(json, names, listing.states[i], i);
    }
  }
  json.end();
  json.key("edges");
  json.begin_array();
  if (run.loaded->ok()) {
    const Names names{run.loaded->program};
    for (const quotient::ListedEdge& edge : listing.edges) write_edge(json, names, edge);
  }
  json.end();
  write_json_errors(json, run);
  json.end();
}

}  // namespace cohort::report
