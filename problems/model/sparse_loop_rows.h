// The rows of the loop joints over the rates of the tree joints, J, in sparse form. J itself is full where paths of loops share
// joints. With the motions v of all bodies as unknowns the equations are sparse, and their cost grows with the bodies as long as
// few loops are coupled at a time.
//
//   v_b = X_b v_p + S_b W_b u_b        b: a body, p: its parent; S: motions by unit rates, W: units of the rates
//   D L v = D J W u = g                L: rows over the motions of bodies, D: units of the rows
//
// The least u that gives g follows from
//
//   v_b - X_b v_p - S_b W_b^2 S_b' mu_b = 0
//   mu_b - sum of X_c' mu_c over children c - L_b' D nu = 0
//   D L v = g,                         u = W S' mu,   D J W^2 J' D nu = g
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

class SparseLoopRows {
 public:
  // Rates with the unit 0 are fixed. The loops may be open: rows are in the axes of the joint's parent, so joints above both bodies
  // of a loop joint have no effect.
  SparseLoopRows(const System& system, const JointState& joints, std::vector<double> rate_units);
  ~SparseLoopRows();

  struct Row {
    std::size_t joint;  // among the loop joints
    bool is_length;
    double length;      // of the row of J W
    int turns, slides;  // rates that move the row
  };
  const std::vector<Row>& rows() const { return rows_; }
  // Per loop joint: the sum of all arms around the loop [m].
  const std::vector<double>& sizes() const { return sizes_; }
  // J W as a dense matrix, column by column; the columns of fixed rates are 0.
  std::vector<double> Full() const;

  // False where the equations are singular to round-off.
  bool Factorise(std::span<const double> row_units);
  // Estimate of the least singular value of D J W by eight inverse iterations: too large by a factor of
  // about 2.
  double LeastSingularValue() const;
  // W u, for the least u with D J W u = g.
  std::vector<double> LeastRates(std::span<const double> g) const;

 private:
  struct Motion {  // of the subtree of a joint, by one of its rates
    std::size_t rate;
    Vector3 linear, angular;  // of the child's mass centre
    bool turns;
    Vector3 axis, point;
  };
  struct Side {  // part of a row: g . (velocity, angular velocity) of a body
    int body;
    Vector3 force, moment;
  };
  struct Equations;

  static std::size_t At(int i) { return static_cast<std::size_t>(i); }
  void SetMotions(const System& system, const JointState& joints);
  void SetRows(const System& system);
  void MeasureRows(const System& system);
  // For the rows [first, last) of one loop joint: calls on_body(body) for each body around the loop, and on_entry(row,
  // motion, entry of J W) for each motion there that has a unit.
  template <class OnBody, class OnEntry>
  void GoAround(std::size_t first, std::size_t last, OnBody&& on_body, OnEntry&& on_entry) const;
  std::vector<double> Solve(std::span<const double> g) const;

  std::vector<double> rate_units_, row_units_;
  std::vector<int> parent_, depth_;  // per body
  std::vector<BodyState> bodies_;
  std::vector<std::vector<Motion>> motions_;  // per body
  std::vector<double> arms_;                  // per body: of its joint [m]
  std::vector<Row> rows_;
  std::vector<std::array<Side, 2>> sides_;  // per row: child, parent
  std::vector<double> sizes_;
  std::unique_ptr<Equations> equations_;
};

}  // namespace mbsbench
