#include "methods/kane_huston/paper_formulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "methods/coordinates/checked_evaluation.h"
#include "methods/kane_huston/lumped_rods.h"
#include "methods/kinematics/force_elements.h"
#include "methods/kinematics/joint_reactions.h"
#include "methods/thresholds/thresholds.h"
#include "problems/model/error.h"
#include "problems/model/topology.h"

namespace mbsbench::kane_huston {

template class LumpedRods<double>;

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

// The plane of the motion and where a rod lies in it when all joint angles are zero.
struct Plane {
  Vector3 x, y, normal;  // right-handed, inertial
  Vector3 origin;        // node 0
};
struct Rod {
  int body = 0, joint = 0;
  double turn = 1;         // +1 where the joint's z axis is along the normal, -1 where against it
  double length = 0;       // [m]
  Quaternion orientation;  // body -> inertial at zero joint angles
  double theta = 0;        // of the rod at zero joint angles
};
struct RodChain {
  Plane plane;
  std::vector<Rod> rods;  // root to tip
};

Vector3 ZAxis(const Quaternion& q) { return Rotate(q, {0, 0, 1}); }

Plane PlaneOf(const Joint& pin) {
  Plane plane;
  plane.normal = ZAxis(pin.parent_frame.orientation);
  plane.origin = pin.parent_frame.position;
  // y is the inertial y axis where the plane holds it, as in the paper; else what is nearest to it.
  Vector3 y{0, 1, 0};
  if (std::abs(Dot(y, plane.normal)) > 0.9) y = {0, 0, 1};
  y = y - Dot(y, plane.normal) * plane.normal;
  plane.y = (1 / Norm(y)) * y;
  plane.x = Cross(plane.y, plane.normal);
  return plane;
}

Verdict Refuse(const std::string& kind, const std::string& name, const std::string& why) {
  return Verdict::No(fmt::format(
      "kane-huston:paper takes one planar chain of massless rods with point masses at their ends; "
      "{} '{}' {}.",
      kind, name, why));
}

// Fills `chain` as far as the system, which moves in a plane about revolutes, is one.
Verdict ReadChain(const System& system, RodChain& chain) {
  const Topology tree = TopologyOf(system);
  if (tree.roots.size() > 1)
    return Refuse("body", system.bodies[At(tree.roots[1])].name, "begins a second chain");
  Quaternion parent_orientation;
  for (int b : tree.order) {
    const Body& body = system.bodies[At(b)];
    const Joint& joint = system.joints[At(tree.joint[At(b)])];
    if (tree.children[At(b)].size() > 1)
      return Refuse("body", body.name, "carries more than one rod");
    for (double entry : body.inertia.entries) {
      if (entry != 0)
        return Refuse("body", body.name, "has rotary inertia, where the mass sits in a point");
    }
    if (chain.rods.empty()) {
      chain.plane = PlaneOf(joint);
    } else if (Norm(joint.parent_frame.position) >
               kThresholds.in_plane * chain.rods.back().length) {
      return Refuse("joint", joint.name,
                    "is not at the point mass of the rod before it (its parent_frame must have "
                    "position zero)");
    }
    const Plane& plane = chain.plane;
    Rod rod;
    rod.body = b;
    rod.joint = tree.joint[At(b)];
    const Quaternion joint_axes = parent_orientation * joint.parent_frame.orientation;
    const double cosine = Dot(ZAxis(joint_axes), plane.normal);
    rod.turn = cosine > 0 ? 1 : -1;
    rod.orientation = Normalised(joint_axes * Conjugate(joint.child_frame.orientation));
    const Vector3 along = Rotate(rod.orientation, -joint.child_frame.position);
    rod.length = Norm(along);
    if (rod.length == 0)
      return Refuse("body", body.name, "is a rod of no length: its mass sits on its own pin");
    if (std::abs(Dot(along, plane.normal)) > kThresholds.in_plane * rod.length)
      return Refuse("body", body.name, "leaves the plane normal to the pins");
    // Eq. 1: the rod points along (-sin theta, -cos theta).
    rod.theta = std::atan2(-Dot(along, plane.x), -Dot(along, plane.y));
    parent_orientation = rod.orientation;
    chain.rods.push_back(rod);
  }
  const auto off_node = [&](int body, const Vector3& point) {
    return body != kGround && Norm(point) != 0;
  };
  for (const SpringDamper& e : system.forces.Of<SpringDamper>()) {
    if (off_node(e.body_a, e.point_a) || off_node(e.body_b, e.point_b))
      return Refuse("spring-damper", e.name, "does not act at a point mass");
  }
  for (const AppliedForce& e : system.forces.Of<AppliedForce>()) {
    if (off_node(e.body, e.point) || Norm(e.moment) != 0)
      return Refuse("force", e.name, "does not act at a point mass, or has a moment");
  }
  for (const GroundSpring& e : system.forces.Of<GroundSpring>()) {
    if (off_node(e.body, e.point)) {
      return Refuse("ground spring", e.name, "does not act at a point mass");
    }
  }
  return {};
}

RodChain ChainOf(const System& system) {
  RodChain chain;
  const Verdict verdict = ReadChain(system, chain);
  if (!verdict.supported) throw ModelError(verdict.reason);
  return chain;
}

class PaperFormulation final : public OdeFormulation, public HasPower {
 public:
  explicit PaperFormulation(const System& system)
      : system_(system),
        chain_(ChainOf(system)),
        rods_(Lengths(chain_), Masses(chain_, system)),
        bodies_(system.bodies.size()),
        wrenches_(system.bodies.size()),
        has_force_elements_(system.forces.AnyOnBodies()) {}

  std::size_t state_size() const override { return 2 * rods_.size(); }
  std::vector<Dimension> Dimensions() const override {
    std::vector<Dimension> dimensions(rods_.size(), Dimension::kNumber);
    dimensions.resize(state_size(), Dimension::kRate);
    return dimensions;
  }
  HasPower* power() override { return HasNonConservativeForces(system_) ? this : nullptr; }

  // The joint angles are relative: theta_i sums them from the root, clockwise. No force depends on whole
  // turns; they are left out before the sum, which would round what is left of a large angle.
  Status Initialise(double, const SystemState& state, std::span<double> y) override {
    const JointOffsets at = OffsetsOf(system_);
    double turned = 0, rate = 0;
    for (std::size_t i = 0; i < rods_.size(); ++i) {
      const Rod& rod = chain_.rods[i];
      const double q = state.joints.q[At(at.q[At(rod.joint)])];
      turned += rod.turn * (std::abs(q) <= M_PI ? q : std::atan2(std::sin(q), std::cos(q)));
      rate += rod.turn * state.joints.u[At(at.u[At(rod.joint)])];
      y[i] = rod.theta - turned;
      y[rods_.size() + i] = -rate;
    }
    return {};
  }

  Status Evaluate(double, std::span<const double> y, std::span<double> ydot) override {
    Status status = SolveAccelerations(y);
    const std::size_t n = rods_.size();
    std::copy_n(y.data() + n, n, ydot.data());
    std::copy_n(rods_.q_ddot.data(), n, ydot.data() + n);
    return CheckedEvaluation(status, y, ydot, ydot);
  }

  Status Observe(double, std::span<const double> y, Detail detail,
                 Observation& observation) override {
    observation.accelerations.clear();
    observation.reactions.clear();
    Status status;
    if (detail == Detail::kMotion) {
      rods_.SetMotion(y.data(), y.data() + rods_.size());
    } else {
      status = SolveAccelerations(y);
    }
    SetBodies(y);
    observation.bodies = bodies_;
    if (detail == Detail::kMotion || !status.ok()) return status;
    observation.accelerations.resize(bodies_.size());
    Planar<double> a;
    for (std::size_t i = 0; i < rods_.size(); ++i) {
      a = a + rods_.q_ddot[i] * rods_.u[i];
      observation.accelerations[At(chain_.rods[i].body)] = {InSpace(a + rods_.a_bias[i]),
                                                            -rods_.q_ddot[i] * chain_.plane.normal};
    }
    if (detail == Detail::kReactions) {
      observation.reactions = PassedThroughJoints(
          system_, bodies_, NeededWrenches(system_, bodies_, observation.accelerations, wrenches_));
      RemoveFreeDirections(system_, bodies_, observation.reactions);
    }
    return {};
  }

  double Power(double t, std::span<const double> y) override {
    rods_.SetMotion(y.data(), y.data() + rods_.size());
    SetBodies(y);
    return NonConservativePower(system_, t, bodies_, nullptr);
  }

 private:
  static std::vector<double> Lengths(const RodChain& chain) {
    std::vector<double> lengths;
    for (const Rod& rod : chain.rods) lengths.push_back(rod.length);
    return lengths;
  }
  static std::vector<double> Masses(const RodChain& chain, const System& system) {
    std::vector<double> masses;
    for (const Rod& rod : chain.rods) masses.push_back(system.bodies[At(rod.body)].mass);
    return masses;
  }

  Vector3 InSpace(const Planar<double>& v) const {
    return v.x * chain_.plane.x + v.y * chain_.plane.y;
  }
  Planar<double> InPlane(const Vector3& v) const {
    return {Dot(v, chain_.plane.x), Dot(v, chain_.plane.y)};
  }

  Status SolveAccelerations(std::span<const double> y) {
    rods_.SetMotion(y.data(), y.data() + rods_.size());
    const Planar<double> g = InPlane(system_.gravity);
    for (std::size_t i = 0; i < rods_.size(); ++i) rods_.fz[i] = rods_.m[i] * g;
    if (has_force_elements_) {
      SetBodies(y);
      std::fill(wrenches_.begin(), wrenches_.end(), Wrench{});
      AddForceElements(system_, bodies_, wrenches_);
      for (std::size_t i = 0; i < rods_.size(); ++i)
        rods_.fz[i] = rods_.fz[i] + InPlane(wrenches_[At(chain_.rods[i].body)].force);
    }
    const int failed = rods_.Solve();
    if (failed >= 0) {
      const Rod& rod = chain_.rods[At(failed)];
      if (std::isfinite(rods_.A.Row(failed)[failed]))
        return {Status::Code::kSingular, rod.joint, rod.body, "no mass beyond the joint"};
      return {Status::Code::kNotFinite, rod.joint, -1, "the generalised inertia is not finite"};
    }
    for (double acceleration : rods_.q_ddot) {
      if (!std::isfinite(acceleration))
        return {Status::Code::kNotFinite, -1, -1, "an angular acceleration is not finite"};
    }
    return {};
  }

  // Absolute states from the motion last set; a rod turns by -theta about the normal.
  void SetBodies(std::span<const double> y) {
    const std::size_t n = rods_.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Rod& rod = chain_.rods[i];
      bodies_[At(rod.body)] = {chain_.plane.origin + InSpace(rods_.position[i]),
                               AxisAngle(chain_.plane.normal, rod.theta - y[i]) * rod.orientation,
                               InSpace(rods_.velocity[i]), -y[n + i] * chain_.plane.normal};
    }
  }

  System system_;
  RodChain chain_;
  LumpedRods<double> rods_;
  std::vector<BodyState> bodies_;
  std::vector<Wrench> wrenches_;
  bool has_force_elements_;
};

}  // namespace

Verdict IsLumpedRodChain(const System& system) {
  RodChain chain;
  return ReadChain(system, chain);
}

std::unique_ptr<OdeFormulation> MakePaperFormulation(const System& system) {
  return std::make_unique<PaperFormulation>(system);
}

}  // namespace mbsbench::kane_huston
