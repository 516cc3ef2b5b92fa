// Names in another language: near to those of the model, never a word of that language, never one
// name for two things.
//
//   Words words{promela_reserved()};
//   words.take("len")       // "len_", because Promela has a function of that name
//   words.take("client#2")  // "client_2"
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace cohort::translate {

class Words {
 public:
  enum class Language { Promela, Murphi };
  explicit Words(Language language);

  /// A name that nobody has taken yet.
  [[nodiscard]] std::string take(std::string_view wanted);

 private:
  std::set<std::string> taken_;  // in lower case: Murphi's words have no case
};

}  // namespace cohort::translate
