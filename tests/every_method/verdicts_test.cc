// Verdicts on motions and single evaluations whose velocities, reactions or efforts are wrong while positions and
// accelerations are right.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "harness/runner/trials/accuracy_trial.h"
#include "harness/runner/trials/judged_evaluation.h"
#include "methods/all_methods.h"
#include "tests/support/observed_otherwise.h"

namespace mbsbench {
namespace {

using Spoil = std::function<void(double t, Observation& observation)>;

std::vector<MethodEntry> WithSpoiled(const char* key, const Spoil& spoil) {
  std::vector<MethodEntry> methods = AllMethods();
  for (MethodEntry& method : methods) {
    if (method.key != key) continue;
    ObserveOtherwise(method, [spoil](double t, Detail, Observation& observation) {
      spoil(t, observation);
      return Status{};
    });
  }
  return methods;
}

constexpr const char* kMethod = "articulated-body";

Ending EndOf(const std::string& problem, const Spoil& spoil) {
  const std::vector<MethodEntry> methods = WithSpoiled(kMethod, spoil);
  return AccuracyTrial(PrepareCell({problem, kMethod, "dopri5", 1e-9, {}, 1.0}, methods)).ending;
}

Ending StartOf(const std::string& problem, const Spoil& spoil) {
  const std::vector<MethodEntry> methods = WithSpoiled(kMethod, spoil);
  return JudgeInitialState(PrepareCell({problem, kMethod}, methods), Detail::kReactions).ending;
}

void Nothing(double, Observation&) {}

TEST(Verdicts, OfRightMethodsAreOk) {
  for (const char* problem : {"pendulum", "fourbar", "swing", "branch4"}) {
    EXPECT_EQ(Outcome::kOk, EndOf(problem, Nothing).outcome)
        << problem << EndOf(problem, Nothing).reason;
    EXPECT_EQ(Outcome::kOk, StartOf(problem, Nothing).outcome)
        << problem << StartOf(problem, Nothing).reason;
  }
}

TEST(Verdicts, VelocitiesThatAreTenTimesTooLargeAreInaccurate) {
  const auto fast = [](double t, Observation& seen) {
    if (t == 0) return;
    for (BodyState& body : seen.bodies) {
      body.velocity = 10 * body.velocity;
      body.angular_velocity = 10 * body.angular_velocity;
    }
  };
  for (const char* problem : {"pendulum", "fourbar", "swing", "branch4"}) {
    const Ending ending = EndOf(problem, fast);
    EXPECT_EQ(Outcome::kInaccurate, ending.outcome) << problem;
    EXPECT_NE(std::string::npos, ending.reason.find("velocity error")) << ending.reason;
  }
}

TEST(Verdicts, ReactionsOfTheWrongSignAreInaccurateInAMotionAndWrongAtAState) {
  const auto pulls = [](double, Observation& seen) {
    for (JointReaction& r : seen.reactions) r.force = -1 * r.force, r.torque = -1 * r.torque;
  };
  // The reference of the pendulum is a closed form without reactions.
  for (const char* problem : {"pendulum", "fourbar", "swing", "branch4"}) {
    EXPECT_EQ(Outcome::kInaccurate, EndOf(problem, pulls).outcome) << problem;
    EXPECT_NE(std::string::npos, EndOf(problem, pulls).reason.find("unique reactions")) << problem;
    // The pendulum starts at rest beside its pin, which does not hold it then.
    const Outcome at_start =
        std::string(problem) == "pendulum" ? Outcome::kOk : Outcome::kWrongEquations;
    EXPECT_EQ(at_start, StartOf(problem, pulls).outcome) << problem;
  }
}

TEST(Verdicts, EffortsOfTheWrongSignAreInaccurateInAMotionAndWrongAtAState) {
  const auto pushes = [](double, Observation& seen) {
    for (DriverObservation& d : seen.drivers) d.effort = -d.effort;
  };
  EXPECT_EQ(Outcome::kInaccurate, EndOf("kapitza", pushes).outcome);
  EXPECT_NE(std::string::npos, EndOf("kapitza", pushes).reason.find("efforts of drivers"));
  EXPECT_EQ(Outcome::kWrongEquations, StartOf("swing", pushes).outcome);
}

TEST(Verdicts, ForcesThatAreNoNumbersAreNeverOk) {
  const auto reaction = [](double, Observation& seen) {
    if (!seen.reactions.empty()) seen.reactions.back().torque.x = NAN;
  };
  const auto effort = [](double, Observation& seen) {
    if (!seen.drivers.empty()) seen.drivers.back().effort = INFINITY;
  };
  for (const char* problem : {"pendulum", "fourbar", "branch4"}) {
    EXPECT_EQ(Outcome::kInaccurate, EndOf(problem, reaction).outcome) << problem;
    EXPECT_EQ(Outcome::kWrongEquations, StartOf(problem, reaction).outcome) << problem;
  }
  EXPECT_EQ(Outcome::kInaccurate, EndOf("swing", effort).outcome);
  EXPECT_EQ(Outcome::kWrongEquations, StartOf("swing", effort).outcome);
}

// None of the reactions of Bricard's mechanism is unique.
TEST(Verdicts, ComponentsThatAreNotUniqueAreNotJudged) {
  const auto more = [](double, Observation& seen) {
    for (JointReaction& r : seen.reactions) r.force.z += 1000;
  };
  EXPECT_EQ(Outcome::kOk, EndOf("bricard", more).outcome) << EndOf("bricard", more).reason;
  EXPECT_EQ(Outcome::kOk, StartOf("bricard", more).outcome);
  EXPECT_EQ(Outcome::kInaccurate, EndOf("branch4", more).outcome);
}

}  // namespace
}  // namespace mbsbench
