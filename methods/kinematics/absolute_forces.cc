#include "methods/kinematics/absolute_forces.h"

#include <utility>

#include "methods/kinematics/force_elements.h"
#include "problems/model/eigen.h"

namespace mbsbench::absolute {

namespace {

constexpr std::size_t kGap = 0, kAxis = 1;  // vectors of a slide's law

PairVector Between(const Vector3& on_parent, const Vector3& on_child) {
  return {true, ToEigen(on_parent), ToEigen(on_child)};
}

}  // namespace

AbsoluteForces::AbsoluteForces(const System& system)
    : system_(system), laws_(JointLawsOf(system)), angles_(laws_.size()) {
  const auto add = [this](Kind kind, std::size_t index, int parent, int child, PairVector vector) {
    Element element{kind, index, parent, child, {}, Vector3d::Zero(), Vector3d::Zero()};
    element.vectors[0] = vector;
    elements_.push_back(element);
  };
  for (std::size_t k = 0; k < system.forces.Of<SpringDamper>().size(); ++k) {
    const SpringDamper& e = system.forces.Of<SpringDamper>()[k];
    add(Kind::kSpringDamper, k, e.body_a, e.body_b, Between(e.point_a, e.point_b));
  }
  for (std::size_t k = 0; k < system.forces.Of<AppliedForce>().size(); ++k) {
    const AppliedForce& e = system.forces.Of<AppliedForce>()[k];
    add(Kind::kAppliedForce, k, kGround, e.body, Between({}, e.point));
  }
  for (std::size_t k = 0; k < system.forces.Of<GroundSpring>().size(); ++k) {
    const GroundSpring& e = system.forces.Of<GroundSpring>()[k];
    add(Kind::kGroundSpring, k, kGround, e.body, Between({}, e.point));
  }
  AddPairs();
  AddJointLaws();
}

void AbsoluteForces::AddPairs() {
  for (PairLaw& law : PairLawsOf(system_.forces)) {
    elements_.push_back({Kind::kPair, pairs_.size(), law.body_a, law.body_b, {}});
    const Matrix3d a = ToEigen(DirectionCosineMatrix(Normalised(law.frame_a.orientation)));
    const Matrix3d b = ToEigen(DirectionCosineMatrix(Normalised(law.frame_b.orientation)));
    Pair pair{std::move(law), {}};
    for (int i = 0; i < 3; ++i) {
      pair.vectors[static_cast<std::size_t>(i)] = {false, -a.col(i), Vector3d::Zero()};
      pair.vectors[static_cast<std::size_t>(3 + i)] = {false, Vector3d::Zero(), b.col(i)};
    }
    pair.vectors[PairForce::kGap] = Between(pair.law.frame_a.position, pair.law.frame_b.position);
    pairs_.push_back(std::move(pair));
  }
}

PairForce AbsoluteForces::PairForceOf(const Pair& pair, const BodyMotion& parent,
                                      const BodyMotion& child, bool with_gradients) {
  PairForce::Vectors value, rate;
  for (std::size_t k = 0; k < value.size(); ++k) {
    const VectorMotion m = MotionOf(pair.vectors[k], parent, child, false);
    value[k] = m.value, rate[k] = m.rate;
  }
  return pair.law.force(value, rate, with_gradients);
}

// The force on the parent acts at the child's point: it has a moment about the parent's.
void AbsoluteForces::DifferentiatePair(const Pair& pair, const BodyMotion& parent,
                                       const BodyMotion& child, ForceDerivatives& d) {
  const PairForce law = PairForceOf(pair, parent, child, true);
  PairColumns force = PairColumns::Zero(), force_by_rates = force, moment = force,
              moment_by_rates = force;
  VectorDerivatives of;
  for (std::size_t k = 0; k < PairForce::kVectors; ++k) {  // the gap is the last
    of = DerivativesOf(pair.vectors[k], parent, child, false);
    force += law.force_by[k] * of.lever + law.force_by_rate[k] * of.rate;
    force_by_rates += law.force_by_rate[k] * of.lever;
    moment += law.moment_by[k] * of.lever + law.moment_by_rate[k] * of.rate;
    moment_by_rates += law.moment_by_rate[k] * of.lever;
  }
  const PairVector& line = pair.vectors[PairForce::kGap];
  const Vector3d gap = MotionOf(line, parent, child, false).value;
  d.by_positions = of.lever.transpose() * force;
  d.by_rates = of.lever.transpose() * force_by_rates;
  AddPullDerivative(line, parent, child, law.force, d.by_positions);
  const auto add_couple = [&](int at, const BodyMotion& body, double sign, const Vector3d& couple,
                              const PairColumns& by, const PairColumns& by_rates) {
    const Matrix3d to_body = sign * body.rotation.transpose();
    d.by_positions.middleRows<3>(at) += to_body * by;
    d.by_positions.block<3, 3>(at, at) += Cross(to_body * couple);
    d.by_rates.middleRows<3>(at) += to_body * by_rates;
  };
  add_couple(kChildTurn, child, 1, law.moment, moment, moment_by_rates);
  add_couple(kParentTurn, parent, -1, law.moment + gap.cross(law.force),
             moment + Cross(gap) * force - Cross(law.force) * of.lever,
             moment_by_rates + Cross(gap) * force_by_rates);
}

void AbsoluteForces::AddJointLaws() {
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const Joint& joint = system_.joints[static_cast<std::size_t>(laws_[k].joint)];
    const Matrix3d on_parent =
        ToEigen(DirectionCosineMatrix(Normalised(joint.parent_frame.orientation)));
    const Matrix3d on_child =
        ToEigen(DirectionCosineMatrix(Normalised(joint.child_frame.orientation)));
    const auto of_parent = [&](int axis) {
      return PairVector{false, -on_parent.col(axis), Vector3d::Zero()};
    };
    const bool turns = laws_[k].turns;
    Element e{turns ? Kind::kTurn : Kind::kSlide,
              k,
              joint.parent,
              joint.child,
              {},
              on_parent.col(2),
              on_child.col(2)};
    if (turns) {
      e.vectors = {PairVector{false, Vector3d::Zero(), on_child.col(0)}, of_parent(0),
                   of_parent(1)};
    } else {
      e.vectors = {Between(joint.parent_frame.position, joint.child_frame.position), of_parent(2)};
    }
    elements_.push_back(e);
  }
}

void AbsoluteForces::Start(const JointState& state) {
  const JointOffsets offsets = OffsetsOf(system_);
  angles_.Restart();
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const int first = offsets.q[static_cast<std::size_t>(laws_[k].joint)];
    angles_.latest(k) = state.q[static_cast<std::size_t>(first + laws_[k].coordinate)];
  }
}

VectorForce AbsoluteForces::LawOf(const Element& e, const VectorMotion& at) const {
  return e.kind == Kind::kSpringDamper
             ? SpringDamperForce(system_.forces.Of<SpringDamper>()[e.index], at.value, at.rate)
             : GroundSpringForce(system_.forces.Of<GroundSpring>()[e.index], at.value, at.rate);
}

VectorCoordinate AbsoluteForces::CoordinateOf(const Element& e, const BodyMotion& parent,
                                              const BodyMotion& child) const {
  std::array<Vector3d, VectorCoordinate::kVectors> value, rate;
  for (std::size_t k = 0; k < e.vectors.size(); ++k) {
    const VectorMotion m = MotionOf(e.vectors[k], parent, child, false);
    value[k] = m.value;
    rate[k] = m.rate;
  }
  return e.kind == Kind::kTurn ? AngleOf(value, rate) : DisplacementOf(value, rate);
}

PairVectorOfRates AbsoluteForces::ForceOf(double t, const Element& e, const BodyMotion& parent,
                                          const BodyMotion& child) {
  switch (e.kind) {
    case Kind::kSpringDamper:
    case Kind::kGroundSpring: {
      const VectorMotion at = MotionOf(e.vectors[0], parent, child, false);
      return PullOf(e.vectors[0], parent, child, LawOf(e, at).force);
    }
    case Kind::kAppliedForce: {
      const AppliedForce& law = system_.forces.Of<AppliedForce>()[e.index];
      const Vector3d f = ToEigen(law.force), m = ToEigen(law.moment);
      PairVectorOfRates force =
          PullOf(e.vectors[0], parent, child, law.in_body_axes ? child.rotation * f : f);
      force.segment<3>(kChildTurn) +=
          law.in_body_axes ? m : Vector3d(child.rotation.transpose() * m);
      return force;
    }
    case Kind::kPair: {
      const Pair& pair = pairs_[e.index];
      const PairForce law = PairForceOf(pair, parent, child, false);
      const PairVector& line = pair.vectors[PairForce::kGap];
      const Vector3d gap = MotionOf(line, parent, child, false).value;
      PairVectorOfRates force = PullOf(line, parent, child, law.force);
      force.segment<3>(kParentTurn) -=
          parent.rotation.transpose() * (law.moment + gap.cross(law.force));
      force.segment<3>(kChildTurn) += child.rotation.transpose() * law.moment;
      return force;
    }
    case Kind::kTurn:
    case Kind::kSlide: break;
  }
  const JointLaw& law = laws_[e.index];
  const VectorCoordinate at = CoordinateOf(e, parent, child);
  if (e.kind == Kind::kTurn) {
    const double moment = law.At(t, Follow(at.value, angles_.latest(e.index)), at.rate);
    PairVectorOfRates force = PairVectorOfRates::Zero();
    force.segment<3>(kParentTurn) = -moment * e.parent_axis;
    force.segment<3>(kChildTurn) = moment * e.child_axis;
    return force;
  }
  const double f = law.At(t, at.value, at.rate);
  return PullOf(e.vectors[kGap], parent, child, f * at.by[kGap]) +
         PullOf(e.vectors[kAxis], parent, child, f * at.by[kAxis]);
}

void AbsoluteForces::Evaluate(double t, std::span<const BodyMotion> bodies,
                              std::span<BodyVector> forces) {
  const Vector3d gravity = ToEigen(system_.gravity);
  for (std::size_t b = 0; b < forces.size(); ++b) {
    forces[b].head<3>() = system_.bodies[b].mass * gravity;
    forces[b].tail<3>().setZero();
  }
  angles_.MoveTo(t);
  for (const Element& e : elements_) {
    const PairVectorOfRates force =
        ForceOf(t, e, MotionOf(bodies, e.parent), MotionOf(bodies, e.child));
    if (e.parent != kGround) forces[static_cast<std::size_t>(e.parent)] += force.head<kRates>();
    if (e.child != kGround) forces[static_cast<std::size_t>(e.child)] += force.tail<kRates>();
  }
}

double AbsoluteForces::Power(double t, std::span<const BodyMotion> bodies) const {
  std::vector<BodyState> states;
  for (const BodyMotion& body : bodies) states.push_back(StateOf(body));
  double power = NonConservativePower(system_, t, states, nullptr);
  for (const Element& e : elements_) {
    if (e.kind != Kind::kTurn && e.kind != Kind::kSlide) continue;
    const double rate = CoordinateOf(e, MotionOf(bodies, e.parent), MotionOf(bodies, e.child)).rate;
    power += laws_[e.index].PowerAt(t, rate);
  }
  return power;
}

void AbsoluteForces::Differentiate(double t, std::size_t k, std::span<const BodyMotion> bodies,
                                   ForceDerivatives& derivatives) const {
  const Element& e = elements_[k];
  const BodyMotion &parent = MotionOf(bodies, e.parent), &child = MotionOf(bodies, e.child);
  PairMatrix &by_positions = derivatives.by_positions, &by_rates = derivatives.by_rates;
  by_positions.setZero();
  by_rates.setZero();
  if (e.kind == Kind::kPair) return DifferentiatePair(pairs_[e.index], parent, child, derivatives);
  if (e.kind == Kind::kAppliedForce) {
    const AppliedForce& law = system_.forces.Of<AppliedForce>()[e.index];
    const Vector3d f = ToEigen(law.force), m = ToEigen(law.moment);
    if (law.in_body_axes) {
      by_positions.block<3, 3>(kChild, kChildTurn) = -child.rotation * Cross(f);
    } else {
      by_positions.block<3, 3>(kChildTurn, kChildTurn) = Cross(child.rotation.transpose() * m);
      AddPullDerivative(e.vectors[0], parent, child, f, by_positions);
    }
    return;
  }
  if (e.kind == Kind::kSpringDamper || e.kind == Kind::kGroundSpring) {
    const VectorForce law = LawOf(e, MotionOf(e.vectors[0], parent, child, false));
    const VectorDerivatives d = DerivativesOf(e.vectors[0], parent, child, false);
    by_positions = d.lever.transpose() * (law.by_value * d.lever + law.by_rate * d.rate);
    by_rates = d.lever.transpose() * law.by_rate * d.lever;
    AddPullDerivative(e.vectors[0], parent, child, law.force, by_positions);
    return;
  }
  const JointLaw& law = laws_[e.index];
  const VectorCoordinate at = CoordinateOf(e, parent, child);
  std::array<VectorDerivatives, VectorCoordinate::kVectors> d;
  PairRow value_by = PairRow::Zero(), rate_by = PairRow::Zero();
  for (std::size_t i = 0; i < (e.kind == Kind::kTurn ? d.size() : 2); ++i) {
    d[i] = DerivativesOf(e.vectors[i], parent, child, false);
    value_by += at.by[i].transpose() * d[i].lever;
    rate_by += at.by[i].transpose() * d[i].rate + at.rate_by[i].transpose() * d[i].lever;
  }
  const PairRow force_by = -law.stiffness * value_by - law.damping * rate_by;
  const PairRow force_by_rates = -law.damping * value_by;
  PairVectorOfRates along = PairVectorOfRates::Zero();  // of a unit force
  if (e.kind == Kind::kTurn) {                          // the moment keeps to the bodies' axes
    along.segment<3>(kParentTurn) = -e.parent_axis;
    along.segment<3>(kChildTurn) = e.child_axis;
  } else {
    const double f = law.At(t, at.value, at.rate);
    for (const auto& [one, other] : {std::pair{kGap, kAxis}, std::pair{kAxis, kGap}}) {
      along += d[one].lever.transpose() * at.by[one];
      by_positions += f * d[one].lever.transpose() * d[other].lever;
      AddPullDerivative(e.vectors[one], parent, child, f * at.by[one], by_positions);
    }
  }
  by_positions += along * force_by;
  by_rates = along * force_by_rates;
}

}  // namespace mbsbench::absolute
