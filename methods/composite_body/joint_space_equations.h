// The joint-space equations of a tree of rigid groups, on any scalar:
//
//   H u' + C = tau
//
// C, the generalised force that u' = 0 requires, follows from Newton and Euler's equations in one sweep
// to the tips and one back; H from composite rigid bodies: the subtree of a joint moves with its rate
// as one rigid body (Walker and Orin 1982; Featherstone 2008, ch. 6).
//
// Everything is in inertial axes, about the group's own origin P; accelerations are less gravity, so
// that the ground accelerates at -g. X(r) moves a motion to the point at r, X(r)' a force back from it.
// A rate k of group i has the column S_k = (w; v): a rotation about w, or a translation along v. Per
// group with parent p and children c, root to tips:
//
//   a_i = X(r_i) a_p + gamma_i                                                                 (1)
//   f_i = I_i a_i + (omega x J omega; m omega x (omega x c)) - applied                         (2)
//
// Tips to root, with f_i and Ic_i summed over the group and its subtree:
//
//   f_i += sum X(r_c)' f_c                    Ic_i = I_i + sum X(r_c)' Ic_c X(r_c)              (3)
//   C_k = S_k' f_i                                                                             (4)
//   F_k = Ic_i S_k                            H_kj = (X(P_i - P_j)' F_k)' S_j                  (5)
//
// for every rate j on the path from the root to k. Other entries of H are zero. In inertial axes the
// force of F_k is the same at all P_j and its moment n + (P_i - P_j) x f, so (5) is one loop over
// contiguous arrays without a branch on joint types.
//
// A driven joint has no column: omega and gamma contain the effect of its rate, and (1) adds that
// of its acceleration.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "methods/numerics/no_alias_loop.h"
#include "methods/numerics/path_cholesky.h"
#include "methods/tree_motion/tree_motion.h"

namespace mbsbench::composite_body {

template <class T>
struct Acceleration {
  Vec<T> alpha, a;  // a: of P, less gravity
};

// Numbering of the free rates: group by group, those of a joint in the order of JointType.
struct FreeRates {
  std::vector<int> first;   // per group, and the end: its first rate
  std::vector<int> before;  // per rate: the previous one on its path; -1
  std::vector<int> begin;   // per rate: the end of the stretch of its path with consecutive numbers
  std::vector<int> triples;  // first rates of three rotations or translations along arbitrary axes
};
template <class T>
FreeRates FreeRatesOf(const GroupTree<T>& tree) {
  FreeRates rates{{0, 0}, {}, {}, {}};
  std::vector<int> last(tree.groups.size(), -1);  // per group, on its path
  for (std::size_t i = 1; i < tree.groups.size(); ++i) {
    const SweepGroup<T>& group = tree.groups[i];
    last[i] = last[static_cast<std::size_t>(group.parent)];
    const int count = group.driven ? 0 : RateCount(group.type);
    for (int k = 0; k < count; ++k) {
      const int rate = static_cast<int>(rates.before.size());
      const bool goes_on = last[i] == rate - 1 && last[i] >= 0;
      rates.before.push_back(last[i]);
      rates.begin.push_back(goes_on ? rates.begin.back() : rate);
      last[i] = rate;
      if (count >= 3 && k % 3 == 0) rates.triples.push_back(rate);
    }
    rates.first.push_back(static_cast<int>(rates.before.size()));
  }
  return rates;
}

template <class T>
class JointSpaceEquations : public TreeMotion<T> {
 public:
  JointSpaceEquations(const GroupTree<Constant<T>>& tree, const Vector3& gravity);

  // Read by Assemble: generalised forces of springs per free rate, applied forces per group.
  std::span<T> joint_forces() { return joint_forces_; }
  std::span<Load<T>> loads() { return loads_; }
  // Read by Assemble too: per group, of driven joints.
  std::span<T> driven_accelerations() { return driven_accelerations_; }

  // After PassMotion(y, ydot): H in inertia(), tau - C in right_side().
  void Assemble(const T* y);
  PathCholesky<T>& inertia() { return inertia_; }
  const PathCholesky<T>& inertia() const { return inertia_; }
  std::span<T> right_side() { return right_side_; }
  std::span<const T> right_side() const { return right_side_; }
  // Per free rate: the largest inertia that its subtree could have. Rounding errors of H are relative to
  // it.
  std::span<const T> scale() const { return scale_; }

  const FreeRates& rates() const { return rates_; }
  int first_rate(int group) const { return rates_.first[At(group)]; }
  // S_k = (w; v).
  Vec<T> w(int rate) const { return Read(w_, rate); }
  Vec<T> v(int rate) const { return Read(v_, rate); }
  // P, relative to that of the group next to the ground that carries it.
  const Vec<T>& position(int group) const { return states_[At(group)].position; }
  // By (1), after Assemble.
  const Acceleration<T>& acceleration_at_rest(int group) const {
    return states_[At(group)].acceleration;
  }
  // (1) with the rates' derivatives, per group.
  std::vector<Acceleration<T>> Accelerations(std::span<const T> udot) const;

 private:
  using Base = TreeMotion<T>;
  using Base::At;
  using typename Base::Motion, typename Base::Run;

  struct RigidBody {
    Vec<Constant<T>> moment;
    Sym<Constant<T>> inertia;
    Constant<T> mass;
  };
  struct State {
    Vec<T> position;
    Acceleration<T> acceleration;
    Load<T> needed;  // f of (2) and (3)
    T mass;          // Ic: mass, first moment, inertia about P
    Vec<T> h;
    Sym<T> J;
  };
  // Vectors per free rate, contiguous by axis.
  struct Vectors {
    std::vector<T> x, y, z;
    explicit Vectors(std::size_t n) : x(n), y(n), z(n) {}
  };
  static Vec<T> Read(const Vectors& vectors, int k) {
    return {vectors.x[At(k)], vectors.y[At(k)], vectors.z[At(k)]};
  }
  static void Write(const Vec<T>& a, int k, Vectors& vectors) {
    vectors.x[At(k)] = a.x, vectors.y[At(k)] = a.y, vectors.z[At(k)] = a.z;
  }

  void PassColumns(const T* y);
  template <bool kPlain>
  void PassForces(const Run& run);
  // Adds the acceleration of a driven joint to (1).
  void AddDriven(int group, Vec<T>& alpha, Vec<T>& a) const;
  void PassComposites();
  template <int kRows, bool kSlides>
  void SetRows(const State& s, int first);
  template <bool kSlides>
  void SetRowsOf(int group);
  static void AddToParent(const State& s, const Vec<T>& r, State& parent);

  const FreeRates rates_;
  std::vector<RigidBody> bodies_;
  std::vector<State> states_;
  Vectors w_, v_, p_;  // p_: P of the rate's group
  bool slides_ = false;
  std::vector<T> joint_forces_, right_side_, scale_;
  std::vector<Load<T>> loads_;
  std::vector<char> driven_;  // per group: 0 free, 1 slides, 2 turns
  std::vector<T> driven_accelerations_;
  PathCholesky<T> inertia_;
};

template <class T>
JointSpaceEquations<T>::JointSpaceEquations(const GroupTree<Constant<T>>& tree,
                                            const Vector3& gravity)
    : Base(tree),
      rates_(FreeRatesOf(tree)),
      states_(tree.groups.size()),
      w_(rates_.before.size()),
      v_(w_),
      p_(w_),
      joint_forces_(rates_.before.size()),
      right_side_(joint_forces_),
      scale_(joint_forces_),
      loads_(tree.groups.size()),
      driven_accelerations_(tree.groups.size()),
      inertia_(rates_.before, rates_.triples) {
  for (const SweepGroup<Constant<T>>& g : tree.groups) {
    bodies_.push_back({g.moment, g.inertia, g.mass});
    driven_.push_back(!g.driven ? 0 : TurnsAboutZ(g.type) ? 2 : 1);
    slides_ = slides_ || ForJoint(g.type, [](auto joint) { return joint.kSlides > 0; });
  }
  states_[0].acceleration.a = -Lift<T>(gravity);
}

template <class T>
void JointSpaceEquations<T>::Assemble(const T* y) {
  PassColumns(y);
  for (const Run& run : this->runs_) {
    run.plain ? PassForces<true>(run) : PassForces<false>(run);
  }
  PassComposites();
}

template <class T>
void JointSpaceEquations<T>::PassColumns(const T* y) {
  for (const Run& run : this->runs_) {
    if (run.driven) continue;
    ForMovingJoint(run.type, [&](auto joint) {
      for (int i = run.begin; i < run.end; ++i) {
        const int first = first_rate(i);
        ForEachColumn<decltype(joint)>(this->motions_[At(i)].R, y + this->links_[At(i)].q,
                                       [&](int k, bool turns, const Vec<T>& direction) {
                                         Write(turns ? direction : Vec<T>{}, first + k, w_);
                                         Write(turns ? Vec<T>{} : direction, first + k, v_);
                                       });
      }
    });
  }
}

template <class T>
void JointSpaceEquations<T>::AddDriven(int group, Vec<T>& alpha, Vec<T>& a) const {
  if (driven_[At(group)] == 0) return;
  const Vec<T> axis = AxisOf(this->motions_[At(group)].R);
  Vec<T>& moved = driven_[At(group)] == 2 ? alpha : a;
  moved = AddScaled(moved, driven_accelerations_[At(group)], axis);
}

// (1) and (2); composite bodies begin as the group's own.
template <class T>
template <bool kPlain>
void JointSpaceEquations<T>::PassForces(const Run& run) {
  for (int i = run.begin; i < run.end; ++i) {
    const int parent = this->links_[At(i)].parent;
    const Motion &m = this->motions_[At(i)], &p = this->motions_[At(parent)];
    const State& carrier = states_[At(parent)];
    const RigidBody& body = bodies_[At(i)];
    State& s = states_[At(i)];
    Vec<T> alpha = carrier.acceleration.alpha + Cross(p.omega, m.omega);
    Vec<T> a = AddCross(carrier.acceleration.a + m.gamma, carrier.acceleration.alpha, m.r);
    if (run.driven) AddDriven(i, alpha, a);
    const Vec<T> h = m.R * Raise<T>(body.moment);
    const Sym<T> J =
        kPlain ? TurnedDiagonal(m.R, Raise<T>(body.inertia)) : Turned(m.R, Raise<T>(body.inertia));
    const T mass(body.mass);
    const Load<T>& load = loads_[At(i)];
    const Vec<T> n = AddCross(AddCross(J * alpha - load.moment, h, a), m.omega, J * m.omega);
    const Vec<T> f = AddDoubleCross(AddCross(mass * a - load.force, alpha, h), m.omega, h);
    s.position = parent == 0 ? Vec<T>{} : carrier.position + m.r;
    for (int k = first_rate(i); k < first_rate(i + 1); ++k) Write(s.position, k, p_);
    Put(alpha, s.acceleration.alpha);
    Put(a, s.acceleration.a);
    Put(n, s.needed.moment);
    Put(f, s.needed.force);
    Put(h, s.h);
    Put(J, s.J);
    s.mass = mass;
  }
}

// (3) to (5)
template <class T>
void JointSpaceEquations<T>::PassComposites() {
  for (int i = this->group_count() - 1; i > 0; --i) {
    slides_ ? SetRowsOf<true>(i) : SetRowsOf<false>(i);
    const int parent = this->links_[At(i)].parent;
    if (parent != 0) AddToParent(states_[At(i)], this->motions_[At(i)].r, states_[At(parent)]);
  }
}

template <class T>
template <bool kSlides>
void JointSpaceEquations<T>::SetRowsOf(int group) {
  const State& s = states_[At(group)];
  const int end = first_rate(group + 1);
  for (int k = first_rate(group); k < end; ++k) {
    const Vec<T> w_k = w(k), v_k = v(k);
    right_side_[At(k)] =
        joint_forces_[At(k)] - Dot(w_k, s.needed.moment) - Dot(v_k, s.needed.force);
    scale_[At(k)] = Dot(w_k, w_k) * Trace(s.J) + Dot(v_k, v_k) * s.mass;
  }
  for (int k = first_rate(group); k < end;) {
    switch (end - k) {
      case 1: SetRows<1, kSlides>(s, k), k += 1; break;
      case 2: SetRows<2, kSlides>(s, k), k += 2; break;
      default: SetRows<3, kSlides>(s, k), k += 3; break;
    }
  }
}

// (5) for kRows rates of a group, `first` being the first of them.
template <class T>
template <int kRows, bool kSlides>
void JointSpaceEquations<T>::SetRows(const State& s, int first) {
  Vec<T> n[kRows], f[kRows];
  T* row[kRows];
  for (int r = 0; r < kRows; ++r) {
    const Vec<T> w_k = w(first + r), v_k = v(first + r);
    n[r] = AddCross(s.J * w_k, s.h, v_k);
    f[r] = AddCross(s.mass * v_k, w_k, s.h);
    row[r] = inertia_.Row(first + r);
  }
  const Vec<T> P = s.position;
  const T *w_x = w_.x.data(), *w_y = w_.y.data(), *w_z = w_.z.data();
  const T *v_x = v_.x.data(), *v_y = v_.y.data(), *v_z = v_.z.data();
  const T *p_x = p_.x.data(), *p_y = p_.y.data(), *p_z = p_.z.data();
  for (int last = first; last >= 0;) {
    const int begin = rates_.begin[At(last)];
    const int shift = inertia_.position(begin) - begin;
    MBS_NO_ALIAS_LOOP
    for (int j = begin; j <= last; ++j) {
      const T x = P.x - p_x[j], y = P.y - p_y[j], z = P.z - p_z[j];
      for (int r = 0; r < kRows; ++r) {
        const T n_x = n[r].x + y * f[r].z - z * f[r].y;
        const T n_y = n[r].y + z * f[r].x - x * f[r].z;
        const T n_z = n[r].z + x * f[r].y - y * f[r].x;
        T entry = w_x[j] * n_x + w_y[j] * n_y + w_z[j] * n_z;
        if constexpr (kSlides) {
          entry = entry + v_x[j] * f[r].x + v_y[j] * f[r].y + v_z[j] * f[r].z;
        }
        row[r][j + shift] = entry;
      }
    }
    last = rates_.before[At(begin)];
  }
  const int place = inertia_.position(first);
  for (int r = 1; r < kRows; ++r) {  // of the joint itself: P_i - P_j = 0
    for (int j = 1; j <= r; ++j) {
      row[r][place + j] = Dot(w(first + j), n[r]) + Dot(v(first + j), f[r]);
    }
  }
}

template <class T>
void JointSpaceEquations<T>::AddToParent(const State& s, const Vec<T>& r, State& parent) {
  const Vec<T> g = AddScaled(s.h, T(0.5) * s.mass, r);
  const T xx = g.x * r.x, yy = g.y * r.y, zz = g.z * r.z;
  parent.J =
      parent.J + s.J + Sym<T>{T(2) * (yy + zz), -(g.x * r.y + g.y * r.x), -(g.x * r.z + g.z * r.x),
                              T(2) * (xx + zz), -(g.y * r.z + g.z * r.y), T(2) * (xx + yy)};
  parent.h = AddScaled(parent.h + s.h, s.mass, r);
  parent.mass = parent.mass + s.mass;
  parent.needed.moment = AddCross(parent.needed.moment + s.needed.moment, r, s.needed.force);
  parent.needed.force = parent.needed.force + s.needed.force;
}

template <class T>
std::vector<Acceleration<T>> JointSpaceEquations<T>::Accelerations(std::span<const T> udot) const {
  std::vector<Acceleration<T>> accelerations{states_[0].acceleration};
  for (int i = 1; i < this->group_count(); ++i) {
    const int parent = this->links_[At(i)].parent;
    const Motion &m = this->motions_[At(i)], &p = this->motions_[At(parent)];
    const Acceleration<T>& carrier = accelerations[At(parent)];
    Vec<T> alpha = carrier.alpha + Cross(p.omega, m.omega);
    Vec<T> a = AddCross(carrier.a + m.gamma, carrier.alpha, m.r);
    AddDriven(i, alpha, a);
    for (int k = first_rate(i); k < first_rate(i + 1); ++k) {
      alpha = AddScaled(alpha, udot[At(k)], w(k));
      a = AddScaled(a, udot[At(k)], v(k));
    }
    accelerations.push_back({alpha, a});
  }
  return accelerations;
}

}  // namespace mbsbench::composite_body
