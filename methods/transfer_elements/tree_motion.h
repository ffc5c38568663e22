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

// The same where the joint of the element may be driven.
template <class T>
[[gnu::always_inline]] inline Vec<T> AngularBias(const TreeElement& e,
                                                 const ElementMotion<T>& parent,
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
  if (e.parent_axis >= 0) return AxesEndingWith(parent_axes, e.parent_axis);
  return e.parent_axes_aligned ? parent_axes : parent_axes * Raise<T>(e.root_axes);
}

// Fills motions[1 ...], and the rates of the coordinates where ydot is given; motions[0] is the
// ground at rest.
template <class T>
void CalcMotion(const JointTree& tree, const T* y, ElementMotion<T>* motions, T* ydot = nullptr) {
  SineCosineBlock<T> angles{};  // of some elements ahead, where the joint turns about one axis
  constexpr std::size_t kBlock = SineCosineBlock<T>::kSize;
  for (std::size_t k = 0; k < tree.elements.size(); ++k) {
    const std::size_t i = k % kBlock;
    if (i == 0) {
      const auto angle_of = [&](int ahead) {
        const TreeElement& e = tree.elements[k + static_cast<std::size_t>(ahead)];
        return e.angle < 0 ? T(0) : y[e.angle];
      };
      angles.Calc(static_cast<int>(std::min(kBlock, tree.elements.size() - k)), angle_of);
    }
    const TreeElement& e = tree.elements[k];
    ElementMotion<T>& m = motions[k + 1];
    const ElementMotion<T>& p = motions[e.parent];
    const T* const q = y + e.q;
    const T* const u = y + e.u;
    ForJoint(e.type, [&](auto joint) {
      using Joint = decltype(joint);
      MoveFrame<Joint>(RootAxes(e, p.A), p.omega, p.A * Raise<T>(e.arm), q, u, angles.cosine[i],
                       angles.sine[i], m.A, m.omega, m.d, m.h_a);
      if constexpr (Joint::kOneAxis) {
        if (tree.has_joint_springs) {  // else it stays zero
          m.tau = T(e.spring_offset) - T(e.stiffness) * q[0] - T(e.damping) * u[0];
        }
      }
      if (ydot != nullptr) CoordinateRates<Joint>(q, u, ydot + e.q);
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
