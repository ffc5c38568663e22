#include "problems/model/system.h"

#include "problems/model/state.h"

namespace mbsbench {

namespace {
struct Sizes {
  std::string_view name;
  int coordinates, rates, constraints;
};
Sizes SizesOf(JointType type) {
  switch (type) {
    case JointType::kBall: return {"ball", 4, 3, 3};
    case JointType::kRevolute: return {"revolute", 1, 1, 5};
    case JointType::kPrismatic: return {"prismatic", 1, 1, 5};
    case JointType::kFixed: return {"fixed", 0, 0, 6};
    case JointType::kFree: return {"free", 7, 6, 0};
    case JointType::kDistance: return {"distance", 0, 0, 1};
    case JointType::kUniversal: return {"universal", 0, 0, 4};
  }
  return {"unknown", 0, 0, 0};
}
}  // namespace

std::string_view Name(JointType type) { return SizesOf(type).name; }
int CoordinateCount(JointType type) { return SizesOf(type).coordinates; }
int RateCount(JointType type) { return SizesOf(type).rates; }
int ConstraintCount(JointType type) { return SizesOf(type).constraints; }

JointOffsets OffsetsOf(const System& system) {
  JointOffsets offsets;
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

}  // namespace mbsbench
