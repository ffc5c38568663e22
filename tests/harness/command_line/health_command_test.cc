// The health card of our own methods, as a user gets it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/command.h"

namespace mbsbench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(Health, PrintsACardThatALaterCallContinues) {
  const TemporaryFolder folder;
  const auto health = [&folder](const std::string& models, std::vector<std::string> more) {
    std::vector<std::string> words{"health",      "--models", models,          "--seed",
                                   "3",           "--method", "riccati-mstmm", "--engine",
                                   "kane-huston", "--output", folder.path()};
    words.insert(words.end(), more.begin(), more.end());
    return RunCommand(MBSBENCH_EXECUTABLE, words);
  };
  const CommandResult first = health("4", {});
  EXPECT_EQ(0, first.exit_code) << first.err;
  EXPECT_THAT(first.out, HasSubstr("4 random models of seed 3"));
  EXPECT_THAT(first.out, HasSubstr("\n| kane-huston"));
  EXPECT_THAT(first.out, HasSubstr("\n| mass-ratios"));
  const CommandResult second = health("9", {"--json"});
  EXPECT_EQ(0, second.exit_code) << second.err;
  const json card = json::parse(second.out);
  EXPECT_EQ(9, card.at("models"));
  EXPECT_EQ(2u, card.at("methods").size());
  for (const json& row : card.at("methods")) {
    EXPECT_EQ(9, row.at("models"));
    EXPECT_EQ(0, row.at("unexplained"));
    EXPECT_EQ(2, row.at("kinds").at("trees").at("models"));
    EXPECT_GT(row.at("digits_p50"), 9);
  }
  EXPECT_TRUE(card.at("cases").empty());
}

TEST(Health, RefusesAMethodWithoutAccelerationsAndOneThatIsNotThere) {
  const CommandResult steady =
      RunCommand(MBSBENCH_EXECUTABLE, {"health", "--method", "steady-state-newton"});
  EXPECT_EQ(2, steady.exit_code);
  EXPECT_THAT(steady.err, HasSubstr("steady states"));
  const CommandResult unknown =
      RunCommand(MBSBENCH_EXECUTABLE, {"health", "--method", "articulate-body"});
  EXPECT_EQ(2, unknown.exit_code);
  EXPECT_THAT(unknown.err, HasSubstr("articulated-body"));
}

}  // namespace
}  // namespace mbsbench
