// Accelerations and reactions of all methods that take loops, on random systems with one to three of
// them, against the 113-bit reference formulation.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "harness/runner/method_choice.h"
#include "methods/all_methods.h"
#include "reference/reference.h"
#include "tests/support/random_loops.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

struct Worst {
  double acceleration = 0, reaction = 0;
  int systems = 0;
};

// Largest difference as a share of the largest value.
template <class Mine, class Exact, class Get, class GetExact>
double Difference(const std::vector<Mine>& mine, const std::vector<Exact>& exact, Get get,
                  GetExact get_exact) {
  double difference = 0, size = 1;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    Raise(difference, Norm(get(mine[i]) - get_exact(exact[i])));
    size = std::max(size, Norm(get_exact(exact[i])));
  }
  return difference / size;
}

TEST(EveryMethod, GivesAccelerationsAndReactionsOfRandomLoopsToNineDigits) {
  constexpr int kSystems = 50, kMostBodies = 40;
  std::map<std::string, Worst> worst;
  std::map<JointType, int> types;
  for (int k = 0; k < kSystems; ++k) {
    RandomLoopOptions options;
    options.loops = 1 + k % 3;
    if (k % 4 == 1) options.tree.types = AllTreeJointTypes();
    options.tree.bodies = 4 + k * (kMostBodies - 4) / (kSystems - 1);
    const RandomTree random = MakeRandomLoops(static_cast<std::uint64_t>(3000 + k), options);
    for (const Joint& joint : random.system.loop_joints) ++types[joint.type];
    const ReferenceDynamics truth = ReferenceAccelerations(random.system, random.state.joints);
    for (const ReferenceReaction& r : truth.reactions) ASSERT_TRUE(r.unique) << "system " << k;
    for (const MethodEntry& entry : AllMethods()) {
      for (const MethodChoice& choice : VariantsOf(entry)) {
        if (!VerdictOf(entry, random.system, choice.options).supported) continue;
        SCOPED_TRACE(choice.spec + ", system " + std::to_string(k));
        const auto formulation = entry.prepare(random.system, choice.options);
        std::vector<double> y(formulation->state_size());
        ASSERT_TRUE(formulation->Initialise(0, random.state, y).ok());
        Observation mine;
        const Status status = formulation->Observe(0, y, Detail::kReactions, mine);
        ASSERT_TRUE(status.ok()) << status.what << " " << status.joint;
        ASSERT_EQ(mine.accelerations.size(), truth.accelerations.size());
        ASSERT_EQ(mine.reactions.size(), truth.reactions.size());
        const double a = Difference(
            mine.accelerations, truth.accelerations, [](auto& v) { return v.acceleration; },
            [](auto& v) { return v.acceleration; });
        const double alpha = Difference(
            mine.accelerations, truth.accelerations, [](auto& v) { return v.angular_acceleration; },
            [](auto& v) { return v.angular_acceleration; });
        const double force = Difference(
            mine.reactions, truth.reactions, [](auto& v) { return v.force; },
            [](auto& v) { return v.force; });
        const double torque = Difference(
            mine.reactions, truth.reactions, [](auto& v) { return v.torque; },
            [](auto& v) { return v.torque; });
        EXPECT_LT(std::max(a, alpha), 1e-9);
        EXPECT_LT(std::max(force, torque), 1e-9);
        for (const JointReaction& r : mine.reactions) EXPECT_TRUE(r.unique);
        Worst& w = worst[choice.spec];
        ++w.systems;
        Raise(w.acceleration, {a, alpha});
        Raise(w.reaction, {force, torque});
      }
    }
  }
  for (const auto& [spec, w] : worst) {
    std::printf("  %-28s %3d systems, worst accelerations %.1e, reactions %.1e\n", spec.c_str(),
                w.systems, w.acceleration, w.reaction);
  }
  for (const auto& [type, count] : types) {
    std::printf("  %s loops: %d\n", std::string(Name(type)).c_str(), count);
  }
  EXPECT_EQ(types.size(), 6u) << "every type that closes loops must be among them";
  for (const char* spec :
       {"articulated-body", "equivalent-particles:index1", "equivalent-particles:ggl",
        "riccati-mstmm:general", "classical-mstmm:general", "cartesian-dae:ggl"}) {
    EXPECT_EQ(worst[spec].systems, kSystems) << spec;
  }
}

// All rows of such loops are round-off, and none of them may be taken for a constraint.
TEST(EveryMethod, BracesBetweenWeldedBodiesChangeNoMotionAndTheirForcesAreUndetermined) {
  RandomTreeOptions options;
  options.bodies = 10;
  options.types = {JointType::kBall, JointType::kRevolute, JointType::kFixed};
  const RandomTree random = MakeRandomTree(78, options);
  const auto is_weld = [](const Joint& j) {
    return j.type == JointType::kFixed && j.parent != kGround;
  };
  const auto welded =
      std::find_if(random.system.joints.begin(), random.system.joints.end(), is_weld);
  ASSERT_NE(welded, random.system.joints.end());
  const auto weld = static_cast<std::size_t>(welded - random.system.joints.begin());
  const ReferenceDynamics truth = ReferenceAccelerations(random.system, random.state.joints);
  RandomNumbers numbers(5);
  for (JointType type : {JointType::kBall, JointType::kRevolute, JointType::kDistance}) {
    RandomTree braced = random;
    for (int k = 0; k < 2; ++k) {
      Joint brace =
          MakeClosedJoint(numbers, type, welded->parent, welded->child, random.state.bodies);
      brace.name = "brace_" + std::to_string(k);
      braced.system.loop_joints.push_back(brace);
    }
    int solved = 0;
    for (const MethodEntry& entry : AllMethods()) {
      for (const MethodChoice& choice : VariantsOf(entry)) {
        if (!VerdictOf(entry, braced.system, choice.options).supported) continue;
        SCOPED_TRACE(choice.spec + ", " + std::string(Name(type)));
        const auto formulation = entry.prepare(braced.system, choice.options);
        std::vector<double> y(formulation->state_size());
        Observation mine;
        Status status = formulation->Initialise(0, braced.state, y);
        if (status.ok()) status = formulation->Observe(0, y, Detail::kReactions, mine);
        ASSERT_TRUE(status.ok()) << status.what << ", joint " << status.joint;
        ++solved;
        EXPECT_LT(
            Difference(
                mine.accelerations, truth.accelerations, [](auto& v) { return v.acceleration; },
                [](auto& v) { return v.acceleration; }),
            1e-11);
        for (std::size_t j = 0; j < mine.reactions.size(); ++j) {
          const bool is_in_assembly = j == weld || j >= random.system.joints.size();
          EXPECT_EQ(mine.reactions[j].unique, !is_in_assembly) << "joint " << j;
        }
      }
    }
    EXPECT_GE(solved, 10);
  }
}

}  // namespace
}  // namespace mbsbench
