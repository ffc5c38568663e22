// A system in natural coordinates: the points and vectors that describe its bodies, and the constraints among them.
//
// The frame of a body is D = [r d_1 d_2 d_3], its mass centre and axes. Its basis are four columns X_a = D c_a, each a basic
// point, c_a = (1; place), or a vector, c_a = (0; direction x length), in body axes from the mass centre:
//   D = X C^-1,   a material point at xi: X N,   N = C^-1 (1; xi)                                 (1)
//   kinetic energy 1/2 sum_ab M_ab X_a'.X_b',   M = C^-1 diag(m, E) C^-T,   E = tr(J)/2 I - J     (2)
// Vectors have the length of their body, so that all unknowns are lengths; M is constant.
//
// Neighbours share columns: a ball joint its point, a revolute joint its point and its axis, a joint that keeps axes parallel
// its axis, a fixed joint all four; those of the ground do not move. A shared column is one unknown, and the joint's rows that
// it satisfies do not exist. Joints that close loops share nothing: their rows are all there, with multipliers.
//
// Constraints (natural_row.h): the six products of the three edges of each basis, unless neighbours share all that they contain; the
// rows of blocked_rows.h, with |d|^2 in place of |d|; those of drivers.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <span>
#include <vector>

#include "methods/interface/observation.h"
#include "methods/natural_coordinates/natural_row.h"
#include "problems/model/system.h"

namespace mbsbench::natural {

inline constexpr std::size_t kColumns = 4;

// A free point or vector: c_a on one of its bodies.
struct Unknown {
  int body;
  Eigen::Vector4d place;
};

struct Basis {
  std::array<int, kColumns> unknown{};  // of each column; -1: it is fixed in the ground
  Eigen::Matrix<double, 3, 4> fixed = Eigen::Matrix<double, 3, 4>::Zero();  // its value then
  Eigen::Matrix4d places, inverse;                                          // C, C^-1
  Eigen::Matrix4d mass;                                                     // M [kg]
};

class NaturalModel {
 public:
  explicit NaturalModel(const System& system);

  // In the order of their bodies from the root.
  std::span<const Unknown> unknowns() const { return unknowns_; }
  const Basis& basis(std::size_t body) const { return bases_[body]; }
  std::size_t bodies() const { return bases_.size(); }
  double mean_mass() const { return mean_mass_; }  // of bodies, with their inertia [kg]
  std::span<const NaturalRow> rows() const { return rows_; }

  // D of a body, or its rate if not `is_value`.
  template <class Real>
  Eigen::Matrix<Real, 3, 4> FrameOf(std::size_t body, const Column<Real>& x, bool is_value) const {
    const Basis& basis = bases_[body];
    Eigen::Matrix<Real, 3, 4> columns;
    for (std::size_t a = 0; a < kColumns; ++a) {
      const auto at = AsIndex(a);
      if (basis.unknown[a] >= 0)
        columns.col(at) = x.template segment<3>(3 * basis.unknown[a]);
      else if (is_value)
        columns.col(at) = basis.fixed.col(at).template cast<Real>();
      else
        columns.col(at).setZero();
    }
    return columns * basis.inverse.cast<Real>();
  }
  // Adds the generalised forces of forces on D.
  template <class Real>
  void AddForce(std::size_t body, const Eigen::Matrix<Real, 3, 4>& on_frame,
                Column<Real>& force) const {
    AddToColumns<Real>(body, on_frame * bases_[body].inverse.transpose().cast<Real>(), force);
  }
  // Adds those of forces on the columns of a body.
  template <class Real>
  void AddToColumns(std::size_t body, const Eigen::Matrix<Real, 3, 4>& on_columns,
                    Column<Real>& force) const {
    const Basis& basis = bases_[body];
    for (std::size_t a = 0; a < kColumns; ++a)
      if (basis.unknown[a] >= 0)
        force.template segment<3>(3 * basis.unknown[a]) += on_columns.col(AsIndex(a));
  }
  // M x.
  template <class Real>
  Column<Real> TimesMass(const Column<Real>& x) const {
    Column<Real> product = Column<Real>::Zero(x.size());
    for (const Basis& basis : bases_) {
      for (std::size_t a = 0; a < kColumns; ++a) {
        for (std::size_t b = 0; b < kColumns; ++b) {
          if (basis.unknown[a] < 0 || basis.unknown[b] < 0) continue;
          const Real mass(basis.mass(AsIndex(a), AsIndex(b)));
          product.template segment<3>(3 * basis.unknown[a]) +=
              mass * x.template segment<3>(3 * basis.unknown[b]);
        }
      }
    }
    return product;
  }
  // A point and an axis of a frame on a body or the ground, and the line from a joint's point on the parent to that on the child.
  AffineForm PointOf(int body, const Vector3& point) const;
  AffineForm AxisOf(int body, const Frame& frame, int axis) const;
  AffineForm LineOf(const Joint& joint) const;

  // Makes the gradients of all rows unit vectors at q.
  void ScaleRows(const Column<double>& q);
  // Sets the driven coordinates, as System::drivers.
  void Drive(std::span<const DriverObservation> drivers);

 private:
  using Taken = std::array<bool, kColumns>;
  // `joint` carries the body, `frames` are those of all joints on it.
  void ChooseBasis(const System& system, std::size_t body, const Joint& joint,
                   const std::vector<const Frame*>& frames, double length);
  void AddRigidity(std::size_t body, const Taken& shared);
  void AddJoint(const Joint& joint, int index, bool shares_point, bool shares_axis);
  void AddDriver(const System& system, const Driver& driver);
  void AddRow(NaturalRow row);
  // A point (1; xi) or a direction (0; xi).
  AffineForm FormOf(int body, const Eigen::Vector4d& place) const;
  // The column of a body or of the ground that is this point or direction, to round-off, with the sign and length of the column
  // relative to it; 0: none.
  struct Found {
    int unknown = -1;
    double factor = 0;
    Eigen::Vector3d fixed = Eigen::Vector3d::Zero();
  };
  Found Find(int body, const Eigen::Vector4d& place, double length) const;

  double mean_mass_ = 0;
  std::vector<Unknown> unknowns_;
  std::vector<Basis> bases_;
  std::vector<NaturalRow> rows_;
  struct Driven {
    std::size_t row;
    bool turns;
  };
  std::vector<Driven> driven_;
};

}  // namespace mbsbench::natural
