#include "harness/metrics/sampled_joints.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "problems/model/driver_motion.h"
#include "problems/model/kinematics.h"
#include "problems/model/turns.h"

namespace mbsbench {

namespace {

constexpr double kQuarterTurn = M_PI / 2, kHalfTurn = M_PI;

}  // namespace

SampledJoints::SampledJoints(const System& system, const JointState& initial, double time,
                             const std::vector<BodyState>& start, Followed followed)
    : system_(system),
      is_needed_(followed == Followed::kAllAngles ||
                 !system.forces.Of<JointSpringDamper>().empty()),
      time_(time) {
  if (!is_needed_) return;
  std::vector<bool> is_followed(system.joints.size(), followed == Followed::kAllAngles);
  for (const JointSpringDamper& spring : system.forces.Of<JointSpringDamper>())
    is_followed[static_cast<std::size_t>(spring.joint)] = true;

  const JointOffsets at = OffsetsOf(system);
  joints_ = JointStateOf(system, start);
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const JointType type = system.joints[j].type;
    if (!is_followed[j]) continue;
    for (std::size_t k = 0; k < AxesOf(type).size(); ++k) {
      if (IsLength(type, static_cast<int>(k))) continue;
      Angle angle{static_cast<std::size_t>(at.q[j]) + k, static_cast<std::size_t>(at.u[j]) + k};
      // A driven joint has one coordinate.
      const auto driver = std::ranges::find(system.drivers, static_cast<int>(j), &Driver::joint);
      if (driver != system.drivers.end()) {
        angle.driver = &*driver;
        angle.driver_offset = StartOffset(driver->motion, 0, initial.q[angle.q]);
      }
      joints_.q[angle.q] = NearestTurn(joints_.q[angle.q], initial.q[angle.q]);
      angles_.push_back(angle);
    }
  }
}

double SampledJoints::Continued(const Angle& angle, const JointState& now, double interval) const {
  const double last = joints_.q[angle.q], at_begin = joints_.u[angle.u], at_end = now.u[angle.u];
  // By the trapezoidal rule.
  const double expected = last + interval * (at_begin + at_end) / 2;
  const double counted = NearestTurn(now.q[angle.q], expected);

  const bool is_steady = interval * std::abs(at_end - at_begin) / 2 < kQuarterTurn &&
                         std::abs(counted - expected) < kQuarterTurn;
  const bool is_slow = interval * std::max(std::abs(at_begin), std::abs(at_end)) < kHalfTurn &&
                       std::abs(counted - last) < kHalfTurn;
  return is_steady || is_slow ? counted : std::numeric_limits<double>::quiet_NaN();
}

void SampledJoints::MoveTo(double time, const std::vector<BodyState>& bodies) {
  if (!is_needed_) return;
  if (!std::isfinite(time)) time = time_;
  JointState now = JointStateOf(system_, bodies);
  for (const Angle& angle : angles_) {
    double& q = now.q[angle.q];
    q = angle.driver == nullptr
            ? Continued(angle, now, time - time_)
            : NearestTurn(q, MotionAt(angle.driver->motion, time).position + angle.driver_offset);
  }
  joints_ = std::move(now);
  time_ = time;
}

bool SampledJoints::known() const {
  return std::ranges::none_of(angles_,
                              [this](const Angle& a) { return std::isnan(joints_.q[a.q]); });
}

}  // namespace mbsbench
