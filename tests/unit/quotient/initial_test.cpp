// Initial states up to symmetry, against all of them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "lang/load.hpp"
#include "quotient/graph.hpp"
#include "support/random_program.hpp"
#include "symmetry/apply.hpp"

namespace cohort::quotient {
namespace {

using Values = std::vector<Value>;
using Marks = std::vector<std::uint32_t>;

Values unpacked(const model::Program& program, const model::Word* words) {
  Values values(program.instances().size());
  program.layout().unpack(words, values.data());
  return values;
}

std::vector<Values> chosen(const model::Program& program, const Marks& marks) {
  const std::unique_ptr<Graph> graph = make_quotient(program);
  const std::unique_ptr<InitialSource> source = graph->initial_states(marks);
  std::vector<Values> states;
  while (const model::Word* const words = source->next()) {
    states.push_back(unpacked(program, words));
  }
  return states;
}

/// Every permutation within modules that keeps the marks.
std::vector<Permutation> keeping(const model::Program& program, const Marks& marks) {
  std::vector<Permutation> all{symmetry::identity(program.num_processes())};
  for (std::uint32_t m = 0; m < program.source().modules.size(); ++m) {
    const auto first = static_cast<std::ptrdiff_t>(program.process_number(lang::ModuleId{m}, 0));
    const auto end = first + static_cast<std::ptrdiff_t>(program.source().modules[m].size);
    std::vector<Permutation> more;
    for (Permutation made : all) {
      do {
        more.push_back(made);
      } while (std::next_permutation(made.begin() + first, made.begin() + end));
    }
    all = std::move(more);
  }
  std::erase_if(all, [&](const Permutation& permutation) {
    for (std::size_t p = 0; p < permutation.size(); ++p) {
      if (marks[p] != marks[permutation[p]]) return true;
    }
    return false;
  });
  return all;
}

Values least(const model::Program& program, const std::vector<Permutation>& group,
             const Values& state) {
  Values found = state;
  for (const Permutation& permutation : group) {
    found = std::min(found, symmetry::apply(program, permutation, state));
  }
  return found;
}

lang::Loaded load(const std::string& text) {
  lang::Loaded loaded = lang::load_text("test.coh", text, {});
  REQUIRE(loaded.ok());
  return loaded;
}

std::size_t num_chosen(const std::string& text, std::uint32_t marked = UINT32_MAX) {
  const lang::Loaded loaded = load(text);
  const model::Program program{loaded.program};
  Marks marks(program.num_processes(), 0);
  if (marked < marks.size()) marks[marked] = 1;
  return chosen(program, marks).size();
}

}  // namespace

TEST_CASE("clients that each start in two ways differ by how many start in each", "[quotient]") {
  const std::string client = "Program Module client = 30; at[client] : 0..1 in 0..1;";
  CHECK(num_chosen(client) == 31);
  CHECK(num_chosen(client, 4) == 2 * 30);  // one is told apart
  // One starts otherwise, and one has no choice.
  CHECK(num_chosen(client + "Init at[3] = 1;") == 30);
  CHECK(num_chosen(client + "Init at[3] = 1; Init at[5] = 1;") == 29);
  CHECK(num_chosen(client + "Init at[3] = 1; Init at[5] = 0;") == 29);
  // Three values: pairs of numbers.
  CHECK(num_chosen("Program Module client = 30; at[client] : 0..2 in 0..2;") == 31 * 32 / 2);
  CHECK(num_chosen("Program Module client = 30; at[client] : 0..9 in { 0, 4, 9 };") == 31 * 32 / 2);
}

TEST_CASE("ranges, processes and pairs as beginnings", "[quotient]") {
  // Two choices for each client: four ways.
  CHECK(num_chosen("Program Module client = 6; at[client, 0..1] : bool in 0..1;") == 84);
  CHECK(num_chosen("Program Module client = 30; owner : client in client;") == 1);
  CHECK(num_chosen("Program Module client = 30; owner : client in client;", 2) == 2);
  CHECK(num_chosen("Program Module client = 30; owner : client? in { none, client(2) };") == 2);
  CHECK(num_chosen("Program Module client = 30; a : client in client; b : client in client;") == 2);
  CHECK(num_chosen("Program Module c = 1; x[c] : 0..100000 in 0..100000;") == 100001);
  // Directed graphs with loops, on three vertices, up to isomorphism.
  CHECK(num_chosen("Program Module n = 3; edge[n, n] : bool in 0..1;") >= 104);
  CHECK(num_chosen("Program Module n = 3; edge[n, n] : bool in 0..1;") < 512);
  // Maps from three processes to four others: partitions of three.
  CHECK(num_chosen("Program Module n = 3; Module m = 4; to[n] : m in m;") == 3);
}

TEST_CASE("every initial state has one of those chosen in its orbit", "[quotient][random]") {
  std::size_t states = 0;
  std::size_t left = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    base::Random random{seed};
    const std::string text =
        support::random_program(random, {.most_processes = 6, .entangled = true}).text;
    CAPTURE(seed, text);
    const lang::Loaded loaded = lang::load_text("random.coh", text, {});
    if (!loaded.ok()) continue;
    const model::Program program{loaded.program};
    if (model::InitialStates(program).count() > 300) continue;
    Marks marks(program.num_processes(), 0);
    for (std::uint32_t& mark : marks) mark = random.chance(30) ? 1 : 0;
    const std::vector<Permutation> group = keeping(program, marks);
    std::set<Values> real;
    std::set<Values> orbits;
    for (model::InitialStates initial{program}; !initial.done(); initial.next()) {
      real.insert(unpacked(program, initial.words()));
      orbits.insert(least(program, group, unpacked(program, initial.words())));
    }
    std::set<Values> met;
    std::size_t count = 0;
    for (const Values& state : chosen(program, marks)) {
      CHECK(real.contains(state));
      met.insert(least(program, group, state));
      ++count;
    }
    CHECK(met == orbits);
    states += real.size();
    left += count;
  }
  CHECK(states > 4000);
  CHECK(left < states * 3 / 4);
}

}  // namespace cohort::quotient
