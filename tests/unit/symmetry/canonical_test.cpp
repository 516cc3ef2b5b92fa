#include "symmetry/canonical.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lang/load.hpp"
#include "model/program.hpp"
#include "model/store.hpp"
#include "model/successors.hpp"
#include "support/random_program.hpp"
#include "symmetry/apply.hpp"

namespace cohort::symmetry {
namespace {

using model::StateId;
using model::Value;
using model::Word;

/// Every permutation that maps each module onto itself.
std::vector<Permutation> all_permutations(const model::Program& program) {
  std::vector<Permutation> all{identity(program.num_processes())};
  for (std::uint32_t m = 0; m < program.source().modules.size(); ++m) {
    const std::size_t first = program.process_number(lang::ModuleId{m}, 0);
    const auto size = static_cast<std::size_t>(program.source().modules[m].size);
    std::vector<std::uint32_t> images;
    for (std::size_t p = 0; p < size; ++p) images.push_back(static_cast<std::uint32_t>(first + p));
    std::vector<Permutation> more;
    do {
      for (Permutation made : all) {
        std::ranges::copy(images, made.begin() + static_cast<std::ptrdiff_t>(first));
        more.push_back(std::move(made));
      }
    } while (std::ranges::next_permutation(images).found);
    all = std::move(more);
  }
  return all;
}

std::vector<Value> unpacked(const model::Program& program, const Word* words) {
  std::vector<Value> values(program.instances().size());
  program.layout().unpack(words, values.data());
  return values;
}

std::vector<Word> packed(const model::Program& program, const std::vector<Value>& values) {
  std::vector<Word> words(program.layout().num_words(), 0);
  for (std::size_t i = 0; i < values.size(); ++i) program.layout().set(words.data(), i, values[i]);
  return words;
}

/// Some reachable states.
std::vector<std::vector<Value>> some_states(const model::Program& program, std::size_t most) {
  model::Store store{program.layout().num_words()};
  model::Generator generator{program};
  for (model::InitialStates initial{program}; !initial.done() && store.size() < most;
       initial.next()) {
    (void)store.insert(initial.words());
  }
  for (std::uint32_t i = 0; i < store.size() && store.size() < most; ++i) {
    const model::Successors& found = generator.expand(store[StateId{i}]);
    if (found.fault) continue;
    for (std::size_t e = 0; e < found.size(); ++e) (void)store.insert(found.target(e));
  }
  std::vector<std::vector<Value>> states;
  for (std::uint32_t i = 0; i < store.size(); ++i) {
    states.push_back(unpacked(program, store[StateId{i}]));
  }
  return states;
}

void check_state(const model::Program& program, Canonicalizer& canonical,
                 const std::vector<Permutation>& group, const std::vector<Value>& state,
                 std::map<std::vector<Word>, std::vector<Value>>& smallest_of) {
  std::vector<Word> representative = packed(program, state);
  Permutation back;
  canonical(representative.data(), &back);
  CHECK(apply(program, back, unpacked(program, representative.data())) == state);
  // One representative for the orbit, and one orbit for the representative.
  std::vector<Value> smallest = state;
  for (const Permutation& permutation : group) {
    const std::vector<Value> image = apply(program, permutation, state);
    smallest = std::min(smallest, image);
    std::vector<Word> words = packed(program, image);
    canonical(words.data(), nullptr);
    CHECK(words == representative);
  }
  CHECK(smallest_of.emplace(representative, smallest).first->second == smallest);
  std::vector<std::uint32_t> classes;
  canonical.classes(packed(program, state).data(), classes);
  for (std::uint32_t m = 0; m < program.source().modules.size(); ++m) {
    const std::size_t first = program.process_number(lang::ModuleId{m}, 0);
    const std::size_t end = first + static_cast<std::size_t>(program.source().modules[m].size);
    for (std::size_t a = first; a < end; ++a) {
      for (std::size_t b = a + 1; b < end; ++b) {
        Permutation swap = identity(program.num_processes());
        std::swap(swap[a], swap[b]);
        CHECK((classes[a] == classes[b]) == (apply(program, swap, state) == state));
      }
    }
  }
}

TEST_CASE("two states have one representative if and only if a permutation maps one to the other",
          "[symmetry][random]") {
  std::size_t tried = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    base::Random random{seed};
    support::ProgramShape shape;
    shape.most_processes = 6;
    const support::RandomProgram text = support::random_program(random, shape);
    CAPTURE(seed, text.text);
    const lang::Loaded loaded = lang::load_text("random.coh", text.text, {});
    if (!loaded.ok()) continue;
    const model::Program program{loaded.program};
    Canonicalizer canonical{program};
    const std::vector<Permutation> group = all_permutations(program);
    std::map<std::vector<Word>, std::vector<Value>> smallest_of;
    for (const std::vector<Value>& state : some_states(program, 12)) {
      check_state(program, canonical, group, state, smallest_of);
      ++tried;
    }
  }
  CHECK(tried > 2500);
}

TEST_CASE("a ring that nothing marks has one representative for all its rotations", "[symmetry]") {
  const std::string text =
      "Program\n  Module node = 6;\n  next[node] : node?;\n"
      "  n of node : { [go] next[n] == none -> next[n] = n; }\n";
  const lang::Loaded loaded = lang::load_text("ring.coh", text, {});
  REQUIRE(loaded.ok());
  const model::Program program{loaded.program};
  Canonicalizer canonical{program};
  // One ring of six, and two rings of three: alike to refinement, but not the same.
  const std::vector<Value> six{1, 2, 3, 4, 5, 0};
  const std::vector<Value> other_six{2, 3, 4, 5, 1, 0};
  const std::vector<Value> threes{1, 2, 0, 4, 5, 3};
  const auto representative = [&](const std::vector<Value>& state) {
    std::vector<Word> words = packed(program, state);
    canonical(words.data(), nullptr);
    return words;
  };
  CHECK(representative(six) == representative(other_six));
  CHECK(representative(six) != representative(threes));
}

}  // namespace
}  // namespace cohort::symmetry
