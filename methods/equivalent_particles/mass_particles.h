// The equivalent particles of a rigid mass distribution (Attia 2002, eqs 1 to 8 and 23 to 27).
//
// k primary particles at chosen points r_i (k = 4, 3, 2 or 1) and secondary ones half-way between
// each pair reproduce mass m, mass centre r_G and inertia. The ten conditions (1) to (8) are the
// moments of order 0, 1 and 2; in the barycentric coordinates lambda_i of the primary points, which
// add up to 1, all ten are of order 2:
//
//   sum over particles of m lambda_i lambda_j  =  integral of lambda_i lambda_j dm  =: B_ij
//
// A primary particle i has lambda_i = 1, the secondary one between i and j has lambda_i = lambda_j =
// 1/2, so the linear system is solved by
//
//   m_ij = 4 B_ij,      m_i = B_ii - sum_j m_ij / 4.
//
// With the secondary particles eliminated, the masses of eqs 25 and 27 (the paper prints one symbol
// for both) are
//
//   eq. 25  m_i + sum_j m_ij / 2 = sum_j B_ij     (force sums)
//   eq. 27  m_i + sum_j m_ij / 4 = B_ii           (moment sums; m_ij / 4 = B_ij beside it)
//
// Negative masses are valid: only the sums matter.
#pragma once

#include <Eigen/Dense>
#include <cstddef>
#include <span>
#include <string>

#include "problems/model/system.h"

namespace mbsbench::equivalent_particles {

using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::Vector3d;
using Eigen::Vector4d;

inline constexpr int kMostParticles = 4;

// An index of nodes, slots, particles or bodies.
inline std::size_t At(int i) { return static_cast<std::size_t>(i); }

// Affine coordinates of a body in its primary particles: the fixed combination of them for a point
// or a direction of the body.
class AffineFrame {
 public:
  // Up to four points. Throws ModelError with `body`'s name when they are nearly coplanar (four),
  // collinear (three) or coincident (two): masses and directions would lose digits.
  AffineFrame(std::span<const Vector3d> points, const std::string& body);

  int count() const { return count_; }
  // Weights of a point in the points' affine hull, with the sum 1.
  Vector4d OfPoint(const Vector3d& point) const;
  // Weights of a direction, with the sum 0.
  Vector4d OfDirection(const Vector3d& direction) const;

 private:
  int count_;
  Vector3d origin_;
  Matrix3d inverse_ = Matrix3d::Zero();  // (count - 1) x 3: coordinates along r_i - r_1
};

// The matrix B of a body with its mass centre at `centre`; `axes` rotates its axes into those of
// the frame's points.
Matrix4d SecondMoments(const AffineFrame& frame, const Body& body, const Vector3d& centre,
                       const Matrix3d& axes);

// integral of x x' dm about the mass centre: (tr J / 2) 1 - J. Its range is the directions in which
// the body's mass extends.
Matrix3d EulerTensor(const Matrix3& inertia);

}  // namespace mbsbench::equivalent_particles
