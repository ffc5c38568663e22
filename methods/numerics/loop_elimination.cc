#include "methods/numerics/loop_elimination.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <utility>

namespace mbsbench {

namespace {

// Of what the bodies at the ends of a loop give to a force when free.
constexpr double kLeastCompliance = 0.03;
// Of the same, when all joints have given what they can.
constexpr double kLeastAtGround = 1e-6;
constexpr int kMostWaiting = 48;  // multipliers in the front
constexpr int kMostSlots = 32;

std::vector<int> RowsOf(const System& system) {
  std::vector<int> rows;
  for (const Joint& joint : system.loop_joints) rows.push_back(ConstraintCount(joint.type));
  return rows;
}

// Of a body that is free, at the origin of a joint frame: for a unit force, for a unit moment.
struct Compliance {
  double of_force = 0, of_moment = 0;
};
Compliance FreeCompliance(const System& system, int body, const Frame& frame) {
  if (body == kGround) return {};
  const Body& b = system.bodies[static_cast<std::size_t>(body)];
  const double inertia = (b.inertia(0, 0) + b.inertia(1, 1) + b.inertia(2, 2)) / 3;
  const double arm = Dot(frame.position, frame.position);
  return {1 / b.mass + (arm > 0 && inertia > 0 ? arm / inertia : 0), 1 / inertia};
}

Sym<double> Product(const Factors<double>& f) {
  const double a = 1 / f.inverse_d.x, b = 1 / f.inverse_d.y, c = 1 / f.inverse_d.z;
  const double al21 = a * f.l21, al31 = a * f.l31, bl32 = b * f.l32;
  return {a, al21, al31, al21 * f.l21 + b, al21 * f.l31 + bl32, al31 * f.l31 + bl32 * f.l32 + c};
}

Mat<double> Times(const Sym<double>& a, const Mat<double>& b) {
  return Mat<double>{{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}} * b;
}

// Symmetric part that is known to be the whole: S - A B, A' and B with columns as rows.
Sym<double> MinusTransposeTimes(const Sym<double>& S, const Mat<double>& A, const Mat<double>& B) {
  return {S.xx - A.x.x * B.x.x - A.y.x * B.y.x - A.z.x * B.z.x,
          S.xy - A.x.x * B.x.y - A.y.x * B.y.y - A.z.x * B.z.y,
          S.xz - A.x.x * B.x.z - A.y.x * B.y.z - A.z.x * B.z.z,
          S.yy - A.x.y * B.x.y - A.y.y * B.y.y - A.z.y * B.z.y,
          S.yz - A.x.y * B.x.z - A.y.y * B.y.z - A.z.y * B.z.z,
          S.zz - A.x.z * B.x.z - A.y.z * B.y.z - A.z.z * B.z.z};
}

Mat<double> operator-(const Mat<double>& a, const Mat<double>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

// Row c of [J H; H' M] into six numbers.
void PutRows(const Sym<double>& J, const Mat<double>& H, const Sym<double>& M,
             double (&rows)[6][6]) {
  const double upper[6][6] = {
      {J.xx, J.xy, J.xz, H.x.x, H.x.y, H.x.z}, {J.xy, J.yy, J.yz, H.y.x, H.y.y, H.y.z},
      {J.xz, J.yz, J.zz, H.z.x, H.z.y, H.z.z}, {H.x.x, H.y.x, H.z.x, M.xx, M.xy, M.xz},
      {H.x.y, H.y.y, H.z.y, M.xy, M.yy, M.yz}, {H.x.z, H.y.z, H.z.z, M.xz, M.yz, M.zz}};
  std::copy(&upper[0][0], &upper[0][0] + 36, &rows[0][0]);
}

}  // namespace

LoopElimination::LoopElimination(const System& system, const LoopPaths& paths,
                                 std::vector<JointType> joints_of_stops)
    : plan_(PlanLoopElimination(paths, RowsOf(system))), types_(std::move(joints_of_stops)) {
  const int ground = static_cast<int>(paths.stops().size()) - 1;
  int row = 0;
  for (std::size_t l = 0; l < system.loop_joints.size(); ++l) {
    const Joint& joint = system.loop_joints[l];
    const Compliance child = FreeCompliance(system, joint.child, joint.child_frame);
    const Compliance parent = FreeCompliance(system, joint.parent, joint.parent_frame);
    Loop loop{row,
              row + ConstraintCount(joint.type),
              {},
              child.of_force + parent.of_force,
              child.of_moment + parent.of_moment};
    for (int side : {0, 1}) {
      const int stop = paths.StopOf(static_cast<int>(l), side);
      loop.stops[side] = stop == ground ? -1 : stop;
    }
    loops_.push_back(loop);
    row = loop.end_row;
  }
  for (int i = 0; i < ground; ++i) {
    const int parent = paths.stops()[At(i)].parent;
    parents_.push_back(parent == ground ? -1 : parent);
  }
  if (plan_.slots > kMostSlots) return;
  passages_.resize(At(ground));
  multipliers_.resize(At(row));
  changes_.resize(6 * At(ground));
  accelerations_.resize(6 * At(ground));
  stride_ = 6 * plan_.slots + kMostWaiting;
  G_.resize(At(stride_) * At(stride_));
  h_.resize(At(stride_));
  group_in_slot_.resize(At(plan_.slots));
  waiting_.reserve(kMostWaiting);
  for (auto* columns : {&P_, &y_, &z_}) columns->resize(6 * At(stride_));
}

bool LoopElimination::IsCheaperThan(double work) const {
  return plan_.slots <= kMostSlots && plan_.work < work;
}

bool LoopElimination::Solve(std::span<const Load<double>> wrenches,
                            std::span<const double> right_side, const Vec<double>& ground) {
  waiting_.clear();
  left_.clear();
  left_pieces_.clear();
  values_.clear();
  for (const Step& step : plan_.steps) {
    if (!Enter(step, wrenches, right_side, ground)) return false;
    Gather(step);
    ForMovingJoint(types_[At(step.stop)], [&](auto joint) {
      const Passage& p = passages_[At(step.stop)];
      if constexpr (joint.kOneAxis) {
        PassAxis(p, joint.kTurns == 1);
        Keep(step.stop, false, 1, 6);
      } else if constexpr (joint.kSlides == 0) {
        PassBall(p);
        Keep(step.stop, false, 3, 9);
      } else {
        PassFree(p);
        Keep(step.stop, false, 6, 0);
      }
    });
    Hand(step, ground);
    EliminateMultipliers(false);
  }
  EliminateMultipliers(true);
  if (!waiting_.empty()) return false;
  Return(ground);
  for (double& x : multipliers_) x = -x;
  return true;
}

// Groups and rows that come into the front before a step.
bool LoopElimination::Enter(const Step& step, std::span<const Load<double>> wrenches,
                            std::span<const double> right_side, const Vec<double>& ground) {
  for (int e = step.first_entry; e < step.last_entry; ++e) {
    const LoopEliminationPlan::Entry& entry = plan_.entries[At(e)];
    group_in_slot_[At(entry.slot)] = entry.stop;
    const int used = PlaceOfWaiting(static_cast<int>(waiting_.size()));
    for (int place = 6 * entry.slot; place < 6 * entry.slot + 6; ++place) {
      std::fill_n(Row(place), used, 0.0);
      for (int i = 0; i < used; ++i) Row(i)[place] = 0;
      h_[At(place)] = 0;
    }
  }
  for (int l = step.first_loop; l < step.last_loop; ++l) {
    const Loop& loop = loops_[At(plan_.loops[At(l)])];
    for (int row = loop.first_row; row < loop.end_row; ++row) {
      const int k = static_cast<int>(waiting_.size()), place = PlaceOfWaiting(k);
      if (k == kMostWaiting) return false;
      const Load<double>& on_child = wrenches[2 * At(row)];
      const double squares = Dot(on_child.force, on_child.force);
      waiting_.push_back(
          {row, 0,
           1 / (squares > 0 ? squares * loop.of_force
                            : Dot(on_child.moment, on_child.moment) * loop.of_moment)});
      std::fill_n(Row(place), place + 1, 0.0);
      for (int i = 0; i < place; ++i) Row(i)[place] = 0;
      h_[At(place)] = right_side[At(row)];
      for (int side : {0, 1}) {
        const Load<double>& w = wrenches[2 * At(row) + At(side)];
        if (loop.stops[side] < 0) {
          h_[At(place)] += Dot(w.force, ground);
          continue;
        }
        const int slot = plan_.slot_of_stop[At(loop.stops[side])];
        waiting_[At(k)].slots |= std::uint64_t{1} << slot;
        const double six[6] = {w.moment.x, w.moment.y, w.moment.z, w.force.x, w.force.y, w.force.z};
        for (int c = 0; c < 6; ++c) {
          Row(place)[6 * slot + c] += six[c];
          Row(6 * slot + c)[place] += six[c];
        }
      }
    }
  }
  return true;
}

// What the step's group is coupled with, side by side, and its own part of G and h.
void LoopElimination::Gather(const Step& step) {
  pieces_.clear();
  columns_ = 0;
  parent_column_ = -1;
  const double* rows[6];
  for (int c = 0; c < 6; ++c) rows[c] = Row(6 * step.slot + c);
  const auto add = [&](int place, int size, int owner) {
    pieces_.push_back({place, size, owner});
    for (int c = 0; c < 6; ++c) std::copy_n(rows[c] + place, size, &P_[At(c * stride_ + columns_)]);
    columns_ += size;
  };
  for (int k = step.first_partner; k < step.last_partner; ++k) {
    const int slot = plan_.partners[At(k)];
    add(6 * slot, 6, group_in_slot_[At(slot)]);
  }
  if (step.parent_slot >= 0 && !step.parent_takes_slot) {
    parent_column_ = columns_;
    add(6 * step.parent_slot, 6, step.parent);
  }
  for (std::size_t k = 0; k < waiting_.size(); ++k) {
    if ((waiting_[k].slots >> step.slot & 1) != 0)
      add(PlaceOfWaiting(static_cast<int>(k)), 1, waiting_[k].row);
  }
  const int at = 6 * step.slot;
  J_ = {rows[0][at],     rows[0][at + 1], rows[0][at + 2],
        rows[1][at + 1], rows[1][at + 2], rows[2][at + 2]};
  const auto upper = [&](int c) {
    return Vec<double>{rows[c][at + 3], rows[c][at + 4], rows[c][at + 5]};
  };
  H_ = {upper(0), upper(1), upper(2)};
  M_ = {rows[3][at + 3], rows[3][at + 4], rows[3][at + 5],
        rows[4][at + 4], rows[4][at + 5], rows[5][at + 5]};
  const double* const h = &h_[At(at)];
  n0_ = {h[0], h[1], h[2]};
  f0_ = {h[3], h[4], h[5]};
}

// beta of (1) into h.
void LoopElimination::AddBias(const Vec<double>& alpha, const Vec<double>& a) {
  n0_ = AddTimes(AddTimes(n0_, J_, alpha), H_, a);
  f0_ = AddTimes(AddTransposeTimes(f0_, H_, alpha), M_, a);
  const double beta[6] = {alpha.x, alpha.y, alpha.z, a.x, a.y, a.z};
  int column = 0;
  for (const Piece& piece : pieces_) {
    for (int i = 0; i < piece.size; ++i, ++column) {
      double sum = 0;
      for (int c = 0; c < 6; ++c) sum += beta[c] * P_[At(c * stride_ + column)];
      h_[At(piece.place + i)] += sum;
    }
  }
}

// G -= y' z and h -= y' times the constant's z.
template <int kRates>
void LoopElimination::Subtract() {
  const double* y[kRates];
  const double* z[kRates];
  for (int c = 0; c < kRates; ++c) y[c] = &y_[At(c * stride_)], z[c] = &z_[At(c * stride_)];
  int column = 0;
  for (const Piece& piece : pieces_) {
    for (int i = 0; i < piece.size; ++i, ++column) {
      double* const row = Row(piece.place + i);
      double factor[kRates];
      double sum = h_[At(piece.place + i)];
      for (int c = 0; c < kRates; ++c) {
        factor[c] = y[c][column];
        sum -= factor[c] * z_constant_[c];
      }
      h_[At(piece.place + i)] = sum;
      int from = 0;
      for (const Piece& other : pieces_) {
        double* const __restrict to = row + other.place;
        for (int j = 0; j < other.size; ++j) {
          double entry = to[j];
          for (int c = 0; c < kRates; ++c) entry -= factor[c] * z[c][from + j];
          to[j] = entry;
        }
        from += other.size;
      }
    }
  }
}

// S' = [1 0]. With the group's accelerations (-K a; a) + (d; 0) and N = H - J K:  columns P_f - K' P_n, pivot D + J.
void LoopElimination::PassBall(const Passage& p) {
  AddBias(-AddTimes(p.k, p.K, p.gamma), p.gamma);
  const Mat<double> N = H_ - Times(J_, p.K);
  Sym<double> M = MinusTransposeTimes(MinusTransposeTimes(M_, p.K, H_), N, p.K);
  Vec<double> f0 = f0_ - TransposeTimes(p.K, n0_);
  const Factors<double> F = Factorised(Product(p.J) + J_, 0);
  Mat<double> Y = N;
  SolveLower(F, Y.x, Y.y, Y.z);
  Mat<double> Z{F.inverse_d.x * Y.x, F.inverse_d.y * Y.y, F.inverse_d.z * Y.z};
  Vec<double> zc = Scaled(F, Forward(F, n0_));
  z_constant_[0] = zc.x, z_constant_[1] = zc.y, z_constant_[2] = zc.z;
  double *const P0 = &P_[0], *const P1 = P0 + stride_, *const P2 = P1 + stride_,
                *const P3 = P2 + stride_, *const P4 = P3 + stride_, *const P5 = P4 + stride_,
                *const y0 = &y_[0], *const y1 = y0 + stride_, *const y2 = y1 + stride_,
                *const z0 = &z_[0], *const z1 = z0 + stride_, *const z2 = z1 + stride_;
  for (int j = 0; j < columns_; ++j) {
    const Vec<double> n{P0[j], P1[j], P2[j]};
    const Vec<double> y = Forward(F, n), z = Scaled(F, y);
    const Vec<double> f =
        Vec<double>{P3[j], P4[j], P5[j]} - TransposeTimes(p.K, n) - TransposeTimes(Y, z);
    const Vec<double> moment = Cross(p.r, f);
    P0[j] = moment.x, P1[j] = moment.y, P2[j] = moment.z;
    P3[j] = f.x, P4[j] = f.y, P5[j] = f.z;
    y0[j] = y.x, y1[j] = y.y, y2[j] = y.z;
    z0[j] = z.x, z1[j] = z.y, z2[j] = z.z;
  }
  Subtract<3>();
  for (int j = 0; j < columns_; ++j) SolveUpper(F, z0[j], z1[j], z2[j]);
  M = MinusTransposeTimes(M, Y, Z);
  f0 = f0 - TransposeTimes(Y, zc);
  SolveUpper(F, Z.x, Z.y, Z.z);
  SolveUpper(F, zc.x, zc.y, zc.z);
  z_constant_[0] = zc.x, z_constant_[1] = zc.y, z_constant_[2] = zc.z;
  const Vec<double>* const rows[3] = {&Z.x, &Z.y, &Z.z};
  for (int c = 0; c < 3; ++c) {
    by_motion_[3 * c] = rows[c]->x, by_motion_[3 * c + 1] = rows[c]->y,
                   by_motion_[3 * c + 2] = rows[c]->z;
  }
  M_ = M;
  H_ = CrossTimes(p.r, M);
  J_ = MinusTimesCross(H_, p.r);
  f0_ = f0;
  n0_ = Cross(p.r, f0);
}

// W = S' G_ii, q = W S, N = W - q V:  columns P - V S'P, pivot D + q.
void LoopElimination::PassAxis(const Passage& p, bool turns) {
  const double given = p.rate - Dot(p.V_n, p.turn) - Dot(p.V_f, p.gamma);
  AddBias(turns ? AddScaled(p.turn, given, p.s) : p.turn,
          turns ? p.gamma : AddScaled(p.gamma, given, p.s));
  const Vec<double> W_n = turns ? J_ * p.s : H_ * p.s,
                    W_f = turns ? TransposeTimes(H_, p.s) : M_ * p.s;
  const double q = Dot(p.s, turns ? W_n : W_f);
  const double inverse = p.inverse_D / (1 + p.inverse_D * q);
  const Vec<double> N_n = AddScaled(W_n, -q, p.V_n), N_f = AddScaled(W_f, -q, p.V_f);
  const double y_constant = Dot(p.s, turns ? n0_ : f0_);
  z_constant_[0] = inverse * y_constant;
  double *const P0 = &P_[0], *const P1 = P0 + stride_, *const P2 = P1 + stride_,
                *const P3 = P2 + stride_, *const P4 = P3 + stride_, *const P5 = P4 + stride_;
  for (int j = 0; j < columns_; ++j) {
    Vec<double> n{P0[j], P1[j], P2[j]}, f{P3[j], P4[j], P5[j]};
    const double y = Dot(p.s, turns ? n : f), z = inverse * y;
    y_[At(j)] = y, z_[At(j)] = z;
    f = AddScaled(AddScaled(f, -y, p.V_f), -z, N_f);
    n = AddCross(AddScaled(AddScaled(n, -y, p.V_n), -z, N_n), p.r, f);
    P0[j] = n.x, P1[j] = n.y, P2[j] = n.z;
    P3[j] = f.x, P4[j] = f.y, P5[j] = f.z;
  }
  Subtract<1>();
  const Vec<double> Q_n = AddScaled(p.V_n, inverse, N_n), Q_f = AddScaled(p.V_f, inverse, N_f);
  const auto minus = [](const Vec<double>& row, double v, const Vec<double>& W, double n,
                        const Vec<double>& Q) { return AddScaled(AddScaled(row, -v, W), -n, Q); };
  const Vec<double> Jx = minus({J_.xx, J_.xy, J_.xz}, p.V_n.x, W_n, N_n.x, Q_n),
                    Jy = minus({J_.xy, J_.yy, J_.yz}, p.V_n.y, W_n, N_n.y, Q_n),
                    Jz = minus({J_.xz, J_.yz, J_.zz}, p.V_n.z, W_n, N_n.z, Q_n),
                    Mx = minus({M_.xx, M_.xy, M_.xz}, p.V_f.x, W_f, N_f.x, Q_f),
                    My = minus({M_.xy, M_.yy, M_.yz}, p.V_f.y, W_f, N_f.y, Q_f),
                    Mz = minus({M_.xz, M_.yz, M_.zz}, p.V_f.z, W_f, N_f.z, Q_f);
  const Mat<double> H{minus(H_.x, p.V_n.x, W_f, N_n.x, Q_f), minus(H_.y, p.V_n.y, W_f, N_n.y, Q_f),
                      minus(H_.z, p.V_n.z, W_f, N_n.z, Q_f)};
  const Sym<double> J{Jx.x, Jx.y, Jx.z, Jy.y, Jy.z, Jz.z};
  M_ = {Mx.x, Mx.y, Mx.z, My.y, My.z, Mz.z};
  n0_ = minus(n0_, y_constant, p.V_n, z_constant_[0], N_n);
  f0_ = minus(f0_, y_constant, p.V_f, z_constant_[0], N_f);
  const double by_motion[6] = {N_n.x, N_n.y, N_n.z, N_f.x, N_f.y, N_f.z};
  for (int c = 0; c < 6; ++c) by_motion_[c] = inverse * by_motion[c];
  H_ = PlusCrossTimes(H, p.r, M_);
  J_ = MinusTimesCross(PlusCrossTimesTransposed(J, p.r, H), H_, p.r);
  n0_ = AddCross(n0_, p.r, f0_);
}

// S = 1: nothing is handed on.
void LoopElimination::PassFree(const Passage& p) {
  AddBias(p.k, p.translation);
  using Matrix6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
  const Sym<double> J = Product(p.J);
  const Mat<double> H = Times(J, p.K);
  const Mat<double> minus_K{-p.K.x, -p.K.y, -p.K.z};
  double inertia[6][6], own[6][6];
  PutRows(J, H, MinusTransposeTimes(Product(p.M), minus_K, H), inertia);
  PutRows(J_, H_, M_, own);
  const Matrix6 pivot =
      Eigen::Map<const Matrix6>(&inertia[0][0]) + Eigen::Map<const Matrix6>(&own[0][0]);
  const Eigen::LDLT<Matrix6> factors(pivot);
  Eigen::Matrix<double, 6, 1> v;
  for (int j = 0; j < columns_; ++j) {
    for (int c = 0; c < 6; ++c) y_[At(c * stride_ + j)] = v[c] = P_[At(c * stride_ + j)];
    v = factors.solve(v).eval();
    for (int c = 0; c < 6; ++c) z_[At(c * stride_ + j)] = v[c], P_[At(c * stride_ + j)] = 0;
  }
  v << n0_.x, n0_.y, n0_.z, f0_.x, f0_.y, f0_.z;
  v = factors.solve(v).eval();
  std::copy_n(v.data(), 6, z_constant_);
  Subtract<6>();
  J_ = M_ = {};
  H_ = {};
  n0_ = f0_ = {};
}

// What the way back needs of a variable that leaves.
void LoopElimination::Keep(int variable, bool is_row, int rates, int by_motion) {
  left_.push_back({variable, is_row, rates, left_pieces_.size(),
                   left_pieces_.size() + pieces_.size(), values_.size()});
  left_pieces_.insert(left_pieces_.end(), pieces_.begin(), pieces_.end());
  for (int c = 0; c < rates; ++c) {
    const auto row = z_.begin() + c * stride_;
    values_.insert(values_.end(), row, row + columns_);
  }
  values_.insert(values_.end(), by_motion_, by_motion_ + by_motion);
  values_.insert(values_.end(), z_constant_, z_constant_ + rates);
}

// The group's part of G and h, seen from the parent's origin, to the parent.
void LoopElimination::Hand(const Step& step, const Vec<double>& ground) {
  const std::uint64_t own = std::uint64_t{1} << step.slot;
  std::uint64_t clique = step.parent_slot < 0 ? 0 : std::uint64_t{1} << step.parent_slot;
  for (int k = step.first_partner; k < step.last_partner; ++k)
    clique |= std::uint64_t{1} << plan_.partners[At(k)];
  for (Waiting& w : waiting_) {
    if ((w.slots & own) != 0) w.slots = (w.slots & ~own) | clique;
  }
  if (step.parent_slot < 0) {
    int column = 0;
    for (const Piece& piece : pieces_) {
      for (int i = 0; i < piece.size; ++i, ++column) {
        const Vec<double> f{P_[At(3 * stride_ + column)], P_[At(4 * stride_ + column)],
                            P_[At(5 * stride_ + column)]};
        h_[At(piece.place + i)] += Dot(f, ground);
      }
    }
    return;
  }
  double block[6][6];
  PutRows(J_, H_, M_, block);
  const double h[6] = {n0_.x, n0_.y, n0_.z, f0_.x, f0_.y, f0_.z};
  const int at = 6 * step.parent_slot;
  group_in_slot_[At(step.parent_slot)] = step.parent;
  if (step.parent_takes_slot) {
    for (int c = 0; c < 6; ++c) {
      std::copy_n(block[c], 6, Row(at + c) + at);
      h_[At(at + c)] = h[c];
    }
  } else {
    for (int c = 0; c < 6; ++c) {
      for (int e = 0; e < 6; ++e) {
        Row(at + c)[at + e] += block[c][e] + P_[At(c * stride_ + parent_column_ + e)] +
                               P_[At(e * stride_ + parent_column_ + c)];
      }
      h_[At(at + c)] += h[c];
    }
  }
  int column = 0;
  for (const Piece& piece : pieces_) {
    if (column != parent_column_) {
      for (int c = 0; c < 6; ++c) {
        const double* const from = &P_[At(c * stride_ + column)];
        double* const row = Row(at + c) + piece.place;
        if (step.parent_takes_slot) {
          for (int i = 0; i < piece.size; ++i) row[i] = Row(piece.place + i)[at + c] = from[i];
        } else {
          for (int i = 0; i < piece.size; ++i) row[i] = Row(piece.place + i)[at + c] += from[i];
        }
      }
    }
    column += piece.size;
  }
}

void LoopElimination::EliminateMultipliers(bool at_ground) {
  const double least = at_ground ? kLeastAtGround : kLeastCompliance;
  while (true) {
    int best = -1;
    double most = least;
    for (std::size_t k = 0; k < waiting_.size(); ++k) {
      const int place = PlaceOfWaiting(static_cast<int>(k));
      const double share = -Row(place)[place] * waiting_[k].per_compliance;
      if (share > most) best = static_cast<int>(k), most = share;
    }
    if (best < 0) return;
    EliminateMultiplier(best);
  }
}

void LoopElimination::EliminateMultiplier(int k) {
  const int place = PlaceOfWaiting(k), last = static_cast<int>(waiting_.size()) - 1;
  const double* const g = Row(place);
  const Waiting leaving = waiting_[At(k)];
  pieces_.clear();
  for (int slot = 0; slot < plan_.slots; ++slot) {
    if ((leaving.slots >> slot & 1) != 0)
      pieces_.push_back({6 * slot, 6, group_in_slot_[At(slot)]});
  }
  for (int other = 0; other <= last; ++other) {
    const int other_place = PlaceOfWaiting(other);
    if (other == k || g[other_place] == 0) continue;
    pieces_.push_back({other_place, 1, waiting_[At(other)].row});
    waiting_[At(other)].slots |= leaving.slots;
  }
  const double inverse = 1 / g[place];
  columns_ = 0;
  for (const Piece& piece : pieces_) {
    for (int i = 0; i < piece.size; ++i, ++columns_) {
      y_[At(columns_)] = g[piece.place + i];
      z_[At(columns_)] = inverse * g[piece.place + i];
    }
  }
  z_constant_[0] = inverse * h_[At(place)];
  Subtract<1>();
  Keep(leaving.row, true, 1, 0);
  if (k != last) {  // the last row takes its place
    const int from = PlaceOfWaiting(last);
    for (int i = 0; i < from; ++i) Row(place)[i] = Row(i)[place] = Row(from)[i];
    Row(place)[place] = Row(from)[from];
    h_[At(place)] = h_[At(from)];
    waiting_[At(k)] = waiting_[At(last)];
  }
  waiting_.pop_back();
}

void LoopElimination::Return(const Vec<double>& ground) {
  for (auto left = left_.rbegin(); left != left_.rend(); ++left) {
    const double* value = &values_[left->values];
    double change[6];
    for (int c = 0; c < left->rates; ++c) {
      double sum = 0;
      for (std::size_t k = left->first_piece; k < left->end_piece; ++k) {
        const Piece& piece = left_pieces_[k];
        const double* const of =
            piece.size == 6 ? &accelerations_[6 * At(piece.owner)] : &multipliers_[At(piece.owner)];
        for (int i = 0; i < piece.size; ++i) sum += *value++ * of[i];
      }
      change[c] = -sum;
    }
    if (left->is_row) {
      multipliers_[At(left->variable)] = change[0] - *value;
      continue;
    }
    const Passage& p = passages_[At(left->variable)];
    const int parent = parents_[At(left->variable)];
    Vec<double> alpha_p, a = ground;
    if (parent >= 0) {
      const double* const of = &accelerations_[6 * At(parent)];
      alpha_p = {of[0], of[1], of[2]};
      a = AddCross(Vec<double>{of[3], of[4], of[5]}, alpha_p, p.r);
    }
    Vec<double> alpha;
    ForMovingJoint(types_[At(left->variable)], [&](auto joint) {
      if constexpr (joint.kOneAxis) {
        change[0] -= Dot(Vec<double>{value[0], value[1], value[2]}, alpha_p) +
                     Dot(Vec<double>{value[3], value[4], value[5]}, a) + value[6];
        alpha = alpha_p + p.turn;
        a = a + p.gamma;
        const double rate = p.rate + change[0] - Dot(p.V_n, alpha) - Dot(p.V_f, a);
        (joint.kTurns == 1 ? alpha : a) = AddScaled(joint.kTurns == 1 ? alpha : a, rate, p.s);
      } else if constexpr (joint.kSlides == 0) {
        for (int c = 0; c < 3; ++c) {
          change[c] -=
              Dot(Vec<double>{value[3 * c], value[3 * c + 1], value[3 * c + 2]}, a) + value[9 + c];
        }
        a = a + p.gamma;
        alpha = Vec<double>{change[0], change[1], change[2]} - AddTimes(p.k, p.K, a);
      } else {
        for (int c = 0; c < 6; ++c) change[c] -= value[c];
        alpha = p.k + Vec<double>{change[0], change[1], change[2]};
        a = p.translation + Vec<double>{change[3], change[4], change[5]};
      }
    });
    double* const out = &accelerations_[6 * At(left->variable)];
    out[0] = alpha.x, out[1] = alpha.y, out[2] = alpha.z, out[3] = a.x, out[4] = a.y, out[5] = a.z;
    std::copy_n(change, left->rates, &changes_[6 * At(left->variable)]);
  }
}

}  // namespace mbsbench
