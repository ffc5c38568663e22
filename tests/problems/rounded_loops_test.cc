// Loops whose frames were rounded close up to a misfit, without moving along their own freedom.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "problems/model/assembly.h"
#include "problems/model/error.h"
#include "problems/model/loop_misfit.h"
#include "problems/model/rough_assembly.h"
#include "problems/test_systems/redundant_mechanisms.h"
#include "problems/test_systems/rounded_linkage.h"

namespace mbsbench {
namespace {

using testing::HasSubstr;

constexpr JointType kClosing[] = {JointType::kBall, JointType::kRevolute};

InitialCondition AllMove(const Problem& p) { return {p.initial.joints, {}}; }

template <class Action>
std::string Refusal(const Action& action) {
  try {
    action();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

double LargestChange(const JointState& a, const JointState& b) {
  double change = 0;
  for (std::size_t k = 0; k < a.q.size(); ++k) change = std::max(change, std::abs(a.q[k] - b.q[k]));
  return change;
}

TEST(RoundedLoops, OfTwelveToSixDigitsKeepTheStartAndTheFreedom) {
  for (const JointType closing : kClosing) {
    for (int digits = 13; digits >= 6; --digits) {
      SCOPED_TRACE(std::string(Name(closing)) + " " + std::to_string(digits));
      Problem p = RoundedLinkage(digits, closing);
      const RoughAssembly rough =
          AssembleFromGuess(p.system, AllMove(p), p.length, Rounding::kTaken);
      const double p_of_digits = std::pow(10, -digits);
      EXPECT_LT(rough.loop_precision, 10 * p_of_digits);
      // To 12 digits the axes agree to round-off by chance.
      if (digits != 12) {
        EXPECT_GT(rough.loop_precision, 0.001 * p_of_digits);
      }
      EXPECT_LT(LargestChange(rough.closed.joints, p.initial.joints), 30 * p_of_digits);
      p.system.loop_precision = rough.loop_precision;
      const LoopFreedom freedom = LoopFreedomOf(p.system, rough.closed.joints, p.length);
      EXPECT_EQ(1, freedom.rates);
      EXPECT_GT(freedom.least, 1e-2);
      const Assembly assembly = Assemble(p.system, p.initial, p.length);
      EXPECT_EQ(0.5, assembly.state.joints.q[0]);
      EXPECT_LT(assembly.largest_position_correction, 30 * p_of_digits);
      EXPECT_NEAR(0.8, assembly.state.joints.u[2], 100 * p_of_digits);
    }
  }
}

TEST(RoundedLoops, OfALockedLinkageAreFreedByThePrecisionThatIsOffered) {
  for (const JointType closing : kClosing) {
    for (const double tilt : {1e-10, 1e-8, 1e-6}) {
      SCOPED_TRACE(std::string(Name(closing)) + " " + std::to_string(tilt));
      Problem p = LockedLinkage(tilt, closing);
      const JointState start = Assemble(p.system, p.initial, p.length).state.joints;
      const LoopFreedom locked = LoopFreedomOf(p.system, start, p.length);
      EXPECT_EQ(0, locked.rates);
      EXPECT_GT(locked.frees, 0.01 * tilt);
      EXPECT_LT(locked.frees, tilt);
      p.system.loop_precision = locked.frees;
      const LoopFreedom freed = LoopFreedomOf(p.system, start, p.length);
      EXPECT_EQ(1, freed.rates);
      EXPECT_GT(freed.least, 1e4 * locked.frees);
    }
    // Too large to tell rounding from constraints that count.
    const Problem coarse = LockedLinkage(1e-3, closing);
    EXPECT_EQ(0, LoopFreedomOf(coarse.system, coarse.initial.joints, coarse.length).frees);
  }
}

TEST(RoundedLoops, OfFiveToThreeDigitsAreRefused) {
  for (const JointType closing : kClosing) {
    for (int digits = 5; digits >= 3; --digits) {
      const Problem p = RoundedLinkage(digits, closing);
      EXPECT_THAT(
          Refusal([&] { AssembleFromGuess(p.system, AllMove(p), p.length, Rounding::kTaken); }),
          HasSubstr("'d'"))
          << digits << " " << Name(closing);
    }
  }
}

TEST(RoundedLoops, AreRefusedWithTheFieldThatAcceptsThemUnlessItIsStated) {
  for (const JointType closing : kClosing) {
    for (const int digits : {13, 11, 10, 9, 8, 7, 6, 5}) {  // to 12 digits the loop closes by chance
      Problem p = RoundedLinkage(digits, closing);
      const std::string refusal = Refusal([&] { Assemble(p.system, p.initial, p.length); });
      const std::size_t at = refusal.find("\"loop_precision\": ");
      ASSERT_NE(std::string::npos, at) << digits << " " << refusal;
      p.system.loop_precision = std::stod(refusal.substr(at + 18));
      EXPECT_NO_THROW(Assemble(p.system, p.initial, p.length)) << refusal;
      p.system.loop_precision /= 10;
      EXPECT_THAT(Refusal([&] { Assemble(p.system, p.initial, p.length); }),
                  HasSubstr("stated precision"));
    }
  }
}

TEST(RoundedLoops, ExactFramesCloseToRoundOff) {
  for (const JointType closing : kClosing) {
    for (const int digits : {15, 16, 17}) {
      const Problem p = RoundedLinkage(digits, closing);
      const RoughAssembly rough =
          AssembleFromGuess(p.system, AllMove(p), p.length, Rounding::kTaken);
      EXPECT_EQ(0, rough.loop_precision);
      EXPECT_LT(LargestChange(rough.closed.joints, p.initial.joints), 1e-12);
      EXPECT_NO_THROW(Assemble(p.system, p.initial, p.length));
    }
  }
  for (const RedundantMechanism& m : RedundantMechanisms()) {
    EXPECT_TRUE(LoopMisfitOf(m.system, m.state.joints, m.length).is_round_off) << m.name;
    const RedundantMechanism large = InUnits(m, 1e5, 1);
    EXPECT_TRUE(LoopMisfitOf(large.system, large.state.joints, large.length).is_round_off)
        << m.name;
  }
}

// As a program writes it that computes frames from positions far away.
Problem OnFarGround(Problem p, double distance) {
  const Vector3 away{distance, 1.1 * distance, 0.3 * distance};
  const auto move = [&away](Frame& frame, int body) {
    const Vector3 far = frame.position + away;
    frame.position = body == kGround ? far : far - away;
  };
  for (auto* joints : {&p.system.joints, &p.system.loop_joints}) {
    for (Joint& joint : *joints)
      move(joint.parent_frame, joint.parent), move(joint.child_frame, joint.child);
  }
  return p;
}

// Bennett's linkage moves only with exact frames: last places of far positions lock it. A planar one does not depend on them.
TEST(RoundedLoops, FarFromTheOriginAreRefusedOnlyIfTheirFreedomDependsOnIt) {
  const std::vector<RedundantMechanism> all = RedundantMechanisms();
  const auto printed = std::ranges::find(all, "bennett", &RedundantMechanism::name);
  ASSERT_NE(all.end(), printed);
  const RedundantMechanism bennett = Turned(*printed, Normalised({0.8, -0.3, 0.5, 0.2}));
  Problem linkage;
  linkage.system = bennett.system;
  linkage.initial = {bennett.state.joints, {1, 2}};
  linkage.length = bennett.length;
  EXPECT_NO_THROW(Assemble(linkage.system, linkage.initial, linkage.length));
  for (const double distance : {1e5, 5e6}) {
    Problem far = OnFarGround(linkage, distance);
    const std::string refusal = Refusal([&] { Assemble(far.system, far.initial, far.length); });
    const std::size_t at = refusal.find("\"loop_precision\": ");
    ASSERT_NE(std::string::npos, at) << refusal;
    EXPECT_THAT(refusal, HasSubstr("an origin nearby"));
    far.system.loop_precision = std::stod(refusal.substr(at + 18));
    const JointState start = Assemble(far.system, far.initial, far.length).state.joints;
    EXPECT_EQ(1, LoopFreedomOf(far.system, start, far.length).rates);
    const Problem planar = OnFarGround(RoundedLinkage(17, JointType::kRevolute), distance);
    EXPECT_EQ("", Refusal([&] { Assemble(planar.system, planar.initial, planar.length); }));
  }
}

TEST(RoundedLoops, APrecisionIsRoundedUpToTwoDigits) {
  EXPECT_EQ(2.2e-13, PrecisionFor(2.13e-13));
  EXPECT_EQ(1e-9, PrecisionFor(9.99e-10));
  EXPECT_EQ(0, PrecisionFor(0));
}

}  // namespace
}  // namespace mbsbench
