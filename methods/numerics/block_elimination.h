// The equations of motion in absolute coordinates, factorised in the blocks of bodies and joints:
//
//   [ M  G' ] [ V' ]   [ Q      ]     M positive definite, one 6 x 6 block per body; G one block of rows per joint    (1)
//   [ G  0  ] [ mu ] = [ -gamma ]     and each of its two bodies; mu = -lambda
//
// Nodes (bodies and joints) are eliminated one after another. With A_kk = L D L' the pivot of node k (D positive of a body,
// negative of a joint) and W_j = L^-1 A_kj its couplings,
//
//   A_ij -= W_i' D^-1 W_j                                                                                            (2)
//
// for all i, j with which k is coupled. A body can be eliminated at any time: the remainder of M stays positive definite. The block
// of a joint is minus the compliance that the eliminated bodies give its rows. The joint is eliminated as soon as that is large
// enough; if earlier constraints have removed nearly all of a row, it waits for more bodies. On a tree each body is therefore
// eliminated after its subtree, and then its joint: this is the recursion of articulated inertias with the multipliers kept. The
// joint of a loop is eliminated where both of its branches can move it. Among the nodes that can be eliminated, the one with the
// fewest couplings is next (minimum degree), among equals the deepest. One state determines the order; at others the pivots are
// checked.
//
// harness/integrate/block_lu.h factorises Newton matrices, which are not symmetric: it could serve here, for twice the multiplications
// of L D L' and without the compliances by which a row is known to depend on others. This class could not serve there: no pivot has a
// sign. They share nothing but the loop over the node of the least degree, and no room that both may include.
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

  // Chooses the order from the rows at a state. False if no order with few couplings keeps the pivots above round-off: constraints
  // are dependent, or nearly so.
  bool Plan(std::span<const ConstraintJacobian> rows);
  bool has_plan() const { return has_plan_; }

  // False if a pivot is too small; the factors are then unusable. `rows` must remain valid until the last
  // Solve.
  bool Factorise(std::span<const ConstraintJacobian> rows);
  // Overwrites b = (Q of each body, then -gamma of each joint, its rows alone) by (V', mu). If the remaining compliance of
  // a row is small, the solution is refined once with its residual.
  void Solve(std::span<double> b);

  // Operations of one factorisation and one solution.
  OperationCount CountOperations() const;

 private:
  using Row = Eight;  // six columns, and two for padding to a vector register
  struct Coupling {
    int node, size;
    int rows;  // where W begins
  };
  struct Step {
    int node, size;
    int pivot;  // where the rows of L' begin
    int first_coupling, last_coupling, first_target;
  };
  // Place of a joint's rows: with the body or the joint, whichever is eliminated first.
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
  // Subtracts (1) applied to x from b.
  void TakeProduct(std::span<const double> x, std::span<double> b) const;
  void ReserveStorage(std::span<const int> order, std::span<const std::vector<int>> coupled);

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
  std::vector<Row> compliance_;  // per joint, of its rows: compliance given by bodies
  std::vector<Row> b_;           // per node
  std::span<const ConstraintJacobian> given_;
  double least_ = 1;  // of compliance that is left
  std::vector<double> left_;
};

}  // namespace mbsbench::absolute
