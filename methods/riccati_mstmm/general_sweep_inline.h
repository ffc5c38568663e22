// Definitions of general_sweep.h, for the sources that instantiate them: one per scalar.
#pragma once

#include <cstddef>

#include "methods/riccati_mstmm/general_sweep.h"

namespace mbsbench {

namespace general_sweep {

// A pivot below this part of the inertia that it was computed from is round-off.
constexpr double kSafePivot = 1e-12;

// Whether a > b; false for NaN. SIMD packs say whether it holds in all lanes.
template <class T>
[[gnu::always_inline]] inline bool Exceeds(const T& a, const T& b) {
  return a > b;
}

// Keeps the first: what lies further towards the root only inherits its infinities.
inline void NoteSingular(bool regular, int element, int& singular) {
  if (!regular && singular == 0) [[unlikely]]
    singular = element;
}

// Adds the body's own part, (a) and (b), to what its inputs transmit.
template <bool kDiagonal, class T>
[[gnu::always_inline]] inline void AddBody(const ElementMass& body, const ElementMotion<T>& m,
                                           RiccatiPair<T>& pair) {
  const T mass(body.mass);
  const Vec3<T> mc = m.A * Lift<T>(body.mr_OC);  // mass r_OC
  const Sym3<T> J =
      kDiagonal ? RotatedDiagonal(m.A, Lift<T>(body.J_O)) : Rotated(m.A, Lift<T>(body.J_O));
  pair.A.xx = pair.A.xx + mass;
  pair.A.yy = pair.A.yy + mass;
  pair.A.zz = pair.A.zz + mass;
  // B = -mass r_OC~
  pair.B.x.y = pair.B.x.y - mc.z, pair.B.x.z = pair.B.x.z + mc.y;
  pair.B.y.x = pair.B.y.x + mc.z, pair.B.y.z = pair.B.y.z - mc.x;
  pair.B.z.x = pair.B.z.x - mc.y, pair.B.z.y = pair.B.z.y + mc.x;
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
[[gnu::always_inline]] inline void Move(const ElementMotion<T>& m, const Vec3<T>& h_alpha,
                                        const RiccatiPair<T>& p, const RiccatiPair<T>& so_far,
                                        RiccatiPair<T>& sum) {
  const Vec3<T>& d = m.d;
  const Sym3<T>& A = p.A;
  const Mat3<T>& b = p.B;
  const Vec3<T> e_m = AddTimes(AddTransposeTimes(p.e_m, b, m.h_a), p.C, h_alpha);
  const Vec3<T> e_q = AddTimes(AddTimes(p.e_q, A, -m.h_a), b, -h_alpha);
  // B_O = B - A d~
  const Mat3<T> B{{b.x.x + d.y * A.xz - d.z * A.xy, b.x.y + d.y * A.yz - d.z * A.yy,
                   b.x.z + d.y * A.zz - d.z * A.yz},
                  {b.y.x + d.z * A.xx - d.x * A.xz, b.y.y + d.z * A.xy - d.x * A.yz,
                   b.y.z + d.z * A.xz - d.x * A.zz},
                  {b.z.x + d.x * A.xy - d.y * A.xx, b.z.y + d.x * A.yy - d.y * A.xy,
                   b.z.z + d.x * A.yz - d.y * A.xz}};
  // C_O = C + d~ B_O - B' d~, symmetric; what waits for B_O comes last
  const Sym3<T> C = kFirst ? p.C : so_far.C + p.C;
  Put({C.xx + d.y * b.x.z - d.z * b.x.y + d.y * B.x.z - d.z * B.x.y,
       C.yy + d.z * b.y.x - d.x * b.y.z + d.z * B.y.x - d.x * B.y.z,
       C.zz + d.x * b.z.y - d.y * b.z.x + d.x * B.z.y - d.y * B.z.x,
       C.xy + d.z * b.x.x - d.x * b.x.z + d.y * B.y.z - d.z * B.y.y,
       C.xz + d.x * b.x.y - d.y * b.x.x + d.y * B.z.z - d.z * B.z.y,
       C.yz + d.x * b.y.y - d.y * b.y.x + d.z * B.z.x - d.x * B.z.z},
      sum.C);
  Put(kFirst ? A : so_far.A + A, sum.A);
  Put(kFirst ? B : so_far.B + B, sum.B);
  Put(AddCross(kFirst ? e_m : so_far.e_m + e_m, e_q, d), sum.e_m);
  Put(kFirst ? e_q : so_far.e_q + e_q, sum.e_q);
}

// The same behind a ball hinge, which transmits no moment: B = C = 0 and e_m = 0 before.
template <bool kFirst, class T>
[[gnu::always_inline]] inline void MoveForce(const ElementMotion<T>& m, const RiccatiPair<T>& p,
                                             const RiccatiPair<T>& so_far, RiccatiPair<T>& sum) {
  const Vec3<T>& d = m.d;
  const Sym3<T>& A = p.A;
  const Vec3<T> e_q = AddTimes(p.e_q, A, -m.h_a);
  const Mat3<T> B{{d.y * A.xz - d.z * A.xy, d.y * A.yz - d.z * A.yy, d.y * A.zz - d.z * A.yz},
                  {d.z * A.xx - d.x * A.xz, d.z * A.xy - d.x * A.yz, d.z * A.xz - d.x * A.zz},
                  {d.x * A.xy - d.y * A.xx, d.x * A.yy - d.y * A.xy, d.x * A.yz - d.y * A.xz}};
  if constexpr (kFirst) {
    Put({d.y * B.x.z - d.z * B.x.y, d.z * B.y.x - d.x * B.y.z, d.x * B.z.y - d.y * B.z.x,
         d.y * B.y.z - d.z * B.y.y, d.y * B.z.z - d.z * B.z.y, d.z * B.z.x - d.x * B.z.z},
        sum.C);
    Put(A, sum.A);
    Put(B, sum.B);
    Put(Cross(e_q, d), sum.e_m);
    Put(e_q, sum.e_q);
    return;
  }
  const Sym3<T>& C = so_far.C;
  Put({C.xx + d.y * B.x.z - d.z * B.x.y, C.yy + d.z * B.y.x - d.x * B.y.z,
       C.zz + d.x * B.z.y - d.y * B.z.x, C.xy + d.y * B.y.z - d.z * B.y.y,
       C.xz + d.y * B.z.z - d.z * B.z.y, C.yz + d.z * B.z.x - d.x * B.z.z},
      sum.C);
  Put(so_far.A + A, sum.A);
  Put(so_far.B + B, sum.B);
  Put(AddCross(so_far.e_m, e_q, d), sum.e_m);
  Put(so_far.e_q + e_q, sum.e_q);
}

// C = L D L', by the minors of C (Bareiss): no reciprocal waits for another.
template <class T>
[[gnu::always_inline]] inline Pivots<T> Factorise(const Sym3<T>& C) {
  const T minor_yy = C.xx * C.yy - C.xy * C.xy;
  const T minor_yz = C.xx * C.yz - C.xy * C.xz;
  const T minor_zz = C.xx * C.zz - C.xz * C.xz;
  const T determinant = minor_yy * minor_zz - minor_yz * minor_yz;  // times C.xx
  const T r_x = T(1) / C.xx, r_y = T(1) / minor_yy, r_z = T(1) / determinant;
  const T floor = T(kSafePivot) * Trace(C), product = C.xx * minor_yy;
  return {r_x,
          C.xx * r_y,
          product * r_z,
          {C.xy * r_x, C.xz * r_x, minor_yz * r_y},
          Exceeds(C.xx, floor) && Exceeds(minor_yy, floor * C.xx) &&
              Exceeds(determinant, floor * product)};
}

// L^-1 b
template <class T>
[[gnu::always_inline]] inline Vec3<T> Forward(const Pivots<T>& f, const Vec3<T>& b) {
  const T y = b.y - f.l.x * b.x;
  return {b.x, y, b.z - f.l.y * b.x - f.l.z * y};
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> Scaled(const Pivots<T>& f, const Vec3<T>& b) {
  return {f.x * b.x, f.y * b.y, f.z * b.z};
}
// L^-T b
template <class T>
[[gnu::always_inline]] inline Vec3<T> Backward(const Vec3<T>& l, const Vec3<T>& b) {
  const T y = b.y - l.z * b.z;
  return {b.x - l.x * y - l.y * b.z, y, b.z};
}

// Eliminates three free rotations. What stays is a force at the hinge's point: A and e_q change,
// the rest no longer counts. Leaves K and k.
template <class T>
[[gnu::always_inline]] inline void EliminateRotation(RiccatiPair<T>& pair, const Pivots<T>& f,
                                                     Mat3<T>& K, Vec3<T>& k) {
  // Columns of B' are the rows of B.
  const Mat3<T>& B = pair.B;
  const Vec3<T> yx = Forward(f, Vec3<T>{B.x.x, B.y.x, B.z.x});
  const Vec3<T> yy = Forward(f, Vec3<T>{B.x.y, B.y.y, B.z.y});
  const Vec3<T> yz = Forward(f, Vec3<T>{B.x.z, B.y.z, B.z.z});
  const Vec3<T> vx = Scaled(f, yx), vy = Scaled(f, yy), vz = Scaled(f, yz);
  const Vec3<T> v = Scaled(f, Forward(f, pair.e_m));
  const Sym3<T>& A = pair.A;
  pair.A = {A.xx - yx.x * vx.x - yx.y * vx.y - yx.z * vx.z,
            A.yy - yy.x * vy.x - yy.y * vy.y - yy.z * vy.z,
            A.zz - yz.x * vz.x - yz.y * vz.y - yz.z * vz.z,
            A.xy - yx.x * vy.x - yx.y * vy.y - yx.z * vy.z,
            A.xz - yx.x * vz.x - yx.y * vz.y - yx.z * vz.z,
            A.yz - yy.x * vz.x - yy.y * vz.y - yy.z * vz.z};
  pair.e_q = {pair.e_q.x + yx.x * v.x + yx.y * v.y + yx.z * v.z,
              pair.e_q.y + yy.x * v.x + yy.y * v.y + yy.z * v.z,
              pair.e_q.z + yz.x * v.x + yz.y * v.y + yz.z * v.z};
  K = {Backward(f.l, vx), Backward(f.l, vy), Backward(f.l, vz)};
  k = Backward(f.l, v);
}

// Eliminates one free axis with M H = (u_a, u_alpha), r = 1 / H'MH and tau + H'P e = drive.
template <class T>
[[gnu::always_inline]] inline void EliminateAxis(const Vec3<T>& u_a, const Vec3<T>& u_alpha,
                                                 const T& r, const T& drive, RiccatiPair<T>& pair,
                                                 HingeSolution<T>& hinge) {
  const Vec3<T> g_a = r * u_a, g_alpha = r * u_alpha;
  const T epsilon = r * drive;
  mbsbench::Put(g_alpha, hinge.K.x);
  mbsbench::Put(g_a, hinge.K.y);
  hinge.epsilon() = epsilon;
  Sym3<T>&A = pair.A, &C = pair.C;
  A = {A.xx - g_a.x * u_a.x, A.yy - g_a.y * u_a.y, A.zz - g_a.z * u_a.z,
       A.xy - g_a.x * u_a.y, A.xz - g_a.x * u_a.z, A.yz - g_a.y * u_a.z};
  pair.B = {pair.B.x - g_alpha.x * u_a, pair.B.y - g_alpha.y * u_a, pair.B.z - g_alpha.z * u_a};
  C = {C.xx - g_alpha.x * u_alpha.x, C.yy - g_alpha.y * u_alpha.y, C.zz - g_alpha.z * u_alpha.z,
       C.xy - g_alpha.x * u_alpha.y, C.xz - g_alpha.x * u_alpha.z, C.yz - g_alpha.y * u_alpha.z};
  pair.e_m = pair.e_m + epsilon * u_alpha;
  pair.e_q = pair.e_q - epsilon * u_a;
}

// What a sweep keeps and adds.
struct Extras {
  bool forces, pivots;
};

template <class Hinge, bool kDiagonal, bool kFirstInput, Extras kExtras, class T>
[[gnu::noinline]] int SweepRunToRoot(const JointTree& tree, const ElementRun& run,
                                     SweepSpace<T>& space) {
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
      const Vec3<T> r_OC = m.A * Lift<T>(tree.elements[at - 1].r_OC);
      pair.e_m = pair.e_m - Cross(r_OC, force.f_C) - force.m_C;
      pair.e_q = pair.e_q + force.f_C;
    }
    Pivots<T> rotation, translation;
    Mat3<T> K;
    if constexpr (Hinge::kTurnsFreely && Hinge::kSlides == 0) {
      rotation = Factorise(pair.C);
      NoteSingular(rotation.regular, k, singular);
      Vec3<T> bias;
      EliminateRotation(pair, rotation, K, bias);
      mbsbench::Put(K, hinge.K);
      mbsbench::Put(bias, hinge.k);
      MoveForce<kFirstInput>(m, pair, so_far, sum);
    } else if constexpr (Hinge::kOneAxis) {
      constexpr bool kTurns = Hinge::kTurns == 1;
      const Vec3<T>& axis = m.axis();
      const Vec3<T> u_a = kTurns ? pair.B * axis : pair.A * axis;
      const Vec3<T> u_alpha = kTurns ? pair.C * axis : TransposeTimes(pair.B, axis);
      const T pivot = Dot(axis, kTurns ? u_alpha : u_a);
      NoteSingular(Exceeds(pivot, T(kSafePivot) * Trace(kTurns ? pair.C : pair.A)), k, singular);
      rotation.x = T(1) / pivot;
      const T drive = kTurns ? m.tau - Dot(axis, pair.e_m) : m.tau + Dot(axis, pair.e_q);
      EliminateAxis(u_a, u_alpha, rotation.x, drive, pair, hinge);
      const auto parent = static_cast<std::size_t>(tree.links[at - 1].parent);
      Move<kFirstInput>(m, AngularBias(space.motions[parent], m), pair, so_far, sum);
    } else if constexpr (Hinge::kTurnsFreely) {  // transmits nothing: q = -A a + e_q = 0
      const T inertia = Trace(pair.A);
      rotation = Factorise(pair.C);
      Vec3<T> bias;
      EliminateRotation(pair, rotation, K, bias);
      translation = Factorise(pair.A);
      NoteSingular(rotation.regular && translation.regular &&
                       Exceeds(Trace(pair.A), T(kSafePivot) * inertia),
                   k, singular);
      const Vec3<T> a =
          Backward(translation.l, Scaled(translation, Forward(translation, pair.e_q)));
      mbsbench::Put(-(K * a + bias), hinge.K.x);
      mbsbench::Put(a, hinge.K.y);
      sum = kFirstInput ? RiccatiPair<T>{} : so_far;
    } else {
      const auto parent = static_cast<std::size_t>(tree.links[at - 1].parent);
      Move<kFirstInput>(m, AngularBias(run, space.motions[parent], m), pair, so_far, sum);
    }
    if constexpr (kExtras.pivots) space.pivots[at] = {rotation, translation, K};
  }
  return singular;
}

template <Extras kExtras, class T>
int SweepToRoot(const JointTree& tree, SweepSpace<T>& space) {
  int singular = 0;
  for (std::size_t r = tree.runs.size(); r-- > 0;) {
    const ElementRun& run = tree.runs[r];
    const int found = ForHinge(run, [&](auto hinge) {
      if (run.first_input && run.diagonal) {
        return SweepRunToRoot<decltype(hinge), true, true, kExtras>(tree, run, space);
      }
      return run.diagonal
                 ? SweepRunToRoot<decltype(hinge), true, false, kExtras>(tree, run, space)
                 : SweepRunToRoot<decltype(hinge), false, false, kExtras>(tree, run, space);
    });
    if (singular == 0) singular = found;
  }
  return singular;
}

// Angular accelerations take h_alpha of (e) as omega_p x omega, product by product.
template <class Hinge, class T>
[[gnu::noinline]] void SweepRunToTips(const JointTree& tree, const ElementRun& run,
                                      SweepSpace<T>& space, T* ydot) {
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
    const Vec3<T>& alpha_O = outboard.alpha();
    const Vec3<T> a = AddCross(outboard.a() + m.h_a, alpha_O, m.d);
    if constexpr (Hinge::kTurnsFreely && Hinge::kSlides == 0) {
      const Vec3<T> alpha = -AddTimes(hinge.k, hinge.K, a);
      const Vec3<T> spin = TransposeTimes(m.A, AddCross(alpha - alpha_O, m.omega, p.omega));
      udot[0] = spin.x, udot[1] = spin.y, udot[2] = spin.z;
      mbsbench::Put(alpha, hinge.K.x);
      mbsbench::Put(a, hinge.K.y);
    } else if constexpr (Hinge::kOneAxis) {
      // As a . g_a + alpha . g_alpha from the root side's own z_b, which is known last.
      const Vec3<T> h_alpha = AngularBias(p, m);
      const T known = hinge.epsilon() - Dot(hinge.g_alpha(), h_alpha) - Dot(hinge.g_a(), m.h_a);
      const Vec3<T> g_O = AddCross(hinge.g_alpha(), m.d, hinge.g_a());
      const T rate = known - Dot(hinge.g_a(), outboard.a()) - Dot(g_O, alpha_O);
      const Vec3<T> alpha = alpha_O + h_alpha;
      udot[0] = rate;
      constexpr bool kTurns = Hinge::kTurns == 1;
      mbsbench::Put(kTurns ? alpha + rate * m.axis() : alpha, hinge.K.x);
      mbsbench::Put(kTurns ? a : a + rate * m.axis(), hinge.K.y);
    } else if constexpr (Hinge::kTurnsFreely) {
      const Vec3<T> spin = TransposeTimes(m.A, AddCross(hinge.alpha() - alpha_O, m.omega, p.omega));
      const Mat3<T> root = RootAxes(tree.elements[at - 1], p.A);
      const Vec3<T> slide = TransposeTimes(root, hinge.a() - a);
      udot[0] = slide.x, udot[1] = slide.y, udot[2] = slide.z;
      udot[3] = spin.x, udot[4] = spin.y, udot[5] = spin.z;
    } else {
      static_assert(Hinge::kRates == 0);
      mbsbench::Put(alpha_O + AngularBias(run, p, m), hinge.K.x);
      mbsbench::Put(a, hinge.K.y);
    }
  }
}

}  // namespace general_sweep

template <class T>
int SweepToRoot(const JointTree& tree, bool has_forces, SweepSpace<T>& space) {
  using namespace general_sweep;
  if (!space.pivots.empty()) return SweepToRoot<Extras{true, true}>(tree, space);
  return has_forces ? SweepToRoot<Extras{true, false}>(tree, space)
                    : SweepToRoot<Extras{false, false}>(tree, space);
}

template <class T>
void SweepToTips(const JointTree& tree, SweepSpace<T>& space, T* ydot) {
  for (const ElementRun& run : tree.runs) {
    ForHinge(run, [&](auto hinge) {
      general_sweep::SweepRunToTips<decltype(hinge)>(tree, run, space, ydot);
    });
  }
}

}  // namespace mbsbench
