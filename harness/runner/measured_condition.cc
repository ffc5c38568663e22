#include "harness/runner/measured_condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "harness/metrics/acceleration_error.h"
#include "harness/runner/checked_observe.h"
#include "problems/model/kinematics.h"

namespace mbsbench {

namespace {

constexpr double kUnitInLastPlace = 0x1p-52;
// The largest of so many distances falls short of the largest possible one by a small factor.
constexpr std::uint64_t kEvaluations = 4;
// One has to do where each takes long.
constexpr std::size_t kOneEvaluationAbove = 200;
// A measurement of more than about this many operations would take longer than people wait.
constexpr double kMostWork = 1e9;

// Changes numbers by one unit in the last place, up or down; the same changes on every platform.
class Perturbation {
 public:
  explicit Perturbation(std::uint64_t seed) : engine_(seed) {}

  double Factor() { return 1 + (engine_() >> 63 ? kUnitInLastPlace : -kUnitInLastPlace); }
  void Change(double& value) { value *= Factor(); }
  void Change(Vector3& v) { Change(v.x), Change(v.y), Change(v.z); }
  void Change(Quaternion& q) {
    Change(q.w), Change(q.x), Change(q.y), Change(q.z);
    q = Normalised(q);
  }
  void Change(Frame& frame) { Change(frame.position), Change(frame.orientation); }

  void Change(System& system) {
    for (Body& body : system.bodies) {
      Change(body.mass);
      // By one factor, so that moments of inertia stay possible ones.
      const double factor = Factor();
      for (double& entry : body.inertia.m) entry *= factor;
    }
    for (std::vector<Joint>* joints : {&system.joints, &system.loop_joints}) {
      for (Joint& joint : *joints) {
        Change(joint.parent_frame), Change(joint.child_frame);
        Change(joint.length);
      }
    }
    for (SpringDamper& e : system.spring_dampers) Change(e.stiffness), Change(e.damping);
    for (JointSpringDamper& e : system.joint_spring_dampers) Change(e.stiffness), Change(e.damping);
    for (GroundSpring& e : system.ground_springs) Change(e.stiffness), Change(e.damping);
  }

  // Driven joints keep the rates of their drivers.
  void Change(const System& system, SystemState& state) {
    const JointOffsets at = OffsetsOf(system);
    const std::vector<bool> driven = DrivenJoints(system);
    for (std::size_t j = 0; j < system.joints.size(); ++j) {
      const auto index = [](int i) { return static_cast<std::size_t>(i); };
      for (std::size_t i = index(at.q[j]); i < index(at.q[j + 1]); ++i) Change(state.joints.q[i]);
      if (TurnsFreely(system.joints[j].type)) {
        double* const q = state.joints.q.data() + at.q[j + 1] - 4;
        const Quaternion unit = Normalised(Quaternion{q[0], q[1], q[2], q[3]});
        q[0] = unit.w, q[1] = unit.x, q[2] = unit.y, q[3] = unit.z;
      }
      if (driven[j]) continue;
      for (std::size_t i = index(at.u[j]); i < index(at.u[j + 1]); ++i) Change(state.joints.u[i]);
    }
    state.bodies = ForwardKinematics(system, state.joints);
  }

 private:
  std::mt19937_64 engine_;
};

// The same mechanism in inertial axes turned by `turn`.
System Turned(System system, const Quaternion& turn) {
  const auto rotate = [&turn](Vector3& v) { v = Rotate(turn, v); };
  rotate(system.gravity);
  for (std::vector<Joint>* joints : {&system.joints, &system.loop_joints}) {
    for (Joint& joint : *joints) {
      if (joint.parent != kGround) continue;
      rotate(joint.parent_frame.position);
      joint.parent_frame.orientation = Normalised(turn * joint.parent_frame.orientation);
    }
  }
  for (SpringDamper& e : system.spring_dampers) {
    if (e.body_a == kGround) rotate(e.point_a);
    if (e.body_b == kGround) rotate(e.point_b);
  }
  for (AppliedForce& e : system.applied_forces) {
    if (!e.in_body_axes) rotate(e.force), rotate(e.moment);
  }
  for (GroundSpring& e : system.ground_springs) rotate(e.direction);
  return system;
}

// Turns the system of a cell, in its plane where the method is for planes only; by no turn at all where
// it takes neither. Returns the turn.
Quaternion Turn(PreparedCell& cell) {
  const Quaternion in_space = Normalised({0.8, -0.3, 0.5, 0.2});
  const Quaternion in_plane = AxisAngle({0, 0, 1}, 0.7);
  System& system = cell.problem.system;
  if (system.rope_flight) return {};
  for (const Quaternion& turn : {in_space, in_plane}) {
    System turned = Turned(system, turn);
    if (!Supports(cell.method, turned, cell.cell.integrator).supported) continue;
    system = std::move(turned);
    return turn;
  }
  return {};
}

MeasuredCondition NotMeasured(std::string why) { return {NAN, std::move(why), false}; }

// Empty, or why nothing is measured.
std::string TooLarge(const Problem& problem, double cost_exponent) {
  const double bodies = static_cast<double>(problem.system.bodies.size());
  if (std::pow(bodies, cost_exponent) <= kMostWork) return "";
  return fmt::format("{:.0f} bodies are too many to repeat the evaluation with other round-off",
                     bodies);
}

std::uint64_t Evaluations(const Problem& problem) {
  return problem.system.bodies.size() > kOneEvaluationAbove ? 1 : kEvaluations;
}

// How far evaluations lie from the one that was given.
class Scatter {
 public:
  Scatter(const Problem& problem, const std::vector<BodyState>& bodies, const Observation& given)
      : problem_(problem),
        natural_(NaturalAcceleration(problem, bodies)),
        given_(AccelerationNumbers(problem.system, given.accelerations)) {}

  void Add(const Observation& changed) {
    const double distance =
        AccelerationError(AccelerationNumbers(problem_.system, changed.accelerations), given_,
                          problem_.length, natural_);
    largest_ = std::max(largest_.value_or(0), distance);
  }
  MeasuredCondition Condition() const {
    if (!largest_) return {NAN, "the method refuses all states near this one", true};
    return {*largest_, "", false};
  }

 private:
  const Problem& problem_;
  double natural_;
  std::vector<double> given_;
  std::optional<double> largest_;
};

}  // namespace

double MeasuredCondition::number() const { return scatter / kUnitInLastPlace; }

double MeasuredCondition::digits_left() const { return std::clamp(-std::log10(scatter), 0., 16.); }

bool MeasuredCondition::no_digit_left() const {
  return measured() && !(kFallsShort * scatter <= kNoDigitRight);
}

std::string MeasuredCondition::Sentence(const std::string& when) const {
  return fmt::format(
      "no digit of the accelerations is left {}: they change by {:.2g} of their size where the "
      "data "
      "change in the last place (condition {:.2g}); take another method or variant, or other data",
      when, scatter, number());
}

Json ToJson(const MeasuredCondition& condition) {
  const auto number = [&](double value) {
    return condition.measured() && std::isfinite(value) ? Json(value) : Json(nullptr);
  };
  Json json{{"condition", number(condition.number())},
            {"digits_left", number(condition.digits_left())}};
  if (!condition.measured()) json["condition_missing"] = condition.why_not;
  return json;
}

MeasuredCondition MeasureCondition(const PreparedCell& prepared, const Observation& observation) {
  const Problem& problem = prepared.problem;
  if (const std::string why = TooLarge(problem, prepared.method.entry->cost_exponent); !why.empty())
    return NotMeasured(why);
  Scatter scatter(problem, prepared.initial.bodies, observation);
  for (std::uint64_t seed = 1; seed <= Evaluations(problem); ++seed) {
    PreparedCell other = prepared;
    Perturbation perturbation(seed);
    // The masses of a rope's nodes are those of its flight.
    if (!problem.system.rope_flight) perturbation.Change(other.problem.system);
    if (!Supports(other.method, other.problem.system, other.cell.integrator).supported)
      other.problem.system = problem.system;
    const Quaternion turn = seed % 2 == 0 ? Turn(other) : Quaternion{};
    perturbation.Change(other.problem.system, other.initial);
    try {
      Observation changed = ObserveAt(other, other.initial, Detail::kAccelerations);
      for (BodyAcceleration& a : changed.accelerations) {
        a.acceleration = Rotate(Conjugate(turn), a.acceleration);
        a.angular_acceleration = Rotate(Conjugate(turn), a.angular_acceleration);
      }
      scatter.Add(changed);
    } catch (const EvaluationFailed&) {
      // A state where the method refuses to work is near. That is no error of what it gave.
    }
  }
  return scatter.Condition();
}

MeasuredCondition MeasureCondition(const Problem& problem, Formulation& formulation, double t,
                                   std::span<const double> y) {
  Observation observation;
  const System& system = problem.system;
  if (!CheckedObserve(formulation, system, t, y, Detail::kAccelerations, observation).ok())
    return NotMeasured("the method does not give the accelerations of this state");
  Scatter scatter(problem, observation.bodies, observation);
  std::vector<double> changed;
  for (std::uint64_t seed = 1; seed <= Evaluations(problem); ++seed) {
    changed.assign(y.begin(), y.end());
    Perturbation perturbation(seed);
    for (double& value : changed) perturbation.Change(value);
    if (CheckedObserve(formulation, system, t, changed, Detail::kAccelerations, observation).ok())
      scatter.Add(observation);
  }
  return scatter.Condition();
}

}  // namespace mbsbench
