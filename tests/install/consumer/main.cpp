// The public interface as a stranger meets it: loads a right model and a wrong one, and checks.
#include <cohort/check.hpp>
#include <cohort/program.hpp>

#include <cstddef>
#include <iostream>

namespace {
int failures = 0;

void expect(bool condition, const char* what) {
  if (condition) return;
  std::cout << "not so: " << what << '\n';
  ++failures;
}

constexpr const char* lock =
    "Program Module client = 3; Enum At = { outside, inside };\n"
    "at[client] : At = outside; owner : client? = none;\n"
    "k of client : {\n"
    "  [enter] owner == none -> at[k] = inside, owner = k;\n"
    "  [leave] owner == k -> at[k] = outside, owner = none;\n"
    "}\n"
    "Formula mutex : AG COUNT(i in client : at[i] = inside) <= 1; wrong : AG at[1] = outside;\n";

void check_lock() {
  const cohort::Checked checked =
      cohort::check_model_text("lock.coh", lock, {.cctl = {"AG owner != client(2)"}});
  expect(checked.ok(), "the lock has no errors");
  expect(checked.properties.size() == 3, "the lock has three properties");
  if (checked.properties.size() != 3) return;
  expect(checked.properties[0].verdict == cohort::Verdict::Holds, "mutex holds");
  const cohort::Property& wrong = checked.properties[1];
  expect(wrong.verdict == cohort::Verdict::Fails && !wrong.as_expected(), "wrong fails");
  expect(checked.properties[2].name == "cctl1", "a formula of the options has its name");
  expect(wrong.evidence.has_value(), "it comes with a counterexample");
  if (!wrong.evidence) return;
  expect(wrong.evidence->initial.size() == 4, "the initial state is complete");
  expect(wrong.evidence->steps.size() == 1, "the counterexample is the shortest");
  for (const cohort::Step& step : wrong.evidence->steps) {
    expect(to_string(step) == "enter(1)  at[1] = inside, owner = 1",
           "the step is that of client 1");
  }

  const cohort::Checked limited = cohort::check_model_text("lock.coh", lock, {.max_states = 1});
  expect(limited.properties[0].verdict == cohort::Verdict::Unknown, "a limit leaves it unknown");
  expect(!limited.properties[0].reason.empty(), "and says which");

  const cohort::Checked fault = cohort::check_model_text(
      "fault.coh",
      "Program Module m = 1; x[m] : 0..1 = 0; k of m : { x[k] >= 0 -> x[k] = x[k] + 1; }\n"
      "Formula AG x[0] >= 0");
  expect(fault.properties[0].verdict == cohort::Verdict::Error, "leaving a type is an error");
  expect(fault.properties[0].error && fault.properties[0].error->line == 1, "with its place");
  expect(fault.properties[0].evidence && fault.properties[0].evidence->steps.size() == 1,
         "and with the path to it");
}
}  // namespace

int main() {
  check_lock();
  const cohort::Loaded good = cohort::load_model_text("good.coh",
                                                      "Program Module client = 2; x[client] = 0;"
                                                      " k of client : { x[k] == 0 -> x[k] = 1; }");
  expect(good.ok(), "a right model is loaded");

  const cohort::Loaded bad = cohort::load_model_text("bad.coh",
                                                     "Program Module client = 2;\n"
                                                     "x[client] = 0;\n"
                                                     "k of client : { x[k] == 0 -> y[k] = 1; }\n");
  expect(!bad.ok(), "a model with an unknown name is not loaded");
  expect(!bad.diagnostics.empty(), "it comes with a finding");
  bool found = false;
  for (std::size_t i = 0; i < bad.diagnostics.size(); ++i) {
    const auto& finding = bad.diagnostics[i];
    std::cout << finding.file << ':' << finding.line << ':' << finding.column << ": "
              << finding.message << '\n';
    found = found || (finding.file == "bad.coh" && finding.line == 3 && finding.column == 30);
  }
  expect(found, "a finding stands at the unknown name");
  return failures == 0 ? 0 : 1;
}
