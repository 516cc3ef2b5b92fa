#include "base/suggest.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace cohort::base {

TEST_CASE("a near miss is found", "[base][suggest]") {
  CHECK(nearest("reqest", {"reply", "request"}) == "request");
  CHECK(nearest("rqeuest", {"reply", "request"}) == "request");  // a swap is one edit
  CHECK(nearest("Client", {"client"}) == "client");
  CHECK(nearest("lk", {"lc", "ld"}) == "lc");  // the first of equally near ones
}

TEST_CASE("what is far is not suggested", "[base][suggest]") {
  CHECK_FALSE(nearest("x", {"y"}));
  CHECK_FALSE(nearest("request", {"controller", "buzy"}));
  CHECK_FALSE(nearest("request", {}));
  CHECK_FALSE(nearest(std::string(100, 'x'), {std::string_view{"x"}}));
}

}  // namespace cohort::base
