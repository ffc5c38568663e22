#include "problems/model/problem.h"

#include <algorithm>
#include <cmath>

namespace mbsbench {

double Evaluate(const Observable& observable, const std::vector<BodyState>& bodies, double time) {
  using Kind = Observable::Kind;
  const BodyState& body = bodies[static_cast<std::size_t>(observable.body)];
  const Quaternion& q = body.orientation;
  const Vector3 arm = Rotate(q, observable.point);
  const auto position = [&] { return body.position + arm; };
  const auto velocity = [&] { return body.velocity + Cross(body.angular_velocity, arm); };
  const auto body_rate = [&] { return Rotate(Conjugate(q), body.angular_velocity); };
  const BodyState* other = observable.relative_to == kGround
                               ? nullptr
                               : &bodies[static_cast<std::size_t>(observable.relative_to)];
  // In the axes of the other body: of a revolute about its z axis they are the coordinate and the rate.
  const auto plane_angle = [&] {
    Vector3 x = Rotate(q, {1, 0, 0});
    if (other != nullptr) x = Rotate(Conjugate(other->orientation), x);
    return std::atan2(x.y, x.x);
  };
  const auto plane_rate = [&] {
    if (other == nullptr) return body.angular_velocity.z;
    return Dot(body.angular_velocity - other->angular_velocity,
               Rotate(other->orientation, {0, 0, 1}));
  };
  const double sign = q.w < 0 ? -1 : 1;
  switch (observable.kind) {
    case Kind::kPositionX: return position().x + observable.offset;
    case Kind::kPositionY: return position().y + observable.offset;
    case Kind::kPositionZ: return position().z + observable.offset;
    case Kind::kVelocityX: return velocity().x;
    case Kind::kVelocityY: return velocity().y;
    case Kind::kVelocityZ: return velocity().z;
    case Kind::kSpeed: return Norm(velocity());
    case Kind::kTime: return time;
    case Kind::kPlaneAngle: return std::remainder(plane_angle() + observable.offset, 2 * M_PI);
    case Kind::kPlaneRate: return plane_rate();
    case Kind::kElevation: {
      const Vector3 x = Rotate(q, {1, 0, 0});
      return std::atan2(x.z, std::hypot(x.x, x.y)) + observable.offset;
    }
    case Kind::kBodyRateX: return body_rate().x;
    case Kind::kBodyRateY: return body_rate().y;
    case Kind::kBodyRateZ: return body_rate().z;
    case Kind::kQuaternionW: return sign * q.w;
    case Kind::kQuaternionX: return sign * q.x;
    case Kind::kQuaternionY: return sign * q.y;
    case Kind::kQuaternionZ: return sign * q.z;
  }
  return NAN;
}

double Difference(const Observable& observable, double a, double b) {
  return observable.kind == Observable::Kind::kPlaneAngle ? std::remainder(a - b, 2 * M_PI) : a - b;
}

void SetSampleTimes(Problem& problem) {
  constexpr int kIntervals = 100;
  std::vector<double> times;
  for (int k = 0; k <= kIntervals; ++k) times.push_back(problem.end_time * k / kIntervals);
  for (const PublishedValue& value : problem.published) {
    if (value.event.empty() && value.time <= problem.end_time) times.push_back(value.time);
  }
  std::sort(times.begin(), times.end());
  // Printed times that are multiples of end/100 differ from them by round-off at most.
  const double same = 1e-12 * problem.end_time;
  times.erase(
      std::unique(times.begin(), times.end(), [same](double a, double b) { return b - a <= same; }),
      times.end());
  problem.sample_times = std::move(times);
}

}  // namespace mbsbench
