// Every method agrees with the references of all problems that it supports, to the accuracy that the
// problem requires or to the limit that the method's entry declares. A declared limit must be needed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <ostream>
#include <set>
#include <string>

#include "harness/conform/promise.h"
#include "harness/conform/tried_systems.h"
#include "harness/metrics/accuracy_judge.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "reference/reference.h"

namespace mbsbench {
namespace {

// Larger systems are left to the nightly tests but by default variants whose cost grows with the bodies: catalogue-large compares
// the accelerations of all.
constexpr std::size_t kFewBodies = 24;
// Methods that lose all digits take the maximum number of steps: a limit is confirmed in seconds up to
// this size.
constexpr std::size_t kConfirmedInSeconds = 20;
constexpr double kNear = 10;
// Motions that take other variants of a DAE up to half a minute.
const std::set<std::string> kLongMotions{"flyball", "fourbar", "swing", "swing:damped",
                                         "slidercrank3d"};
// Its thousands of turns take everything but an ODE up to two minutes.
constexpr char kFastestSpin[] = "gimbal:spin=5000";
// Its light crank takes time steppers of order 2 up to a minute; the heavy one takes seconds.
constexpr char kSmallSteps[] = "slidercrank:light";

struct Case {
  std::string problem, method;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.problem << " by " << c.method; }

std::string NameOfReferenceCase(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.problem + "_" + info.param.method;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

// A promise of harness/conform and a method: one process each.
std::vector<Case> AllCases() {
  std::vector<Case> cases;
  const std::string about = "reference-";
  for (const Promise& promise : AllPromises()) {
    if (!promise.name.starts_with(about)) continue;
    const std::string problem = promise.name.substr(about.size());
    const System system = MakeProblem(problem).system;
    const bool stabilised = !system.loop_joints.empty() && system.bodies.size() <= kFewBodies;
    for (const MethodEntry& entry : AllMethods()) {
      // Equilibria are not motions; tests/methods/steady_state_newton compares them with their
      // references.
      if (entry.form == Form::kAlgebraic) continue;
      for (const MethodChoice& choice : VariantsOf(entry)) {
        cases.push_back({problem, choice.spec});
        if (!stabilised || !IsDefaultVariant(choice)) continue;
        for (const MethodChoice& other : OtherStabilisationsOf(choice))
          cases.push_back({problem, other.spec});
      }
    }
  }
  return cases;
}

// The scale of energy drift: the largest kinetic energy plus the range of the force elements'
// potential, where the catalogue specifies it. Other problems state their own scale. Measured: 2 % (heavytop, which
// also counts the potential of its weight).
TEST(EnergyReference, IsTheLargestKineticEnergyPlusTheRangeOfTheElementsPotential) {
  for (const char* name :
       {"andrews", "babyboot", "boxes", "dzhanibekov", "flyball", "fourbar", "heavytop", "sliders",
        "wishbone", "wishbone:road_step=0.05", "wishbone:tyre=10", "wishbone:tyre=100"}) {
    Problem problem = MakeProblem(name);
    const double stated = problem.energy_reference;
    problem.energy_reference = 0;
    const std::optional<Reference> reference = FindReference(problem);
    ASSERT_TRUE(reference) << name;
    const MaybeNumber scale = EnergyScale(problem, &*reference);
    ASSERT_TRUE(scale) << name;
    std::printf("  %-24s E_ref %g J, by the rule %g J\n", name, stated, *scale);
    EXPECT_NEAR(stated / *scale, 1, 0.05) << name;
  }
}

// A method with its own time stepper may have no tolerance: its error falls with the step by the order that it states. The
// ladder of the problem's steps is climbed until it does, at an error so small that a term wrong by 1 % would end its fall.
void ConvergesToTheReference(const std::string& name, const MethodChoice& choice) {
  constexpr std::size_t kLargest = 12;
  const Problem problem = MakeProblem(name);
  const Verdict verdict = Supports(choice, problem.system, "own");
  if (!verdict.supported) GTEST_SKIP() << verdict.reason;
  if (problem.system.bodies.size() > kLargest) GTEST_SKIP() << "takes minutes";
  if (!IsDefaultVariant(choice) && std::getenv("MBSBENCH_NIGHTLY") == nullptr)
    GTEST_SKIP() << "other variants of time steppers run overnight";
  const std::optional<Reference> reference = FindReference(problem);
  ASSERT_TRUE(reference);
  const SystemState start = Assemble(problem.system, problem.initial, problem.length).state;
  std::string failure;  // with the last step
  const auto error = [&](double step) {
    const JudgedMotion motion =
        JudgeMotion(problem, &*reference, start, choice,
                    {.integrator = "own", .end_time = problem.end_time, .step = step});
    failure = motion.report.reason;
    return motion.report.ok() && motion.accuracy.error ? motion.accuracy.error->max : NAN;
  };
  const int stated = IntegratorFor(choice, *FindIntegrator("own"))->order;
  constexpr double kSmall = 2e-2, kOfTheOrder = 0.2, kOnlyRoundOff = 1e-9;
  double order = NAN, coarser = NAN, before = NAN, longer = NAN, first = NAN, from = NAN;
  for (double step : problem.fixed_steps) {
    const double now = error(step);
    if (!(first < 1)) first = now, from = step;
    coarser = order;
    order = std::log(before / now) / std::log(longer / step);
    std::printf("  step %g s: error %.2e, order %.3f\n", step, now, order);
    // Above order 2 higher terms of the error still count at these steps, at order 2 those of a damping that fades with the step.
    const bool is_higher = stated > 2 && now < 1e-4 && (order > stated || now < kOnlyRoundOff);
    const bool fades = stated == 2 && order > stated && order < coarser && order < 2.5;
    if (now < kSmall && (std::abs(order - stated) < kOfTheOrder || is_higher || fades)) return;
    before = now, longer = step;
  }
  // At order 2 those of a damping of order 3 may count at all steps: the error then falls by more, and where the two cancel, by less.
  const double all_steps = std::log(first / before) / std::log(from / longer);
  if (stated == 2 && before < kSmall / 2 && from >= 4 * longer && all_steps > stated) return;
  EXPECT_NEAR(order, stated, kOfTheOrder) << failure;
}

class EveryMethod : public testing::TestWithParam<Case> {};

TEST_P(EveryMethod, AgreesWithTruth) {
  const Case& c = GetParam();
  const std::vector<MethodEntry> methods = AllMethods();
  const MethodChoice choice = ChooseMethod(c.method, methods);
  if (choice.form() != Form::kOde && c.problem == kFastestSpin &&
      std::getenv("MBSBENCH_NIGHTLY") == nullptr)
    GTEST_SKIP() << "only ODEs take seconds on the fastest spin";
  if (choice.form() == Form::kTimeStepper) {
    if (c.problem == kSmallSteps && std::getenv("MBSBENCH_NIGHTLY") == nullptr)
      GTEST_SKIP() << "takes time steppers up to a minute";
    ConvergesToTheReference(c.problem, choice);
    return;
  }
  if (MakeProblem(c.problem).system.bodies.size() > kFewBodies &&
      (choice.cost_exponent() > 1 || !IsDefaultVariant(choice)) &&
      std::getenv("MBSBENCH_NIGHTLY") == nullptr)
    GTEST_SKIP() << "takes up to a minute";
  if (choice.form() == Form::kDae && !IsDefaultVariant(choice) &&
      kLongMotions.contains(c.problem) && std::getenv("MBSBENCH_NIGHTLY") == nullptr)
    GTEST_SKIP() << "other variants of DAEs run overnight on long motions";
  for (const Promise& promise : AllPromises()) {
    if (promise.name != "reference-" + c.problem) continue;
    const std::optional<DeclaredLimit> limited = LimitOn(promise.name, choice);
    if (limited && limited->seconds > 0)
      GTEST_SKIP() << "takes up to " << limited->seconds << " s: " << limited->reason;
    if (limited && std::isinf(limited->bound) && std::getenv("MBSBENCH_NIGHTLY") == nullptr &&
        MakeProblem(c.problem).system.bodies.size() > kConfirmedInSeconds)
      GTEST_SKIP() << "not kept (" << limited->reason << "), which takes minutes to confirm";
    const Finding finding = TryOn(promise, choice);
    if (!limited && finding.standing == Standing::kRefused) GTEST_SKIP() << finding.reason;
    std::printf("  error %.1e (required %.0e)\n", finding.figure, finding.bound);
    // Near the bound the last bits determine whether a limit is needed.
    const bool is_near = limited && finding.figure > finding.bound / kNear;
    if ((is_near || (limited && limited->by_chance)) && finding.standing == Standing::kHeld) return;
    EXPECT_EQ(!limited                     ? Standing::kHeld
              : std::isinf(limited->bound) ? Standing::kNotKept
                                           : Standing::kLimited,
              finding.standing)
        << finding.reason;
    if (finding.standing == Standing::kLimited) {
      EXPECT_GT(finding.figure, limited->bound / 10) << "a limit far above the error";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryMethod, testing::ValuesIn(AllCases()), NameOfReferenceCase);

TEST(ReferenceAgreement, IsTestedForEveryProblemThatRequiresAnAccuracy) {
  std::set<std::string> held;
  for (const Promise& promise : AllPromises()) held.insert(promise.name);
  for (const ProblemFamily& family : AllProblems()) {
    for (const std::string& instance : family.instances) {
      const Problem problem = MakeProblem(instance);
      EXPECT_EQ(problem.accuracy_required_ode > 0 && !problem.system.rope_flight,
                held.contains("reference-" + instance))
          << instance;
    }
  }
}

}  // namespace
}  // namespace mbsbench
