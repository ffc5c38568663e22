// Situations of the kind that users report in the trackers of engines: the true accelerations, our methods, which have to be
// right, and what each engine says. A folder is one case; case.json states the verdicts by the engine's version, so that a change
// of an engine's verdict fails here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "harness/conform/health.h"
#include "harness/records/json_codec.h"
#include "harness/runner/cells/random_states.h"
#include "harness/runner/process/supervisor.h"
#include "methods/all_methods.h"
#include "problems/io/model_file.h"
#include "tests/methods/engines/engines.h"
#include "tests/support/command.h"

namespace mbsbench {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> CaseNames() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(MBSBENCH_SOURCE_DIR "/tests/engine_cases"))
    if (entry.is_directory()) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

class EngineCase : public testing::TestWithParam<std::string> {
 protected:
  EngineCase()
      : case_(Json::parse(std::ifstream(Folder() / "case.json"))),
        tried_(Tried(LoadProblem(Model()), InitialState(LoadProblem(Model())))) {}

  static fs::path Folder() {
    return fs::path(MBSBENCH_SOURCE_DIR) / "tests/engine_cases" / GetParam();
  }
  std::string Model() const {
    const std::string model = case_.at("model");
    return model.ends_with(".json") ? (Folder() / model).string() : model;
  }
  std::size_t Place(const Json& stated) const {
    const auto& bodies = tried_.system.bodies;
    return static_cast<std::size_t>(
        std::ranges::find(bodies, stated.at("body").get<std::string>(), &Body::name) -
        bodies.begin());
  }

  // Calls visit(title, method) for each engine that is installed.
  template <class Visit>
  static void ForEngines(const Visit& visit) {
    for (const std::string& key : EngineKeys()) {
      const MethodEntry* const entry = EngineMethod(key);
      if (entry != nullptr) visit(entry->title, VariantsOf(*entry).front());
    }
  }

  Json case_;
  TriedSystem tried_;
};

TEST_P(EngineCase, StatesTheAccelerationsOf113BitsToItsDigits) {
  ASSERT_FALSE(case_.at("truth").empty());
  const std::vector<BodyAcceleration> truth = BodyAccelerationsOf(tried_.Truth());
  double largest = 0;
  for (const BodyAcceleration& a : truth)
    largest = std::max({largest, Norm(a.acceleration), Norm(a.angular_acceleration)});
  const double bound = 5 * std::pow(10, -case_.value("digits", 15)) * largest;
  for (const Json& stated : case_.at("truth")) {
    ASSERT_LT(Place(stated), truth.size()) << stated;
    Vector3 a, alpha;
    ASSERT_TRUE(Read(stated.at("acceleration"), a));
    ASSERT_TRUE(Read(stated.at("angular_acceleration"), alpha));
    const BodyAcceleration& exact = truth[Place(stated)];
    EXPECT_LE(Norm(a - exact.acceleration), bound) << stated;
    EXPECT_LE(Norm(alpha - exact.angular_acceleration), bound) << stated;
  }
}

TEST_P(EngineCase, IsAnsweredRightlyByAllMethodsOfOurs) {
  int right = 0;
  for (const MethodEntry& entry : AllMethods()) {
    for (const MethodChoice& method : VariantsOf(entry)) {
      if (method.form() == Form::kAlgebraic) continue;
      const HealthLine line = JudgedBy(method, tried_);
      if (line.ending == "refused") continue;
      EXPECT_EQ("right", line.ending) << method.spec << ": " << line.reason;
      ++right;
    }
  }
  EXPECT_GE(right, 8);
}

TEST_P(EngineCase, IsAnsweredByEachEngineAsStated) {
  ForEngines([&](const std::string& title, const MethodChoice& engine) {
    if (!case_.at("engines").contains(title))
      return void(std::printf("  no verdict on %s is stated\n", title.c_str()));
    const auto judge = [&] {
      TrialResult result;
      result.answer = ToJson(JudgedBy(engine, tried_));
      return result;
    };
    const TrialResult result = RunApart(judge, {.seconds = 60, .bytes = DefaultMemoryLimit()});
    const bool has_ended = result.ending.outcome == Outcome::kOk;
    EXPECT_EQ(case_.at("engines").at(title), has_ended ? result.answer.at("ending") : "crashed")
        << title << ": " << (has_ended ? result.answer.dump() : result.ending.reason);
  });
}

TEST_P(EngineCase, KeepsItsEnergyInTheEnginesOwnStepsAsStated) {
  if (!case_.contains("own_steps")) GTEST_SKIP() << "the case is about accelerations";
  const Json& own = case_.at("own_steps");
  ForEngines([&](const std::string& title, const MethodChoice& engine) {
    const auto stated = own.at("energy_gained").find(title);
    if (stated == own.at("energy_gained").end()) return;
    const CommandResult result = RunCommand(
        MBSBENCH_EXECUTABLE, {"solve", Model(), engine.spec, "--integrator", "own", "--step",
                              std::to_string(own.at("step_s").get<double>()), "--json"});
    const Json solved = Json::parse(result.out);
    EXPECT_NEAR(stated->get<double>(), solved.at("energy_gained").get<double>(),
                0.05 * std::abs(stated->get<double>()) + 1e-9)
        << title;
  });
}

INSTANTIATE_TEST_SUITE_P(Cases, EngineCase, testing::ValuesIn(CaseNames()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace mbsbench
