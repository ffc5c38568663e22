// Newton-Euler equations in absolute coordinates (Haug 1989; Nikravesh 1988; index reduction: Gear,
// Gupta, Leimkuhler 1985; Baumgarte 1972). Per body r, q, v, omega (body axes); per joint
// constraints g and multipliers lambda:
//
//   ggl         r' = v + (G' mu)_v                                   m v' = (Q + G' lambda)_v
//               q' = 1/2 q * (omega + 4/a^2 (G' mu)_w) + 2 eta q     J omega' + omega x J omega = (Q + G' lambda)_w
//               g = 0,  g' = 0,  |q|^2 = 1
//   index3      the same without mu and without g' = 0
//   baumgarte   r' = v,  q' = 1/2 q * omega - 1/2 alpha (|q|^2 - 1) q,
//               g'' + 2 alpha g' + beta^2 g = 0
//
// with G of g' = G (v, omega); the factor 4 gives 2 q * (G' mu)_w, the gradient of g by the
// quaternion, and a is a unit of length for the body (coarse_unit.h): in metres rows with arms of 1e-9 m or 1e9 m depend on
// each other to round-off. All functions use the rotation of q / |q|, so for any length of q d phi = 2/|q| L(q / |q|)' dq
// converts derivatives by rotations (absolute_motion.h) into those by q. constraint_equations.h has the rows of G and all
// their derivatives as printed, in the steps (a) to (h).
//
// A driver is a further, time-dependent row of its joint (absolute_constraints.h); g' and g'' include
// the time derivatives.
//
// Redundant rows of loop joints (redundant_rows.h) are selected when a state is initialised and are replaced by lambda = 0, mu = 0. If the
// kept rows become dependent, others are kept from the next Jacobian on: the forces of all rows together stay the same. The Jacobian is
// assembled from small dense matrices of bodies, joints and force elements; its pattern is that of these matrices at random states, so
// zeros in the data (a joint on a body's axis, a diagonal inertia) cost nothing.
#include "methods/cartesian_dae/dae_formulation.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "methods/coordinates/pair_jacobian.h"
#include "methods/kinematics/force_elements.h"
#include "methods/kinematics/reach.h"
#include "methods/numerics/coarse_unit.h"
#include "methods/numerics/sparse_sum.h"
#include "problems/model/topology.h"

namespace mbsbench::cartesian {

using namespace absolute;

namespace {

// Jacobian of an element (a body, a joint, a force element) in its own unknowns: parent, child, then
// multipliers. A body alone uses the first places.
constexpr int kElementSize = kPairSize + 2 * kMostRows;
using ElementMatrix = Eigen::Matrix<double, kElementSize, kElementSize>;

class CartesianDae final : public DaeFormulation, public HasPower {
 public:
  CartesianDae(const System& system, DaeVariant variant, double baumgarte_rate);

  std::size_t state_size() const override { return differential_.size(); }
  Status InitialiseDae(double t, const SystemState& state, std::span<double> y,
                       std::span<double> yp) override;
  Status Residual(double t, std::span<const double> y, std::span<const double> yp,
                  std::span<double> r) override;
  const SparsityPattern& pattern() const override { return pattern_; }
  Status Jacobian(double t, double c, std::span<const double> y, std::span<const double> yp,
                  std::span<double> values) override;
  std::span<const double> differential() const override { return differential_; }
  std::vector<Dimension> Dimensions() const override { return dimensions_; }
  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) override;
  HasPower* power() override {
    return HasNonConservativeForces(dynamics_.system()) ? this : nullptr;
  }
  double Power(double t, std::span<const double> y) override;

 private:
  // A part of the system with its own Jacobian. `unknown` gives for each of its rows (kPairSize for
  // a pair, then multipliers) the entry of y and of the residual, or -1.
  struct Element {
    enum class Kind { kBody, kJoint, kForce } kind;
    std::size_t index;
    std::vector<int> unknown;
  };

  bool has_eta() const { return variant_ != DaeVariant::kBaumgarte; }
  bool has_mu() const { return variant_ == DaeVariant::kGgl; }
  bool is_index1() const { return variant_ == DaeVariant::kBaumgarte; }

  void LayOut();
  void MakeElements();
  void FindPattern();
  std::vector<int> PairUnknowns(int parent, int child) const;
  double TurnWeight(int body) const {
    return body == kGround ? 1 : turn_weight_[static_cast<std::size_t>(body)];
  }

  // Reads y (and y') into bodies_, lambda_, mu_.
  void Load(std::span<const double> y, std::span<const double> yp);
  void LoadMultipliers(std::span<const double> y);

  // dF/dy + c dF/dy' of an element at bodies_, in its own numbering; sets the leading size x size
  // part.
  void ElementJacobian(const Element& element, double c, std::span<const double> y,
                       ElementMatrix& matrix) const;
  void BodyJacobian(std::size_t body, double c, double eta, ElementMatrix& matrix) const;
  void JointJacobian(std::size_t joint, double c, ElementMatrix& matrix) const;
  void ForceJacobian(std::size_t element, ElementMatrix& matrix) const;

  BodyDynamics dynamics_;
  const System& system_ = dynamics_.system();
  const AbsoluteConstraints& joints_ = dynamics_.constraints();
  std::vector<BodyMotion>& bodies_ = dynamics_.bodies();
  const DaeVariant variant_;
  const double rate_;  // alpha = beta of Baumgarte's terms [1/s]
  // First unknowns in y; for a joint: lambda, then mu.
  std::vector<int> body_at_, joint_at_;
  std::vector<double> turn_weight_;  // 1/a^2 per body [1/m^2]
  // Units of the multipliers in y per joint: 1 for lengths, a of the joint's bodies for products.
  std::vector<ConstraintVector> unit_;
  std::vector<double> differential_;
  std::vector<Dimension> dimensions_;
  std::vector<Element> elements_;
  SparseSum sum_;
  SparsityPattern pattern_;

  std::vector<ConstraintVector> lambda_, mu_;
  ElementMatrix element_matrix_;
};

CartesianDae::CartesianDae(const System& system, DaeVariant variant, double baumgarte_rate)
    : dynamics_(system), variant_(variant), rate_(baumgarte_rate) {
  lambda_.assign(joints_.size(), ConstraintVector::Zero());
  mu_ = lambda_;
  for (const double reach : ReachOf(system_)) {
    const double unit = CoarseUnit(reach);
    turn_weight_.push_back(1 / (unit * unit));
  }
  unit_.assign(joints_.size(), ConstraintVector::Ones());
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    for (int i = 0; i < joints_[k].size(); ++i) unit_[k][i] = CoarseUnit(dynamics_.RowScale(k, i));
  }
  LayOut();
  MakeElements();
  FindPattern();
}

// From the tips to the root, each body followed by its joint to the parent: neighbours in the
// system are neighbours in y.
void CartesianDae::LayOut() {
  const Topology tree = TopologyOf(system_);
  body_at_.resize(system_.bodies.size());
  joint_at_.resize(joints_.size());
  const auto append = [this](std::size_t count, double differential, Dimension dimension) {
    differential_.insert(differential_.end(), count, differential);
    dimensions_.insert(dimensions_.end(), count, dimension);
  };
  const auto append_joint = [&](std::size_t joint) {
    joint_at_[joint] = static_cast<int>(state_size());
    const auto rows = static_cast<std::size_t>(joints_[joint].size());
    append(has_mu() ? 2 * rows : rows, 0, Dimension::kMultiplier);
  };
  for (auto b = tree.order.rbegin(); b != tree.order.rend(); ++b) {
    const auto body = static_cast<std::size_t>(*b);
    body_at_[body] = static_cast<int>(state_size());
    append(3, 1, Dimension::kLength);
    append(4, 1, Dimension::kNumber);
    append(3, 1, Dimension::kSpeed);
    append(3, 1, Dimension::kRate);
    if (has_eta()) append(1, 0, Dimension::kMultiplier);
    append_joint(static_cast<std::size_t>(tree.joint[body]));
  }
  for (std::size_t k = joints_.tree_joints(); k < joints_.size(); ++k) append_joint(k);
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
    Element element{Element::Kind::kBody, b, {}};
    for (int i = 0; i < kMotionSize + (has_eta() ? 1 : 0); ++i) {
      element.unknown.push_back(body_at_[b] + i);
    }
    elements_.push_back(std::move(element));
  }
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const JointConstraints& joint = joints_[k];
    Element element{Element::Kind::kJoint, k, PairUnknowns(joint.parent(), joint.child())};
    const int multipliers = joint.size() * (has_mu() ? 2 : 1);
    for (int i = 0; i < multipliers; ++i) element.unknown.push_back(joint_at_[k] + i);
    elements_.push_back(std::move(element));
  }
  const AbsoluteForces& forces = dynamics_.force_elements();
  for (std::size_t k = 0; k < forces.size(); ++k) {
    elements_.push_back(
        {Element::Kind::kForce, k, PairUnknowns(forces.parent(k), forces.child(k))});
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
  // A row of a loop joint may become lambda = 0.
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    const Element& element = elements_[k];
    if (element.kind != Element::Kind::kJoint || !joints_.IsLoop(element.index)) continue;
    for (std::size_t at = kPairSize; at < element.unknown.size(); ++at)
      present[k][at + kElementSize * at] = 1;
  }
  for (std::size_t k = 0; k < elements_.size(); ++k)
    sum_.AddPart(elements_[k].unknown, kElementSize, present[k]);
  pattern_ = sum_.MakePattern(static_cast<int>(n));
  for (const auto* beginnings : {&body_at_, &joint_at_})
    pattern_.blocks.insert(pattern_.blocks.end(), beginnings->begin(), beginnings->end());
  std::sort(pattern_.blocks.begin(), pattern_.blocks.end());
}

void CartesianDae::Load(std::span<const double> y, std::span<const double> yp) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    BodyMotion& body = bodies_[b];
    ReadMotion(y.data() + body_at_[b], body);
    if (yp.empty()) continue;
    const double* rate_at = yp.data() + body_at_[b];
    body.acceleration = Eigen::Map<const Vector3d>(rate_at + kVelocity);
    body.angular_acceleration = Eigen::Map<const Vector3d>(rate_at + kAngularVelocity);
  }
}

void CartesianDae::LoadMultipliers(std::span<const double> y) {
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const double* at = y.data() + joint_at_[k];
    const int rows = joints_[k].size();
    for (int i = 0; i < rows; ++i) {
      lambda_[k][i] = unit_[k][i] * at[i];
      if (has_mu()) mu_[k][i] = unit_[k][i] * at[rows + i];
    }
  }
}

Status CartesianDae::InitialiseDae(double t, const SystemState& state, std::span<double> y,
                                   std::span<double> yp) {
  if (const Status status = dynamics_.Start(t, state); !status.ok()) return status;
  if (const Status status = dynamics_.Accelerate(Pivots::kNew); !status.ok()) return status;
  std::fill(y.begin(), y.end(), 0.0);
  std::fill(yp.begin(), yp.end(), 0.0);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    WriteMotion(bodies_[b], y.data() + body_at_[b]);
    WriteRates(bodies_[b], yp.data() + body_at_[b]);
  }
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const int rows = joints_[k].size();
    Eigen::Map<Eigen::VectorXd>(y.data() + joint_at_[k], rows) =
        dynamics_.lambda()[k].head(rows).cwiseQuotient(unit_[k].head(rows));
  }
  return {};
}

Status CartesianDae::Residual(double t, std::span<const double> y, std::span<const double> yp,
                              std::span<double> r) {
  dynamics_.SetTime(t);
  Load(y, yp);
  LoadMultipliers(y);
  dynamics_.EvaluateForces();
  const std::vector<BodyVector>& forces = dynamics_.forces();
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
      q_row += 0.5 * rate_ * excess * q;
    }
    Eigen::Map<Vector3d>(out + kVelocity) =
        system_.bodies[b].mass * body.acceleration - forces[b].head<3>();
    Eigen::Map<Vector3d>(out + kAngularVelocity) =
        dynamics_.inertia(b) * body.angular_acceleration +
        omega.cross(dynamics_.inertia(b) * omega) - forces[b].tail<3>();
  }
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const JointConstraints& joint = joints_[k];
    const int rows = joint.size();
    if (rows == 0) continue;
    const BodyMotion &parent = dynamics_.Motion(joint.parent()),
                     &child = dynamics_.Motion(joint.child());
    const ConstraintJacobian g = joint.Jacobian(parent, child);
    const PairVectorOfRates force = g.transpose() * lambda_[k], correction = g.transpose() * mu_[k];
    for (const auto& [body, first] :
         {std::pair{joint.parent(), 0}, std::pair{joint.child(), kRates}}) {
      if (body == kGround) continue;
      double* out = r.data() + body_at_[static_cast<std::size_t>(body)];
      Eigen::Map<BodyVector>(out + kVelocity) -= force.segment<kRates>(first);
      if (!has_mu()) continue;
      Eigen::Map<Vector3d>(out + kPosition) -= correction.segment<3>(first);
      Eigen::Map<Vector4d>(out + kQuaternion) -= 2 * TurnWeight(body) *
                                                 LeftProduct(dynamics_.Motion(body).quaternion) *
                                                 correction.segment<3>(first + 3);
    }

    ConstraintValues values;
    joint.Evaluate(parent, child, is_index1(), values);
    Eigen::Map<Eigen::VectorXd> row(r.data() + joint_at_[k], rows);
    switch (variant_) {
      case DaeVariant::kGgl:
        row = values.velocity.head(rows);
        Eigen::Map<Eigen::VectorXd>(row.data() + rows, rows) = values.position.head(rows);
        break;
      case DaeVariant::kIndex3: row = values.position.head(rows); break;
      case DaeVariant::kBaumgarte:
        row = values.acceleration.head(rows) + 2 * rate_ * values.velocity.head(rows) +
              rate_ * rate_ * values.position.head(rows);
        break;
    }
    for (int i = 0; i < rows; ++i) {
      if (!Holds(dynamics_.left_out()[k], i)) continue;
      const double* const multipliers = y.data() + joint_at_[k];
      row[i] = multipliers[i];
      if (has_mu()) row.data()[rows + i] = multipliers[rows + i];
    }
  }
  return {};
}

void CartesianDae::BodyJacobian(std::size_t b, double c, double eta, ElementMatrix& matrix) const {
  const BodyMotion& body = bodies_[b];
  const Vector4d& q = body.quaternion;
  const Vector3d& omega = body.angular_velocity;
  // r' - v
  matrix.block<3, 3>(kPosition, kPosition).diagonal().setConstant(c);
  matrix.block<3, 3>(kPosition, kVelocity).diagonal().setConstant(-1);
  // q' - 1/2 q * omega - 2 eta q and |q|^2 - 1, or Baumgarte's term
  auto q_by_q = matrix.block<4, 4>(kQuaternion, kQuaternion);
  q_by_q = -0.5 * RightProduct(omega);
  if (has_eta()) {
    q_by_q.diagonal().array() += c - 2 * eta;
    matrix.block<4, 1>(kQuaternion, kEta) = -2 * q;
    matrix.block<1, 4>(kEta, kQuaternion) = 2 * q.transpose();
  } else {
    q_by_q += rate_ * q * q.transpose();
    q_by_q.diagonal().array() += c + 0.5 * rate_ * (q.squaredNorm() - 1);
  }
  matrix.block<4, 3>(kQuaternion, kAngularVelocity) = -0.5 * LeftProduct(q);
  // m v' and J omega' + omega x J omega
  matrix.block<3, 3>(kVelocity, kVelocity).diagonal().setConstant(c * system_.bodies[b].mass);
  matrix.block<3, 3>(kAngularVelocity, kAngularVelocity) = c * dynamics_.inertia(b) +
                                                           Cross(omega) * dynamics_.inertia(b) -
                                                           Cross(dynamics_.inertia(b) * omega);
}

void CartesianDae::JointJacobian(std::size_t k, double c, ElementMatrix& matrix) const {
  const JointConstraints& joint = joints_[k];
  const int rows = joint.size(), parent = joint.parent(), child = joint.child();
  const BodyMotion &parent_motion = dynamics_.Motion(parent),
                   &child_motion = dynamics_.Motion(child);
  const int lambda_at = kPairSize, mu_at = kPairSize + rows;
  const PairTurns turns = TurnsOf(dynamics_, parent, child);
  // (a) to (h) of constraint_equations.h
  ConstraintDerivatives d;
  joint.Differentiate(parent_motion, child_motion, is_index1(), d);
  const PairMatrix force = joint.DifferentiateForce(parent_motion, child_motion, lambda_[k]);
  PairMatrix correction;
  if (has_mu()) correction = joint.DifferentiateForce(parent_motion, child_motion, mu_[k]);
  const PairVectorOfRates by_mu = d.rows.transpose() * mu_[k];
  const ConstraintJacobian in_units = unit_[k].asDiagonal() * d.rows;
  for (const auto& [motion, body, from, at] :
       {std::tuple{&parent_motion, parent, 0, 0},
        std::tuple{&child_motion, child, kRates, kMotionSize}}) {
    // m v' and J omega': -G' lambda by x, (h), and by lambda
    PutByPositions(-force.middleRows<kRates>(from), turns,
                   matrix.middleRows<kRates>(at + kVelocity).leftCols<kPairSize>());
    matrix.block(at + kVelocity, lambda_at, kRates, rows) =
        -in_units.block(0, from, rows, kRates).transpose();
    if (!has_mu()) continue;
    // r' and q': -(G' mu)_v and -2/a^2 q * (G' mu)_w by x, (h), by q, and by mu
    const double by_turn = 2 * TurnWeight(body);
    const Eigen::Matrix<double, 4, 3> to_quaternion = by_turn * LeftProduct(motion->quaternion);
    PutByPositions(-correction.middleRows<3>(from), turns,
                   matrix.middleRows<3>(at + kPosition).leftCols<kPairSize>());
    const Eigen::Matrix<double, 4, kPair> of_quaternion =
        -to_quaternion.lazyProduct(correction.middleRows<3>(from + 3));
    PutByPositions(of_quaternion, turns,
                   matrix.middleRows<4>(at + kQuaternion).leftCols<kPairSize>());
    matrix.block<4, 4>(at + kQuaternion, at + kQuaternion) -=
        by_turn * RightProduct(by_mu.segment<3>(from + 3));
    matrix.block(at + kPosition, mu_at, 3, rows) = -in_units.block(0, from, rows, 3).transpose();
    matrix.block(at + kQuaternion, mu_at, 4, rows) =
        -to_quaternion * in_units.block(0, from + 3, rows, 3).transpose();
  }
  // g, g' or g'' with Baumgarte's terms by x and V, (e) to (g)
  auto row = matrix.block(lambda_at, 0, rows, kPairSize);
  switch (variant_) {
    case DaeVariant::kGgl:
      PutByPositions(d.velocity.topRows(rows), turns, row);
      PutByRates(d.rows.topRows(rows), row);
      PutByPositions(d.rows.topRows(rows), turns, matrix.block(mu_at, 0, rows, kPairSize));
      break;
    case DaeVariant::kIndex3: PutByPositions(d.rows.topRows(rows), turns, row); break;
    case DaeVariant::kBaumgarte: {  // g'' = G V' + gamma
      const ConstraintJacobian by_positions =
          d.acceleration + 2 * rate_ * d.velocity + rate_ * rate_ * d.rows;
      const ConstraintJacobian by_rates = d.by_rates + (2 * rate_ + c) * d.rows;
      PutByPositions(by_positions.topRows(rows), turns, row);
      PutByRates(by_rates.topRows(rows), row);
      break;
    }
  }
  // lambda = 0, mu = 0 of rows that others imply
  const RowSet left_out = dynamics_.left_out()[k];
  for (int i = 0; i < rows; ++i) {
    if (!Holds(left_out, i)) continue;
    for (const int at : {lambda_at + i, has_mu() ? mu_at + i : lambda_at + i}) {
      matrix.block(at, 0, 1, kPairSize).setZero();
      matrix(at, at) = 1;
    }
  }
}

void CartesianDae::ForceJacobian(std::size_t k, ElementMatrix& matrix) const {
  const AbsoluteForces& elements = dynamics_.force_elements();
  ForceDerivatives d;
  elements.Differentiate(dynamics_.time(), k, dynamics_.bodies(), d);
  PutMinusForces(d, TurnsOf(dynamics_, elements.parent(k), elements.child(k)), matrix);
}

void CartesianDae::ElementJacobian(const Element& element, double c, std::span<const double> y,
                                   ElementMatrix& matrix) const {
  matrix.leftCols(static_cast<Eigen::Index>(element.unknown.size())).setZero();
  switch (element.kind) {
    case Element::Kind::kBody:
      BodyJacobian(element.index, c,
                   has_eta() ? y[static_cast<std::size_t>(body_at_[element.index] + kEta)] : 0,
                   matrix);
      return;
    case Element::Kind::kJoint: JointJacobian(element.index, c, matrix); return;
    case Element::Kind::kForce: ForceJacobian(element.index, matrix); return;
  }
}

Status CartesianDae::Jacobian(double t, double c, std::span<const double> y,
                              std::span<const double> yp, std::span<double> values) {
  dynamics_.SetTime(t);
  Load(y, yp);
  LoadMultipliers(y);
  if (dynamics_.leaves_rows_out()) dynamics_.FactoriseIndependentRows();
  std::fill(values.begin(), values.end(), 0.0);
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    ElementJacobian(elements_[k], c, y, element_matrix_);
    sum_.Add(k, element_matrix_.data(), values);
  }
  return {};
}

Status CartesianDae::Observe(double t, std::span<const double> y, Detail detail,
                             Observation& observation) {
  dynamics_.SetTime(t);
  Load(y, {});
  return dynamics_.Observe(detail, observation);
}

double CartesianDae::Power(double t, std::span<const double> y) {
  dynamics_.SetTime(t);
  Load(y, {});
  return dynamics_.Power();
}

}  // namespace

std::unique_ptr<Formulation> MakeDaeFormulation(const System& system, DaeVariant variant,
                                                double baumgarte_rate) {
  return std::make_unique<CartesianDae>(system, variant, baumgarte_rate);
}

}  // namespace mbsbench::cartesian
