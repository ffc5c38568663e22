// A rigid body in a random state, and the laws of mechanics written out in space for it, for any
// dimension of the element under test.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <type_traits>
#include <vector>

#include "methods/transfer_elements/body_transfer.h"
#include "problems/test_systems/random_trees.h"
#include "tests/support/worst.h"

namespace mbsbench {

inline Eigen::Vector3d AccelerationOfPoint(const Eigen::Vector3d& a, const Eigen::Vector3d& alpha,
                                           const Eigen::Vector3d& omega,
                                           const Eigen::Vector3d& arm) {
  return a + alpha.cross(arm) + omega.cross(omega.cross(arm));
}

// A state vector in space.
struct PointState {
  Eigen::Vector3d a, alpha, m, q;
};

template <int Dimension>
Eigen::Vector3d InSpace(const Eigen::VectorXd& v) {
  if (Dimension == 3) return {v[0], v[1], v[2]};
  return v.size() == 1 ? Eigen::Vector3d(0, 0, v[0]) : Eigen::Vector3d(v[0], v[1], 0);
}

template <int Dimension>
PointState SplitState(const Eigen::VectorXd& z) {
  using L = StateLayout<Dimension>;
  return {InSpace<Dimension>(z.segment(L::kA, L::kTranslations)),
          InSpace<Dimension>(z.segment(L::kAlpha, L::kRotations)),
          InSpace<Dimension>(z.segment(L::kM, L::kRotations)),
          InSpace<Dimension>(z.segment(L::kQ, L::kTranslations))};
}

template <int Dimension>
typename TransferTypes<Dimension>::State MakeRandomState(RandomNumbers& random) {
  typename TransferTypes<Dimension>::State z;
  for (double& v : z) v = random.Between(-1, 1);
  z[z.size() - 1] = 1;
  return z;
}

template <int Dimension>
struct RandomBody {
  double mass = 0;
  Eigen::Vector3d mass_centre, output, omega, force, moment;
  std::vector<Eigen::Vector3d> inputs;
  Eigen::Matrix3d inertia;  // about the mass centre

  Eigen::Matrix3d InertiaAboutFirstInput() const {
    const Eigen::Vector3d r = mass_centre - inputs[0];
    return inertia + mass * (r.dot(r) * Eigen::Matrix3d::Identity() - r * r.transpose());
  }

  BodyInstant<Dimension> Instant() const {
    using L = StateLayout<Dimension>;
    BodyInstant<Dimension> b;
    b.mass = mass;
    b.r_IC = (mass_centre - inputs[0]).template head<Dimension>();
    b.r_IO = (output - inputs[0]).template head<Dimension>();
    b.J_I = InertiaAboutFirstInput().template bottomRightCorner<L::kRotations, L::kRotations>();
    b.Omega = omega.template tail<L::kRotations>();
    b.f_C = force.template head<Dimension>();
    b.m_C = moment.template tail<L::kRotations>();
    return b;
  }

  std::vector<Eigen::Matrix<double, Dimension, 1>> FurtherInputs() const {
    std::vector<Eigen::Matrix<double, Dimension, 1>> arms;
    for (std::size_t k = 1; k < inputs.size(); ++k)
      arms.push_back((inputs[k] - inputs[0]).template head<Dimension>());
    return arms;
  }

  // Residual of Newton's and Euler's equations about the mass centre. At an input end q acts along
  // the axes and m against them, at the output end the other way round.
  double EquationsOfMotion(const std::vector<PointState>& in, const PointState& out) const {
    const Eigen::Vector3d& alpha = in[0].alpha;
    const Eigen::Vector3d a_C = AccelerationOfPoint(in[0].a, alpha, omega, mass_centre - inputs[0]);
    Eigen::Vector3d total = force - out.q;
    Eigen::Vector3d about_C = moment + out.m + (output - mass_centre).cross(-out.q);
    for (std::size_t k = 0; k < in.size(); ++k) {
      total += in[k].q;
      about_C += -in[k].m + (inputs[k] - mass_centre).cross(in[k].q);
    }
    double residual = 0;
    Raise(residual, {(total - mass * a_C).norm(),
                     (about_C - inertia * alpha - omega.cross(inertia * omega)).norm()});
    return residual;
  }
};

template <int Dimension>
RandomBody<Dimension> MakeRandomBody(RandomNumbers& random, int inputs) {
  const auto point = [&random] {
    const Vector3 v = random.Vector(1);
    return Eigen::Vector3d(v.x, v.y, Dimension == 3 ? v.z : 0);
  };
  RandomBody<Dimension> body;
  body.mass = random.Between(0.5, 2);
  body.mass_centre = point();
  body.output = point();
  for (int k = 0; k < inputs; ++k) body.inputs.push_back(point());
  body.force = point();
  const Eigen::Matrix3d r =
      Eigen::Matrix3d::NullaryExpr([&random] { return random.Between(-0.5, 0.5); });
  body.inertia = r * r.transpose() + 0.1 * Eigen::Matrix3d::Identity();
  if (Dimension == 2) body.inertia = Eigen::Vector3d(body.inertia.diagonal()).asDiagonal();
  const auto turning = [&random] {
    const Vector3 v = random.Vector(1);
    return Dimension == 3 ? Eigen::Vector3d(v.x, v.y, v.z) : Eigen::Vector3d(0, 0, v.z);
  };
  body.omega = turning();
  body.moment = turning();
  return body;
}

}  // namespace mbsbench
