#include "methods/engines/dart/dart_formulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlanarJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/UniversalJoint.hpp>
#include <dart/dynamics/WeldJoint.hpp>

#include "methods/engines/constraint_part.h"
#include "methods/engines/turning_inertia.h"
#include "methods/interface/fixed_steps.h"
#include "methods/kinematics/force_elements.h"
#include "methods/kinematics/joint_laws.h"
#include "problems/model/eigen.h"
#include "problems/model/kinematics.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace {

namespace dd = dart::dynamics;

const char kThrew[] = "DART threw an exception at this state";
const char kNotFinite[] = "DART's accelerations are not finite";
const char kOutOfRange[] = "the state is not finite, or so large that DART would abort";

// DART aborts the process if a number is NaN, and therefore also if squares of products overflow.
constexpr double kLargest = 1e60;

std::size_t U(int i) { return static_cast<std::size_t>(i); }

Quaternion QuaternionAt(const double* q) { return {q[0], q[1], q[2], q[3]}; }
void Put(const Quaternion& q, double* to) { to[0] = q.w, to[1] = q.x, to[2] = q.y, to[3] = q.z; }

// The rotation vector of a quaternion of any length, and back.
Eigen::Vector3d RotationVector(const Quaternion& q) {
  const Eigen::Vector3d v(q.x, q.y, q.z);
  const double sine = v.norm();
  return sine > 0 ? Eigen::Vector3d((2 * std::atan2(sine, q.w) / sine) * v)
                  : Eigen::Vector3d::Zero();
}
Quaternion QuaternionOf(const Eigen::Vector3d& rotation) {
  const double angle = rotation.norm();
  if (angle == 0) return {};
  return AxisAngle((1 / angle) * FromEigen(rotation), angle);
}

class DartFormulation : public OdeFormulation,
                        public FixedStepper,
                        public Projects,
                        public HasPower {
 public:
  explicit DartFormulation(const System& system)
      : FixedStepper(static_cast<Formulation&>(*this)),
        system_(system),
        at_(OffsetsOf(system)),
        skeleton_(dd::Skeleton::create("system")),
        nodes_(system.bodies.size()),
        first_dof_(system.joints.size()),
        joint_laws_(JointLawsOf(system)),
        joint_forces_(system.joints.size()),
        driven_(DrivenJoints(system)),
        bodies_(system.bodies.size()),
        wrenches_(system.bodies.size()) {
    skeleton_->setGravity(ToEigen(system.gravity));
    const Topology topology = TopologyOf(system_);
    for (int body : topology.order) AddBody(body, topology.joint[U(body)]);
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      const dd::Joint& joint = *nodes_[U(system_.joints[j].child)]->getParentJoint();
      if (joint.getNumDofs() > 0) first_dof_[j] = joint.getIndexInSkeleton(0);
    }
    nq_ = U(at_.q.back());
    nu_ = skeleton_->getNumDofs();
    positions_.resize(static_cast<Eigen::Index>(nu_));
    velocities_ = positions_;
    has_elements_ = system_.forces.AnyOnBodies();
  }

  std::size_t state_size() const override { return nq_ + nu_; }
  std::vector<Dimension> Dimensions() const override {
    std::vector<Dimension> dimensions(state_size());
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      const JointType type = system_.joints[j].type;
      for (int k = 0; k < CoordinateCount(type); ++k) {
        dimensions[U(at_.q[j] + k)] = IsLength(type, k) ? Dimension::kLength : Dimension::kNumber;
      }
      const int rates = RateCount(type);
      for (int k = 0; k < rates; ++k) {  // the rotation of a free joint comes first
        const int place = type == JointType::kFree ? (k + 3) % rates : k;
        dimensions[nq_ + first_dof_[j] + U(place)] =
            IsLength(type, k) ? Dimension::kSpeed : Dimension::kRate;
      }
    }
    return dimensions;
  }

  Status Initialise(double, const SystemState& state, std::span<double> y) override {
    std::ranges::copy(state.joints.q, y.begin());
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      const double* const u = state.joints.u.data() + at_.u[j];
      double* const to = y.data() + nq_ + first_dof_[j];
      if (system_.joints[j].type == JointType::kFree) {
        const Quaternion turn = QuaternionAt(state.joints.q.data() + at_.q[j] + 3);
        const Vector3 v = Rotate(Conjugate(turn), Vector3{u[0], u[1], u[2]});
        std::copy(u + 3, u + 6, to);
        to[3] = v.x, to[4] = v.y, to[5] = v.z;
      } else {
        std::copy_n(u, RateCount(system_.joints[j].type), to);
      }
    }
    return {};
  }

  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    if (Status s = Forward(t, y); !s.ok()) {
      std::ranges::fill(ydot, NAN);
      return s;
    }
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      const double* q = y.data() + at_.q[j];
      const double* const u = y.data() + nq_ + first_dof_[j];
      double* to = ydot.data() + at_.q[j];
      switch (system_.joints[j].type) {
        case JointType::kFree: {
          const Vector3 v = Rotate(Normalised(QuaternionAt(q + 3)), Vector3{u[3], u[4], u[5]});
          to[0] = v.x, to[1] = v.y, to[2] = v.z;
          q += 3;
          to += 3;
          [[fallthrough]];
        }
        case JointType::kBall:
          Put(QuaternionAt(q) * Quaternion{0, u[0] / 2, u[1] / 2, u[2] / 2}, to);
          break;
        case JointType::kRevolute:
        case JointType::kPrismatic:
        case JointType::kUniversal:
        case JointType::kPlanar: std::copy_n(u, RateCount(system_.joints[j].type), to); break;
        case JointType::kFixed:
        case JointType::kDistance:
        case JointType::kCylindrical: break;
      }
    }
    const Eigen::VectorXd accelerations = skeleton_->getAccelerations();
    std::copy_n(accelerations.data(), nu_, ydot.data() + nq_);
    return {};
  }

  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) override {
    observation.accelerations.clear();
    observation.reactions.clear();
    observation.drivers.clear();
    if (detail == Detail::kMotion) {
      if (Status s = SetState(y); !s.ok()) return s;
      ReadBodies(observation.bodies);
      return {};
    }
    if (Status s = Forward(t, y); !s.ok()) return s;
    ReadBodies(observation.bodies);
    for (const dd::BodyNode* node : nodes_) {
      observation.accelerations.push_back(
          {FromEigen(node->getLinearAcceleration()), FromEigen(node->getAngularAcceleration())});
    }
    if (detail != Detail::kReactions) return {};
    ReadReactions(observation);
    for (const Driver& driver : system_.drivers) {
      const dd::DegreeOfFreedom& dof = DrivenDegree(driver);
      observation.drivers.push_back(
          {dof.getPosition(), dof.getVelocity(), dof.getAcceleration(), EffortOf(driver)});
    }
    return {};
  }

  Projects* projection() override { return this; }
  Status Project(double, std::span<double> y) override {
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      const JointType type = system_.joints[j].type;
      if (!TurnsFreely(type)) continue;
      double* const q = y.data() + at_.q[j + 1] - 4;
      Put(Normalised(QuaternionAt(q)), q);
    }
    return {};
  }

  HasPower* power() override { return HasNonConservativeForces(system_) ? this : nullptr; }
  double Power(double t, std::span<const double> y) override {
    if (!Forward(t, y).ok()) return NAN;
    ReadBodies(bodies_);
    const JointState joints = JointStateOf(system_, bodies_);
    double power = NonConservativePower(system_, t, bodies_, &joints);
    for (const Driver& driver : system_.drivers)
      power += EffortOf(driver) * DrivenDegree(driver).getVelocity();
    return power;
  }

  TimeStepper* time_stepper() override { return this; }
  Status Advance(double t, std::span<const double> y, double h, std::span<double> out) override {
    ++counters_.evaluations;
    if (Status s = Forward(t, y); !s.ok()) return s;
    skeleton_->integrateVelocities(h);
    skeleton_->integratePositions(h);
    positions_ = skeleton_->getPositions();
    velocities_ = skeleton_->getVelocities();
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      const double* const from = positions_.data() + first_dof_[j];
      double* const q = out.data() + at_.q[j];
      switch (system_.joints[j].type) {
        case JointType::kFree:
          std::copy_n(from + 3, 3, q);
          Put(QuaternionOf(Eigen::Map<const Eigen::Vector3d>(from)), q + 3);
          break;
        case JointType::kBall: Put(QuaternionOf(Eigen::Map<const Eigen::Vector3d>(from)), q); break;
        case JointType::kRevolute:
        case JointType::kPrismatic:
        case JointType::kUniversal:
        case JointType::kPlanar: std::copy_n(from, RateCount(system_.joints[j].type), q); break;
        case JointType::kFixed:
        case JointType::kDistance:
        case JointType::kCylindrical: break;
      }
    }
    std::copy_n(velocities_.data(), nu_, out.data() + nq_);
    return {};
  }

 private:
  const dd::DegreeOfFreedom& DrivenDegree(const Driver& driver) const {
    return *skeleton_->getDof(first_dof_[U(driver.joint)]);
  }
  // The force that DART computed for the joint, less that of its springs.
  double EffortOf(const Driver& driver) const {
    return DrivenDegree(driver).getForce() - joint_forces_[U(driver.joint)];
  }

  template <typename JointOfDart>
  dd::BodyNode* AddPair(dd::BodyNode* parent, const Joint& joint) {
    // DART writes to standard output if it has to invent names.
    typename JointOfDart::Properties joint_properties;
    joint_properties.mName = fmt::format("j{}", joint.child);
    const dd::BodyNode::AspectProperties body_properties(fmt::format("b{}", joint.child));
    const auto [made, node] = skeleton_->createJointAndBodyNodePair<JointOfDart>(
        parent, joint_properties, body_properties);
    made->setTransformFromParentBodyNode(IsometryOf(joint.parent_frame));
    made->setTransformFromChildBodyNode(IsometryOf(joint.child_frame));
    return node;
  }

  void AddBody(int index, int joint_index) {
    const Joint& joint = system_.joints[U(joint_index)];
    dd::BodyNode* const parent = joint.parent == kGround ? nullptr : nodes_[U(joint.parent)];
    dd::BodyNode* node = nullptr;
    switch (joint.type) {
      case JointType::kBall: node = AddPair<dd::BallJoint>(parent, joint); break;
      case JointType::kRevolute: node = AddPair<dd::RevoluteJoint>(parent, joint); break;
      case JointType::kPrismatic: node = AddPair<dd::PrismaticJoint>(parent, joint); break;
      case JointType::kFixed: node = AddPair<dd::WeldJoint>(parent, joint); break;
      case JointType::kFree: node = AddPair<dd::FreeJoint>(parent, joint); break;
      case JointType::kUniversal: node = AddPair<dd::UniversalJoint>(parent, joint); break;
      case JointType::kPlanar: node = AddPair<dd::PlanarJoint>(parent, joint); break;
      case JointType::kCylindrical:
      case JointType::kDistance: break;  // DART has none
    }
    // Both rotate about, or translate along, the joint's z.
    if (joint.type == JointType::kRevolute) {
      static_cast<dd::RevoluteJoint*>(node->getParentJoint())->setAxis(Eigen::Vector3d::UnitZ());
    } else if (joint.type == JointType::kPrismatic) {
      static_cast<dd::PrismaticJoint*>(node->getParentJoint())->setAxis(Eigen::Vector3d::UnitZ());
    } else if (joint.type == JointType::kUniversal) {
      auto* const universal = static_cast<dd::UniversalJoint*>(node->getParentJoint());
      universal->setAxis1(Eigen::Vector3d::UnitZ());
      universal->setAxis2(Eigen::Vector3d::UnitX());
    } else if (joint.type == JointType::kPlanar) {
      static_cast<dd::PlanarJoint*>(node->getParentJoint())->setXYPlane();
    }
    if (driven_[U(joint_index)]) {
      node->getParentJoint()->setActuatorType(dd::Joint::ACCELERATION);
      node->getParentJoint()->setCommand(0, 0);
    }
    const Body& body = system_.bodies[U(index)];
    // Set as a whole, because DART warns of points and thin rods if their moments are set separately.
    Eigen::Matrix6d inertia = body.mass * Eigen::Matrix6d::Identity();
    inertia.topLeftCorner<3, 3>() = ToEigen(body.inertia);
    node->setInertia(dd::Inertia(inertia));
    nodes_[U(index)] = node;
  }

  Status SetState(std::span<const double> y) {
    for (const double value : y) {
      if (!(std::abs(value) < kLargest)) return {Status::Code::kNotFinite, -1, -1, kOutOfRange};
    }
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      const double* const q = y.data() + at_.q[j];
      double* const to = positions_.data() + first_dof_[j];
      switch (system_.joints[j].type) {
        case JointType::kFree:
          Eigen::Map<Eigen::Vector3d>{to} = RotationVector(QuaternionAt(q + 3));
          std::copy_n(q, 3, to + 3);
          break;
        case JointType::kBall:
          Eigen::Map<Eigen::Vector3d>{to} = RotationVector(QuaternionAt(q));
          break;
        case JointType::kRevolute:
        case JointType::kPrismatic:
        case JointType::kUniversal:
        case JointType::kPlanar: std::copy_n(q, RateCount(system_.joints[j].type), to); break;
        case JointType::kFixed:
        case JointType::kDistance:
        case JointType::kCylindrical: break;
      }
    }
    std::copy_n(y.data() + nq_, nu_, velocities_.data());
    skeleton_->setPositions(positions_);
    skeleton_->setVelocities(velocities_);
    return {};
  }

  void ApplyForces(double t, std::span<const double> y) {
    if (!joint_laws_.empty()) {
      std::ranges::fill(joint_forces_, 0.);
      for (const JointLaw& law : joint_laws_) {
        const auto j = U(law.joint);
        joint_forces_[j] += law.At(t, y[U(at_.q[j])], y[nq_ + first_dof_[j]]);
      }
      for (const JointLaw& law : joint_laws_) {
        const auto j = U(law.joint);
        if (!driven_[j]) skeleton_->setForce(first_dof_[j], joint_forces_[j]);
      }
    }
    if (!has_elements_) return;
    ReadBodies(bodies_);
    std::ranges::fill(wrenches_, Wrench{});
    AddForceElements(system_, bodies_, wrenches_);
    skeleton_->clearExternalForces();
    for (std::size_t b = 0; b < nodes_.size(); ++b) {
      nodes_[b]->addExtForce(ToEigen(wrenches_[b].force), Eigen::Vector3d::Zero(), false, true);
      nodes_[b]->addExtTorque(ToEigen(wrenches_[b].moment), false);
    }
  }

  Status Forward(double t, std::span<const double> y) {
    try {
      if (Status s = SetState(y); !s.ok()) return s;
      ApplyForces(t, y);
      skeleton_->computeForwardDynamics();
    } catch (const std::exception&) {
      return {Status::Code::kSingular, -1, -1, kThrew};
    }
    double sum = 0;
    for (std::size_t i = 0; i < nu_; ++i) sum += skeleton_->getAcceleration(i);
    if (!std::isfinite(sum)) return {Status::Code::kNotFinite, -1, -1, kNotFinite};
    return {};
  }

  void ReadBodies(std::vector<BodyState>& bodies) const {
    bodies.resize(nodes_.size());
    for (std::size_t b = 0; b < nodes_.size(); ++b) {
      const Eigen::Isometry3d& t = nodes_[b]->getWorldTransform();
      bodies[b] = {FromEigen(Eigen::Vector3d(t.translation())),
                   FromEigen(Eigen::Quaterniond(t.linear()).normalized()),
                   FromEigen(nodes_[b]->getLinearVelocity()),
                   FromEigen(nodes_[b]->getAngularVelocity())};
    }
  }

  // The wrench of the joint on its body, in body axes, moment about the origin first.
  void ReadReactions(Observation& observation) const {
    for (const Joint& joint : system_.joints) {
      const Quaternion& turn = observation.bodies[U(joint.child)].orientation;
      const Eigen::Vector6d& through = nodes_[U(joint.child)]->getBodyForce();
      JointReaction r{Rotate(turn, FromEigen(Eigen::Vector3d(through.tail<3>()))),
                      Rotate(turn, FromEigen(Eigen::Vector3d(through.head<3>())))};
      r.torque = r.torque - Cross(Rotate(turn, joint.child_frame.position), r.force);
      const Vector3 z = Rotate(turn * joint.child_frame.orientation, Vector3{0, 0, 1});
      observation.reactions.push_back(ConstraintPart(joint.type, z, r));
    }
  }

  System system_;
  JointOffsets at_;
  dd::SkeletonPtr skeleton_;
  std::vector<dd::BodyNode*> nodes_;    // per body
  std::vector<std::size_t> first_dof_;  // per joint, in the skeleton
  std::vector<JointLaw> joint_laws_;
  std::vector<double> joint_forces_;  // per joint
  std::vector<bool> driven_;          // per joint
  bool has_elements_ = false;
  std::size_t nq_ = 0, nu_ = 0;
  Eigen::VectorXd positions_, velocities_;
  std::vector<BodyState> bodies_;
  std::vector<Wrench> wrenches_;
};

}  // namespace

std::unique_ptr<OdeFormulation> MakeDartFormulation(const System& system) {
  return std::make_unique<DartFormulation>(system);
}

}  // namespace mbsbench
