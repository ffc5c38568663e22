#include "methods/numerics/loop_elimination.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cstring>
#include <utility>

namespace mbsbench {

namespace {

// Of what the bodies at the ends of a loop give to a force when free.
constexpr double kLeastCompliance = 0.03;
// Of the same, when all joints have given what they can.
constexpr double kLeastAtGround = 1e-6;
constexpr int kMostWaiting = 48;  // multipliers in the front
constexpr int kMostSlots = 32;
constexpr int kPack = static_cast<int>(kLanes);  // columns at a time

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

inline Sym<double> Product(const Factors<double>& f) {
  const double a = 1 / f.inverse_d.x, b = 1 / f.inverse_d.y, c = 1 / f.inverse_d.z;
  const double al21 = a * f.l21, al31 = a * f.l31, bl32 = b * f.l32;
  return {a, al21, al31, al21 * f.l21 + b, al21 * f.l31 + bl32, al31 * f.l31 + bl32 * f.l32 + c};
}

[[gnu::always_inline]] inline Mat<double> Times(const Sym<double>& a, const Mat<double>& b) {
  return Mat<double>{{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}} * b;
}

// Symmetric part that is known to be the whole: S - A B, A' and B with columns as rows.
[[gnu::always_inline]] inline Sym<double> MinusTransposeTimes(const Sym<double>& S,
                                                              const Mat<double>& A,
                                                              const Mat<double>& B) {
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

[[gnu::always_inline]] inline Lanes PackAt(const double* from) {
  Lanes::Vector v;
  std::memcpy(&v, from, sizeof v);
  return Lanes(v);
}
[[gnu::always_inline]] inline void PutPack(const Lanes& pack, double* to) {
  std::memcpy(to, &pack.v, sizeof pack.v);
}

// Whole packs at once: a pack that is read soon after numbers were written one by one waits for them.
[[gnu::always_inline]] inline void PutSix(double a, double b, double c, double d, double e,
                                          double f, double* to) {
  PutPack(Lanes(Lanes::Vector{a, b, c, d}), to);
  PutPack(Lanes(Lanes::Vector{e, f, 0, 0}), to + kPack);
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
                                 std::vector<JointType> joints_of_stops, Use use)
    : plan_(PlanLoopElimination(paths, RowsOf(system))),
      is_wanted_(plan_.slots <= kMostSlots && use != Use::kNever &&
                 (use == Use::kAlways || plan_.work < WorkOfColumns(paths, LoopRowCount(system)))),
      is_chosen_(is_wanted_),
      types_(std::move(joints_of_stops)) {
  if (!is_wanted_) return;
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
  passages_.resize(At(ground));
  multipliers_.resize(At(row));
  changes_.resize(6 * At(ground));
  accelerations_.resize(kBlock * At(ground));
  first_waiting_ = kBlock * plan_.slots;
  stride_ = first_waiting_ + kMostWaiting;
  G_.resize(At(stride_) * At(stride_));
  h_.resize(At(stride_));
  group_in_slot_.resize(At(plan_.slots));
  waiting_.reserve(kMostWaiting);
  for (auto* columns : {&P_, &y_, &z_}) columns->resize(6 * At(stride_));
}

bool LoopElimination::Close(const LoopWrenches& wrenches, const Vec<double>& ground,
                            LoopClosure& closure) {
  if (!Solve(wrenches, closure.right_side(), ground)) {
    if (closure.is_starting()) is_chosen_ = false;
    return false;
  }
  closure.Take(multipliers_);
  return true;
}

bool LoopElimination::Solve(const LoopWrenches& wrenches, const double* right_side,
                            const Vec<double>& ground) {
  waiting_.clear();
  left_.clear();
  left_pieces_.clear();
  left_rows_.clear();
  values_end_ = 0;
  for (const Step& step : plan_.steps) {
    if (!Enter(step, wrenches, right_side, ground)) return false;
    Gather(step);
    const Passage& p = passages_[At(step.stop)];
    ForMovingJoint(types_[At(step.stop)], [&](auto joint) {
      if constexpr (joint.kOneAxis) {
        PassAxis(p, joint.kTurns == 1);
      } else if constexpr (joint.kSlides == 0) {
        PassBall(p);
      } else {
        PassFree(p);
      }
    });
    Hand(step, ground);
    EliminateMultipliers(kLeastCompliance);
  }
  EliminateMultipliers(kLeastAtGround);
  if (!waiting_.empty()) return false;
  Return(ground);
  for (double& x : multipliers_) x = -x;
  return true;
}

// A group that is coupled with nothing.
void LoopElimination::ClearSlot(int slot) {
  const int place = PlaceOf(slot), used = first_waiting_ + waiting_count() - place;
  for (int c = 0; c < 6; ++c) std::fill_n(Row(place + c) + place, used, 0.0);
  for (int other = 0; other < slot; ++other) {
    for (int c = 0; c < 6; ++c) std::fill_n(Row(PlaceOf(other) + c) + place, kBlock, 0.0);
  }
  std::fill_n(&h_[At(place)], kBlock, 0.0);
}

// Groups and rows that come into the front before a step.
bool LoopElimination::Enter(const Step& step, const LoopWrenches& wrenches,
                            const double* right_side, const Vec<double>& ground) {
  for (int e = step.first_entry; e < step.last_entry; ++e) {
    const LoopEliminationPlan::Entry& entry = plan_.entries[At(e)];
    group_in_slot_[At(entry.slot)] = entry.stop;
    ClearSlot(entry.slot);
  }
  for (int l = step.first_loop; l < step.last_loop; ++l) {
    const Loop& loop = loops_[At(plan_.loops[At(l)])];
    for (int row = loop.first_row; row < loop.end_row; ++row) {
      const int k = waiting_count(), place = first_waiting_ + k;
      if (k == kMostWaiting) return false;
      const Load<double>& on_child = wrenches.of(row, 0);
      const double squares = Dot(on_child.force, on_child.force);
      waiting_.push_back(
          {row, 0,
           1 / (squares > 0 ? squares * loop.of_force
                            : Dot(on_child.moment, on_child.moment) * loop.of_moment)});
      for (int slot = 0; slot < plan_.slots; ++slot) {
        for (int c = 0; c < 6; ++c) Row(PlaceOf(slot) + c)[place] = 0;
      }
      for (int other = first_waiting_; other <= place; ++other)
        Row(place)[other] = Row(other)[place] = 0;
      h_[At(place)] = right_side[row];
      for (int side : {0, 1}) {
        const Load<double>& w = wrenches.of(row, side);
        if (loop.stops[side] < 0) {
          h_[At(place)] += Dot(w.force, ground);
          continue;
        }
        const int slot = plan_.slot_of_stop[At(loop.stops[side])], at = PlaceOf(slot);
        waiting_.back().slots |= std::uint64_t{1} << slot;
        Row(at)[place] += w.moment.x, Row(at + 1)[place] += w.moment.y,
            Row(at + 2)[place] += w.moment.z;
        Row(at + 3)[place] += w.force.x, Row(at + 4)[place] += w.force.y,
            Row(at + 5)[place] += w.force.z;
      }
    }
  }
  return true;
}

// Rows c to c + 2 of a pack of columns.
[[gnu::always_inline]] inline Vec<Lanes> LoopElimination::VectorAt(
    const std::vector<double>& columns, int c, int column) const {
  const double* const from = columns.data() + c * stride_ + column;
  return {PackAt(from), PackAt(from + stride_), PackAt(from + 2 * stride_)};
}
[[gnu::always_inline]] inline void LoopElimination::PutVector(const Vec<Lanes>& v,
                                                              std::vector<double>& columns, int c,
                                                              int column) const {
  double* const to = columns.data() + c * stride_ + column;
  PutPack(v.x, to), PutPack(v.y, to + stride_), PutPack(v.z, to + 2 * stride_);
}

// The waiting multipliers come last.
void LoopElimination::AddWaiting() {
  waiting_column_ = columns_;
  columns_ += (waiting_count() + kPack - 1) / kPack * kPack;
}
[[gnu::always_inline]] inline void LoopElimination::CopyWaiting(const double* row,
                                                                double* to) const {
  for (int j = 0; j < columns_ - waiting_column_; j += kPack) {
    const Lanes::Vector pack = PackAt(row + first_waiting_ + j).v,
                        lane = {0.0 + j, 1.0 + j, 2.0 + j, 3.0 + j};
    PutPack(Lanes(lane < static_cast<double>(waiting_count()) ? pack : Lanes::Vector{}), to + j);
  }
}

// What the step's group is coupled with, side by side, and its own part of G and h.
void LoopElimination::Gather(const Step& step) {
  pieces_.clear();
  columns_ = 0;
  parent_column_ = -1;
  const int at = PlaceOf(step.slot);
  const double* rows[6];
  for (int c = 0; c < 6; ++c) rows[c] = Row(at + c);
  const auto add = [&](int slot) {
    const int place = PlaceOf(slot);
    pieces_.push_back({slot, group_in_slot_[At(slot)]});
    const double* others[6];
    for (int j = 0; j < 6; ++j) others[j] = Row(place + j) + at;
    for (int c = 0; c < 6; ++c) {
      double* const to = Column(P_, c) + columns_;
      if (slot > step.slot) {
        PutPack(PackAt(rows[c] + place), to);
        PutPack(PackAt(rows[c] + place + kPack), to + kPack);
      } else {
        PutSix(others[0][c], others[1][c], others[2][c], others[3][c], others[4][c], others[5][c],
               to);
      }
    }
    columns_ += kBlock;
  };
  if (!step.is_bare) {
    for (int k = step.first_partner; k < step.last_partner; ++k) add(plan_.partners[At(k)]);
    if (step.parent_slot >= 0 && !step.parent_takes_slot) {
      parent_column_ = columns_;
      add(step.parent_slot);
    }
  }
  AddWaiting();
  for (int c = 0; c < 6; ++c) CopyWaiting(rows[c], Column(P_, c) + waiting_column_);
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

// beta of (1) into the group's part of h; that of the others follows with their columns.
void LoopElimination::AddBias(const Vec<double>& alpha, const Vec<double>& a) {
  n0_ = AddTimes(AddTimes(n0_, J_, alpha), H_, a);
  f0_ = AddTimes(AddTransposeTimes(f0_, H_, alpha), M_, a);
}

// By packs of columns: visit(first column, h of it).
template <class Visit>
[[gnu::always_inline]] inline void LoopElimination::ForPacks(Visit visit) {
  for (int column = 0; column < columns_; column += kPack) {
    const int place = column < waiting_column_
                          ? PlaceOf(pieces_[At(column / kBlock)].slot) + column % kBlock
                          : first_waiting_ + column - waiting_column_;
    visit(column, &h_[At(place)]);
  }
}

// G -= y' z.
template <int kRates>
void LoopElimination::Subtract() {
  const double* z[kRates];
  for (int c = 0; c < kRates; ++c) z[c] = Column(z_, c);
  const auto subtract = [&z](const Lanes(&factor)[kRates], int column, double* to) {
    Lanes entry = PackAt(to);
    for (int c = 0; c < kRates; ++c) entry = entry - factor[c] * PackAt(z[c] + column);
    PutPack(entry, to);
  };
  const auto pieces = static_cast<int>(pieces_.size());
  Lanes factor[kRates];
  for (int a = 0; a < pieces; ++a) {
    const int slot = pieces_[At(a)].slot;
    for (int i = 0; i < 6; ++i) {
      for (int c = 0; c < kRates; ++c) factor[c] = Lanes(Column(y_, c)[a * kBlock + i]);
      double* const row = Row(PlaceOf(slot) + i);
      for (int b = 0; b < pieces; ++b) {
        if (pieces_[At(b)].slot < slot) continue;
        double* const to = row + PlaceOf(pieces_[At(b)].slot);
        subtract(factor, b * kBlock, to);
        subtract(factor, b * kBlock + kPack, to + kPack);
      }
      double* const to = row + first_waiting_ - waiting_column_;
      for (int column = waiting_column_; column < columns_; column += kPack)
        subtract(factor, column, to + column);
    }
  }
  for (int k = 0; waiting_column_ < columns_ && k < waiting_count(); ++k) {
    for (int c = 0; c < kRates; ++c) factor[c] = Lanes(Column(y_, c)[waiting_column_ + k]);
    double* const to = Row(first_waiting_ + k) + first_waiting_ - waiting_column_;
    for (int column = waiting_column_; column < columns_; column += kPack)
      subtract(factor, column, to + column);
  }
}

// S' = [1 0]. With the group's accelerations (-K a; a) + (d; 0) and N = H - J K:  columns P_f - K' P_n, pivot D + J.
void LoopElimination::PassBall(const Passage& p) {
  const Vec<double> alpha = -AddTimes(p.k, p.K, p.gamma), a = p.gamma;
  AddBias(alpha, a);
  const Mat<double> N = H_ - Times(J_, p.K);
  Sym<double> M = MinusTransposeTimes(MinusTransposeTimes(M_, p.K, H_), N, p.K);
  Vec<double> f0 = f0_ - TransposeTimes(p.K, n0_);
  const Factors<double> F = Factorised(Product(p.J) + J_, 0);
  Mat<double> Y = N;
  SolveLower(F, Y.x, Y.y, Y.z);
  Mat<double> Z{F.inverse_d.x * Y.x, F.inverse_d.y * Y.y, F.inverse_d.z * Y.z};
  Vec<double> zc = Scaled(F, Forward(F, n0_));
  double* const Zs = Keep(3, 9);
  const Vec<Lanes> alpha_l = Raise<Lanes>(alpha), a_l = Raise<Lanes>(a), zc_l = Raise<Lanes>(zc),
                   r = Raise<Lanes>(p.r);
  const Mat<Lanes> K = Raise<Lanes>(p.K), Y_l = Raise<Lanes>(Y);
  const Factors<Lanes> F_l{Lanes(F.l21), Lanes(F.l31), Lanes(F.l32), Raise<Lanes>(F.inverse_d)};
  ForPacks([&](int column, double* h) {
    const Vec<Lanes> n = VectorAt(P_, 0, column), force = VectorAt(P_, 3, column);
    const Vec<Lanes> y = Forward(F_l, n), z = Scaled(F_l, y);
    const Vec<Lanes> f = force - TransposeTimes(K, n) - TransposeTimes(Y_l, z);
    PutPack(PackAt(h) + Dot(n, alpha_l) + Dot(force, a_l) - Dot(y, zc_l), h);
    PutVector(Cross(r, f), P_, 0, column);
    PutVector(f, P_, 3, column);
    PutVector(y, y_, 0, column);
    PutVector(z, z_, 0, column);
    const Vec<Lanes> solved = Backward(F_l, z);
    PutPack(solved.x, Zs + column), PutPack(solved.y, Zs + columns_ + column),
        PutPack(solved.z, Zs + 2 * columns_ + column);
  });
  Subtract<3>();
  M = MinusTransposeTimes(M, Y, Z);
  f0 = f0 - TransposeTimes(Y, zc);
  SolveUpper(F, Z.x, Z.y, Z.z);
  SolveUpper(F, zc.x, zc.y, zc.z);
  double* const rest = Zs + 3 * columns_;
  rest[0] = Z.x.x, rest[1] = Z.x.y, rest[2] = Z.x.z, rest[3] = Z.y.x, rest[4] = Z.y.y,
  rest[5] = Z.y.z;
  rest[6] = Z.z.x, rest[7] = Z.z.y, rest[8] = Z.z.z, rest[9] = zc.x, rest[10] = zc.y,
  rest[11] = zc.z;
  M_ = M;
  H_ = CrossTimes(p.r, M);
  J_ = MinusTimesCross(H_, p.r);
  f0_ = f0;
  n0_ = Cross(p.r, f0);
}

// W = S' G_ii, q = W S, N = W - q V:  columns P - V S'P, pivot D + q.
void LoopElimination::PassAxis(const Passage& p, bool turns) {
  const double given = p.rate - Dot(p.V_n, p.turn) - Dot(p.V_f, p.gamma);
  const Vec<double> alpha = turns ? AddScaled(p.turn, given, p.s) : p.turn,
                    a = turns ? p.gamma : AddScaled(p.gamma, given, p.s);
  AddBias(alpha, a);
  const Vec<double> W_n = turns ? J_ * p.s : H_ * p.s,
                    W_f = turns ? TransposeTimes(H_, p.s) : M_ * p.s;
  const double q = Dot(p.s, turns ? W_n : W_f);
  const double inverse = p.inverse_D / (1 + p.inverse_D * q);
  const Vec<double> N_n = AddScaled(W_n, -q, p.V_n), N_f = AddScaled(W_f, -q, p.V_f);
  const double y_constant = Dot(p.s, turns ? n0_ : f0_), z_constant = inverse * y_constant;
  const Vec<double> s_n = turns ? p.s : Vec<double>{}, s_f = turns ? Vec<double>{} : p.s;
  double* const Zs = Keep(1, 6);
  const Vec<Lanes> sn = Raise<Lanes>(s_n), sf = Raise<Lanes>(s_f), V_n = Raise<Lanes>(p.V_n),
                   V_f = Raise<Lanes>(p.V_f), Nn = Raise<Lanes>(N_n), Nf = Raise<Lanes>(N_f),
                   r = Raise<Lanes>(p.r), alpha_l = Raise<Lanes>(alpha), a_l = Raise<Lanes>(a);
  ForPacks([&](int column, double* h) {
    const Vec<Lanes> n = VectorAt(P_, 0, column), force = VectorAt(P_, 3, column);
    const Lanes y = Dot(sn, n) + Dot(sf, force), z = Lanes(inverse) * y;
    PutPack(PackAt(h) + Dot(n, alpha_l) + Dot(force, a_l) - y * Lanes(z_constant), h);
    const Vec<Lanes> f = force - y * V_f - z * Nf;
    PutVector(AddCross(n - y * V_n - z * Nn, r, f), P_, 0, column);
    PutVector(f, P_, 3, column);
    PutPack(y, Column(y_, 0) + column), PutPack(z, Column(z_, 0) + column), PutPack(z, Zs + column);
  });
  Subtract<1>();
  double* const rest = Zs + columns_;
  rest[0] = inverse * N_n.x, rest[1] = inverse * N_n.y, rest[2] = inverse * N_n.z;
  rest[3] = inverse * N_f.x, rest[4] = inverse * N_f.y, rest[5] = inverse * N_f.z;
  rest[6] = z_constant;
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
  n0_ = minus(n0_, y_constant, p.V_n, z_constant, N_n);
  f0_ = minus(f0_, y_constant, p.V_f, z_constant, N_f);
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
  Eigen::Matrix<double, 6, 1> v, constant;
  constant << n0_.x, n0_.y, n0_.z, f0_.x, f0_.y, f0_.z;
  constant = factors.solve(constant).eval();
  double* const Zs = Keep(6, 0);
  std::copy_n(constant.data(), 6, Zs + 6 * columns_);
  const double beta[6] = {p.k.x, p.k.y, p.k.z, p.translation.x, p.translation.y, p.translation.z};
  ForPacks([&](int column, double* h) {
    for (int j = column; j < column + kPack; ++j) {
      for (int c = 0; c < 6; ++c) {
        Column(y_, c)[j] = v[c] = Column(P_, c)[j];
        h[j - column] += v[c] * (beta[c] - constant[c]);
      }
      v = factors.solve(v).eval();
      for (int c = 0; c < 6; ++c) {
        Column(z_, c)[j] = Zs[c * columns_ + j] = v[c];
        Column(P_, c)[j] = 0;
      }
    }
  });
  Subtract<6>();
  J_ = M_ = {};
  H_ = {};
  n0_ = f0_ = {};
}

// Room for what the way back needs of the variable that leaves: Z, how it follows its parent, a constant.
double* LoopElimination::Keep(int rates, int by_motion) {
  Left& left = left_.emplace_back();
  left.columns = columns_;
  left.first_piece = left_pieces_.size();
  left_pieces_.insert(left_pieces_.end(), pieces_.begin(), pieces_.end());
  left.end_piece = left_pieces_.size();
  left.first_row = left_rows_.size();
  for (const Waiting& w : waiting_) left_rows_.push_back(w.row);  // -1: has left
  left.end_row = left_rows_.size();
  left.values = values_end_;
  values_end_ += At(rates * columns_ + by_motion + rates);
  if (values_.size() < values_end_) values_.resize(2 * values_end_);
  return &values_[left.values];
}

// The group's part of G and h, seen from the parent's origin, to the parent.
void LoopElimination::Hand(const Step& step, const Vec<double>& ground) {
  left_.back().variable = step.stop;
  left_.back().is_row = false;
  const std::uint64_t own = std::uint64_t{1} << step.slot;
  std::uint64_t clique = step.parent_slot < 0 ? 0 : std::uint64_t{1} << step.parent_slot;
  for (int k = step.first_partner; k < step.last_partner; ++k)
    clique |= std::uint64_t{1} << plan_.partners[At(k)];
  for (Waiting& w : waiting_) {
    if ((w.slots & own) != 0) w.slots = (w.slots & ~own) | clique;
  }
  if (step.parent_slot < 0) {
    const Vec<Lanes> a = Raise<Lanes>(ground);
    ForPacks(
        [&](int column, double* h) { PutPack(PackAt(h) + Dot(VectorAt(P_, 3, column), a), h); });
    return;
  }
  const int at = PlaceOf(step.parent_slot);
  group_in_slot_[At(step.parent_slot)] = step.parent;
  const bool is_new = step.parent_takes_slot;
  if (step.is_bare && is_new) ClearSlot(step.parent_slot);
  if (!step.is_bare) {
    double* const own_rows[6] = {Row(at) + at,     Row(at + 1) + at, Row(at + 2) + at,
                                 Row(at + 3) + at, Row(at + 4) + at, Row(at + 5) + at};
    if (is_new) {
      PutSix(J_.xx, J_.xy, J_.xz, H_.x.x, H_.x.y, H_.x.z, own_rows[0]);
      PutSix(0, J_.yy, J_.yz, H_.y.x, H_.y.y, H_.y.z, own_rows[1]);
      PutSix(0, 0, J_.zz, H_.z.x, H_.z.y, H_.z.z, own_rows[2]);
      PutSix(0, 0, 0, M_.xx, M_.xy, M_.xz, own_rows[3]);
      PutSix(0, 0, 0, 0, M_.yy, M_.yz, own_rows[4]);
      PutSix(0, 0, 0, 0, 0, M_.zz, own_rows[5]);
      PutSix(n0_.x, n0_.y, n0_.z, f0_.x, f0_.y, f0_.z, &h_[At(at)]);
    } else {
      const double block[6][6] = {{J_.xx, J_.xy, J_.xz, H_.x.x, H_.x.y, H_.x.z},
                                  {0, J_.yy, J_.yz, H_.y.x, H_.y.y, H_.y.z},
                                  {0, 0, J_.zz, H_.z.x, H_.z.y, H_.z.z},
                                  {0, 0, 0, M_.xx, M_.xy, M_.xz},
                                  {0, 0, 0, 0, M_.yy, M_.yz},
                                  {0, 0, 0, 0, 0, M_.zz}};
      const double h[6] = {n0_.x, n0_.y, n0_.z, f0_.x, f0_.y, f0_.z};
      for (int c = 0; c < 6; ++c) {
        for (int e = c; e < 6; ++e)
          own_rows[c][e] +=
              block[c][e] + Column(P_, c)[parent_column_ + e] + Column(P_, e)[parent_column_ + c];
        h_[At(at + c)] += h[c];
      }
    }
  }
  const auto put = [is_new](const Lanes& pack, double* to) {
    PutPack(is_new ? pack : PackAt(to) + pack, to);
  };
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    const int column = static_cast<int>(k) * kBlock, place = PlaceOf(pieces_[k].slot);
    if (column == parent_column_) continue;
    const double* from[6];
    for (int c = 0; c < 6; ++c) from[c] = Column(P_, c) + column;
    for (int c = 0; c < 6; ++c) {
      if (place > at) {
        double* const to = Row(at + c) + place;
        put(PackAt(from[c]), to), put(PackAt(from[c] + kPack), to + kPack);
      } else {
        double* const to = Row(place + c) + at;
        put(Lanes(Lanes::Vector{from[0][c], from[1][c], from[2][c], from[3][c]}), to);
        put(Lanes(Lanes::Vector{from[4][c], from[5][c], 0, 0}), to + kPack);
      }
    }
  }
  for (int c = 0; c < 6; ++c) {
    const double* const from = Column(P_, c) + waiting_column_;
    double* const to = Row(at + c) + first_waiting_;
    for (int j = 0; j < columns_ - waiting_column_; j += kPack) put(PackAt(from + j), to + j);
  }
}

// The largest compliance beside that of free bodies, if it is more than `least`; -1: none.
int LoopElimination::NextMultiplier(double least) {
  int next = -1;
  for (int k = 0; k < waiting_count(); ++k) {
    if (waiting_[At(k)].row < 0) continue;
    const double share =
        -Row(first_waiting_ + k)[first_waiting_ + k] * waiting_[At(k)].per_compliance;
    if (share > least) next = k, least = share;
  }
  return next;
}

// Those that act on the same groups are subtracted from these together.
void LoopElimination::EliminateMultipliers(double least) {
  int next = NextMultiplier(least);
  if (next < 0) return;
  while (next >= 0) {
    const std::uint64_t slots = waiting_[At(next)].slots;
    pieces_.clear();
    for (int slot = 0; slot < plan_.slots; ++slot) {
      if ((slots >> slot & 1) != 0) pieces_.push_back({slot, group_in_slot_[At(slot)]});
    }
    int count = 0;
    for (; next >= 0 && count < 3 && waiting_[At(next)].slots == slots; ++count) {
      columns_ = kBlock * static_cast<int>(pieces_.size());
      AddWaiting();
      EliminateMultiplier(next, Column(y_, count), Column(z_, count));
      next = NextMultiplier(least);
    }
    columns_ = waiting_column_;
    switch (count) {
      case 1: Subtract<1>(); break;
      case 2: Subtract<2>(); break;
      case 3: Subtract<3>(); break;
      default: break;
    }
  }
  // Those that are left move up.
  int kept = 0;
  for (int k = 0; k < waiting_count(); ++k) {
    if (waiting_[At(k)].row < 0) continue;
    if (kept != k) {
      const int to = first_waiting_ + kept, from = first_waiting_ + k;
      for (int slot = 0; slot < plan_.slots; ++slot) {
        for (int c = 0; c < 6; ++c) Row(PlaceOf(slot) + c)[to] = Row(PlaceOf(slot) + c)[from];
      }
      for (int i = 0; i < waiting_count(); ++i)
        Row(first_waiting_ + i)[to] = Row(first_waiting_ + i)[from];
      std::copy_n(Row(from) + first_waiting_, waiting_count(), Row(to) + first_waiting_);
      h_[At(to)] = h_[At(from)];
      waiting_[At(kept)] = waiting_[At(k)];
    }
    ++kept;
  }
  waiting_.resize(At(kept));
}

// From the rows of the multipliers that wait; y and z for those of the groups.
void LoopElimination::EliminateMultiplier(int k, double* y, double* z) {
  const int place = first_waiting_ + k;
  Waiting& leaving = waiting_[At(k)];
  const double inverse = 1 / Row(place)[place], constant = inverse * h_[At(place)];
  double* const g = y + waiting_column_;  // by the multipliers
  CopyWaiting(Row(place), g);
  const int row_of_leaving = leaving.row;
  leaving.row = -1;
  for (int other = 0; other < waiting_count(); ++other) {
    if (waiting_[At(other)].row < 0) g[other] = 0;
  }
  double* const Z = Keep(1, 0);
  left_.back().variable = row_of_leaving;
  left_.back().is_row = true;
  for (int column = waiting_column_; column < columns_; column += kPack)
    PutPack(Lanes(inverse) * PackAt(y + column), Z + column);
  Z[columns_] = constant;
  const double* const scaled = Z + waiting_column_;
  const int lanes = columns_ - waiting_column_;
  const auto subtract = [scaled, lanes](double factor, double* to) {
    for (int j = 0; j < lanes; j += kPack)
      PutPack(PackAt(to + j) - Lanes(factor) * PackAt(scaled + j), to + j);
  };
  for (std::size_t a = 0; a < pieces_.size(); ++a) {
    const int column = static_cast<int>(a) * kBlock, at = PlaceOf(pieces_[a].slot);
    double entry[6];
    for (int c = 0; c < 6; ++c) {
      double* const row = Row(at + c) + first_waiting_;
      entry[c] = row[k];
      if (waiting_count() > 1) subtract(entry[c], row);
    }
    PutSix(entry[0], entry[1], entry[2], entry[3], entry[4], entry[5], y + column);
    for (int j = column; j < column + kBlock; j += kPack) {
      const Lanes of_pack = PackAt(y + j), scaled_pack = Lanes(inverse) * of_pack;
      PutPack(scaled_pack, z + j), PutPack(scaled_pack, Z + j);
      double* const h = &h_[At(at + j - column)];
      PutPack(PackAt(h) - Lanes(constant) * of_pack, h);
    }
  }
  for (int other = 0; other < waiting_count(); ++other) {
    if (g[other] == 0) continue;
    h_[At(first_waiting_ + other)] -= constant * g[other];
    subtract(g[other], Row(first_waiting_ + other) + first_waiting_);
    waiting_[At(other)].slots |= leaving.slots;
  }
}

void LoopElimination::Return(const Vec<double>& ground) {
  for (auto left = left_.rbegin(); left != left_.rend(); ++left) {
    // z of what it was coupled with
    double* const of = Column(P_, 0);
    int column = 0;
    for (std::size_t k = left->first_piece; k < left->end_piece; ++k, column += kBlock)
      std::copy_n(&accelerations_[kBlock * At(left_pieces_[k].stop)], kBlock, of + column);
    for (std::size_t k = left->first_row; k < left->end_row; ++k, ++column)
      of[column] = left_rows_[k] < 0 ? 0 : multipliers_[At(left_rows_[k])];
    for (; column < left->columns; ++column) of[column] = 0;
    const auto along = [&](int c) {
      const double* const Z = &values_[left->values + At(c * left->columns)];
      Lanes sum;
      for (int j = 0; j < left->columns; j += kPack) sum = sum + PackAt(Z + j) * PackAt(of + j);
      return (sum.v[0] + sum.v[1]) + (sum.v[2] + sum.v[3]);
    };
    if (left->is_row) {
      multipliers_[At(left->variable)] = -along(0) - values_[left->values + At(left->columns)];
      continue;
    }
    const Passage& p = passages_[At(left->variable)];
    const int parent = parents_[At(left->variable)];
    Vec<double> alpha_p, a = ground;
    if (parent >= 0) {
      const double* const motion = &accelerations_[kBlock * At(parent)];
      alpha_p = {motion[0], motion[1], motion[2]};
      a = AddCross(Vec<double>{motion[3], motion[4], motion[5]}, alpha_p, p.r);
    }
    Vec<double> alpha;
    double* const change = &changes_[6 * At(left->variable)];
    ForMovingJoint(types_[At(left->variable)], [&](auto joint) {
      const double* const rest = &values_[left->values + At(joint.kRates * left->columns)];
      for (int c = 0; c < joint.kRates; ++c) change[c] = -along(c);
      if constexpr (joint.kOneAxis) {
        change[0] -= Dot(Vec<double>{rest[0], rest[1], rest[2]}, alpha_p) +
                     Dot(Vec<double>{rest[3], rest[4], rest[5]}, a) + rest[6];
        alpha = alpha_p + p.turn;
        a = a + p.gamma;
        const double rate = p.rate + change[0] - Dot(p.V_n, alpha) - Dot(p.V_f, a);
        (joint.kTurns == 1 ? alpha : a) = AddScaled(joint.kTurns == 1 ? alpha : a, rate, p.s);
      } else if constexpr (joint.kSlides == 0) {
        for (int c = 0; c < 3; ++c)
          change[c] -=
              Dot(Vec<double>{rest[3 * c], rest[3 * c + 1], rest[3 * c + 2]}, a) + rest[9 + c];
        a = a + p.gamma;
        alpha = Vec<double>{change[0], change[1], change[2]} - AddTimes(p.k, p.K, a);
      } else {
        for (int c = 0; c < 6; ++c) change[c] -= rest[c];
        alpha = p.k + Vec<double>{change[0], change[1], change[2]};
        a = p.translation + Vec<double>{change[3], change[4], change[5]};
      }
    });
    double* const out = &accelerations_[kBlock * At(left->variable)];
    out[0] = alpha.x, out[1] = alpha.y, out[2] = alpha.z, out[3] = a.x, out[4] = a.y, out[5] = a.z;
  }
}

std::string ExplainLoopElimination(const System& system, const LoopPaths& paths) {
  const LoopEliminationPlan plan = PlanLoopElimination(paths, RowsOf(system));
  const int rows = LoopRowCount(system);
  const double by_columns = WorkOfColumns(paths, rows);
  int partners = 0;
  for (const LoopEliminationPlan::Step& step : plan.steps)
    partners = std::max(partners, step.last_partner - step.first_partner);
  const auto counted = [](double count, const std::string& what) {
    return std::to_string(static_cast<long long>(count)) + " " + what + (count == 1 ? "" : "s");
  };
  std::string text = counted(static_cast<double>(system.loop_joints.size()), "loop") + ", " +
                     counted(rows, "constraint row") + ". ";
  const std::string one_after_another =
      "at most " + counted(plan.slots, "group") + " at a time, each coupled with " +
      counted(partners, "other") + " beside its parent at most, about " +
      counted(plan.work, "multiply-add");
  const std::string at_once =
      "carried to the root and solved at once, about " + counted(by_columns, "multiply-add");
  if (plan.slots <= kMostSlots && plan.work < by_columns) {
    return text +
           "Where they are independent they are eliminated where loops meet: " + one_after_another +
           ". Otherwise they are " + at_once + ".\n";
  }
  return text + "They are " + at_once + ". Eliminated where loops meet: " + one_after_another +
         ".\n";
}

}  // namespace mbsbench
