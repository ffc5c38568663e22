// Accelerations and reactions of all methods on random trees, against the 113-bit reference formulation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/runner/method_choice.h"
#include "methods/all_methods.h"
#include "reference/reference.h"
#include "tests/support/random_trees.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

// Largest difference over bodies or joints, relative to the largest value in the system.
double Relative(double difference, double scale) {
  return scale > 0 ? difference / scale : difference;
}

struct Worst {
  double acceleration = 0, reaction = 0;
  int systems = 0;
};

TEST(EveryMethod, GivesAccelerationsAndReactionsOfRandomTreesToTenDigits) {
  constexpr int kTrees = 100, kMostBodies = 40;
  std::map<std::string, Worst> worst;
  for (int tree = 0; tree < kTrees; ++tree) {
    RandomTreeOptions options;
    if (tree % 2 == 1) options.types = AllTreeJointTypes();
    options.bodies = 1 + tree * (kMostBodies - 1) / (kTrees - 1);
    const RandomTree random = MakeRandomTree(static_cast<std::uint64_t>(1000 + tree), options);
    const ReferenceDynamics truth = ReferenceAccelerations(random.system, random.state.joints);
    double a = 0, alpha = 0, force = 0, torque = 0;
    for (const auto& b : truth.accelerations) {
      a = std::max(a, Norm(b.acceleration)), alpha = std::max(alpha, Norm(b.angular_acceleration));
    }
    for (const auto& r : truth.reactions)
      force = std::max(force, Norm(r.force)), torque = std::max(torque, Norm(r.torque));
    for (const MethodEntry& entry : AllMethods()) {
      for (const MethodChoice& choice : VariantsOf(entry)) {
        if (!VerdictOf(entry, random.system, choice.options).supported) continue;
        const auto formulation = entry.prepare(random.system, choice.options);
        std::vector<double> y(formulation->state_size());
        ASSERT_TRUE(formulation->Initialise(0, random.state, y).ok())
            << choice.spec << ", tree " << tree;
        Observation observation;
        ASSERT_TRUE(formulation->Observe(0, y, Detail::kReactions, observation).ok())
            << choice.spec << ", tree " << tree;
        ASSERT_EQ(observation.accelerations.size(), truth.accelerations.size());
        ASSERT_EQ(observation.reactions.size(), truth.reactions.size());
        Worst& w = worst[choice.spec];
        ++w.systems;
        double acceleration = 0, reaction = 0;
        for (std::size_t b = 0; b < truth.accelerations.size(); ++b) {
          const auto& mine = observation.accelerations[b];
          const auto& exact = truth.accelerations[b];
          Raise(acceleration,
                {Relative(Norm(mine.acceleration - exact.acceleration), a),
                 Relative(Norm(mine.angular_acceleration - exact.angular_acceleration), alpha)});
        }
        for (std::size_t j = 0; j < truth.reactions.size(); ++j) {
          Raise(reaction,
                {Relative(Norm(observation.reactions[j].force - truth.reactions[j].force), force),
                 Relative(Norm(observation.reactions[j].torque - truth.reactions[j].torque),
                          torque)});
        }
        EXPECT_LT(acceleration, 1e-10) << choice.spec << ", tree " << tree;
        EXPECT_LT(reaction, 1e-10) << choice.spec << ", tree " << tree;
        Raise(w.acceleration, acceleration);
        Raise(w.reaction, reaction);
      }
    }
  }
  for (const auto& [spec, w] : worst) {
    std::printf("  %-28s %3d trees, worst accelerations %.1e, reactions %.1e\n", spec.c_str(),
                w.systems, w.acceleration, w.reaction);
  }
  for (const MethodEntry& entry : AllMethods()) {
    if (entry.form == Form::kAlgebraic) continue;  // gives steady states, not accelerations
    EXPECT_EQ(worst[VariantsOf(entry).front().spec].systems, kTrees)
        << entry.key << " refused some trees";
  }
}

// A method that knows nothing of drivers must say so, or its motion would be another system's.
TEST(EveryMethod, HoldsDrivenJointsAtTheirSpeedsOrRefusesThem) {
  RandomTree random = MakeRandomTree(7, {.bodies = 6, .types = {JointType::kRevolute}});
  const JointOffsets at = OffsetsOf(random.system);
  for (int j : {0, 3}) {
    const auto rate = static_cast<std::size_t>(at.u[static_cast<std::size_t>(j)]);
    random.system.drivers.push_back(
        {"driver " + std::to_string(j), j, random.state.joints.u[rate]});
  }
  const ReferenceDynamics truth = ReferenceAccelerations(random.system, random.state.joints);
  for (const MethodEntry& entry : AllMethods()) {
    if (entry.form == Form::kAlgebraic) continue;  // gives no motion
    for (const MethodChoice& choice : VariantsOf(entry)) {
      const Verdict verdict = VerdictOf(entry, random.system, choice.options);
      if (!verdict.supported) {
        EXPECT_FALSE(verdict.reason.empty()) << choice.spec;
        continue;
      }
      const auto formulation = entry.prepare(random.system, choice.options);
      std::vector<double> y(formulation->state_size());
      ASSERT_TRUE(formulation->Initialise(0, random.state, y).ok()) << choice.spec;
      Observation observation;
      ASSERT_TRUE(formulation->Observe(0, y, Detail::kReactions, observation).ok()) << choice.spec;
      for (std::size_t b = 0; b < truth.accelerations.size(); ++b) {
        const Vector3 difference =
            observation.accelerations[b].acceleration - truth.accelerations[b].acceleration;
        EXPECT_LT(Norm(difference), 1e-9 * (1 + Norm(truth.accelerations[b].acceleration)))
            << choice.spec << ", body " << b;
      }
      for (std::size_t j = 0; j < truth.reactions.size(); ++j) {
        EXPECT_LT(Norm(observation.reactions[j].torque - truth.reactions[j].torque),
                  1e-8 * (1 + Norm(truth.reactions[j].torque)))
            << choice.spec << ", joint " << j;
      }
    }
  }
}

}  // namespace
}  // namespace mbsbench
