// The public interface as a stranger meets it: loads a right model and a wrong one.
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
}  // namespace

int main() {
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
