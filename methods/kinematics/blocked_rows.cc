#include "methods/kinematics/blocked_rows.h"

namespace mbsbench {

BlockedRows BlockedRowsOf(JointType type) {
  constexpr int kX = 0, kY = 1, kZ = 2;
  constexpr BlockedRows::Product kXZ{kX, kZ}, kYZ{kY, kZ}, kYX{kY, kX}, kZX{kZ, kX};
  switch (type) {
    case JointType::kBall: return {false, 3, {}, 0};
    case JointType::kRevolute: return {false, 3, {kXZ, kYZ}, 2};
    case JointType::kUniversal: return {false, 3, {kZX}, 1};
    case JointType::kFixed: return {false, 3, {kXZ, kYZ, kYX}, 3};
    case JointType::kPrismatic: return {false, 2, {kXZ, kYZ, kYX}, 3};
    case JointType::kCylindrical: return {false, 2, {kXZ, kYZ}, 2};
    case JointType::kPlanar: return {false, 1, {kXZ, kYZ}, 2};
    case JointType::kDistance: return {true, 0, {}, 0};
    case JointType::kFree: break;
  }
  return {};
}

}  // namespace mbsbench
