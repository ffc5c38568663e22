// The passes of relative_tree.h, for the sources that instantiate them.
#pragma once

#include "methods/kinematics/tree_joint.h"
#include "methods/steady_state_newton/relative_tree.h"
#include "problems/model/eigen.h"

namespace mbsbench::steady {

// Rotation by rho = 4 e tan(angle/4), with sigma = rho/4:
//   R = 1 + (4 (1 - s2) [sigma] + 8 [sigma]^2) / (1 + s2)^2,   s2 = sigma . sigma
//   angular velocity in the axes turned from: L rho',  L = ((1 - s2) 1 + 2 [sigma] + 2 sigma sigma') / (1 + s2)^2
template <typename Real>
struct Turn {
  typename Spatial<Real>::Matrix3 rotation, rate;
  std::array<typename Spatial<Real>::Matrix3, 3> rate_derivative;  // dL/drho_l
};

template <typename Real>
Turn<Real> TurnOf(const typename Spatial<Real>::Vector3& rho) {
  using Vector3 = typename Spatial<Real>::Vector3;
  using Matrix3 = typename Spatial<Real>::Matrix3;
  const Real two(2), four(4);
  const Vector3 sigma = rho / four;
  const Real s2 = sigma.squaredNorm(), d = (Real(1) + s2) * (Real(1) + s2);
  const Matrix3 k = Spatial<Real>::Skew(sigma), one = Matrix3::Identity();
  Turn<Real> turn;
  turn.rotation = one + (four * (Real(1) - s2) * k + Real(8) * k * k) / d;
  const Matrix3 numerator = (Real(1) - s2) * one + two * k + two * sigma * sigma.transpose();
  turn.rate = numerator / d;
  for (int l = 0; l < 3; ++l) {
    const Vector3 e = Vector3::Unit(l);
    const Matrix3 dn = -two * sigma[l] * one + two * Spatial<Real>::Skew(e) +
                       two * (e * sigma.transpose() + sigma * e.transpose());
    const Real dd = four * sigma[l] * (Real(1) + s2);
    turn.rate_derivative[static_cast<std::size_t>(l)] =
        (dn / d - numerator * (dd / (d * d))) / four;
  }
  return turn;
}

template <typename Real>
RelativeTree<Real>::RelativeTree(const System& system) : system_(system) {
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

template <typename Real>
void RelativeTree<Real>::SetSpeed(std::size_t driver, double speed) {
  joints_[static_cast<std::size_t>(driver_position_[driver])].speed = speed;
}

template <typename Real>
void RelativeTree<Real>::StartAt(const JointState& state, std::span<double> q) {
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

template <typename Real>
auto RelativeTree<Real>::PointOn(int body, const Vector3& point) const -> Vector3 {
  if (body == kGround) return point;
  return place(body).centre + place(body).rotation * point;
}

template <typename Real>
auto RelativeTree<Real>::AxesOf(int body) const -> Matrix3 {
  return body == kGround ? Matrix3::Identity() : place(body).rotation;
}

template <typename Real>
void RelativeTree<Real>::Place(std::span<const Real> q) {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const RelativeJoint& j = joints_[i];
    JointColumns<Real>& columns = columns_[i];
    Matrix3 axes = AxesOf(j.parent) * j.parent_axes.template cast<Real>();
    Vector3 origin = PointOn(j.parent, j.parent_point.template cast<Real>());
    const Real* x = q.data() + j.first;
    const auto turn = [&](const Real* rho, std::size_t k0) {
      const Matrix3 from = axes * j.base.template cast<Real>();
      const Turn<Real> t = TurnOf<Real>({rho[0], rho[1], rho[2]});
      for (std::size_t k = 0; k < 3; ++k) {
        const auto column = static_cast<Eigen::Index>(k);
        const Vector3 axis = from * t.rate.col(column);
        columns.s[k0 + k] = S::Stack(axis, origin.cross(axis));
        for (std::size_t l = 0; l < 3; ++l) {
          const Vector3 w = from * t.rate_derivative[l].col(column);
          columns.ds[k0 + k][k0 + l] = S::Stack(w, origin.cross(w));
        }
      }
      axes = from * t.rotation;
    };
    ForJoint(j.type, [&](auto type) {
      using Joint = decltype(type);
      constexpr std::size_t kSlides = Joint::kSlides, kRates = Joint::kRates;
      [[maybe_unused]] const auto value = [&](std::size_t k) {
        return j.driven ? Real(j.coordinate) : x[k];
      };
      for (std::size_t k = 0; k < kSlides; ++k) {
        const Vector3 axis = axes.col(Joint::kSlideAxes[k]);
        columns.s[k] = S::Stack(Vector3::Zero(), axis);
        for (std::size_t l = 0; l < kRates; ++l) columns.ds[k][l].setZero();
        origin += value(k) * axis;
      }
      if constexpr (Joint::kTurning == Turning::kAboutZ) {
        const Vector3 z = axes.col(2);
        columns.s[kSlides] = S::Stack(z, origin.cross(z));
        columns.ds[kSlides][kSlides].setZero();
        axes = axes * Eigen::AngleAxis<Real>(value(kSlides), Vector3::UnitZ());
      } else if constexpr (Joint::kTurnsFreely) {
        turn(x + kSlides, kSlides);
      }
      // The translation moves the point about which it rotates.
      for (std::size_t k = kSlides; k < kRates; ++k) {
        for (std::size_t l = 0; l < kSlides; ++l) {
          columns.ds[k][l] = S::Cross(columns.s[l], columns.s[k]);
        }
      }
    });
    BodyPlace<Real>& body = places_[static_cast<std::size_t>(j.body)];
    body.rotation = axes * j.child_axes.transpose().template cast<Real>();
    body.joint = origin;
    body.centre = origin - body.rotation * j.child_point.template cast<Real>();
    body.inertia =
        body.rotation *
        ToEigen(system_.bodies[static_cast<std::size_t>(j.body)].inertia).template cast<Real>() *
        body.rotation.transpose();
  }
}

template <typename Real>
void RelativeTree<Real>::Move(std::span<const Real> u) {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const RelativeJoint& j = joints_[i];
    const JointColumns<Real>& columns = columns_[i];
    const Vector6 parent = velocity(j.parent);
    Vector6 relative = Vector6::Zero(), bias = Vector6::Zero();
    if (j.driven) {
      relative = Real(j.speed) * columns.s[0];
    } else if (!u.empty()) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(j.freedoms); ++k) {
        const Real rate = u[static_cast<std::size_t>(j.first) + k];
        relative += rate * columns.s[k];
        for (std::size_t l = 0; l < static_cast<std::size_t>(j.freedoms); ++l) {
          bias += rate * u[static_cast<std::size_t>(j.first) + l] * columns.ds[k][l];
        }
      }
    }
    const auto body = static_cast<std::size_t>(j.body);
    velocities_[body] = parent + relative;
    accelerations_[body] = acceleration(j.parent) + S::Cross(parent, relative) + bias;
  }
}

}  // namespace mbsbench::steady
