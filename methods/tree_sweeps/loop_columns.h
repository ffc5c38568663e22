// Cut-joint forces: the additional part of a sweep over a tree that closes loops.
//
// Each constraint row of a loop joint is a unit wrench p = (n, f) on the joint's child and its
// opposite on the parent. Carried to the root through the joints that the inertia pass has
// eliminated, it gives the dependence of the row's second derivative on the accelerations there,
//
//   p.(alpha, a) at one end  =  p'.(alpha_p, a_p) at the other + what the joint adds,
//
// because udot = k - V (alpha, a) splits it: along the free axes H'p multiplies k, and p' = p - V'
// (H'p) remains. The same elimination gives the mutual responses of the wrenches of two rows
// through (H'p_i)' D^-1 (H'p_j). One pass from the tips to the root along the paths of the rows
// therefore gives
//
//   g'' = A x + b      A: sum over joints of (H'p)' D^-1 (H'p);   b: of p'.(gamma, c) + (H'p) k
//
// for multipliers x, A symmetric by construction. When x is known, its wrench is carried in one
// column in the same way and changes k of the inertia pass, before the acceleration pass.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "methods/loops/loop_ends.h"
#include "methods/tree_sweeps/tree_sweep.h"

namespace mbsbench {

template <class Sweep>
class LoopColumns {
  using T = typename Sweep::Scalar;

 public:
  LoopColumns(const System& system, const GroupTree<T>& tree);

  struct Along {  // of the joint of a stop's group
    JointType type;
    int parent_group;
  };
  const LoopPaths& paths() const { return paths_; }
  std::span<const Along> joints() const { return joints_; }  // per stop
  std::vector<int> Groups() const;

  // A unit multiplier of `row` on the group's origin (side 0: child's, 1: parent's, with its sign).
  void Set(int row, int side, const Vec<T>& n, const Vec<T>& f);

  // After PassInertia; adds to the lower triangle of A and to b.
  void AddResponses(Sweep& sweep, T* matrix, T* right_side);

  // Before PassAcceleration: the wrenches of the loop joints on both their groups, about the
  // groups' origins. `net` is per stop of paths().
  std::span<Load<T>> net() { return net_; }
  void Apply(Sweep& sweep);

 private:
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }
  // Six rows of numbers: n.x, n.y, n.z, f.x, f.y, f.z.
  T* Side(int side) { return columns_.data() + At(side) * 6 * At(size_); }

  LoopPaths paths_;
  std::vector<Along> joints_;  // per stop
  int size_;
  std::vector<T> columns_;  // 2 sides
  std::vector<T> y_, z_;    // H'p and D^-1 H'p, up to six rows of numbers
  std::vector<Load<T>> net_;
};

template <class Sweep>
LoopColumns<Sweep>::LoopColumns(const System& system, const GroupTree<T>& tree)
    : paths_(PathsOfLoops(system, tree)),
      size_(LoopRowCount(system)),
      columns_(12 * At(size_)),
      y_(6 * At(size_)),
      z_(6 * At(size_)),
      net_(paths_.stops().size()) {
  for (const LoopPaths::Stop& stop : paths_.stops()) {
    const SweepGroup<T>& group = tree.groups[At(stop.element)];
    joints_.push_back({group.type, group.parent});
  }
}

template <class Sweep>
std::vector<int> LoopColumns<Sweep>::Groups() const {
  std::vector<int> groups;
  for (const LoopPaths::Stop& stop : paths_.stops()) {
    if (stop.element != 0) groups.push_back(stop.element);
  }
  return groups;
}

template <class Sweep>
void LoopColumns<Sweep>::Set(int row, int side, const Vec<T>& n, const Vec<T>& f) {
  T* const c = Side(side) + row;
  c[0] = n.x, c[size_] = n.y, c[2 * size_] = n.z;
  c[3 * size_] = f.x, c[4 * size_] = f.y, c[5 * size_] = f.z;
}

template <class Sweep>
void LoopColumns<Sweep>::AddResponses(Sweep& sweep, T* matrix, T* right_side) {
  const int m = size_;
  for (std::size_t k = 0; k < paths_.stops().size(); ++k) {
    const LoopPaths::Stop& stop = paths_.stops()[k];
    for (const RowRun& run : paths_.merges(stop)) {
      for (int component = 0; component < 6; ++component) {
        T* const to = Side(0) + component * m;
        const T* const from = Side(1) + component * m;
        for (int i = run.begin; i < run.end; ++i) to[i] = to[i] + from[i];
      }
    }
    const std::span<const RowRun> runs = paths_.runs(stop);
    if (runs.empty()) continue;
    const auto& e = sweep.elimination(stop.element);
    if (stop.element == 0) {  // the ground accelerates
      for (const RowRun& run : runs) {
        const T* const f = Side(run.side) + 3 * m;
        for (int i = run.begin; i < run.end; ++i) {
          right_side[i] = right_side[i] + Dot(e.row[1], Vec<T>{f[i], f[m + i], f[2 * m + i]});
        }
      }
      continue;
    }
    const auto& motion = sweep.motion(stop.element);
    const auto& kept = sweep.kept_factors(stop.element);
    const Vec<T> s = AxisOf(motion.R);
    T* const y = y_.data();
    T* const z = z_.data();
    Vec<T> c;  // of a joint that turns about its axis
    // `eliminate` reduces n and f of row i, fills y and z and returns the factor of k.
    const auto pass = [&](auto eliminate) {
      for (const RowRun& run : runs) {
        T* const column = Side(run.side);
        for (int i = run.begin; i < run.end; ++i) {
          Vec<T> n{column[i], column[m + i], column[2 * m + i]};
          Vec<T> f{column[3 * m + i], column[4 * m + i], column[5 * m + i]};
          const T met = eliminate(i, n, f);
          right_side[i] = right_side[i] + met + Dot(f, motion.gamma) + Dot(n, c);
          n = AddCross(n, motion.r, f);
          column[i] = n.x, column[m + i] = n.y, column[2 * m + i] = n.z;
          column[3 * m + i] = f.x, column[4 * m + i] = f.y, column[5 * m + i] = f.z;
        }
      }
    };
    const auto put = [m](int i, const Vec<T>& v, T* to) {
      to[i] = v.x, to[m + i] = v.y, to[2 * m + i] = v.z;
    };
    const auto lower = [](const Factors<T>& factors, Vec<T> v) {
      SolveLower(factors, v.x, v.y, v.z);
      return v;
    };
    const auto scaled = [](const Vec<T>& d, const Vec<T>& v) {
      return Vec<T>{d.x * v.x, d.y * v.y, d.z * v.z};
    };
    ForMovingJoint(joints_[k].type, [&](auto joint) {
      using Joint = decltype(joint);
      if constexpr (Joint::kOneAxis) {
        if constexpr (Joint::kTurns == 1) {
          c = Cross(sweep.motion(joints_[k].parent_group).omega, motion.omega);
        }
        pass([&](int i, Vec<T>& n, Vec<T>& f) {
          const T sigma = Dot(s, Joint::kTurns == 1 ? n : f);
          y[i] = sigma;
          z[i] = sigma * kept.J.inverse_d.x;
          n = n - sigma * e.row[0];
          f = f - sigma * e.row[1];
          return sigma * e.row[2].x;
        });
      } else if constexpr (Joint::kSlides == 0) {
        const Mat<T> K{e.row[0], e.row[1], e.row[2]};
        pass([&](int i, Vec<T>& n, Vec<T>& f) {
          const Vec<T> v = lower(kept.J, n);
          put(i, v, y);
          put(i, scaled(kept.J.inverse_d, v), z);
          const T met = -Dot(n, e.row[3]);
          f = f - TransposeTimes(K, n);
          n = {};
          return met;
        });
      } else {
        pass([&](int i, Vec<T>& n, Vec<T>& f) {
          const T met = Dot(n, e.row[0]) + Dot(f, e.row[1]);
          Vec<T> v = lower(kept.J, n);
          put(i, v, y);
          put(i, scaled(kept.J.inverse_d, v), z);
          v = lower(kept.M, f - TransposeTimes(kept.K, n));
          put(i, v, y + 3 * m);
          put(i, scaled(kept.M.inverse_d, v), z + 3 * m);
          n = f = {};
          return met;
        });
      }
      AddProducts<Joint::kRates>(runs, y, z, m, matrix);
    });
  }
}

template <class Sweep>
void LoopColumns<Sweep>::Apply(Sweep& sweep) {
  const auto solve = [](const Factors<T>& factors, Vec<T> v) -> Vec<T> {
    SolveLower(factors, v.x, v.y, v.z);
    v = {factors.inverse_d.x * v.x, factors.inverse_d.y * v.y, factors.inverse_d.z * v.z};
    SolveUpper(factors, v.x, v.y, v.z);
    return v;
  };
  for (std::size_t k = 0; k + 1 < paths_.stops().size(); ++k) {
    const LoopPaths::Stop& stop = paths_.stops()[k];
    auto& e = sweep.elimination(stop.element);
    const auto& motion = sweep.motion(stop.element);
    const auto& kept = sweep.kept_factors(stop.element);
    Vec<T> n = net_[k].moment, f = net_[k].force;
    ForMovingJoint(joints_[k].type, [&](auto joint) {
      using Joint = decltype(joint);
      if constexpr (Joint::kOneAxis) {
        const T sigma = Dot(AxisOf(motion.R), Joint::kTurns == 1 ? n : f);
        e.row[2].x = e.row[2].x + sigma * kept.J.inverse_d.x;
        n = n - sigma * e.row[0];
        f = f - sigma * e.row[1];
      } else if constexpr (Joint::kSlides == 0) {
        e.row[3] = e.row[3] - solve(kept.J, n);
        f = f - TransposeTimes(Mat<T>{e.row[0], e.row[1], e.row[2]}, n);
        n = {};
      } else {
        const Vec<T> a = solve(kept.M, f - TransposeTimes(kept.K, n));
        e.row[0] = e.row[0] + solve(kept.J, n) - kept.K * a;
        e.row[1] = e.row[1] + a;
        n = f = {};
      }
    });
    Load<T>& outboard = net_[At(stop.parent)];
    outboard.force = outboard.force + f;
    outboard.moment = AddCross(outboard.moment + n, motion.r, f);
  }
}

}  // namespace mbsbench
