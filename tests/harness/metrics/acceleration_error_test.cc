// The scale of accelerations comes from the mechanism, never from the lengths and times that are stated for it.
#include "harness/metrics/acceleration_error.h"

#include <gtest/gtest.h>

#include "problems/catalog/catalog.h"
#include "problems/model/kinematics.h"
#include "reference/reference.h"

namespace mbsbench {
namespace {

TEST(AccelerationError, DoesNotDependOnTheStatedLengthAndTime) {
  for (const char* name : {"pendulum", "fourbar", "flyball", "dzhanibekov"}) {
    Problem problem = MakeProblem(name);
    const std::vector<BodyState> bodies = ForwardKinematics(problem.system, problem.initial.joints);
    std::vector<BodyAcceleration> ours =
        BodyAccelerationsOf(ReferenceAccelerations(problem.system, problem.initial.joints));
    const std::vector<double> truth = AccelerationNumbers(problem.system, ours);
    for (BodyAcceleration& a : ours)
      a = {2 * a.acceleration + Vector3{1, 0, 0}, 2 * a.angular_acceleration};
    const auto error = [&] {
      return AccelerationError(AccelerationNumbers(problem.system, ours), truth,
                               AccelerationScaleOf(problem, bodies));
    };
    const double usual = error();
    EXPECT_GT(usual, 1e-3) << name;
    const double length = problem.length;
    for (double stated : {1e-12, 1e-7, 1e7, 1e12}) {
      problem.length = length;
      problem.time = stated;
      EXPECT_EQ(usual, error()) << name << ", time " << stated;
      problem.length = stated;
      EXPECT_GT(error(), 1e-3) << name << ", length " << stated;
    }
  }
}

}  // namespace
}  // namespace mbsbench
