// Newton-Euler equations in absolute coordinates (Haug 1989; Nikravesh 1988; index reduction: Gear,
// Gupta, Leimkuhler 1985; Baumgarte 1972). Per body r, q, v, omega (body axes); per joint
// constraints g and multipliers lambda:
//
//   ggl         r' = v + G_r' mu                         m v' = Q_v + G_v' lambda
//               q' = 1/2 q * omega + G_q' mu + 2 eta q   J omega' + omega x J omega = Q_w + G_w' lambda
//               g = 0,  G w = 0,  |q|^2 = 1
//   index3      the same without mu and without G w = 0
//   baumgarte   r' = v,  q' = 1/2 q * omega - 1/2 alpha (|q|^2 - 1) q,
//               g'' + 2 alpha g' + beta^2 g = 0
//
// A driver is one more row of its joint, which depends on time (joint_constraints.h); g' and g'' have
// the derivatives by time, too.
//
// Rows of loop joints that others imply (redundant_rows.h) are selected when a state is initialised
// and read lambda = 0, mu = 0 from then on.
//
// with G_r, G_q = dg/d(r, q), and g' = G w along r' = v, q' = 1/2 q * omega. The Jacobian is
// assembled from small dense matrices of bodies, joints and force elements; its pattern is what
// these have at random states, so that zeros which lie in the data (a joint on a body's axis, a
// diagonal inertia) cost nothing.
#include "methods/cartesian_dae/cartesian_dae.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "methods/cartesian_dae/acceleration_solver.h"
#include "methods/cartesian_dae/force_derivatives.h"
#include "methods/cartesian_dae/redundant_rows.h"
#include "methods/interface/force_elements.h"
#include "problems/model/eigen.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace {

using namespace cartesian;

enum class Variant { kGgl, kBaumgarte, kIndex3 };

// 10/T for the rods of 1 m that most problems are made of (T = 0.3 s): a formulation is not told
// its problem's T.
constexpr double kBaumgarteRate = 10 / 0.3;  // alpha = beta [1/s]

// So that multipliers stay out of Newton's norm: with the coordinates' tolerance (factor 1) IDA fails
// in its first step on `branch4` at 1e-12.
constexpr double kMultiplierTolerance = 1e8;

class CartesianDae final : public DaeFormulation {
 public:
  CartesianDae(const System& system, Variant variant);

  std::size_t state_size() const override { return differential_.size(); }
  Status InitialiseDae(double t, const SystemState& state, std::span<double> y,
                       std::span<double> yp) override;
  Status Residual(double t, std::span<const double> y, std::span<const double> yp,
                  std::span<double> r) override;
  const SparsityPattern& pattern() const override { return pattern_; }
  Status Jacobian(double t, double c, std::span<const double> y, std::span<const double> yp,
                  std::span<double> values) override;
  std::span<const double> differential() const override { return differential_; }
  std::span<const double> absolute_tolerance_factors() const override { return tolerance_factors_; }
  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) override;
  bool has_power() const override { return HasNonConservativeForces(system_); }
  double Power(double t, std::span<const double> y) override;

 private:
  // A part of the system with a Jacobian of its own. `unknown` tells for each of its places
  // (kPairSize for a pair, then multipliers) the entry of y and of the residual, or -1; `local` and
  // `place` run parallel: where an entry of its matrix goes in the values.
  struct Element {
    enum class Kind {
      kBody,
      kJoint,
      kSpringDamper,
      kJointSpring,
      kAppliedForce,
      kGroundSpring
    } kind;
    std::size_t index;
    std::vector<int> unknown;
    std::vector<int> local, place;
  };

  bool has_eta() const { return variant_ != Variant::kBaumgarte; }
  bool has_mu() const { return variant_ == Variant::kGgl; }
  bool is_index1() const { return variant_ == Variant::kBaumgarte; }

  void LayOut();
  void MakeElements();
  void FindPattern();
  std::vector<int> PairUnknowns(int parent, int child) const;

  // Puts the drivers where they are at t.
  void SetTime(double t);
  // Reads y (and y') into bodies_, lambda_, mu_.
  void Load(std::span<const double> y, std::span<const double> yp);
  void LoadMultipliers(std::span<const double> y);
  // Applied forces, gravity and springs at bodies_ into forces_.
  void EvaluateForces();
  void UpdateBodyStates();
  const BodyMotion& Motion(int body) const {
    return body == kGround ? ground_ : bodies_[static_cast<std::size_t>(body)];
  }

  // dF/dy + c dF/dy' of an element at bodies_, in its own places; the leading size x size part is
  // set.
  void ElementJacobian(const Element& element, double c, std::span<const double> y,
                       ElementMatrix& matrix) const;
  void BodyJacobian(std::size_t body, double c, double eta, ElementMatrix& matrix) const;
  void JointJacobian(std::size_t joint, double c, ElementMatrix& matrix) const;

  const System system_;
  const Variant variant_;
  const BodyMotion ground_ = BodyMotion::Ground();
  std::vector<Matrix3d> inertia_;
  std::vector<JointLink> links_;  // tree joints, then loop joints
  std::vector<JointSpring> joint_springs_;
  std::vector<int> body_at_,
      link_at_;  // where their unknowns begin in y; of a link: lambda, then mu
  std::vector<double> differential_, tolerance_factors_;
  std::vector<Element> elements_;
  SparsityPattern pattern_;
  AccelerationSolver accelerations_;
  RedundantRows redundant_;

  std::vector<BodyMotion> bodies_;
  std::vector<ConstraintVector> lambda_, mu_;
  std::vector<BodyForce> forces_;
  std::vector<BodyState> body_states_;
  std::vector<Wrench> wrenches_;
  ElementMatrix element_matrix_;
};

std::vector<JointLink> LinksOf(const System& system) {
  std::vector<JointLink> links;
  for (const auto* joints : {&system.joints, &system.loop_joints}) {
    for (const Joint& joint : *joints) {
      links.push_back({JointConstraints(joint), joint.parent, joint.child});
    }
  }
  for (const Driver& driver : system.drivers) {
    const auto joint = static_cast<std::size_t>(driver.joint);
    links[joint].constraints.AddDriver(system.joints[joint], driver.speed);
  }
  return links;
}

CartesianDae::CartesianDae(const System& system, Variant variant)
    : system_(system),
      variant_(variant),
      links_(LinksOf(system)),
      accelerations_(system_, links_),
      redundant_(system.bodies.size(), links_, system.joints.size()) {
  for (const Body& body : system_.bodies) inertia_.push_back(ToEigen(body.inertia));
  for (const JointSpringDamper& spring : system_.joint_spring_dampers) {
    joint_springs_.emplace_back(spring, system_.joints[static_cast<std::size_t>(spring.joint)]);
  }
  bodies_.assign(system_.bodies.size(), ground_);
  lambda_.assign(links_.size(), ConstraintVector::Zero());
  mu_ = lambda_;
  forces_.resize(system_.bodies.size());
  body_states_.resize(system_.bodies.size());
  wrenches_.resize(system_.bodies.size());
  LayOut();
  MakeElements();
  FindPattern();
}

// From the tips to the root, each body followed by its joint to the parent: neighbours in the
// system are neighbours in y.
void CartesianDae::LayOut() {
  const Topology tree = TopologyOf(system_);
  body_at_.resize(system_.bodies.size());
  link_at_.resize(links_.size());
  const auto append = [this](std::size_t count, double differential, double factor) {
    differential_.insert(differential_.end(), count, differential);
    tolerance_factors_.insert(tolerance_factors_.end(), count, factor);
  };
  const auto append_link = [&](std::size_t link) {
    link_at_[link] = static_cast<int>(state_size());
    const auto rows = static_cast<std::size_t>(links_[link].constraints.size());
    append(has_mu() ? 2 * rows : rows, 0, kMultiplierTolerance);
  };
  for (auto b = tree.order.rbegin(); b != tree.order.rend(); ++b) {
    const auto body = static_cast<std::size_t>(*b);
    body_at_[body] = static_cast<int>(state_size());
    append(kMotionSize, 1, 1);
    if (has_eta()) append(1, 0, kMultiplierTolerance);
    append_link(static_cast<std::size_t>(tree.joint[body]));
  }
  for (std::size_t k = system_.joints.size(); k < links_.size(); ++k) append_link(k);
}

std::vector<int> CartesianDae::PairUnknowns(int parent, int child) const {
  std::vector<int> unknown;
  for (int body : {parent, child}) {
    for (int i = 0; i < kMotionSize; ++i) {
      unknown.push_back(body == kGround ? -1 : body_at_[static_cast<std::size_t>(body)] + i);
    }
  }
  return unknown;
}

void CartesianDae::MakeElements() {
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    Element element{Element::Kind::kBody, b, {}, {}, {}};
    for (int i = 0; i < kMotionSize + (has_eta() ? 1 : 0); ++i) {
      element.unknown.push_back(body_at_[b] + i);
    }
    elements_.push_back(std::move(element));
  }
  for (std::size_t k = 0; k < links_.size(); ++k) {
    Element element{
        Element::Kind::kJoint, k, PairUnknowns(links_[k].parent, links_[k].child), {}, {}};
    const int multipliers = links_[k].constraints.size() * (has_mu() ? 2 : 1);
    for (int i = 0; i < multipliers; ++i) element.unknown.push_back(link_at_[k] + i);
    elements_.push_back(std::move(element));
  }
  for (std::size_t k = 0; k < system_.spring_dampers.size(); ++k) {
    const SpringDamper& e = system_.spring_dampers[k];
    elements_.push_back(
        {Element::Kind::kSpringDamper, k, PairUnknowns(e.body_a, e.body_b), {}, {}});
  }
  for (std::size_t k = 0; k < joint_springs_.size(); ++k) {
    const Joint& joint =
        system_.joints[static_cast<std::size_t>(system_.joint_spring_dampers[k].joint)];
    elements_.push_back(
        {Element::Kind::kJointSpring, k, PairUnknowns(joint.parent, joint.child), {}, {}});
  }
  for (std::size_t k = 0; k < system_.applied_forces.size(); ++k) {
    const int body = system_.applied_forces[k].body;
    elements_.push_back({Element::Kind::kAppliedForce, k, PairUnknowns(body, kGround), {}, {}});
  }
  for (std::size_t k = 0; k < system_.ground_springs.size(); ++k) {
    const int body = system_.ground_springs[k].body;
    elements_.push_back({Element::Kind::kGroundSpring, k, PairUnknowns(kGround, body), {}, {}});
  }
}

void CartesianDae::FindPattern() {
  constexpr int kProbes =
      2;  // an entry that is not identically zero vanishes at a random state with probability 0
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0.5, 1.5);
  const std::size_t n = state_size();
  std::vector<double> y(n), yp(n);
  std::vector<std::vector<char>> present(elements_.size());
  for (int probe = 0; probe < kProbes; ++probe) {
    std::generate(y.begin(), y.end(), [&] { return uniform(random); });
    std::generate(yp.begin(), yp.end(), [&] { return uniform(random); });
    Load(y, yp);
    LoadMultipliers(y);
    const double c = uniform(random);
    for (std::size_t k = 0; k < elements_.size(); ++k) {
      present[k].resize(kElementSize * kElementSize, 0);
      ElementJacobian(elements_[k], c, y, element_matrix_);
      const auto size = static_cast<Eigen::Index>(elements_[k].unknown.size());
      for (Eigen::Index j = 0; j < size; ++j) {
        for (Eigen::Index i = 0; i < size; ++i) {
          if (element_matrix_(i, j) != 0)
            present[k][static_cast<std::size_t>(i + kElementSize * j)] = 1;
        }
      }
    }
  }
  // A row of a loop joint may come to read lambda = 0.
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    const Element& element = elements_[k];
    if (element.kind != Element::Kind::kJoint || element.index < system_.joints.size()) continue;
    for (std::size_t at = kPairSize; at < element.unknown.size(); ++at)
      present[k][at + kElementSize * at] = 1;
  }
  std::vector<Entry> entries;
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    Element& element = elements_[k];
    for (std::size_t at = 0; at < present[k].size(); ++at) {
      if (present[k][at] == 0) continue;
      const int row = element.unknown[at % kElementSize],
                column = element.unknown[at / kElementSize];
      if (row < 0 || column < 0) continue;
      element.local.push_back(static_cast<int>(at));
      entries.push_back({row, column});
    }
  }
  CompressedPattern compressed = Compress(static_cast<int>(n), entries);
  auto place = compressed.place.begin();
  for (Element& element : elements_) {
    const auto end = place + static_cast<std::ptrdiff_t>(element.local.size());
    element.place.assign(place, end);
    place = end;
  }
  pattern_ = std::move(compressed.pattern);
}

void CartesianDae::SetTime(double t) {
  for (const Driver& driver : system_.drivers)
    links_[static_cast<std::size_t>(driver.joint)].constraints.SetTime(t);
}

void CartesianDae::Load(std::span<const double> y, std::span<const double> yp) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const double* at = y.data() + body_at_[b];
    BodyMotion& body = bodies_[b];
    body.position = Eigen::Map<const Vector3d>(at + kPosition);
    body.quaternion = Eigen::Map<const Vector4d>(at + kQuaternion);
    body.velocity = Eigen::Map<const Vector3d>(at + kVelocity);
    body.angular_velocity = Eigen::Map<const Vector3d>(at + kAngularVelocity);
    body.rotation = RotationForm(body.quaternion);
    if (yp.empty()) continue;
    const double* rate_at = yp.data() + body_at_[b];
    body.acceleration = Eigen::Map<const Vector3d>(rate_at + kVelocity);
    body.angular_acceleration = Eigen::Map<const Vector3d>(rate_at + kAngularVelocity);
  }
}

void CartesianDae::LoadMultipliers(std::span<const double> y) {
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const double* at = y.data() + link_at_[k];
    const int rows = links_[k].constraints.size();
    lambda_[k].head(rows) = Eigen::Map<const Eigen::VectorXd>(at, rows);
    if (has_mu()) mu_[k].head(rows) = Eigen::Map<const Eigen::VectorXd>(at + rows, rows);
  }
}

void CartesianDae::UpdateBodyStates() {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyMotion unit = cartesian::Normalised(bodies_[b]);
    const Vector4d& q = unit.quaternion;
    body_states_[b] = {FromEigen(unit.position),
                       {q[0], q[1], q[2], q[3]},
                       FromEigen(unit.velocity),
                       FromEigen(unit.rotation * unit.angular_velocity)};
  }
}

void CartesianDae::EvaluateForces() {
  const Vector3d gravity = ToEigen(system_.gravity);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    forces_[b] = {system_.bodies[b].mass * gravity, Vector3d::Zero()};
  }
  if (HasForceElements(system_)) {
    UpdateBodyStates();
    std::fill(wrenches_.begin(), wrenches_.end(), Wrench{});
    AddForceElements(system_, body_states_, wrenches_);
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      forces_[b].force += ToEigen(wrenches_[b].force);
      forces_[b].moment +=
          ToEigen(Rotate(Conjugate(body_states_[b].orientation), wrenches_[b].moment));
    }
  }
  for (std::size_t k = 0; k < joint_springs_.size(); ++k) {
    const Joint& joint =
        system_.joints[static_cast<std::size_t>(system_.joint_spring_dampers[k].joint)];
    PairForce force;
    joint_springs_[k].AddForceTo(Motion(joint.parent), Motion(joint.child), force);
    if (joint.parent != kGround) {
      BodyForce& parent = forces_[static_cast<std::size_t>(joint.parent)];
      parent.force += force.parent_force;
      parent.moment += force.parent_moment;
    }
    BodyForce& child = forces_[static_cast<std::size_t>(joint.child)];
    child.force += force.child_force;
    child.moment += force.child_moment;
  }
}

Status CartesianDae::InitialiseDae(double t, const SystemState& state, std::span<double> y,
                                   std::span<double> yp) {
  const JointOffsets offsets = OffsetsOf(system_);
  for (const Driver& driver : system_.drivers) {
    const auto joint = static_cast<std::size_t>(driver.joint);
    const double coordinate = state.joints.q[static_cast<std::size_t>(offsets.q[joint])];
    links_[joint].constraints.StartDriver(coordinate - driver.speed * t);
  }
  SetTime(t);
  std::fill(y.begin(), y.end(), 0.0);
  std::fill(yp.begin(), yp.end(), 0.0);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyState& body = state.bodies[b];
    const Quaternion q = mbsbench::Normalised(body.orientation);
    double* at = y.data() + body_at_[b];
    Eigen::Map<Vector3d>(at + kPosition) = ToEigen(body.position);
    Eigen::Map<Vector4d>(at + kQuaternion) = Vector4d(q.w, q.x, q.y, q.z);
    Eigen::Map<Vector3d>(at + kVelocity) = ToEigen(body.velocity);
    Eigen::Map<Vector3d>(at + kAngularVelocity) =
        ToEigen(Rotate(Conjugate(q), body.angular_velocity));
  }
  Load(y, {});
  redundant_.Select(bodies_);
  EvaluateForces();
  if (const Status status = accelerations_.Solve(forces_, redundant_.left_out(), bodies_, lambda_);
      !status.ok())
    return status;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyMotion& body = bodies_[b];
    double* at = yp.data() + body_at_[b];
    Eigen::Map<Vector3d>(at + kPosition) = body.velocity;
    Eigen::Map<Vector4d>(at + kQuaternion) =
        0.5 * LeftProduct(body.quaternion) * body.angular_velocity;
    Eigen::Map<Vector3d>(at + kVelocity) = body.acceleration;
    Eigen::Map<Vector3d>(at + kAngularVelocity) = body.angular_acceleration;
  }
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const int rows = links_[k].constraints.size();
    Eigen::Map<Eigen::VectorXd>(y.data() + link_at_[k], rows) = lambda_[k].head(rows);
  }
  return {};
}

Status CartesianDae::Residual(double t, std::span<const double> y, std::span<const double> yp,
                              std::span<double> r) {
  SetTime(t);
  Load(y, yp);
  LoadMultipliers(y);
  EvaluateForces();
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyMotion& body = bodies_[b];
    const Vector4d& q = body.quaternion;
    const Vector3d& omega = body.angular_velocity;
    const double* rate = yp.data() + body_at_[b];
    double* out = r.data() + body_at_[b];
    const double excess = q.squaredNorm() - 1;
    Eigen::Map<Vector3d>(out + kPosition) =
        Eigen::Map<const Vector3d>(rate + kPosition) - body.velocity;
    Eigen::Map<Vector4d> q_row(out + kQuaternion);
    q_row = Eigen::Map<const Vector4d>(rate + kQuaternion) - 0.5 * LeftProduct(q) * omega;
    if (has_eta()) {
      q_row -= 2 * y[static_cast<std::size_t>(body_at_[b] + kEta)] * q;
      out[kEta] = excess;
    } else {
      q_row += 0.5 * kBaumgarteRate * excess * q;
    }
    Eigen::Map<Vector3d>(out + kVelocity) =
        system_.bodies[b].mass * body.acceleration - forces_[b].force;
    Eigen::Map<Vector3d>(out + kAngularVelocity) = inertia_[b] * body.angular_acceleration +
                                                   omega.cross(inertia_[b] * omega) -
                                                   forces_[b].moment;
  }
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const JointLink& link = links_[k];
    const int rows = link.constraints.size();
    if (rows == 0) continue;
    const BodyMotion& parent = Motion(link.parent);
    const BodyMotion& child = Motion(link.child);
    double* parent_out = link.parent == kGround
                             ? nullptr
                             : r.data() + body_at_[static_cast<std::size_t>(link.parent)];
    double* child_out = r.data() + body_at_[static_cast<std::size_t>(link.child)];
    const PairForce force = link.constraints.Force(parent, child, lambda_[k]);
    if (parent_out != nullptr) {
      Eigen::Map<Vector3d>(parent_out + kVelocity) -= force.parent_force;
      Eigen::Map<Vector3d>(parent_out + kAngularVelocity) -= force.parent_moment;
    }
    Eigen::Map<Vector3d>(child_out + kVelocity) -= force.child_force;
    Eigen::Map<Vector3d>(child_out + kAngularVelocity) -= force.child_moment;

    ConstraintValues values;
    link.constraints.Evaluate(parent, child, is_index1(), values);
    Eigen::Map<Eigen::VectorXd> row(r.data() + link_at_[k], rows);
    switch (variant_) {
      case Variant::kGgl: {
        const PairGradient gradient = link.constraints.Gradient(parent, child, mu_[k]);
        if (parent_out != nullptr) {
          Eigen::Map<Vector3d>(parent_out + kPosition) -= gradient.parent_position;
          Eigen::Map<Vector4d>(parent_out + kQuaternion) -= gradient.parent_quaternion;
        }
        Eigen::Map<Vector3d>(child_out + kPosition) -= gradient.child_position;
        Eigen::Map<Vector4d>(child_out + kQuaternion) -= gradient.child_quaternion;
        row = values.velocity.head(rows);
        Eigen::Map<Eigen::VectorXd>(row.data() + rows, rows) = values.position.head(rows);
        break;
      }
      case Variant::kIndex3: row = values.position.head(rows); break;
      case Variant::kBaumgarte:
        row = values.acceleration.head(rows) + 2 * kBaumgarteRate * values.velocity.head(rows) +
              kBaumgarteRate * kBaumgarteRate * values.position.head(rows);
        break;
    }
    for (int i = 0; i < rows; ++i) {
      if (!Holds(redundant_.left_out()[k], i)) continue;
      row[i] = lambda_[k][i];
      if (has_mu()) row.data()[rows + i] = mu_[k][i];
    }
  }
  return {};
}

void CartesianDae::BodyJacobian(std::size_t b, double c, double eta, ElementMatrix& matrix) const {
  const BodyMotion& body = bodies_[b];
  const Vector4d& q = body.quaternion;
  const Vector3d& omega = body.angular_velocity;
  matrix.block<3, 3>(kPosition, kPosition).diagonal().setConstant(c);
  matrix.block<3, 3>(kPosition, kVelocity).diagonal().setConstant(-1);
  auto q_by_q = matrix.block<4, 4>(kQuaternion, kQuaternion);
  q_by_q = -0.5 * RightProduct(omega);
  if (has_eta()) {
    q_by_q.diagonal().array() += c - 2 * eta;
    matrix.block<4, 1>(kQuaternion, kEta) = -2 * q;
    matrix.block<1, 4>(kEta, kQuaternion) = 2 * q.transpose();
  } else {
    q_by_q += kBaumgarteRate * q * q.transpose();
    q_by_q.diagonal().array() += c + 0.5 * kBaumgarteRate * (q.squaredNorm() - 1);
  }
  matrix.block<4, 3>(kQuaternion, kAngularVelocity) = -0.5 * LeftProduct(q);
  matrix.block<3, 3>(kVelocity, kVelocity).diagonal().setConstant(c * system_.bodies[b].mass);
  matrix.block<3, 3>(kAngularVelocity, kAngularVelocity) =
      c * inertia_[b] + Cross(omega) * inertia_[b] - Cross(inertia_[b] * omega);
}

void CartesianDae::JointJacobian(std::size_t k, double c, ElementMatrix& matrix) const {
  const JointLink& link = links_[k];
  const int rows = link.constraints.size();
  ConstraintDerivatives d;
  PairMatrix force, gradient;
  link.constraints.Differentiate(Motion(link.parent), Motion(link.child), lambda_[k], mu_[k],
                                 is_index1(), d, force, gradient);
  const int lambda_at = kPairSize, mu_at = kPairSize + rows;
  matrix.topLeftCorner<kPairSize, kPairSize>() = -force;
  for (int body : {0, kMotionSize}) {
    // G: the rates' part of the velocity rows; the multipliers enter by its transpose.
    matrix.block(body + kVelocity, lambda_at, 6, rows) =
        -d.velocity.block(0, body + kVelocity, rows, 6).transpose();
    if (has_mu()) {
      matrix.middleRows<7>(body).leftCols<kPairSize>() -= gradient.middleRows<7>(body);
      matrix.block(body, mu_at, 7, rows) = -d.position.block(0, body, rows, 7).transpose();
    }
  }
  auto row = matrix.block(lambda_at, 0, rows, kPairSize);
  switch (variant_) {
    case Variant::kGgl:
      row = d.velocity.topRows(rows);
      matrix.block(mu_at, 0, rows, kPairSize) = d.position.topRows(rows);
      break;
    case Variant::kIndex3: row = d.position.topRows(rows); break;
    case Variant::kBaumgarte:
      row = d.acceleration.topRows(rows) + 2 * kBaumgarteRate * d.velocity.topRows(rows) +
            kBaumgarteRate * kBaumgarteRate * d.position.topRows(rows);
      for (int body : {0, kMotionSize}) {  // g'' = G w' + gamma
        row.middleCols(body + kVelocity, 6) += c * d.velocity.block(0, body + kVelocity, rows, 6);
      }
      break;
  }
  const RowSet left_out = redundant_.left_out()[k];
  for (int i = 0; i < rows; ++i) {
    if (!Holds(left_out, i)) continue;
    for (const int at : {lambda_at + i, has_mu() ? mu_at + i : lambda_at + i}) {
      matrix.block(at, 0, 1, kPairSize).setZero();
      matrix(at, at) = 1;
    }
  }
}

void CartesianDae::ElementJacobian(const Element& element, double c, std::span<const double> y,
                                   ElementMatrix& matrix) const {
  const auto size = static_cast<Eigen::Index>(element.unknown.size());
  matrix.topLeftCorner(size, size).setZero();
  PairMatrix force;
  switch (element.kind) {
    case Element::Kind::kBody:
      BodyJacobian(element.index, c,
                   has_eta() ? y[static_cast<std::size_t>(body_at_[element.index] + kEta)] : 0,
                   matrix);
      return;
    case Element::Kind::kJoint: JointJacobian(element.index, c, matrix); return;
    case Element::Kind::kSpringDamper: {
      const SpringDamper& e = system_.spring_dampers[element.index];
      DifferentiateSpringDamper(e, Motion(e.body_a), Motion(e.body_b), force);
      break;
    }
    case Element::Kind::kJointSpring: {
      const auto joint =
          static_cast<std::size_t>(system_.joint_spring_dampers[element.index].joint);
      const Joint& j = system_.joints[joint];
      joint_springs_[element.index].Differentiate(Motion(j.parent), Motion(j.child), force);
      break;
    }
    case Element::Kind::kAppliedForce: {
      const AppliedForce& e = system_.applied_forces[element.index];
      DifferentiateAppliedForce(e, Motion(e.body), force);
      break;
    }
    case Element::Kind::kGroundSpring: {
      const GroundSpring& e = system_.ground_springs[element.index];
      DifferentiateGroundSpring(e, Motion(e.body), force);
      break;
    }
  }
  matrix.topLeftCorner<kPairSize, kPairSize>() = -force;
}

Status CartesianDae::Jacobian(double t, double c, std::span<const double> y,
                              std::span<const double> yp, std::span<double> values) {
  SetTime(t);
  Load(y, yp);
  LoadMultipliers(y);
  std::fill(values.begin(), values.end(), 0.0);
  for (const Element& element : elements_) {
    ElementJacobian(element, c, y, element_matrix_);
    const double* from = element_matrix_.data();
    for (std::size_t k = 0; k < element.local.size(); ++k) {
      values[static_cast<std::size_t>(element.place[k])] += from[element.local[k]];
    }
  }
  return {};
}

Status CartesianDae::Observe(double t, std::span<const double> y, Detail detail,
                             Observation& observation) {
  SetTime(t);
  Load(y, {});
  for (BodyMotion& body : bodies_) body = cartesian::Normalised(body);
  UpdateBodyStates();
  observation.bodies = body_states_;
  observation.accelerations.clear();
  observation.reactions.clear();
  if (detail == Detail::kMotion) return {};
  EvaluateForces();
  if (const Status status = accelerations_.Solve(forces_, redundant_.left_out(), bodies_, lambda_);
      !status.ok())
    return status;
  for (const BodyMotion& body : bodies_) {
    observation.accelerations.push_back(
        {FromEigen(body.acceleration), FromEigen(body.rotation * body.angular_acceleration)});
  }
  if (detail == Detail::kAccelerations) return {};
  const std::vector<bool> determined = redundant_.DeterminedReactions(bodies_);
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const Joint& joint = k < system_.joints.size() ? system_.joints[k]
                                                   : system_.loop_joints[k - system_.joints.size()];
    const BodyMotion& child = Motion(joint.child);
    const PairForce force = links_[k].constraints.Force(
        Motion(joint.parent), child, links_[k].constraints.WithoutDriver(lambda_[k]));
    const Vector3d arm = child.rotation * ToEigen(joint.child_frame.position);
    observation.reactions.push_back(
        {FromEigen(force.child_force),
         FromEigen(child.rotation * force.child_moment - arm.cross(force.child_force)),
         determined[k]});
  }
  return {};
}

double CartesianDae::Power(double t, std::span<const double> y) {
  SetTime(t);
  Load(y, {});
  UpdateBodyStates();
  double power = NonConservativePower(system_, body_states_, nullptr);
  for (std::size_t k = 0; k < joint_springs_.size(); ++k) {
    const JointSpringDamper& e = system_.joint_spring_dampers[k];
    const Joint& joint = system_.joints[static_cast<std::size_t>(e.joint)];
    const double rate = joint_springs_[k].Rate(Motion(joint.parent), Motion(joint.child));
    power -= e.damping * rate * rate;
  }
  if (system_.drivers.empty()) return power;
  EvaluateForces();
  if (!accelerations_.Solve(forces_, redundant_.left_out(), bodies_, lambda_).ok()) return NAN;
  for (std::size_t k = 0; k < links_.size(); ++k)
    power += links_[k].constraints.DriverPower(lambda_[k]);
  return power;
}

Variant VariantOf(const MethodOptions& options) {
  if (Has(options, "baumgarte")) return Variant::kBaumgarte;
  return Has(options, "index3") ? Variant::kIndex3 : Variant::kGgl;
}

}  // namespace

MethodEntry CartesianDaeEntry() {
  return {
      .key = "cartesian-dae",
      .title = "Absolute coordinates with constraints",
      .source = "Haug 1989; Nikravesh 1988; Gear, Gupta, Leimkuhler 1985; Baumgarte 1972",
      .description =
          "Newton-Euler equations of every body in absolute coordinates, every joint a constraint "
          "with multipliers; "
          "an implicit sparse DAE with exact Jacobian, as general-purpose codes solve it. "
          "Redundant "
          "rows of loop joints are found by QR factorisation with column pivoting of the loop "
          "constraints, projected onto the motions that the tree joints allow, at the initial "
          "state, "
          "and stay left out.",
      .form = Form::kDae,
      .cost_exponent = 1,
      .options =
          {{"ggl",
            "stabilised index 2: position and velocity constraints, after Gear, Gupta, Leimkuhler",
            "variant", true},
           {"baumgarte", "index 1 with g'' + 2 alpha g' + beta^2 g = 0, alpha = beta = 10/(0.3 s)",
            "variant", false},
           {"index3",
            "position constraints alone, index 3: shown as it is, not the face of the method",
            "variant", false}},
      .supports = [](const System& system,
                     const MethodOptions&) { return RefuseGrowth(system, "cartesian-dae"); },
      .prepare = [](const System& system,
                    const MethodOptions& options) -> std::unique_ptr<Formulation> {
        return std::make_unique<CartesianDae>(system, VariantOf(options));
      },
  };
}

}  // namespace mbsbench
