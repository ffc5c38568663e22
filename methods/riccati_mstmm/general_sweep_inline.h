// Definitions of general_sweep.h, for the sources that instantiate them: one per scalar.
#pragma once

#include <cmath>
#include <cstddef>

#include "methods/riccati_mstmm/general_sweep.h"

namespace mbsbench {

namespace general_sweep {

// A pivot below this part of the inertia that it was computed from is round-off.
constexpr double kSafePivot = 1e-12;

// Adds the body's own part, (a) and (b), to what its inputs transmit.
template <class T>
[[gnu::always_inline]] inline void AddBody(const TreeElement& e, const ElementMotion<T>& m,
                                           const Vec3<T>& f_C, const Vec3<T>& m_C,
                                           RiccatiPair<T>& pair) {
  const T mass(e.mass);
  const Vec3<T> c = m.A * Lift<T>(e.r_OC);
  const Vec3<T> mc = mass * c;
  const Sym3<T> J = Rotated(m.A, Lift<T>(e.J_O));
  pair.A.xx += mass, pair.A.yy += mass, pair.A.zz += mass;
  // B = -mass r_OC~
  pair.B.x.y -= mc.z, pair.B.x.z += mc.y;
  pair.B.y.x += mc.z, pair.B.y.z -= mc.x;
  pair.B.z.x -= mc.y, pair.B.z.y += mc.x;
  pair.C = pair.C + J;
  pair.e_m = pair.e_m + Cross(m.omega, J * m.omega) - Cross(c, f_C) - m_C;
  pair.e_q = pair.e_q + f_C - Centripetal(m.omega, mc);
}

// (e): what the hinge transmits, seen at the output end of the body on the root side.
template <class T>
void Move(const ElementMotion<T>& m, RiccatiPair<T>& p) {
  const Vec3<T>& d = m.d;
  p.e_q = p.e_q - p.A * m.h_a - p.B * m.h_alpha;
  p.e_m = p.e_m + TransposeTimes(p.B, m.h_a) + p.C * m.h_alpha - Cross(d, p.e_q);
  // B_O = B - A d~
  const Vec3<T> ax = ColumnX(p.A), ay = ColumnY(p.A), az = ColumnZ(p.A);
  const Mat3<T> b = p.B;
  p.B = {b.x - (d.z * ay - d.y * az), b.y - (d.x * az - d.z * ax), b.z - (d.y * ax - d.x * ay)};
  // C_O = C + d~ B_O - B' d~, symmetric
  const Vec3<T> x = Cross(d, p.B.x), y = Cross(d, p.B.y), z = Cross(d, p.B.z);
  p.C.xx += x.x - (b.x.y * d.z - b.x.z * d.y);
  p.C.yy += y.y - (b.y.z * d.x - b.y.x * d.z);
  p.C.zz += z.z - (b.z.x * d.y - b.z.y * d.x);
  p.C.xy += y.x - (b.x.z * d.x - b.x.x * d.z);
  p.C.xz += z.x - (b.x.x * d.y - b.x.y * d.x);
  p.C.yz += z.y - (b.y.x * d.y - b.y.y * d.x);
}

// The same behind a ball hinge, which transmits no moment: B = C = 0 and e_m = 0 before.
template <class T>
[[gnu::always_inline]] inline void MoveForce(const ElementMotion<T>& m, RiccatiPair<T>& p) {
  const Vec3<T>& d = m.d;
  const Vec3<T> ax = ColumnX(p.A), ay = ColumnY(p.A), az = ColumnZ(p.A);
  p.e_q = p.e_q - p.A * m.h_a;
  p.e_m = Cross(p.e_q, d);
  p.B = {d.y * az - d.z * ay, d.z * ax - d.x * az, d.x * ay - d.y * ax};
  p.C = {d.y * p.B.x.z - d.z * p.B.x.y, d.z * p.B.y.x - d.x * p.B.y.z,
         d.x * p.B.z.y - d.y * p.B.z.x, d.y * p.B.y.z - d.z * p.B.y.y,
         d.y * p.B.z.z - d.z * p.B.z.y, d.z * p.B.z.x - d.x * p.B.z.z};
}

template <class T>
void Add(const RiccatiPair<T>& from, RiccatiPair<T>& to) {
  to.A = to.A + from.A;
  to.B = to.B + from.B;
  to.C = to.C + from.C;
  to.e_m = to.e_m + from.e_m;
  to.e_q = to.e_q + from.e_q;
}

// C = L D L'.
template <class T>
Pivots<T> Factorise(const Sym3<T>& C) {
  Pivots<T> f;
  f.floor = T(kSafePivot) * Trace(C);
  f.x = T(1) / C.xx;
  f.l.x = C.xy * f.x;
  f.l.y = C.xz * f.x;
  const T d_y = C.yy - f.l.x * C.xy;
  const T r = C.yz - f.l.x * C.xz;
  f.y = T(1) / d_y;
  f.l.z = r * f.y;
  const T d_z = C.zz - f.l.y * C.xz - f.l.z * r;
  f.z = T(1) / d_z;
  using std::min;
  f.smallest = min(C.xx, min(d_y, d_z));
  return f;
}

// L^-1 b
template <class T>
Vec3<T> Forward(const Pivots<T>& f, const Vec3<T>& b) {
  const T y = b.y - f.l.x * b.x;
  return {b.x, y, b.z - f.l.y * b.x - f.l.z * y};
}
template <class T>
Vec3<T> Scaled(const Pivots<T>& f, const Vec3<T>& b) {
  return {f.x * b.x, f.y * b.y, f.z * b.z};
}
// L^-T b
template <class T>
Vec3<T> Backward(const Vec3<T>& l, const Vec3<T>& b) {
  const T y = b.y - l.z * b.z;
  return {b.x - l.x * y - l.y * b.z, y, b.z};
}

template <class T>
bool Safe(const T& pivot, const T& floor) {
  return pivot > floor;  // false for NaN, and for a subtree without mass
}

template <class T>
bool Finite(const RiccatiPair<T>& p) {
  using std::isfinite;
  return isfinite(Trace(p.A) + Dot(p.B.x, p.B.x) + Dot(p.B.y, p.B.y) + Dot(p.B.z, p.B.z) +
                  Trace(p.C) + p.C.xy + p.C.xz + p.C.yz + Dot(p.e_m, p.e_m) + Dot(p.e_q, p.e_q));
}

inline Status Failure(const TreeElement& e, bool finite) {
  if (!finite) return {Status::Code::kNotFinite, e.joint, e.body, "a value is not finite"};
  return {Status::Code::kSingular, e.joint, e.body,
          "the tip side has no inertia about the joint's free axes"};
}

// Eliminates three free rotations. What stays is a force at the hinge's point: A and e_q change,
// the rest no longer counts.
template <class T>
[[gnu::always_inline]] inline bool EliminateRotation(RiccatiPair<T>& pair, HingeSolution<T>& hinge,
                                                     Pivots<T>& f) {
  f = Factorise(pair.C);
  // Columns of B' are the rows of B.
  const Mat3<T>& B = pair.B;
  const Vec3<T> yx = Forward(f, Vec3<T>{B.x.x, B.y.x, B.z.x});
  const Vec3<T> yy = Forward(f, Vec3<T>{B.x.y, B.y.y, B.z.y});
  const Vec3<T> yz = Forward(f, Vec3<T>{B.x.z, B.y.z, B.z.z});
  const Vec3<T> vx = Scaled(f, yx), vy = Scaled(f, yy), vz = Scaled(f, yz);
  const Vec3<T> v = Scaled(f, Forward(f, pair.e_m));
  pair.A = {pair.A.xx - Dot(yx, vx), pair.A.yy - Dot(yy, vy), pair.A.zz - Dot(yz, vz),
            pair.A.xy - Dot(yx, vy), pair.A.xz - Dot(yx, vz), pair.A.yz - Dot(yy, vz)};
  pair.e_q = pair.e_q + Vec3<T>{Dot(yx, v), Dot(yy, v), Dot(yz, v)};
  hinge.l = f.l;
  hinge.v = v;
  hinge.V = {vx, vy, vz};
  return Safe(f.smallest, f.floor);
}

// Eliminates one free axis with M H = (u_a, u_alpha), H'MH = pivot and tau + H'P e = drive.
template <class T>
void EliminateAxis(const Vec3<T>& u_a, const Vec3<T>& u_alpha, const T& pivot, const T& drive,
                   RiccatiPair<T>& pair, HingeSolution<T>& hinge) {
  const T r = T(1) / pivot;
  const Vec3<T> g_a = r * u_a, g_alpha = r * u_alpha;
  const T epsilon = r * drive;
  hinge.g_a = g_a;
  hinge.g_alpha = g_alpha;
  hinge.epsilon = epsilon;
  pair.A.xx -= g_a.x * u_a.x, pair.A.yy -= g_a.y * u_a.y, pair.A.zz -= g_a.z * u_a.z;
  pair.A.xy -= g_a.x * u_a.y, pair.A.xz -= g_a.x * u_a.z, pair.A.yz -= g_a.y * u_a.z;
  pair.B = {pair.B.x - g_alpha.x * u_a, pair.B.y - g_alpha.y * u_a, pair.B.z - g_alpha.z * u_a};
  pair.C.xx -= g_alpha.x * u_alpha.x, pair.C.yy -= g_alpha.y * u_alpha.y,
      pair.C.zz -= g_alpha.z * u_alpha.z;
  pair.C.xy -= g_alpha.x * u_alpha.y, pair.C.xz -= g_alpha.x * u_alpha.z,
      pair.C.yz -= g_alpha.y * u_alpha.z;
  pair.e_m = pair.e_m + epsilon * u_alpha;
  pair.e_q = pair.e_q - epsilon * u_a;
}

template <bool kKeepsPivots, class T>
Status SweepToRoot(const JointTree& tree, bool has_forces, SweepSpace<T>& space) {
  const Vec3<T> gravity = Lift<T>(tree.gravity);
  for (RiccatiPair<T>& sum : space.further_inputs) sum = {};
  RiccatiPair<T> pair;  // of the element before, moved to its parent's output end
  for (std::size_t k = tree.elements.size(); k > 0; --k) {
    const TreeElement& e = tree.elements[k - 1];
    const ElementMotion<T>& m = space.motions[k];
    HingeSolution<T>& hinge = space.hinges[k];
    // The first input is the element before, in this order.
    if (e.children == 0) pair = {};
    if (e.children > 1) Add(space.further_inputs[static_cast<std::size_t>(e.branch)], pair);
    Vec3<T> f_C = T(e.mass) * gravity, m_C;
    if (has_forces) {
      f_C = f_C + space.forces[k].f_C;
      m_C = space.forces[k].m_C;
    }
    AddBody(e, m, f_C, m_C, pair);
    Pivots<T> rotation, translation;
    switch (e.hinge) {
      case JointType::kBall:
        if (!EliminateRotation(pair, hinge, rotation)) return Failure(e, Finite(pair));
        MoveForce(m, pair);
        break;
      case JointType::kRevolute: {
        const Vec3<T> u_a = pair.B * m.axis, u_alpha = pair.C * m.axis;
        const T pivot = Dot(m.axis, u_alpha);
        if (!Safe(pivot, T(kSafePivot) * Trace(pair.C))) return Failure(e, Finite(pair));
        EliminateAxis(u_a, u_alpha, pivot, m.tau - Dot(m.axis, pair.e_m), pair, hinge);
        if constexpr (kKeepsPivots) rotation.x = T(1) / pivot;
        Move(m, pair);
        break;
      }
      case JointType::kPrismatic: {
        const Vec3<T> u_a = pair.A * m.axis, u_alpha = TransposeTimes(pair.B, m.axis);
        const T pivot = Dot(m.axis, u_a);
        if (!Safe(pivot, T(kSafePivot) * Trace(pair.A))) return Failure(e, Finite(pair));
        EliminateAxis(u_a, u_alpha, pivot, m.tau + Dot(m.axis, pair.e_q), pair, hinge);
        if constexpr (kKeepsPivots) rotation.x = T(1) / pivot;
        Move(m, pair);
        break;
      }
      case JointType::kFree: {  // transmits nothing: q = -A a + e_q = 0
        if (!EliminateRotation(pair, hinge, rotation)) return Failure(e, Finite(pair));
        translation = Factorise(pair.A);
        if (!Safe(translation.smallest, translation.floor)) return Failure(e, Finite(pair));
        hinge.a = Backward(translation.l, Scaled(translation, Forward(translation, pair.e_q)));
        pair = {};
        break;
      }
      case JointType::kFixed:
      case JointType::kDistance:  // never a tree joint
      case JointType::kUniversal: Move(m, pair); break;
    }
    if constexpr (kKeepsPivots) space.pivots[k] = {rotation, translation};
    const auto parent = static_cast<std::size_t>(e.parent);
    if (parent + 1 != k && parent > 0) {
      Add(pair, space.further_inputs[static_cast<std::size_t>(tree.elements[parent - 1].branch)]);
    }
  }
  return {};
}

}  // namespace general_sweep

template <class T>
Status SweepToRoot(const JointTree& tree, bool has_forces, SweepSpace<T>& space) {
  return space.pivots.empty() ? general_sweep::SweepToRoot<false>(tree, has_forces, space)
                              : general_sweep::SweepToRoot<true>(tree, has_forces, space);
}

template <class T>
void SweepToTips(const JointTree& tree, const T* y, SweepSpace<T>& space, T* ydot) {
  using namespace general_sweep;
  for (std::size_t k = 1; k <= tree.elements.size(); ++k) {
    const TreeElement& e = tree.elements[k - 1];
    const ElementMotion<T>& m = space.motions[k];
    const HingeSolution<T>& hinge = space.hinges[k];
    OutputAcceleration<T>& element = space.accelerations[k];
    const OutputAcceleration<T>& outboard = space.accelerations[static_cast<std::size_t>(e.parent)];
    const Vec3<T> a = outboard.a + Cross(outboard.alpha, m.d) + m.h_a;
    const Vec3<T> alpha = outboard.alpha + m.h_alpha;
    element.a = a;
    element.alpha = alpha;
    T* const udot = ydot + e.u;
    const auto rotate = [&] {
      const Vec3<T> spin = TransposeTimes(m.A, element.alpha - alpha);
      return spin;
    };
    switch (e.hinge) {
      case JointType::kBall: {
        element.alpha = -Backward(hinge.l, hinge.V * a + hinge.v);
        const Vec3<T> spin = rotate();
        udot[0] = spin.x, udot[1] = spin.y, udot[2] = spin.z;
        break;
      }
      case JointType::kRevolute:
        udot[0] = hinge.epsilon - Dot(hinge.g_a, a) - Dot(hinge.g_alpha, alpha);
        element.alpha = alpha + udot[0] * m.axis;
        break;
      case JointType::kPrismatic:
        udot[0] = hinge.epsilon - Dot(hinge.g_a, a) - Dot(hinge.g_alpha, alpha);
        element.a = a + udot[0] * m.axis;
        break;
      case JointType::kFree: {
        element.a = hinge.a;
        element.alpha = -Backward(hinge.l, hinge.V * hinge.a + hinge.v);
        const Vec3<T> spin = rotate();
        const Mat3<T> root = RootAxes(e, space.motions[static_cast<std::size_t>(e.parent)].A);
        const Vec3<T> slide = TransposeTimes(root, hinge.a - a);
        udot[0] = slide.x, udot[1] = slide.y, udot[2] = slide.z;
        udot[3] = spin.x, udot[4] = spin.y, udot[5] = spin.z;
        break;
      }
      case JointType::kFixed:
        if (e.type != e.hinge) udot[0] = T(0);  // driven
        break;
      case JointType::kDistance:
      case JointType::kUniversal: break;
    }
    CoordinateRates(e, y, ydot);
  }
}

}  // namespace mbsbench
