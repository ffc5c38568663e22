#include "methods/loops/loop_elimination.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <bit>
#include <utility>

#include "methods/thresholds/thresholds.h"

namespace mbsbench {

namespace {

std::vector<int> RowsOf(const System& system) {
  std::vector<int> rows;
  for (const Joint& joint : system.loop_joints) rows.push_back(ConstraintCount(joint.type));
  return rows;
}

// Compliance of a free body at the origin of a joint frame: for a unit force, for a unit moment.
struct FreeCompliance {
  double of_force = 0, of_moment = 0;
};
FreeCompliance FreeComplianceOf(const System& system, int body, const Frame& frame) {
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

Sym<double> SymmetricOf(const double* x, const double* y, const double* z) {
  return {x[0], x[1], x[2], y[1], y[2], z[2]};
}
Vec<double> VectorOf(const double* numbers) { return {numbers[0], numbers[1], numbers[2]}; }

// Three rows of eight as a vector.
using Rows = Vec<Eight>;

// (L D L')^-1 b
[[gnu::always_inline]] inline Rows Solved(const Factors<double>& F, Rows b) {
  b.y = b.y - F.l21 * b.x;
  b.z = b.z - F.l31 * b.x - F.l32 * b.y;
  b = {F.inverse_d.x * b.x, F.inverse_d.y * b.y, F.inverse_d.z * b.z};
  b.y = b.y - F.l32 * b.z;
  b.x = b.x - F.l31 * b.z - F.l21 * b.y;
  return b;
}

}  // namespace

LoopElimination::LoopElimination(const System& system, const LoopPaths& paths,
                                 std::vector<JointType> joints_of_stops, Use use)
    : plan_(PlanLoopElimination(paths, RowsOf(system))),
      is_wanted_(plan_.slots <= kMostSlots && use != Use::kNever && system.loop_precision == 0 &&
                 (use == Use::kAlways || plan_.work < WorkOfColumns(paths, LoopRowCount(system)))),
      is_chosen_(is_wanted_),
      types_(std::move(joints_of_stops)) {
  if (!is_wanted_) return;
  const int ground = static_cast<int>(paths.stops().size()) - 1;
  int row = 0;
  for (std::size_t l = 0; l < system.loop_joints.size(); ++l) {
    const Joint& joint = system.loop_joints[l];
    const FreeCompliance child = FreeComplianceOf(system, joint.child, joint.child_frame);
    const FreeCompliance parent = FreeComplianceOf(system, joint.parent, joint.parent_frame);
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
  for (const Passage& p : passages_) places_.push_back({&p.r, &p.gamma, p.K_and_k, &p.J});
  multipliers_.resize(At(row));
  changes_.resize(6 * At(ground));
  accelerations_.resize(At(ground));
  G_.resize(6 * At(plan_.slots) * At(plan_.slots));
  h_.resize(At(plan_.slots));
  rows_.resize(kPack * kMostPacks * At(plan_.slots));
  compliance_.resize(kPack * kMostPacks * kMostPacks);
  h_waiting_.resize(kMostPacks);
  group_in_slot_.resize(At(plan_.slots));
  waiting_.reserve(kPack * kMostPacks);
  y_.resize(At(plan_.slots + kMostPacks));
  z_.resize(y_.size());
}

bool LoopElimination::Close(const LoopWrenches& wrenches, const Vec<double>& ground,
                            LoopClosure& closure) {
  if (!Solve(wrenches.all(), closure.right_side(), ground, closure.is_starting())) return false;
  closure.Take(multipliers_);
  return true;
}

bool LoopElimination::Solve(std::span<const Load<double>> wrenches, const double* right_side,
                            const Vec<double>& ground, bool is_starting) {
  if (Eliminate(wrenches, right_side, ground)) return true;
  if (is_starting) is_chosen_ = false;
  return false;
}

bool LoopElimination::Eliminate(std::span<const Load<double>> wrenches, const double* right_side,
                                const Vec<double>& ground) {
  waiting_.clear();
  left_.clear();
  left_pieces_.clear();
  left_rows_.clear();
  values_end_ = 0;
  for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
    const Step& step = plan_.steps[s];
    // (a) for the loops that end here
    const bool something_enters =
        step.first_entry < step.last_entry || step.first_loop < step.last_loop;
    if (something_enters && !Enter(step, wrenches, right_side, ground)) return false;
    // (b)
    const Passage& p = passages_[At(step.stop)];
    ForMovingJoint(types_[At(step.stop)], [&](auto joint) {
      if constexpr (joint.kOneAxis) {
        PassAxis<joint.kTurns == 1>(step, p, ground);
      } else if constexpr (joint.kSlides == 0) {
        PassBall(step, places_[At(step.stop)], ground);
      } else {
        PassFree(step, p, ground);
      }
    });
    // (c)
    if (waiting_.empty() || EliminateThree(kLeastCompliance)) continue;
    // Three new rows may be eliminated together one joint later, if that step brings no others.
    const bool may_wait = waiting_count() == 3 && step.first_loop < step.last_loop &&
                          s + 1 < plan_.steps.size() &&
                          plan_.steps[s + 1].last_loop == step.last_loop;
    if (!may_wait) EliminateMultipliers(kLeastCompliance);
  }
  // (d)
  EliminateMultipliers(kThresholds.compliance_left);
  if (!waiting_.empty()) return false;
  // (e)
  Return(ground);
  for (double& x : multipliers_) x = -x;
  return true;
}

// Clears a group that is coupled with no other.
void LoopElimination::ClearSlot(int slot) {
  for (int other = 0; other < plan_.slots; ++other) {
    for (int c = 0; c < 6; ++c) (other < slot ? G(other, c, slot) : G(slot, c, other)) = Eight();
  }
}

// Groups and rows that enter the front before a step.
bool LoopElimination::Enter(const Step& step, std::span<const Load<double>> wrenches,
                            const double* right_side, const Vec<double>& ground) {
  for (int e = step.first_entry; e < step.last_entry; ++e) {
    const Entry& entry = plan_.entries[At(e)];
    group_in_slot_[At(entry.slot)] = entry.stop;
    // A bare group is eliminated at once: G is read only if its parent takes the slot.
    const bool is_bare = entry.stop == step.stop && step.is_bare;
    if (!is_bare || step.parent_takes_slot) ClearSlot(entry.slot);
    for (int k = 0; k < waiting_count(); ++k) Row(k, entry.slot) = Eight();
    h_[At(entry.slot)] = Eight();
  }
  for (int l = step.first_loop; l < step.last_loop; ++l) {
    const Loop& loop = loops_[At(plan_.loops[At(l)])];
    for (int row = loop.first_row; row < loop.end_row; ++row) {
      if (waiting_count() == kPack * kMostPacks) return false;
      EnterRow(loop, row, &wrenches[2 * At(row)], right_side[row], ground);
    }
  }
  return true;
}

// (a) for one row; `ends`: its wrenches on the two groups of its loop.
void LoopElimination::EnterRow(const Loop& loop, int row, const Load<double>* ends,
                               double right_side, const Vec<double>& ground) {
  const int k = waiting_count(), pack = k / kPack;
  int slots[2];
  Eight wrenches[2];
  std::uint64_t acts_on = 0;
  double h = right_side;
  for (int side : {0, 1}) {
    const auto& [f, n] = ends[side];
    wrenches[side] = Eight(n.x, n.y, n.z, f.x, f.y, f.z);
    const int stop = loop.stops[side];
    slots[side] = stop < 0 ? -1 : plan_.slot_of_stop[At(stop)];
    if (stop < 0) {
      h += Dot(f, ground);
    } else {
      acts_on |= std::uint64_t{1} << slots[side];
    }
  }
  for (int slot = 0; slot < plan_.slots; ++slot) {
    Eight sum;
    for (int side : {0, 1}) {
      if (slot == slots[side]) sum = sum + wrenches[side];
    }
    Row(k, slot) = sum;
  }
  const double squares = Dot(ends->force, ends->force);
  waiting_.push_back(
      {row, acts_on,
       squares > 0 ? squares * loop.of_force : Dot(ends->moment, ends->moment) * loop.of_moment});
  Compliance(k, 0) = Eight();
  for (int other = 1; other <= pack; ++other) Compliance(k, other) = Eight();
  if (k % kPack == 0) {
    h_waiting_[At(pack)] = Eight();
    for (int other = 0; other < k; ++other) Compliance(other, pack) = Eight();
  }
  h_waiting_[At(pack)] = InPlace(k % kPack, h, h_waiting_[At(pack)]);
}

// Room for Z of a joint that is eliminated, rate by rate: of its parent and 1, its pieces, the pending
// multipliers.
Eight* LoopElimination::Keep(const Step& step, int rates) {
  Left& left = left_.emplace_back();
  left.variable = static_cast<int>(&step - plan_.steps.data());
  left.rows = waiting_count();
  left.first_row = left_rows_.size();
  for (const Waiting& w : waiting_) left_rows_.push_back(w.row);
  left.values = values_end_;
  return Room(At(rates) * (1 + PiecesOf(step).size() + At(packs())));
}

// The rows of up to six multipliers on a group.
[[gnu::always_inline]] inline Block LoopElimination::WaitingOn(int slot, int pack) {
  static const Eight none;
  const int first = kPack * pack, count = waiting_count() - first;
  const Eight* const rows = &Row(first, slot);
  const int stride = plan_.slots;
  const auto row = [&](int k) { return k < count ? rows[k * stride] : none; };
  return {{row(0), row(1), row(2)}, {row(3), row(4), row(5)}};
}

// (b), other columns of G: moves the couplings of the step's group to its parent. pass(place, n, f, h, y, z) transforms their
// rows into those of the parent, adds to h, and sets y and z.
template <class Pass>
[[gnu::always_inline]] inline void LoopElimination::PassColumns(const Step& step,
                                                                const Vec<double>& ground,
                                                                const Pass& pass) {
  const std::span<const Entry> pieces = PiecesOf(step);
  const int at = step.parent_slot, waiting = packs(), count = static_cast<int>(pieces.size());
  const bool is_new = step.parent_takes_slot;
  for (int i = 0; i < count; ++i) {
    const int slot = pieces[At(i)].slot;
    Block block =
        slot > step.slot ? BlockAt(step.slot, slot) : Transposed(BlockAt(slot, step.slot));
    pass(i, block.n, block.f, h_[At(slot)], y_[At(i)], z_[At(i)]);
    if (at < 0) {
      h_[At(slot)] = h_[At(slot)] + Dot(block.f, Raise<Eight>(ground));
    } else if (slot == at) {
      Put(BlockAt(at, at) + (block + Transposed(block)), at, at);
    } else if (slot > at) {
      Put(is_new ? block : BlockAt(at, slot) + block, at, slot);
    } else {
      block = Transposed(block);
      Put(is_new ? block : BlockAt(slot, at) + block, slot, at);
    }
  }
  for (int pack = 0; pack < waiting; ++pack) {
    Block block = Transposed(WaitingOn(step.slot, pack));
    Eight& h = h_waiting_[At(pack)];
    pass(count + pack, block.n, block.f, h, y_[At(count + pack)], z_[At(count + pack)]);
    if (at < 0) {
      h = h + Dot(block.f, Raise<Eight>(ground));
      continue;
    }
    block = Transposed(block);
    if (!is_new) block = block + WaitingOn(at, pack);
    const int last = waiting_count() - kPack * pack;
    Eight* const rows = &Row(kPack * pack, at);
    const auto put = [&](int k, const Eight& row) {
      if (k < last) rows[k * plan_.slots] = row;
    };
    put(0, block.n.x), put(1, block.n.y), put(2, block.n.z);
    put(3, block.f.x), put(4, block.f.y), put(5, block.f.z);
  }
  if (at >= 0) group_in_slot_[At(at)] = step.parent;
  if (waiting == 0) return;
  const std::uint64_t own = std::uint64_t{1} << step.slot;
  std::uint64_t clique = at < 0 ? 0 : std::uint64_t{1} << at;
  for (int k = step.first_partner; k < step.last_partner; ++k)
    clique |= std::uint64_t{1} << plan_.partners[At(k)].slot;
  for (Waiting& w : waiting_) {
    if ((w.slots & own) != 0) w.slots = (w.slots & ~own) | clique;
  }
}

// (b), G_pp += A' G_ii A less y' Z: the group's own part of G and h, at the parent's origin.
[[gnu::always_inline]] inline void LoopElimination::HandOwn(const Step& step, const Block& own,
                                                            const Eight& h) {
  const int at = step.parent_slot;
  if (at < 0) return;
  if (step.parent_takes_slot) {
    Put(own, at, at);
    h_[At(at)] = h;
  } else {
    Put(BlockAt(at, at) + own, at, at);
    h_[At(at)] = h_[At(at)] + h;
  }
}

// G -= y' Z of (b) and (c); z_ holds Z.
template <int kRates>
[[gnu::always_inline]] inline void LoopElimination::Subtract(std::span<const Entry> pieces,
                                                             int packs) {
  const std::size_t count = pieces.size();
  for (std::size_t a = 0; a < count; ++a) {
    const int slot = pieces[a].slot;
    for (std::size_t b = 0; b < count; ++b) {
      const int other = pieces[b].slot;
      if (other < slot) continue;
      for (int i = 0; i < 6; ++i) {
        Eight& to = G(slot, i, other);
        Eight sum = to;
        for (int c = 0; c < kRates; ++c) sum = sum - y_[a].row[c].data()[i] * z_[b].row[c];
        to = sum;
      }
    }
  }
  for (int pack = 0; pack < packs; ++pack) {
    const Columns& y = y_[count + At(pack)];
    const int first = kPack * pack, last = std::min(first + kPack, waiting_count());
    for (int k = first; k < last; ++k) {
      for (std::size_t a = 0; a < count; ++a) {
        Eight& to = Row(k, pieces[a].slot);
        for (int c = 0; c < kRates; ++c) to = to - y.row[c].data()[k - first] * z_[a].row[c];
      }
      for (int other = 0; other < packs; ++other) {
        Eight& to = Compliance(k, other);
        for (int c = 0; c < kRates; ++c)
          to = to - y.row[c].data()[k - first] * z_[count + At(other)].row[c];
      }
    }
  }
}

// (b) with S' = [1 0]. With the group's accelerations (-K a; a) + (d; 0), N = H - J K, pivot D + J, T = K + (D + J)^-1 N:  columns
// P_f - T' P_n.
void LoopElimination::PassBall(const Step& step, const Place& p, const Vec<double>& ground) {
  Eight* const kept = Keep(step, 3);
  const Mat<double> alpha_by_a{p.K_and_k[0], p.K_and_k[1], p.K_and_k[2]};
  Vec<double> alpha = -AddTimes(p.K_and_k[3], alpha_by_a, *p.gamma);
  const Rows r = Raise<Eight>(*p.r), a_8 = Raise<Eight>(*p.gamma);
  const std::size_t stride = 1 + PiecesOf(step).size() + At(packs());
  Factors<double> F = *p.J;
  Mat<Eight> T = Raise<Eight>(alpha_by_a);
  const auto force_of = [&T](const Rows& f, const Rows& n) {
    return Rows{f.x - T.x.x * n.x - T.y.x * n.y - T.z.x * n.z,
                f.y - T.x.y * n.x - T.y.y * n.y - T.z.y * n.z,
                f.z - T.x.z * n.x - T.y.z * n.y - T.z.z * n.z};
  };
  if (!step.is_bare) {
    const int at = step.slot;
    const double* const J[3] = {G(at, 0, at).data(), G(at, 1, at).data(), G(at, 2, at).data()};
    F = Factorised(Product(*p.J) + SymmetricOf(J[0], J[1], J[2]), 0);
    auto [n, f] = BlockAt(at, at);
    Eight h = h_[At(at)] + (Dot(Raise<Eight>(alpha), n) + Dot(a_8, f));
    const Rows K{AfterThree(p.K_and_k[0]), AfterThree(p.K_and_k[1]), AfterThree(p.K_and_k[2])};
    const Eight* const rows = &G(at, 0, at);
    // Numbers are broadcast from memory, where G stores them, and not from register to register.
    const auto follow = [&](Eight& row, int c) {
      const double* const numbers = rows[c * plan_.slots].data();
      row = row - numbers[0] * K.x - numbers[1] * K.y - numbers[2] * K.z;
    };
    const Vec<double> h_n{Number<0>(h), Number<1>(h), Number<2>(h)};
    follow(n.x, 0), follow(n.y, 1), follow(n.z, 2), follow(f.x, 3), follow(f.y, 4), follow(f.z, 5);
    h = h - Splat<0>(h) * K.x - Splat<1>(h) * K.y - Splat<2>(h) * K.z;
    const Rows solved = Solved(F, n), all = K + solved;
    T = {{Splat<3>(all.x), Splat<4>(all.x), Splat<5>(all.x)},
         {Splat<3>(all.y), Splat<4>(all.y), Splat<5>(all.y)},
         {Splat<3>(all.z), Splat<4>(all.z), Splat<5>(all.z)}};
    const Vec<double> constant = Backward(F, Scaled(F, Forward(F, h_n)));
    alpha = alpha - constant;
    f = force_of(f, n);
    h = h - constant.x * n.x - constant.y * n.y - constant.z * n.z;
    const Shift shift(*p.r, 1);
    f = {shift.Of(f.x), shift.Of(f.y), shift.Of(f.z)};
    const Rows moved = Cross(r, f);
    HandOwn(step, {moved, f}, shift.Of(h));
    // The part of the parent's acceleration.
    kept[0] = InPlace(6, constant.x, solved.x), kept[stride] = InPlace(6, constant.y, solved.y),
    kept[2 * stride] = InPlace(6, constant.z, solved.z);
  } else {
    kept[0] = kept[stride] = kept[2 * stride] = Eight();
  }
  const Rows alpha_8 = Raise<Eight>(alpha);
  PassColumns(step, ground, [&](int place, Rows& n, Rows& f, Eight& h, Columns& y, Columns& z) {
    const Rows solved = Solved(F, n);
    h = h + Dot(f, a_8) + Dot(n, alpha_8);
    f = force_of(f, n);
    y.row[0] = n.x, y.row[1] = n.y, y.row[2] = n.z;
    n = Cross(r, f);
    Eight* const to = kept + 1 + place;
    z.row[0] = to[0] = solved.x, z.row[1] = to[stride] = solved.y,
    z.row[2] = to[2 * stride] = solved.z;
  });
  Subtract<3>(PiecesOf(step), packs());
}

// (b) with one axis: W = S' G_ii, q = W S, N = W - q V:  columns P - V S'P, pivot D + q.
template <bool kTurns>
void LoopElimination::PassAxis(const Step& step, const Passage& p, const Vec<double>& ground) {
  const Place& place = places_[At(step.stop)];
  const Vec<double>&r_p = *place.r, &gamma = *place.gamma;
  Eight* const kept = Keep(step, 1);
  const double given = p.rate - Dot(p.V_n, p.turn) - Dot(p.V_f, gamma);
  const Vec<double> alpha = kTurns ? AddScaled(p.turn, given, p.s) : p.turn,
                    a = kTurns ? gamma : AddScaled(gamma, given, p.s);
  const Shift shift(r_p, 0);
  const Rows r = Raise<Eight>(r_p), alpha_8 = Raise<Eight>(alpha), a_8 = Raise<Eight>(a),
             s = Raise<Eight>(p.s), V_n = Raise<Eight>(p.V_n), V_f = Raise<Eight>(p.V_f);
  const Eight V(p.V_n.x, p.V_n.y, p.V_n.z, p.V_f.x, p.V_f.y, p.V_f.z);
  double inverse = p.inverse_D, constant = 0;
  Rows N_n, N_f;
  if (!step.is_bare) {
    const int at = step.slot;
    auto [n, f] = BlockAt(at, at);
    Eight h = h_[At(at)] + Dot(alpha_8, n) + Dot(a_8, f);
    const Eight W = Dot(s, kTurns ? n : f);
    const auto along = [&p](const Eight& row) {
      constexpr int k = kTurns ? 0 : 3;
      return p.s.x * Number<k>(row) + p.s.y * Number<k + 1>(row) + p.s.z * Number<k + 2>(row);
    };
    const double q = along(W);
    inverse = p.inverse_D / (1 + p.inverse_D * q);
    const Eight N = W - q * V, Q = V + inverse * N;
    N_n = {Splat<0>(N), Splat<1>(N), Splat<2>(N)}, N_f = {Splat<3>(N), Splat<4>(N), Splat<5>(N)};
    const auto minus = [&](const Eight& row, const Eight& v, const Eight& along_N) {
      return row - v * W - along_N * Q;
    };
    n = {minus(n.x, V_n.x, N_n.x), minus(n.y, V_n.y, N_n.y), minus(n.z, V_n.z, N_n.z)};
    f = {minus(f.x, V_f.x, N_f.x), minus(f.y, V_f.y, N_f.y), minus(f.z, V_f.z, N_f.z)};
    const double y_constant = along(h);
    constant = inverse * y_constant;
    h = h - y_constant * V - constant * N;
    n = AddCross(n, r, f);
    HandOwn(step,
            {{shift.AddedTo(n.x), shift.AddedTo(n.y), shift.AddedTo(n.z)},
             {shift.AddedTo(f.x), shift.AddedTo(f.y), shift.AddedTo(f.z)}},
            shift.AddedTo(h));
    kept[0] = inverse * shift.AddedTo(N) + Eight(0, 0, 0, 0, 0, 0, constant);
  } else {
    kept[0] = Eight();
  }
  const auto pass = [&](int column, Rows& n, Rows& f, Eight& h, Columns& ys, Columns& zs) {
    const Eight y = Dot(s, kTurns ? n : f), z = inverse * y;
    h = h + Dot(n, alpha_8) + Dot(f, a_8) - constant * y;
    f = f - y * V_f - z * N_f;
    n = AddCross(n - y * V_n - z * N_n, r, f);
    ys.row[0] = y, zs.row[0] = kept[1 + column] = z;
  };
  PassColumns(step, ground, pass);
  Subtract<1>(PiecesOf(step), packs());
}

// (b) with S = 1: nothing is transmitted.
void LoopElimination::PassFree(const Step& step, const Passage& p, const Vec<double>& ground) {
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Matrix6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
  using Columns6 = Eigen::Matrix<double, 6, 8, Eigen::RowMajor>;
  const auto matrix_of = [](const Sym<double>& a) {
    Eigen::Matrix3d m;
    m << a.xx, a.xy, a.xz, a.xy, a.yy, a.yz, a.xz, a.yz, a.zz;
    return m;
  };
  const auto [x, y, z] = p.K();
  Eigen::Matrix3d K;
  K << x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z;
  const Eigen::Matrix3d J = matrix_of(Product(p.J));
  Matrix6 pivot;
  pivot.topLeftCorner<3, 3>() = J;
  pivot.topRightCorner<3, 3>() = J * K;
  pivot.bottomLeftCorner<3, 3>() = (J * K).transpose();
  pivot.bottomRightCorner<3, 3>() = matrix_of(Product(p.M)) + K.transpose() * J * K;
  const double beta[6] = {p.k().x,         p.k().y,         p.k().z,
                          p.translation.x, p.translation.y, p.translation.z};
  Vector6 constant = Vector6::Zero();
  if (!step.is_bare) {
    const int at = step.slot;
    Matrix6 own;
    for (int c = 0; c < 6; ++c) {
      for (int e = 0; e < 6; ++e) own(c, e) = G(at, std::min(c, e), at).data()[std::max(c, e)];
      constant[c] = h_[At(at)].data()[c];
    }
    pivot += own;
    constant += own * Eigen::Map<const Vector6>(beta);
  }
  const Eigen::LDLT<Matrix6> factors(pivot);
  constant = factors.solve(constant).eval();
  Eight* const kept = Keep(step, 6);
  const std::size_t stride = 1 + PiecesOf(step).size() + At(packs());
  for (std::size_t c = 0; c < 6; ++c)
    kept[c * stride] = Eight(0, 0, 0, 0, 0, 0, constant[static_cast<Eigen::Index>(c)]);
  if (!step.is_bare) HandOwn(step, {}, {});
  const auto pass = [&](int place, Rows& n, Rows& f, Eight& h, Columns& ys, Columns& zs) {
    ys = {n.x, n.y, n.z, f.x, f.y, f.z};
    Columns6 solved;
    for (int c = 0; c < 6; ++c) {
      h = h + (beta[c] - constant[c]) * ys.row[c];
      for (int j = 0; j < 8; ++j) solved(c, j) = ys.row[c].data()[j];
    }
    solved = factors.solve(solved).eval();
    for (int c = 0; c < 6; ++c) {
      const double* const row = &solved(c, 0);
      zs.row[c] = Eight(row[0], row[1], row[2], row[3], row[4], row[5], row[6]);
      zs.row[c] = kept[At(c) * stride + At(1 + place)] = InPlace(7, row[7], zs.row[c]);
    }
    n = f = {};
  };
  PassColumns(step, ground, pass);
  Subtract<6>(PiecesOf(step), packs());
}

// The multiplier with the largest compliance relative to that of free bodies, if it is above
// `least`; -1: none.
int LoopElimination::NextMultiplier(double least) {
  int next = -1;
  double pivot = least, of_free = 1;
  for (int k = 0; k < waiting_count(); ++k) {
    const Waiting& w = waiting_[At(k)];
    if (w.row < 0) continue;
    const double compliance = -Pivot(k);
    if (compliance * of_free > pivot * w.compliance)
      next = k, pivot = compliance, of_free = w.compliance;
  }
  return next;
}

// Stores the groups in these slots, on which the eliminated rows act, and returns them.
std::span<const LoopElimination::Entry> LoopElimination::KeepPieces(std::uint64_t slots) {
  const std::size_t first = left_pieces_.size();
  for (; slots != 0; slots &= slots - 1) {
    const int slot = std::countr_zero(slots);
    left_pieces_.push_back({group_in_slot_[At(slot)], slot});
  }
  return {left_pieces_.data() + first, left_pieces_.size() - first};
}

// (c) for three: eliminates all pending rows if they are consecutive rows on the same groups, each with enough compliance after
// the previous ones are eliminated.
bool LoopElimination::EliminateThree(double least) {
  if (waiting_count() != 3) return false;
  const Waiting* const w = waiting_.data();
  for (int k : {1, 2}) {
    if (w[k].row != w[0].row + k || w[k].slots != w[0].slots) return false;
  }
  const double* const C[3] = {Compliance(0, 0).data(), Compliance(1, 0).data(),
                              Compliance(2, 0).data()};
  const Sym<double> lower = SymmetricOf(C[0], C[1], C[2]);
  const Factors<double> F = Factorised(lower, 0);  // negative
  const auto is_compliant = [least](double inverse_pivot, const Waiting& waiting) {
    return inverse_pivot < 0 && least * waiting.compliance * -inverse_pivot < 1;
  };
  if (!is_compliant(F.inverse_d.x, w[0]) || !is_compliant(F.inverse_d.y, w[1]) ||
      !is_compliant(F.inverse_d.z, w[2]))
    return false;
  Left& left = left_.emplace_back();
  left.what = Leaving::kThreeRows;
  left.variable = w[0].row;
  left.first_piece = left_pieces_.size();
  const std::span<const Entry> pieces = KeepPieces(w[0].slots);
  left.pieces = static_cast<int>(pieces.size());
  left.constant = Backward(F, Scaled(F, Forward(F, VectorOf(h_waiting_[0].data()))));
  left.values = values_end_;
  Eight* const Z = Room(3 * pieces.size());
  for (std::size_t a = 0; a < pieces.size(); ++a) {
    const int slot = pieces[a].slot;
    const Rows rows{Row(0, slot), Row(1, slot), Row(2, slot)}, solved = Solved(F, rows);
    Eight *const y = y_[a].row, *const z = z_[a].row, *const kept = Z + 3 * a;
    y[0] = rows.x, y[1] = rows.y, y[2] = rows.z;
    z[0] = kept[0] = solved.x, z[1] = kept[1] = solved.y, z[2] = kept[2] = solved.z;
    Eight& h = h_[At(slot)];
    h = h - left.constant.x * rows.x - left.constant.y * rows.y - left.constant.z * rows.z;
  }
  Subtract<3>(pieces, 0);
  waiting_.clear();
  return true;
}

// (c) and (d). Rows that act on the same groups are subtracted together.
void LoopElimination::EliminateMultipliers(double least) {
  int next = NextMultiplier(least);
  if (next < 0) return;
  while (next >= 0) {
    const std::uint64_t slots = waiting_[At(next)].slots;
    const std::size_t first = left_pieces_.size();
    const std::span<const Entry> pieces = KeepPieces(slots);
    int count = 0;
    for (; next >= 0 && count < 3 && (waiting_[At(next)].slots & ~slots) == 0; ++count) {
      left_.emplace_back().first_piece = first;
      EliminateMultiplier(next, count, pieces);
      next = NextMultiplier(least);
    }
    switch (count) {
      case 1: Subtract<1>(pieces, 0); break;
      case 2: Subtract<2>(pieces, 0); break;
      case 3: Subtract<3>(pieces, 0); break;
      default: break;
    }
  }
  MoveUp();
}

// Eliminates the last of left_ from the rows of the pending multipliers; sets y and z for those of the
// groups.
void LoopElimination::EliminateMultiplier(int k, int place, std::span<const Entry> pieces) {
  Waiting& leaving = waiting_[At(k)];
  const double inverse = 1 / Pivot(k),
               constant = inverse * h_waiting_[At(k / kPack)].data()[k % kPack];
  const std::size_t count = pieces.size();
  Left& left = left_.back();
  left.variable = leaving.row;
  left.what = Leaving::kRow;
  left.constant.x = constant;
  left.pieces = static_cast<int>(count);
  left.values = values_end_;
  leaving.row = -1;
  const bool is_last =
      std::all_of(waiting_.begin(), waiting_.end(), [](const Waiting& w) { return w.row < 0; });
  Eight* const Z = Room(count + (is_last ? 0 : At(packs())));
  for (std::size_t a = 0; a < count; ++a) {
    const Eight& row = Row(k, pieces[a].slot);
    Eight& h = h_[At(pieces[a].slot)];
    y_[a].row[place] = row;
    z_[a].row[place] = Z[a] = inverse * row;
    h = h - constant * row;
  }
  if (is_last) return;
  left.rows = waiting_count();
  left.first_row = left_rows_.size();
  for (const Waiting& w : waiting_) left_rows_.push_back(w.row);
  // Eliminated multipliers are coupled with nothing.
  for (int pack = 0; pack < packs(); ++pack) {
    Eight& own = Compliance(k, pack);
    if (pack == k / kPack) own = InPlace(k % kPack, 0, own);
    Z[count + At(pack)] = inverse * own;
    h_waiting_[At(pack)] = h_waiting_[At(pack)] - constant * own;
  }
  for (int other = 0; other < waiting_count(); ++other) {
    Waiting& w = waiting_[At(other)];
    if (w.row < 0) continue;
    Eight& to_leaving = Compliance(other, k / kPack);
    const double g = to_leaving.data()[k % kPack];
    if (g == 0) continue;
    to_leaving = InPlace(k % kPack, 0, to_leaving);
    for (std::size_t a = 0; a < count; ++a) {
      Eight& to = Row(other, pieces[a].slot);
      to = to - g * Z[a];
    }
    for (int pack = 0; pack < packs(); ++pack)
      Compliance(other, pack) = Compliance(other, pack) - g * Z[count + At(pack)];
    w.slots |= leaving.slots;
  }
}

// Moves the remaining multipliers to the places of the eliminated ones.
void LoopElimination::MoveUp() {
  int kept = 0;
  for (int k = 0; k < waiting_count(); ++k) {
    if (waiting_[At(k)].row < 0) continue;
    if (kept != k) {
      std::copy_n(&Row(k, 0), plan_.slots, &Row(kept, 0));
      std::copy_n(&Compliance(k, 0), packs(), &Compliance(kept, 0));
      for (int other = 0; other < waiting_count(); ++other) {
        Eight &from = Compliance(other, k / kPack), &to = Compliance(other, kept / kPack);
        const double value = from.data()[k % kPack];
        from = InPlace(k % kPack, 0, from);
        to = InPlace(kept % kPack, value, to);
      }
      Eight& h = h_waiting_[At(kept / kPack)];
      h = InPlace(kept % kPack, h_waiting_[At(k / kPack)].data()[k % kPack], h);
      waiting_[At(kept)] = waiting_[At(k)];
    }
    ++kept;
  }
  waiting_.resize(At(kept));
}

// (e)
void LoopElimination::Return(const Vec<double>& ground) {
  using Two = Six::Two;
  const Six of_ground({}, ground);
  for (auto left = left_.rbegin(); left != left_.rend(); ++left) {
    const Eight* Z = values_.data() + left->values;
    // Values of the pending multipliers.
    const auto add_rows = [&](const Eight* from, double sum) {
      const int* const rows = left_rows_.data() + left->first_row;
      for (int k = 0; k < left->rows; ++k) {
        if (rows[k] >= 0) sum += from->data()[k % kPack] * multipliers_[At(rows[k])];
        if (k % kPack == kPack - 1) ++from;
      }
      return sum;
    };
    if (left->what != Leaving::kJoint) {
      const Entry* const pieces = left_pieces_.data() + left->first_piece;
      double* const values = &multipliers_[At(left->variable)];
      if (left->what == Leaving::kThreeRows) {
        Two x{}, y{}, z{};
        for (int i = 0; i < left->pieces; ++i, Z += 3) {
          const Six& a = accelerations_[At(pieces[i].stop)];
          x = AddProducts(Z[0], a, x), y = AddProducts(Z[1], a, y), z = AddProducts(Z[2], a, z);
        }
        const Vec<double> three =
            -(Vec<double>{x[0] + x[1], y[0] + y[1], z[0] + z[1]} + left->constant);
        values[0] = three.x, values[1] = three.y, values[2] = three.z;
        continue;
      }
      Two sum{};
      for (int i = 0; i < left->pieces; ++i)
        sum = AddProducts(Z[i], accelerations_[At(pieces[i].stop)], sum);
      *values = -add_rows(Z + left->pieces, sum[0] + sum[1] + left->constant.x);
      continue;
    }
    const Step& step = plan_.steps[At(left->variable)];
    const std::span<const Entry> pieces = PiecesOf(step);
    const Passage& p = passages_[At(step.stop)];
    const Place& place = places_[At(step.stop)];
    const Six& carrier = step.parent < 0 ? of_ground : accelerations_[At(step.parent)];
    const Vec<double> alpha_p = VectorOf(carrier.data());
    const std::size_t stride = 1 + pieces.size() + At(PacksOf(left->rows));
    const auto coupled = [&](int c, Two sum) {
      const Eight* const z = Z + At(c) * stride + 1;
      for (std::size_t i = 0; i < pieces.size(); ++i)
        sum = AddProducts(z[i], accelerations_[At(pieces[i].stop)], sum);
      return add_rows(z + pieces.size(), sum[0] + sum[1]);
    };
    const auto change_of = [&](int c) {
      const Eight& own = Z[At(c) * stride];
      return -(coupled(c, AddProducts(own, carrier, Two{})) + own.data()[6]);
    };
    const Vec<double> carried = AddCross(VectorOf(carrier.data() + 3), alpha_p, *place.r),
                      a = carried + *place.gamma;
    double* const change = &changes_[6 * At(step.stop)];
    Six& out = accelerations_[At(step.stop)];
    ForMovingJoint(types_[At(step.stop)], [&](auto joint) {
      if constexpr (joint.kOneAxis) {
        change[0] = change_of(0);
        const Vec<double> turned = alpha_p + p.turn;
        const double rate = p.rate + change[0] - Dot(p.V_n, turned) - Dot(p.V_f, a);
        const Vec<double> alpha = joint.kTurns == 1 ? AddScaled(turned, rate, p.s) : turned,
                          moved = joint.kTurns == 1 ? a : AddScaled(a, rate, p.s);
        out = Six(alpha, moved);
      } else if constexpr (joint.kSlides == 0) {
        const Mat<double> K{place.K_and_k[0], place.K_and_k[1], place.K_and_k[2]};
        const Vec<double> free = AddTimes(place.K_and_k[3], K, a);
        const auto of_a = [&](int c) {
          const double* const own = Z[At(c) * stride].data();
          return own[6] + own[3] * carried.x + own[4] * carried.y + own[5] * carried.z;
        };
        // The coupled accelerations are known last.
        const Vec<double> by_a{of_a(0), of_a(1), of_a(2)},
            by_others{coupled(0, Two{}), coupled(1, Two{}), coupled(2, Two{})},
            d = -(by_a + by_others), alpha = -(by_a + free) - by_others;
        change[0] = d.x, change[1] = d.y, change[2] = d.z;
        out = Six(alpha, a);
      } else {
        for (int c = 0; c < 6; ++c) change[c] = change_of(c);
        const Vec<double> alpha = p.k() + VectorOf(change),
                          moved = p.translation + VectorOf(change + 3);
        out = Six(alpha, moved);
      }
    });
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
  const std::string at_once =
      "carried to the root and solved at once, about " + counted(by_columns, "multiply-add");
  if (plan.slots > kMostSlots) {
    return text + "They are " + at_once + ". Where loops meet, more than " +
           counted(kMostSlots, "group") + " would be pending at a time.\n";
  }
  const std::string one_after_another =
      "at most " + counted(plan.slots, "group") + " at a time, each coupled with " +
      counted(partners, "other") + " in addition to its parent at most, about " +
      counted(plan.work, "multiply-add");
  if (plan.work < by_columns) {
    return text +
           "If they are independent, they are eliminated where loops meet: " + one_after_another +
           ". Otherwise they are " + at_once + ".\n";
  }
  return text + "They are " + at_once + ". Eliminated where loops meet: " + one_after_another +
         ".\n";
}

}  // namespace mbsbench
