#include "methods/transfer_elements/tree_motion.h"

namespace mbsbench {

void CalcBodyStates(const JointTree& tree, const double* y, const ElementMotion<double>* motions,
                    std::span<OriginMotion> origins, std::span<BodyState> bodies) {
  origins[0] = {};
  for (std::size_t k = 0; k < tree.elements.size(); ++k) {
    const TreeElement& e = tree.elements[k];
    const ElementMotion<double>& m = motions[k + 1];
    const ElementMotion<double>& p = motions[e.parent];
    const OriginMotion& from = origins[static_cast<std::size_t>(e.parent)];
    OriginMotion& origin = origins[k + 1];
    origin.position = from.position + m.d;
    origin.velocity = from.velocity + Cross(p.omega, m.d);
    ForJoint(e.type, [&](auto joint) {
      if constexpr (joint.kSlides > 0) {
        origin.velocity = origin.velocity + Slide<decltype(joint)>(RootAxes(e, p.A), y + e.u);
      }
    });
    const Vec<double> r_OC = m.A * e.r_OC;
    BodyState& body = bodies[static_cast<std::size_t>(e.body)];
    body.position = Plain(origin.position + r_OC);
    body.orientation = QuaternionOf(m.A) * Conjugate(tree.joint_to_body[k]);
    body.velocity = Plain(origin.velocity + Cross(m.omega, r_OC));
    body.angular_velocity = Plain(m.omega);
  }
}

}  // namespace mbsbench
