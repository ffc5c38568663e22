#include "harness/metrics/sampled_joints.h"

#include <cmath>
#include <utility>

#include "problems/model/kinematics.h"
#include "problems/model/turns.h"

namespace mbsbench {

namespace {

constexpr double kQuarterTurn = M_PI / 2;

}  // namespace

SampledJoints::SampledJoints(const Problem& problem, double time,
                             const std::vector<BodyState>& start)
    : system_(problem.system), time_(time) {
  if (system_.joint_spring_dampers.empty()) return;
  const JointOffsets at = OffsetsOf(system_);
  for (const JointSpringDamper& spring : system_.joint_spring_dampers) {
    const auto joint = static_cast<std::size_t>(spring.joint);
    if (IsLength(system_.joints[joint].type, 0)) continue;
    angles_.push_back(at.q[joint]);
    rates_.push_back(at.u[joint]);
  }
  joints_ = JointStateOf(system_, start);
  for (int angle : angles_) {
    const auto q = static_cast<std::size_t>(angle);
    joints_.q[q] = NearestTurn(joints_.q[q], problem.initial.joints.q[q]);
  }
}

void SampledJoints::MoveTo(double time, const std::vector<BodyState>& bodies) {
  if (system_.joint_spring_dampers.empty()) return;
  JointState now = JointStateOf(system_, bodies);
  const double interval = time - time_;
  for (std::size_t k = 0; k < angles_.size(); ++k) {
    const auto q = static_cast<std::size_t>(angles_[k]), u = static_cast<std::size_t>(rates_[k]);
    const double nearest = NearestTurn(now.q[q], joints_.q[q]);
    // By the trapezoidal rule.
    const double expected = joints_.q[q] + interval * (joints_.u[u] + now.u[u]) / 2;
    now.q[q] = NearestTurn(now.q[q], expected);
    if (now.q[q] == nearest) continue;
    const bool is_steady = interval * std::abs(now.u[u] - joints_.u[u]) / 2 < kQuarterTurn;
    known_ = known_ && is_steady && std::abs(now.q[q] - expected) < kQuarterTurn;
  }
  joints_ = std::move(now);
  time_ = time;
}

}  // namespace mbsbench
