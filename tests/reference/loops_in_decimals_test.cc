// Redundant loops: motions and certificates.
#include <gtest/gtest.h>

#include "reference/reference.h"
#include "reference/trajectory.h"

namespace mbsbench {
namespace {

Joint JointBetween(const char* name, JointType type, int parent, const Frame& on_parent, int child,
                   const Frame& on_child) {
  return {name, type, parent, child, on_parent, on_child};
}

// A shaft of 3 kg in bearings at two places of the z axis, its mass centre 1 cm beside it.
Problem ShaftInBearingsAt(double left, double right) {
  Problem p;
  p.name = "shaft";
  p.system.bodies.push_back({"shaft", 3, Diagonal(0.02, 0.02, 0.01), false, {}});
  p.system.joints.push_back(JointBetween("left", JointType::kRevolute, kGround, {{0, 0, left}, {}},
                                         0, {{0.01, 0, -0.4}, {}}));
  p.system.loop_joints.push_back(JointBetween("right", JointType::kRevolute, kGround,
                                              {{0, 0, right}, {}}, 0, {{0.01, 0, 0.4}, {}}));
  p.initial.joints = {{0}, {20}};
  p.end_time = 0.1;
  p.sample_times = {0, 0.05, 0.1};
  return p;
}

// The second bearing takes force and moment, but does not change the motion.
TEST(LoopsInDecimals, AShaftInTwoBearingsMovesAsInOne) {
  for (const double left : {0.}) {
    const Problem two = ShaftInBearingsAt(left, left + 0.8);
    Problem one = two;
    one.system.loop_joints.clear();
    const Reference a = SolveUncertified(two), b = SolveUncertified(one);
    EXPECT_LT(DifferenceBetween(two, a, b), 1e-13) << left;
    for (std::size_t k = 0; k < a.samples.size(); ++k) {
      const auto& in_two = a.samples[k].reactions;
      const Vector3 sum = in_two[0].force + in_two[1].force;
      EXPECT_LT(Norm(sum - b.samples[k].reactions[0].force), 1e-9) << left;
      EXPECT_FALSE(in_two[1].unique.all());
    }
  }
}

}  // namespace
}  // namespace mbsbench
