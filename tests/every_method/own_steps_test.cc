// Methods that own their step keep what they claim over many steps, lose the rest, and have their orders over four halvings. A new
// method is tried by its entry and its rows of reports/data/claims.json.
#include <fnmatch.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/conform/judged_motion.h"
#include "harness/runner/cells/random_states.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"
#include "reference/reference.h"
#include "tests/support/parameter_name.h"

namespace mbsbench {

static void PrintTo(const MethodChoice& method, std::ostream* out) { *out << method.spec; }

namespace {

// All variants with fixed steps of a stated order.
std::vector<MethodChoice> OwnSchemes() {
  std::vector<MethodChoice> all;
  for (const MethodEntry& entry : AllMethods()) {
    for (const MethodChoice& variant : VariantsOf(entry)) {
      const auto own = IntegratorFor(variant, *FindIntegrator("own"));
      if (own && own->fixed_step && own->order > 0) all.push_back(variant);
    }
  }
  return all;
}

// To the end time by fixed steps, with ten samples.
Accuracy JudgedSteps(Problem problem, const Reference* reference, const MethodChoice& method,
                     double end, double step) {
  problem.end_time = end;
  problem.sample_times.clear();
  for (int k = 0; k <= 10; ++k) problem.sample_times.push_back(end * k / 10);
  IntegrationSettings settings;
  settings.integrator = "own", settings.step = step;
  const JudgedMotion motion =
      JudgeMotion(problem, reference, InitialState(problem), method, settings);
  EXPECT_TRUE(motion.report.ok()) << motion.report.reason;
  return motion.accuracy;
}

class OwnSteps : public testing::TestWithParam<MethodChoice> {
 protected:
  // How far a quantity may drift; empty: the method claims nothing of it.
  std::optional<double> ClaimedWithin(const std::string& quantity) {
    std::ifstream file(MBSBENCH_SOURCE_DIR "/reports/data/claims.json");
    const nlohmann::json data = nlohmann::json::parse(file);
    std::optional<double> within;
    for (const nlohmann::json& row : data.at("kept")) {
      const auto quantities = row.at("quantities").get<std::vector<std::string>>();
      if (std::find(quantities.begin(), quantities.end(), quantity) == quantities.end()) continue;
      for (const std::string glob : row.at("methods"))
        if (fnmatch(glob.c_str(), GetParam().spec.c_str(), 0) == 0) within = row.at("within");
    }
    return within;
  }
  void ExpectAsClaimed(const char* quantity, std::optional<double> drift) {
    constexpr double kVisible = 1e-9;
    ASSERT_TRUE(drift) << quantity;
    const std::optional<double> within = ClaimedWithin(quantity);
    std::printf("  %s: %.1e%s\n", quantity, *drift, within ? "" : ", not claimed");
    if (within)
      EXPECT_LT(*drift, *within) << quantity;
    else
      EXPECT_GT(*drift, kVisible) << quantity;
  }
};
INSTANTIATE_TEST_SUITE_P(All, OwnSteps, testing::ValuesIn(OwnSchemes()), NameOfParameter);

TEST_P(OwnSteps, KeepWhatIsClaimedOver100000StepsAndLoseTheRest) {
  const Accuracy top = JudgedSteps(MakeProblem("heavytop"), nullptr, GetParam(), 50, 5e-4);
  ExpectAsClaimed("positions", top.position_drift_max);
  ExpectAsClaimed("velocities", top.velocity_drift_max);
  ExpectAsClaimed("energy", top.energy_drift_max);
  ExpectAsClaimed("angular momentum", top.angular_momentum_drift_max);
}

struct HalvedMotion {
  const char* problem;
  double end, of_order_2,
      of_order_4;  // the longest steps, far above round-off with their sixteenth part [s]
};

TEST_P(OwnSteps, ReduceErrorsByTheStatedOrderOverFourHalvings) {
  const int order = IntegratorFor(GetParam(), *FindIntegrator("own"))->order;
  for (const auto& [name, end, of_order_2, of_order_4] : {HalvedMotion{"dpend18", 0.5, 5e-3, 0.025},
                                                          {"heavytop", 0.2, 5e-4, 2.5e-3},
                                                          {"bricard", 0.5, 2.5e-3, 0.025}}) {
    const Problem problem = MakeProblem(name);
    const std::optional<Reference> reference = FindReference(problem);
    ASSERT_TRUE(reference);
    const double longest = order > 3 ? of_order_4 : order > 2 ? 2 * of_order_2 : of_order_2;
    const auto error = [&, until = end](int halvings) {
      const Accuracy judged =
          JudgedSteps(problem, &*reference, GetParam(), until, longest / (1 << halvings));
      return judged.error && judged.error->end ? *judged.error->end : NAN;
    };
    const double coarse = error(0), fine = error(4), observed = std::log2(coarse / fine) / 4;
    std::printf("  %s: order %.3f of %d, errors %.1e, %.1e\n", name, observed, order, coarse, fine);
    EXPECT_NEAR(observed, order, 0.1) << name;
  }
}

}  // namespace
}  // namespace mbsbench
