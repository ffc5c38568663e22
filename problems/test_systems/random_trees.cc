#include "problems/test_systems/random_trees.h"

#include <algorithm>
#include <cmath>

namespace mbsbench {

namespace {

// Efforts that rise or fall about t = 0. The numbers are separate, so that those of the tree do not change.
void AddMotors(std::uint64_t seed, System& system) {
  RandomNumbers random(seed ^ 0x6d6f746f72ull);
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const JointType type = system.joints[j].type;
    if (std::ranges::find(Motor::kJointTypes, type) == Motor::kJointTypes.end()) continue;
    if (random.Below(3) == 0) continue;
    Motor motor;
    motor.name = "motor_" + std::to_string(j);
    motor.joint = static_cast<int>(j);
    motor.turns =
        type == JointType::kCylindrical ? random.Below(2) == 0 : type == JointType::kRevolute;
    motor.effort.table = {{-1, random.Between(-5, 5)}, {1, random.Between(-5, 5)}};
    system.forces.Of<Motor>().push_back(motor);
  }
}

// Bushings of finite displacements and rotations, every other one without moments. Their numbers are separate too.
void AddBushings(std::uint64_t seed, System& system) {
  RandomNumbers random(seed ^ 0x62757368696e67ull);
  const auto bodies = static_cast<int>(system.bodies.size());
  const auto values = [&random](double most) {
    return Vector3{random.Between(0, most), random.Between(0, most), random.Between(0, most)};
  };
  for (int k = 0; k < (bodies + 2) / 3; ++k) {
    Bushing bushing;
    bushing.name = "bushing_" + std::to_string(k);
    bushing.body_b = random.Below(bodies + 1) - 1;
    do {
      bushing.body_a = random.Below(bodies + 1) - 1;
    } while (bushing.body_a == bushing.body_b);
    bushing.frame_a = {random.Vector(0.5), random.Rotation()};
    bushing.frame_b = {random.Vector(0.5), random.Rotation()};
    bushing.stiffness = values(50);
    bushing.damping = values(2);
    if (k % 2 == 0) bushing.turn_stiffness = values(10), bushing.turn_damping = values(1);
    system.forces.Of<Bushing>().push_back(bushing);
  }
}

}  // namespace

RandomTree MakeRandomTree(std::uint64_t seed, const RandomTreeOptions& options) {
  RandomNumbers random(seed);
  RandomTree tree;
  System& system = tree.system;
  const auto vector = [&](double size) {
    const Vector3 v = random.Vector(size);
    return options.planar ? Vector3{v.x, v.y, 0} : v;
  };
  const auto turning = [&](double size) {
    const Vector3 v = random.Vector(size);
    return options.planar ? Vector3{0, 0, v.z} : v;
  };
  const auto rotation = [&] {
    return options.planar ? AxisAngle({0, 0, 1}, random.Between(-3, 3)) : random.Rotation();
  };
  system.gravity = vector(10);
  // The list order of the joints is independent of the tree.
  for (int b = 0; b < options.bodies; ++b) {
    Body body;
    body.name = "body_" + std::to_string(b);
    body.mass = random.Between(0.3, 2);
    // Inertia of three crossed rods, turned at random: so the triangle inequality holds.
    const double x = random.Between(0.01, 0.1), y = random.Between(0.01, 0.1),
                 z = random.Between(0.01, 0.1);
    const Matrix3 r = DirectionCosineMatrix(rotation());
    const double principal[3] = {y + z, x + z, x + y};
    for (int i = 0; i < 3; ++i) {
      for (int k = i; k < 3; ++k) {
        double sum = 0;
        for (int l = 0; l < 3; ++l) sum += r(i, l) * principal[l] * r(k, l);
        body.inertia(i, k) = sum;
      }
    }
    system.bodies.push_back(body);

    Joint joint;
    joint.name = "joint_" + std::to_string(b);
    joint.type =
        options
            .types[static_cast<std::size_t>(random.Below(static_cast<int>(options.types.size())))];
    joint.child = b;
    if (b > 0 && random.Between(0, 1) >= options.ground_likelihood) {
      joint.parent = random.Between(0, 1) < options.chain_likelihood ? b - 1 : random.Below(b);
    }
    joint.parent_frame = {vector(0.5), rotation()};
    joint.child_frame = {vector(0.5), rotation()};
    system.joints.insert(
        system.joints.begin() + random.Below(static_cast<int>(system.joints.size()) + 1), joint);
  }
  if (options.force_elements) {
    for (int k = 0; k < (options.bodies + 2) / 3; ++k) {
      SpringDamper spring;
      spring.name = "spring_" + std::to_string(k);
      spring.body_b = random.Below(options.bodies);
      spring.body_a = random.Below(options.bodies + 1) - 1;
      if (spring.body_a == spring.body_b) spring.body_a = kGround;
      spring.point_a = vector(0.5);
      spring.point_b = vector(0.5);
      spring.stiffness = random.Between(1, 50);
      spring.damping = random.Between(0, 2);
      spring.free_length = random.Between(0, 1);
      system.forces.Of<SpringDamper>().push_back(spring);

      AppliedForce load;
      load.name = "load_" + std::to_string(k);
      load.body = random.Below(options.bodies);
      load.point = vector(0.5);
      load.force = vector(5);
      load.moment = turning(2);
      load.in_body_axes = random.Below(2) == 1;
      system.forces.Of<AppliedForce>().push_back(load);
    }
    RandomNumbers ground(seed ^ 0x67726f756e64ull);  // separate: the others do not change
    for (int k = 0; k < (options.bodies + 5) / 6; ++k) {
      GroundSpring spring;
      spring.name = "ground_spring_" + std::to_string(k);
      spring.body = ground.Below(options.bodies);
      spring.point = ground.Vector(0.5);
      const double angle = ground.Between(-3, 3), height = ground.Between(-1, 1);
      const double across = std::sqrt(1 - height * height);
      spring.direction = {across * std::cos(angle), across * std::sin(angle), height};
      if (options.planar) {
        spring.point.z = 0;
        spring.direction = {std::cos(angle), std::sin(angle), 0};
      }
      spring.stiffness = ground.Between(1, 50);
      spring.damping = ground.Between(0, 2);
      spring.free_position = ground.Between(-1, 1);
      system.forces.Of<GroundSpring>().push_back(spring);
    }
    for (std::size_t j = 0; j < system.joints.size(); ++j) {
      const JointType type = system.joints[j].type;
      if (type != JointType::kRevolute && type != JointType::kPrismatic) continue;
      for (int repeat = random.Below(3); repeat > 0; --repeat) {  // none, one or two on a joint
        JointSpringDamper spring;
        spring.name =
            "joint_spring_" + std::to_string(system.forces.Of<JointSpringDamper>().size());
        spring.joint = static_cast<int>(j);
        spring.stiffness = random.Between(0, 20);
        spring.damping = random.Between(0, 1);
        spring.free_coordinate = random.Between(-1, 1);
        system.forces.Of<JointSpringDamper>().push_back(spring);
      }
    }
  }
  for (ForceElement kind : options.further_elements) {
    if (kind == ForceElement::kMotor) AddMotors(seed, system);
    if (kind == ForceElement::kBushing) AddBushings(seed, system);
  }
  JointState& joints = tree.state.joints;
  const auto append = [&joints](std::initializer_list<double> q) {
    joints.q.insert(joints.q.end(), q);
  };
  for (const Joint& joint : system.joints) {
    const Quaternion r = rotation();
    const Vector3 d = vector(0.5);
    switch (joint.type) {
      case JointType::kBall: append({r.w, r.x, r.y, r.z}); break;
      case JointType::kRevolute: append({random.Between(-3, 3)}); break;
      case JointType::kPrismatic: append({random.Between(-0.5, 0.5)}); break;
      case JointType::kFree: append({d.x, d.y, d.z, r.w, r.x, r.y, r.z}); break;
      case JointType::kUniversal: append({random.Between(-3, 3), random.Between(-3, 3)}); break;
      case JointType::kCylindrical: append({d.z, random.Between(-3, 3)}); break;
      case JointType::kPlanar: append({d.x, d.y, random.Between(-3, 3)}); break;
      case JointType::kFixed:
      case JointType::kDistance: break;
    }
    for (int i = 0; i < RateCount(joint.type); ++i) {
      const bool leaves_plane = (joint.type == JointType::kBall && i < 2) ||
                                (joint.type == JointType::kFree && i >= 2 && i < 5);
      const double rate = random.Between(-2, 2);
      joints.u.push_back(options.planar && leaves_plane ? 0 : rate);
    }
  }
  tree.state.bodies = ForwardKinematics(system, joints);
  return tree;
}

}  // namespace mbsbench
