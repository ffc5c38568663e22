// Laws of force elements on vectors, with exact derivatives: for formulations that write the vectors
// in absolute or in particle coordinates. Unused parts of a result cost nothing.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <cmath>

#include "methods/kinematics/spring_law.h"
#include "problems/model/eigen.h"
#include "problems/model/system.h"

namespace mbsbench {

// A force that depends on a vector and its rate.
struct VectorForce {
  Eigen::Vector3d force;
  Eigen::Matrix3d by_value, by_rate;
};

// The force on point b along the line from a to b; the opposite acts on a. Where the points coincide the damper acts along their
// relative velocity, and the force of a spring without free length, -k times the line, is zero.
inline VectorForce SpringDamperForce(const SpringDamper& element, const Eigen::Vector3d& line,
                                     const Eigen::Vector3d& rate) {
  const double length = line.norm();
  if (length == 0) {
    const Eigen::Vector3d along = rate.normalized();  // zero for a zero
    return {-element.damping * rate,
            (element.free_length == 0 ? -element.stiffness : 0) * Eigen::Matrix3d::Identity(),
            -element.damping * along * along.transpose()};
  }
  const double inverse = 1 / length;
  const Eigen::Vector3d unit = inverse * line;
  const double push = SpringForce(element, length, unit.dot(rate));
  const Eigen::Matrix3d unit_by = inverse * (Eigen::Matrix3d::Identity() - unit * unit.transpose());
  return {push * unit,
          -unit * (element.stiffness * unit + element.damping * unit_by * rate).transpose() +
              push * unit_by,
          -element.damping * unit * unit.transpose()};
}

// As a function of the point's position.
inline VectorForce GroundSpringForce(const GroundSpring& element, const Eigen::Vector3d& position,
                                     const Eigen::Vector3d& rate) {
  const Eigen::Vector3d n = ToEigen(element.direction);
  const double push = SpringForce(element, n.dot(position), n.dot(rate));
  return {push * n, -element.stiffness * n * n.transpose(), -element.damping * n * n.transpose()};
}

// A joint coordinate as a function of two or three vectors, and its gradients with respect to them.
// The gradient of the rate with respect to the vectors' rates equals that of the value.
struct VectorCoordinate {
  static constexpr std::size_t kVectors = 3;
  double value = 0, rate = 0;  // an angle in (-pi, pi]
  std::array<Eigen::Vector3d, kVectors> by, rate_by;
};

// The angle of x_c relative to x_p and y_p as a function of these three: with c = x_c.x_p and s =
// x_c.y_p q = atan2(s, c), q' = (c s' - s c') / (c^2 + s^2).
inline VectorCoordinate AngleOf(const std::array<Eigen::Vector3d, 3>& vectors,
                                const std::array<Eigen::Vector3d, 3>& rates) {
  using Eigen::Vector3d;
  const auto& [x_c, x_p, y_p] = vectors;
  const auto& [x_c_rate, x_p_rate, y_p_rate] = rates;
  const double c = x_c.dot(x_p), s = x_c.dot(y_p), square = c * c + s * s;
  const double c_rate = x_c_rate.dot(x_p) + x_c.dot(x_p_rate);
  const double s_rate = x_c_rate.dot(y_p) + x_c.dot(y_p_rate);
  VectorCoordinate q;
  q.value = std::atan2(s, c);
  q.rate = (c * s_rate - s * c_rate) / square;
  // The gradients of c and s by a vector are those of c' and s' by its rate.
  const auto set = [&](std::size_t k, const Vector3d& c_by, const Vector3d& s_by,
                       const Vector3d& c_rate_by, const Vector3d& s_rate_by) {
    q.by[k] = (c * s_by - s * c_by) / square;
    q.rate_by[k] = (c_by * s_rate + c * s_rate_by - s_by * c_rate - s * c_rate_by) / square -
                   2 * q.rate / square * (c * c_by + s * s_by);
  };
  const Vector3d zero = Vector3d::Zero();
  set(0, x_p, y_p, x_p_rate, y_p_rate);
  set(1, x_c, zero, x_c_rate, zero);
  set(2, zero, x_c, zero, x_c_rate);
  return q;
}

// The displacement d.z_p, by d and z_p.
inline VectorCoordinate DisplacementOf(const std::array<Eigen::Vector3d, 3>& vectors,
                                       const std::array<Eigen::Vector3d, 3>& rates) {
  const auto& [d, z, none] = vectors;
  const auto& [d_rate, z_rate, no_rate] = rates;
  const Eigen::Vector3d zero = Eigen::Vector3d::Zero();
  return {d.dot(z), d_rate.dot(z) + d.dot(z_rate), {z, d, zero}, {z_rate, d_rate, zero}};
}

}  // namespace mbsbench
