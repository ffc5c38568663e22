#include "problems/model/validation.h"

#include <Eigen/Dense>
#include <cmath>
#include <set>
#include <string>

#include "problems/model/eigen.h"
#include "problems/model/error.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace {

constexpr double kUnitTolerance = 1e-6;  // of quaternions, as a file may print them

bool Finite(const Vector3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

[[noreturn]] void Refuse(const std::string& what, const std::string& name, const std::string& why) {
  throw ModelError(what + " '" + name + "' " + why);
}

void CheckName(const std::string& what, const std::string& name, std::set<std::string>& names) {
  if (name.empty()) throw ModelError("a " + what + " has no name: every " + what + " needs one.");
  if (!names.insert(name).second) Refuse(what, name, "occurs twice: names must be unique.");
}

void CheckUnit(const std::string& what, const std::string& name, const Quaternion& q,
               const std::string& which) {
  const double norm = Norm(q);
  if (!std::isfinite(norm) || std::abs(norm - 1) > kUnitTolerance) {
    Refuse(what, name,
           "has a " + which + " of norm " + std::to_string(norm) +
               ": a unit quaternion is needed (to 1e-6).");
  }
}

void CheckBody(const Body& body) {
  if (!std::isfinite(body.mass) || body.mass < 0) {
    Refuse("body", body.name,
           "has mass " + std::to_string(body.mass) + " kg: a finite mass >= 0 is needed.");
  }
  const Eigen::Matrix3d inertia = ToEigen(body.inertia);
  if (!inertia.allFinite()) Refuse("body", body.name, "has an inertia that is not finite.");
  const double scale = inertia.cwiseAbs().maxCoeff();
  const double slack = 1e-12 * scale;
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > slack) {
    Refuse("body", body.name, "has an inertia matrix that is not symmetric.");
  }
  const Eigen::Vector3d principal =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  if (principal[0] < -slack)
    Refuse("body", body.name, "has a negative principal moment of inertia.");
  if (principal[2] > principal[0] + principal[1] + 4 * slack) {
    Refuse("body", body.name,
           "has an inertia that violates the triangle inequality: no principal moment may exceed "
           "the sum of "
           "the other two.");
  }
}

void CheckFrames(const Joint& joint) {
  for (const Frame* frame : {&joint.parent_frame, &joint.child_frame}) {
    const char* side = frame == &joint.parent_frame ? "parent frame" : "child frame";
    if (!Finite(frame->position)) {
      Refuse("joint", joint.name, std::string("has a ") + side + " whose position is not finite.");
    }
    CheckUnit("joint", joint.name, frame->orientation, std::string(side) + " orientation");
  }
}

}  // namespace

void Validate(const System& system) {
  const auto n = static_cast<int>(system.bodies.size());
  if (n == 0) throw ModelError("the system has no body.");
  if (!Finite(system.gravity)) throw ModelError("gravity is not finite.");
  const auto is_body_or_ground = [n](int b) { return b >= kGround && b < n; };

  std::set<std::string> body_names, joint_names, element_names;
  for (const Body& body : system.bodies) {
    CheckName("body", body.name, body_names);
    CheckBody(body);
  }
  for (const Joint& joint : system.joints) {
    CheckName("joint", joint.name, joint_names);
    CheckFrames(joint);
    if (joint.type == JointType::kDistance) {
      Refuse("joint", joint.name, "is a distance joint: distance joints close loops only.");
    }
  }
  for (const Joint& joint : system.loop_joints) {
    CheckName("joint", joint.name, joint_names);
    CheckFrames(joint);
    if (joint.type == JointType::kFree) {
      Refuse("joint", joint.name, "is free and so closes no loop: leave it out.");
    }
    if (!is_body_or_ground(joint.parent) || joint.child < 0 || joint.child >= n) {
      Refuse("joint", joint.name, "names a body that does not exist.");
    }
    if (joint.parent == joint.child) Refuse("joint", joint.name, "joins a body to itself.");
    if (joint.type == JointType::kDistance && !(std::isfinite(joint.length) && joint.length > 0)) {
      Refuse("joint", joint.name, "needs a length > 0.");
    }
  }
  TopologyOf(system);

  for (const SpringDamper& e : system.spring_dampers) {
    CheckName("force element", e.name, element_names);
    if (!is_body_or_ground(e.body_a) || !is_body_or_ground(e.body_b)) {
      Refuse("spring-damper", e.name, "names a body that does not exist.");
    }
    if (e.body_a == e.body_b) Refuse("spring-damper", e.name, "joins a body to itself.");
    if (!Finite(e.point_a) || !Finite(e.point_b) || !std::isfinite(e.stiffness) ||
        !std::isfinite(e.damping) || !std::isfinite(e.free_length)) {
      Refuse("spring-damper", e.name, "has a value that is not finite.");
    }
  }
  for (const JointSpringDamper& e : system.joint_spring_dampers) {
    CheckName("force element", e.name, element_names);
    if (e.joint < 0 || e.joint >= static_cast<int>(system.joints.size())) {
      Refuse("joint spring", e.name, "names a joint that does not exist.");
    }
    const JointType type = system.joints[static_cast<std::size_t>(e.joint)].type;
    if (type != JointType::kRevolute && type != JointType::kPrismatic) {
      Refuse("joint spring", e.name, "acts on a joint that is neither revolute nor prismatic.");
    }
    if (!std::isfinite(e.stiffness) || !std::isfinite(e.damping) ||
        !std::isfinite(e.free_coordinate)) {
      Refuse("joint spring", e.name, "has a value that is not finite.");
    }
  }
  for (const AppliedForce& e : system.applied_forces) {
    CheckName("force element", e.name, element_names);
    if (e.body < 0 || e.body >= n) Refuse("force", e.name, "acts on a body that does not exist.");
    if (!Finite(e.point) || !Finite(e.force) || !Finite(e.moment)) {
      Refuse("force", e.name, "has a value that is not finite.");
    }
  }
}

void Validate(const System& system, const JointState& state) {
  const JointOffsets at = OffsetsOf(system);
  if (state.q.size() != static_cast<std::size_t>(at.q.back()) ||
      state.u.size() != static_cast<std::size_t>(at.u.back())) {
    throw ModelError("the joint state has " + std::to_string(state.q.size()) + " coordinates and " +
                     std::to_string(state.u.size()) + " rates; the system needs " +
                     std::to_string(at.q.back()) + " and " + std::to_string(at.u.back()) + ".");
  }
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    for (int k = at.q[j]; k < at.q[j + 1]; ++k) {
      if (!std::isfinite(state.q[static_cast<std::size_t>(k)])) {
        Refuse("joint", joint.name, "starts at a coordinate that is not finite.");
      }
    }
    for (int k = at.u[j]; k < at.u[j + 1]; ++k) {
      if (!std::isfinite(state.u[static_cast<std::size_t>(k)])) {
        Refuse("joint", joint.name, "starts with a rate that is not finite.");
      }
    }
    if (joint.type == JointType::kBall || joint.type == JointType::kFree) {
      const double* q =
          &state.q[static_cast<std::size_t>(at.q[j] + (joint.type == JointType::kFree ? 3 : 0))];
      CheckUnit("joint", joint.name, {q[0], q[1], q[2], q[3]}, "initial quaternion");
    }
  }
}

}  // namespace mbsbench
