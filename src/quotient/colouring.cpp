#include "quotient/colouring.hpp"

#include <map>

namespace cohort::quotient {

Colouring make_colouring(const model::Program& program, const model::Expressions* formula_code) {
  Colouring made;
  const std::size_t num_sets = formula_code == nullptr ? 0 : formula_code->sets().size();
  made.ranks.resize(program.schemas().size());
  made.members.resize(num_sets);
  std::map<std::vector<std::uint32_t>, Colour> colours;
  const lang::Program& source = program.source();
  for (std::uint32_t m = 0; m < source.modules.size(); ++m) {
    std::vector<std::vector<bool>> is_member(num_sets);
    for (std::uint32_t s = 0; s < num_sets; ++s) {
      if (formula_code->set_module(s) != lang::ModuleId{m}) continue;
      is_member[s].resize(static_cast<std::size_t>(source.modules[m].size));
      for (const Value p : formula_code->sets()[s])
        is_member[s][static_cast<std::size_t>(p)] = true;
    }
    for (std::size_t p = 0; p < static_cast<std::size_t>(source.modules[m].size); ++p) {
      std::vector<std::uint32_t> key;
      for (const model::Schema& schema : program.schemas()) {
        if (schema.priority == nullptr) continue;
        const std::size_t number = static_cast<std::size_t>(&schema - program.schemas().data());
        const lang::Schema& written = source.schemas[number];
        const bool ranked = written.slots[schema.priority->slot].module == lang::ModuleId{m};
        key.push_back(ranked ? schema.priority->ranks[p] : 0);
      }
      for (const std::vector<bool>& member : is_member) {
        key.push_back(!member.empty() && member[p] ? 1 : 0);
      }
      const auto [found, is_new] = colours.emplace(key, static_cast<Colour>(colours.size()));
      made.initial.push_back(found->second);
      if (!is_new) continue;
      std::size_t at = 0;
      for (std::size_t s = 0; s < program.schemas().size(); ++s) {
        if (program.schemas()[s].priority != nullptr) made.ranks[s].push_back(key[at++]);
      }
      for (std::size_t s = 0; s < num_sets; ++s) made.members[s].push_back(key[at++] != 0);
    }
  }
  return made;
}

}  // namespace cohort::quotient
