// The articulated-body algorithm (Featherstone 2008, ch. 7.3; Brandl, Johanni, Otter 1986) for
// trees of rigid groups, on any scalar: the two kernels of tree_sweep.h.
//
//   inertia, tips to root     articulated (M, H, J, n0, f0) about the group's origin: own body, plus those of the children
//                             with their joints eliminated, moved by r
//   reactions                 (n, f) = [J H; H' M] (alpha, a) + (n0, f0), the joint eliminated
//
// Pass 1, pass 2 and pass 3 in the kernels are those of table 7.1 (featherstone_equations.h has them as printed).
// In inertial axes only the rigid body's own inertia is rotated; sums are passed from group to group
// with a shift by r alone. A ball joint transmits no moment about its own point: on its root side
// only M and f0 remain, 9 numbers instead of 27.
#pragma once

#include "methods/articulated_body/articulated_inertia.h"
#include "methods/tree_sweeps/tree_sweep.h"

namespace mbsbench::articulated_body {

template <class T, class C = Constant<T>>
class Sweep : public TreeSweep<Sweep<T, C>, ArticulatedInertia<T>, T, C> {
  using Base = TreeSweep<Sweep, ArticulatedInertia<T>, T, C>;
  friend Base;

 public:
  using typename Base::Elimination, typename Base::KeptFactors, typename Base::Motion;

  explicit Sweep(const GroupTree<C>& tree, const Vector3& gravity, const TreeBorders& borders = {},
                 WorkSpace work_space = WorkSpace::kNow)
      : Base(tree, gravity, borders, work_space) {}

  static constexpr char kConditionOf[] =
      "largest of the joint-space inertias inverted, 3 x 3 or less";

 private:
  using Base::At, Base::bodies_, Base::eliminations_, Base::joint_forces_, Base::joint_of_group_,
      Base::kept_, Base::links_, Base::loads_, Base::motions_, Base::place_of_kept_, Base::slots_;
  using typename Base::Link, typename Base::RigidBody, typename Base::Run;

  template <class Joint, bool kPlain, SweepExtras kExtras, bool kFirst, bool kReactions,
            bool kDriven>
  int InertiaRun(const Run& run, T* wrenches);
  template <class Joint, bool kReactions>
  void AccelerationRun(const Run& run, const T* y, T* ydot, const T* wrenches,
                       JointReaction* reactions);

  template <bool kPlain, bool kLoaded>
  ArticulatedInertia<T> Gather(int i);
};

// Starts from the sum over the children and adds the group's own body.
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
// For one row: M - u v' and, if it is symmetric, H - u v'.
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
template <class Joint, bool kPlain, SweepExtras kExtras, bool kFirst, bool kReactions, bool kDriven>
[[gnu::noinline]] int Sweep<T, C>::InertiaRun(const Run& run, [[maybe_unused]] T* wrenches) {
  constexpr bool kLoaded = kExtras != SweepExtras::kNone;
  constexpr bool kKeeps = kExtras == SweepExtras::kLoadsAndFactors;
  int singular = 0;
  for (int i = run.end - 1; i >= run.begin; --i) {
    Prefetch<-kRecordsAhead<T>>(motions_[At(i)]);
    Prefetch<-kRecordsAhead<T>>(eliminations_[At(i)]);
    Prefetch<-kRecordsAhead<T>>(bodies_[At(i)]);
    const Motion& m = motions_[At(i)];
    Elimination& out = eliminations_[At(i)];
    // Pass 1: I_A and p_A of the body, added to those of the children
    ArticulatedInertia<T> A = Gather<kPlain, kLoaded>(i);
    const ArticulatedInertia<T>& so_far = slots_[At(bodies_[At(i)].slots.so_far)];
    ArticulatedInertia<T>& sum = slots_[At(bodies_[At(i)].slots.parent)];

    if constexpr (Joint::kTurnsFreely) {
      // Pass 2, S = (1; 0). No moment about P: 0 = J alpha + H a + n0.
      const Factors<T> J = Factorised(A.J, kThresholds.no_inertia);
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
        if constexpr (Joint::kSlides > 0) kept.K = K;
      }
      if constexpr (Joint::kSlides == 0) {
        Put(K.x, out.row[0]);
        Put(K.y, out.row[1]);
        Put(K.z, out.row[2]);
        Put(k, out.row[3]);
        if constexpr (kReactions)
          KeepForce(M, f0, Base::template WrenchOf<Joint>(wrenches, run, i));
        // Pass 2: p_a += I_a c, then X' I_a X and X' p_a
        f0 = AddTimes(f0, M, m.gamma);
        AddShiftedForce<kFirst>(M, f0, m.r, so_far, sum);
      } else {
        // S = 1. No force either: 0 = M a + f0, and nothing is transmitted.
        const Factors<T> F = Factorised(M, kThresholds.no_inertia);
        NoteSingular(F.regular && Exceeds(Trace(M), T(kThresholds.no_inertia) * Trace(A.M)), i,
                     singular);
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
        // Pass 2 of a driven joint: p_a = p_A + I_A S q'', I_a = I_A
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
        // Pass 2, S = (s; 0) or (0; s): U = I_A S, D = S'U, V = U / D, k = u / D
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
        NoteSingular(Base::template HasInertia<Joint>(D, s, A.J, A.M, i), i, singular);
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
        KeepWrench(A.J, A.H, A.M, A.n0, A.f0, Base::template WrenchOf<Joint>(wrenches, run, i));
      }
      // Pass 2: p_a += I_a c, then X' I_a X and X' p_a
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
    // Pass 3: a' = X a_parent + c, q'' = k - V'a', a = a' + S q''
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
        PutReaction(ForceAt(Base::template WrenchOf<Joint>(wrenches, run, i), a), {},
                    reactions[joint_of_group_[At(i)]]);
      }
    } else if constexpr (Joint::kOneAxis && Joint::kTurns == 1) {
      const Vec<T> alpha = alpha_p + Cross(p.omega, m.omega);
      const T rate = e.row[2].x - Dot(e.row[0], alpha) - Dot(e.row[1], a);
      udot[0] = rate;
      if constexpr (kReactions) {
        Base::template PutReactionOfAxis<Joint>(Base::template WrenchOf<Joint>(wrenches, run, i),
                                                AxisOf(m.R), alpha, a, i, reactions);
      }
      Put(alpha + rate * AxisOf(m.R), e.row[0]);
      Put(a, e.row[1]);
    } else if constexpr (Joint::kOneAxis) {
      const T rate = e.row[2].x - Dot(e.row[0], alpha_p) - Dot(e.row[1], a);
      udot[0] = rate;
      if constexpr (kReactions) {
        Base::template PutReactionOfAxis<Joint>(Base::template WrenchOf<Joint>(wrenches, run, i),
                                                AxisOf(m.R), alpha_p, a, i, reactions);
      }
      Put(alpha_p, e.row[0]);
      Put(a + rate * AxisOf(m.R), e.row[1]);
    } else {
      const T* q = y + link.q;
      // Back from the group's axes to those of the joint's parent frame, to which the rate refers.
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

}  // namespace mbsbench::articulated_body

// sweep_double.cc
namespace mbsbench {
extern template class TreeSweep<articulated_body::Sweep<double>,
                                articulated_body::ArticulatedInertia<double>, double, double>;
}
