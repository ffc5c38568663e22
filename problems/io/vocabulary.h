// The words that represent enumerations in a model file, and the field names (with units) of the
// coordinates of each joint type. Reader, writer and schema share them.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "problems/model/problem.h"

namespace mbsbench {

inline constexpr std::string_view kModelFormat = "mbsbench-model";
inline constexpr int kModelVersion = 1;

template <typename Value>
struct Word {
  std::string_view name;
  Value value;
};

inline constexpr std::array<Word<JointType>, 9> kJointTypes{
    {{"ball", JointType::kBall},
     {"revolute", JointType::kRevolute},
     {"prismatic", JointType::kPrismatic},
     {"fixed", JointType::kFixed},
     {"free", JointType::kFree},
     {"distance", JointType::kDistance},
     {"universal", JointType::kUniversal},
     {"cylindrical", JointType::kCylindrical},
     {"planar", JointType::kPlanar}}};

inline constexpr std::array<Word<Shape::Kind>, 4> kShapeKinds{{{"none", Shape::Kind::kNone},
                                                               {"rod", Shape::Kind::kRod},
                                                               {"box", Shape::Kind::kBox},
                                                               {"sphere", Shape::Kind::kSphere}}};

inline constexpr std::array<Word<Observable::Kind>, 18> kObservableKinds{
    {{"position_x_m", Observable::Kind::kPositionX},
     {"position_y_m", Observable::Kind::kPositionY},
     {"position_z_m", Observable::Kind::kPositionZ},
     {"velocity_x_m_s", Observable::Kind::kVelocityX},
     {"velocity_y_m_s", Observable::Kind::kVelocityY},
     {"velocity_z_m_s", Observable::Kind::kVelocityZ},
     {"speed_m_s", Observable::Kind::kSpeed},
     {"time_s", Observable::Kind::kTime},
     {"plane_angle_rad", Observable::Kind::kPlaneAngle},
     {"plane_rate_rad_s", Observable::Kind::kPlaneRate},
     {"elevation_rad", Observable::Kind::kElevation},
     {"body_rate_x_rad_s", Observable::Kind::kBodyRateX},
     {"body_rate_y_rad_s", Observable::Kind::kBodyRateY},
     {"body_rate_z_rad_s", Observable::Kind::kBodyRateZ},
     {"quaternion_w", Observable::Kind::kQuaternionW},
     {"quaternion_x", Observable::Kind::kQuaternionX},
     {"quaternion_y", Observable::Kind::kQuaternionY},
     {"quaternion_z", Observable::Kind::kQuaternionZ}}};

inline constexpr std::array<Word<PublishedValue::Kind>, 3> kPublishedKinds{
    {{"exact", PublishedValue::Kind::kExact},
     {"published", PublishedValue::Kind::kPublished},
     {"computed", PublishedValue::Kind::kComputed}}};

inline constexpr std::array<Word<LibraryMeasure::Formula>, 3> kFormulas{
    {{"mescd", LibraryMeasure::Formula::kSignificantDigits},
     {"largest_difference", LibraryMeasure::Formula::kLargestDifference},
     {"angular_momentum_z", LibraryMeasure::Formula::kAngularMomentumZ}}};

// The numbers of a kind of motion; those without a default are required. `list`: name of the field
// with the coefficients, or with the motions of which it consists.
struct MotionField {
  std::string_view name;
  double DriverMotion::*value;
  std::optional<double> by_default = {};
};
struct MotionWord {
  std::string_view name;
  MotionKind value;
  std::vector<MotionField> fields;
  std::string_view list = {};
};
inline const std::array<MotionWord, 6>& MotionKinds() {
  using M = DriverMotion;
  static const std::array<MotionWord, 6> kinds{
      {{"constant_rate", MotionKind::kConstantRate, {{"rate", &M::rate}}},
       {"harmonic",
        MotionKind::kHarmonic,
        {{"amplitude", &M::amplitude},
         {"angular_frequency_rad_s", &M::angular_frequency},
         {"phase_rad", &M::phase, 0},
         {"mean", &M::mean, 0}}},
       {"polynomial", MotionKind::kPolynomial, {}, "coefficients"},
       {"ramp",
        MotionKind::kRamp,
        {{"from", &M::from},
         {"to", &M::to},
         {"begin_s", &M::begin},
         {"duration_s", &M::duration},
         {"smoothness", &M::smoothness, 2}}},
       {"arcsine", MotionKind::kArcsine, {}, "of"},
       {"sum", MotionKind::kSum, {}, "terms"}}};
  return kinds;
}
inline const MotionWord& WordOf(MotionKind kind) {
  return *std::ranges::find(MotionKinds(), kind, &MotionWord::value);
}

template <typename Words, typename Value>
std::string_view NameOf(const Words& words, Value value) {
  for (const auto& word : words) {
    if (word.value == value) return word.name;
  }
  return {};
}

// One field of a joint's initial state: `size` numbers of JointState::q or ::u.
struct CoordinateField {
  std::string_view name;
  int size;  // 1: a bare number in the file
  bool is_quaternion = false;
};
struct CoordinateFields {
  std::vector<CoordinateField> q, u;  // in the order of the joint's coordinates and rates
};
inline const CoordinateFields& CoordinateFieldsOf(JointType type) {
  static const CoordinateFields ball{{{"quaternion_wxyz", 4, true}},
                                     {{"angular_velocity_rad_s", 3}}},
      revolute{{{"angle_rad", 1}}, {{"rate_rad_s", 1}}},
      prismatic{{{"displacement_m", 1}}, {{"rate_m_s", 1}}},
      free{{{"position_m", 3}, {"quaternion_wxyz", 4, true}},
           {{"velocity_m_s", 3}, {"angular_velocity_rad_s", 3}}},
      universal{{{"angles_rad", 2}}, {{"rates_rad_s", 2}}},
      cylindrical{{{"displacement_m", 1}, {"angle_rad", 1}}, {{"rate_m_s", 1}, {"rate_rad_s", 1}}},
      planar{{{"displacements_m", 2}, {"angle_rad", 1}}, {{"rates_m_s", 2}, {"rate_rad_s", 1}}},
      none;
  switch (type) {
    case JointType::kBall: return ball;
    case JointType::kRevolute: return revolute;
    case JointType::kPrismatic: return prismatic;
    case JointType::kFree: return free;
    case JointType::kUniversal: return universal;
    case JointType::kCylindrical: return cylindrical;
    case JointType::kPlanar: return planar;
    case JointType::kFixed:
    case JointType::kDistance: return none;
  }
  return none;
}

// The names of a joint spring's fields state units that depend on the type of its joint.
// The ending of a number of a force element in a model file, with its unit; `turns`: its joint does.
inline std::string_view EndingOf(Quantity quantity, bool turns) {
  switch (quantity) {
    case Quantity::kLength: return "_m";
    case Quantity::kStiffness: return "_N_m";
    case Quantity::kDamping: return "_N_s_m";
    case Quantity::kForce: return "_N";
    case Quantity::kMoment: return "_N_m";
    case Quantity::kJointCoordinate: return turns ? "_angle_rad" : "_displacement_m";
    case Quantity::kJointStiffness: return turns ? "_N_m_rad" : "_N_m";
    case Quantity::kJointDamping: return turns ? "_N_m_s_rad" : "_N_s_m";
    case Quantity::kTurnStiffness: return "_N_m_rad";
    case Quantity::kTurnDamping: return "_N_m_s_rad";
  }
  return "";
}
inline std::string_view UnitOf(Quantity quantity, bool turns) {
  switch (quantity) {
    case Quantity::kLength: return "m";
    case Quantity::kStiffness: return "N/m";
    case Quantity::kDamping: return "N s/m";
    case Quantity::kForce: return "N";
    case Quantity::kMoment: return "N m";
    case Quantity::kJointCoordinate: return turns ? "rad" : "m";
    case Quantity::kJointStiffness: return turns ? "N m/rad" : "N/m";
    case Quantity::kJointDamping: return turns ? "N m s/rad" : "N s/m";
    case Quantity::kTurnStiffness: return "N m/rad";
    case Quantity::kTurnDamping: return "N m s/rad";
  }
  return "";
}
inline std::string_view EffortField(bool turns) { return turns ? "torque_N_m" : "force_N"; }

// The numbers of a rope flight, for reading and writing.
struct RopeFlightField {
  std::string_view name;
  double RopeFlight::*value;
  bool required;
};
inline constexpr std::array<RopeFlightField, 12> kRopeFlightFields{
    {{"rail_length_m", &RopeFlight::rail_length, false},
     {"thrust_N", &RopeFlight::thrust, false},
     {"burn_time_s", &RopeFlight::burn_time, false},
     {"propellant_mass_kg", &RopeFlight::propellant_mass, false},
     {"link_length_m", &RopeFlight::link_length, true},
     {"line_density_kg_m", &RopeFlight::line_density, true},
     {"air_density_kg_m3", &RopeFlight::air_density, false},
     {"body_diameter_m", &RopeFlight::body_diameter, false},
     {"body_drag", &RopeFlight::body_drag, false},
     {"rope_diameter_m", &RopeFlight::rope_diameter, false},
     {"tangential_drag", &RopeFlight::tangential_drag, false},
     {"normal_drag", &RopeFlight::normal_drag, false}}};

// The name of a driver's speed field depends on the type of its joint too.
inline std::string_view DriverSpeedField(JointType type) {
  return type == JointType::kPrismatic ? "speed_m_s" : "speed_rad_s";
}

}  // namespace mbsbench
