// Riccati sweep with general hinges: any joint, any tree, linear in bodies.
// Source: Rui, Bestle, Wang et al. 2020, eqs 20 to 34, with another hinge in place of eqs 10 to 13.
//
//   z_b = (a, alpha)   accelerations of a connection point [m/s^2, rad/s^2]   (the paper's r'' and Omega')
//   z_a = (m, q)       internal moment and force there [N m, N]
// At an output end m acts on the tip side along the axes, q against them (signs of eq. 1). The Riccati transformation
//   z_a = S z_b + e                                                                                    (21)
// holds at every connection point for the subtree on its tip side. With P = [[0, I], [-I, 0]], which pairs forces with
// translations and carries the signs above, P S is symmetric and negative semidefinite. So S is kept as 21 numbers:
//   S = [ B'  C ]     A, C symmetric,   [A B; B' C] = -P S >= 0
//       [ -A -B ]
// At a free tip S = 0 and e = 0 (eq. 34). From there three steps lead to the next body:
//
// Body (eqs 4 and 20, (24) to (30) carried out by hand). Its input ends add to its output end O what they transmit; the
// body itself adds
//   m = m_body r_OC x a + J_O alpha + omega x J_O omega - r_OC x f_C - m_C                              (a)
//   q = -m_body (a + alpha x r_OC) - m_body omega x (omega x r_OC) + f_C                                (b)
// Weight is no part of f_C: with accelerations taken less gravity, a := a - g, it drops out of (a) and (b), and the ground
// accelerates at -g.
// Any number of inputs: each contributes its (S, e), moved to O. No overall transfer equation is formed.
//
// Hinge. z is continuous but for the joint's free axes H (6 x d), along which the tip side accelerates by udot:
//   z_b,I = z_b + H udot,   H' P z_a = -tau                                                             (c)
// with tau the generalised force of the joint's springs. Eliminating udot by (21) gives, with M = -P S,
//   udot = (H'MH)^-1 (tau + H'P e - H'M z_b),
//   M := M - M H (H'MH)^-1 H'M,   P e := P e - M H (H'MH)^-1 (tau + H'P e)                              (d)
// regular whenever the subtree has inertia about H. (Rui et al. instead take the angular acceleration beyond a ball hinge
// from the zero moment at the far end of the next body, eq. 10, which exists for ball hinges only: see paper_sweep.h.)
//
// Move from the hinge's point to the output end of the body on the root side, with d and h of tree_motion.h:
//   a = a_O + alpha_O x d + h_a,   alpha = alpha_O + h_alpha;   q_O = q,   m_O = m - d x q              (e)
//
// The sweep back from the root (eq. 33) starts from z_b = (-g, 0) at the ground and follows (e), (d), (c).
#pragma once

#include <span>
#include <vector>

#include "methods/numerics/block_factors.h"
#include "methods/numerics/joint_wrench.h"
#include "methods/transfer_elements/tree_motion.h"

namespace mbsbench {

// The Riccati transformation at one connection point.
template <class T>
struct RiccatiPair {
  Sym<T> A;
  Mat<T> B_t;  // B'
  Sym<T> C;
  Vec<T> e_m, e_q;
};

// What the sweep back needs of an eliminated hinge; it leaves z_b in its place.
template <class T>
struct HingeSolution {
  // Three free rotations: alpha = -(K a + k), K = C^-1 B', k = C^-1 e_m; K' is kept. One free axis, in its
  // place: udot = epsilon - g_a . a - g_alpha . alpha. Free joint, and after the sweep back: z_b.
  Mat<T> K_t;
  Vec<T> k;

  const Vec<T>& g_alpha() const { return K_t.x; }
  const Vec<T>& g_a() const { return K_t.y; }
  const T& epsilon() const { return K_t.z.x; }
  T& epsilon() { return K_t.z.x; }
  const Vec<T>& alpha() const { return K_t.x; }
  const Vec<T>& a() const { return K_t.y; }  // less gravity
};

// What columns of e need of an eliminated hinge, besides its solution; kept on systems with loops.
template <class T>
struct HingePivots {
  Factors<T> rotation;     // one free axis: inverse_d.x is the reciprocal of H'MH
  Factors<T> translation;  // free joint
  Mat<T> K_t;              // free joint: as in HingeSolution
};

// External force at the mass centre and moment, without gravity.
template <class T>
struct ExternalForce {
  Vec<T> f_C, m_C;
};

// Work space of one formulation; index 0 is the ground.
template <class T>
struct SweepSpace {
  explicit SweepSpace(const JointTree& tree, bool has_loops = false)
      : motions(tree.elements.size() + 1),
        hinges(tree.elements.size() + 1),
        forces(tree.elements.size() + 1),
        pivots(has_loops ? tree.elements.size() + 1 : 0),
        inputs(static_cast<std::size_t>(tree.slot_count)) {
    motions[0].A = Identity<T>();
    hinges[0].K_t.y = -Raise<T>(tree.gravity);
  }
  std::vector<ElementMotion<T>> motions;
  std::vector<HingeSolution<T>> hinges;
  std::vector<ExternalForce<T>> forces;
  std::vector<HingePivots<T>> pivots;
  std::vector<RiccatiPair<T>> inputs;  // sums over input ends, in the slots of the tree

  // Of each hinge, eliminated, S and e on its tip side, by which z_a follows from z_b; empty until asked for.
  void EnableReactions(const JointTree& tree);
  KeptWrenches<T> wrenches;
  std::vector<T>
      along_axis;  // of what a joint with one axis transmits, by SweepToTipsWithReactions
};

// Riccati sweep from the tips to the root; needs motions. `has_forces`: space.forces counts. Returns
// 0, or the first element that has no inertia about the free axes of its joint.
template <class T>
int SweepToRoot(const JointTree& tree, bool has_forces, SweepSpace<T>& space);
// The same where reactions follow.
template <class T>
int SweepToRootForReactions(const JointTree& tree, bool has_forces, SweepSpace<T>& space);

// Sweep back to the tips: z_b of all output ends, and the rates of the joints' rates in ydot.
template <class T>
void SweepToTips(const JointTree& tree, SweepSpace<T>& space, T* ydot);
// The same, and what the constraints of the joints exert, in the order of System::joints.
void SweepToTipsWithReactions(const JointTree& tree, SweepSpace<double>& space, double* ydot,
                              std::span<JointReaction> reactions);

extern template int SweepToRoot(const JointTree&, bool, SweepSpace<double>&);
extern template int SweepToRootForReactions(const JointTree&, bool, SweepSpace<double>&);
extern template void SweepSpace<double>::EnableReactions(const JointTree&);
extern template void SweepToTips(const JointTree&, SweepSpace<double>&, double*);

}  // namespace mbsbench
