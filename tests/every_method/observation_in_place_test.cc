// The observation of a large system's initial state, with a lent system and without the motion of the bodies, equals that of any state
// to the last bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "harness/runner/cells/cell.h"
#include "harness/runner/trials/acceleration_trial.h"
#include "methods/all_methods.h"
#include "problems/model/error.h"
#include "tests/support/parameter_name.h"

namespace mbsbench {
namespace {

bool Same(const Vector3& a, const Vector3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
bool Same(const BodyAcceleration& a, const BodyAcceleration& b) {
  return Same(a.acceleration, b.acceleration) &&
         Same(a.angular_acceleration, b.angular_acceleration);
}
bool Same(const JointReaction& a, const JointReaction& b) {
  return Same(a.force, b.force) && Same(a.torque, b.torque) && a.unique == b.unique;
}
bool Same(const DriverObservation& a, const DriverObservation& b) {
  return a.position == b.position && a.rate == b.rate && a.acceleration == b.acceleration &&
         a.effort == b.effort;
}
template <typename Entries>
bool Same(const Entries& a, const Entries& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return Same(x, y); });
}

// The result of `observe`, or the reason why the method cannot evaluate the state.
template <typename Observe>
std::pair<Observation, std::string> Result(const Observe& observe) try {
  return {observe(), ""};
} catch (const EvaluationFailed& failed) {
  return {Observation(), failed.what()};
}

class ObservationInPlace : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Problems, ObservationInPlace,
                         testing::Values("chainN3d:bodies=10", "treeN:bodies=31", "tree12", "quad4",
                                         "mixed12", "fourbar", "bricard", "andrews", "arm6",
                                         "wishbone", "flyball", "caraxis"),
                         NameOfParameter);

TEST_P(ObservationInPlace, EqualsTheFullObservationToTheLastBit) {
  const std::vector<MethodEntry>& methods = AllMethods();
  int compared = 0;
  for (const MethodEntry& entry : methods) {
    if (entry.form == Form::kAlgebraic) continue;
    for (const MethodChoice& method : VariantsOf(entry)) {
      SCOPED_TRACE(method.spec);
      Cell cell;
      cell.problem = GetParam();
      cell.method = method.spec;
      const PreparedCell prepared = PrepareCell(cell, methods);
      if (!VerdictOf(entry, prepared.problem.system, method.options).supported) continue;
      for (const Detail detail : {Detail::kAccelerations, Detail::kReactions}) {
        const auto [expected, refusal] =
            Result([&] { return ObserveAt(prepared, prepared.initial, detail); });
        PreparedCell own = PrepareCell(cell, methods);
        const auto [observed, refusal_in_place] =
            Result([&] { return ObserveInitialStateInPlace(own, detail); });
        ASSERT_EQ(refusal_in_place, refusal);
        if (!refusal.empty()) continue;
        ASSERT_EQ(expected.accelerations.size(), prepared.problem.system.bodies.size());
        EXPECT_TRUE(Same(observed.accelerations, expected.accelerations));
        EXPECT_TRUE(Same(observed.reactions, expected.reactions));
        EXPECT_TRUE(Same(observed.drivers, expected.drivers));
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, 4);
}

}  // namespace
}  // namespace mbsbench
