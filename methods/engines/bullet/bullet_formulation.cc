#include "methods/engines/bullet/bullet_formulation.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointFeedback.h>

#include <algorithm>
#include <array>

#include "methods/engines/constraint_part.h"
#include "methods/engines/joint_engine.h"
#include "methods/engines/principal_inertia.h"
#include "methods/interface/fixed_steps.h"

namespace mbsbench {

namespace {

static_assert(sizeof(btScalar) == sizeof(double), "Bullet in double precision");

constexpr double kNoLimit = 1e300;

std::size_t U(int i) { return static_cast<std::size_t>(i); }

btVector3 ToBullet(const Vector3& v) { return {v.x, v.y, v.z}; }
Vector3 FromBullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
btQuaternion ToBullet(const Quaternion& q) { return {q.x, q.y, q.z, q.w}; }

class BulletFormulation : public JointEngine, public FixedStepper {
 public:
  explicit BulletFormulation(const System& system)
      : JointEngine(system),
        FixedStepper(static_cast<Formulation&>(*this)),
        links_(system_.bodies.size()),
        turns_(system_.joints.size()) {
    int links = 0;
    for (const Joint& joint : system_.joints) links += joint.type == JointType::kFree ? 4 : 1;
    multibody_ = std::make_unique<btMultiBody>(links, 0, btVector3(0, 0, 0), true, false);
    multibody_->setLinearDamping(0);
    multibody_->setAngularDamping(0);
    multibody_->setMaxCoordinateVelocity(kNoLimit);
    feedback_.resize(system_.bodies.size());
    for (const Body& body : system_.bodies) principal_.push_back(PrincipalOf(body.inertia));
    for (int body : topology_.order) AddBody(body);
    multibody_->finalizeMultiDof();
  }

  TimeStepper* time_stepper() override { return this; }

 private:
  Status Advance(double t, std::span<const double> y, double h, std::span<double> out) override {
    ++counters_.evaluations;
    Move(y, LoadsAt(t, y), h);
    multibody_->stepPositionsMultiDof(h);
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      double* q = out.data() + at_.q[j];
      double* u = out.data() + joints_.count() + U(at_.u[j]);
      ForLinks(j, [&](int link) {
        const double* const position = multibody_->getJointPosMultiDof(link);
        const double* const rate = multibody_->getJointVelMultiDof(link);
        if (multibody_->getLink(link).m_jointType != btMultibodyLink::eSpherical) {
          *q++ = *position, *u++ = *rate;
          return;
        }
        const Quaternion back = Conjugate(turns_[j]);
        const Quaternion turn =
            back * Quaternion{position[3], position[0], position[1], position[2]} * turns_[j];
        q[0] = turn.w, q[1] = turn.x, q[2] = turn.y, q[3] = turn.z;
        const Vector3 spin = Rotate(back, {rate[0], rate[1], rate[2]});
        u[0] = spin.x, u[1] = spin.y, u[2] = spin.z;
      });
    }
    return {};
  }

  Status Accelerate(std::span<const double> y, const Loads& loads,
                    std::span<double> accelerations) override {
    Move(y, loads, 0);
    // Where Bullet leaves the accelerations: behind as many numbers as there are rates, those of the base first.
    const double* const all = &scratch_numbers_[multibody_->getNumDofs()] + 6;
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      double* to = accelerations.data() + at_.u[j];
      ForLinks(j, [&](int link) {
        const double* const from = all + multibody_->getLink(link).m_dofOffset;
        if (multibody_->getLink(link).m_jointType != btMultibodyLink::eSpherical) {
          *to++ = *from;
          return;
        }
        const Vector3 a = Rotate(Conjugate(turns_[j]), {from[0], from[1], from[2]});
        to[0] = a.x, to[1] = a.y, to[2] = a.z;
      });
    }
    return {};
  }

  std::vector<JointReaction> Reactions(std::span<const BodyState> bodies) const override {
    std::vector<JointReaction> reactions;
    for (const Joint& joint : system_.joints) {
      const auto b = U(joint.child);
      const Quaternion axes = bodies[b].orientation * principal_[b].axes;
      const btSpatialForceVector& through = feedback_[b].m_reactionForces;
      JointReaction r{Rotate(axes, FromBullet(through.getLinear())),
                      Rotate(axes, FromBullet(through.getAngular()))};
      const Quaternion& turn = bodies[b].orientation;
      r.torque = r.torque - Cross(Rotate(turn, joint.child_frame.position), r.force);
      const Vector3 z = Rotate(turn * joint.child_frame.orientation, {0, 0, 1});
      reactions.push_back(ConstraintPart(joint.type, z, r));
    }
    return reactions;
  }

  // The links of a joint with a motion, the body's last.
  template <class Visit>
  void ForLinks(std::size_t j, Visit visit) const {
    const int last = links_[U(system_.joints[j].child)];
    const int first = system_.joints[j].type == JointType::kFree ? last - 3 : last;
    for (int link = first; link <= last && system_.joints[j].type != JointType::kFixed; ++link)
      visit(link);
  }

  void AddBody(int index) {
    const auto j = U(topology_.joint[U(index)]);
    const Joint& joint = system_.joints[j];
    const Body& body = system_.bodies[U(index)];
    const bool on_ground = joint.parent == kGround;
    int parent = on_ground ? -1 : links_[U(joint.parent)];
    // Axes of the parent's link -> P, and those of P -> the own ones at q = 0.
    const Quaternion into_joint = Conjugate(joint.parent_frame.orientation) *
                                  (on_ground ? Quaternion{} : principal_[U(joint.parent)].axes);
    const Quaternion into_body = Conjugate(principal_[U(index)].axes);
    turns_[j] = into_body * joint.child_frame.orientation;
    Quaternion turn = into_joint;
    Vector3 to_pivot = on_ground ? joint.parent_frame.position
                                 : Rotate(Conjugate(principal_[U(joint.parent)].axes),
                                          joint.parent_frame.position);
    if (joint.type == JointType::kFree) {
      for (const btVector3& axis : {btVector3{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) {
        multibody_->setupPrismatic(next_, 0, {0, 0, 0}, parent, ToBullet(turn), axis,
                                   ToBullet(to_pivot), {0, 0, 0}, true);
        parent = next_++, turn = {}, to_pivot = {};
      }
    }
    const btVector3 moments = ToBullet(principal_[U(index)].moments);
    const btVector3 from_pivot = ToBullet(Rotate(into_body, -joint.child_frame.position));
    const btVector3 z = ToBullet(Rotate(turns_[j], {0, 0, 1}));
    const btQuaternion rotation = ToBullet(turns_[j] * turn);
    const btVector3 pivot = ToBullet(to_pivot);
    switch (joint.type) {
      case JointType::kBall:
      case JointType::kFree:
        multibody_->setupSpherical(next_, body.mass, moments, parent, rotation, pivot, from_pivot);
        break;
      case JointType::kRevolute:
        multibody_->setupRevolute(next_, body.mass, moments, parent, rotation, z, pivot,
                                  from_pivot);
        break;
      case JointType::kPrismatic:
        multibody_->setupPrismatic(next_, body.mass, moments, parent, rotation, z, pivot,
                                   from_pivot, true);
        break;
      case JointType::kFixed:
        multibody_->setupFixed(next_, body.mass, moments, parent, rotation, pivot, from_pivot);
        break;
      case JointType::kDistance:
      case JointType::kUniversal:
      case JointType::kCylindrical:
      case JointType::kPlanar: break;  // arrive as single axes
    }
    multibody_->getLink(next_).m_jointFeedback = &feedback_[U(index)];
    links_[U(index)] = next_++;
  }

  // The accelerations at y under the loads and gravity; for h > 0 the velocities move on by h.
  void Move(std::span<const double> y, const Loads& loads, double h) {
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      const double* q = y.data() + at_.q[j];
      const double* u = y.data() + joints_.count() + U(at_.u[j]);
      const double* effort = loads.efforts.data() + at_.u[j];
      ForLinks(j, [&](int link) {
        if (multibody_->getLink(link).m_jointType != btMultibodyLink::eSpherical) {
          multibody_->setJointPosMultiDof(link, q++);
          multibody_->setJointVelMultiDof(link, u++);
          multibody_->getLink(link).m_jointTorque[0] = *effort++;
          return;
        }
        const Quaternion turn =
            turns_[j] * Normalised({q[0], q[1], q[2], q[3]}) * Conjugate(turns_[j]);
        const Vector3 spin = Rotate(turns_[j], {u[0], u[1], u[2]});
        multibody_->setJointPosMultiDof(link, std::array{turn.x, turn.y, turn.z, turn.w}.data());
        multibody_->setJointVelMultiDof(link, std::array{spin.x, spin.y, spin.z}.data());
      });
    }
    for (std::size_t b = 0; b < links_.size(); ++b) {
      btMultibodyLink& link = multibody_->getLink(links_[b]);
      link.m_appliedForce = ToBullet(system_.bodies[b].mass * system_.gravity);
      if (loads.wrenches.empty()) continue;
      link.m_appliedForce += ToBullet(loads.wrenches[b].force);
      link.m_appliedTorque = ToBullet(loads.wrenches[b].moment);
    }
    multibody_->computeAccelerationsArticulatedBodyAlgorithmMultiDof(
        h, scratch_numbers_, scratch_vectors_, scratch_matrices_, false, false, false);
  }

  std::unique_ptr<btMultiBody> multibody_;
  int next_ = 0;                                    // link to set up
  std::vector<int> links_;                          // per body
  std::vector<Principal> principal_;                // per body
  std::vector<Quaternion> turns_;                   // per joint: axes of C -> those of the link
  std::vector<btMultiBodyJointFeedback> feedback_;  // per body
  btAlignedObjectArray<btScalar> scratch_numbers_;
  btAlignedObjectArray<btVector3> scratch_vectors_;
  btAlignedObjectArray<btMatrix3x3> scratch_matrices_;
};

}  // namespace

std::unique_ptr<OdeFormulation> MakeBulletFormulation(const System& system) {
  return std::make_unique<BulletFormulation>(system);
}

}  // namespace mbsbench
