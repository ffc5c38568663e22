// The articulated-body algorithm (Featherstone 2008, ch. 7.3; Brandl, Johanni, Otter 1986) for
// trees of rigid groups, on any scalar.
//
// Everything is in inertial axes, moments and inertias are about the group's own origin P (where
// its joint sits), accelerations are those of the point of the group in P, less gravity: with a :=
// a - g the ground accelerates at -g and no weight appears. Per group i with parent p:
//
//   motion, root to tips      R, omega, r = P - P_p, gamma (tree_motion.h)
//   inertia, tips to root     articulated (M, H, J, n0, f0): own body, plus those of the children
//                             with their joints eliminated, moved by r
//   acceleration, root to tips
//   reactions, where asked for: what passes the joint is (n, f) = [J H; H' M] (alpha, a) + (n0, f0), with
//                             the subtree's own matrices, the joint eliminated; the inertia pass keeps them
//
// In these axes only the rigid body's own inertia is turned; what is passed on from group to group
// is moved by r alone. And about its own point a ball joint passes no moment: behind it only M and
// f0 remain, 9 numbers instead of 27.
//
// A driven joint has no free axis to eliminate, like a fixed one; its velocity is in omega and gamma.
// It leaves U / D = 0, the limit of an infinite D, and as k the acceleration that it is given, so that
// the acceleration pass and the columns of loops need not know of it.
//
// Groups of one kind are visited in one run, so that the loops over groups hold no branch on types.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "methods/articulated_body/articulated_inertia.h"
#include "methods/numerics/joint_wrench.h"
#include "methods/numerics/tree_motion.h"

namespace mbsbench::articulated_body {

// What the inertia pass does in addition to eliminating joints: adds loads; and keeps factors for the
// columns of loop forces, which follow it (loop_columns.h).
enum class Extras { kNone, kLoads, kLoadsAndFactors };

template <class T, class C = Constant<T>>
class Sweep : public TreeMotion<T, C> {
  using Base = TreeMotion<T, C>;

 public:
  using typename Base::Motion, typename Base::Part;

  Sweep(const GroupTree<C>& tree, const Vector3& gravity, const TreeBorders& borders = {});

  // An evaluation is PassMotion and these two passes. y = [q; u]; ydot gets u' in the last.
  // 0, or the group whose joint has no inertia about its free axes.
  int PassInertia() { return PassInertia(all_); }
  void PassAcceleration(const T* y, T* ydot) { PassAcceleration(y, ydot, all_); }

  // The same of one part of the tree (TreeMotion::Part).
  int PassInertia(const Part& part);
  void PassAcceleration(const T* y, T* ydot, const Part& part);

  // The two passes with the reactions of the joints that groups hang on, `reactions` in the order of System::joints: what the
  // constraints exert, that is nothing along free directions. The accelerations are those without but for round-off: the compiler may fuse
  // products and sums in another order in a second kernel, and a branch in one kernel for both would cost 2 % of its instructions.
  void EnableReactions(std::span<const int> joint_of_group);
  bool has_reactions() const { return !wrenches_.empty(); }
  int PassInertiaForReactions() { return PassInertia<true>(all_); }
  void PassAccelerationAndReactions(const T* y, T* ydot, std::span<JointReaction> reactions);
  // Along the axis of a joint that has one: what its springs or its driver exert.
  const T& along_axis(int group) const { return eliminations_[At(group)].row[2].y; }

  // What the inertia pass leaves for the acceleration pass:
  //   ball               rows of K = J^-1 H, and k = J^-1 n0      alpha = -(K a + k)
  //   revolute, prismatic  U_n / D, U_f / D, (tau - s'p) / D
  // The acceleration pass overwrites it with alpha and a.
  struct Elimination {
    Vec<T> row[4];
  };
  // What columns of loop forces need besides.
  struct KeptFactors {
    Factors<T> J;  // ball, free: of J; one axis: inverse_d.x = 1 / D
    Factors<T> M;  // free: of M behind the rotations
    Mat<T> K;      // free: as for ball
  };

  Vec<T> alpha(int group) const { return eliminations_[At(group)].row[0]; }
  Vec<T> acceleration_less_gravity(int group) const { return eliminations_[At(group)].row[1]; }
  // Bytes per group that an evaluation writes to: motion and elimination.
  static constexpr std::size_t kWorkBytes = sizeof(Motion) + 12 * sizeof(T);

  // Generalised forces on revolute and prismatic joints, per group, and accelerations of driven ones;
  // read by PassInertia.
  std::span<T> joint_forces() { return joint_forces_; }
  // Loads per group, read by PassInertia; empty until asked for by EnableLoads.
  void EnableLoads() { loads_.resize(links_.size()); }
  std::span<Load<T>> loads() { return loads_; }
  // Makes the inertia pass keep the factors of these groups.
  void KeepFactorsOf(std::span<const int> groups);
  const KeptFactors& kept_factors(int group) const { return kept_[At(place_of_kept_[At(group)])]; }
  Elimination& elimination(int group) { return eliminations_[At(group)]; }
  // Of a group whose mass sits in its origin and changes.
  void SetMass(int group, C mass) { bodies_[At(group)].mass = mass; }

  // Of bases: the motion that they are told, row 0 and 1 of elimination(): alpha and a.
  Motion& base_motion(int base) { return motions_[At(base)]; }
  // What a base or a carrier has gathered (TreeBorders).
  ArticulatedInertia<T>& gathered(int group) { return slots_[At(bodies_[At(group)].slots.own)]; }

 private:
  using Base::all_, Base::At, Base::Dispatch, Base::links_, Base::motions_, Base::runs_;
  using typename Base::Link, typename Base::Run;

  struct RigidBody {
    Vec<C> moment;
    Sym<C> inertia;
    C mass;
    GatheringSlots slots;
  };
  template <bool kReactions>
  int PassInertia(const Part& part);
  template <class Joint, bool kPlain, Extras kExtras, bool kFirst, bool kReactions,
            bool kDriven = false>
  int InertiaRun(const Run& run, T* wrenches);
  template <class Joint, bool kReactions>
  void AccelerationRun(const Run& run, const T* y, T* ydot, const T* wrenches,
                       JointReaction* reactions);

  template <bool kPlain, bool kLoaded>
  ArticulatedInertia<T> Gather(int i);

  std::vector<RigidBody> bodies_;
  std::vector<Elimination> eliminations_;
  // Slot 0 stays zero (for tips), slot 1 takes what reaches the ground.
  std::vector<ArticulatedInertia<T>> slots_;
  std::vector<T> joint_forces_;
  std::vector<Load<T>> loads_;
  std::vector<KeptFactors> kept_;   // place 0 takes what nobody asked for
  std::vector<int> place_of_kept_;  // per group; empty where nothing is kept
  // For reactions; empty until asked for.
  KeptWrenches<T> wrenches_;
  std::vector<int> joint_of_group_;
};

template <class T, class C>
Sweep<T, C>::Sweep(const GroupTree<C>& tree, const Vector3& gravity, const TreeBorders& borders)
    : Base(tree, borders) {
  const std::size_t n = tree.groups.size();
  bodies_.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    const SweepGroup<C>& g = tree.groups[i];
    bodies_.push_back({g.moment, g.inertia, g.mass, this->slot_plan_.slots[i]});
  }
  slots_.resize(At(this->slot_plan_.count));
  eliminations_.resize(n);
  joint_forces_.resize(n);
  eliminations_[0].row[1] = -Lift<T>(gravity);
}

template <class T, class C>
void Sweep<T, C>::KeepFactorsOf(std::span<const int> groups) {
  EnableLoads();
  place_of_kept_.assign(links_.size(), 0);
  kept_.resize(1);
  for (int group : groups) {
    place_of_kept_[At(group)] = static_cast<int>(kept_.size());
    kept_.emplace_back();
  }
}

template <class T, class C>
void Sweep<T, C>::EnableReactions(std::span<const int> joint_of_group) {
  joint_of_group_.assign(joint_of_group.begin(), joint_of_group.end());
  wrenches_.Plan(runs_, [](const Run& run) {
    return Dispatch(run, []<class Joint, bool>() { return kWrenchNumbers<Joint>; });
  });
}

template <class T, class C>
int Sweep<T, C>::PassInertia(const Part& part) {
  return PassInertia<false>(part);
}

template <class T, class C>
template <bool kReactions>
int Sweep<T, C>::PassInertia(const Part& part) {
  int singular = 0;
  for (std::size_t k = part.end_run; k-- > part.first_run;) {
    const Run& run = runs_[k];
    T* const wrenches = kReactions ? wrenches_.of_run(k) : nullptr;
    const int found = Dispatch(run, [&]<class Joint, bool kPlain>() {
      using enum Extras;
      if constexpr (Joint::kOneAxis) {
        if (run.driven) {
          return !kept_.empty() ? InertiaRun<Joint, kPlain, kLoadsAndFactors, false, false, true>(
                                      run, wrenches)
                 : !loads_.empty()
                     ? InertiaRun<Joint, kPlain, kLoads, false, kReactions, true>(run, wrenches)
                     : InertiaRun<Joint, kPlain, kNone, false, kReactions, true>(run, wrenches);
        }
      }
      return !kept_.empty()
                 ? InertiaRun<Joint, kPlain, kLoadsAndFactors, false, false>(run, wrenches)
             : !loads_.empty() ? InertiaRun<Joint, kPlain, kLoads, false, kReactions>(run, wrenches)
             : run.first       ? InertiaRun<Joint, kPlain, kNone, true, kReactions>(run, wrenches)
                               : InertiaRun<Joint, kPlain, kNone, false, kReactions>(run, wrenches);
    });
    if (singular == 0) singular = found;
  }
  return singular;
}

template <class T, class C>
void Sweep<T, C>::PassAcceleration(const T* y, T* ydot, const Part& part) {
  for (std::size_t k = part.first_run; k < part.end_run; ++k) {
    const Run& run = runs_[k];
    Dispatch(run, [&]<class Joint, bool>() {
      AccelerationRun<Joint, false>(run, y, ydot, nullptr, nullptr);
    });
  }
}

template <class T, class C>
void Sweep<T, C>::PassAccelerationAndReactions(const T* y, T* ydot,
                                            std::span<JointReaction> reactions) {
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    const T* const wrenches = wrenches_.of_run(k);
    Dispatch(runs_[k], [&]<class Joint, bool>() {
      AccelerationRun<Joint, true>(runs_[k], y, ydot, wrenches, reactions.data());
    });
  }
}

// Takes what the children have gathered and adds the group's own body.
template <class T, class C>
template <bool kPlain, bool kLoaded>
[[gnu::always_inline]] inline ArticulatedInertia<T> Sweep<T, C>::Gather(int i) {
  const Motion& m = motions_[At(i)];
  const RigidBody& body = bodies_[At(i)];
  ArticulatedInertia<T> A = slots_[At(body.slots.own)];
  const Vec<T> h = m.R * Raise<T>(body.moment);
  const Sym<T> J =
      kPlain ? TurnedDiagonal(m.R, Raise<T>(body.inertia)) : Turned(m.R, Raise<T>(body.inertia));
  const T mass(body.mass);
  A.M.xx = A.M.xx + mass;
  A.M.yy = A.M.yy + mass;
  A.M.zz = A.M.zz + mass;
  AddCrossMatrix(h, A.H);
  A.J = A.J + J;
  A.n0 = AddCross(A.n0, m.omega, J * m.omega);
  A.f0 = AddDoubleCross(A.f0, m.omega, h);
  if constexpr (kLoaded) {
    A.n0 = A.n0 - loads_[At(i)].moment;
    A.f0 = A.f0 - loads_[At(i)].force;
  }
  return A;
}

// Subtracts y_k z_k' for the rows of Y and Z = D^-1 Y.
template <class T>
[[gnu::always_inline]] inline Sym<T> Reduced(const Sym<T>& M, const Mat<T>& Y, const Mat<T>& Z) {
  return {M.xx - Y.x.x * Z.x.x - Y.y.x * Z.y.x - Y.z.x * Z.z.x,
          M.xy - Y.x.x * Z.x.y - Y.y.x * Z.y.y - Y.z.x * Z.z.y,
          M.xz - Y.x.x * Z.x.z - Y.y.x * Z.y.z - Y.z.x * Z.z.z,
          M.yy - Y.x.y * Z.x.y - Y.y.y * Z.y.y - Y.z.y * Z.z.y,
          M.yz - Y.x.y * Z.x.z - Y.y.y * Z.y.z - Y.z.y * Z.z.z,
          M.zz - Y.x.z * Z.x.z - Y.y.z * Z.y.z - Y.z.z * Z.z.z};
}
// The same for one row: M - u v' and, where it is symmetric, H - u v'.
template <class T>
[[gnu::always_inline]] inline Sym<T> Reduced(const Sym<T>& M, const Vec<T>& u, const Vec<T>& v) {
  return {M.xx - u.x * v.x, M.xy - u.x * v.y, M.xz - u.x * v.z,
          M.yy - u.y * v.y, M.yz - u.y * v.z, M.zz - u.z * v.z};
}
template <class T>
[[gnu::always_inline]] inline Mat<T> Reduced(const Mat<T>& H, const Vec<T>& u, const Vec<T>& v) {
  return {H.x - u.x * v, H.y - u.y * v, H.z - u.z * v};
}

template <class T, class C>
template <class Joint, bool kPlain, Extras kExtras, bool kFirst, bool kReactions, bool kDriven>
[[gnu::noinline]] int Sweep<T, C>::InertiaRun(const Run& run, [[maybe_unused]] T* wrenches) {
  constexpr bool kLoaded = kExtras != Extras::kNone;
  constexpr bool kKeeps = kExtras == Extras::kLoadsAndFactors;
  int singular = 0;
  for (int i = run.end - 1; i >= run.begin; --i) {
    Prefetch<-kRecordsAhead<T>>(motions_[At(i)]);
    Prefetch<-kRecordsAhead<T>>(eliminations_[At(i)]);
    Prefetch<-kRecordsAhead<T>>(bodies_[At(i)]);
    const Motion& m = motions_[At(i)];
    Elimination& out = eliminations_[At(i)];
    ArticulatedInertia<T> A = Gather<kPlain, kLoaded>(i);
    const ArticulatedInertia<T>& so_far = slots_[At(bodies_[At(i)].slots.so_far)];
    ArticulatedInertia<T>& sum = slots_[At(bodies_[At(i)].slots.parent)];

    if constexpr (Joint::kTurnsFreely) {
      // No moment about P: 0 = J alpha + H a + n0.
      const Factors<T> J = Factorised(A.J, kSingularShare);
      NoteSingular(J.regular, i, singular);
      Mat<T> Y = A.H;
      Vec<T> y = A.n0;
      SolveLower(J, Y.x, Y.y, Y.z);
      SolveLower(J, y.x, y.y, y.z);
      const Vec<T>& d = J.inverse_d;
      Mat<T> K{d.x * Y.x, d.y * Y.y, d.z * Y.z};
      Vec<T> k{d.x * y.x, d.y * y.y, d.z * y.z};
      const Sym<T> M = Reduced(A.M, Y, K);
      Vec<T> f0 = AddTransposeTimes(A.f0, Y, -k);
      SolveUpper(J, K.x, K.y, K.z);
      SolveUpper(J, k.x, k.y, k.z);
      if constexpr (kKeeps) {
        KeptFactors& kept = kept_[At(place_of_kept_[At(i)])];
        kept.J = J;
        kept.K = K;
      }
      if constexpr (Joint::kSlides == 0) {
        Put(K.x, out.row[0]);
        Put(K.y, out.row[1]);
        Put(K.z, out.row[2]);
        Put(k, out.row[3]);
        if constexpr (kReactions)
          KeepForce(M, f0, wrenches + kWrenchNumbers<Joint> * At(i - run.begin));
        f0 = AddTimes(f0, M, m.gamma);
        AddShiftedForce<kFirst>(M, f0, m.r, so_far, sum);
      } else {
        // No force either: 0 = M a + f0, and nothing is passed on.
        const Factors<T> F = Factorised(M, kSingularShare);
        NoteSingular(F.regular && Exceeds(Trace(M), T(kSingularShare) * Trace(A.M)), i, singular);
        const Vec<T> a = Backward(F, Scaled(F, Forward(F, -f0)));
        if constexpr (kKeeps) kept_[At(place_of_kept_[At(i)])].M = F;
        Put(-(K * a + k), out.row[0]);
        Put(a, out.row[1]);
        sum = so_far;
      }
    } else {
      static_assert(Joint::kOneAxis);
      constexpr bool kTurns = Joint::kTurns == 1;
      if constexpr (kDriven) {
        if constexpr (kKeeps) kept_[At(place_of_kept_[At(i)])].J.inverse_d.x = T(0);
        out.row[0] = out.row[1] = {};
        const T given = joint_forces_[At(i)];
        out.row[2].x = given;
        const Vec<T> s = AxisOf(m.R);
        if constexpr (kTurns) {
          A.n0 = AddScaled(A.n0, given, A.J * s);
          A.f0 = AddScaled(A.f0, given, TransposeTimes(A.H, s));
        } else {
          A.n0 = AddScaled(A.n0, given, A.H * s);
          A.f0 = AddScaled(A.f0, given, A.M * s);
        }
      } else {
        const Vec<T> s = AxisOf(m.R);
        Vec<T> U_n, U_f;
        if constexpr (kTurns) {
          U_n = A.J * s;
          U_f = TransposeTimes(A.H, s);
        } else {
          U_n = A.H * s;
          U_f = A.M * s;
        }
        const T D = Dot(s, kTurns ? U_n : U_f);
        NoteSingular(Exceeds(D, T(kSingularShare) * Trace(kTurns ? A.J : A.M)), i, singular);
        const T inverse = T(1) / D;
        const T k = inverse * (joint_forces_[At(i)] - Dot(s, kTurns ? A.n0 : A.f0));
        if constexpr (kKeeps) kept_[At(place_of_kept_[At(i)])].J.inverse_d.x = inverse;
        const Vec<T> V_n = inverse * U_n, V_f = inverse * U_f;
        Put(V_n, out.row[0]);
        Put(V_f, out.row[1]);
        out.row[2].x = k;
        A.M = Reduced(A.M, U_f, V_f);
        A.H = Reduced(A.H, U_n, V_f);
        A.J = Reduced(A.J, U_n, V_n);
        A.n0 = AddScaled(A.n0, k, U_n);
        A.f0 = AddScaled(A.f0, k, U_f);
      }
      if constexpr (kReactions) {
        KeepWrench(A.J, A.H, A.M, A.n0, A.f0, wrenches + kWrenchNumbers<Joint> * At(i - run.begin));
      }
      A.n0 = AddTimes(A.n0, A.H, m.gamma);
      A.f0 = AddTimes(A.f0, A.M, m.gamma);
      if constexpr (kTurns) {
        const Vec<T> c = Cross(motions_[At(links_[At(i)].parent)].omega, m.omega);
        A.n0 = AddTimes(A.n0, A.J, c);
        A.f0 = AddTransposeTimes(A.f0, A.H, c);
      }
      AddShifted<kFirst>(A, m.r, so_far, sum);
    }
  }
  return singular;
}

template <class T, class C>
template <class Joint, bool kReactions>
[[gnu::noinline]] void Sweep<T, C>::AccelerationRun(const Run& run, const T* y, T* ydot,
                                                 [[maybe_unused]] const T* wrenches,
                                                 [[maybe_unused]] JointReaction* reactions) {
  for (int i = run.begin; i < run.end; ++i) {
    Prefetch<kRecordsAhead<T>>(motions_[At(i)]);
    Prefetch<kRecordsAhead<T>>(eliminations_[At(i)]);
    const Link& link = links_[At(i)];
    const Motion& m = motions_[At(i)];
    const Motion& p = motions_[At(link.parent)];
    const Elimination& carrier = eliminations_[At(link.parent)];
    Elimination& e = eliminations_[At(i)];
    T* udot = ydot + link.u;
    const Vec<T> alpha_p = carrier.row[0];
    const Vec<T> a =
        AddCross(carrier.row[1] + m.gamma, alpha_p, m.r);  // before the joint's own part

    if constexpr (Joint::kTurnsFreely && Joint::kSlides == 0) {
      const Vec<T> alpha = -AddTimes(e.row[3], Mat<T>{e.row[0], e.row[1], e.row[2]}, a);
      const Vec<T> spin = TransposeTimes(m.R, AddCross(alpha - alpha_p, m.omega, p.omega));
      udot[0] = spin.x;
      udot[1] = spin.y;
      udot[2] = spin.z;
      Put(alpha, e.row[0]);
      Put(a, e.row[1]);
      if constexpr (kReactions) {
        const T* const kept = wrenches + kWrenchNumbers<Joint> * At(i - run.begin);
        PutReaction(ForceAt(kept, a), {}, reactions[joint_of_group_[At(i)]]);
      }
    } else if constexpr (Joint::kOneAxis && Joint::kTurns == 1) {
      const Vec<T> alpha = alpha_p + Cross(p.omega, m.omega);
      const T rate = e.row[2].x - Dot(e.row[0], alpha) - Dot(e.row[1], a);
      udot[0] = rate;
      if constexpr (kReactions) {
        Load<T> wrench = WrenchAt(wrenches + kWrenchNumbers<Joint> * At(i - run.begin), alpha, a);
        e.row[2].y = TakeOutAxis(true, AxisOf(m.R), wrench);
        PutReaction(wrench.force, wrench.moment, reactions[joint_of_group_[At(i)]]);
      }
      Put(alpha + rate * AxisOf(m.R), e.row[0]);
      Put(a, e.row[1]);
    } else if constexpr (Joint::kOneAxis) {
      const T rate = e.row[2].x - Dot(e.row[0], alpha_p) - Dot(e.row[1], a);
      udot[0] = rate;
      if constexpr (kReactions) {
        Load<T> wrench = WrenchAt(wrenches + kWrenchNumbers<Joint> * At(i - run.begin), alpha_p, a);
        e.row[2].y = TakeOutAxis(false, AxisOf(m.R), wrench);
        PutReaction(wrench.force, wrench.moment, reactions[joint_of_group_[At(i)]]);
      }
      Put(alpha_p, e.row[0]);
      Put(a + rate * AxisOf(m.R), e.row[1]);
    } else {
      const T* q = y + link.q;
      // Back from the group's axes to those of the joint's parent frame, in which the rate counts.
      const Vec<T> slide = TransposeTimes(m.R, e.row[1] - a);
      const Vec<T> in_p = Mat<T>::OfQuaternion(q[3], q[4], q[5], q[6]) * slide;
      const Vec<T> spin = TransposeTimes(m.R, AddCross(e.row[0] - alpha_p, m.omega, p.omega));
      udot[0] = in_p.x;
      udot[1] = in_p.y;
      udot[2] = in_p.z;
      udot[3] = spin.x;
      udot[4] = spin.y;
      udot[5] = spin.z;
      if constexpr (kReactions) reactions[joint_of_group_[At(i)]] = {};
    }
  }
}

extern template class Sweep<double>;  // sweep_double.cc

}  // namespace mbsbench::articulated_body
