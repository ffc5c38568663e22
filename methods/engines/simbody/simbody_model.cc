#include "methods/engines/simbody/simbody_model.h"

#include <simbody/internal/Constraint_Ball.h>
#include <simbody/internal/Constraint_BuiltIns.h>
#include <simbody/internal/Constraint_Rod.h>
#include <simbody/internal/Constraint_Weld.h>
#include <simbody/internal/Force_BuiltIns.h>
#include <simbody/internal/Force_Custom.h>
#include <simbody/internal/MobilizedBody_Ball.h>
#include <simbody/internal/MobilizedBody_BuiltIns.h>
#include <simbody/internal/MobilizedBody_Free.h>
#include <simbody/internal/MobilizedBody_Ground.h>
#include <simbody/internal/MobilizedBody_Pin.h>
#include <simbody/internal/MobilizedBody_Slider.h>
#include <simbody/internal/MobilizedBody_Weld.h>
#include <simbody/internal/Motion.h>

#include "methods/kinematics/force_elements.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace {

std::size_t U(int i) { return static_cast<std::size_t>(i); }

// Rotates a frame so that its new x is its old z.
SimTK::Transform AlongZ(const SimTK::Transform& frame) {
  return frame * SimTK::Transform(SimTK::Rotation(-SimTK::Pi / 2, SimTK::YAxis));
}

// Universals turn about x and then about y; the model's about z and then about x.
SimTK::Transform ZThenX(const SimTK::Transform& frame) {
  return frame * SimTK::Transform(SimTK::Rotation(SimTK::Mat33(0, 1, 0, 0, 0, 1, 1, 0, 0), true));
}

SimTK::Body::Rigid RigidBody(const Body& body) {
  if (body.mass == 0)
    return SimTK::Body::Rigid(SimTK::MassProperties(0, SimTK::Vec3(0), SimTK::Inertia(0)));
  const Matrix3& i = body.inertia;
  return SimTK::Body::Rigid(
      SimTK::MassProperties(body.mass, SimTK::Vec3(0),
                            SimTK::Inertia(i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2), i(1, 2))));
}

SimTK::Quaternion QuaternionAt(const double* q) {
  return SimTK::Quaternion(SimTK::Vec4(q[0], q[1], q[2], q[3]));
}

// Elements that Simbody does not have: ground springs that push and pull, and loads in body axes.
class OtherForces : public SimTK::Force::Custom::Implementation {
 public:
  OtherForces(const SimbodyModel& model, System others)
      : model_(model),
        others_(std::move(others)),
        bodies_(others_.bodies.size()),
        wrenches_(others_.bodies.size()) {}

  void calcForce(const SimTK::State& state, SimTK::Vector_<SimTK::SpatialVec>& body_forces,
                 SimTK::Vector_<SimTK::Vec3>&, SimTK::Vector&) const override {
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const SimTK::MobilizedBody& body = model_.body(static_cast<int>(b));
      const SimTK::Quaternion q = body.getBodyRotation(state).convertRotationToQuaternion();
      bodies_[b] = {FromSimbody(body.getBodyOriginLocation(state)),
                    {q[0], q[1], q[2], q[3]},
                    FromSimbody(body.getBodyOriginVelocity(state)),
                    FromSimbody(body.getBodyAngularVelocity(state))};
      wrenches_[b] = {};
    }
    AddForceElements(others_, bodies_, wrenches_);
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      model_.body(static_cast<int>(b))
          .applyBodyForce(
              state,
              SimTK::SpatialVec(ToSimbody(wrenches_[b].moment), ToSimbody(wrenches_[b].force)),
              body_forces);
    }
  }
  // The harness computes the energy.
  SimTK::Real calcPotentialEnergy(const SimTK::State&) const override { return 0; }

 private:
  const SimbodyModel& model_;
  System others_;
  mutable std::vector<BodyState> bodies_;
  mutable std::vector<Wrench> wrenches_;
};

}  // namespace

SimbodyModel::SimbodyModel(const System& system)
    : system_(system), matter_(multibody_), forces_(multibody_), bodies_(system.bodies.size()) {
  forces_.setNumberOfThreads(1);
  SimTK::Force::Gravity(forces_, matter_, ToSimbody(system.gravity));
  const Topology topology = TopologyOf(system_);
  for (int body : topology.order) AddBody(body, system_.joints[U(topology.joint[U(body)])]);
  for (const Joint& joint : system_.loop_joints) AddLoopJoint(joint);
  for (const Driver& driver : system_.drivers) {
    SimTK::MobilizedBody driven =
        matter_.updMobilizedBody(bodies_[U(system_.joints[U(driver.joint)].child)]);
    SimTK::Motion::Steady(driven, driver.motion.rate);
  }
  AddForces();
  state_ = multibody_.realizeTopology();
  matter_.setUseEulerAngles(state_, false);
  multibody_.realizeModel(state_);
}

void SimbodyModel::AddBody(int body, const Joint& joint) {
  SimTK::MobilizedBody parent = matter_.updMobilizedBody(
      joint.parent == kGround ? SimTK::GroundIndex : bodies_[U(joint.parent)]);
  const SimTK::Body::Rigid rigid = RigidBody(system_.bodies[U(body)]);
  const SimTK::Transform f = ToSimbody(joint.parent_frame), m = ToSimbody(joint.child_frame);
  SimTK::MobilizedBody made;
  switch (joint.type) {
    case JointType::kBall: made = SimTK::MobilizedBody::Ball(parent, f, rigid, m); break;
    case JointType::kRevolute: made = SimTK::MobilizedBody::Pin(parent, f, rigid, m); break;
    case JointType::kPrismatic:
      made = SimTK::MobilizedBody::Slider(parent, AlongZ(f), rigid, AlongZ(m));
      break;
    case JointType::kFixed: made = SimTK::MobilizedBody::Weld(parent, f, rigid, m); break;
    case JointType::kFree: made = SimTK::MobilizedBody::Free(parent, f, rigid, m); break;
    case JointType::kUniversal:
      made = SimTK::MobilizedBody::Universal(parent, ZThenX(f), rigid, ZThenX(m));
      break;
    case JointType::kCylindrical: made = SimTK::MobilizedBody::Cylinder(parent, f, rigid, m); break;
    case JointType::kPlanar: made = SimTK::MobilizedBody::Planar(parent, f, rigid, m); break;
    case JointType::kDistance: break;  // of loops only
  }
  bodies_[U(body)] = made.getMobilizedBodyIndex();
}

void SimbodyModel::AddLoopJoint(const Joint& joint) {
  using SimTK::Constraint;
  std::vector<SimTK::ConstraintIndex>& closing = closing_.emplace_back();
  const auto upd = [this](int body) -> SimTK::MobilizedBody& {
    return matter_.updMobilizedBody(body == kGround ? SimTK::GroundIndex : bodies_[U(body)]);
  };
  SimTK::MobilizedBody &parent = upd(joint.parent), &child = upd(joint.child);
  const SimTK::Transform f = ToSimbody(joint.parent_frame), m = ToSimbody(joint.child_frame);
  const auto add = [&closing](const Constraint& c) { closing.push_back(c.getConstraintIndex()); };
  const auto perpendicular = [&](const SimTK::UnitVec3& on_parent,
                                 const SimTK::UnitVec3& on_child) {
    add(Constraint::ConstantAngle(parent, on_parent, child, on_child));  // pi/2
  };
  switch (joint.type) {
    case JointType::kBall: add(Constraint::Ball(parent, f.p(), child, m.p())); break;
    case JointType::kRevolute:
      add(Constraint::Ball(parent, f.p(), child, m.p()));
      perpendicular(f.x(), m.z());
      perpendicular(f.y(), m.z());
      break;
    case JointType::kUniversal:
      add(Constraint::Ball(parent, f.p(), child, m.p()));
      perpendicular(f.z(), m.x());
      break;
    case JointType::kPrismatic:
      add(Constraint::ConstantOrientation(parent, f.R(), child, m.R()));
      for (const SimTK::UnitVec3& normal : {f.x(), f.y()})
        add(Constraint::PointInPlane(parent, normal, SimTK::dot(f.p(), normal), child, m.p()));
      break;
    case JointType::kFixed: add(Constraint::Weld(parent, f, child, m)); break;
    case JointType::kDistance:
      add(Constraint::Rod(parent, f.p(), child, m.p(), joint.length));
      break;
    case JointType::kFree:
    case JointType::kCylindrical:
    case JointType::kPlanar: break;  // of trees only
  }
}

void SimbodyModel::AddForces() {
  using SimTK::Force;
  const auto at = [this](int index) -> const SimTK::MobilizedBody& { return body(index); };
  for (const SpringDamper& e : system_.forces.Of<SpringDamper>()) {
    const SimTK::Vec3 a = ToSimbody(e.point_a), b = ToSimbody(e.point_b);
    Force::TwoPointLinearSpring(forces_, at(e.body_a), a, at(e.body_b), b, e.stiffness,
                                e.free_length);
    if (e.damping != 0)
      Force::TwoPointLinearDamper(forces_, at(e.body_a), a, at(e.body_b), b, e.damping);
  }
  for (const JointSpringDamper& e : system_.forces.Of<JointSpringDamper>()) {
    const SimTK::MobilizedBody& jointed = body(system_.joints[U(e.joint)].child);
    Force::MobilityLinearSpring(forces_, jointed, SimTK::MobilizerQIndex(0), e.stiffness,
                                e.free_coordinate);
    if (e.damping != 0)
      Force::MobilityLinearDamper(forces_, jointed, SimTK::MobilizerUIndex(0), e.damping);
  }
  System others;
  others.bodies = system_.bodies;
  others.forces.Of<GroundSpring>() = system_.forces.Of<GroundSpring>();
  for (const AppliedForce& e : system_.forces.Of<AppliedForce>()) {
    if (e.in_body_axes) {
      others.forces.Of<AppliedForce>().push_back(e);
      continue;
    }
    Force::ConstantForce(forces_, at(e.body), ToSimbody(e.point), ToSimbody(e.force));
    Force::ConstantTorque(forces_, at(e.body), ToSimbody(e.moment));
  }
  if (others.forces.AnyOnBodies())
    Force::Custom(forces_, new OtherForces(*this, std::move(others)));
}

void SimbodyModel::SetState(const JointState& joints, SimTK::State& state) const {
  const JointOffsets at = OffsetsOf(system_);
  for (std::size_t j = 0; j < system_.joints.size(); ++j) {
    const SimTK::MobilizedBody& mobilized = body(system_.joints[j].child);
    const double* const q = joints.q.data() + at.q[j];
    const double* const u = joints.u.data() + at.u[j];
    switch (system_.joints[j].type) {
      case JointType::kBall: {
        const SimTK::Quaternion turn = QuaternionAt(q);
        mobilized.setQFromVector(state, SimTK::Vector(turn.asVec4()));
        mobilized.setUFromVector(
            state, SimTK::Vector(SimTK::Rotation(turn) * SimTK::Vec3(u[0], u[1], u[2])));
        break;
      }
      case JointType::kFree: {
        const SimTK::Quaternion turn = QuaternionAt(q + 3);
        const SimTK::Vec3 spin = SimTK::Rotation(turn) * SimTK::Vec3(u[3], u[4], u[5]);
        for (int i = 0; i < 4; ++i) mobilized.setOneQ(state, i, turn[i]);
        for (int i = 0; i < 3; ++i) {
          mobilized.setOneQ(state, 4 + i, q[i]);
          mobilized.setOneU(state, i, spin[i]);
          mobilized.setOneU(state, 3 + i, u[i]);
        }
        break;
      }
      case JointType::kRevolute:
      case JointType::kPrismatic:
      case JointType::kUniversal:
      case JointType::kCylindrical:
      case JointType::kPlanar: {  // in Simbody rotations precede translations
        const JointType type = system_.joints[j].type;
        const int count = RateCount(type);
        int slides = 0;
        while (IsLength(type, slides)) ++slides;
        for (int k = 0; k < count; ++k) {
          const int place = k < slides ? k + count - slides : k - slides;
          mobilized.setOneQ(state, place, q[k]);
          mobilized.setOneU(state, place, u[k]);
        }
        break;
      }
      case JointType::kFixed:
      case JointType::kDistance: break;
    }
  }
}

}  // namespace mbsbench
