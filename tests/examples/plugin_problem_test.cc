// A problem of a plug-in is treated like any other: listed, solved, certified, compared and reported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/store/store.h"
#include "tests/support/command.h"

namespace mbsbench {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using Arguments = std::vector<std::string>;

CommandResult Bench(Arguments arguments) {
  arguments.insert(arguments.begin(), {"--plugin", COMPOUND_PENDULUM_PLUGIN});
  return RunCommand(MBSBENCH_EXECUTABLE, arguments);
}

TEST(ProblemOfAPlugin, IsListedWithItsOptions) {
  const json document = json::parse(Bench({"list", "--json"}).out);
  for (const json& family : document.at("problems")) {
    const bool is_its = family.at("name") == "swinging-bar";
    EXPECT_EQ(is_its, family.at("plugin").is_string()) << family.at("name");
    if (!is_its) continue;
    EXPECT_EQ("length", family.at("options").at(0).at("name"));
  }
  EXPECT_THAT(Bench({"list"}).out, HasSubstr("  Swinging bar :length= (plug-in)\n"));
}

TEST(ProblemOfAPlugin, IsSolvedToItsClosedForm) {
  for (const char* method : {"articulated-body", "cartesian-dae:index1", "compound-pendulum"}) {
    const CommandResult result = Bench({"solve", "swinging-bar", method, "--integrator", "dopri5",
                                        "--tolerance", "1e-12", "--json"});
    const json solution = json::parse(result.out);
    const json& published = solution.at("metrics").at("published");
    ASSERT_EQ(4u, published.size()) << method;
    for (const json& value : published)
      EXPECT_LT(std::abs(value.at("difference").get<double>()), 1e-10) << method << value;
  }
}

TEST(ProblemOfAPlugin, TakesItsOptionsAndRefusesOthers) {
  const json longer = json::parse(Bench({"convert", "swinging-bar:length=3"}).out);
  EXPECT_EQ("swinging-bar:length=3", longer.at("name"));
  for (const auto& [name, why] :
       {std::pair{"swinging-bar:length=0",
                  "option 'length' is '0': a number from 0.01 to 100 is needed."},
        {"swinging-bar:width=1", "problem 'swinging-bar' has no option 'width'."}}) {
    const CommandResult refused = Bench({"accelerations", name, "articulated-body"});
    EXPECT_EQ(2, refused.exit_code) << name;
    EXPECT_THAT(refused.err, HasSubstr(why));
  }
  EXPECT_EQ(2, RunCommand(MBSBENCH_EXECUTABLE, {"check", "swinging-bar"}).exit_code)
      << "no plug-in";
}

TEST(ProblemOfAPlugin, IsCertifiedComparedAndReported) {
  const TemporaryFolder folder;
  const std::string store = folder.File("s.sqlite"), report = folder.File("report");
  setenv("MBSBENCH_REFERENCE_DIR", folder.File("").c_str(), 1);
  const CommandResult certified = Bench({"certify", "swinging-bar", "--recompute", "--write"});
  EXPECT_EQ(0, certified.exit_code) << certified.err;
  const CommandResult run =
      Bench({"run", "--quick", "--problem", "swinging-bar", "--method", "articulated-body",
             "--integrator", "dopri5", "--rounds", "1", "--store", store});
  EXPECT_EQ(0, run.exit_code) << run.err;
  const CommandResult written = Bench({"report", "--store", store, "--output", report});
  unsetenv("MBSBENCH_REFERENCE_DIR");
  EXPECT_EQ(0, written.exit_code) << written.err;
  int judged = 0;
  for (const TrialRow& trial :
       Store::OpenToRead(store).TrialsOf("swinging-bar", "articulated-body")) {
    if (trial.kind != "accuracy") continue;
    ++judged;
    EXPECT_EQ("ok", trial.outcome) << trial.reason;
  }
  EXPECT_GE(judged, 3);
}

}  // namespace
}  // namespace mbsbench
