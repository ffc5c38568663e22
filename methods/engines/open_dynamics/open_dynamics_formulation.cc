#include "methods/engines/open_dynamics/open_dynamics_formulation.h"

#include <ode/ode.h>

#include <algorithm>
#include <stdexcept>

#include "methods/engines/absolute_engine.h"
#include "methods/engines/joint_engine.h"
#include "methods/interface/fixed_steps.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"

namespace mbsbench {

namespace {

static_assert(sizeof(dReal) == sizeof(double), "ODE in double precision");

const char kFailed[] = "ODE reported an error at this state";

std::size_t U(int i) { return static_cast<std::size_t>(i); }

Vector3 FromOde(const dReal* v) { return {v[0], v[1], v[2]}; }

// ODE ends the process on an error and writes every message to standard error, unless stated otherwise.
void ThrowError(int, const char*, va_list) { throw std::runtime_error(kFailed); }
void IgnoreMessage(int, const char*, va_list) {}

struct DestroyWorld {
  void operator()(dxWorld* world) const { dWorldDestroy(world); }
};

class OpenDynamicsFormulation : public AbsoluteEngine, public FixedStepper {
 public:
  explicit OpenDynamicsFormulation(const System& system)
      : AbsoluteEngine(system),
        FixedStepper(static_cast<Formulation&>(*this)),
        topology_(TopologyOf(system_)),
        world_(dWorldCreate()),
        own_erp_(dWorldGetERP(world_.get())),
        own_cfm_(dWorldGetCFM(world_.get())),
        rates_(U(OffsetsOf(system_).u.back())),
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
    Place();
    for (std::size_t j = 0; j < system_.joints.size(); ++j) AddJoint(j);
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

  // As the header describes.
  Status Accelerate(double t) override {
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
    for (std::size_t b = 0; b < made_.size(); ++b) {
      BodyAcceleration& a = accelerations_[b];
      a.acceleration = a.acceleration + FromOde(dBodyGetLinearVel(made_[b]));
      a.angular_acceleration = a.angular_acceleration + FromOde(dBodyGetAngularVel(made_[b]));
    }
    return {};
  }

  Wrench OnChild(std::size_t joint) const override {
    const bool is_first = system_.joints[joint].parent == kGround;
    const dJointFeedback& on = feedback_[joint];
    return {FromOde(is_first ? on.f1 : on.f2), FromOde(is_first ? on.t1 : on.t2)};
  }

  Status StepWorld(double h) {
    try {
      if (dWorldStep(world_.get(), h) != 0) return {};
    } catch (const std::exception&) {
    }
    return {Status::Code::kStepFailed, -1, -1, kFailed};
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

  void ApplyForces(double t) {
    std::size_t b = 0;
    for (const auto& [force, moment] : WrenchesAt(t)) {
      dBodyAddForce(made_[b], force.x, force.y, force.z);
      dBodyAddTorque(made_[b++], moment.x, moment.y, moment.z);
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

  const Topology topology_;
  std::unique_ptr<dxWorld, DestroyWorld> world_;
  const double own_erp_, own_cfm_;
  const std::size_t rates_;
  std::vector<dxBody*> made_;  // per body
  std::vector<dxJoint*> joints_;
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
