#include "methods/transfer_elements/tree_motion.h"

namespace mbsbench {

namespace {

Vector3 Plain(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

// Unit quaternion of a direction cosine matrix; the largest component is found first, so that
// nothing cancels.
Quaternion QuaternionOf(const Mat3<double>& r) {
  const double xx = r.x.x, yy = r.y.y, zz = r.z.z;
  const double trace = xx + yy + zz;
  Quaternion q;
  if (trace >= xx && trace >= yy && trace >= zz) {
    q = {1 + trace, r.y.z - r.z.y, r.z.x - r.x.z, r.x.y - r.y.x};
  } else if (xx >= yy && xx >= zz) {
    q = {r.y.z - r.z.y, 1 + xx - yy - zz, r.x.y + r.y.x, r.z.x + r.x.z};
  } else if (yy >= zz) {
    q = {r.z.x - r.x.z, r.x.y + r.y.x, 1 + yy - zz - xx, r.y.z + r.z.y};
  } else {
    q = {r.x.y - r.y.x, r.z.x + r.x.z, r.y.z + r.z.y, 1 + zz - xx - yy};
  }
  return Normalised(q);
}

}  // namespace

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
    const Vec3<double> r_OC = m.A * e.r_OC;
    BodyState& body = bodies[static_cast<std::size_t>(e.body)];
    body.position = Plain(origin.position + r_OC);
    body.orientation = QuaternionOf(m.A) * Conjugate(tree.joint_to_body[k]);
    body.velocity = Plain(origin.velocity + Cross(m.omega, r_OC));
    body.angular_velocity = Plain(m.omega);
  }
}

}  // namespace mbsbench
