// new-method: a DAE in absolute coordinates to start from.
//
// Source: Haug 1989; Hairer, Wanner, Solving Ordinary Differential Equations II (1996), section VII.1. The state of each
// body is (r, q, v, omega): mass centre and its velocity in inertial axes, quaternion, angular velocity in body axes. Each
// joint has constraints g = 0 with g' = G (v, omega) + g_t, and their multipliers lambda. Of index 2:
//   r' - v = 0,     q' - 1/2 q * omega = 0                                                        (1)
//   (m v'; J omega' + omega x J omega) - Q - G' lambda = 0                                        (2)
//   g' = 0;     lambda = 0 in rows of loops that others imply                                     (3)
// Replace (1) to (3), Residual and the parts of the Jacobian by your own; docs/add_a_method.md explains the rest.
#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "methods/coordinates/pair_jacobian.h"
#include "methods/interface/plugin.h"
#include "methods/kinematics/force_elements.h"
#include "methods/kinematics/shared_capabilities.h"
#include "methods/numerics/sparse_sum.h"

namespace mbsbench::absolute {

namespace {

class Method final : public DaeFormulation, public HasPower {
 public:
  explicit Method(const System& system) : dynamics_(system), dimensions_(dynamics_.Dimensions()) {
    for (std::size_t b = 0; b < system.bodies.size(); ++b)
      sum_.AddPart(UnknownsOfPair(static_cast<int>(b), kGround), kBlockSize);
    for (const JointConstraints& joint : joints().joints()) {
      std::vector<int> unknowns = UnknownsOfPair(joint.parent(), joint.child());
      for (int i = 0; i < joint.size(); ++i) {
        unknowns.push_back(static_cast<int>(dimensions_.size()));
        dimensions_.push_back(Dimension::kMultiplier);
      }
      sum_.AddPart(unknowns, kBlockSize);
    }
    for (std::size_t k = 0; k < forces().size(); ++k)
      sum_.AddPart(UnknownsOfPair(forces().parent(k), forces().child(k)), kBlockSize);
    pattern_ = sum_.MakePattern(static_cast<int>(state_size()));
    for (const Dimension dimension : dimensions_)
      differential_.push_back(dimension == Dimension::kMultiplier ? 0 : 1);
  }

  std::size_t state_size() const override { return dimensions_.size(); }
  std::vector<Dimension> Dimensions() const override { return dimensions_; }
  std::span<const double> differential() const override { return differential_; }
  const SparsityPattern& pattern() const override { return pattern_; }

  Status InitialiseDae(double t, const SystemState& state, std::span<double> y,
                       std::span<double> yp) override {
    if (Status status = dynamics_.Start(t, state); !status.ok()) return status;
    if (Status status = dynamics_.Accelerate(Pivots::kNew); !status.ok()) return status;
    std::fill(yp.begin(), yp.end(), 0.0);
    dynamics_.Store(y);
    dynamics_.StoreRates(yp);
    dynamics_.StoreMultipliers(y.subspan(MotionSize()));
    return {};
  }

  Status Residual(double t, std::span<const double> y, std::span<const double> yp,
                  std::span<double> r) override {
    Load(t, y);
    dynamics_.EvaluateForces();
    dynamics_.AddReactions();
    for (std::size_t b = 0; b < dynamics_.bodies().size(); ++b) {
      const BodyMotion& body = dynamics_.bodies()[b];
      const Matrix3d& J = dynamics_.inertia(b);
      const Eigen::Map<const Motion> rate(&yp[kMotionSize * b]);
      Eigen::Map<Motion> out(&r[kMotionSize * b]);
      WriteRates(body, out.data());
      out.head<kVelocity>() = rate.head<kVelocity>() - out.head<kVelocity>();  // (1)
      out.segment<3>(kVelocity) = dynamics_.system().bodies[b].mass * rate.segment<3>(kVelocity);
      out.tail<3>() = J * rate.tail<3>() + body.angular_velocity.cross(J * body.angular_velocity);
      out.tail<kRates>() -= dynamics_.forces()[b];  // (2)
    }
    double* row = r.data() + MotionSize();  // (3)
    for (std::size_t k = 0; k < joints().size(); ++k) {
      const JointConstraints& joint = joints()[k];
      ConstraintValues g;
      joint.Evaluate(dynamics_.Motion(joint.parent()), dynamics_.Motion(joint.child()), false, g);
      for (int i = 0; i < joint.size(); ++i)
        *row++ = Holds(dynamics_.left_out()[k], i) ? dynamics_.lambda()[k][i] : g.velocity[i];
    }
    return {};
  }

  Status Jacobian(double t, double c, std::span<const double> y, std::span<const double>,
                  std::span<double> values) override {
    Load(t, y);
    if (dynamics_.leaves_rows_out()) dynamics_.FactoriseIndependentRows();
    std::fill(values.begin(), values.end(), 0.0);
    std::size_t part = 0;
    for (std::size_t b = 0; b < dynamics_.bodies().size(); ++b)
      sum_.Add(part++, BodyBlock(b, c), values);
    for (std::size_t k = 0; k < joints().size(); ++k) sum_.Add(part++, JointBlock(k), values);
    for (std::size_t k = 0; k < forces().size(); ++k) sum_.Add(part++, ForceBlock(k), values);
    return {};
  }

  Status Observe(double t, std::span<const double> y, Detail detail, Observation& out) override {
    dynamics_.Load(t, y);
    return dynamics_.Observe(detail, out);
  }

  HasPower* power() override {
    return HasNonConservativeForces(dynamics_.system()) ? this : nullptr;
  }
  double Power(double t, std::span<const double> y) override {
    dynamics_.Load(t, y);
    return dynamics_.Power();
  }

 private:
  using Motion = Eigen::Matrix<double, kMotionSize, 1>;
  static constexpr int kBlockSize = kPairSize + kMostRows;
  const AbsoluteConstraints& joints() const { return dynamics_.constraints(); }
  const AbsoluteForces& forces() const { return dynamics_.force_elements(); }
  std::size_t MotionSize() const { return kMotionSize * dynamics_.bodies().size(); }

  void Load(double t, std::span<const double> y) {
    dynamics_.Load(t, y);
    dynamics_.LoadMultipliers(y.subspan(MotionSize()));
  }

  // Parts of the Jacobian, in the unknowns of parent, child and multipliers; a body is a parent.
  const double* BodyBlock(std::size_t b, double c) {
    const BodyMotion& body = dynamics_.bodies()[b];
    const Vector3d& omega = body.angular_velocity;
    const Matrix3d& J = dynamics_.inertia(b);
    block_.setZero();
    block_.diagonal().head<kVelocity>().setConstant(c);
    block_.block<3, 3>(kPosition, kVelocity).diagonal().setConstant(-1);
    block_.block<4, 4>(kQuaternion, kQuaternion) -= 0.5 * RightProduct(omega);
    block_.block<4, 3>(kQuaternion, kAngularVelocity) = -0.5 * LeftProduct(body.quaternion);
    block_.diagonal().segment<3>(kVelocity).setConstant(c * dynamics_.system().bodies[b].mass);
    block_.block<3, 3>(kAngularVelocity, kAngularVelocity) =
        c * J + Cross(omega) * J - Cross(J * omega);
    return block_.data();
  }
  const double* JointBlock(std::size_t k) {
    const JointConstraints& joint = joints()[k];
    const BodyMotion& parent = dynamics_.Motion(joint.parent());
    const BodyMotion& child = dynamics_.Motion(joint.child());
    const PairTurns turns = TurnsOf(dynamics_, joint.parent(), joint.child());
    const PairMatrix force = joint.DifferentiateForce(parent, child, dynamics_.lambda()[k]);
    ConstraintDerivatives d;
    joint.Differentiate(parent, child, false, d);
    block_.setZero();
    PutMinusForces({force, PairMatrix::Zero()}, turns, block_);
    auto rows = block_.middleRows<kMostRows>(kPairSize).leftCols<kPairSize>();
    PutByRates(d.rows, rows);
    block_.rightCols<kMostRows>().topRows<kPairSize>() = -rows.transpose();
    PutByPositions(d.velocity, turns, rows);
    for (int i = 0; i < joint.size(); ++i) {
      if (!Holds(dynamics_.left_out()[k], i)) continue;
      rows.row(i).setZero();
      block_(kPairSize + i, kPairSize + i) = 1;
    }
    return block_.data();
  }
  const double* ForceBlock(std::size_t k) {
    ForceDerivatives d;
    forces().Differentiate(dynamics_.time(), k, dynamics_.bodies(), d);
    block_.setZero();
    PutMinusForces(d, TurnsOf(dynamics_, forces().parent(k), forces().child(k)), block_);
    return block_.data();
  }

  BodyDynamics dynamics_;
  std::vector<Dimension> dimensions_;  // per unknown: motions of all bodies, then multipliers
  std::vector<double> differential_;
  SparseSum sum_;
  SparsityPattern pattern_;
  Eigen::Matrix<double, kBlockSize, kBlockSize> block_;
};

MethodEntry Entry() {
  MethodEntry entry;
  entry.key = "new-method";
  entry.title = "Index 2 in absolute coordinates";
  entry.source = "Haug 1989; Hairer, Wanner 1996, section VII.1";
  entry.description = "Absolute coordinates; constraints on velocities, with multipliers.";
  entry.form = Form::kDae;
  entry.shared_parts = {"absolute constraints", "absolute accelerations", "force elements"};
  entry.capabilities = SharedCapabilities();
  entry.capabilities.bodies = {{UnusualBody::kPoint, UnusualBody::kInertiaWithoutMass},
                               "IDA loses the equations of a massless link between stiff springs"};
  entry.reaction_choice = "dropped-rows";  // by BodyDynamics
  entry.prepare = [](const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
    return std::make_unique<Method>(system);
  };
  return entry;
}

}  // namespace

}  // namespace mbsbench::absolute

MBSBENCH_PLUGIN("new-method", mbsbench::absolute::Entry());
