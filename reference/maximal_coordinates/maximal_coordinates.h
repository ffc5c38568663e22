// Accelerations and joint reactions in maximal coordinates: every body has six coordinates, every
// joint is a constraint.
//
//   M a + G' lambda = f        Newton-Euler of all bodies           a: linear, then angular
//   acceleration per body
//            G a    = gamma    joints, differentiated twice         lambda: one multiplier per
//            forbidden direction
//
// Block LDL' in leaf-to-root order. A body b and the multipliers of its parent joint j are one
// pivot block,
//
//       K = [ M_b   G_b' ]      G_b, G_p: rows of joint j on body b and on its parent p;
//           [ G_b   0    ]      M_b, f_b: of body b with all its subtrees eliminated,
//
// so that bodies without mass or inertia need no inverse of M; inside the block rows are pivoted.
// With Y = the rows and columns of K^-1 that belong to lambda, elimination leaves on the parent
//
//       M_p <- M_p - G_p' Y G_p,       f_p <- f_p - G_p' lambda_0,      (a_0, lambda_0) = K^-1
//       (f_b, gamma_j)
//
// and substitution from the root gives (a_b, lambda_j) = (a_0, lambda_0) - K^-1 (0, G_p a_p). There is no fill-in, and the cost is
// linear in bodies. K is singular exactly if the subtree has no inertia about the free directions of its joint. A subtree that loops
// alone hold there, such as a massless rod whose end is cut, has accelerations all the same: then all equations, with the rows L that
// are kept, are solved as one dense matrix by elimination with complete pivoting, of up to 400 unknowns. Loop joints, with rows
// L: the columns of L' are carried through the same elimination, and L a = gamma_L is solved by a dense Cholesky factorisation of L
// (G, M)^-1 L' over the rows that are independent by geometry (independent_rows.h); the multipliers of the others are 0. The solution
// of a single evaluation is refined iteratively, so that it has many correct digits even with arms of 1e10 m and radii of 1 cm. A
// factorisation of the sparse equations in double precision is therefore sufficient. It is tried first for many loops whose rows are
// clearly independent: residuals are computed in 113 bits, and its cost is linear in bodies if few loops are coupled at a time.
//
// The redundancy of rows is a property of states with closed loops. At other states (between the
// stages of a step) redundant rows may be independent and contradict each other, as in Bricard's
// mechanism. An integration therefore selects rows at a closed state and keeps them for the step:
// they imply the dropped rows along the motion, up to the last places of the data, and the vector field stays smooth. Their number
// is that of the start.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/numerics/dense.h"
#include "reference/system/constraints.h"
#include "reference/system/extended_system.h"
#include "reference/system/independent_rows.h"

namespace mbsbench::extended {

struct Dynamics {
  std::vector<Vec6> accelerations;                  // per body
  std::vector<Vec6> multipliers, loop_multipliers;  // per joint; rows as in JointRows
};

class MaximalCoordinates {
 public:
  explicit MaximalCoordinates(const System& system);

  const SystemData& system() const { return system_; }

  // Sets the drivers to the time t; initially 0.
  void SetTime(Real t) { system_.SetTime(t); }

  // Angles to which the angles of joint springs are nearest; FollowSprings updates them with the
  // motion.
  void StartSpringsAt(const JointState& joints);
  void FollowSprings(const Motion& motion);
  const std::vector<Real>& spring_angles() const { return spring_angles_; }

  // From now on keeps only these loop rows.
  void KeepLoopRows(std::vector<LoopRow> rows) { selected_ = std::move(rows); }
  // From now on keeps rows that are independent at this motion, which closes the loops; as many as before, if rows are kept.
  // Returns whether they are others than before.
  bool SelectLoopRows(const Motion& motion);
  // From now on as many loop rows are independent as these; they are selected at each motion.
  void KeepRankOf(std::vector<LoopRow> rows) { held_ = std::move(rows); }

  // Throws ModelError with the joint's name if its subtree has no inertia about the joint's free
  // directions.
  Dynamics Accelerate(const Motion& motion);

  // dy/dt of the packed motion y.
  void Evaluate(const std::vector<Real>& y, std::vector<Real>& ydot);

  // Moves a motion that has drifted onto the joints' position and velocity constraints, by the
  // least mass-weighted change; normalises quaternions.
  void Project(Motion& motion);

  // Largest position and velocity residual of all tree joints and of the selected loop rows, in L and L/T.
  Real Drift(const Motion& motion, const Scales& scales = {}) const;

  // Which components of the reactions (of tree joints, then loop joints; force, then moment about the child's joint point, in
  // inertial axes) redundant loop joints leave undetermined at the last evaluation; for all loop rows, so only valid before
  // SelectLoopRows.
  const std::vector<std::array<bool, 6>>& undetermined() const { return undetermined_; }
  // Whether a solution so far eliminated no tree, because loops alone hold one of its subtrees.
  bool solved_whole() const { return solved_whole_; }
  // Whether they leave the effort of a driver undetermined, per tree joint.
  const std::vector<bool>& undetermined_efforts() const { return undetermined_efforts_; }

 private:
  using Block6 = std::array<Vec6, 6>;
  // Right sides (f per body, gamma per joint), which a solution (a, lambda) replaces.
  struct Column {
    std::vector<Vec6> bodies, joints;
  };
  struct Eliminated {  // data of a pivot block for back substitution
    std::array<std::array<Real, kMostRows>, 12> inverse;  // columns of K^-1 that belong to lambda
  };

  // A change of the multipliers that leaves the motion as it is.
  struct Change {
    std::vector<Vec6> joints, loop_joints;
  };

  std::vector<LoopRow> AllLoopRows() const;
  void Linearise(const Motion& motion);
  // Returns the first body whose block K is singular, kGround if there is none.
  int SolveTree(std::vector<Column>& columns);
  bool EliminateBody(int body, std::vector<Column>& columns);
  [[noreturn]] void RefuseSubtree(int body) const;
  const std::string& JointOf(int body) const;
  // Solves the equations without the tree's elimination, which fails at `body`: the first of `columns` and the first `kept` of `rows`,
  // whose right sides `loop` are replaced by multipliers; and the changes by each of the other rows, which are dropped.
  void SolveWhole(int body, const std::vector<LoopRow>& rows, std::size_t kept,
                  std::vector<Column>& columns, std::vector<Vec6>& loop,
                  std::vector<Change>& changes) const;
  // The columns of L' for `rows`, after the first of `columns`; after SolveTree their Schur
  // complement.
  void AppendLoopColumns(const std::vector<LoopRow>& rows, std::vector<Column>& columns) const;
  Real Along(const LoopRow& row, const Column& column) const;
  // Solves tree and loop joints; `gamma` of the loop joints is replaced by their multipliers.
  void Solve(const Motion& motion, Column& column, std::vector<Vec6>& loop);
  void ClearUndetermined();
  std::vector<Change> ChangesByDroppedRows(const std::vector<LoopRow>& rows,
                                           const PivotedCholesky& kept,
                                           const std::vector<Column>& loop_columns) const;
  void MarkUndetermined(const Motion& motion, const std::vector<Change>& changes);
  Dynamics Refine(const Motion& motion, const Column& right, const std::vector<Vec6>& loop_right);
  // Solves by `solve` and refines until the residual vanishes. Returns the last change of the accelerations relative to the
  // largest one.
  template <class Solver>
  Real RefineBy(const Solver& solve, Real typical, const Column& right,
                const std::vector<Vec6>& loop_right, Dynamics& sum) const;
  // A typical acceleration, with which round-off is compared [m/s^2].
  Real TypicalAcceleration(const Motion& motion, const Column& right) const;
  // False if the rows of the loops may be dependent or double precision is not sufficient.
  bool SolveSparsely(const Motion& motion, Real typical, const Column& right,
                     const std::vector<Vec6>& loop_right, Dynamics& solution);
  void SetToResidual(const Dynamics& solution, const Column& right,
                     const std::vector<Vec6>& loop_right, Column& residual,
                     std::vector<Vec6>& loop_residual) const;
  Real SizeOf(const std::vector<Vec6>& accelerations) const;
  template <class Member>
  void Correct(const Motion& motion, Member residual, Column& column);

  SystemData system_;
  std::vector<Real> spring_angles_;
  // Within a body; the largest radius of gyration if there are no arms [m].
  double longest_arm_ = 0;
  std::vector<Mat3> rotations_;
  std::vector<Mat3> inertias_;  // inertial axes
  std::vector<JointRows> rows_, loop_rows_;
  std::optional<std::vector<LoopRow>> selected_, held_;
  std::optional<IndependentRows> independent_;  // at the motion of the last Linearise
  std::vector<Block6> masses_;
  std::vector<Eliminated> eliminated_;
  std::vector<Real> scratch_;
  std::vector<std::array<bool, 6>> undetermined_;
  std::vector<bool> undetermined_efforts_;
  bool solved_whole_ = false;
  Motion motion_;
};

}  // namespace mbsbench::extended
