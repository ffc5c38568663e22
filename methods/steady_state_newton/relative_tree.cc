#include "methods/steady_state_newton/relative_tree.h"

#include "methods/kinematics/tree_joint.h"
#include "problems/model/eigen.h"

namespace mbsbench::steady {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

// Rotation by rho = 4 e tan(angle/4), with sigma = rho/4:
//   R = 1 + (4 (1 - s2) [sigma] + 8 [sigma]^2) / (1 + s2)^2,   s2 = sigma . sigma
//   angular velocity in the axes turned from: L rho',  L = ((1 - s2) 1 + 2 [sigma] + 2 sigma sigma') / (1 + s2)^2
struct Turn {
  Matrix3d rotation, rate;
  std::array<Matrix3d, 3> rate_derivative;  // dL/drho_l
};

Turn TurnOf(const Vector3d& rho) {
  const Vector3d sigma = rho / 4;
  const double s2 = sigma.squaredNorm(), d = (1 + s2) * (1 + s2);
  const Matrix3d k = Skew(sigma), one = Matrix3d::Identity();
  Turn turn;
  turn.rotation = one + (4 * (1 - s2) * k + 8 * k * k) / d;
  const Matrix3d numerator = (1 - s2) * one + 2 * k + 2 * sigma * sigma.transpose();
  turn.rate = numerator / d;
  for (int l = 0; l < 3; ++l) {
    const Vector3d e = Vector3d::Unit(l);
    const Matrix3d dn =
        -2 * sigma[l] * one + 2 * Skew(e) + 2 * (e * sigma.transpose() + sigma * e.transpose());
    const double dd = 4 * sigma[l] * (1 + s2);
    turn.rate_derivative[static_cast<std::size_t>(l)] = (dn / d - numerator * (dd / (d * d))) / 4;
  }
  return turn;
}

}  // namespace

RelativeTree::RelativeTree(const System& system) : system_(system) {
  const Topology tree = TopologyOf(system_);
  const std::vector<bool> driven = DrivenJoints(system_);
  position_.resize(system_.bodies.size());
  for (int body : tree.order) {
    const int index = tree.joint[static_cast<std::size_t>(body)];
    const Joint& joint = system_.joints[static_cast<std::size_t>(index)];
    RelativeJoint j;
    j.type = joint.type;
    j.body = body;
    j.parent = joint.parent;
    j.index = index;
    j.parent_point = ToEigen(joint.parent_frame.position);
    j.child_point = ToEigen(joint.child_frame.position);
    j.parent_axes = ToEigen(joint.parent_frame.orientation).normalized().toRotationMatrix();
    j.child_axes = ToEigen(joint.child_frame.orientation).normalized().toRotationMatrix();
    j.driven = driven[static_cast<std::size_t>(index)];
    j.first = static_cast<int>(coordinates_);
    j.freedoms = j.driven ? 0 : RateCount(joint.type);
    coordinates_ += static_cast<std::size_t>(j.freedoms);
    position_[static_cast<std::size_t>(body)] = static_cast<int>(joints_.size());
    joints_.push_back(j);
  }
  for (const Driver& d : system_.drivers) {
    const Joint& joint = system_.joints[static_cast<std::size_t>(d.joint)];
    driver_position_.push_back(PositionOf(joint.child));
    SetSpeed(driver_position_.size() - 1, d.motion.rate);
  }
  places_.resize(system_.bodies.size());
  columns_.resize(joints_.size());
  velocities_.resize(system_.bodies.size());
  accelerations_.resize(system_.bodies.size());
}

void RelativeTree::SetSpeed(std::size_t driver, double speed) {
  joints_[static_cast<std::size_t>(driver_position_[driver])].speed = speed;
}

void RelativeTree::StartAt(const JointState& state, std::span<double> q) {
  const JointOffsets at = OffsetsOf(system_);
  const auto rotation = [](const double* w) {
    return Eigen::Quaterniond(w[0], w[1], w[2], w[3]).normalized().toRotationMatrix();
  };
  for (RelativeJoint& j : joints_) {
    const double* from = state.q.data() + at.q[static_cast<std::size_t>(j.index)];
    double* to = q.data() + j.first;
    if (j.driven) {
      j.coordinate = from[0];
      continue;
    }
    ForJoint(j.type, [&](auto type) {
      using Joint = decltype(type);
      constexpr int kAsTheyAre = Joint::kTurnsFreely ? Joint::kSlides : Joint::kRates;
      std::copy(from, from + kAsTheyAre, to);
      if constexpr (Joint::kTurnsFreely) {
        j.base = rotation(from + kAsTheyAre);
        std::fill(to + kAsTheyAre, to + kAsTheyAre + 3, 0.0);
      }
    });
  }
}

Vector3d RelativeTree::PointOn(int body, const Vector3d& point) const {
  if (body == kGround) return point;
  return place(body).centre + place(body).rotation * point;
}

Matrix3d RelativeTree::AxesOf(int body) const {
  return body == kGround ? Matrix3d::Identity() : place(body).rotation;
}

void RelativeTree::Place(std::span<const double> q) {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const RelativeJoint& j = joints_[i];
    JointColumns& columns = columns_[i];
    Matrix3d axes = AxesOf(j.parent) * j.parent_axes;
    Vector3d origin = PointOn(j.parent, j.parent_point);
    const double* x = q.data() + j.first;
    const auto turn = [&](const double* rho, std::size_t k0) {
      const Matrix3d from = axes * j.base;
      const Turn t = TurnOf({rho[0], rho[1], rho[2]});
      for (std::size_t k = 0; k < 3; ++k) {
        const auto column = static_cast<Eigen::Index>(k);
        const Vector3d axis = from * t.rate.col(column);
        columns.s[k0 + k] = Stack(axis, origin.cross(axis));
        for (std::size_t l = 0; l < 3; ++l) {
          const Vector3d w = from * t.rate_derivative[l].col(column);
          columns.ds[k0 + k][k0 + l] = Stack(w, origin.cross(w));
        }
      }
      axes = from * t.rotation;
    };
    ForJoint(j.type, [&](auto type) {
      using Joint = decltype(type);
      constexpr std::size_t kSlides = Joint::kSlides, kRates = Joint::kRates;
      [[maybe_unused]] const auto value = [&](std::size_t k) {
        return j.driven ? j.coordinate : x[k];
      };
      for (std::size_t k = 0; k < kSlides; ++k) {
        const Vector3d axis = axes.col(Joint::kSlideAxes[k]);
        columns.s[k] = Stack(Vector3d::Zero(), axis);
        for (std::size_t l = 0; l < kRates; ++l) columns.ds[k][l].setZero();
        origin += value(k) * axis;
      }
      if constexpr (Joint::kTurning == Turning::kAboutZ) {
        const Vector3d z = axes.col(2);
        columns.s[kSlides] = Stack(z, origin.cross(z));
        columns.ds[kSlides][kSlides].setZero();
        axes = axes * Eigen::AngleAxisd(value(kSlides), Vector3d::UnitZ());
      } else if constexpr (Joint::kTurnsFreely) {
        turn(x + kSlides, kSlides);
      }
      // The point about which it turns is carried along by the translation.
      for (std::size_t k = kSlides; k < kRates; ++k) {
        for (std::size_t l = 0; l < kSlides; ++l) {
          columns.ds[k][l] = Cross(columns.s[l], columns.s[k]);
        }
      }
    });
    BodyPlace& body = places_[static_cast<std::size_t>(j.body)];
    body.rotation = axes * j.child_axes.transpose();
    body.joint = origin;
    body.centre = origin - body.rotation * j.child_point;
    body.inertia = body.rotation *
                   ToEigen(system_.bodies[static_cast<std::size_t>(j.body)].inertia) *
                   body.rotation.transpose();
  }
}

void RelativeTree::Move(std::span<const double> u) {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const RelativeJoint& j = joints_[i];
    const JointColumns& columns = columns_[i];
    const Vector6 parent = velocity(j.parent);
    Vector6 relative = Vector6::Zero(), bias = Vector6::Zero();
    if (j.driven) {
      relative = j.speed * columns.s[0];
    } else if (!u.empty()) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(j.freedoms); ++k) {
        const double rate = u[static_cast<std::size_t>(j.first) + k];
        relative += rate * columns.s[k];
        for (std::size_t l = 0; l < static_cast<std::size_t>(j.freedoms); ++l) {
          bias += rate * u[static_cast<std::size_t>(j.first) + l] * columns.ds[k][l];
        }
      }
    }
    const auto body = static_cast<std::size_t>(j.body);
    velocities_[body] = parent + relative;
    accelerations_[body] = acceleration(j.parent) + Cross(parent, relative) + bias;
  }
}

}  // namespace mbsbench::steady
