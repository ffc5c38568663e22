// wishbone: quarter car on a double wishbone suspension (after Attia, serial chains in spatial
// motion).
//
//      chassis (slides along z)
//        |  \__ spring-damper
//        o===== upper arm =====o
//        |       \             | knuckle --o wheel        x: along the car, y: outwards, z: up
//        o===== lower arm =====o           :              gravity along -z
//        o----- steering rod ---             tyre: spring to the road along z
//
// At the start all frames are parallel to the inertial frame and the joint coordinates are 0.
#include "problems/catalog/families.h"
#include "problems/catalog/printed.h"
#include "problems/catalog/rods.h"
#include "problems/model/error.h"
#include "problems/model/problem_options.h"

namespace mbsbench {

namespace {

constexpr double kWheelHeight = -0.24;  // of the wheel's centre at the start, tyre free [m]

// Initial positions in inertial axes [m]. The chassis frame starts at the origin.
constexpr Vector3 kLowerAxis{-0.25, 0.19, -0.26}, kUpperAxis{-0.25, 0.32, -0.10};  // axes along x
constexpr Vector3 kLowerBall{-0.2, 0.61, -0.26}, kUpperBall{-0.2, 0.58, -0.10};
constexpr Vector3 kLowerCentre{-0.225, 0.40, -0.26}, kUpperCentre{-0.225, 0.45, -0.10};
constexpr Vector3 kKnuckleCentre{-0.2, 0.62, -0.24}, kWheelCentre{-0.2, 0.67, kWheelHeight};
constexpr Vector3 kRodOnChassis{-0.1, 0.20, -0.24}, kRodOnKnuckle{-0.1, 0.62, -0.24};
constexpr Vector3 kSpringOnChassis{-0.2, 0.40, 0}, kSpringOnArm{-0.2, 0.40, -0.26};

Body Part(const char* name, double mass, const Vector3& inertia, const Shape& shape) {
  return {name, mass, Diagonal(inertia.x, inertia.y, inertia.z), false, shape};
}

Joint Between(const char* name, JointType type, int parent, const Vector3& on_parent, int child,
              const Vector3& on_child, const Quaternion& axes = {}) {
  Joint joint = Ball(name, parent, on_parent, child, on_child);
  joint.type = type;
  joint.parent_frame.orientation = joint.child_frame.orientation = axes;
  return joint;
}

System QuarterCar() {
  enum { kChassis, kLowerArm, kUpperArm, kKnuckle, kWheel };
  const Quaternion z_along_x{M_SQRT1_2, 0, M_SQRT1_2, 0}, z_along_y{M_SQRT1_2, -M_SQRT1_2, 0, 0};
  const auto rod = [](const Vector3& a, const Vector3& b, double radius) {
    return Shape{Shape::Kind::kRod, a, b, radius};
  };
  System s;
  s.bodies = {
      Part("chassis", 300, {130, 250, 200}, {Shape::Kind::kBox, {0.3, 0.3, 0.2}, {}, 0}),
      Part("lower_arm", 1, {0.028, 0.002, 0.03},
           rod(kLowerAxis - kLowerCentre, kLowerBall - kLowerCentre, 0.015)),
      Part("upper_arm", 1, {0.028, 0.002, 0.03},
           rod(kUpperAxis - kUpperCentre, kUpperBall - kUpperCentre, 0.015)),
      Part("knuckle", 8, {1.6, 1.6, 1.6},
           rod(kLowerBall - kKnuckleCentre, kUpperBall - kKnuckleCentre, 0.02)),
      Part("wheel", 22, {2, 1.35, 2}, rod({0, -0.08, 0}, {0, 0.08, 0}, 0.28)),
  };
  s.joints = {
      Between("rail", JointType::kPrismatic, kGround, {}, kChassis, {}),
      Between("lower_axis", JointType::kRevolute, kChassis, kLowerAxis, kLowerArm,
              kLowerAxis - kLowerCentre, z_along_x),
      Between("upper_axis", JointType::kRevolute, kChassis, kUpperAxis, kUpperArm,
              kUpperAxis - kUpperCentre, z_along_x),
      Between("lower_ball", JointType::kBall, kLowerArm, kLowerBall - kLowerCentre, kKnuckle,
              kLowerBall - kKnuckleCentre),
      Between("axle", JointType::kRevolute, kKnuckle, kWheelCentre - kKnuckleCentre, kWheel, {},
              z_along_y),
  };
  Joint steering = Between("steering_rod", JointType::kDistance, kChassis, kRodOnChassis, kKnuckle,
                           kRodOnKnuckle - kKnuckleCentre);
  steering.length = 0.42;
  s.loop_joints = {Between("upper_ball", JointType::kBall, kUpperArm, kUpperBall - kUpperCentre,
                           kKnuckle, kUpperBall - kKnuckleCentre),
                   steering};
  s.forces.Of<SpringDamper>() = {{"spring", kChassis, kLowerArm, kSpringOnChassis,
                                  kSpringOnArm - kLowerCentre, 51100, 14400, 0.345}};
  s.forces.Of<GroundSpring>() = {{"tyre", kWheel, {}, {0, 0, 1}, 3e5, 1e3, kWheelHeight}};
  s.gravity = {0, 0, -9.81};
  return s;
}

Problem BuildWishbone(const ProblemOptions& options) {
  constexpr double kStep = 0.05;  // [m]
  const int stiffer = IntegerOption(options, "tyre", 1, 1, 1000);
  const bool road_step = options.contains("road_step");
  if (road_step && options.at("road_step") != "0.05") {
    throw ModelError("option 'road_step' is '" + options.at("road_step") +
                     "': 0.05 (metres) is needed.");
  }
  Problem p;
  p.name = "wishbone";
  if (stiffer > 1) p.name += ":tyre=" + std::to_string(stiffer);
  if (road_step) p.name += std::string(stiffer > 1 ? "," : ":") + "road_step=0.05";
  p.title = "Quarter car with double wishbone suspension";
  p.description =
      "A quarter car falls from rest onto its spring and tyre; a massless steering rod holds the "
      "knuckle. It stresses spatial loops and stiff force elements.";
  p.source =
      "Attia, equations of motion of serial chains in spatial motion, Tables 1 to 4; missing and "
      "inconsistent values are those of this catalogue";
  p.system = QuarterCar();
  p.system.forces.Of<GroundSpring>()[0].stiffness *= stiffer;
  if (road_step) p.system.forces.Of<GroundSpring>()[0].free_position += kStep;
  p.initial.joints.q = {0, 0, 0, 1, 0, 0, 0, 0};
  p.initial.joints.u = {0, 0, 0, 0, 0, 0, 0};
  p.initial.dependent_joints = {2, 3};  // upper arm and knuckle

  const bool free_response = stiffer == 1 && !road_step;
  p.end_time = free_response ? 2 : 1;
  // Largest kinetic energy and range of the springs' potential, rounded.
  p.energy_reference = road_step ? 375 : stiffer == 1 ? 215 : 188;
  p.conservative = false;
  using Kind = Observable::Kind;
  p.observables = {{"z_c", Kind::kPositionZ, 0},
                   {"v_c", Kind::kVelocityZ, 0},
                   {"x_w", Kind::kPositionX, 4},
                   {"y_w", Kind::kPositionY, 4},
                   {"z_w", Kind::kPositionZ, 4}};
  if (free_response) {
    const char* const source = "maximal coordinates, DOP853 with projection";
    AppendPrintedRow(
        p, 0.05, source,
        {"-0.00592128872", "-0.188897279", "-0.2000010765", "0.6699765944", "-0.250188437"});
    AppendPrintedRow(
        p, 0.1, source,
        {"-0.01592108229", "-0.205416853", "-0.200001527", "0.6699660728", "-0.2507690779"});
    AppendPrintedRow(
        p, 0.2, source,
        {"-0.0356752211", "-0.181769475", "-0.20003257", "0.6692465262", "-0.251275045"});
    AppendPrintedRow(
        p, 0.5, source,
        {"-0.0706388132", "-0.061339374", "-0.2001795398", "0.66557784", "-0.251131539"});
    AppendPrintedRow(
        p, 1, source,
        {"-0.0822821786", "-0.004834801", "-0.200252859", "0.663654741", "-0.2508841399"});
    AppendPrintedRow(
        p, 2, source,
        {"-0.0830937123", "-4.47e-6", "-0.2002584551", "0.6635060485", "-0.2508564463"});
  }
  p.papers_step = 0.001;
  p.fixed_steps = {0.004, 0.002, 0.001, 0.0005, 0.00025, 0.000125};
  p.accuracy_required_ode = 1e-7;
  p.accuracy_required_dae = 1e-7;
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily WishboneFamily() {
  return {"wishbone",
          "Quarter car with double wishbone suspension",
          {{"road_step", "0.05: step of the road under the wheel at the start, in metres"},
           {"tyre", "factor on the tyre's stiffness, a whole number"}},
          {"wishbone", "wishbone:road_step=0.05", "wishbone:tyre=10", "wishbone:tyre=100"},
          BuildWishbone};
}

}  // namespace mbsbench
