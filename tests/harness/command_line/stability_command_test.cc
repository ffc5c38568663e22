// The command that compares three routes of linearisation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/harness/command_line/bench.h"

namespace mbsbench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(StabilityCommand, ComparesThreeRoutesInOneDocument) {
  const CommandResult result = Bench({"stability", "governor", "--json"});
  EXPECT_EQ(0, result.exit_code) << result.err;
  const json document = json::parse(result.out);
  EXPECT_TRUE(document.at("agree"));
  EXPECT_LT(document.at("largest_difference"), 1e-10);
  ASSERT_EQ(3u, document.at("routes").size());
  for (const json& route : document.at("routes")) {
    ASSERT_EQ(2u, route.at("eigenvalues").size()) << route;
    EXPECT_NEAR(6.551996, std::abs(route.at("eigenvalues")[0].at("imaginary").get<double>()), 1e-6);
    EXPECT_EQ(route.at("infinite_predicted"), route.at("infinite_found"));
    EXPECT_EQ(0, route.at("unstable"));
  }
}

TEST(StabilityCommand, PrintsOneRouteAtAGivenSpeed) {
  const CommandResult result = Bench({"stability", "swing", "--speed", "10", "--route", "pencil"});
  EXPECT_EQ(0, result.exit_code) << result.err;
  EXPECT_THAT(result.out, HasSubstr("turns at 10 rad/s about (0, 0, 1)"));
  EXPECT_THAT(result.out, HasSubstr("predicted"));
  EXPECT_THAT(result.out, testing::Not(HasSubstr("null-space")));
}

TEST(StabilityCommand, RefusesBadInputWithOneSentence) {
  for (const auto& [arguments, says] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"stability", "governr"}, "there is no problem 'governr'"},
           {{"stability", "governor", "--route", "qz"},
            "there is no route 'qz': give reduced, null-space or pencil"},
           {{"stability", "governor", "--speed", "fast"},
            "--speed is 'fast': a finite number is needed"},
           {{"stability", "pendulum", "--speed", "3"}, "nothing is driven in 'pendulum'"},
           {{"stability", "heavytop"}, "not a steady motion: the acceleration of body 'top'"}}) {
    const CommandResult result = Bench(arguments);
    EXPECT_EQ(2, result.exit_code) << says;
    EXPECT_EQ("", result.out);
    EXPECT_THAT(result.err, HasSubstr(says));
    EXPECT_EQ(1, std::count(result.err.begin(), result.err.end(), '\n')) << result.err;
  }
}

}  // namespace
}  // namespace mbsbench
