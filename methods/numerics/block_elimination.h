// The equations of motion in absolute coordinates, factorised in the blocks of bodies and joints:
//
//   [ M  G' ] [ V' ]   [ Q      ]     M positive definite, one 6 x 6 block per body; G one block of rows per joint    (1)
//   [ G  0  ] [ mu ] = [ -gamma ]     and each of its two bodies; mu = -lambda
//
// Nodes, which are bodies and joints, leave one after the other. With A_kk = L D L' the pivot of node k (D positive of a body,
// negative of a joint) and W_j = L^-1 A_kj its couplings,
//
//   A_ij -= W_i' D^-1 W_j                                                                                            (2)
//
// for all i, j that k is coupled with. A body leaves at any time: what is left of M stays positive definite. The block of a joint
// is minus the compliance that the bodies that left give its rows. It leaves as soon as that is enough: where constraints
// that left before have taken nearly all of a row away, it waits for more bodies. So on a tree each body leaves after its subtree
// and its joint after it, which is the recursion of articulated inertias with the multipliers kept, and a loop's joint leaves where
// both of its branches move it. Of those that may leave the one with the fewest couplings is next (minimum degree), of equals the
// deepest. The order is that of one state; in others pivots are watched.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "methods/interface/operation_count.h"
#include "methods/numerics/constraint_matrix.h"
#include "methods/numerics/eight_lanes.h"

namespace mbsbench::absolute {

class BlockElimination {
 public:
  using BodyBlock = Eigen::Matrix<double, kRates, kRates>;

  explicit BlockElimination(const AbsoluteConstraints& constraints,
                            std::span<const BodyBlock> mass);

  // The order, from the rows of a state. False where none of few couplings keeps pivots apart from round-off: constraints depend on
  // each other, or nearly.
  bool Plan(std::span<const ConstraintJacobian> rows);
  bool has_plan() const { return has_plan_; }

  // False where a pivot is too small; the factors are of no use then. `rows` have to stay until the last Solve.
  bool Factorise(std::span<const ConstraintJacobian> rows);
  // Overwrites b = (Q of each body, then -gamma of each joint, its rows alone) by (V', mu). Where little is left of a row's
  // compliance the solution is corrected once by what it leaves of the equations.
  void Solve(std::span<double> b);

  // Of one factorisation and one solution.
  OperationCount CountOperations() const;

 private:
  using Row = Eight;  // six columns, and two that fill a vector register
  struct Coupling {
    int node, size;
    int rows;  // where W begins
  };
  struct Step {
    int node, size;
    int pivot;  // where the rows of L' begin
    int first_coupling, last_coupling, first_target;
  };
  // Where a joint's rows are put: under the one of body and joint that leaves first.
  struct Place {
    int rows = -1;
    bool is_body_first = false;
  };

  template <int size>
  bool Eliminate(const Step& step);
  template <int size>
  void Forward(const Step& step);
  template <int size>
  void Backward(const Step& step);
  void SolveOnce(std::span<double> b);
  // Takes (1) applied to x from b.
  void TakeProduct(std::span<const double> x, std::span<double> b) const;
  void Lay(std::span<const int> order, std::span<const std::vector<int>> coupled);

  struct Joint {
    int size;
    std::array<int, 2> bodies;  // parent, child; kGround
    bool is_loop;
  };
  std::vector<BodyBlock> mass_;
  std::vector<Joint> joints_;
  std::vector<int> depth_;  // per node
  int bodies_;

  bool has_plan_ = false;
  std::vector<Step> steps_;
  std::vector<Coupling> couplings_;
  std::vector<int> targets_;     // rows of A_ij for each pair of couplings of a step, i not after j
  std::vector<int> pivot_rows_;  // per node
  std::vector<std::array<Place, 2>> places_;
  std::vector<Row> rows_;
  std::vector<Row> compliance_;  // per joint, of its rows: what bodies gave
  std::vector<Row> b_;           // per node
  std::span<const ConstraintJacobian> given_;
  double least_ = 1;  // of compliance that is left
  std::vector<double> left_;
};

}  // namespace mbsbench::absolute
