// Situations of the kind that users report in the trackers of engines: the true accelerations, our methods, which have to be
// right, and what each engine says. A folder is one case; case.json states the verdicts by the engine's version, so that a change
// of an engine's verdict fails here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "harness/conform/health.h"
#include "harness/records/json_codec.h"
#include "harness/runner/cells/random_states.h"
#include "harness/runner/process/supervisor.h"
#include "harness/runner/trials/measured_condition.h"
#include "methods/all_methods.h"
#include "problems/io/model_file.h"
#include "tests/methods/engines/engines.h"
#include "tests/support/command.h"

namespace mbsbench {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(MBSBENCH_SOURCE_DIR) / "tests/engine_cases";

// Calls visit(title, method) for each engine that is installed.
template <class Visit>
void ForEngines(const Visit& visit) {
  for (const std::string& key : EngineKeys()) {
    const MethodEntry* const entry = EngineMethod(key);
    if (entry != nullptr) visit(entry->title, VariantsOf(*entry).front());
  }
}

std::vector<std::string> CaseNames() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kFolder))
    if (entry.is_directory()) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

class EngineCase : public testing::TestWithParam<std::string> {
 protected:
  EngineCase()
      : case_(Json::parse(std::ifstream(Folder() / "case.json"))),
        tried_(Tried(LoadProblem(Model()), InitialState(LoadProblem(Model())))) {}

  static fs::path Folder() { return kFolder / GetParam(); }
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

// Products of transfer matrices (classical-mstmm:paper) leave no digit at depth, and the condition says so.
TEST_P(EngineCase, IsAnsweredRightlyByOurMethodsUnlessTheyWarn) {
  int right = 0;
  for (const MethodEntry& entry : AllMethods()) {
    for (const MethodChoice& method : VariantsOf(entry)) {
      if (method.form() == Form::kAlgebraic) continue;
      const HealthLine line = JudgedBy(method, tried_);
      EXPECT_THAT(line.ending, testing::AnyOf("right", "explained", "refused"))
          << method.spec << ": " << line.reason;
      right += line.ending == "right" ? 1 : 0;
    }
  }
  EXPECT_GE(right, 10);
}

// "right" to 1e-6, "digits lost" or "no digit" where the engine's own condition explains it, "wrong", "refused", "crashed"
std::string VerdictInWords(const HealthLine& line) {
  if (line.ending == "explained") return *line.error > kNoDigitRight ? "no digit" : "digits lost";
  return line.ending == "unexplained" ? "wrong" : line.ending;
}

TEST_P(EngineCase, IsAnsweredByEachEngineAsStated) {
  ForEngines([&](const std::string& title, const MethodChoice& engine) {
    if (!case_.at("engines").contains(title))
      return void(std::printf("  no verdict on %s is stated\n", title.c_str()));
    const auto judge = [&] {
      const HealthLine line = JudgedBy(engine, tried_);
      TrialResult result;
      result.answer = {{"verdict", VerdictInWords(line)}, {"reason", line.reason}};
      return result;
    };
    const TrialResult result = RunApart(judge, {.seconds = 60, .bytes = DefaultMemoryLimit()});
    const Ending& ending = result.ending;
    const Json said = ending.outcome == Outcome::kOk
                          ? result.answer
                          : Json{{"verdict", "crashed"}, {"reason", ending.reason}};
    EXPECT_EQ(case_.at("engines").at(title), said.at("verdict")) << title << said.at("reason");
  });
}

// own_steps: energy gained by the end, over the energy that turns; below 0 it is lost.
TEST(EngineCases, OfATumblingBodyStateTheEnergyThatEachEnginesOwnStepsGain) {
  const Json own = Json::parse(std::ifstream(kFolder / "tumbling_body/case.json")).at("own_steps");
  ForEngines([&](const std::string& title, const MethodChoice& engine) {
    if (!own.at("energy_gained").contains(title)) return;
    const auto stated = own.at("energy_gained").at(title).get<double>();
    const CommandResult result = RunCommand(
        MBSBENCH_EXECUTABLE, {"solve", "dzhanibekov", engine.spec, "--integrator", "own", "--step",
                              std::to_string(own.at("step_s").get<double>()), "--json"});
    EXPECT_NEAR(stated, Json::parse(result.out).at("metrics").at("energy_gained").get<double>(),
                0.05 * std::abs(stated))
        << title;
  });
}

INSTANTIATE_TEST_SUITE_P(Cases, EngineCase, testing::ValuesIn(CaseNames()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace mbsbench
