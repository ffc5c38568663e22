// Definitions of general_sweep.h, for the sources that instantiate them: one per scalar.
#pragma once

#include <cstddef>

#include "methods/riccati_mstmm/general_sweep.h"

namespace mbsbench {

namespace general_sweep {

// A pivot below this part of the inertia that it was computed from is round-off.
constexpr double kSafePivot = 1e-12;

// Adds the body's own part, (a) and (b), to what its inputs transmit.
template <bool kDiagonal, class T>
[[gnu::always_inline]] inline void AddBody(const ElementMass& body, const ElementMotion<T>& m,
                                           RiccatiPair<T>& pair) {
  const T mass(body.mass);
  const Vec<T> mc = m.A * Raise<T>(body.mr_OC);  // mass r_OC
  const Sym<T> J =
      kDiagonal ? TurnedDiagonal(m.A, Raise<T>(body.J_O)) : Turned(m.A, Raise<T>(body.J_O));
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

// (e): what the hinge transmits, seen at the output end of the body on the root side, added to what
// the inputs of that body have transmitted so far. kFirst: nothing.
template <bool kFirst, class T>
[[gnu::always_inline]] inline void Move(const ElementMotion<T>& m, const Vec<T>& h_alpha,
                                        const RiccatiPair<T>& p, const RiccatiPair<T>& so_far,
                                        RiccatiPair<T>& sum) {
  const Vec<T>& d = m.d;
  const Sym<T>& A = p.A;
  const Vec<T> e_m = AddTimes(AddTimes(p.e_m, p.B_t, m.h_a), p.C, h_alpha);
  const Vec<T> e_q = AddTransposeTimes(AddTimes(p.e_q, A, -m.h_a), p.B_t, -h_alpha);
  // B_O = B - A d~, C_O = C + d~ B_O - B' d~
  const Mat<T> B_t = PlusCrossTimes(p.B_t, d, A);
  const Sym<T> C = PlusCrossTimesTransposed(kFirst ? p.C : so_far.C + p.C, d, p.B_t);
  Put(MinusTimesCross(C, B_t, d), sum.C);
  Put(kFirst ? A : so_far.A + A, sum.A);
  Put(kFirst ? B_t : so_far.B_t + B_t, sum.B_t);
  Put(AddCross(kFirst ? e_m : so_far.e_m + e_m, e_q, d), sum.e_m);
  Put(kFirst ? e_q : so_far.e_q + e_q, sum.e_q);
}

// The same beyond a ball hinge, which transmits no moment: B = C = 0 and e_m = 0 before.
template <bool kFirst, class T>
[[gnu::always_inline]] inline void MoveForce(const ElementMotion<T>& m, const RiccatiPair<T>& p,
                                             const RiccatiPair<T>& so_far, RiccatiPair<T>& sum) {
  const Vec<T>& d = m.d;
  const Sym<T>& A = p.A;
  const Vec<T> e_q = AddTimes(p.e_q, A, -m.h_a);
  const Mat<T> B_t = CrossTimes(d, A);
  if constexpr (kFirst) {
    Put(MinusTimesCross(B_t, d), sum.C);
    Put(A, sum.A);
    Put(B_t, sum.B_t);
    Put(Cross(e_q, d), sum.e_m);
    Put(e_q, sum.e_q);
    return;
  }
  Put(MinusTimesCross(so_far.C, B_t, d), sum.C);
  Put(so_far.A + A, sum.A);
  Put(so_far.B_t + B_t, sum.B_t);
  Put(AddCross(so_far.e_m, e_q, d), sum.e_m);
  Put(so_far.e_q + e_q, sum.e_q);
}

// Eliminates three free rotations. What stays is a force at the hinge's point: A and e_q change,
// the rest no longer counts. Leaves K and k.
template <class T>
[[gnu::always_inline]] inline void EliminateRotation(RiccatiPair<T>& pair, const Factors<T>& f,
                                                     Mat<T>& K_t, Vec<T>& k) {
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
  K_t = {Backward(f, vx), Backward(f, vy), Backward(f, vz)};
  k = Backward(f, v);
}

// Eliminates one free axis with M H = (u_a, u_alpha), r = 1 / H'MH and tau + H'P e = drive.
template <class T>
[[gnu::always_inline]] inline void EliminateAxis(const Vec<T>& u_a, const Vec<T>& u_alpha,
                                                 const T& r, const T& drive, RiccatiPair<T>& pair,
                                                 HingeSolution<T>& hinge) {
  const Vec<T> g_a = r * u_a, g_alpha = r * u_alpha;
  const T epsilon = r * drive;
  mbsbench::Put(g_alpha, hinge.K_t.x);
  mbsbench::Put(g_a, hinge.K_t.y);
  hinge.epsilon() = epsilon;
  Sym<T>&A = pair.A, &C = pair.C;
  A = {A.xx - g_a.x * u_a.x, A.xy - g_a.x * u_a.y, A.xz - g_a.x * u_a.z,
       A.yy - g_a.y * u_a.y, A.yz - g_a.y * u_a.z, A.zz - g_a.z * u_a.z};
  pair.B_t = {pair.B_t.x - g_alpha.x * u_a, pair.B_t.y - g_alpha.y * u_a,
              pair.B_t.z - g_alpha.z * u_a};
  C = {C.xx - g_alpha.x * u_alpha.x, C.xy - g_alpha.x * u_alpha.y, C.xz - g_alpha.x * u_alpha.z,
       C.yy - g_alpha.y * u_alpha.y, C.yz - g_alpha.y * u_alpha.z, C.zz - g_alpha.z * u_alpha.z};
  pair.e_m = pair.e_m + epsilon * u_alpha;
  pair.e_q = pair.e_q - epsilon * u_a;
}

// What a sweep keeps and adds.
struct Extras {
  bool forces, pivots, reactions;
};

// Of the run's element k, where the numbers by which z_a follows begin; `wrenches`: of the run.
template <class Hinge, class T>
[[gnu::always_inline]] inline T* WrenchOf(T* wrenches, const ElementRun& run, int k) {
  return wrenches + kWrenchNumbers<Hinge> * static_cast<std::size_t>(k - run.begin);
}
// (21) behind an eliminated hinge; forces count against the axes there.
template <class T>
[[gnu::always_inline]] inline void Keep(const RiccatiPair<T>& pair, T* to) {
  KeepWrench(pair.C, pair.B_t, pair.A, pair.e_m, -pair.e_q, to);
}

template <class Hinge, bool kDiagonal, bool kFirstInput, Extras kExtras, class T>
[[gnu::noinline]] int SweepRunToRoot(const JointTree& tree, const ElementRun& run,
                                     SweepSpace<T>& space, [[maybe_unused]] T* wrenches) {
  const ElementMass* const masses = tree.masses.data() - 1;
  int singular = 0;
  for (int k = run.end - 1; k >= run.begin; --k) {
    const auto at = static_cast<std::size_t>(k);
    const ElementMotion<T>& m = space.motions[at];
    const ElementMass& body = masses[k];
    HingeSolution<T>& hinge = space.hinges[at];
    Prefetch<-kRecordsAhead<T>>(m);
    Prefetch<-kRecordsAhead<T>>(hinge);
    Prefetch<-kRecordsAhead<T>>(body);
    RiccatiPair<T> pair = space.inputs[static_cast<std::size_t>(body.slots.own)];
    const RiccatiPair<T>& so_far = space.inputs[static_cast<std::size_t>(body.slots.so_far)];
    RiccatiPair<T>& sum = space.inputs[static_cast<std::size_t>(body.slots.parent)];
    AddBody<kDiagonal>(body, m, pair);
    if constexpr (kExtras.forces) {
      const ExternalForce<T>& force = space.forces[at];
      const Vec<T> r_OC = m.A * Raise<T>(tree.elements[at - 1].r_OC);
      pair.e_m = pair.e_m - Cross(r_OC, force.f_C) - force.m_C;
      pair.e_q = pair.e_q + force.f_C;
    }
    Factors<T> rotation, translation;
    Mat<T> K_t;
    if constexpr (Hinge::kTurnsFreely && Hinge::kSlides == 0) {
      rotation = Factorised(pair.C, kSafePivot);
      NoteSingular(rotation.regular, k, singular);
      Vec<T> bias;
      EliminateRotation(pair, rotation, K_t, bias);
      mbsbench::Put(K_t, hinge.K_t);
      mbsbench::Put(bias, hinge.k);
      if constexpr (kExtras.reactions)
        KeepForce(pair.A, -pair.e_q, WrenchOf<Hinge>(wrenches, run, k));
      MoveForce<kFirstInput>(m, pair, so_far, sum);
    } else if constexpr (Hinge::kOneAxis) {
      constexpr bool kTurns = Hinge::kTurns == 1;
      const Vec<T> axis = m.axis();
      const Vec<T> u_a = kTurns ? TransposeTimes(pair.B_t, axis) : pair.A * axis;
      const Vec<T> u_alpha = kTurns ? pair.C * axis : pair.B_t * axis;
      const T pivot = Dot(axis, kTurns ? u_alpha : u_a);
      NoteSingular(Exceeds(pivot, T(kSafePivot) * Trace(kTurns ? pair.C : pair.A)), k, singular);
      rotation.inverse_d.x = T(1) / pivot;
      const T drive = kTurns ? m.tau - Dot(axis, pair.e_m) : m.tau + Dot(axis, pair.e_q);
      EliminateAxis(u_a, u_alpha, rotation.inverse_d.x, drive, pair, hinge);
      if constexpr (kExtras.reactions) Keep(pair, WrenchOf<Hinge>(wrenches, run, k));
      const auto parent = static_cast<std::size_t>(tree.links[at - 1].parent);
      Move<kFirstInput>(m, AngularBias(space.motions[parent], m), pair, so_far, sum);
    } else if constexpr (Hinge::kTurnsFreely) {  // transmits nothing: q = -A a + e_q = 0
      const T inertia = Trace(pair.A);
      rotation = Factorised(pair.C, kSafePivot);
      Vec<T> bias;
      EliminateRotation(pair, rotation, K_t, bias);
      translation = Factorised(pair.A, kSafePivot);
      NoteSingular(rotation.regular && translation.regular &&
                       Exceeds(Trace(pair.A), T(kSafePivot) * inertia),
                   k, singular);
      const Vec<T> a = Backward(translation, Scaled(translation, Forward(translation, pair.e_q)));
      mbsbench::Put(-(TransposeTimes(K_t, a) + bias), hinge.K_t.x);
      mbsbench::Put(a, hinge.K_t.y);
      sum = kFirstInput ? RiccatiPair<T>{} : so_far;
    } else {
      if constexpr (kExtras.reactions) Keep(pair, WrenchOf<Hinge>(wrenches, run, k));
      const auto parent = static_cast<std::size_t>(tree.links[at - 1].parent);
      Move<kFirstInput>(m, AngularBias(run, space.motions[parent], m), pair, so_far, sum);
    }
    if constexpr (kExtras.pivots) space.pivots[at] = {rotation, translation, K_t};
  }
  return singular;
}

template <Extras kExtras, class T>
int SweepToRoot(const JointTree& tree, SweepSpace<T>& space) {
  int singular = 0;
  for (std::size_t r = tree.runs.size(); r-- > 0;) {
    const ElementRun& run = tree.runs[r];
    T* const wrenches = kExtras.reactions ? space.wrenches.of_run(r) : nullptr;
    const int found = ForHinge(run, [&](auto hinge) {
      if (run.first_input && run.diagonal) {
        return SweepRunToRoot<decltype(hinge), true, true, kExtras>(tree, run, space, wrenches);
      }
      return run.diagonal
                 ? SweepRunToRoot<decltype(hinge), true, false, kExtras>(tree, run, space, wrenches)
                 : SweepRunToRoot<decltype(hinge), false, false, kExtras>(tree, run, space,
                                                                          wrenches);
    });
    if (singular == 0) singular = found;
  }
  return singular;
}

// Angular accelerations take h_alpha of (e) as omega_p x omega, product by product.
template <class Hinge, bool kReactions, class T>
[[gnu::noinline]] void SweepRunToTips(const JointTree& tree, const ElementRun& run,
                                      SweepSpace<T>& space, T* ydot, [[maybe_unused]] T* wrenches,
                                      [[maybe_unused]] JointReaction* reactions) {
  const ElementLink* const links = tree.links.data() - 1;
  for (int k = run.begin; k < run.end; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const ElementLink& link = links[k];
    const auto parent = static_cast<std::size_t>(link.parent);
    const ElementMotion<T>& m = space.motions[at];
    const ElementMotion<T>& p = space.motions[parent];
    const HingeSolution<T>& outboard = space.hinges[parent];
    HingeSolution<T>& hinge = space.hinges[at];
    Prefetch<kRecordsAhead<T>>(m);
    Prefetch<kRecordsAhead<T>>(hinge);
    T* const udot = ydot + link.u;
    const Vec<T>& alpha_O = outboard.alpha();
    const Vec<T> a = AddCross(outboard.a() + m.h_a, alpha_O, m.d);
    if constexpr (Hinge::kTurnsFreely && Hinge::kSlides == 0) {
      const Vec<T> alpha = -AddTransposeTimes(hinge.k, hinge.K_t, a);
      const Vec<T> spin = TransposeTimes(m.A, AddCross(alpha - alpha_O, m.omega, p.omega));
      udot[0] = spin.x, udot[1] = spin.y, udot[2] = spin.z;
      mbsbench::Put(alpha, hinge.K_t.x);
      mbsbench::Put(a, hinge.K_t.y);
      if constexpr (kReactions) {
        PutReaction(ForceAt(WrenchOf<Hinge>(wrenches, run, k), a), {},
                    reactions[tree.joint_of_element[at - 1]]);
      }
    } else if constexpr (Hinge::kOneAxis) {
      // As a . g_a + alpha . g_alpha from the root side's own z_b, which is known last.
      const Vec<T> h_alpha = AngularBias(p, m);
      const T known = hinge.epsilon() - Dot(hinge.g_alpha(), h_alpha) - Dot(hinge.g_a(), m.h_a);
      const Vec<T> g_O = AddCross(hinge.g_alpha(), m.d, hinge.g_a());
      const T rate = known - Dot(hinge.g_a(), outboard.a()) - Dot(g_O, alpha_O);
      const Vec<T> alpha = alpha_O + h_alpha;
      udot[0] = rate;
      constexpr bool kTurns = Hinge::kTurns == 1;
      if constexpr (kReactions) {
        Load<T> wrench = WrenchAt(WrenchOf<Hinge>(wrenches, run, k), alpha, a);
        space.along_axis[at] = TakeOutAxis(kTurns, m.axis(), wrench);
        PutReaction(wrench.force, wrench.moment, reactions[tree.joint_of_element[at - 1]]);
      }
      mbsbench::Put(kTurns ? alpha + rate * m.axis() : alpha, hinge.K_t.x);
      mbsbench::Put(kTurns ? a : a + rate * m.axis(), hinge.K_t.y);
    } else if constexpr (Hinge::kTurnsFreely) {
      const Vec<T> spin = TransposeTimes(m.A, AddCross(hinge.alpha() - alpha_O, m.omega, p.omega));
      const Mat<T> root = RootAxes(tree.elements[at - 1], p.A);
      const Vec<T> slide = TransposeTimes(root, hinge.a() - a);
      udot[0] = slide.x, udot[1] = slide.y, udot[2] = slide.z;
      udot[3] = spin.x, udot[4] = spin.y, udot[5] = spin.z;
      if constexpr (kReactions) reactions[tree.joint_of_element[at - 1]] = {};
    } else {
      static_assert(Hinge::kRates == 0);
      const Vec<T> alpha = alpha_O + AngularBias(run, p, m);
      mbsbench::Put(alpha, hinge.K_t.x);
      mbsbench::Put(a, hinge.K_t.y);
      if constexpr (kReactions) {
        Load<T> wrench = WrenchAt(WrenchOf<Hinge>(wrenches, run, k), alpha, a);
        if (run.driven) space.along_axis[at] = TakeOutAxis(TurnsAboutZ(run.type), m.axis(), wrench);
        PutReaction(wrench.force, wrench.moment, reactions[tree.joint_of_element[at - 1]]);
      }
    }
  }
}

}  // namespace general_sweep

template <class T>
void SweepSpace<T>::EnableReactions(const JointTree& tree) {
  wrenches.Plan(tree.runs, [](const ElementRun& run) {
    return ForHinge(run, [](auto hinge) { return kWrenchNumbers<decltype(hinge)>; });
  });
  along_axis.resize(tree.elements.size() + 1);
}

template <class T>
int SweepToRoot(const JointTree& tree, bool has_forces, SweepSpace<T>& space) {
  using namespace general_sweep;
  if (!space.pivots.empty()) return SweepToRoot<Extras{true, true, false}>(tree, space);
  return has_forces ? SweepToRoot<Extras{true, false, false}>(tree, space)
                    : SweepToRoot<Extras{false, false, false}>(tree, space);
}

template <class T>
int SweepToRootForReactions(const JointTree& tree, bool has_forces, SweepSpace<T>& space) {
  using namespace general_sweep;
  return has_forces ? SweepToRoot<Extras{true, false, true}>(tree, space)
                    : SweepToRoot<Extras{false, false, true}>(tree, space);
}

template <class T>
void SweepToTips(const JointTree& tree, SweepSpace<T>& space, T* ydot) {
  for (const ElementRun& run : tree.runs) {
    ForHinge(run, [&](auto hinge) {
      general_sweep::SweepRunToTips<decltype(hinge), false>(tree, run, space, ydot,
                                                            static_cast<T*>(nullptr), nullptr);
    });
  }
}

}  // namespace mbsbench
