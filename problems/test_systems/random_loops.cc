#include "problems/test_systems/random_loops.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "problems/model/assembly.h"
#include "problems/model/error.h"
#include "problems/model/validation.h"

namespace mbsbench {

Eigen::MatrixXd LoopJacobian(const System& system, JointState joints) {
  Eigen::MatrixXd jacobian;
  for (std::size_t k = 0; k < joints.u.size(); ++k) {
    std::fill(joints.u.begin(), joints.u.end(), 0.0);
    joints.u[k] = 1;
    ConstraintRows rows;
    const std::vector<BodyState> bodies = ForwardKinematics(system, joints);
    for (const Joint& joint : system.loop_joints) AppendConstraintRows(joint, bodies, rows);
    const auto size = static_cast<Eigen::Index>(rows.velocity.size());
    if (k == 0) jacobian.resize(size, static_cast<Eigen::Index>(joints.u.size()));
    jacobian.col(static_cast<Eigen::Index>(k)) =
        Eigen::Map<const Eigen::VectorXd>(rows.velocity.data(), size);
  }
  return jacobian;
}

namespace {

double Independence(const Eigen::MatrixXd& rows) {
  constexpr double kNothing = 1e-9;  // a cut within one rigid assembly: rows of round-off
  if (rows.cols() < rows.rows()) return 0;
  const Eigen::VectorXd values = rows.jacobiSvd().singularValues();
  if (!(values[0] > kNothing)) return 0;
  return values[values.size() - 1] / values[0];
}

}  // namespace

Joint MakeClosedJoint(RandomNumbers& random, JointType type, int parent, int child,
                      const std::vector<BodyState>& bodies) {
  Joint joint;
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  joint.child_frame = {random.Vector(0.5), random.Rotation()};
  const BodyState p = parent == kGround ? BodyState{} : bodies[static_cast<std::size_t>(parent)];
  const BodyState& c = bodies[static_cast<std::size_t>(child)];
  const Vector3 point = c.position + Rotate(c.orientation, joint.child_frame.position);
  const Quaternion axes = c.orientation * joint.child_frame.orientation;  // of C, in space
  Vector3 origin = point;                                                 // of P
  Quaternion turned = axes;
  switch (type) {
    case JointType::kBall: turned = random.Rotation(); break;
    case JointType::kUniversal:  // any z of P across x of C
      turned = axes * AxisAngle({1, 0, 0}, random.Between(-3, 3)) *
               AxisAngle({0, 0, 1}, random.Between(-3, 3));
      break;
    case JointType::kRevolute: turned = axes * AxisAngle({0, 0, 1}, random.Between(-3, 3)); break;
    case JointType::kPrismatic:
      origin = point - random.Between(-0.5, 0.5) * Rotate(axes, {0, 0, 1});
      break;
    case JointType::kDistance:
      origin = p.position + Rotate(p.orientation, random.Vector(0.5));
      joint.length = Norm(point - origin);
      break;
    case JointType::kFixed:
    case JointType::kFree:
    case JointType::kCylindrical:
    case JointType::kPlanar: break;
  }
  const Quaternion to_parent = Conjugate(p.orientation);
  joint.parent_frame = {Rotate(to_parent, origin - p.position), Normalised(to_parent * turned)};
  return joint;
}

RandomTree MakeRandomLoops(std::uint64_t seed, const RandomLoopOptions& options) {
  RandomNumbers random(seed ^ 0x10095ull);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    RandomTree tree = MakeRandomTree(random.Bits(), options.tree);
    System& system = tree.system;
    const auto body_count = static_cast<int>(system.bodies.size());
    for (int tries = 0; tries < std::max(20, 4 * options.loops); ++tries) {
      const auto loop = static_cast<int>(system.loop_joints.size());
      if (loop == options.loops) break;
      const int child = random.Below(body_count), parent = random.Below(body_count + 1) - 1;
      const JointType type = options.loop_types[static_cast<std::size_t>(
          random.Below(static_cast<int>(options.loop_types.size())))];
      if (child == parent) continue;
      Joint joint = MakeClosedJoint(random, type, parent, child, tree.state.bodies);
      if (type == JointType::kDistance && joint.length < 0.2) continue;
      joint.name = "loop_" + std::to_string(loop);
      system.loop_joints.push_back(joint);
      if (Independence(LoopJacobian(system, tree.state.joints)) < options.least_independence) {
        system.loop_joints.pop_back();
      }
    }
    if (static_cast<int>(system.loop_joints.size()) < options.loops) continue;
    Validate(system);
    InitialCondition initial{tree.state.joints, {}};
    for (std::size_t j = 0; j < system.joints.size(); ++j) {
      initial.dependent_joints.push_back(static_cast<int>(j));
    }
    try {
      tree.state = Assemble(system, initial, 1).state;
    } catch (
        const ModelError&) {  // loops that leave no motion, and rates of round-off to close them with
      continue;
    }
    return tree;
  }
  throw std::runtime_error("no random system with these loops was found");
}

}  // namespace mbsbench
