// The matrix of Newton's method for an implicit step in absolute coordinates. Unknowns are the change of V', the change x of the
// pose at the end, relative to a length s of the scheme, and those of lambda and, if it keeps velocities, of a second multiplier
// y:
//   [ m M + k D_t  s K_t      -G'   0      ] [ dV'     ]   [ residual of the equations of motion ]
//   [ -T           1           0    T W B' ] [ x       ]   [ 0                                   ]
//   [ 0            G           0    0      ] [ dlambda ] = [ -g / s                              ]
//   [ G            s/k N       0    0      ] [ y       ]   [ -(G V + g_t) / k                    ]
// with the damping D_t and the stiffness K_t of the equations of motion, the derivative N of G V + g_t by the pose, and the scheme's
// factors m, k, s, T and rows B. W = diag(1, 1/reach^2) per body (reach.h). All parts have the size of masses or rows for every
// step. The pose x is kept as an unknown, although the second row gives it: the matrix then couples neighbours only, and its
// factorisation costs O(n) on trees. Rows that are left out read dlambda = 0.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "methods/coordinates/body_dynamics.h"
#include "methods/interface/time_stepper.h"
#include "methods/numerics/sparse_lu.h"
#include "methods/numerics/sparse_pattern.h"

namespace mbsbench::absolute {

class StepMatrix {
 public:
  // `dynamics` must outlive this object.
  StepMatrix(const BodyDynamics& dynamics, bool keeps_velocities);

  // Takes the rows that are left out and a new order of pivots.
  void Start();

  // The matrix is written anew: Begin, then each body, the force elements and each joint, in their order.
  void Begin();
  // Adds m M of a body, with `by_spin` the rotational block of m M + k D_t, and T.
  void AddBody(std::size_t b, double m, const Matrix3d& by_spin, const Matrix3d& turn);
  void AddElements(double k, double s);
  // `by_pose`: the joint's part of s K_t; `velocity`: s/k N; `back`: B W T'.
  void AddJoint(std::size_t k, const PairMatrix& by_pose, const ConstraintJacobian& rows,
                const ConstraintJacobian& velocity, const ConstraintJacobian& back);

  // Names the joint or the body whose pivot vanishes.
  Status Factorise(WorkCounters& counters);
  // The right side becomes the solution.
  void Solve() { lu_->Solve(x_); }
  OperationCount CountOperations() { return lu_->CountOperations(); }

  // Entries of the right side, and of the solution: the change of V', x, and the multipliers.
  Eigen::Map<BodyVector> Rates(std::size_t b) {
    return Eigen::Map<BodyVector>(x_.data() + kPerBody * static_cast<int>(b));
  }
  Eigen::Map<BodyVector> Pose(std::size_t b) {
    return Eigen::Map<BodyVector>(x_.data() + kPerBody * static_cast<int>(b) + kPose);
  }
  double& Lambda(std::size_t k, int row) { return x_[At(rows_at_[k] + row)]; }
  double& Second(std::size_t k, int row) { return x_[At(rows_at_[k] + sizes_[k] + row)]; }
  bool IsLeftOut(std::size_t k, int row) const { return Holds(left_out_[k], row); }

 private:
  static constexpr int kPerBody = 2 * kRates, kPose = kRates;
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }

  // The entries in one fixed order: put(row, column, value).
  template <class Put>
  void PutBody(std::size_t b, double m, const Matrix3d& by_spin, const Matrix3d& turn,
               Put put) const;
  template <class Put>
  void PutPair(int parent, int child, int column, const PairMatrix& block, Put put) const;
  template <class Put>
  void PutJoint(std::size_t k, const ConstraintJacobian& rows, const ConstraintJacobian& velocity,
                const ConstraintJacobian& back, Put put) const;
  auto Entries() {
    return [this](int, int, double value) { values_[At(matrix_.place[entry_++])] += value; };
  }

  const BodyDynamics& dynamics_;
  const bool keeps_velocities_;
  std::vector<double> mass_;      // per body
  std::vector<int> rows_at_;      // lambda of each joint, then its second multiplier
  std::vector<int> sizes_;        // of each joint
  std::vector<RowSet> left_out_;  // of each joint, selected at the start
  CompressedPattern matrix_;
  std::size_t entry_ = 0;
  std::vector<double> values_, x_;
  std::unique_ptr<SparseLu> lu_;
  Pivots pivots_ = Pivots::kNewOrder;
};

}  // namespace mbsbench::absolute
