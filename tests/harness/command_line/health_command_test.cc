// The health card of our own methods, as a user gets it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
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
  std::map<std::string, int> models;  // of each row
  for (const json& row : card.at("rows")) {
    models[row.at("method").get<std::string>() + "/" + row.at("kind").get<std::string>()] =
        row.at("models");
    EXPECT_EQ(0, row.at("unexplained"));
    if (row.at("kind") == "") {
      EXPECT_GT(row.at("digits_p50"), 9);
    }
  }
  EXPECT_EQ(2u * (1 + 8) + 8, models.size());
  EXPECT_EQ(9, models["kane-huston:general/"]);
  EXPECT_EQ(2, models["riccati-mstmm:general/trees"]);
  EXPECT_EQ(4, models["/trees"]);
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
  const CommandResult engine = RunCommand(MBSBENCH_EXECUTABLE, {"health", "--engine", "nonsense"});
  EXPECT_EQ(2, engine.exit_code);
  EXPECT_THAT(engine.err, HasSubstr("no method or engine 'nonsense': the engines are simbody, "));
}

}  // namespace
}  // namespace mbsbench
