// Force elements in absolute coordinates: generalised forces of joint springs, and the exact
// derivatives of all force laws. (The values of spring-dampers, applied forces and ground springs
// come from methods/kinematics/force_elements.)
//
// These three see the normalised quaternion q/|q|, as the contract's laws
// want a rotation; the derivatives include that normalisation.
#pragma once

#include "methods/cartesian_dae/pair_vector.h"
#include "problems/model/system.h"

namespace mbsbench::cartesian {

// The motion with its quaternion normalised.
BodyMotion Normalised(const BodyMotion& body);

// Derivative of the force (rows v) and the moment (rows omega) on bodies a (as parent) and b (as
// child).
void DifferentiateSpringDamper(const SpringDamper& element, const BodyMotion& a,
                               const BodyMotion& b, PairMatrix& matrix);

// The same of an applied force on a body alone: fills the columns q of the first body.
void DifferentiateAppliedForce(const AppliedForce& element, const BodyMotion& body,
                               PairMatrix& matrix);

// The same of a ground spring, with the ground as parent and the body as child.
void DifferentiateGroundSpring(const GroundSpring& element, const BodyMotion& body,
                               PairMatrix& matrix);

// Spring and damper on the coordinate of a revolute or prismatic joint. The revolute's angle is
// read off the relative quaternion, and its turns are counted from an angle that was seen before
// (methods/kinematics/followed_angles.h); its moment acts about the axis as each body carries it, which
// is one axis at a solution.
class JointSpring {
 public:
  JointSpring(const JointSpringDamper& element, const Joint& joint);

  // `last`: the angle seen before, and then the one here. Of a prismatic joint it is left alone.
  void AddForceTo(const BodyMotion& parent, const BodyMotion& child, double& last,
                  PairForce& force) const;
  double Rate(const BodyMotion& parent, const BodyMotion& child) const;
  void Differentiate(const BodyMotion& parent, const BodyMotion& child, PairMatrix& matrix) const;

 private:
  struct Coordinate {
    double value, rate;  // angles in (-pi, pi]
  };
  Coordinate Evaluate(const BodyMotion& parent, const BodyMotion& child) const;
  Coordinate Evaluate(const BodyMotion& parent, const BodyMotion& child, PairRow& value_u,
                      PairRow& rate_u) const;

  JointSpringDamper element_;
  bool is_revolute_;
  Vector4d parent_frame_, child_frame_;  // joint axes -> body axes
  Vector3d parent_axis_, child_axis_;    // z of the joint frames in body axes
  PairVector displacement_, direction_;  // of a prismatic joint: d and z_p, coordinate d.z_p
};

}  // namespace mbsbench::cartesian
