#include "methods/equivalent_particles/moment_sums.h"

#include <algorithm>
#include <cmath>

#include "methods/equivalent_particles/small_elimination.h"

namespace mbsbench::equivalent_particles {

namespace {

constexpr int kConstant = 3 * kMostParticles;  // column of the constant part

// row += scale * v at the three columns of a slot
inline void Put(const Vector3d& v, double* row) {
  row[0] += v[0];
  row[1] += v[1];
  row[2] += v[2];
}

// [v x] added to three rows at the columns of a slot.
template <std::size_t kWidth>
inline void PutCross(const Vector3d& v, double (*rows)[kWidth], int at) {
  rows[0][at + 1] -= v[2];
  rows[0][at + 2] += v[1];
  rows[1][at] += v[2];
  rows[1][at + 2] -= v[0];
  rows[2][at] -= v[1];
  rows[2][at + 1] += v[0];
}

constexpr int OwnCount(int count, int given) { return count > given ? count - given : 0; }

}  // namespace

MomentSums::MomentSums(const ParticleTree& tree, const Vector3d& gravity, bool with_responses)
    : tree_(tree),
      gravity_(gravity),
      x_(At(tree.slots), Vector3d::Zero()),
      v_(x_),
      a_(x_),
      loads_(tree.nodes.size()),
      sums_(tree.nodes.size()),
      carried_of_node_(tree.nodes.size(), -1),
      responses_(with_responses ? 6 : 0),
      solution_at_(tree.nodes.size()) {
  for (int i = 0; i < tree.nodes[0].count; ++i) {
    x_[At(i)] = tree.choices[0].points[At(i)];
    a_[At(i)] = -gravity;
  }
  std::size_t size = 0;
  for (std::size_t n = 1; n < tree.nodes.size(); ++n) {
    const Node& node = tree.nodes[n];
    solution_at_[n] = size;
    size += At(3 * node.own * (GivenColumns(node) + 1 + responses_));
  }
  solutions_.resize(size);
}

// Eqs 23 to 27 of the node alone.
template <int kCount>
void MomentSums::SetOwnSums(std::size_t n) {
  const Node& node = tree_.nodes[n];
  Sums& sums = sums_[n];
  const Vector3d* x = x_.data() + node.first_slot;
  Vector3d r[kCount];
  for (int i = 0; i < kCount; ++i) r[i] = x[i] - x[0];
  for (int j = 0; j < kCount; ++j) {
    Vector3d first_moment = Vector3d::Zero();  // A_j = [sum_i B_ij r_i1 x]
    for (int i = 1; i < kCount; ++i) first_moment += node.second_moments[At(i)][At(j)] * r[i];
    for (int i = 0; i < 3; ++i) sums.row[i][3 * j + i] += node.masses[At(j)];
    PutCross(first_moment, sums.row + 3, 3 * j);
  }
  for (int i = 0; i < 3; ++i) {
    sums.row[i][kConstant] -= loads_[n].force[i];
    sums.row[3 + i][kConstant] -= loads_[n].moment[i];
  }
}

// The reduced sums of the node are added to the parent's: F' and M' over the node's given slots,
// `width` columns of them and the constant last.
template <int kGiven>
void MomentSums::PassOn(std::size_t n, const double (*rest)[3 * kGiven + 1], bool has_moment) {
  const Node& node = tree_.nodes[n];
  if (node.parent == 0) return;
  const Node& parent = tree_.nodes[At(node.parent)];
  Sums& sums = sums_[At(node.parent)];
  const Vector3d rho = x_[At(node.first_slot)] - x_[At(parent.first_slot)];
  // Moment about the parent's slot 1: M' + rho x F'.
  double moved[3][3 * kGiven + 1];
  for (int j = 0; j <= 3 * kGiven; ++j) {
    const double f0 = rest[0][j], f1 = rest[1][j], f2 = rest[2][j];
    moved[0][j] = rho[1] * f2 - rho[2] * f1;
    moved[1][j] = rho[2] * f0 - rho[0] * f2;
    moved[2][j] = rho[0] * f1 - rho[1] * f0;
    if (has_moment) {
      for (int i = 0; i < 3; ++i) moved[i][j] += rest[3 + i][j];
    }
  }
  for (int i = 0; i < 3; ++i) {
    sums.row[i][kConstant] += rest[i][3 * kGiven];
    sums.row[3 + i][kConstant] += moved[i][3 * kGiven];
  }
  for (int slot = 0; slot < kGiven; ++slot) {
    const int shared = node.shared[At(slot)];
    const int from = shared >= 0 ? shared : 0, to = shared >= 0 ? shared + 1 : parent.count;
    for (int l = from; l < to; ++l) {
      const double w = node.from_parent[At(slot)][At(l)];
      for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
          sums.row[i][3 * l + k] += w * rest[i][3 * slot + k];
          sums.row[3 + i][3 * l + k] += w * moved[i][3 * slot + k];
        }
      }
    }
  }
}

// TurningRows of attia_equations.h. Ball, revolute and free: distances and moment (force) rows of the own slots.
template <int kCount, int kGiven, int kResponses>
bool MomentSums::ReduceTurning(std::size_t n) {
  constexpr int kOwn = 3 * OwnCount(kCount, kGiven), kFixed = 3 * kGiven;
  constexpr int kConstantAt = kOwn + kFixed, kWidth = kConstantAt + 1 + kResponses;
  const Node& node = tree_.nodes[n];
  const Sums& sums = sums_[n];
  const Vector3d* x = x_.data() + node.first_slot;
  const Vector3d* v = v_.data() + node.first_slot;
  double rest[6][kFixed + 1];
  if constexpr (kOwn > 0) {
    // Columns: own slots, given slots, constant, changes of F and M.
    const auto column = [](int slot) { return 3 * ((slot + kCount - kGiven) % kCount); };
    double rows[kOwn][kWidth] = {};
    int at = 0;
    // (37) to (42): r_ij.(a_i - a_j) = -|v_ij|^2
    const auto distance = [&](int i, int j, double* row) {
      const double scale = 1 / node.distance[i][j];
      const Vector3d r = scale * (x[i] - x[j]);
      Put(r, row + column(i));
      Put(-r, row + column(j));
      row[kConstantAt] += scale * (v[i] - v[j]).squaredNorm();
    };
    // (25) to (27): a row of F or M, its columns put in order
    const auto sum = [&](int which, double scale, double* row) {
      const double* from = sums.row[which];
      for (int slot = 0; slot < kCount; ++slot) {
        for (int k = 0; k < 3; ++k) row[column(slot) + k] += scale * from[3 * slot + k];
      }
      row[kConstantAt] += scale * from[kConstant];
      if constexpr (kResponses > 0) row[kConstantAt + 1 + which] += scale;
    };
    const double per_force = 1 / node.subtree_inertia, per_moment = per_force / node.size;
    if constexpr (kGiven == 0) {  // F = 0 (43)
      for (int i = 0; i < 3; ++i) sum(i, per_force, rows[at++]);
    }
    if constexpr (kCount == 2 && kGiven < 2) {
      // (36) x r + r (37): M is at right angles to r = r_21 whatever the accelerations, so its two
      // conditions and the distance make the three rows (M x r) + r (r.(a_2 - a_1) + |v_21|^2) = 0.
      const Vector3d r = (x[1] - x[0]) / node.distance[0][1];
      double length[kWidth] = {};
      distance(1, 0, length);
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        sum(3 + j, per_moment * r[k], rows[at]);
        sum(3 + k, -per_moment * r[j], rows[at]);
        for (int c = 0; c < kWidth; ++c) rows[at][c] += r[i] * length[c];
        ++at;
      }
    } else if constexpr (kCount > 1) {
      // (37) to (42)
      for (int i = 0; i < kCount; ++i) {
        for (int j = i + 1; j < kCount; ++j) {
          if (j >= kGiven) distance(j, i, rows[at++]);
        }
      }
      // (36), of a revolute along its axis
      if constexpr (kGiven == 2) {
        const Vector3d axis = (x[1] - x[0]) / node.distance[0][1];
        for (int i = 0; i < 3; ++i) sum(3 + i, per_moment * axis[i], rows[at]);
      } else {
        for (int i = 0; i < 3; ++i) sum(3 + i, per_moment, rows[at++]);
      }
    }
    // u = -U [a_given; 1]
    if (!Eliminate(rows)) return false;
    double* solution = solutions_.data() + solution_at_[n];
    for (int i = 0; i < kOwn; ++i) {
      for (int j = kOwn; j < kWidth; ++j) *solution++ = rows[i][j];
    }
    if constexpr (kGiven > 0) {
      // F and M with u = -U [a_given; 1] substituted; at a ball M is zero.
      for (int i = 0; i < (kGiven == 1 ? 3 : 6); ++i) {
        for (int j = 0; j < kFixed; ++j) rest[i][j] = sums.row[i][j];
        rest[i][kFixed] = sums.row[i][kConstant];
        for (int u = 0; u < kOwn; ++u) {
          const double c = sums.row[i][kFixed + u];
          for (int j = 0; j <= kFixed; ++j) rest[i][j] -= c * rows[u][kOwn + j];
        }
      }
    }
  } else {
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 3 * kCount; ++j) rest[i][j] = sums.row[i][j];
      rest[i][kFixed] = sums.row[i][kConstant];
    }
  }
  if constexpr (kGiven > 0) PassOn<kGiven>(n, rest, kGiven == 2);
  return true;
}

// PrismaticRows of attia_equations.h: the one own particle, over the accelerations of the parent's four slots.
template <int kCount, int kResponses>
bool MomentSums::ReducePrismatic(std::size_t n) {
  constexpr int kParent = kMostParticles, kFixed = 3 * kParent;
  constexpr int kConstantAt = 3 + kFixed, kWidth = kConstantAt + 1 + kResponses;
  const Node& node = tree_.nodes[n];
  const Node& parent = tree_.nodes[At(node.parent)];
  const Vector3d* parent_x = x_.data() + parent.first_slot;
  const Vector3d* parent_v = v_.data() + parent.first_slot;

  // (44a) and (44c): a_i = u + sum_l w_il a_l in the sums
  double over[6][kConstantAt + 1];
  for (int i = 0; i < 6; ++i) {
    const double* from = sums_[n].row[i];
    for (int k = 0; k < 3; ++k) {
      double own = 0;
      for (int slot = 0; slot < kCount; ++slot) own += from[3 * slot + k];
      over[i][k] = own;
      for (int l = 0; l < kParent; ++l) {
        double sum = 0;
        for (int slot = 1; slot < kCount; ++slot) {
          sum += node.from_parent[At(slot)][At(l)] * from[3 * slot + k];
        }
        over[i][3 + 3 * l + k] = sum;
      }
    }
    over[i][kConstantAt] = from[kConstant];
  }

  double rows[3][kWidth] = {};
  // (44b) twice differentiated: d = x_1 - x_rail stays perpendicular to t, d''.t + 2 d'.t' + d.t''
  // = 0.
  const Vector3d d = x_[At(node.first_slot)] - Combine(node.rail_point, parent_x, kParent);
  const Vector3d d_rate = v_[At(node.first_slot)] - Combine(node.rail_point, parent_v, kParent);
  for (int i = 0; i < 2; ++i) {
    const Weights& across = node.rail_across[At(i)];
    const Vector3d t = Combine(across, parent_x, kParent);
    Put(t, rows[i]);
    for (int l = 0; l < kParent; ++l) {
      Put(across[At(l)] * d - node.rail_point[At(l)] * t, rows[i] + 3 + 3 * l);
    }
    rows[i][kConstantAt] = 2 * d_rate.dot(Combine(across, parent_v, kParent));
  }
  const Vector3d axis = Combine(node.rail_axis, parent_x, kParent) / node.subtree_inertia;
  for (int c = 0; c <= kConstantAt; ++c) {
    rows[2][c] = axis[0] * over[0][c] + axis[1] * over[1][c] + axis[2] * over[2][c];
  }
  if constexpr (kResponses > 0) Put(axis, rows[2] + kConstantAt + 1);
  if (!Eliminate(rows)) return false;
  double* solution = solutions_.data() + solution_at_[n];
  for (int i = 0; i < 3; ++i) {
    for (int j = 3; j < kWidth; ++j) *solution++ = rows[i][j];
  }
  if (node.parent == 0) return true;
  double rest[6][kFixed + 1];
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j <= kFixed; ++j) {
      rest[i][j] = over[i][3 + j] - over[i][0] * rows[0][3 + j] - over[i][1] * rows[1][3 + j] -
                   over[i][2] * rows[2][3 + j];
    }
  }
  // Columns are the parent's slots already.
  Sums& sums = sums_[At(node.parent)];
  const Vector3d rho = x_[At(node.first_slot)] - x_[At(parent.first_slot)];
  for (int j = 0; j <= kFixed; ++j) {
    for (int i = 0; i < 3; ++i) {
      sums.row[i][j] += rest[i][j];
      const int next = (i + 1) % 3, last = (i + 2) % 3;
      sums.row[3 + i][j] += rest[3 + i][j] + rho[next] * rest[last][j] - rho[last] * rest[next][j];
    }
  }
  return true;
}

void MomentSums::SetCarriedNodes(std::span<const CarriedNode> nodes) {
  carried_.assign(nodes.begin(), nodes.end());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    carried_of_node_[At(nodes[i].node)] = static_cast<int>(i);
}

void MomentSums::SetOwnSumsOfAny(std::size_t n) {
  switch (tree_.nodes[n].count) {
    case 4: return SetOwnSums<4>(n);
    case 3: return SetOwnSums<3>(n);
    case 2: return SetOwnSums<2>(n);
    default: return SetOwnSums<1>(n);
  }
}

// F' and M' over the parent's slots.
void MomentSums::PassOnCarried(const CarriedNode& carried) {
  const std::size_t n = At(carried.node);
  SetOwnSumsOfAny(n);
  const Node& node = tree_.nodes[n];
  if (node.parent == 0) return;
  const Node& parent = tree_.nodes[At(node.parent)];
  const Vector3d *x = x_.data() + parent.first_slot, *v = v_.data() + parent.first_slot;
  double rest[6][kConstant + 1] = {};
  for (int slot = 0; slot < node.count; ++slot) {
    const Vector3d bias = 2 * Combine(carried.rates[At(slot)], v, parent.count) +
                          Combine(carried.accelerations[At(slot)], x, parent.count);
    for (int i = 0; i < 6; ++i) {
      const double* row = sums_[n].row[i] + 3 * slot;
      for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < parent.count; ++l)
          rest[i][3 * l + k] += carried.weights[At(slot)][At(l)] * row[k];
        rest[i][kConstant] += row[k] * bias[k];
      }
    }
  }
  Sums& sums = sums_[At(node.parent)];
  const Vector3d rho = x_[At(node.first_slot)] - x_[At(parent.first_slot)];
  for (int i = 0; i < 6; ++i) rest[i][kConstant] += sums_[n].row[i][kConstant];
  for (int j = 0; j <= kConstant; ++j) {
    for (int i = 0; i < 3; ++i) {
      const int next = (i + 1) % 3, last = (i + 2) % 3;
      sums.row[i][j] += rest[i][j];
      sums.row[3 + i][j] += rest[3 + i][j] + rho[next] * rest[last][j] - rho[last] * rest[next][j];
    }
  }
}

void MomentSums::PlaceCarried() {
  for (const CarriedNode& carried : carried_) {
    const Node& node = tree_.nodes[At(carried.node)];
    const Node& parent = tree_.nodes[At(node.parent)];
    const Vector3d *x = x_.data() + parent.first_slot, *v = v_.data() + parent.first_slot;
    for (int i = 0; i < node.count; ++i) {
      x_[At(node.first_slot + i)] = Combine(carried.weights[At(i)], x, parent.count);
      v_[At(node.first_slot + i)] = Combine(carried.weights[At(i)], v, parent.count) +
                                    Combine(carried.rates[At(i)], x, parent.count);
    }
  }
}

void MomentSums::AccelerateCarried() {
  for (const CarriedNode& carried : carried_) {
    const Node& node = tree_.nodes[At(carried.node)];
    const Node& parent = tree_.nodes[At(node.parent)];
    const int first = parent.first_slot;
    const Vector3d *x = x_.data() + first, *v = v_.data() + first, *a = a_.data() + first;
    for (int i = 0; i < node.count; ++i) {
      a_[At(node.first_slot + i)] = Combine(carried.weights[At(i)], a, parent.count) +
                                    2 * Combine(carried.rates[At(i)], v, parent.count) +
                                    Combine(carried.accelerations[At(i)], x, parent.count);
    }
  }
}

double MomentSums::EffortOf(const CarriedNode& carried) const {
  const Node& node = tree_.nodes[At(carried.node)];
  const Node& parent = tree_.nodes[At(node.parent)];
  const Vector3d axis = Combine(carried.axis, x_.data() + parent.first_slot, parent.count);
  double effort = 0;
  for (int i = 0; i < 3; ++i) {
    const double* row = sums_[At(carried.node)].row[carried.slides ? i : 3 + i];
    double along = row[kConstant];
    for (int slot = 0; slot < node.count; ++slot) {
      for (int k = 0; k < 3; ++k) along += row[3 * slot + k] * a_[At(node.first_slot + slot)][k];
    }
    effort += axis[i] * along;
  }
  return effort;
}

template <int kCount, int kResponses>
bool MomentSums::Reduce(std::size_t n) {
  SetOwnSums<kCount>(n);
  const Node& node = tree_.nodes[n];
  if (node.slides) return ReducePrismatic<kCount, kResponses>(n);
  if constexpr (kCount > 1) {
    if (node.given == 2) return ReduceTurning<kCount, 2, kResponses>(n);
  }
  return node.given == 1 ? ReduceTurning<kCount, 1, kResponses>(n)
                         : ReduceTurning<kCount, 0, kResponses>(n);
}

template <int kResponses>
bool MomentSums::ReduceAny(std::size_t n) {
  switch (tree_.nodes[n].count) {
    case 4: return Reduce<4, kResponses>(n);
    case 3: return Reduce<3, kResponses>(n);
    case 2: return Reduce<2, kResponses>(n);
    default: return Reduce<1, kResponses>(n);
  }
}

void MomentSums::Recover(std::size_t n, bool is_response, Vector3d* accelerations) const {
  const Node& node = tree_.nodes[n];
  const Node& parent = tree_.nodes[At(node.parent)];
  Vector3d* a = accelerations + node.first_slot;
  const Vector3d* from = accelerations + parent.first_slot;
  if (!node.slides) {
    for (int i = 0; i < node.given; ++i) {
      const int shared = node.shared[At(i)];
      a[i] = shared >= 0 ? from[shared] : Combine(node.from_parent[At(i)], from, parent.count);
    }
  }
  const double* given = node.slides ? from->data() : a->data();
  const int width = GivenColumns(node);
  const double* solution = SolutionOf(n);
  double* own = a->data() + 3 * node.given;
  for (int i = 0; i < 3 * node.own; ++i) {
    double sum = is_response ? -own[i] : solution[width];
    for (int j = 0; j < width; ++j) sum += solution[j] * given[j];
    own[i] = -sum;
    solution += width + 1 + responses_;
  }
  if (node.slides) {
    for (int i = 1; i < node.count; ++i) {
      a[i] = a[0] + Combine(node.from_parent[At(i)], from, parent.count);
    }
  }
}

Status MomentSums::Solve() {
  std::fill(sums_.begin(), sums_.end(), Sums{});
  for (std::size_t n = tree_.nodes.size(); n-- > 1;) {
    if (const int carried = carried_of_node_[n]; carried >= 0) {
      PassOnCarried(carried_[At(carried)]);
      continue;
    }
    if (!(responses_ > 0 ? ReduceAny<6>(n) : ReduceAny<0>(n))) {
      return {Status::Code::kSingular, tree_.nodes[n].joint, -1,
              "no inertia about the free axes of the joint"};
    }
  }
  for (std::size_t n = 1; n < tree_.nodes.size(); ++n) {
    if (carried_of_node_[n] < 0) Recover(n, false, a_.data());
  }
  AccelerateCarried();
  return {};
}

// Into the node's own slots. Those of a carried node do not answer: it passes the load on.
Load MomentSums::Answer(int n, const Load& load, Vector3d* slots) const {
  const Node& node = tree_.nodes[At(n)];
  // The sums change by minus the load.
  double change[6];
  for (int i = 0; i < 3; ++i) {
    change[i] = -load.force[i];
    change[3 + i] = -load.moment[i];
  }
  const int skipped = GivenColumns(node) + 1;
  const double* solution = SolutionOf(At(n)) + skipped;
  double* own = slots[node.given].data();
  for (int i = 0; i < 3 * node.own; ++i, solution += skipped + responses_) {
    double sum = 0;
    for (int j = 0; j < 6; ++j) sum += solution[j] * change[j];
    own[i] = -sum;
  }
  for (int i = 0; i < 6; ++i) {
    const double* row = sums_[At(n)].row[i];
    if (node.slides) {  // all slots move with the first
      for (int slot = 0; slot < node.count; ++slot) {
        for (int c = 0; c < 3; ++c) change[i] += row[3 * slot + c] * own[c];
      }
    } else {
      for (int c = 0; c < 3 * node.own; ++c) change[i] += row[3 * node.given + c] * own[c];
    }
  }
  return {{-change[0], -change[1], -change[2]}, {-change[3], -change[4], -change[5]}};
}

void MomentSums::Respond(std::span<const int> loaded, std::span<Load> loads, bool everywhere,
                         Vector3d* response) const {
  if (everywhere) std::fill_n(response, x_.size(), Vector3d::Zero());
  for (std::size_t k = loaded.size(); k-- > 0;) {
    const std::size_t n = At(loaded[k]);
    const Node& node = tree_.nodes[n];
    const Load passed = Answer(loaded[k], loads[n], response + node.first_slot);
    if (node.parent == 0) continue;
    const Node& parent = tree_.nodes[At(node.parent)];
    const Vector3d rho = x_[At(node.first_slot)] - x_[At(parent.first_slot)];
    loads[At(node.parent)].force += passed.force;
    loads[At(node.parent)].moment += passed.moment + rho.cross(passed.force);
  }
  if (everywhere) {
    for (std::size_t n = 1; n < tree_.nodes.size(); ++n) Recover(n, true, response);
  } else {
    for (int n : loaded) Recover(At(n), true, response);
  }
}

void MomentSums::ParticleAccelerations(double* out) const {
  for (std::size_t n = 1; n < tree_.nodes.size(); ++n) {
    const Node& node = tree_.nodes[n];
    for (int i = 0; i < node.own; ++i) {
      const Vector3d& a = a_[At(node.first_slot + node.given + i)];
      for (int k = 0; k < 3; ++k) *out++ = a[k] + gravity_[k];
    }
  }
}

}  // namespace mbsbench::equivalent_particles
