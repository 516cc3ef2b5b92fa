// Names in another language: near to those of the model, never a word of that language, never one
// name for two things.
//
//   Words words{Words::Language::Promela};
//   words.take("len")       // "len_2", because Promela has a function of that name
//   words.take("client#2")  // "client_2"
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cohort::translate {

class Words {
 public:
  enum class Language { Promela, Murphi };
  explicit Words(Language language);

  /// A name that nobody has taken yet.
  [[nodiscard]] std::string take(std::string_view wanted);

  /// For a process or a property of Promela: its verifier calls it by its name and P before it.
  [[nodiscard]] std::string take_process(std::string_view wanted);

  /// A name for use in one place, where `kept` and what was taken so since then are known: other
  /// places may have it as well.
  [[nodiscard]] std::string take_local(std::string_view wanted);
  void begin_scope(const std::vector<std::string>& kept = {});

 private:
  [[nodiscard]] bool reserve(const std::string& name, bool local);
  [[nodiscard]] std::string take(std::string_view wanted, bool local);

  // In lower case: Murphi's words have no case.
  std::set<std::string> taken_;
  std::set<std::string> local_;       // here
  std::set<std::string> ever_local_;  // somewhere
};

}  // namespace cohort::translate
