// Methods that own their step keep what they claim over many steps, lose the rest, have their orders over four halvings, and end with
// a sentence where they cannot go on. A new method is tried by its entry and its rows of reports/data/claims.json.
#include <fnmatch.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/conform/tried_systems.h"
#include "harness/runner/cells/random_states.h"
#include "harness/runner/plan/plan.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "reference/reference.h"
#include "tests/support/parameter_name.h"
#include "tests/support/worst.h"

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
JudgedMotion JudgedSteps(Problem problem, const Reference* reference, const MethodChoice& method,
                         double end, double step) {
  problem.end_time = end;
  problem.sample_times.clear();
  for (int k = 0; k <= 10; ++k) problem.sample_times.push_back(end * k / 10);
  IntegrationSettings settings;
  settings.integrator = "own", settings.step = step;
  JudgedMotion motion = JudgeMotion(problem, reference, InitialState(problem), method, settings);
  EXPECT_TRUE(motion.report.ok()) << motion.report.reason;
  return motion;
}
double EndErrorOf(const JudgedMotion& motion) {
  return motion.accuracy.error && motion.accuracy.error->end ? *motion.accuracy.error->end : NAN;
}

nlohmann::json ClaimsFile() {
  std::ifstream file(MBSBENCH_SOURCE_DIR "/reports/data/claims.json");
  return nlohmann::json::parse(file);
}

class OwnSteps : public testing::TestWithParam<MethodChoice> {
 protected:
  // How far a quantity may drift; empty: the method claims nothing of it.
  std::optional<double> ClaimedWithin(const std::string& quantity) {
    static const nlohmann::json data = ClaimsFile();
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
    constexpr double kVisible = 1e-10;
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
  const Accuracy top = JudgedSteps(MakeProblem("heavytop"), nullptr, GetParam(), 50, 5e-4).accuracy;
  ExpectAsClaimed("positions", top.position_drift_max);
  ExpectAsClaimed("velocities", top.velocity_drift_max);
  ExpectAsClaimed("energy", top.energy_drift_max);
  ExpectAsClaimed("angular momentum", top.angular_momentum_drift_max);
}
TEST_P(OwnSteps, KeepWhatIsClaimedOfAFreeBodyOver100000Steps) {
  const Accuracy body =
      JudgedSteps(MakeProblem("dzhanibekov"), nullptr, GetParam(), 500, 5e-3).accuracy;
  // The discrete motion of a free body by Moser and Veselov (1991) keeps the energy too.
  if (GetParam().entry->key == "variational")
    EXPECT_LT(body.energy_drift_max, 1e-12);
  else
    ExpectAsClaimed("energy", body.energy_drift_max);
  ExpectAsClaimed("angular momentum", body.angular_momentum_drift_max);
}
TEST_P(OwnSteps, KeepWhatIsClaimedOfAPendulumOver100000Steps) {
  const Accuracy pendulum =
      JudgedSteps(MakeProblem("dpend18"), nullptr, GetParam(), 500, 5e-3).accuracy;
  ExpectAsClaimed("positions", pendulum.position_drift_max);
  ExpectAsClaimed("velocities", pendulum.velocity_drift_max);
  ExpectAsClaimed("energy", pendulum.energy_drift_max);
}

struct HalvedMotion {
  const char* problem;
  double end, of_order_2,
      of_order_4;  // the longest steps, far above round-off with their sixteenth part [s]

  double Longest(int order) const {
    return order > 3 ? of_order_4 : order > 2 ? 2 * of_order_2 : of_order_2;
  }
};
constexpr HalvedMotion kHalvedMotions[] = {{"dpend18", 0.5, 5e-3, 0.025},
                                           {"heavytop", 0.2, 5e-4, 2.5e-3},
                                           {"bricard", 0.5, 2.5e-3, 0.025}};

TEST_P(OwnSteps, ReduceErrorsByTheStatedOrderOverFourHalvings) {
  const int order = IntegratorFor(GetParam(), *FindIntegrator("own"))->order;
  for (const HalvedMotion& halved : kHalvedMotions) {
    const Problem problem = MakeProblem(halved.problem);
    const std::optional<Reference> reference = FindReference(problem);
    ASSERT_TRUE(reference);
    const auto error = [&](int halvings) {
      return EndErrorOf(JudgedSteps(problem, &*reference, GetParam(), halved.end,
                                    halved.Longest(order) / (1 << halvings)));
    };
    const double coarse = error(0), fine = error(4), observed = std::log2(coarse / fine) / 4;
    std::printf("  %s: order %.3f of %d, errors %.1e, %.1e\n", halved.problem, observed, order,
                coarse, fine);
    EXPECT_NEAR(observed, order, 0.1) << halved.problem;
  }
}

// By a hundredfold last change: a tighter one than the default meets round-off.
TEST_P(OwnSteps, HaveErrorsThatDoNotShowWhereTheirIterationEnds) {
  const MethodChoice& method = GetParam();
  const int order = IntegratorFor(method, *FindIntegrator("own"))->order;
  const bool iterates =
      std::ranges::count(method.entry->numbers, "newton", &NumericOption::name) > 0;
  for (const HalvedMotion& halved : kHalvedMotions) {
    const Problem problem = MakeProblem(halved.problem);
    const std::optional<Reference> reference = FindReference(problem);
    ASSERT_TRUE(reference);
    const auto steps = [&](const MethodChoice& by) {
      return JudgedSteps(problem, &*reference, by, halved.end, halved.Longest(order) / 16);
    };
    const JudgedMotion usual = steps(method);
    if (!iterates) {
      EXPECT_EQ(usual.report.counters.newton_iterations, 0);
      continue;
    }
    const char* const separator = method.spec.find(':') == std::string::npos ? ":" : ",";
    const JudgedMotion loose =
        steps(ChooseMethod(method.spec + separator + "newton=1e-10", AllMethods()));
    std::printf("  %s: error %.3e with %d iterations, %.3e with %d\n", halved.problem,
                EndErrorOf(usual), static_cast<int>(usual.report.counters.newton_iterations),
                EndErrorOf(loose), static_cast<int>(loose.report.counters.newton_iterations));
    EXPECT_NEAR(EndErrorOf(loose) / EndErrorOf(usual), 1, 0.01) << halved.problem;
    EXPECT_LE(loose.report.counters.newton_iterations, usual.report.counters.newton_iterations);
  }
}

// With alpha_m = 0, at rho = 1/2, generalised-alpha is HHT at its largest damping: two of these methods take the same steps, by the
// same linear systems.
TEST(GeneralisedAlpha, TakesTheStepsOfHhtAtAlphaMinusOneThirdWhereRhoIsOneHalf) {
  for (const char* name : {"heavytop", "fourbar", "swing:damped"}) {
    const Problem problem = MakeProblem(name);
    const SystemState start = InitialState(problem);
    std::vector<std::vector<BodyState>> ends;
    std::vector<WorkCounters> work;
    for (const char* spec : {"lie-generalised-alpha:index3,plain-start,rho=0.5",
                             "index3-direct:hht,alpha=-0.3333333333333333"}) {
      const auto f = Prepare(ChooseMethod(spec, AllMethods()), problem);
      TimeStepper& stepper = *f->time_stepper();
      const double end = 50 * problem.papers_step;
      ASSERT_TRUE(stepper.Start(0, start, {.step = problem.papers_step, .end_time = end}).ok());
      while (stepper.time() < end) ASSERT_TRUE(stepper.Step(end).status.ok());
      Observation o;
      ASSERT_TRUE(f->Observe(end, stepper.y(), Detail::kMotion, o).ok());
      ends.push_back(o.bodies);
      work.push_back(stepper.counters());
    }
    double apart = 0, moved = 0;
    for (std::size_t b = 0; b < start.bodies.size(); ++b) {
      Raise(apart, Norm(ends[0][b].position - ends[1][b].position));
      Raise(moved, Norm(ends[0][b].position - start.bodies[b].position));
    }
    std::printf("  %s: %.1e apart, %d and %d factorisations\n", name, apart,
                static_cast<int>(work[0].factorisations), static_cast<int>(work[1].factorisations));
    EXPECT_GT(moved, 1e-4) << name;
    EXPECT_LT(apart, 1e-10 * problem.length) << name;
    EXPECT_NEAR(static_cast<double>(work[0].factorisations),
                static_cast<double>(work[1].factorisations), 50);
  }
}

// ---- claims

TEST(ClaimsOnEqualSteps, HaveTheirCellsInADefaultRun) {
  int compared = 0;
  const nlohmann::json data = ClaimsFile();
  for (const nlohmann::json& paper : data.at("papers")) {
    for (const nlohmann::json& claim : paper.at("claims")) {
      for (const nlohmann::json& test : claim.at("tests")) {
        if (test.at("quantity") != "error over another at equal steps") continue;
        for (const PlannedProblem& problem :
             MakePlan({.problems = {"heavytop", "branch4"}}, AllMethods())) {
          const auto steps_of = [&](const std::string& method) {
            const auto curve = std::ranges::find_if(problem.curves, [&](const PlannedCurve& one) {
              return one.cell.method == method && one.by_steps && one.only_shows_order;
            });
            return curve == problem.curves.end() ? std::vector<double>{} : curve->ladder;
          };
          const auto own = steps_of(test.at("methods").at(0));
          EXPECT_GE(own.size(), 3u) << problem.name;
          EXPECT_EQ(own, steps_of(test.at("against").at(0))) << problem.name;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 0);
}

// ---- bad input

TEST(OwnStepsOfBadInput, RefuseNumbersOutOfRangeAndUnknownOrdersByName) {
  const auto refusal = [](const char* spec) -> std::string {
    try {
      ChooseMethod(spec, AllMethods());
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  for (const auto& [spec, sentence] :
       {std::pair{"lie-generalised-alpha:rho=2",
                  "option 'rho' of method 'lie-generalised-alpha' is '2': a number from 0 to 1"},
        {"natural-coordinates:penalty=-1",
         "option 'penalty' of method 'natural-coordinates' is '-1': a number from 1 to"},
        {"index3-direct:alpha=0.1", "option 'alpha' of method 'index3-direct' is '0.1': a number"},
        {"variational:newton=0", "option 'newton' of method 'variational' is '0': a number from"},
        {"half-explicit:order=7", "method 'half-explicit' has no option 'order=7'."},
        {"index3-direct:i3,order=7", "method 'index3-direct' has no option 'order=7'."}})
    EXPECT_THAT(refusal(spec), testing::HasSubstr(sentence));
}

struct EndOfSteps {
  Status status;
  double time = 0;
  bool is_kept = false;  // whether time and state are those before the step that fails
};
// From the start to 10 s, until a step or what is observed after it fails.
EndOfSteps StepUntilItFails(const MethodChoice& method, const System& system,
                            const SystemState& start, double step,
                            Detail detail = Detail::kMotion) {
  const auto f = method.entry->prepare(system, method.options);
  TimeStepper& stepper = *f->time_stepper();
  EndOfSteps end{stepper.Start(0, start, {.step = step, .end_time = 10})};
  while (end.status.ok() && stepper.time() < 10) {
    const std::vector<double> y(stepper.y().begin(), stepper.y().end());
    end.time = stepper.time();
    end.status = stepper.Step(10).status;
    end.is_kept = stepper.time() == end.time && std::ranges::equal(y, stepper.y());
    Observation o;
    if (end.status.ok()) end.status = f->Observe(stepper.time(), stepper.y(), detail, o);
  }
  return end;
}
bool NamesAPlace(const Status& status) { return status.body >= 0 || status.joint >= 0; }

TEST_P(OwnSteps, NameTheJointWhoseVelocitiesTheStartViolates) {
  const Problem p = MakeProblem("chainN3d:bodies=4");
  SystemState start = InitialState(p);
  start.bodies.back().velocity.x += 1e-3;
  const Status status = StepUntilItFails(GetParam(), p.system, start, 1e-3).status;
  EXPECT_EQ(status.joint, 3);
  EXPECT_STREQ(status.what, "the start violates the joint's constraints on velocities");
}

TEST_P(OwnSteps, RefuseAStepTooLongForTheSpinAndNameTheBody) {
  const Problem p = MakeProblem("heavytop");
  const EndOfSteps end = StepUntilItFails(GetParam(), p.system, InitialState(p), 0.03);
  // Natural coordinates have no angle.
  if (GetParam().entry->key == "natural-coordinates" && end.status.ok()) return;
  EXPECT_EQ(end.status.body, 0);
  EXPECT_TRUE(end.is_kept);
  if (GetParam().entry->key != "natural-coordinates") {
    EXPECT_EQ(end.status.code, Status::Code::kNotConverged);
    EXPECT_STREQ(end.status.what, "the step is too long for the spin of the body");
  }
}

// A disc on a hinge, with a driver.
System DrivenDisc(const DriverMotion& motion) {
  System system;
  system.gravity = {};
  Body disc;
  disc.name = "disc";
  disc.mass = 1;
  disc.inertia = Diagonal(0.1, 0.1, 0.1);
  system.bodies = {disc};
  Joint hinge;
  hinge.name = "hinge";
  hinge.type = JointType::kRevolute;
  system.joints = {hinge};
  system.drivers = {{"motor", 0, motion}};
  return system;
}

// The angle of the driver is not a number from t = 2 s on.
TEST_P(OwnSteps, EndAtAStepWithoutSolutionAndNeverHalveIt) {
  DriverMotion motion{.kind = MotionKind::kArcsine, .terms = {DriverMotion{}}};
  motion.terms[0] = {.kind = MotionKind::kPolynomial, .coefficients = {0, 0.5}};
  const System system = DrivenDisc(motion);
  const JointState joints{{0}, {0.5}};
  const EndOfSteps end =
      StepUntilItFails(GetParam(), system, {joints, ForwardKinematics(system, joints)}, 0.3);
  std::printf("  at %g s: %s\n", end.time, end.status.what);
  EXPECT_FALSE(end.status.ok());
  EXPECT_NEAR(end.time, 1.8, 1e-12);
  EXPECT_TRUE(NamesAPlace(end.status)) << end.status.what;
  EXPECT_TRUE(end.is_kept);
}

// The driver turns the disc from rest, and a rod to the ground does not let it turn.
TEST_P(OwnSteps, NameThePlaceWhereConstraintsContradict) {
  System system = DrivenDisc({.kind = MotionKind::kPolynomial, .coefficients = {0, 0, 1}});
  Joint rod;
  rod.name = "rod";
  rod.type = JointType::kDistance;
  rod.parent = kGround, rod.child = 0;
  rod.parent_frame.position = {2, 1, 0};
  rod.child_frame.position = {1, 0, 0};
  rod.length = std::sqrt(2);
  system.loop_joints = {rod};
  const JointState joints{{0}, {0}};
  const EndOfSteps end = StepUntilItFails(
      GetParam(), system, {joints, ForwardKinematics(system, joints)}, 1e-2, Detail::kReactions);
  std::printf("  after %g s: %s\n", end.time, end.status.what);
  EXPECT_FALSE(end.status.ok());
  EXPECT_LT(end.time, 1);
  EXPECT_TRUE(NamesAPlace(end.status)) << end.status.what;
}

TEST_P(OwnSteps, NameABodyWithoutInertiaThatItsJointLetsTurn) {
  Problem p = MakeProblem("chainN3d:bodies=3");
  p.system.bodies.back().inertia = {};
  p.system.bodies.back().mass = 0;
  const Status status = StepUntilItFails(GetParam(), p.system, InitialState(p), 1e-3).status;
  EXPECT_EQ(status.code, Status::Code::kSingular);
  EXPECT_TRUE(status.body == 2 || status.joint == 2) << status.what;
}

}  // namespace
}  // namespace mbsbench
