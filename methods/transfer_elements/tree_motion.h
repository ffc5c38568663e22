// The sweep from the root to the tips over positions and velocities that precedes every transfer:
// orientations, angular velocities, and the part of the accelerations that does not depend on
// accelerations.
//
// Accelerations pass a joint from its root side (the parent's point in the child's output end O) to
// its tip side:
//   at the parent's point   a = a_Op + alpha_p x d + h_a,   alpha = alpha_p + h_alpha          (1)
//   on the tip side         [a; alpha]_O = [a; alpha] + H udot                                  (2)
// with d from the parent's output end, inertial axes, and H the joint's free axes. h holds omega_p
// x (omega_p x d) and the Coriolis terms of the joint, so that (2) is the hinge of the transfer
// matrix method with all terms in the rates moved to (1).
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "methods/numerics/prefetch.h"
#include "methods/numerics/sine_cosine.h"
#include "methods/transfer_elements/joint_tree.h"
#include "problems/model/state.h"

namespace mbsbench {

template <class T>
struct ElementMotion {
  Mat<T> A;      // direction cosine matrix, body axes -> inertial
  Vec<T> omega;  // angular velocity
  Vec<T> d;      // parent's output end -> own output end
  Vec<T> h_a;    // as in (1)
  T tau{};  // generalised force of the springs of a revolute or prismatic joint; of a driven one
            // its acceleration (DriveJoint)

  Vec<T> axis() const { return Column<2>(A); }  // of a revolute or prismatic joint
};

// h_alpha of (1): omega_p x (omega - omega_p), for every joint.
template <class T>
[[gnu::always_inline]] inline Vec<T> AngularBias(const ElementMotion<T>& parent,
                                                 const ElementMotion<T>& m) {
  return Cross(parent.omega, m.omega);
}

// The same where the joint of an element or of a run may be driven.
template <class Element, class T>
[[gnu::always_inline]] inline Vec<T> AngularBias(const Element& e, const ElementMotion<T>& parent,
                                                 const ElementMotion<T>& m) {
  const Vec<T> bias = AngularBias(parent, m);
  return e.driven && TurnsAboutZ(e.type) ? bias + m.tau * m.axis() : bias;
}

// Makes the acceleration of a driven joint a part of h, after CalcMotion.
template <class T>
void DriveJoint(const TreeElement& e, double acceleration, ElementMotion<T>& m) {
  m.tau = T(acceleration);
  if (!TurnsAboutZ(e.type)) m.h_a = m.h_a + m.tau * m.axis();
}

// Axes of the joint on its root side.
template <class T>
Mat<T> RootAxes(const TreeElement& e, const Mat<T>& parent_axes) {
  return e.parent_axes_aligned ? parent_axes : parent_axes * Raise<T>(e.root_axes);
}

template <class Joint, bool kAligned, bool kRates, class T>
[[gnu::noinline]] void CalcMotionOfRun(const JointTree& tree, const ElementRun& run, const T* y,
                                       ElementMotion<T>* motions, T* ydot) {
  // Sines and cosines of some revolutes ahead.
  constexpr int kBlock = SineCosineBlock<T>::kSize;
  [[maybe_unused]] SineCosineBlock<T> angles;
  const ElementLink* const links = tree.links.data() - 1;
  const TreeElement* const elements = tree.elements.data() - 1;
  for (int k = run.begin; k < run.end; ++k) {
    Prefetch<kRecordsAhead<T>>(motions[k]);
    const ElementLink& link = links[k];
    ElementMotion<T>& m = motions[k];
    const ElementMotion<T>& p = motions[link.parent];
    const T* const q = y + link.q;
    const T* const u = y + link.u;
    const Vec<T> arm = p.A * Raise<T>(link.arm);
    Mat<T> root;
    if constexpr (!kAligned) {
      root = p.A * Raise<T>(elements[k].root_axes);
    } else if constexpr (Joint::kOneAxis) {
      root = AxesEndingWith(p.A, link.parent_axis);
    } else {
      root = p.A;
    }
    const int i = (k - run.begin) % kBlock;
    if constexpr (Joint::kTurning == Turning::kAboutZ) {
      if (i == 0) {
        const auto angle_of = [&](int ahead) { return y[links[k + ahead].q + Joint::kSlides]; };
        angles.Calc(std::min(kBlock, run.end - k), angle_of);
      }
    }
    MoveFrame<Joint>(root, p.omega, arm, q, u, angles.cosine[i], angles.sine[i], m.A, m.omega, m.d,
                     m.h_a);
    if constexpr (Joint::kOneAxis) {
      if (tree.has_joint_springs) {  // else it stays zero
        const TreeElement& e = elements[k];
        m.tau = T(e.spring_offset) - T(e.stiffness) * q[0] - T(e.damping) * u[0];
      }
    }
    if constexpr (kRates) CoordinateRates<Joint>(q, u, ydot + link.q);
  }
}

// Fills motions[1 ...], and the rates of the coordinates where ydot is given; motions[0] is the
// ground at rest.
template <class T>
void CalcMotion(const JointTree& tree, const T* y, ElementMotion<T>* motions, T* ydot = nullptr) {
  for (const ElementRun& run : tree.runs) {
    ForJoint(run.type, [&](auto joint) {
      using Joint = decltype(joint);
      if (ydot == nullptr) {
        run.aligned ? CalcMotionOfRun<Joint, true, false>(tree, run, y, motions, ydot)
                    : CalcMotionOfRun<Joint, false, false>(tree, run, y, motions, ydot);
      } else {
        run.aligned ? CalcMotionOfRun<Joint, true, true>(tree, run, y, motions, ydot)
                    : CalcMotionOfRun<Joint, false, true>(tree, run, y, motions, ydot);
      }
    });
  }
}

// Absolute motion of all bodies of the system from the motion of the elements; `origins` is scratch
// for one position and one velocity per element and the ground.
struct OriginMotion {
  Vec<double> position, velocity;
};
void CalcBodyStates(const JointTree& tree, const double* y, const ElementMotion<double>* motions,
                    std::span<OriginMotion> origins, std::span<BodyState> bodies);

}  // namespace mbsbench
