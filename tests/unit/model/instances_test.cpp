#include "model/instances.hpp"

#include <catch2/catch.hpp>

#include "lang/load.hpp"
#include "model/fault.hpp"

namespace cohort::model {
namespace {

[[nodiscard]] lang::Loaded loaded(const std::string& text) {
  lang::Loaded result = lang::load_text("test.coh", text, {});
  REQUIRE(result.ok());
  return result;
}

constexpr const char* arrays = R"(Program
  Module client = 3;
  Module server = 2;
  Enum Phase = { idle, busy };
  n;
  flag : bool;
  lk[client] : Phase;
  pair[server, client] : client?;
  queue[-1..1, server] : 5..9 = 5;
)";

TEST_CASE("instances are numbered variable after variable, each row by row", "[model]") {
  const lang::Loaded program = loaded(arrays);
  const Instances instances{program.program};
  const std::vector<std::string> names = {
      "n",           "flag",       "lk[0]",      "lk[1]",      "lk[2]",     "pair[0,0]",
      "pair[0,1]",   "pair[0,2]",  "pair[1,0]",  "pair[1,1]",  "pair[1,2]", "queue[-1,0]",
      "queue[-1,1]", "queue[0,0]", "queue[0,1]", "queue[1,0]", "queue[1,1]"};
  REQUIRE(instances.size() == names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    CAPTURE(i);
    CHECK(instances.name(i) == names[i]);
    CHECK(instances.find(names[i]) == i);
    CHECK(instances.number(instances.variable_of(i), instances.subscripts(i)) == i);
  }
}

TEST_CASE("what is no name of an instance is not found", "[model]") {
  const lang::Loaded program = loaded(arrays);
  const Instances instances{program.program};
  for (const char* const name :
       {"", "m", "n[0]", "lk", "lk[]", "lk[3]", "lk[0", "lk[0]]", "lk[00]", "lk[0,1]", "pair[0]",
        "pair[0, 1]", "pair[0,1,2]", "lk[-1]", "lk[a]", "queue[2,0]", "client", "lk[0]x", "[0]"}) {
    CAPTURE(name);
    CHECK_FALSE(instances.find(name).has_value());
  }
}

TEST_CASE("values are written as users write them", "[model]") {
  const lang::Loaded program = loaded(arrays);
  const Instances instances{program.program};
  CHECK(instances.value_text(*instances.find("n"), -7) == "-7");
  CHECK(instances.value_text(*instances.find("flag"), 1) == "true");
  CHECK(instances.value_text(*instances.find("lk[1]"), 1) == "busy");
  CHECK(instances.value_text(*instances.find("pair[0,0]"), lang::none_value) == "none");
  CHECK(instances.value_text(*instances.find("pair[0,0]"), 2) == "2");
}

TEST_CASE("a fault is described with the names of the program", "[model]") {
  const lang::Loaded program = loaded(arrays);
  const auto description = [&](FaultKind kind, Value value, std::uint32_t variable) {
    return describe({kind, {}, value, variable}, program.program);
  };
  CHECK(description(FaultKind::OutsideType, 4, 4) == "4 is outside the type of 'queue', 5..9");
  CHECK(description(FaultKind::Conflict, 1, 2) ==
        "'lk' is assigned two different values at once, the second is busy");
  CHECK(description(FaultKind::DivisionByZero, 0, 0) == "division by zero");
  CHECK(description(FaultKind::SubscriptOutside, 2, 4) ==
        "subscript 2 of 'queue' is outside -1..1");
  CHECK(description(FaultKind::NoneAsSubscript, -1, 2) == "none as a subscript of 'lk'");
}

}  // namespace
}  // namespace cohort::model
