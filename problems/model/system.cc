#include "problems/model/system.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iterator>
#include <mutex>

#include "problems/model/state.h"

namespace mbsbench {

namespace {

struct JointKind {
  std::string_view name;
  std::span<const JointAxis> axes;
  bool turns_freely = false;
};
constexpr JointAxis kSlideX{false, 0}, kSlideY{false, 1}, kSlideZ{false, 2};
constexpr JointAxis kTurnX{true, 0}, kTurnZ{true, 2};
constexpr std::array kRevoluteAxes{kTurnZ}, kPrismaticAxes{kSlideZ};
constexpr std::array kCylindricalAxes{kSlideZ, kTurnZ}, kUniversalAxes{kTurnZ, kTurnX};
constexpr std::array kFreeAxes{kSlideX, kSlideY, kSlideZ}, kPlanarAxes{kSlideX, kSlideY, kTurnZ};

JointKind KindOf(JointType type) {
  switch (type) {
    case JointType::kBall: return {"ball", {}, true};
    case JointType::kRevolute: return {"revolute", kRevoluteAxes};
    case JointType::kPrismatic: return {"prismatic", kPrismaticAxes};
    case JointType::kFixed: return {"fixed", {}};
    case JointType::kFree: return {"free", kFreeAxes, true};
    case JointType::kDistance: return {"distance", {}};
    case JointType::kUniversal: return {"universal", kUniversalAxes};
    case JointType::kCylindrical: return {"cylindrical", kCylindricalAxes};
    case JointType::kPlanar: return {"planar", kPlanarAxes};
  }
  return {"unknown", {}};
}

// The most recent shapes, to be shared: mechanisms repeat a few, such as the rails and rungs of
// ladders.
class RecentShapes {
 public:
  std::shared_ptr<const Shape> Shared(const Shape& shape) {
    const std::lock_guard lock(mutex_);
    for (const std::shared_ptr<const Shape>& one : shapes_) {
      if (one && one->kind == shape.kind && BitsOf(*one) == BitsOf(shape)) return one;
    }
    next_ = (next_ + 1) % shapes_.size();
    return shapes_[next_] = std::make_shared<const Shape>(shape);
  }

 private:
  // Equal shapes may differ in the sign of a zero, which a model file keeps.
  static std::array<std::uint64_t, 7> BitsOf(const Shape& shape) {
    const auto& [kind, a, b, radius] = shape;
    return std::bit_cast<std::array<std::uint64_t, 7>>(
        std::array{a.x, a.y, a.z, b.x, b.y, b.z, radius});
  }

  std::mutex mutex_;
  std::array<std::shared_ptr<const Shape>, 4> shapes_;
  std::size_t next_ = 0;
};

}  // namespace

BodyShape::BodyShape(const Shape& shape) {
  static RecentShapes& recent = *new RecentShapes;  // static destructors may create shapes
  shape_ = recent.Shared(shape);
}

const Shape& BodyShape::operator*() const {
  static const Shape none;
  return shape_ ? *shape_ : none;
}

std::span<const JointAxis> AxesOf(JointType type) { return KindOf(type).axes; }
bool TurnsFreely(JointType type) { return KindOf(type).turns_freely; }

std::string_view Name(JointType type) { return KindOf(type).name; }
int CoordinateCount(JointType type) {
  const JointKind kind = KindOf(type);
  return static_cast<int>(kind.axes.size()) + (kind.turns_freely ? 4 : 0);
}
int RateCount(JointType type) {
  const JointKind kind = KindOf(type);
  return static_cast<int>(kind.axes.size()) + (kind.turns_freely ? 3 : 0);
}
int ConstraintCount(JointType type) {
  return type == JointType::kDistance ? 1 : 6 - RateCount(type);
}
bool IsLength(JointType type, int k) {
  const auto axes = AxesOf(type);
  return k < static_cast<int>(axes.size()) && !axes[static_cast<std::size_t>(k)].turns;
}

JointOffsets OffsetsOf(const System& system) {
  JointOffsets offsets;
  offsets.q.reserve(system.joints.size() + 1);
  offsets.u.reserve(system.joints.size() + 1);
  int q = 0, u = 0;
  for (const Joint& joint : system.joints) {
    offsets.q.push_back(q);
    offsets.u.push_back(u);
    q += CoordinateCount(joint.type);
    u += RateCount(joint.type);
  }
  offsets.q.push_back(q);
  offsets.u.push_back(u);
  return offsets;
}

std::vector<bool> DrivenJoints(const System& system) {
  std::vector<bool> driven(system.joints.size(), false);
  for (const Driver& d : system.drivers) driven[static_cast<std::size_t>(d.joint)] = true;
  return driven;
}

bool RunsAtConstantRates(const System& system) {
  return !system.drivers.empty() &&
         std::all_of(system.drivers.begin(), system.drivers.end(),
                     [](const Driver& d) { return d.motion.kind == MotionKind::kConstantRate; });
}

std::vector<double> BreakPoints(const System& system, double end) {
  std::vector<double> times;
  const auto add = [&](const std::vector<double>& some) {
    std::ranges::copy_if(some, std::back_inserter(times),
                         [end](double t) { return t > 0 && t < end; });
  };
  for (const Driver& d : system.drivers) add(BreakPoints(d.motion));
  for (const Motor& motor : system.forces.Of<Motor>()) add(motor.effort.BreakPoints());
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace mbsbench
