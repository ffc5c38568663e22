// Open chain of massless rods with point masses at their ends (Lu, Gu, Liu et al. 2014).
//
// Nodes 0, 1, ..., n; rod i joins node i-1 to node i; theta_i is the angle of rod i in the plane
// x-y, zero where it hangs along -y and positive towards -x. Node 0 is pinned, and the columns n+1
// and n+2 of eq. 3 fall away; or it is free with a mass m_0, and they stand first here, so that the
// order of the generalised speeds runs down the chain. Errors of the paper that are corrected below:
//   eq. 2       prints omega_1 where omega_i is meant;
//   eqs 3, 4    print l_i, theta_i and omega_i where the column's l_j, theta_j, omega_j are meant,
//               as differentiating eq. 1 shows;
//   eqs 6, 8    sum from node 1, which is right only while node 0 is pinned (M of eq. 9 holds m_0);
//   eq. 8       has one index j for the generalised speed and for the force; they are two (eq. 9).
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "methods/numerics/path_cholesky.h"

namespace mbsbench::kane_huston {

template <typename T>
struct Planar {
  T x{}, y{};
  friend Planar operator+(Planar a, Planar b) { return {a.x + b.x, a.y + b.y}; }
  friend Planar operator-(Planar a, Planar b) { return {a.x - b.x, a.y - b.y}; }
  friend Planar operator*(T s, Planar a) { return {s * a.x, s * a.y}; }
};
template <typename T>
T Dot(Planar<T> a, Planar<T> b) {
  return a.x * b.x + a.y * b.y;
}

template <typename T>
class LumpedRods {
 public:
  enum class FirstNode { kPinned, kFree };

  // Lengths l_i of the rods and masses m_i of the nodes at their far ends, i = 1, ..., n at index
  // i - 1.
  LumpedRods(std::vector<T> lengths, std::vector<T> masses,
             FirstNode first_node = FirstNode::kPinned)
      : lead(first_node == FirstNode::kFree ? 2 : 0),
        l(std::move(lengths)),
        m(std::move(masses)),
        position(l.size()),
        velocity(l.size()),
        u(l.size()),
        u_dot(l.size()),
        a_bias(l.size()),
        fz(l.size()),
        q_ddot(lead + l.size()),
        scale(lead + l.size()),
        A(Chain(lead + l.size())) {}

  std::size_t size() const { return l.size(); }

  // Positions and velocities relative to node 0, partial velocities and their derivatives.
  void SetMotion(const T* theta, const T* omega) {
    using std::cos, std::sin;
    Planar<T> r, v, a;
    for (std::size_t j = 0; j < size(); ++j) {
      const T s = l[j] * sin(theta[j]), c = l[j] * cos(theta[j]);
      u[j] = {-c, s};                           // eq. 3: u_ij for all i >= j, else zero
      u_dot[j] = {s * omega[j], c * omega[j]};  // eq. 4
      position[j] = r = r - Planar<T>{s, c};    // eq. 1
      velocity[j] = v = v + omega[j] * u[j];    // eq. 2
      a_bias[j] = a = a + omega[j] * u_dot[j];  // eq. 5 without q_ddot
    }
  }

  // A q_ddot = fl (eq. 13) from the active forces `fz` on the nodes 1, ..., n and `fz_0`. Returns -1
  // or the row of A without inertia: first those of a free node 0, then those of the rods.
  int Solve() {
    return SolveFor(fz_0, [this](std::size_t j) { return fz[j] - m[j] * a_bias[j]; });
  }

  // The speeds q_dot nearest to given velocities of the nodes, mass-weighted: A q_dot = u' M v, left
  // in q_ddot: the velocities after impulses in the rods.
  int SolveSpeeds(const Planar<T>& v_0, const std::vector<Planar<T>>& v) {
    return SolveFor(m_0 * v_0, [this, &v](std::size_t j) { return m[j] * v[j]; });
  }

  std::size_t lead;  // generalised speeds of node 0: none, or those along x and y
  T m_0{};           // of a free node 0
  Planar<T> fz_0;    // on a free node 0
  std::vector<T> l, m;
  std::vector<Planar<T>> position, velocity, u, u_dot, a_bias, fz;
  std::vector<T> q_ddot, scale;  // those of node 0, then those of the rods
  PathCholesky<T> A;

 private:
  // A x = u' f for given f on the nodes 0, 1, ..., n, x left in q_ddot.
  //
  // Column j of u is the same for all nodes i >= j, so the sums over nodes in eqs 6 to 12 are sums
  // over the tail of the chain, formed once from the tip.
  template <class OnNode>
  int SolveFor(const Planar<T>& on_node_0, OnNode on_node) {
    T mass(0);
    Planar<T> force;
    for (std::size_t j = size(); j-- > 0;) {
      mass += m[j];
      force = force + on_node(j);
      q_ddot[lead + j] = Dot(u[j], force);  // fl = u' fz - u' M u_dot q_dot
      T* row = A.Row(static_cast<int>(lead + j));
      scale[lead + j] = mass * l[j] * l[j];
      if (lead > 0) {
        row[0] = mass * u[j].x;
        row[1] = mass * u[j].y;
        row += lead;
      }
      for (std::size_t k = 0; k <= j; ++k) row[k] = mass * Dot(u[j], u[k]);  // A = u' M u
    }
    if (lead > 0) {
      mass += m_0;
      force = force + on_node_0;
      A.Row(0)[0] = A.Row(1)[1] = scale[0] = scale[1] = mass;
      A.Row(1)[0] = T(0);
      q_ddot[0] = force.x;
      q_ddot[1] = force.y;
    }
    const int failed = A.Factorise(scale.data());
    if (failed < 0) A.Solve(q_ddot.data());
    return failed;
  }

  static PathCholesky<T> Chain(std::size_t n) {
    std::vector<int> before(n);
    for (std::size_t i = 0; i < n; ++i) before[i] = static_cast<int>(i) - 1;
    return PathCholesky<T>(before);
  }
};

}  // namespace mbsbench::kane_huston
