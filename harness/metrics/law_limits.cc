#include "harness/metrics/law_limits.h"

#include <fmt/format.h>

namespace mbsbench {

namespace {

Quaternion Opposite(const Quaternion& q) { return {-q.w, -q.x, -q.y, -q.z}; }

// From the axes of the first frame to those of the second.
Quaternion RelativeOrientation(const Bushing& e, const std::vector<BodyState>& bodies) {
  const auto axes = [&bodies](int body, const Frame& frame) {
    return body == kGround ? frame.orientation
                           : bodies[static_cast<std::size_t>(body)].orientation * frame.orientation;
  };
  return Conjugate(axes(e.body_a, e.frame_a)) * axes(e.body_b, e.frame_b);
}

}  // namespace

LawLimits::LawLimits(const System& system, const std::vector<BodyState>& start) {
  for (const Bushing& bushing : system.forces.Of<Bushing>()) {
    if (!bushing.Turns()) continue;
    const Quaternion q = RelativeOrientation(bushing, start);
    rotations_.push_back({&bushing, q.w < 0 ? Opposite(q) : q});
  }
}

void LawLimits::Follow(double time, const std::vector<BodyState>& bodies) {
  for (Rotation& one : rotations_) {
    const Quaternion &last = one.relative, q = RelativeOrientation(*one.bushing, bodies);
    const double same = q.w * last.w + q.x * last.x + q.y * last.y + q.z * last.z;
    one.relative = same < 0 ? Opposite(q) : q;
    if (!(one.relative.w < 0) || !passed_.empty()) continue;
    passed_ = fmt::format("the rotation of bushing '{}' has passed pi by t = {:.6g} s",
                          one.bushing->name, time);
  }
}

}  // namespace mbsbench
