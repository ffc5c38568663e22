#include "reference/joint_coordinates/joint_coordinates.h"

#include <fmt/format.h>

#include <algorithm>

#include "problems/model/error.h"
#include "problems/model/validation.h"
#include "reference/joint_coordinates/articulated_tree.h"
#include "reference/system/initial_motion.h"

namespace mbsbench::extended {

namespace {

constexpr int kNewtonSteps = 60;
constexpr double kDependentRow =
    1e-13;  // of the largest entry: below this remains round-off of the data
constexpr double kWorseCondition = 10;  // than at the last choice: then chosen again

std::vector<Real> Times(const Matrix& a, const std::vector<Real>& x) {
  std::vector<Real> y(a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (!IsZero(a(i, k))) y[i] += a(i, k) * x[k];
    }
  }
  return y;
}

// The least change of the rates `columns` with which a x = -residual in `rows`: x = -A' (A A')^-1 residual, A: those
// columns, of those of the rows that are independent there.
std::vector<Real> LeastChange(const SystemData& system, const Matrix& a,
                              const std::vector<std::size_t>& rows,
                              const std::vector<std::size_t>& columns,
                              const std::vector<Real>& residual) {
  Matrix part(rows.size(), columns.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t c = 0; c < columns.size(); ++c) part(i, c) = a(rows[i], columns[c]);
  }
  const std::vector<std::size_t> kept =
      Elimination(part, std::max(kDependentRow, RoundingOf(system))).PivotRows();
  Matrix normal(kept.size(), kept.size());
  std::vector<Real> right;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    right.push_back(-residual[rows[kept[i]]]);
    for (std::size_t j = 0; j < kept.size(); ++j) {
      for (std::size_t c = 0; c < columns.size(); ++c)
        normal(i, j) += part(kept[i], c) * part(kept[j], c);
    }
  }
  const std::vector<Real> w = Elimination(std::move(normal), 0).Solve(right);
  std::vector<Real> change(a.columns());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t i = 0; i < kept.size(); ++i) change[columns[c]] += part(kept[i], c) * w[i];
  }
  return change;
}

// Not of a subtree that loops alone hold: the recursion eliminates the tree before them.
bool HasArticulatedInertia(const JointMotion& motion) {
  try {
    ArticulatedTree{motion};
    return true;
  } catch (const ModelError&) {
    return false;
  }
}

}  // namespace

JointCoordinates::JointCoordinates(const System& system, std::size_t most_dense_rates,
                                   const Scales& scales)
    : system_(system),
      scales_(scales),
      motion_(system_),
      cuts_(system_, scales.length),
      dense_(motion_.rates() <= most_dense_rates),
      cut_{{}, Matrix(0, 0)},
      q_(motion_.coordinates()),
      u_(motion_.rates()),
      driven_accelerations_(motion_.rates()) {
  for (const Screw& screw : motion_.screws()) driven_.push_back(screw.driven);
  const JointOffsets at = OffsetsOf(system);
  for (std::size_t j = 0; j < system_.joints.size(); ++j) {
    if (!system_.joints[j].driven) continue;
    driven_places_.push_back(
        {j, static_cast<std::size_t>(at.q[j]), static_cast<std::size_t>(at.u[j])});
  }
}

void JointCoordinates::PlaceDriven() {
  for (const DrivenPlace& place : driven_places_) {
    const MovedCoordinate<Real>& motion = system_.joints[place.joint].motion;
    q_[place.q] = place.offset + motion.position;
    u_[place.u] = motion.rate;
    driven_accelerations_[place.u] = motion.acceleration;
  }
}

void JointCoordinates::Place(const std::vector<Real>& q) {
  motion_.Place(q);
  cut_ = cuts_.At(motion_);
  if (dependent_) dependent_->Factor(cut_.rates);
}

void JointCoordinates::Choose() {
  dependent_.emplace(cut_.rates, driven_, rank_);
  if (dependent_->kept_rows().size() < rank_)
    throw ModelError("the loops change their rank: the mechanism passes a singular position.");
  condition_ = dependent_->Condition();
  ++choices_;
}

Real JointCoordinates::LargestKept(const std::vector<Real>& of_rows) const {
  Real largest = 0;
  for (std::size_t i : dependent_->kept_rows()) largest = Max(largest, Abs(of_rows[i]));
  return largest;
}

template <class Correction>
void JointCoordinates::Close(const Correction& correction) {
  Place(q_);
  Real worst = LargestKept(cut_.values);
  for (int step = 0; step < kNewtonSteps && !IsZero(worst); ++step) {
    const std::vector<Real> before = q_, change = correction();
    for (std::size_t k = 0; k < change.size(); ++k) {
      if (!IsZero(change[k])) motion_.Displace(k, change[k], q_);
    }
    Place(q_);
    const Real now = LargestKept(cut_.values);
    if (!(now < worst)) {
      q_ = before;
      Place(q_);
      break;
    }
    worst = now;
  }
}

std::vector<Real> JointCoordinates::Start(const InitialCondition& initial) {
  Validate(system_.model, initial.joints);
  const JointState joints = JointsNearClosed(system_, initial, scales_);
  q_.assign(joints.q.begin(), joints.q.end());
  u_.assign(joints.u.begin(), joints.u.end());
  system_.PlaceDriven(q_, u_);
  for (DrivenPlace& place : driven_places_)
    place.offset = q_[place.q] - system_.joints[place.joint].motion.position;
  motion_.Normalise(q_);
  std::vector<std::size_t> columns;
  for (int j : initial.dependent_joints) {
    for (std::size_t k = motion_.RateOf(j); k < motion_.RateOf(j + 1); ++k) columns.push_back(k);
  }
  dependent_.reset();
  Place(q_);
  if (cuts_.rows() > 0) rank_ = CloseAtStart(system_, initial, scales_).independent.size();
  Choose();
  if (rank_ > 0) {
    const std::vector<std::size_t> kept = dependent_->kept_rows();
    Close([&] { return LeastChange(system_, cut_.rates, kept, columns, cut_.values); });
    if (const Real open = LargestKept(cut_.values);
        !(open < BoundsOnClosedLoops(motion_.Absolute(), scales_).position)) {
      throw ModelError("the initial state does not close the loops: a residual of " +
                       ToText(open, 3) + " remains in joint coordinates.");
    }
    const std::vector<Real> change =
        LeastChange(system_, cut_.rates, kept, columns, Times(cut_.rates, u_));
    for (std::size_t k = 0; k < u_.size(); ++k) u_[k] += change[k];
    motion_.Move(u_);
    if (!(LargestKept(Times(cut_.rates, u_)) <
          BoundsOnClosedLoops(motion_.Absolute(), scales_).velocity))
      throw ModelError("the initial rates do not close the loops, whatever the dependent rates.");
  }
  CheckRedundantRows();
  if (rank_ > 0 && !dense_) dense_ = !HasArticulatedInertia(motion_);
  return Gather();
}

void JointCoordinates::CheckRedundantRows() {
  if (redundant_rows() == 0) return;
  motion_.Move(u_);
  const Real unit_of_rates = UnitOfRates(motion_.Absolute(), scales_);
  const std::vector<Real> known_to = cuts_.KnownTo(motion_), rates = Times(cut_.rates, u_);
  const std::vector<std::size_t>& kept = dependent_->kept_rows();
  for (std::size_t i = 0; i < cuts_.rows(); ++i) {
    if (std::ranges::count(kept, i) > 0) continue;
    const std::vector<Real> w = dependent_->Combination(i);
    Real may_open = known_to[i];
    for (std::size_t k = 0; k < kept.size(); ++k) may_open += Abs(w[k]) * known_to[kept[k]];
    const Real open = Abs(cut_.values[i]), rate = Abs(rates[i]);
    if (open > may_open || rate > may_open * unit_of_rates) {
      throw ModelError("a loop is open by " + ToText(Max(open, rate / unit_of_rates), 3) +
                       " although the independent rows of its joints are closed: the mechanism "
                       "passes a singular position, or its loops do not fit.");
    }
    largest_redundant_residual_ = Max(largest_redundant_residual_, Max(open, rate * scales_.time));
  }
}

std::vector<Real> JointCoordinates::Gather() const {
  std::vector<Real> y = q_;
  for (std::size_t k : dependent_->independent()) y.push_back(u_[k]);
  return y;
}

void JointCoordinates::Spread(const std::vector<Real>& y) {
  std::copy_n(y.begin(), q_.size(), q_.begin());
  PlaceDriven();
  Place(q_);
  std::size_t at = q_.size();
  for (std::size_t k : dependent_->independent()) u_[k] = y[at++];
  if (!dependent_->dependent().empty()) dependent_->Complete(u_);
}

std::string JointCoordinates::Describe() const {
  std::string text = dense_ ? "Kane's equations in joint coordinates"
                            : "articulated-body recursion in joint coordinates";
  if (cuts_.rows() == 0) return text;
  text += fmt::format(", {} of {} rates dependent", dependent_->dependent().size(), u_.size());
  if (choices_ > 1) text += fmt::format(" (chosen {} times)", choices_);
  if (redundant_rows() > 0) {
    text += fmt::format(", {} of {} loop rows redundant and open by {} (L, L/T) at most",
                        redundant_rows(), cuts_.rows(), ToText(largest_redundant_residual_, 2));
  }
  return text;
}

JointAccelerations JointCoordinates::Accelerate(const std::vector<Action>& actions) const {
  std::vector<Real> forces = GeneralisedForces(motion_, q_, u_, actions);
  const std::vector<Real> inertia = InertiaForces(motion_);
  for (std::size_t k = 0; k < forces.size(); ++k) forces[k] -= inertia[k];
  std::vector<Real> gamma = cuts_.SecondRates(motion_);
  for (Real& g : gamma) g = -g;
  JointAccelerations a = dense_ ? SolveDense(motion_, forces, *dependent_, gamma)
                                : SolveRecursively(motion_, forces, cut_.rates, *dependent_, gamma);
  for (const DrivenPlace& place : driven_places_) a.rates[place.u] = driven_accelerations_[place.u];
  return a;
}

void JointCoordinates::Evaluate(const std::vector<Real>& y, std::vector<Real>& ydot) {
  Spread(y);
  motion_.Move(u_, driven_accelerations_);
  const JointAccelerations a = Accelerate(ActionsOf(motion_));
  ydot.assign(y.size(), Real(0));
  motion_.CoordinateRates(q_, u_, ydot.data());
  std::size_t at = q_.size();
  for (std::size_t k : dependent_->independent()) ydot[at++] = a.rates[k];
}

void JointCoordinates::Correct(std::vector<Real>& y) {
  std::copy_n(y.begin(), q_.size(), q_.begin());
  PlaceDriven();
  motion_.Normalise(q_);
  std::copy_n(q_.begin(), q_.size(), y.begin());
  if (cuts_.rows() == 0) return;
  CloseByDependentRates();
  std::copy_n(q_.begin(), q_.size(), y.begin());
  Spread(y);
  if (dependent_->Condition() > Real(kWorseCondition) * condition_) {
    Choose();
    CloseByDependentRates();  // rows that were not kept before
    if (!dependent_->dependent().empty()) dependent_->Complete(u_);
    y = Gather();
  }
  CheckRedundantRows();
}

void JointCoordinates::CloseByDependentRates() {
  Close([&] {
    std::vector<Real> change(u_.size()), right;
    for (Real value : cut_.values) right.push_back(-value);
    dependent_->Complete(change, right);
    return change;
  });
  if (const Real open = LargestKept(cut_.values);
      !(open < BoundsOnClosedLoops(motion_.Absolute(), scales_).position)) {
    throw ModelError("a loop is open by " + ToText(open, 3) +
                     " and its dependent coordinates do not close it.");
  }
}

void JointCoordinates::Displace(const std::vector<Real>& along, const std::vector<Real>& rates,
                                std::vector<Real>& y) {
  std::copy_n(y.begin(), q_.size(), q_.begin());
  const std::vector<std::size_t>& independent = dependent_->independent();
  for (std::size_t i = 0; i < independent.size(); ++i) {
    if (!IsZero(along[i])) motion_.Displace(independent[i], along[i], q_);
    y[q_.size() + i] += rates[i];
  }
  std::copy_n(q_.begin(), q_.size(), y.begin());
  Correct(y);
}

Motion JointCoordinates::MotionAt(const std::vector<Real>& y) {
  Spread(y);
  motion_.Move(u_);
  return motion_.Absolute();
}

JointCoordinates::State JointCoordinates::StateAt(const std::vector<Real>& y) {
  Spread(y);
  return {q_, u_};
}

JointState JointCoordinates::CoordinatesAt(const std::vector<Real>& y) {
  const State state = StateAt(y);
  JointState rounded;
  for (Real q : state.q) rounded.q.push_back(static_cast<double>(q));
  for (Real u : state.u) rounded.u.push_back(static_cast<double>(u));
  return rounded;
}

JointDynamics JointCoordinates::DynamicsAt(const std::vector<Real>& y) {
  Spread(y);
  motion_.Move(u_, driven_accelerations_);
  const std::vector<Action> actions = ActionsOf(motion_);
  const JointAccelerations a = Accelerate(actions);
  motion_.Move(u_, a.rates);
  JointDynamics result;
  // The wrenches in the joints: inertia forces of the outboard bodies, less the loads on them.
  struct Sum {
    Vec3 force, moment;  // the moment about the joint point
  };
  std::vector<Sum> sums(system_.bodies.size());
  const auto add = [&](int body, const Vec3& point, const Vec3& force, const Vec3& moment) {
    if (body == kGround) return;
    Sum& sum = sums[static_cast<std::size_t>(body)];
    sum.force = sum.force + force;
    sum.moment = sum.moment + moment + Cross(point - motion_.body(body).joint_point, force);
  };
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    const MovingBody& body = motion_.body(static_cast<int>(b));
    result.accelerations.push_back({body.acceleration, body.angular_acceleration});
    const BodyData& data = system_.bodies[b];
    const Vec3 omega = TransposeTimes(body.rotation, body.angular_velocity);
    const Vec3 spin = data.inertia * omega;
    const Vec3 alpha = TransposeTimes(body.rotation, body.angular_acceleration);
    add(static_cast<int>(b), body.centre, data.mass * (body.acceleration - system_.gravity),
        body.rotation * (data.inertia * alpha + Cross(omega, spin)));
  }
  for (const Action& action : actions)
    add(action.body, action.point, -action.force, -action.moment);
  const std::vector<CutJoints::Reaction> cut = cuts_.Reactions(motion_, a.multipliers);
  for (std::size_t j = 0; j < cut.size(); ++j) {
    const JointData& joint = system_.loop_joints[j];
    add(joint.child, cut[j].point, -cut[j].force, -cut[j].moment);
    add(joint.parent, cut[j].point, cut[j].force, cut[j].moment);
  }
  result.reactions.resize(system_.joints.size());
  for (auto at = system_.tree.order.rbegin(); at != system_.tree.order.rend(); ++at) {
    const Sum& sum = sums[static_cast<std::size_t>(*at)];
    const int j = motion_.JointOf(*at);
    add(motion_.ParentOf(*at), motion_.body(*at).joint_point, sum.force, sum.moment);
    // Springs and drivers act along the joint's own rates and are not reactions.
    JointForce& reaction = result.reactions[static_cast<std::size_t>(j)];
    reaction = {sum.force, sum.moment};
    for (std::size_t k = motion_.RateOf(j); k < motion_.RateOf(j + 1); ++k) {
      const Screw& screw = motion_.screws()[k];
      Vec3& along = screw.turns ? reaction.moment : reaction.force;
      along = along - Dot(along, screw.axis) * screw.axis;
    }
  }
  for (const CutJoints::Reaction& r : cut) result.reactions.push_back({r.force, r.moment});
  return result;
}

}  // namespace mbsbench::extended
