#include "problems/model/problem.h"

#include <algorithm>
#include <cmath>

namespace mbsbench {

double Evaluate(const Observable& observable, const std::vector<BodyState>& bodies) {
  const BodyState& body = bodies[static_cast<std::size_t>(observable.body)];
  switch (observable.kind) {
    case Observable::Kind::kPositionX:
      return body.position.x + observable.offset;
    case Observable::Kind::kPositionY:
      return body.position.y + observable.offset;
    case Observable::Kind::kPositionZ:
      return body.position.z + observable.offset;
    case Observable::Kind::kVelocityX:
      return body.velocity.x;
    case Observable::Kind::kVelocityY:
      return body.velocity.y;
    case Observable::Kind::kVelocityZ:
      return body.velocity.z;
    case Observable::Kind::kPlaneAngle: {
      const Vector3 x = Rotate(body.orientation, {1, 0, 0});
      return std::remainder(std::atan2(x.y, x.x) + observable.offset, 2 * M_PI);
    }
    case Observable::Kind::kPlaneRate:
      return body.angular_velocity.z;
  }
  return NAN;
}

double Difference(const Observable& observable, double a, double b) {
  return observable.kind == Observable::Kind::kPlaneAngle ? std::remainder(a - b, 2 * M_PI) : a - b;
}

std::string_view Name(Tier tier) {
  switch (tier) {
    case Tier::kQuick:
      return "quick";
    case Tier::kDefault:
      return "default";
    case Tier::kFull:
      return "full";
    case Tier::kSkip:
      return "skip";
  }
  return "";
}

void SetSampleTimes(Problem& problem) {
  constexpr int kIntervals = 100;
  std::vector<double> times;
  for (int k = 0; k <= kIntervals; ++k) times.push_back(problem.end_time * k / kIntervals);
  for (const PublishedValue& value : problem.published) {
    if (value.time <= problem.end_time) times.push_back(value.time);
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
