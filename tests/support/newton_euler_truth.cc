#include "tests/support/newton_euler_truth.h"

#include <Eigen/Dense>

#include "problems/model/eigen.h"
#include "problems/model/kinematics.h"

namespace mbsbench {

NewtonEulerTruth SolveNewtonEuler(const System& system, const SystemState& state) {
  using Eigen::Matrix3d;
  using Eigen::MatrixXd;
  using Eigen::Vector3d;
  using Eigen::VectorXd;
  const auto n = static_cast<Eigen::Index>(system.bodies.size());
  const auto skew = [](const Vector3d& v) {
    Matrix3d m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
  };
  struct Motion {
    Vector3d position = Vector3d::Zero(), velocity = Vector3d::Zero(), omega = Vector3d::Zero();
    Matrix3d axes = Matrix3d::Identity();
  };
  const auto motion_of = [&](int body) {
    if (body == kGround) return Motion{};
    const BodyState& s = state.bodies[static_cast<std::size_t>(body)];
    return Motion{ToEigen(s.position), ToEigen(s.velocity), ToEigen(s.angular_velocity),
                  ToEigen(s.orientation).toRotationMatrix()};
  };

  MatrixXd M = MatrixXd::Zero(6 * n, 6 * n);
  VectorXd f = VectorXd::Zero(6 * n);
  // A force at a point in space, and a moment, on a body.
  const auto load = [&](int body, const Vector3d& point, const Vector3d& force,
                        const Vector3d& moment) {
    if (body == kGround) return;
    f.segment<3>(6 * body) += force;
    f.segment<3>(6 * body + 3) += (point - motion_of(body).position).cross(force) + moment;
  };
  for (Eigen::Index b = 0; b < n; ++b) {
    const Body& body = system.bodies[static_cast<std::size_t>(b)];
    const Motion at = motion_of(static_cast<int>(b));
    const Matrix3d J = at.axes * ToEigen(body.inertia) * at.axes.transpose();
    M.block<3, 3>(6 * b, 6 * b) = body.mass * Matrix3d::Identity();
    M.block<3, 3>(6 * b + 3, 6 * b + 3) = J;
    f.segment<3>(6 * b) += body.mass * ToEigen(system.gravity);
    f.segment<3>(6 * b + 3) -= at.omega.cross(J * at.omega);
  }
  for (const SpringDamper& e : system.forces.Of<SpringDamper>()) {
    const Motion a = motion_of(e.body_a), b = motion_of(e.body_b);
    const Vector3d pa = a.position + a.axes * ToEigen(e.point_a),
                   pb = b.position + b.axes * ToEigen(e.point_b);
    const Vector3d va = a.velocity + a.omega.cross(pa - a.position),
                   vb = b.velocity + b.omega.cross(pb - b.position);
    const double length = (pb - pa).norm(), rate = (pb - pa).dot(vb - va) / length;
    const Vector3d on_a =
        (e.stiffness * (length - e.free_length) + e.damping * rate) * (pb - pa) / length;
    load(e.body_a, pa, on_a, Vector3d::Zero());
    load(e.body_b, pb, -on_a, Vector3d::Zero());
  }
  for (const AppliedForce& e : system.forces.Of<AppliedForce>()) {
    const Motion at = motion_of(e.body);
    const Matrix3d axes = e.in_body_axes ? at.axes : Matrix3d(Matrix3d::Identity());
    load(e.body, at.position + at.axes * ToEigen(e.point), axes * ToEigen(e.force),
         axes * ToEigen(e.moment));
  }
  for (const GroundSpring& e : system.forces.Of<GroundSpring>()) {
    const Motion at = motion_of(e.body);
    const Vector3d arm = at.axes * ToEigen(e.point), along = ToEigen(e.direction);
    const double rate = along.dot(at.velocity + at.omega.cross(arm));
    const double stretch = along.dot(at.position + arm) - e.free_position;
    load(e.body, at.position + arm, -(e.stiffness * stretch + e.damping * rate) * along,
         Vector3d::Zero());
  }

  // Per joint: constraint rows as (force direction, moment direction) on the child at the origin of
  // its joint frame.
  struct Row {
    std::size_t joint;
    Vector3d force, moment;
  };
  std::vector<Row> rows;
  std::vector<double> gammas;
  std::vector<Vector3d> points(system.joints.size());
  const JointOffsets at = OffsetsOf(system);
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    const Motion p = motion_of(joint.parent), c = motion_of(joint.child);
    const Vector3d point = c.position + c.axes * ToEigen(joint.child_frame.position);
    const Matrix3d axes =
        p.axes * ToEigen(joint.parent_frame.orientation).toRotationMatrix();  // of P
    const Vector3d z = axes.col(2);
    points[j] = point;
    const double* q = state.joints.q.data() + at.q[j];
    const double* u = state.joints.u.data() + at.u[j];
    // Relative motion of the child's origin and the parent's coincident point: a_c - a_p = coriolis
    // + free part; likewise angular.
    Vector3d coriolis = Vector3d::Zero(), angular = Vector3d::Zero();
    std::vector<Vector3d> lengths, directions;
    switch (joint.type) {
      case JointType::kBall: lengths = {axes.col(0), axes.col(1), axes.col(2)}; break;
      case JointType::kRevolute:
        lengths = {axes.col(0), axes.col(1), axes.col(2)};
        directions = {axes.col(0), axes.col(1)};
        angular = p.omega.cross(u[0] * z);
        break;
      case JointType::kPrismatic:
        lengths = {axes.col(0), axes.col(1)};
        directions = {axes.col(0), axes.col(1), axes.col(2)};
        coriolis = 2 * p.omega.cross(u[0] * z);
        break;
      case JointType::kFixed: lengths = directions = {axes.col(0), axes.col(1), axes.col(2)}; break;
      case JointType::kUniversal: {
        const Vector3d x =
            c.axes * ToEigen(joint.child_frame.orientation).toRotationMatrix().col(0);
        lengths = {axes.col(0), axes.col(1), axes.col(2)};
        directions = {z.cross(x)};
        angular = p.omega.cross(u[0] * z) + (p.omega + u[0] * z).cross(u[1] * x);
        break;
      }
      case JointType::kCylindrical:
        lengths = {axes.col(0), axes.col(1)};
        directions = {axes.col(0), axes.col(1)};
        coriolis = 2 * p.omega.cross(u[0] * z);
        angular = p.omega.cross(u[1] * z);
        break;
      case JointType::kPlanar:
        lengths = {z};
        directions = {axes.col(0), axes.col(1)};
        coriolis = 2 * p.omega.cross(u[0] * axes.col(0) + u[1] * axes.col(1));
        angular = p.omega.cross(u[2] * z);
        break;
      case JointType::kFree:
      case JointType::kDistance: break;
    }
    // The points' accelerations due to the angular velocities, G a = gamma with these on the right.
    const Vector3d rc = point - c.position, rp = point - p.position;
    const Vector3d gamma = coriolis - c.omega.cross(c.omega.cross(rc)) +
                           (joint.parent == kGround ? Vector3d(Vector3d::Zero())
                                                    : Vector3d(p.omega.cross(p.omega.cross(rp))));
    for (const Vector3d& l : lengths) {
      rows.push_back({j, l, Vector3d::Zero()});
      gammas.push_back(l.dot(gamma));
    }
    for (const Vector3d& d : directions) {
      rows.push_back({j, Vector3d::Zero(), d});
      gammas.push_back(d.dot(angular));
    }
    for (const JointSpringDamper& e : system.forces.Of<JointSpringDamper>()) {
      if (e.joint != static_cast<int>(j)) continue;
      const Vector3d pull = (e.stiffness * (e.free_coordinate - q[0]) - e.damping * u[0]) * z;
      const bool slides = joint.type == JointType::kPrismatic;
      const Vector3d force = slides ? pull : Vector3d(Vector3d::Zero()),
                     moment = slides ? Vector3d(Vector3d::Zero()) : pull;
      load(joint.child, point, force, moment);
      load(joint.parent, point, -force, -moment);
    }
  }
  const auto m = static_cast<Eigen::Index>(rows.size());
  MatrixXd kkt = MatrixXd::Zero(6 * n + m, 6 * n + m);
  VectorXd right(6 * n + m);
  kkt.topLeftCorner(6 * n, 6 * n) = M;
  right.head(6 * n) = f;
  for (Eigen::Index r = 0; r < m; ++r) {
    const Row& row = rows[static_cast<std::size_t>(r)];
    const Joint& joint = system.joints[row.joint];
    const auto put = [&](int body, double sign) {
      if (body == kGround) return;
      Eigen::Matrix<double, 1, 6> g;
      const Vector3d arm = points[row.joint] - motion_of(body).position;
      g << row.force.transpose(), (row.moment.transpose() - row.force.transpose() * skew(arm));
      kkt.block<1, 6>(6 * n + r, 6 * body) = sign * g;
      kkt.block<6, 1>(6 * body, 6 * n + r) = sign * g.transpose();
    };
    put(joint.child, 1);
    put(joint.parent, -1);
    right[6 * n + r] = gammas[static_cast<std::size_t>(r)];
  }
  const VectorXd solution = kkt.partialPivLu().solve(right);

  NewtonEulerTruth truth;
  for (Eigen::Index b = 0; b < n; ++b) {
    truth.accelerations.push_back({FromEigen(Vector3d(solution.segment<3>(6 * b))),
                                   FromEigen(Vector3d(solution.segment<3>(6 * b + 3)))});
  }
  truth.reactions.resize(system.joints.size());
  for (Eigen::Index r = 0; r < m; ++r) {
    const Row& row = rows[static_cast<std::size_t>(r)];
    JointReaction& reaction = truth.reactions[row.joint];
    const double lambda = -solution[6 * n + r];
    reaction.force = reaction.force + lambda * FromEigen(row.force);
    reaction.torque = reaction.torque + lambda * FromEigen(row.moment);
  }
  return truth;
}

}  // namespace mbsbench
