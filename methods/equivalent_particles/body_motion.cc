#include "methods/equivalent_particles/body_motion.h"

#include "methods/kinematics/axial_vector.h"
#include "problems/model/eigen.h"

namespace mbsbench::equivalent_particles {

namespace {

// The rotation matrix nearest to a nearly orthogonal one.
Matrix3d Orthogonal(Matrix3d m) {
  for (int i = 0; i < 2; ++i) m = (1.5 * m - 0.5 * m * m.transpose() * m).eval();
  return m;
}

}  // namespace

BodyMotion::BodyMotion(const ParticleTree& tree) : tree_(tree) {
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const std::vector<Vector3d>& p = tree.choices[n].points;
    Triad triad;
    if (p.size() > 1) {
      const Vector3d first = (p[1] - p[0]).normalized();
      Vector3d second = first.unitOrthogonal();
      if (p.size() > 2) {
        const Vector3d edge = p[2] - p[0];
        second = (edge - first.dot(edge) * first).normalized();
      }
      triad.in_group << first, second, first.cross(second);
    }
    for (int i = 0; i + 1 < static_cast<int>(p.size()); ++i) {
      triad.along[i] = ToWeights(tree.frames[n].OfDirection(triad.in_group.col(i)));
    }
    triads_.push_back(triad);
  }
}

void BodyMotion::ParticlesOf(const std::vector<BodyState>& bodies, double* positions,
                             double* velocities) const {
  for (std::size_t n = 1; n < tree_.nodes.size(); ++n) {
    const Node& node = tree_.nodes[n];
    const BodyState& body = bodies[At(tree_.groups.bodies[n].front())];
    const Quaternion q = Normalised(body.orientation);
    for (int i = node.given; i < node.given + node.own; ++i) {
      const Vector3 arm = Rotate(q, FromEigen(tree_.choices[n].points[At(i)]));
      const Vector3 x = body.position + arm;
      const Vector3 v = body.velocity + Cross(body.angular_velocity, arm);
      for (double c : {x.x, x.y, x.z}) *positions++ = c;
      for (double c : {v.x, v.y, v.z}) *velocities++ = c;
    }
  }
}

BodyMotion::TriadMotion BodyMotion::MotionOf(int n, const Vector3d* x, const Vector3d* v,
                                             const Vector3d* a) const {
  const Node& node = tree_.nodes[At(n)];
  const Triad& triad = triads_[At(n)];
  TriadMotion m{Matrix3d::Identity(), Matrix3d::Zero(), Matrix3d::Zero()};
  for (int i = 0; i + 1 < node.count; ++i) {
    m.value.col(i) = Combine(triad.along[i], x + node.first_slot, node.count);
    m.rate.col(i) = Combine(triad.along[i], v + node.first_slot, node.count);
    if (a != nullptr) {
      m.acceleration.col(i) = Combine(triad.along[i], a + node.first_slot, node.count);
    }
  }
  if (node.count == 2) {
    // The shortest rotation moves the body's directions; no rotation about the line.
    const Vector3d d = m.value.col(0), rate = m.rate.col(0), acceleration = m.acceleration.col(0);
    const Matrix3d turn =
        Eigen::Quaterniond::FromTwoVectors(triad.in_group.col(0), d).toRotationMatrix();
    const Vector3d omega = d.cross(rate) / d.squaredNorm();
    const Vector3d alpha = d.cross(acceleration) / d.squaredNorm();
    m.value = turn * triad.in_group;
    // The term omega~ omega~ of E'' does not matter to its skew part.
    for (int i = 0; i < 3; ++i) {
      const Vector3d e = m.value.col(i);
      m.rate.col(i) = omega.cross(e);
      m.acceleration.col(i) = alpha.cross(e);
    }
  }
  if (node.count == 3) {
    const auto e = [&m](int i) { return Vector3d(m.value.col(i)); };
    const auto e_rate = [&m](int i) { return Vector3d(m.rate.col(i)); };
    const Vector3d first = m.acceleration.col(0), second = m.acceleration.col(1);
    m.value.col(2) = e(0).cross(e(1));
    m.rate.col(2) = e_rate(0).cross(e(1)) + e(0).cross(e_rate(1));
    m.acceleration.col(2) = first.cross(e(1)) + 2 * e_rate(0).cross(e_rate(1)) + e(0).cross(second);
  }
  return m;
}

BodyState BodyMotion::StateOf(int body, const Vector3d* x, const Vector3d* v) const {
  const BodySeat& placement = tree_.placements[At(body)];
  const Node& node = tree_.nodes[At(placement.node)];
  const TriadMotion m = MotionOf(placement.node, x, v, nullptr);
  const Matrix3d turn =
      Orthogonal(m.value * triads_[At(placement.node)].in_group.transpose()) * placement.axes;
  return {FromEigen(Combine(placement.centre, x + node.first_slot, node.count)),
          FromEigen(Eigen::Quaterniond(turn).normalized()),
          FromEigen(Combine(placement.centre, v + node.first_slot, node.count)),
          FromEigen(AxialVector(m.rate * m.value.transpose()))};
}

BodyAcceleration BodyMotion::AccelerationOf(int body, const Vector3d* x, const Vector3d* v,
                                            const Vector3d* a) const {
  const BodySeat& placement = tree_.placements[At(body)];
  const Node& node = tree_.nodes[At(placement.node)];
  const TriadMotion m = MotionOf(placement.node, x, v, a);
  // E'' = (alpha~ + omega~ omega~) E, and omega~ omega~ is symmetric.
  return {FromEigen(Combine(placement.centre, a + node.first_slot, node.count)),
          FromEigen(AxialVector(m.acceleration * m.value.transpose()))};
}

}  // namespace mbsbench::equivalent_particles
