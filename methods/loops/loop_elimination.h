// The forces in cut joints, eliminated where loops meet: linear in bodies and loops as long as few groups are coupled at a time.
//
// After a tree's own sweep, the acceleration of a group i on the path of a loop follows from that
// of its parent p as
//
//   a_i = Psi_i x_i a_p + beta_i + S_i d_i           Psi_i = 1 - S_i V_i',   V_i' = D_i^-1 S_i' I_i                 (1)
//
// with accelerations (alpha; a) of the groups' origins less gravity, x_i the transfer from the parent's origin, S_i the free axes
// of the joint, beta_i the response to all known terms, and d_i the change of u_i' by loop forces. By Gauss' principle they make
//
//   1/2 sum d_i' D_i d_i + sum lambda_r (E_r a + k_r)                                                               (2)
//
// stationary, E_r the two wrenches of a row and k_r the part of g'' that does not depend on accelerations. Variables are eliminated
// one after another in an order (loop_elimination_plan.h) that interleaves branches. A quadratic form remains in the accelerations
// of the pending groups, the front, and in the pending multipliers,
//
//   1/2 (a; lambda)' G (a; lambda) + h' (a; lambda)                                                                 (3)
//
// and each variable v with row g and pivot c in G is eliminated by G -= g' c^-1 g, h -= g' c^-1 h_v. For d_i the pivot is D_i + S_i' G_ii
// S_i. The pivot of a multiplier is minus the compliance that the joints eliminated so far give its row: zero at first. A multiplier is
// eliminated when that compliance reaches a fraction (kLeastCompliance) of that of the free bodies at its ends: three rows of a loop
// together if each has it and nothing else is pending; else the largest first. The front is then stiffer than its bodies by at most the
// inverse of this fraction, which bounds the loss by rounding. Multipliers that remain at the ground are dependent, or nearly so;
// ClosureSystem solves those.
//
// Back substitution gives the multipliers and the d_i. elimination_equations.h has this as printed, in the steps (a) to (e) that the
// source names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "methods/kinematics/tree_joint.h"
#include "methods/loops/loop_elimination_plan.h"
#include "methods/loops/loop_wrenches.h"
#include "methods/numerics/block_factors.h"
#include "methods/numerics/eight_lanes.h"

namespace mbsbench {

class LoopElimination {
 public:
  // The result of the tree's sweep for a joint on the path of a loop: (1) of its group. Inertial
  // axes.
  struct Passage {
    Vec<double> r;      // from the parent's origin
    Vec<double> gamma;  // bias of a, before the joint's own part
    // Three rotations: alpha = -(K a + k), J = L D L'. Free: also M = L D L', and the accelerations (k; translation).
    Vec<double> K_and_k[4];  // rows of K, and k
    Factors<double> J, M;
    Vec<double> translation;
    // One axis: bias of alpha, s, V = (V_n, V_f), 1 / D (0: driven), k.
    Vec<double> turn, s, V_n, V_f;
    double inverse_D = 0, rate = 0;

    Mat<double> K() const { return {K_and_k[0], K_and_k[1], K_and_k[2]}; }
    void SetK(const Mat<double>& K) { K_and_k[0] = K.x, K_and_k[1] = K.y, K_and_k[2] = K.z; }
    const Vec<double>& k() const { return K_and_k[3]; }
  };
  // Addresses at which a sweep stores these: K_and_k and J of three rotations.
  struct Place {
    const Vec<double>*r, *gamma, *K_and_k;
    const Factors<double>* J;
  };

  // A multiplier is eliminated once its compliance reaches this part of that of the free bodies at the ends of its loop; once all
  // joints are eliminated, Thresholds::compliance_left decides.
  static constexpr double kLeastCompliance = 0.03;

  using Use = UseOfElimination;
  // `joints_of_stops`: the types of their joints, with one axis, three rotations or six degrees of
  // freedom.
  LoopElimination(const System& system, const LoopPaths& paths,
                  std::vector<JointType> joints_of_stops, Use use = Use::kWhereCheaper);
  // Places point into passages.
  LoopElimination(const LoopElimination&) = delete;
  LoopElimination& operator=(const LoopElimination&) = delete;

  // Whether to try: few groups are coupled at a time, so that it is cheaper than carrying columns to the root, and the rows were
  // independent at the start, so they will be later.
  bool IsChosen(const LoopClosure& closure) { return IsChosen(closure.is_starting()); }
  bool IsChosen(bool is_starting) {
    if (is_starting) is_chosen_ = is_wanted_;
    return is_chosen_;
  }

  // The caller fills it before Close.
  Passage& passage(int stop) { return passages_[At(stop)]; }
  // From now on reads the data at a place instead of the passage.
  void ReadFrom(int stop, const Place& place) {
    if (is_wanted_) places_[At(stop)] = place;
  }
  // In place of closure.Solve. `ground`: its acceleration, less gravity. False, without any effect, if rows are dependent, or nearly
  // so.
  bool Close(const LoopWrenches& wrenches, const Vec<double>& ground, LoopClosure& closure);
  // Closes rows of any kind: two wrenches per row, on its loop's child and parent about their groups' origins, and k.
  bool Solve(std::span<const Load<double>> wrenches, const double* right_side,
             const Vec<double>& ground, bool is_starting);
  std::span<const double> multipliers() const { return multipliers_; }

  // Change by the loop forces of alpha, a rate or (alpha; a) of a stop's joint; one number per rate.
  const double* change(int stop) const { return changes_.data() + 6 * At(stop); }

 private:
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }
  using Step = LoopEliminationPlan::Step;

  struct Columns {
    Eight row[6];
  };
  // Eliminated variables: their values are -(Z . (values of the variables with which they are
  // coupled; 1)).
  enum class Leaving { kJoint, kRow, kThreeRows };
  struct Left {
    int variable = 0;  // step, or the first constraint row
    Leaving what = Leaving::kJoint;
    Vec<double> constant;  // of rows
    int pieces = 0;        // of rows: groups
    int rows = 0;          // multipliers that waited
    std::size_t first_piece = 0, first_row = 0, values = 0;
  };
  struct Waiting {        // a multiplier in the front
    int row;              // -1 when it has left
    std::uint64_t slots;  // that it acts on
    double compliance;    // of the bodies at its ends when free
  };
  struct Loop {
    int first_row, end_row, stops[2];  // -1: the ground
    double of_force, of_moment;        // compliance of its bodies when free [1/kg, 1/(kg m^2)]
  };
  using Entry = LoopEliminationPlan::Entry;

  // Row c of the block of two groups, the first in the smaller slot or the same. The block of one group is
  // stored in full.
  Eight& G(int slot, int c, int other) { return G_[At((6 * slot + c) * plan_.slots + other)]; }
  Block BlockAt(int slot, int other) {
    const Eight* const rows = &G(slot, 0, other);
    const int stride = plan_.slots;
    return {{rows[0], rows[stride], rows[2 * stride]},
            {rows[3 * stride], rows[4 * stride], rows[5 * stride]}};
  }
  void Put(const Block& block, int slot, int other) {
    Eight* const rows = &G(slot, 0, other);
    const int stride = plan_.slots;
    rows[0] = block.n.x, rows[stride] = block.n.y, rows[2 * stride] = block.n.z;
    rows[3 * stride] = block.f.x, rows[4 * stride] = block.f.y, rows[5 * stride] = block.f.z;
  }
  // Coupling of multiplier k with the group in a slot, and with the other multipliers, six at a
  // time.
  Eight& Row(int k, int slot) { return rows_[At(k * plan_.slots + slot)]; }
  Eight& Compliance(int k, int pack) { return compliance_[At(k * kMostPacks + pack)]; }
  double Pivot(int k) { return compliance_[At(k * kMostPacks + k / kPack)].data()[k % kPack]; }
  int waiting_count() const { return static_cast<int>(waiting_.size()); }
  int packs() const { return PacksOf(waiting_count()); }
  static int PacksOf(int rows) { return (rows + kPack - 1) / kPack; }

  bool Eliminate(std::span<const Load<double>> wrenches, const double* right_side,
                 const Vec<double>& ground);
  bool Enter(const Step& step, std::span<const Load<double>> wrenches, const double* right_side,
             const Vec<double>& ground);
  void EnterRow(const Loop& loop, int row, const Load<double>* ends, double right_side,
                const Vec<double>& ground);
  void ClearSlot(int slot);
  Eight* Keep(const Step& step, int rates);
  // Reserves room for this number of values.
  Eight* Room(std::size_t values) {
    const std::size_t first = values_end_;
    values_end_ += values;
    if (values_.size() < values_end_) [[unlikely]]
      values_.resize(2 * values_end_);
    return values_.data() + first;
  }
  template <class Pass>
  void PassColumns(const Step& step, const Vec<double>& ground, const Pass& pass);
  Block WaitingOn(int slot, int pack);
  template <int kRates>
  void Subtract(std::span<const Entry> pieces, int packs);
  void HandOwn(const Step& step, const Block& own, const Eight& h);
  void PassBall(const Step& step, const Place& p, const Vec<double>& ground);
  template <bool kTurns>
  void PassAxis(const Step& step, const Passage& p, const Vec<double>& ground);
  void PassFree(const Step& step, const Passage& p, const Vec<double>& ground);
  std::span<const Entry> PiecesOf(const Step& step) const {
    const int count = step.is_bare ? 0 : step.last_piece - step.first_partner;
    return {plan_.partners.data() + step.first_partner, At(count)};
  }
  void EliminateMultipliers(double least);
  bool EliminateThree(double least);
  std::span<const Entry> KeepPieces(std::uint64_t slots);
  int NextMultiplier(double least);
  void EliminateMultiplier(int k, int place, std::span<const Entry> pieces);
  void MoveUp();
  void Return(const Vec<double>& ground);

  static constexpr int kPack = 6, kMostPacks = 8;  // of multipliers in the front

  LoopEliminationPlan plan_;
  bool is_wanted_, is_chosen_;
  std::vector<Loop> loops_;
  std::vector<JointType> types_;  // of stops
  std::vector<int> parents_;      // of stops; -1: the ground
  std::vector<Passage> passages_;
  std::vector<Place> places_;  // of stops
  std::vector<double> multipliers_, changes_;
  std::vector<Six> accelerations_;  // per stop: (alpha; a)

  std::vector<Eight> G_, h_, rows_, compliance_, h_waiting_;
  std::vector<int> group_in_slot_;
  std::vector<Waiting> waiting_;

  // For the variables that are eliminated next, per piece and then per pack of multipliers: y = S' G and z = (D + S' G S)^-1
  // y.
  std::vector<Columns> y_, z_;

  std::vector<Left> left_;
  std::vector<Entry> left_pieces_;
  std::vector<int> left_rows_;
  std::vector<Eight> values_;
  std::size_t values_end_ = 0;  // of those in use
};

// A line of text that describes how an eliminating method closes the loops of a system with such paths.
std::string ExplainLoopElimination(const System& system, const LoopPaths& paths);

}  // namespace mbsbench
