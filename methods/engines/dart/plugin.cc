#include "methods/interface/plugin.h"

#include <Eigen/Dense>
#include <dart/config.hpp>
#include <map>

#include "methods/engines/dart/dart_formulation.h"
#include "problems/model/eigen.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

Eigen::Isometry3d IsometryOf(const Frame& frame) {
  Eigen::Isometry3d isometry = Eigen::Isometry3d::Identity();
  isometry.linear() = ToEigen(DirectionCosineMatrix(frame.orientation));
  isometry.translation() = ToEigen(frame.position);
  return isometry;
}

// Inertia of bodies that are fixed to one another, about the origin and in the axes of the joint frame of
// the first, to which `joint` leads. What DART's recursion divides by is never less.
Eigen::Matrix3d InertiaBehind(const Joint& joint, const System& system,
                              const std::multimap<int, const Joint*>& fixed_to) {
  struct Placed {
    int body;
    Eigen::Isometry3d in_joint_frame;
  };
  std::vector<Placed> rest{{joint.child, IsometryOf(joint.child_frame).inverse(Eigen::Isometry)}};
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  while (!rest.empty()) {
    const auto [index, placed] = rest.back();
    rest.pop_back();
    const Body& body = system.bodies[static_cast<std::size_t>(index)];
    const Eigen::Vector3d r = placed.translation();
    sum += placed.linear() * ToEigen(body.inertia) * placed.linear().transpose() +
           body.mass * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
    for (auto [next, end] = fixed_to.equal_range(index); next != end; ++next) {
      const Joint& fixed = *next->second;
      rest.push_back({fixed.child, placed * IsometryOf(fixed.parent_frame) *
                                       IsometryOf(fixed.child_frame).inverse(Eigen::Isometry)});
    }
  }
  return sum;
}

// DART aborts the process where a joint can turn what has no inertia about its axis.
Verdict TurnsWithInertia(const System& system) {
  constexpr double kRoundOff = 1e-13;  // of the sum of the moments
  std::multimap<int, const Joint*> fixed_to;
  for (const Joint& joint : system.joints) {
    if (joint.type == JointType::kFixed) fixed_to.emplace(joint.parent, &joint);
  }
  for (const Joint& joint : system.joints) {
    if (joint.type == JointType::kFixed || joint.type == JointType::kPrismatic) continue;
    const Eigen::Matrix3d inertia = InertiaBehind(joint, system, fixed_to);
    const double least =
        joint.type == JointType::kRevolute || joint.type == JointType::kPlanar
            ? inertia(2, 2)
            : Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia, Eigen::EigenvaluesOnly)
                  .eigenvalues()[0];
    if (least > kRoundOff * inertia.trace()) continue;
    const Body& body = system.bodies[static_cast<std::size_t>(joint.child)];
    return Verdict::No("body '" + body.name + "' has no inertia about an axis about which joint '" +
                       joint.name + "' turns it, which DART does not support.");
  }
  return {};
}

Capabilities WhatItTakes() {
  using enum JointType;
  using enum ForceElement;
  using enum UnusualBody;
  return {
      .tree_joints = {{kBall, kRevolute, kPrismatic, kFixed, kFree, kUniversal, kPlanar}},
      .loop_joints =
          {.because = "DART's constraints act by impulses between steps of its own and pull errors "
                      "back by a spring of its choosing, so that there are no accelerations "
                      "to compare"},
      .force_elements = {{kSpringDamper, kJointSpringDamper, kAppliedForce, kGroundSpring, kMotor}},
      .drivers = {{MotionKind::kConstantRate}},
      .bodies = {{kPoint}, "DART needs a mass"},
      .motion_in_space = true,
  };
}

MethodEntry DartEntry() {
  MethodEntry entry;
  entry.key = "dart";
  entry.title = "DART " DART_VERSION;
  entry.source = "Lee, Grey, Ha et al., J. Open Source Software 3(22) (2018) 500";
  entry.description =
      "The engine DART as Debian packages it (generic processor, one thread): "
      "Skeleton::computeForwardDynamics, its articulated-body recursion, without World and "
      "contacts. All "
      "force elements are applied from our evaluation, because DART's own springs are implicit in "
      "its "
      "time step.";
  entry.origin = Origin::kEngine;
  entry.form = Form::kOde;
  entry.own_integration = OwnIntegration{"semi-implicit Euler of DART, fixed step", true, false, 1};
  entry.capabilities = WhatItTakes();
  entry.supports = [](const System& system, const MethodOptions&) {
    return TurnsWithInertia(system);
  };
  entry.prepare = [](const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
    try {
      return MakeDartFormulation(system);
    } catch (const std::exception& error) {
      throw ModelError(std::string("DART does not take this system: ") + error.what());
    }
  };
  return entry;
}

}  // namespace

}  // namespace mbsbench

MBSBENCH_PLUGIN("DART", mbsbench::DartEntry());
