// The types of joints: their coordinates, free motions and constraints.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace mbsbench {

// Joint coordinates q and joint rates u, child relative to parent (P, C: parent and child frame):
//   kBall       q  quaternion C -> P (4)
//               u  angular velocity of C in P, axes of C (3)
//   kRevolute   q  angle about the common z axis;  u  its rate
//   kPrismatic  q  displacement of C along z of P;  u  its rate
//   kFixed      none
//   kFree       q  origin of C in P (3), quaternion C -> P (4)
//               u  rate of that origin in P (3), angular velocity, axes of C (3)
//   kUniversal  q  angles about z of P, then about x of C;  u  their rates
// Two types occur in trees only, like kFree:
//   kCylindrical  q  displacement of C along z of P, angle about it;  u  their rates
//   kPlanar       q  displacements of C along x and y of P, angle about z;  u  their rates
// In a universal joint the origins coincide, and z of P stays perpendicular to x of C: these are the
// arms of its cross, one fixed in the parent, the other in the child.
// One type closes loops only:
//   kDistance   the origins of P and C keep the distance `length`
enum class JointType {
  kBall,
  kRevolute,
  kPrismatic,
  kFixed,
  kFree,
  kDistance,
  kUniversal,
  kCylindrical,
  kPlanar
};

// Those with one coordinate, on which springs and drivers act.
inline constexpr std::array kSingleAxisTypes{JointType::kRevolute, JointType::kPrismatic};

// One free motion of a tree joint.
struct JointAxis {
  bool turns;  // rotation about the axis; else translation along it
  int axis;    // 0: x, 1: y, 2: z
};

// The motions with one coordinate each, in the order of the coordinates: first translations along axes
// of P, then rotations. The axis of a rotation belongs to the frame rotated by the previous ones, and
// successive axes are perpendicular.
std::span<const JointAxis> AxesOf(JointType type);
// Whether the child also rotates freely: a quaternion and an angular velocity, after the other
// coordinates.
bool TurnsFreely(JointType type);

std::string_view Name(JointType type);
int CoordinateCount(JointType type);  // size of q; of kDistance 0
int RateCount(JointType type);        // size of u; of kDistance 0
int ConstraintCount(JointType type);  // 3, 5, 5, 6, 0, 1, 4, 4, 3
// Whether coordinate k of a tree joint, and rate k with it, is a length.
bool IsLength(JointType type, int k);

}  // namespace mbsbench
