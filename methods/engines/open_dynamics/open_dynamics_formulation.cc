#include "methods/engines/open_dynamics/open_dynamics_formulation.h"

#include <ode/ode.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "methods/engines/joint_engine.h"
#include "methods/interface/fixed_steps.h"
#include "problems/model/error.h"
#include "problems/model/forces.h"
#include "problems/model/kinematics.h"

namespace mbsbench {

namespace {

static_assert(sizeof(dReal) == sizeof(double), "ODE in double precision");

const char kFailed[] = "ODE reported an error at this state";
const char kStateNotFinite[] = "the state is not finite";
const char kNotFinite[] = "ODE's accelerations are not finite";

constexpr std::size_t kSize = 13;  // entries of y per body

std::size_t U(int i) { return static_cast<std::size_t>(i); }

Vector3 FromOde(const dReal* v) { return {v[0], v[1], v[2]}; }
Vector3 VectorAt(const double* v) { return {v[0], v[1], v[2]}; }
void Put(const Vector3& v, double* to) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }

// ODE ends the process on an error and writes every message to standard error, unless stated otherwise.
void ThrowError(int, const char*, va_list) { throw std::runtime_error(kFailed); }
void IgnoreMessage(int, const char*, va_list) {}

struct DestroyWorld {
  void operator()(dxWorld* world) const { dWorldDestroy(world); }
};

class OpenDynamicsFormulation : public OdeFormulation,
                                public FixedStepper,
                                public Projects,
                                public HasPower {
 public:
  explicit OpenDynamicsFormulation(const System& system)
      : FixedStepper(static_cast<Formulation&>(*this)),
        system_(system),
        topology_(TopologyOf(system_)),
        joint_laws_(JointLawsOf(system_)),
        world_(dWorldCreate()),
        own_erp_(dWorldGetERP(world_.get())),
        own_cfm_(dWorldGetCFM(world_.get())),
        bodies_(system_.bodies.size()),
        wrenches_(system_.bodies.size()),
        feedback_(system_.joints.size()) {
    dWorldSetGravity(world_.get(), system_.gravity.x, system_.gravity.y, system_.gravity.z);
    for (const Body& body : system_.bodies) {
      dxBody* const made = dBodyCreate(world_.get());
      dMass mass;
      const SymmetricMatrix3& i = body.inertia;
      dMassSetParameters(&mass, body.mass, 0, 0, 0, i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2),
                         i(1, 2));
      dBodySetMass(made, &mass);
      made_.push_back(made);
    }
    // Joints are made where all coordinates are zero.
    const JointOffsets at = OffsetsOf(system_);
    rates_ = U(at.u.back());
    JointState zero{std::vector<double>(U(at.q.back())), std::vector<double>(rates_)};
    for (std::size_t j = 0; j < system_.joints.size(); ++j)
      if (TurnsFreely(system_.joints[j].type)) zero.q[U(at.q[j + 1] - 4)] = 1;
    bodies_ = ForwardKinematics(system_, zero);
    Place();
    for (std::size_t j = 0; j < system_.joints.size(); ++j) AddJoint(j);
  }

  std::size_t state_size() const override { return kSize * system_.bodies.size(); }
  std::vector<Dimension> Dimensions() const override {
    using enum Dimension;
    constexpr std::array kOfBody{kLength, kLength, kLength, kNumber, kNumber, kNumber, kNumber,
                                 kSpeed,  kSpeed,  kSpeed,  kRate,   kRate,   kRate};
    std::vector<Dimension> dimensions;
    for (std::size_t b = 0; b < system_.bodies.size(); ++b)
      dimensions.insert(dimensions.end(), kOfBody.begin(), kOfBody.end());
    return dimensions;
  }

  Status Initialise(double, const SystemState& state, std::span<double> y) override {
    Write(state.bodies, y);
    return {};
  }

  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    const Status status = Accelerate(t, y);
    for (std::size_t b = 0; b < bodies_.size() && status.ok(); ++b) {
      double* const to = ydot.data() + kSize * b;
      Put(bodies_[b].velocity, to);
      const Vector3& w = bodies_[b].angular_velocity;
      const double* const q = y.data() + kSize * b + 3;
      const Quaternion rate =
          Quaternion{0, w.x / 2, w.y / 2, w.z / 2} * Quaternion{q[0], q[1], q[2], q[3]};
      to[3] = rate.w, to[4] = rate.x, to[5] = rate.y, to[6] = rate.z;
      Put(accelerations_[b].acceleration, to + 7);
      Put(accelerations_[b].angular_acceleration, to + 10);
    }
    if (!status.ok()) std::ranges::fill(ydot, NAN);
    return status;
  }

  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) override {
    observation.accelerations.clear();
    observation.reactions.clear();
    observation.drivers.clear();
    if (detail == Detail::kMotion) {
      const Status status = Read(y);
      observation.bodies = bodies_;
      return status;
    }
    if (const Status status = Accelerate(t, y); !status.ok()) return status;
    observation.bodies = bodies_;
    observation.accelerations = accelerations_;
    if (detail != Detail::kReactions) return {};
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      const Joint& joint = system_.joints[j];
      JointReaction& r = observation.reactions.emplace_back();
      if (joint.type == JointType::kFree) continue;
      const bool is_first = joint.parent == kGround;
      const dJointFeedback& on = feedback_[j];
      r.force = FromOde(is_first ? on.f1 : on.f2);
      const Vector3 arm = Rotate(bodies_[U(joint.child)].orientation, joint.child_frame.position);
      r.torque = FromOde(is_first ? on.t1 : on.t2) - Cross(arm, r.force);
    }
    return {};
  }

  // Joints open otherwise.
  Projects* projection() override { return this; }
  bool needs_projection() const override { return true; }
  Status Project(double, std::span<double> y) override {
    if (const Status status = Read(y); !status.ok()) return status;
    Write(ForwardKinematics(system_, JointStateOf(system_, bodies_)), y);
    return {};
  }

  HasPower* power() override { return HasNonConservativeForces(system_) ? this : nullptr; }
  double Power(double t, std::span<const double> y) override {
    if (!Read(y).ok()) return NAN;
    const JointState joints = JointStateOf(system_, bodies_);
    return NonConservativePower(system_, t, bodies_, &joints);
  }

  TimeStepper* time_stepper() override { return this; }

 private:
  Status Advance(double t, std::span<const double> y, double h, std::span<double> out) override {
    ++counters_.evaluations;
    if (const Status status = Read(y); !status.ok()) return status;
    Place();
    for (dxBody* body : made_) dBodySetGyroscopicMode(body, 1);
    Soften(own_erp_, own_cfm_);
    ApplyForces(t);
    if (const Status status = StepWorld(h); !status.ok()) return status;
    for (std::size_t b = 0; b < made_.size(); ++b) {
      double* const to = out.data() + kSize * b;
      std::copy_n(dBodyGetPosition(made_[b]), 3, to);
      std::copy_n(dBodyGetQuaternion(made_[b]), 4, to + 3);
      std::copy_n(dBodyGetLinearVel(made_[b]), 3, to + 7);
      std::copy_n(dBodyGetAngularVel(made_[b]), 3, to + 10);
    }
    return {};
  }

  // The accelerations at (t, y), as the header describes.
  Status Accelerate(double t, std::span<const double> y) {
    if (const Status status = Read(y); !status.ok()) return status;
    const std::vector<double> at_rest(rates_);
    accelerations_ =
        AccelerationsOfTree(system_, topology_, bodies_, JointStateOf(system_, bodies_), at_rest);
    Place();
    Soften(0, 0);
    ApplyForces(t);
    for (std::size_t b = 0; b < made_.size(); ++b) {
      const Vector3 &v = accelerations_[b].acceleration,
                    &w = accelerations_[b].angular_acceleration;
      dBodySetLinearVel(made_[b], -v.x, -v.y, -v.z);
      dBodySetAngularVel(made_[b], -w.x, -w.y, -w.z);
      dBodySetGyroscopicMode(made_[b], 0);
      const BodyState& body = bodies_[b];
      const Vector3 momentum =
          Rotate(body.orientation, Matrix3(system_.bodies[b].inertia) *
                                       Rotate(Conjugate(body.orientation), body.angular_velocity));
      const Vector3 gyroscopic = Cross(momentum, body.angular_velocity);
      dBodyAddTorque(made_[b], gyroscopic.x, gyroscopic.y, gyroscopic.z);
    }
    if (const Status status = StepWorld(1); !status.ok()) return status;
    double sum = 0;
    for (std::size_t b = 0; b < made_.size(); ++b) {
      BodyAcceleration& a = accelerations_[b];
      a.acceleration = a.acceleration + FromOde(dBodyGetLinearVel(made_[b]));
      a.angular_acceleration = a.angular_acceleration + FromOde(dBodyGetAngularVel(made_[b]));
      sum += Norm(a.acceleration) + Norm(a.angular_acceleration);
    }
    if (!std::isfinite(sum)) return {Status::Code::kNotFinite, -1, -1, kNotFinite};
    return {};
  }

  Status StepWorld(double h) {
    try {
      if (dWorldStep(world_.get(), h) != 0) return {};
    } catch (const std::exception&) {
    }
    return {Status::Code::kStepFailed, -1, -1, kFailed};
  }

  // ODE ends the process where an orientation is not finite.
  Status Read(std::span<const double> y) {
    double sum = 0;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const double* const from = y.data() + kSize * b;
      bodies_[b] = {VectorAt(from), Normalised({from[3], from[4], from[5], from[6]}),
                    VectorAt(from + 7), VectorAt(from + 10)};
      sum += Norm(bodies_[b].position) + Norm(bodies_[b].orientation) + Norm(bodies_[b].velocity) +
             Norm(bodies_[b].angular_velocity);
    }
    if (!std::isfinite(sum)) return {Status::Code::kNotFinite, -1, -1, kStateNotFinite};
    return {};
  }
  static void Write(const std::vector<BodyState>& bodies, std::span<double> y) {
    double* to = y.data();
    for (const BodyState& body : bodies) {
      const Quaternion& q = body.orientation;
      Put(body.position, to);
      to[3] = q.w, to[4] = q.x, to[5] = q.y, to[6] = q.z;
      Put(body.velocity, to + 7);
      Put(body.angular_velocity, to + 10);
      to += kSize;
    }
  }
  // ODE's bodies to bodies_.
  void Place() {
    for (std::size_t b = 0; b < made_.size(); ++b) {
      const auto& [r, q, v, w] = bodies_[b];
      const dQuaternion turn{q.w, q.x, q.y, q.z};
      dBodySetPosition(made_[b], r.x, r.y, r.z);
      dBodySetQuaternion(made_[b], turn);
      dBodySetLinearVel(made_[b], v.x, v.y, v.z);
      dBodySetAngularVel(made_[b], w.x, w.y, w.z);
      dBodySetForce(made_[b], 0, 0, 0);
      dBodySetTorque(made_[b], 0, 0, 0);
    }
  }

  // Balls and fixed joints have numbers of their own.
  void Soften(double erp, double cfm) {
    dWorldSetERP(world_.get(), erp);
    dWorldSetCFM(world_.get(), cfm);
    for (dxJoint* joint : joints_) {
      const bool is_ball = dJointGetType(joint) == dJointTypeBall;
      if (!is_ball && dJointGetType(joint) != dJointTypeFixed) continue;
      const auto set = is_ball ? dJointSetBallParam : dJointSetFixedParam;
      set(joint, dParamERP, erp);
      set(joint, dParamCFM, cfm);
    }
  }

  // Adds all forces but gravity.
  void ApplyForces(double t) {
    if (system_.forces.AnyOnBodies()) {
      std::ranges::fill(wrenches_, Wrench{});
      AddForceElements(system_, bodies_, wrenches_);
      for (std::size_t b = 0; b < made_.size(); ++b) {
        const auto& [f, m] = wrenches_[b];
        dBodyAddForce(made_[b], f.x, f.y, f.z);
        dBodyAddTorque(made_[b], m.x, m.y, m.z);
      }
    }
    for (const JointLaw& law : joint_laws_) {  // of motors, which need no coordinate
      const Joint& joint = system_.joints[U(law.joint)];
      const BodyState& child = bodies_[U(joint.child)];
      const Vector3 z = Rotate(child.orientation * joint.child_frame.orientation, {0, 0, 1});
      const Vector3 at = child.position + Rotate(child.orientation, joint.child_frame.position);
      for (const int body : {joint.child, joint.parent}) {
        if (body == kGround) continue;
        const Vector3 e = (body == joint.child ? 1 : -1) * law.At(t, 0., 0.) * z;
        if (law.turns) {
          dBodyAddTorque(made_[U(body)], e.x, e.y, e.z);
        } else {
          dBodyAddForceAtPos(made_[U(body)], e.x, e.y, e.z, at.x, at.y, at.z);
        }
      }
    }
  }

  void AddJoint(std::size_t index) {
    const Joint& joint = system_.joints[index];
    const BodyState& child = bodies_[U(joint.child)];
    const Quaternion axes = child.orientation * joint.child_frame.orientation;
    const Vector3 x = Rotate(axes, {1, 0, 0}), z = Rotate(axes, {0, 0, 1});
    const Vector3 at = child.position + Rotate(child.orientation, joint.child_frame.position);
    dxWorld* const world = world_.get();
    dxJoint* made = nullptr;
    switch (joint.type) {
      case JointType::kBall: made = dJointCreateBall(world, nullptr); break;
      case JointType::kRevolute: made = dJointCreateHinge(world, nullptr); break;
      case JointType::kPrismatic: made = dJointCreateSlider(world, nullptr); break;
      case JointType::kFixed: made = dJointCreateFixed(world, nullptr); break;
      case JointType::kUniversal: made = dJointCreateUniversal(world, nullptr); break;
      case JointType::kFree: return;
      case JointType::kDistance:
      case JointType::kCylindrical:
      case JointType::kPlanar: return;  // refused
    }
    dJointAttach(made, joint.parent == kGround ? nullptr : made_[U(joint.parent)],
                 made_[U(joint.child)]);
    if (joint.type == JointType::kBall) {
      dJointSetBallAnchor(made, at.x, at.y, at.z);
    } else if (joint.type == JointType::kRevolute) {
      dJointSetHingeAnchor(made, at.x, at.y, at.z);
      dJointSetHingeAxis(made, z.x, z.y, z.z);
    } else if (joint.type == JointType::kPrismatic) {
      dJointSetSliderAxis(made, z.x, z.y, z.z);
    } else if (joint.type == JointType::kFixed) {
      dJointSetFixed(made);
    } else {  // universal: z of the parent, x of the child
      dJointSetUniversalAnchor(made, at.x, at.y, at.z);
      dJointSetUniversalAxis1(made, z.x, z.y, z.z);
      dJointSetUniversalAxis2(made, x.x, x.y, x.z);
    }
    dJointSetFeedback(made, &feedback_[index]);
    joints_.push_back(made);
  }

  const System system_;
  const Topology topology_;
  const std::vector<JointLaw> joint_laws_;
  std::unique_ptr<dxWorld, DestroyWorld> world_;
  const double own_erp_, own_cfm_;
  std::size_t rates_ = 0;
  std::vector<dxBody*> made_;  // per body
  std::vector<dxJoint*> joints_;
  std::vector<BodyState> bodies_;
  std::vector<Wrench> wrenches_;
  std::vector<BodyAcceleration> accelerations_;
  std::vector<dJointFeedback> feedback_;  // per joint
};

}  // namespace

std::unique_ptr<OdeFormulation> MakeOpenDynamicsFormulation(const System& system) {
  static const bool is_ready = dInitODE2(0) != 0;
  dSetErrorHandler(ThrowError);
  dSetDebugHandler(ThrowError);
  dSetMessageHandler(IgnoreMessage);
  if (!is_ready || dAllocateODEDataForThread(dAllocateMaskAll) == 0)
    throw ModelError("ODE could not be started.");
  if (dCheckConfiguration("ODE_double_precision") == 0)
    throw ModelError("ODE was built in single precision: its digits are too few to compare.");
  return std::make_unique<OpenDynamicsFormulation>(system);
}

}  // namespace mbsbench
