#include "harness/metrics/bushing_rotations.h"

#include <fmt/format.h>

#include "problems/model/spring_forces.h"

namespace mbsbench {

BushingRotations::BushingRotations(const System& system, const std::vector<BodyState>& start) {
  for (const Bushing& bushing : system.forces.Of<Bushing>()) {
    if (!bushing.Turns()) continue;
    const Quaternion q = ActionOf(bushing, start).relative;
    latest_.push_back({&bushing, q.w < 0 ? Quaternion{-q.w, -q.x, -q.y, -q.z} : q});
  }
}

void BushingRotations::Follow(double time, const std::vector<BodyState>& bodies) {
  for (Followed& one : latest_) {
    const Quaternion &last = one.relative, q = ActionOf(*one.bushing, bodies).relative;
    const double same = q.w * last.w + q.x * last.x + q.y * last.y + q.z * last.z;
    one.relative = same < 0 ? Quaternion{-q.w, -q.x, -q.y, -q.z} : q;
    if (!(one.relative.w < 0) || !passed_.empty()) continue;
    passed_ = fmt::format("the rotation of bushing '{}' has passed pi by t = {:.6g} s",
                          one.bushing->name, time);
  }
}

}  // namespace mbsbench
