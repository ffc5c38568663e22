// Loops whose frames were rounded keep their freedom, with the precision that their misfit shows.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "harness/integrate/integrate.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/verdict/verdict.h"
#include "methods/all_methods.h"
#include "problems/model/assembly.h"
#include "problems/model/rough_assembly.h"
#include "problems/test_systems/rounded_linkage.h"
#include "reference/reference.h"

namespace mbsbench {
namespace {

Problem WithFoundPrecision(int decimals, JointType closing) {
  Problem p = RoundedLinkage(decimals, closing);
  p.system.loop_precision =
      AssembleFromGuess(p.system, {p.initial.joints, {}}, p.length, Rounding::kTaken)
          .loop_precision;
  return p;
}

// The rods turn alike.
void ExpectClosedForm(const std::vector<BodyAcceleration>& accelerations, double tolerance) {
  const double exact = AccelerationOfRoundedLinkage();
  EXPECT_NEAR(exact, Norm(accelerations[0].angular_acceleration), tolerance);
  EXPECT_NEAR(0, Norm(accelerations[1].angular_acceleration), tolerance);
  EXPECT_NEAR(exact, Norm(accelerations[2].angular_acceleration), tolerance);
}

TEST(EveryMethod, AcceleratesALinkageWhoseFramesWereRounded) {
  for (const JointType closing : {JointType::kBall, JointType::kRevolute}) {
    for (const int decimals : {12, 9, 6}) {
      const Problem p = WithFoundPrecision(decimals, closing);
      const SystemState state = Assemble(p.system, p.initial, p.length).state;
      int methods = 0;
      for (const MethodEntry& entry : AllMethods()) {
        for (const MethodChoice& choice : VariantsOf(entry)) {
          if (!VerdictOf(entry, p.system, choice.options).supported) continue;
          SCOPED_TRACE(choice.spec + " " + std::to_string(decimals) + " " +
                       std::string(Name(closing)));
          const auto formulation = Prepare(choice, p.system, p.time);
          std::vector<double> y(formulation->state_size());
          Observation seen;
          Status status = formulation->Initialise(0, state, y);
          if (status.ok()) status = formulation->Observe(0, y, Detail::kReactions, seen);
          EXPECT_TRUE(status.ok()) << status.what;
          if (!status.ok()) continue;
          ExpectClosedForm(seen.accelerations, 1e-9 + 1000 * std::pow(10, -decimals));
          ++methods;
        }
      }
      EXPECT_GT(methods, 8);
    }
  }
}

TEST(RoundedLoops, MoveAsExactOnes) {
  const Problem exact = RoundedLinkage(17, JointType::kRevolute),
                rounded = WithFoundPrecision(9, JointType::kRevolute);
  const std::vector<MethodEntry> methods = AllMethods();
  for (const std::string spec : {"articulated-body", "composite-body", "cartesian-dae"}) {
    const auto end_of = [&](const Problem& p) {
      const MethodChoice choice = ChooseMethod(spec, methods);
      const auto formulation = Prepare(choice, p.system, p.time);
      const bool is_dae = spec == "cartesian-dae";
      const IntegrationReport report =
          Integrate(*formulation, Assemble(p.system, p.initial, p.length).state,
                    {.integrator = is_dae ? "ida" : "dopri5",
                     .end_time = 0.3,
                     .tolerance = is_dae ? 1e-7 : 1e-9});
      EXPECT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << spec << ": " << report.reason;
      Observation seen;
      EXPECT_TRUE(formulation->Observe(0.3, report.end_state, Detail::kMotion, seen).ok());
      return seen.bodies;
    };
    const auto a = end_of(exact), b = end_of(rounded);
    for (std::size_t k = 0; k < a.size(); ++k)
      EXPECT_LT(Norm(a[k].position - b[k].position), spec == "cartesian-dae" ? 1e-5 : 1e-6) << spec;
  }
}

}  // namespace
}  // namespace mbsbench
