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
void AddBody(const TreeElement& e, const ElementMotion<T>& m, const Vec3<T>& f_C,
             const Vec3<T>& m_C, RiccatiPair<T>& pair) {
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

// (e): adds what the hinge transmits to the output end of the body on the root side.
template <class T>
void AddMoved(const RiccatiPair<T>& from, const ElementMotion<T>& m, RiccatiPair<T>& to) {
  const Vec3<T>& d = m.d;
  const Vec3<T> e_q = from.e_q - from.A * m.h_a - from.B * m.h_alpha;
  const Vec3<T> e_m = from.e_m + TransposeTimes(from.B, m.h_a) + from.C * m.h_alpha;
  // B_O = B - A d~
  const Vec3<T> ax = ColumnX(from.A), ay = ColumnY(from.A), az = ColumnZ(from.A);
  const Mat3<T> B{from.B.x - (d.z * ay - d.y * az), from.B.y - (d.x * az - d.z * ax),
                  from.B.z - (d.y * ax - d.x * ay)};
  to.A = to.A + from.A;
  to.B = to.B + B;
  // C_O = C + d~ B_O - B' d~, symmetric
  const Vec3<T> p = Cross(d, B.x), q = Cross(d, B.y), s = Cross(d, B.z);
  const Mat3<T>& b = from.B;
  // (B' d~)(i, j) = column i of B . (column j of d~)
  to.C.xx += from.C.xx + p.x - (b.x.y * d.z - b.x.z * d.y);
  to.C.yy += from.C.yy + q.y - (b.y.z * d.x - b.y.x * d.z);
  to.C.zz += from.C.zz + s.z - (b.z.x * d.y - b.z.y * d.x);
  to.C.xy += from.C.xy + q.x - (b.x.z * d.x - b.x.x * d.z);
  to.C.xz += from.C.xz + s.x - (b.x.x * d.y - b.x.y * d.x);
  to.C.yz += from.C.yz + s.y - (b.y.x * d.y - b.y.y * d.x);
  to.e_q = to.e_q + e_q;
  to.e_m = to.e_m + e_m - Cross(d, e_q);
}

// The same for a ball hinge, which transmits no moment: B = C = 0, e_m = 0.
template <class T>
void AddMovedForce(const Sym3<T>& A, const Vec3<T>& hinge_e_q, const ElementMotion<T>& m,
                   RiccatiPair<T>& to) {
  const Vec3<T>& d = m.d;
  const Vec3<T> e_q = hinge_e_q - A * m.h_a;
  const Vec3<T> ax = ColumnX(A), ay = ColumnY(A), az = ColumnZ(A);
  const Mat3<T> B{d.y * az - d.z * ay, d.z * ax - d.x * az, d.x * ay - d.y * ax};
  to.A = to.A + A;
  to.B = to.B + B;
  to.C.xx += d.y * B.x.z - d.z * B.x.y;
  to.C.yy += d.z * B.y.x - d.x * B.y.z;
  to.C.zz += d.x * B.z.y - d.y * B.z.x;
  to.C.xy += d.y * B.y.z - d.z * B.y.y;
  to.C.xz += d.y * B.z.z - d.z * B.z.y;
  to.C.yz += d.z * B.z.x - d.x * B.z.z;
  to.e_q = to.e_q + e_q;
  to.e_m = to.e_m - Cross(d, e_q);
}

// C = L D L'.
template <class T>
struct Pivots {
  T x, y, z;          // reciprocals of D
  Vec3<T> l;          // L(2,1), L(3,1), L(3,2)
  T smallest, floor;  // least entry of D, and what it has to exceed
};

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

// Eliminates three free rotations: what stays is a force at the hinge's point.
template <class T>
bool EliminateRotation(const RiccatiPair<T>& pair, HingeSolution<T>& hinge, Sym3<T>& A,
                       Vec3<T>& e_q) {
  const Pivots<T> f = Factorise(pair.C);
  // Columns of B' are the rows of B.
  const Mat3<T>& B = pair.B;
  const Vec3<T> yx = Forward(f, Vec3<T>{B.x.x, B.y.x, B.z.x});
  const Vec3<T> yy = Forward(f, Vec3<T>{B.x.y, B.y.y, B.z.y});
  const Vec3<T> yz = Forward(f, Vec3<T>{B.x.z, B.y.z, B.z.z});
  const Vec3<T> vx = Scaled(f, yx), vy = Scaled(f, yy), vz = Scaled(f, yz);
  const Vec3<T> v = Scaled(f, Forward(f, pair.e_m));
  A = {pair.A.xx - Dot(yx, vx), pair.A.yy - Dot(yy, vy), pair.A.zz - Dot(yz, vz),
       pair.A.xy - Dot(yx, vy), pair.A.xz - Dot(yx, vz), pair.A.yz - Dot(yy, vz)};
  e_q = pair.e_q + Vec3<T>{Dot(yx, v), Dot(yy, v), Dot(yz, v)};
  hinge.l = f.l;
  hinge.v = v;
  hinge.V = {vx, vy, vz};
  return Safe(f.smallest, f.floor);
}

// Eliminates one free axis with M H = (u_a, u_alpha), H'MH = pivot and tau + H'P e = drive.
template <class T>
void EliminateAxis(const Vec3<T>& u_a, const Vec3<T>& u_alpha, const T& pivot, const T& drive,
                   const RiccatiPair<T>& pair, HingeSolution<T>& hinge,
                   RiccatiPair<T>& transmitted) {
  const T r = T(1) / pivot;
  const Vec3<T> ga = r * u_a, gm = r * u_alpha;
  hinge.g_a = ga;
  hinge.g_alpha = gm;
  hinge.epsilon = r * drive;
  transmitted.A = {pair.A.xx - ga.x * u_a.x, pair.A.yy - ga.y * u_a.y, pair.A.zz - ga.z * u_a.z,
                   pair.A.xy - ga.x * u_a.y, pair.A.xz - ga.x * u_a.z, pair.A.yz - ga.y * u_a.z};
  transmitted.B = {pair.B.x - gm.x * u_a, pair.B.y - gm.y * u_a, pair.B.z - gm.z * u_a};
  transmitted.C = {pair.C.xx - gm.x * u_alpha.x, pair.C.yy - gm.y * u_alpha.y,
                   pair.C.zz - gm.z * u_alpha.z, pair.C.xy - gm.x * u_alpha.y,
                   pair.C.xz - gm.x * u_alpha.z, pair.C.yz - gm.y * u_alpha.z};
  transmitted.e_m = pair.e_m + hinge.epsilon * u_alpha;
  transmitted.e_q = pair.e_q - hinge.epsilon * u_a;
}

}  // namespace general_sweep

template <class T>
Status SweepToRoot(const JointTree& tree, bool has_forces, SweepSpace<T>& space) {
  using namespace general_sweep;
  for (SweepElement<T>& element : space.elements) element.pair = {};
  const Vec3<T> gravity = Lift<T>(tree.gravity);
  for (std::size_t k = tree.elements.size(); k > 0; --k) {
    const TreeElement& e = tree.elements[k - 1];
    const ElementMotion<T>& m = space.motions[k];
    SweepElement<T>& element = space.elements[k];
    RiccatiPair<T>& pair = element.pair;
    RiccatiPair<T>& outboard = space.elements[static_cast<std::size_t>(e.parent)].pair;
    Vec3<T> f_C = T(e.mass) * gravity, m_C;
    if (has_forces) {
      f_C = f_C + element.f_C;
      m_C = element.m_C;
    }
    AddBody(e, m, f_C, m_C, pair);
    switch (e.type) {
      case JointType::kBall: {
        Sym3<T> A;
        Vec3<T> e_q;
        if (!EliminateRotation(pair, element.hinge, A, e_q)) return Failure(e, Finite(pair));
        AddMovedForce(A, e_q, m, outboard);
        break;
      }
      case JointType::kRevolute: {
        const Vec3<T> u_a = pair.B * m.axis, u_alpha = pair.C * m.axis;
        const T pivot = Dot(m.axis, u_alpha);
        if (!Safe(pivot, T(kSafePivot) * Trace(pair.C))) return Failure(e, Finite(pair));
        RiccatiPair<T> transmitted;
        EliminateAxis(u_a, u_alpha, pivot, m.tau - Dot(m.axis, pair.e_m), pair, element.hinge,
                      transmitted);
        AddMoved(transmitted, m, outboard);
        break;
      }
      case JointType::kPrismatic: {
        const Vec3<T> u_a = pair.A * m.axis, u_alpha = TransposeTimes(pair.B, m.axis);
        const T pivot = Dot(m.axis, u_a);
        if (!Safe(pivot, T(kSafePivot) * Trace(pair.A))) return Failure(e, Finite(pair));
        RiccatiPair<T> transmitted;
        EliminateAxis(u_a, u_alpha, pivot, m.tau + Dot(m.axis, pair.e_q), pair, element.hinge,
                      transmitted);
        AddMoved(transmitted, m, outboard);
        break;
      }
      case JointType::kFree: {  // transmits nothing: q = -A a + e_q = 0
        Sym3<T> A;
        Vec3<T> e_q;
        if (!EliminateRotation(pair, element.hinge, A, e_q)) return Failure(e, Finite(pair));
        const Pivots<T> f = Factorise(A);
        if (!Safe(f.smallest, f.floor)) return Failure(e, Finite(pair));
        element.hinge.a = Backward(f.l, Scaled(f, Forward(f, e_q)));
        break;
      }
      case JointType::kFixed:
      case JointType::kDistance:  // never a tree joint
        AddMoved(pair, m, outboard);
        break;
    }
  }
  return {};
}

template <class T>
void SweepToTips(const JointTree& tree, const T* y, SweepSpace<T>& space, T* ydot) {
  using namespace general_sweep;
  for (std::size_t k = 1; k <= tree.elements.size(); ++k) {
    const TreeElement& e = tree.elements[k - 1];
    const ElementMotion<T>& m = space.motions[k];
    SweepElement<T>& element = space.elements[k];
    const HingeSolution<T>& hinge = element.hinge;
    const SweepElement<T>& outboard = space.elements[static_cast<std::size_t>(e.parent)];
    const Vec3<T> a = outboard.a + Cross(outboard.alpha, m.d) + m.h_a;
    const Vec3<T> alpha = outboard.alpha + m.h_alpha;
    element.a = a;
    element.alpha = alpha;
    T* const udot = ydot + e.u;
    const auto rotate = [&] {
      const Vec3<T> spin = TransposeTimes(m.A, element.alpha - alpha);
      return spin;
    };
    switch (e.type) {
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
      case JointType::kDistance:
        break;
    }
    CoordinateRates(e, y, ydot);
  }
}

}  // namespace mbsbench
