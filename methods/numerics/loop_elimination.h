// The forces in cut joints by elimination where loops meet: linear in bodies and loops as long as few groups are coupled at a time.
//
// After a tree's own sweep every group i on the path of a loop answers to its parent p by
//
//   a_i = Psi_i x_i a_p + beta_i + S_i d_i           Psi_i = 1 - S_i V_i',   V_i' = D_i^-1 S_i' I_i                 (1)
//
// with accelerations (alpha; a) of the groups' origins less gravity, x_i the way from the parent's origin, S_i the free axes of the
// joint, beta_i the response to all that is known, and d_i what loop forces change in u_i'. By Gauss' principle they make
//
//   1/2 sum d_i' D_i d_i + sum lambda_r (E_r a + k_r)                                                               (2)
//
// stationary, E_r the two wrenches of a row and k_r the part of g'' that does not depend on accelerations. Variables are eliminated
// one after another in an order (loop_elimination_plan.h) that interleaves branches. What is left is a quadratic form in the
// accelerations of the groups that wait, the front, and in the multipliers that wait,
//
//   1/2 (a; lambda)' G (a; lambda) + h' (a; lambda)                                                                 (3)
//
// and each variable v with row g and pivot c in G leaves by  G -= g' c^-1 g,  h -= g' c^-1 h_v.  For d_i the pivot is
// D_i + S_i' G_ii S_i. The pivot of a multiplier is minus the compliance that the joints eliminated so far give its row: nothing at
// first. A multiplier leaves when that compliance is of the size which the bodies at its ends have when free (kLeastCompliance), the
// largest first; then the front has got no stiffer than its bodies are by more than the inverse of it, and that is all that rounding
// costs. Multipliers that have not left at the ground depend on one another nearly or fully: those are for ClosureSystem.
//
// The way back gives multipliers and the d_i.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "methods/kinematics/tree_joint.h"
#include "methods/numerics/block_factors.h"
#include "methods/numerics/loop_elimination_plan.h"
#include "methods/numerics/loop_wrenches.h"

namespace mbsbench {

class LoopElimination {
 public:
  // A joint on the path of a loop as the tree's sweep leaves it: (1) of its group. Inertial axes.
  struct Passage {
    Vec<double> r;            // from the parent's origin
    Vec<double> gamma, turn;  // bias of a and alpha, before the joint's own part
    // One axis: s, V = (V_n, V_f), 1 / D (0: driven), k. Three rotations: alpha = -(K a + k), J = L D L'. Free: also M = L D L', and
    // the accelerations (k; translation).
    Vec<double> s, V_n, V_f, k, translation;
    double inverse_D = 0, rate = 0;
    Mat<double> K;
    Factors<double> J, M;
  };

  enum class Use { kWhereCheaper, kAlways, kNever };
  // `joints_of_stops`: the types of their joints, with one axis, three rotations or six freedoms.
  LoopElimination(const System& system, const LoopPaths& paths,
                  std::vector<JointType> joints_of_stops, Use use = Use::kWhereCheaper);

  // Whether to try: few groups are coupled at a time, so that it is cheaper than to carry columns to the root, and rows did not depend
  // on one another at the start, as they will not later.
  bool IsChosen(const LoopClosure& closure) {
    if (closure.is_starting()) is_chosen_ = is_wanted_;
    return is_chosen_;
  }

  // To be filled before Close.
  Passage& passage(int stop) { return passages_[At(stop)]; }
  // In place of closure.Solve. `ground`: its acceleration, less gravity. False, and nothing done, where rows depend on one another, or
  // nearly so.
  bool Close(const LoopWrenches& wrenches, const Vec<double>& ground, LoopClosure& closure);

  // By what the loop forces change alpha, a rate or (alpha; a) of a stop's joint; as many as its rates.
  const double* change(int stop) const { return changes_.data() + 6 * At(stop); }

 private:
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }
  using Step = LoopEliminationPlan::Step;

  // G and h in blocks of so many places: one per slot, of which six are used, and then the multipliers that wait. Of the blocks of
  // slots those above the diagonal count; the block of multipliers is whole.
  static constexpr int kBlock = 8;
  struct Piece {
    int slot, stop;  // its group
  };
  // A variable that left: its value is  -(Z . those of its pieces and rows + what follows the parent's motion + a constant).
  struct Left {
    int variable = 0;  // stop, or constraint row
    bool is_row = false;
    int columns = 0;
    std::size_t first_piece = 0, end_piece = 0, first_row = 0, end_row = 0, values = 0;
  };
  struct Waiting {          // a multiplier in the front
    int row;                // -1 when it has left
    std::uint64_t slots;    // that it acts on
    double per_compliance;  // of the bodies at its ends when free
  };
  struct Loop {
    int first_row, end_row, stops[2];  // -1: the ground
    double of_force, of_moment;        // compliance of its bodies when free [1/kg, 1/(kg m^2)]
  };

  double* Row(int place) { return G_.data() + At(place) * At(stride_); }
  double* Column(std::vector<double>& columns, int c) const { return columns.data() + c * stride_; }
  static int PlaceOf(int slot) { return kBlock * slot; }
  int waiting_count() const { return static_cast<int>(waiting_.size()); }

  bool Solve(const LoopWrenches& wrenches, const double* right_side, const Vec<double>& ground);
  bool Enter(const Step& step, const LoopWrenches& wrenches, const double* right_side,
             const Vec<double>& ground);
  void ClearSlot(int slot);
  void Gather(const Step& step);
  void AddWaiting();
  void CopyWaiting(const double* row, double* to) const;
  void AddBias(const Vec<double>& alpha, const Vec<double>& a);
  template <class Visit>
  void ForPacks(Visit visit);
  Vec<Lanes> VectorAt(const std::vector<double>& columns, int c, int column) const;
  void PutVector(const Vec<Lanes>& v, std::vector<double>& columns, int c, int column) const;
  template <int kRates>
  void Subtract();
  void PassBall(const Passage& p);
  void PassAxis(const Passage& p, bool turns);
  void PassFree(const Passage& p);
  double* Keep(int rates, int by_motion);
  void Hand(const Step& step, const Vec<double>& ground);
  void EliminateMultipliers(double least);
  int NextMultiplier(double least);
  void EliminateMultiplier(int k, double* y, double* z);
  void Return(const Vec<double>& ground);

  LoopEliminationPlan plan_;
  bool is_wanted_, is_chosen_;
  std::vector<Loop> loops_;
  std::vector<JointType> types_;  // of stops
  std::vector<int> parents_;      // of stops; -1: the ground
  std::vector<Passage> passages_;
  std::vector<double> multipliers_, changes_;
  std::vector<double> accelerations_;  // kBlock per stop

  int stride_ = 0, first_waiting_ = 0;
  std::vector<double> G_, h_;
  std::vector<int> group_in_slot_;
  std::vector<Waiting> waiting_;

  // Of the variable that is about to leave: the columns of what it is coupled with, slots and then multipliers; six rows of numbers
  // along the group, up to six of y = L^-1 S' G and z = D^-1 y.
  std::vector<Piece> pieces_;
  int columns_ = 0, parent_column_ = -1, waiting_column_ = 0;
  std::vector<double> P_, y_, z_;
  Sym<double> J_, M_;  // G_ii: [J H; H' M]
  Mat<double> H_;
  Vec<double> n0_, f0_;  // h_i

  std::vector<Left> left_;
  std::vector<Piece> left_pieces_;
  std::vector<int> left_rows_;
  std::vector<double> values_;
  std::size_t values_end_ = 0;  // of those in use
};

// How a method that eliminates closes the loops of a system with such paths, as text for people: a line.
std::string ExplainLoopElimination(const System& system, const LoopPaths& paths);

}  // namespace mbsbench
