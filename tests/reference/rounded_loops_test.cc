// The reference keeps the rows that clearly count of loops whose frames were rounded.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "problems/model/assembly.h"
#include "problems/model/error.h"
#include "problems/model/rough_assembly.h"
#include "problems/test_systems/rounded_linkage.h"
#include "reference/reference.h"
#include "reference/trajectory.h"

namespace mbsbench {
namespace {

Problem WithFoundPrecision(int decimals, JointType closing) {
  Problem p = RoundedLinkage(decimals, closing);
  p.system.loop_precision =
      AssembleFromGuess(p.system, {p.initial.joints, {}}, p.length, Rounding::kTaken)
          .loop_precision;
  return p;
}

TEST(RoundedLoops, AccelerateAsTheClosedFormSays) {
  for (const JointType closing : {JointType::kBall, JointType::kRevolute}) {
    for (const int decimals : {12, 9, 6}) {
      const Problem p = WithFoundPrecision(decimals, closing);
      const ReferenceDynamics truth =
          ReferenceAccelerations(p.system, Assemble(p.system, p.initial, p.length).state.joints);
      EXPECT_NEAR(AccelerationOfRoundedLinkage(), Norm(truth.accelerations[2].angular_acceleration),
                  1e-12 + 1000 * std::pow(10, -decimals))
          << decimals;
    }
  }
}

TEST(RoundedLoops, MoveLikeExactOnesInTheReference) {
  const Problem exact = RoundedLinkage(17, JointType::kBall),
                rounded = WithFoundPrecision(9, JointType::kBall);
  EXPECT_LT(DifferenceBetween(exact, SolveUncertified(exact), SolveUncertified(rounded)), 1e-6);
}

TEST(RoundedLoops, OfAStatedPrecisionHaveAnErrorEstimateOfAtLeastTheEffectOfTheirOpening) {
  Problem p = WithFoundPrecision(9, JointType::kBall);
  p.end_time = 0.001;
  p.sample_times = {0, 0.001};
  const Reference r = Certify(p);
  const std::string lead = "redundant and open by ";
  const std::size_t at = r.certified_by.find(lead);
  ASSERT_NE(std::string::npos, at) << r.certified_by;
  const double opening = std::stod(r.certified_by.substr(at + lead.size()));
  EXPECT_GT(opening, 1e-12);
  double growth = 1;
  for (const ReferenceSample& sample : r.samples)
    growth = std::max(growth, sample.state_sensitivity);
  EXPECT_GE(r.error_estimate, 0.95 * opening * growth);  // two digits are printed
  EXPECT_LT(r.error_estimate, 1e-7);
}

// The tilt of an axis by 1e-9 locks a mechanism whose frames are exact, is one constraint stated twice if they are known to 1e-11 or
// worse, and undecided between.
TEST(RoundedLoops, AStatedPrecisionDecidesWhetherATiltLocks) {
  Problem p = RoundedLinkage(17, JointType::kRevolute);
  Frame& frame = p.system.loop_joints[0].child_frame;
  frame.orientation = frame.orientation * AxisAngle({1, 0, 0}, 1e-9);
  p.initial.joints.u.assign(3, 0.0);
  const auto acceleration = [&p](double precision) {
    p.system.loop_precision = precision;
    return Norm(
        ReferenceAccelerations(p.system, p.initial.joints).accelerations[0].angular_acceleration);
  };
  EXPECT_LT(acceleration(0), 1e-6);
  EXPECT_THROW(acceleration(1e-12), ModelError);
  EXPECT_NEAR(AccelerationOfRoundedLinkage(), acceleration(1e-10), 1e-5);
}

}  // namespace
}  // namespace mbsbench
