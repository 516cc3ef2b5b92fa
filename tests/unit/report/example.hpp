// A small program, and evidence made by hand.
#pragma once

#include <stdexcept>
#include <string>

#include "cctl/evidence.hpp"
#include "lang/load.hpp"

namespace cohort::report {

constexpr const char* example_text =
    "Program Module client = 5; Module desk = 2;\n"
    "Enum Phase = { idle, waiting };\n"
    "lk[client] : Phase = idle; owner : client? = none; n : 0..9 = 0; flag[desk] : bool = 0;\n"
    "q[desk, client] = 0;\n"
    "t of desk;\n"
    "k of client : { [ask] lk[k] == idle & flag[t] == 0 -> lk[k] = waiting, q[t, k] = 1;\n"
    "  lk[k] == waiting -> owner = k, n = n + 1; }\n"
    "Formula p : AG (lk[0] = idle |\n   lk[1] // twice\n = idle); z : AG 1 / n = 0;\n";

// Numbers of instances: lk[0..4] are 0 to 4, owner 5, n 6, flag[0..1] 7 and 8, q[0,0] 9, …
constexpr std::size_t num_instances = 5 + 1 + 1 + 2 + 10;

[[nodiscard]] inline lang::Loaded load_example() {
  lang::Loaded loaded = lang::load_text("example.coh", example_text, {});
  if (!loaded.ok()) throw std::logic_error("the example is wrong");
  return loaded;
}

/// ask(1, 0), client#2(1), client#2(1) and back to the second step.
[[nodiscard]] inline cctl::Evidence example_evidence(const lang::Loaded& loaded) {
  cctl::Evidence evidence;
  evidence.initial.assign(num_instances, 0);
  evidence.initial[5] = lang::none_value;
  const base::SchemaId ask{0};
  const base::SchemaId other{1};
  evidence.steps.push_back({ask, {1, 0}, {{1, 1}, {10, 1}}});
  evidence.steps.push_back({other, {1}, {{5, 1}, {6, 1}}});
  evidence.steps.push_back({other, {1}, {}});
  evidence.loop = 2;
  evidence.choices.push_back({"i", lang::ModuleId{0}, 1});
  const lang::Expr& body = loaded.formulas.front().root.args.front();
  evidence.notes.push_back({1, body.where, false});
  evidence.notes.push_back({3, body.args.front().where, true});
  return evidence;
}

}  // namespace cohort::report
