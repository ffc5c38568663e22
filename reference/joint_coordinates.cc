#include "reference/joint_coordinates.h"

#include "problems/model/error.h"
#include "reference/dense.h"
#include "reference/forces.h"

namespace mbsbench::extended {

namespace {

constexpr double kSingular = 1e-24;

struct PartialVelocity {
  Vec3 linear, angular;
};

}  // namespace

JointCoordinates::JointCoordinates(const System& system) : system_(system), at_(OffsetsOf(system)) {
  if (!system.loop_joints.empty())
    throw ModelError("joint coordinates do not close loops: a tree is needed.");
}

std::vector<Real> JointCoordinates::Start(const JointState& joints) const {
  std::vector<Real> y(joints.q.begin(), joints.q.end());
  y.insert(y.end(), joints.u.begin(), joints.u.end());
  Normalise(y);
  return y;
}

Motion JointCoordinates::MotionAt(const std::vector<Real>& y) const {
  const auto middle = y.begin() + at_.q.back();
  return MotionOf(system_, {{y.begin(), middle}, {middle, y.end()}});
}

void JointCoordinates::Normalise(std::vector<Real>& y) const {
  for (std::size_t j = 0; j < system_.joints.size(); ++j) {
    const JointType type = system_.joints[j].type;
    if (type != JointType::kBall && type != JointType::kFree) continue;
    Real* q = y.data() + at_.q[j] + (type == JointType::kFree ? 3 : 0);
    const Quat unit = Normalised(Quat{q[0], q[1], q[2], q[3]});
    q[0] = unit.w, q[1] = unit.x, q[2] = unit.y, q[3] = unit.z;
  }
}

void JointCoordinates::Evaluate(const std::vector<Real>& y, std::vector<Real>& ydot) const {
  const Motion motion = MotionAt(y);
  const std::vector<Mat3> rotations = RotationsOf(motion);
  const std::size_t n = motion.size(), d = rates();
  const Real* q = y.data();
  const Real* u = y.data() + at_.q.back();

  // Angles of revolute joints run on in q, so that wound-up springs stay wound.
  std::vector<Real> angles;
  for (const JointSpringDamper& e : system_.model.joint_spring_dampers) {
    angles.push_back(q[at_.q[static_cast<std::size_t>(e.joint)]]);
  }
  const std::vector<Wrench> wrenches = ForcesOn(system_, motion, rotations, angles);

  // Root to tips: partial velocities, and accelerations with u' = 0.
  std::vector<std::vector<PartialVelocity>> partial(n, std::vector<PartialVelocity>(d));
  std::vector<std::vector<std::size_t>> path(n);  // the rates that move a body
  std::vector<PartialVelocity> bias(n);           // a0, alpha0
  for (int body : system_.tree.order) {
    const auto b = static_cast<std::size_t>(body);
    const auto j = static_cast<std::size_t>(system_.tree.joint[b]);
    const JointData& joint = system_.joints[j];
    const PointMotion c = MotionOfPoint(joint.on_child.position, joint.child, motion, rotations);
    Vec3 parent_position, parent_omega;
    PartialVelocity parent_bias;
    if (joint.parent != kGround) {
      const auto p = static_cast<std::size_t>(joint.parent);
      path[b] = path[p];
      parent_position = motion[p].position;
      parent_omega = motion[p].angular_velocity;
      parent_bias = bias[p];
      const Vec3 arm = motion[b].position - parent_position;
      for (std::size_t i : path[p]) {
        partial[b][i] = {partial[p][i].linear + Cross(partial[p][i].angular, arm),
                         partial[p][i].angular};
      }
    }
    const Vec3 x = Direction(joint.on_parent.x, joint.parent, rotations);
    const Vec3 yy = Direction(joint.on_parent.y, joint.parent, rotations);
    const Vec3 z = Direction(joint.on_parent.z, joint.parent, rotations);
    const Real* uj = u + at_.u[j];
    const Vec3 from_joint = -c.arm;  // joint point -> mass centre
    Vec3 slide, spin;                // relative to the parent
    const auto add = [&](int rate, const PartialVelocity& v) {
      const auto i = static_cast<std::size_t>(at_.u[j] + rate);
      path[b].push_back(i);
      partial[b][i] = v;
    };
    const auto add_translation = [&](int rate, const Vec3& axis) {
      add(rate, {axis, {}});
      slide = slide + uj[rate] * axis;
    };
    const auto add_rotation = [&](int rate, const Vec3& axis) {
      add(rate, {Cross(axis, from_joint), axis});
      spin = spin + uj[rate] * axis;
    };
    switch (joint.type) {
      case JointType::kRevolute: add_rotation(0, z); break;
      case JointType::kPrismatic: add_translation(0, z); break;
      case JointType::kFree:
        add_translation(0, x), add_translation(1, yy), add_translation(2, z);
        [[fallthrough]];
      case JointType::kBall: {
        const int first = joint.type == JointType::kFree ? 3 : 0;
        add_rotation(first, Direction(joint.on_child.x, joint.child, rotations));
        add_rotation(first + 1, Direction(joint.on_child.y, joint.child, rotations));
        add_rotation(first + 2, Direction(joint.on_child.z, joint.child, rotations));
        break;
      }
      case JointType::kFixed:
      case JointType::kDistance:
      case JointType::kUniversal: break;
    }
    // The joint point as carried by the parent, then its sliding, then the arm to the mass centre.
    const Vec3& omega = motion[b].angular_velocity;
    const Vec3 to_joint = c.position - parent_position;
    bias[b].angular = parent_bias.angular + Cross(parent_omega, spin);
    bias[b].linear = parent_bias.linear + Cross(parent_bias.angular, to_joint) +
                     Cross(parent_omega, Cross(parent_omega, to_joint)) +
                     2 * Cross(parent_omega, slide) + Cross(bias[b].angular, from_joint) +
                     Cross(omega, Cross(omega, from_joint));
  }

  // M and Q
  Matrix mass(d, d);
  std::vector<Real> force(d);
  for (std::size_t b = 0; b < n; ++b) {
    const Real m = system_.bodies[b].mass;
    const auto inertia = [&](const Vec3& w) {
      return rotations[b] * (system_.bodies[b].inertia * TransposeTimes(rotations[b], w));
    };
    const Vec3& omega = motion[b].angular_velocity;
    const Vec3 f = wrenches[b].force - m * bias[b].linear;
    const Vec3 moment =
        wrenches[b].moment - inertia(bias[b].angular) - Cross(omega, inertia(omega));
    for (std::size_t i : path[b]) {
      const PartialVelocity& v = partial[b][i];
      force[i] += Dot(v.linear, f) + Dot(v.angular, moment);
      const Vec3 momentum = m * v.linear, spin_momentum = inertia(v.angular);
      for (std::size_t k : path[b]) {
        if (k > i) continue;
        mass(i, k) +=
            Dot(momentum, partial[b][k].linear) + Dot(spin_momentum, partial[b][k].angular);
      }
    }
  }
  // What is driven does not accelerate: its row and column leave the equations.
  for (std::size_t j = 0; j < system_.joints.size(); ++j) {
    if (!system_.joints[j].driven) continue;
    const auto i = static_cast<std::size_t>(at_.u[j]);
    for (std::size_t k = 0; k < i; ++k) mass(i, k) = 0;
    for (std::size_t k = i + 1; k < d; ++k) mass(k, i) = 0;
    mass(i, i) = 1;
    force[i] = 0;
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t k = i + 1; k < d; ++k) mass(i, k) = mass(k, i);
  }
  const PivotedCholesky factor(std::move(mass), kSingular);
  if (factor.rank() < d) throw ModelError("the mass matrix in joint coordinates is singular.");
  const std::vector<Real> acceleration = factor.Solve(force);

  ydot.assign(y.size(), Real(0));
  for (std::size_t j = 0; j < system_.joints.size(); ++j) {
    const JointType type = system_.joints[j].type;
    const Real* qj = q + at_.q[j];
    const Real* uj = u + at_.u[j];
    Real* out = ydot.data() + at_.q[j];
    const auto rotate = [](const Real* quaternion, const Real* w, Real* rate) {
      const Quat r = Quat{quaternion[0], quaternion[1], quaternion[2], quaternion[3]} *
                     Quat{0, w[0] / 2, w[1] / 2, w[2] / 2};
      rate[0] = r.w, rate[1] = r.x, rate[2] = r.y, rate[3] = r.z;
    };
    if (type == JointType::kRevolute || type == JointType::kPrismatic) out[0] = uj[0];
    if (type == JointType::kBall) rotate(qj, uj, out);
    if (type == JointType::kFree) {
      for (int i = 0; i < 3; ++i) out[i] = uj[i];
      rotate(qj + 3, uj + 3, out + 3);
    }
  }
  for (std::size_t i = 0; i < d; ++i)
    ydot[static_cast<std::size_t>(at_.q.back()) + i] = acceleration[i];
}

}  // namespace mbsbench::extended
