// Riccati sweep with general hinges: any joint, any tree, linear in bodies.
// Source: Rui, Bestle, Wang et al. 2020, eqs 20 to 34, with another hinge in place of eqs 10 to 13. riccati_equations.h has (a) to (e)
// as printed.
//
//   z_b = (a, alpha)   accelerations of a connection point [m/s^2, rad/s^2]   (the paper's r'' and Omega')
//   z_a = (m, q)       internal moment and force there [N m, N]
// At an output end m acts on the tip side along the axes, q against them (signs of eq. 1). The Riccati transformation
//   z_a = S z_b + e                                                                                    (21)
// holds at every connection point for the subtree on its tip side. With P = [[0, I], [-I, 0]], which pairs forces with
// translations and carries the signs above, P S is symmetric and negative semidefinite. So S is stored as 21 numbers:
//   S = [ B'  C ]     A, C symmetric,   [A B; B' C] = -P S >= 0
//       [ -A -B ]
// At a free tip S = 0 and e = 0 (eq. 34). From there three steps lead to the next body:
//
// An element is a body, or several that are joined rigidly; O, its output end, is the point of its joint on the root
// side.
//
// Body (eqs 4 and 20, (24) to (30) carried out by hand). Its input ends add their transmitted forces to its output end
// O; the body itself adds
//   m = m_body r_OC x a + J_O alpha + omega x J_O omega - r_OC x f_C - m_C                              (a)
//   q = -m_body (a + alpha x r_OC) - m_body omega x (omega x r_OC) + f_C                                (b)
// f_C does not contain the weight: with accelerations less gravity, a := a - g, it drops out of (a) and (b), and the
// ground accelerates at -g.
// Any number of inputs: each contributes its (S, e), moved to O. No overall transfer equation is formed.
//
// Hinge. z is continuous except along the joint's free axes H (6 x d), along which the tip side accelerates by
// udot:
//   z_b,I = z_b + H udot,   H' P z_a = -tau                                                             (c)
// with tau the generalised force of the joint's springs. Eliminating udot by (21) gives, with M = -P S,
//   udot = (H'MH)^-1 (tau + H'P e - H'M z_b),
//   M := M - M H (H'MH)^-1 H'M,   P e := P e - M H (H'MH)^-1 (tau + H'P e)                              (d)
// regular if the subtree has inertia about H. (Rui et al. instead take the angular acceleration beyond a ball hinge from
// the zero moment at the far end of the next body, eq. 10, which exists for ball hinges only: see paper_sweep.h.)
//
// Move from the hinge's point to the output end of the body on the root side, with r and gamma of tree_motion.h:
//   a = a_O + alpha_O x r + gamma,   alpha = alpha_O + omega_O x omega;   q_O = q,   m_O = m - r x q   (e)
//
// The sweep back from the root (eq. 33) starts from z_b = (-g, 0) at the ground and follows (e), (d), (c).
#pragma once

#include "methods/tree_sweeps/tree_sweep.h"

namespace mbsbench {

// The Riccati transformation at one connection point.
template <class T>
struct RiccatiPair {
  Sym<T> A;
  Mat<T> B_t;  // B'
  Sym<T> C;
  Vec<T> e_m, e_q;
};

// The two kernels of tree_sweep.h.
template <class T, class C = Constant<T>>
class RiccatiSweep : public TreeSweep<RiccatiSweep<T, C>, RiccatiPair<T>, T, C> {
  using Base = TreeSweep<RiccatiSweep, RiccatiPair<T>, T, C>;
  friend Base;

 public:
  using typename Base::Elimination, typename Base::KeptFactors, typename Base::Motion;

  explicit RiccatiSweep(const GroupTree<C>& tree, const Vector3& gravity,
                        const TreeBorders& borders = {}, WorkSpace work_space = WorkSpace::kNow)
      : Base(tree, gravity, borders, work_space) {}

  static constexpr char kConditionOf[] =
      "largest of the blocks H'MH inverted at the hinges, 3 x 3 or less";

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
};

namespace riccati {

// Adds the body's own part, (a) and (b), to that of its inputs.
template <bool kDiagonal, class T, class C>
[[gnu::always_inline]] inline void AddBody(const C& mass_of_body, const Vec<C>& mass_r_OC,
                                           const Sym<C>& J_O, const GroupMotion<T>& m,
                                           RiccatiPair<T>& pair) {
  const T mass(mass_of_body);
  const Vec<T> mc = m.R * Raise<T>(mass_r_OC);
  const Sym<T> J = kDiagonal ? TurnedDiagonal(m.R, Raise<T>(J_O)) : Turned(m.R, Raise<T>(J_O));
  pair.A.xx = pair.A.xx + mass;
  pair.A.yy = pair.A.yy + mass;
  pair.A.zz = pair.A.zz + mass;
  // B = -mass r_OC~
  AddCrossMatrix(mc, pair.B_t);
  pair.C = pair.C + J;
  pair.e_m = AddCross(pair.e_m, m.omega, J * m.omega);
  const T along = Dot(m.omega, mc), square = Dot(m.omega, m.omega);
  pair.e_q = {pair.e_q.x - along * m.omega.x + square * mc.x,
              pair.e_q.y - along * m.omega.y + square * mc.y,
              pair.e_q.z - along * m.omega.z + square * mc.z};
}

// (e): transfers S and e of the hinge, with the velocity terms of (e) in e, to the output end of the body on the root side, and adds
// them to the sum over the inputs of that body. kFirst: the sum is still empty.
template <bool kFirst, class T>
[[gnu::always_inline]] inline void Move(const Vec<T>& r, const RiccatiPair<T>& p,
                                        const RiccatiPair<T>& so_far, RiccatiPair<T>& sum) {
  // B_O = B - A r~, C_O = C + r~ B_O - B' r~
  const Mat<T> B_t = PlusCrossTimes(p.B_t, r, p.A);
  const Sym<T> C = PlusCrossTimesTransposed(kFirst ? p.C : so_far.C + p.C, r, p.B_t);
  Put(MinusTimesCross(C, B_t, r), sum.C);
  Put(kFirst ? p.A : so_far.A + p.A, sum.A);
  Put(kFirst ? B_t : so_far.B_t + B_t, sum.B_t);
  Put(AddCross(kFirst ? p.e_m : so_far.e_m + p.e_m, p.e_q, r), sum.e_m);
  Put(kFirst ? p.e_q : so_far.e_q + p.e_q, sum.e_q);
}

// The transfer after a ball hinge, which transmits no moment: B = C = 0 and e_m = 0 before.
template <bool kFirst, class T>
[[gnu::always_inline]] inline void MoveForce(const Vec<T>& r, const Sym<T>& A, const Vec<T>& e_q,
                                             const RiccatiPair<T>& so_far, RiccatiPair<T>& sum) {
  const Mat<T> B_t = CrossTimes(r, A);
  if constexpr (kFirst) {
    Put(MinusTimesCross(B_t, r), sum.C);
    Put(A, sum.A);
    Put(B_t, sum.B_t);
    Put(Cross(e_q, r), sum.e_m);
    Put(e_q, sum.e_q);
    return;
  }
  Put(MinusTimesCross(so_far.C, B_t, r), sum.C);
  Put(so_far.A + A, sum.A);
  Put(so_far.B_t + B_t, sum.B_t);
  Put(AddCross(so_far.e_m, e_q, r), sum.e_m);
  Put(so_far.e_q + e_q, sum.e_q);
}

// (d) with H = (0, 1): eliminates three free rotations. A force at the hinge's point remains: A and e_q change, the rest
// is no longer used. Leaves K = C^-1 B' and k = C^-1 e_m.
template <class T>
[[gnu::always_inline]] inline void EliminateRotation(RiccatiPair<T>& pair, const Factors<T>& f,
                                                     Mat<T>& K, Vec<T>& k) {
  const Vec<T> yx = Forward(f, Column<0>(pair.B_t));
  const Vec<T> yy = Forward(f, Column<1>(pair.B_t));
  const Vec<T> yz = Forward(f, Column<2>(pair.B_t));
  const Vec<T> vx = Scaled(f, yx), vy = Scaled(f, yy), vz = Scaled(f, yz);
  const Vec<T> v = Scaled(f, Forward(f, pair.e_m));
  const Sym<T>& A = pair.A;
  pair.A = {A.xx - yx.x * vx.x - yx.y * vx.y - yx.z * vx.z,
            A.xy - yx.x * vy.x - yx.y * vy.y - yx.z * vy.z,
            A.xz - yx.x * vz.x - yx.y * vz.y - yx.z * vz.z,
            A.yy - yy.x * vy.x - yy.y * vy.y - yy.z * vy.z,
            A.yz - yy.x * vz.x - yy.y * vz.y - yy.z * vz.z,
            A.zz - yz.x * vz.x - yz.y * vz.y - yz.z * vz.z};
  pair.e_q = {pair.e_q.x + yx.x * v.x + yx.y * v.y + yx.z * v.z,
              pair.e_q.y + yy.x * v.x + yy.y * v.y + yy.z * v.z,
              pair.e_q.z + yz.x * v.x + yz.y * v.y + yz.z * v.z};
  K = Transposed(Mat<T>{Backward(f, vx), Backward(f, vy), Backward(f, vz)});
  k = Backward(f, v);
}

// (d) with one column of H: eliminates one free axis with M H = (u_a, u_alpha) and r = 1 / H'MH; (g_a, g_alpha) = r M H.
template <class T>
[[gnu::always_inline]] inline void EliminateAxis(const Vec<T>& u_a, const Vec<T>& u_alpha,
                                                 const Vec<T>& g_a, const Vec<T>& g_alpha,
                                                 RiccatiPair<T>& pair) {
  Sym<T>&A = pair.A, &C = pair.C;
  A = {A.xx - g_a.x * u_a.x, A.xy - g_a.x * u_a.y, A.xz - g_a.x * u_a.z,
       A.yy - g_a.y * u_a.y, A.yz - g_a.y * u_a.z, A.zz - g_a.z * u_a.z};
  pair.B_t = {pair.B_t.x - g_alpha.x * u_a, pair.B_t.y - g_alpha.y * u_a,
              pair.B_t.z - g_alpha.z * u_a};
  C = {C.xx - g_alpha.x * u_alpha.x, C.xy - g_alpha.x * u_alpha.y, C.xz - g_alpha.x * u_alpha.z,
       C.yy - g_alpha.y * u_alpha.y, C.yz - g_alpha.y * u_alpha.z, C.zz - g_alpha.z * u_alpha.z};
}

}  // namespace riccati

template <class T, class C>
template <class Joint, bool kPlain, SweepExtras kExtras, bool kFirst, bool kReactions, bool kDriven>
[[gnu::noinline]] int RiccatiSweep<T, C>::InertiaRun(const Run& run, [[maybe_unused]] T* wrenches) {
  using namespace riccati;
  constexpr bool kLoaded = kExtras != SweepExtras::kNone;
  constexpr bool kKeeps = kExtras == SweepExtras::kLoadsAndFactors;
  int singular = 0;
  for (int i = run.end - 1; i >= run.begin; --i) {
    Prefetch<-kRecordsAhead<T>>(motions_[At(i)]);
    Prefetch<-kRecordsAhead<T>>(eliminations_[At(i)]);
    Prefetch<-kRecordsAhead<T>>(bodies_[At(i)]);
    const Motion& m = motions_[At(i)];
    const RigidBody& body = bodies_[At(i)];
    Elimination& hinge = eliminations_[At(i)];
    RiccatiPair<T> pair = slots_[At(body.slots.own)];
    const RiccatiPair<T>& so_far = slots_[At(body.slots.so_far)];
    RiccatiPair<T>& sum = slots_[At(body.slots.parent)];
    // (a), (b): the element between its inputs and O
    AddBody<kPlain>(body.mass, body.moment, body.inertia, m, pair);
    if constexpr (kLoaded) {
      pair.e_m = pair.e_m - loads_[At(i)].moment;
      pair.e_q = pair.e_q + loads_[At(i)].force;
    }

    if constexpr (Joint::kTurnsFreely) {
      // (d) with H = (0, 1): three free rotations
      [[maybe_unused]] T inertia;
      if constexpr (Joint::kSlides > 0) inertia = Trace(pair.A);
      const Factors<T> rotation = Factorised(pair.C, kThresholds.no_inertia);
      NoteSingular(rotation.regular, i, singular);
      Mat<T> K;
      Vec<T> k;
      EliminateRotation(pair, rotation, K, k);
      if constexpr (kKeeps) {
        KeptFactors& kept = kept_[At(place_of_kept_[At(i)])];
        kept.J = rotation;
        if constexpr (Joint::kSlides > 0) kept.K = K;
      }
      if constexpr (Joint::kSlides == 0) {
        Put(K.x, hinge.row[0]);
        Put(K.y, hinge.row[1]);
        Put(K.z, hinge.row[2]);
        Put(k, hinge.row[3]);
        if constexpr (kReactions)
          KeepForce(pair.A, -pair.e_q, Base::template WrenchOf<Joint>(wrenches, run, i));
        // (e)
        MoveForce<kFirst>(m.r, pair.A, AddTimes(pair.e_q, pair.A, -m.gamma), so_far, sum);
      } else {  // (d) with H = 1, transmits nothing: q = -A a + e_q = 0
        const Factors<T> translation = Factorised(pair.A, kThresholds.no_inertia);
        NoteSingular(
            translation.regular && Exceeds(Trace(pair.A), T(kThresholds.no_inertia) * inertia), i,
            singular);
        const Vec<T> a = Backward(translation, Scaled(translation, Forward(translation, pair.e_q)));
        if constexpr (kKeeps) kept_[At(place_of_kept_[At(i)])].M = translation;
        Put(-(K * a + k), hinge.row[0]);
        Put(a, hinge.row[1]);
        sum = so_far;
      }
    } else {
      static_assert(Joint::kOneAxis);
      constexpr bool kTurns = Joint::kTurns == 1;
      // (d) with one free axis; M H
      const Vec<T> axis = AxisOf(m.R);
      const Vec<T> u_a = kTurns ? TransposeTimes(pair.B_t, axis) : pair.A * axis;
      const Vec<T> u_alpha = kTurns ? pair.C * axis : pair.B_t * axis;
      T rate;                   // udot but for what z_b adds
      if constexpr (kDriven) {  // (c) with udot given
        if constexpr (kKeeps) kept_[At(place_of_kept_[At(i)])].J.inverse_d.x = T(0);
        rate = joint_forces_[At(i)];
        hinge.row[0] = hinge.row[1] = {};
      } else {
        const T pivot = Dot(axis, kTurns ? u_alpha : u_a);
        NoteSingular(Base::template HasInertia<Joint>(pivot, axis, pair.C, pair.A, i), i, singular);
        const T inverse = T(1) / pivot;
        if constexpr (kKeeps) kept_[At(place_of_kept_[At(i)])].J.inverse_d.x = inverse;
        const T& tau = joint_forces_[At(i)];
        rate = inverse * (kTurns ? tau - Dot(axis, pair.e_m) : tau + Dot(axis, pair.e_q));
        const Vec<T> g_a = inverse * u_a, g_alpha = inverse * u_alpha;
        Put(g_alpha, hinge.row[0]);
        Put(g_a, hinge.row[1]);
        // (d): M - M H (H'MH)^-1 H'M
        EliminateAxis(u_a, u_alpha, g_a, g_alpha, pair);
      }
      // (d), and (c) with udot given: P e
      hinge.row[2].x = rate;
      pair.e_m = pair.e_m + rate * u_alpha;
      pair.e_q = pair.e_q - rate * u_a;
      if constexpr (kReactions) {
        KeepWrench(pair.C, pair.B_t, pair.A, pair.e_m, -pair.e_q,
                   Base::template WrenchOf<Joint>(wrenches, run, i));
      }
      // (e): first the terms of velocities
      pair.e_m = AddTimes(pair.e_m, pair.B_t, m.gamma);
      pair.e_q = AddTimes(pair.e_q, pair.A, -m.gamma);
      if constexpr (kTurns) {
        const Vec<T> turning = Cross(motions_[At(links_[At(i)].parent)].omega, m.omega);
        pair.e_m = AddTimes(pair.e_m, pair.C, turning);
        pair.e_q = AddTransposeTimes(pair.e_q, pair.B_t, -turning);
      }
      Move<kFirst>(m.r, pair, so_far, sum);
    }
  }
  return singular;
}

// z_b of all output ends, which overwrites the hinge solutions.
template <class T, class C>
template <class Joint, bool kReactions>
[[gnu::noinline]] void RiccatiSweep<T, C>::AccelerationRun(
    const Run& run, const T* y, T* ydot, [[maybe_unused]] const T* wrenches,
    [[maybe_unused]] JointReaction* reactions) {
  for (int i = run.begin; i < run.end; ++i) {
    Prefetch<kRecordsAhead<T>>(motions_[At(i)]);
    Prefetch<kRecordsAhead<T>>(eliminations_[At(i)]);
    const Link& link = links_[At(i)];
    const Motion& m = motions_[At(i)];
    const Motion& p = motions_[At(link.parent)];
    const Elimination& outboard = eliminations_[At(link.parent)];
    Elimination& hinge = eliminations_[At(i)];
    T* const udot = ydot + link.u;
    const Vec<T>&alpha_O = outboard.row[0], &a_O = outboard.row[1];
    // (e), then per hinge udot by (d) and z_b beyond it by (c)
    const Vec<T> a = AddCross(a_O + m.gamma, alpha_O, m.r);
    if constexpr (Joint::kTurnsFreely && Joint::kSlides == 0) {
      const Vec<T> alpha =
          -AddTimes(hinge.row[3], Mat<T>{hinge.row[0], hinge.row[1], hinge.row[2]}, a);
      const Vec<T> spin = TransposeTimes(m.R, AddCross(alpha - alpha_O, m.omega, p.omega));
      udot[0] = spin.x, udot[1] = spin.y, udot[2] = spin.z;
      Put(alpha, hinge.row[0]);
      Put(a, hinge.row[1]);
      if constexpr (kReactions) {
        PutReaction(ForceAt(Base::template WrenchOf<Joint>(wrenches, run, i), a), {},
                    reactions[joint_of_group_[At(i)]]);
      }
    } else if constexpr (Joint::kOneAxis) {
      constexpr bool kTurns = Joint::kTurns == 1;
      const Vec<T>&g_alpha = hinge.row[0], &g_a = hinge.row[1];
      // As a . g_a + alpha . g_alpha from the root side's own z_b, which is known last.
      T known = hinge.row[2].x - Dot(g_a, m.gamma);
      Vec<T> alpha = alpha_O;
      if constexpr (kTurns) {
        const Vec<T> turning = Cross(p.omega, m.omega);
        known = known - Dot(g_alpha, turning);
        alpha = alpha + turning;
      }
      const Vec<T> g_O = AddCross(g_alpha, m.r, g_a);
      const T rate = known - Dot(g_a, a_O) - Dot(g_O, alpha_O);
      udot[0] = rate;
      const Vec<T> axis = AxisOf(m.R);
      if constexpr (kReactions) {
        Base::template PutReactionOfAxis<Joint>(Base::template WrenchOf<Joint>(wrenches, run, i),
                                                axis, alpha, a, i, reactions);
      }
      Put(kTurns ? alpha + rate * axis : alpha, hinge.row[0]);
      Put(kTurns ? a : a + rate * axis, hinge.row[1]);
    } else {
      const T* const q = y + link.q;
      const Vec<T> spin = TransposeTimes(m.R, AddCross(hinge.row[0] - alpha_O, m.omega, p.omega));
      // Back from the element's axes to those of the joint's frame on the root side, to which the rate refers.
      const Vec<T> slide =
          Mat<T>::OfQuaternion(q[3], q[4], q[5], q[6]) * TransposeTimes(m.R, hinge.row[1] - a);
      udot[0] = slide.x, udot[1] = slide.y, udot[2] = slide.z;
      udot[3] = spin.x, udot[4] = spin.y, udot[5] = spin.z;
      if constexpr (kReactions) reactions[joint_of_group_[At(i)]] = {};
    }
  }
}

// sweep_double.cc
extern template class TreeSweep<RiccatiSweep<double>, RiccatiPair<double>, double, double>;

}  // namespace mbsbench
