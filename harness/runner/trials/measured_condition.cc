#include "harness/runner/trials/measured_condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <random>

#include "harness/runner/trials/acceleration_trial.h"
#include "harness/runner/trials/checked_observe.h"
#include "problems/model/same_mechanism.h"

namespace mbsbench {

namespace {

constexpr double kUnitInLastPlace = 0x1p-52;
// Number of evaluations: the largest distance of so many is only a small factor below the largest possible one.
constexpr std::uint64_t kEvaluations = 4;
// Above this size evaluations take long, and one has to suffice.
constexpr std::size_t kOneEvaluationAbove = 200;

// Changes numbers by one unit in the last place, up or down; the same changes on every platform.
class Perturbation {
 public:
  explicit Perturbation(std::uint64_t seed) : engine_(seed) {}

  double Factor() { return 1 + (engine_() >> 63 ? kUnitInLastPlace : -kUnitInLastPlace); }
  double Between(double least, double most) {
    return least + (most - least) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  Quaternion TurnInSpace() {
    const double w = Between(0.1, 1), x = Between(-1, 1), y = Between(-1, 1), z = Between(-1, 1);
    return Normalised({w, x, y, z});
  }
  Quaternion TurnInPlane() { return AxisAngle({0, 0, 1}, Between(-3, 3)); }
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
      // By one factor, so that moments of inertia stay admissible.
      const double factor = Factor();
      for (double& entry : body.inertia.entries) entry *= factor;
    }
    for (std::vector<Joint>* joints : {&system.joints, &system.loop_joints}) {
      for (Joint& joint : *joints) {
        Change(joint.parent_frame), Change(joint.child_frame);
        Change(joint.length);
      }
    }
    struct Springs : FieldVisitor {
      void Number(std::string_view, Quantity quantity, double& value) const {
        if (IsStiffness(quantity) || IsDamping(quantity)) change.Change(value);
      }
      Perturbation& change;
    };
    system.forces.ForEach([this](auto& e) { VisitFields(e, Springs{{}, *this}); });
  }

  // Driven joints keep the rates of their drivers.
  void Change(const System& system, JointState& joints) {
    const JointOffsets at = OffsetsOf(system);
    const std::vector<bool> driven = DrivenJoints(system);
    for (std::size_t j = 0; j < system.joints.size(); ++j) {
      const auto index = [](int i) { return static_cast<std::size_t>(i); };
      for (std::size_t i = index(at.q[j]); i < index(at.q[j + 1]); ++i) Change(joints.q[i]);
      if (TurnsFreely(system.joints[j].type)) {
        double* const q = joints.q.data() + at.q[j + 1] - 4;
        const Quaternion unit = Normalised(Quaternion{q[0], q[1], q[2], q[3]});
        q[0] = unit.w, q[1] = unit.x, q[2] = unit.y, q[3] = unit.z;
      }
      if (driven[j]) continue;
      for (std::size_t i = index(at.u[j]); i < index(at.u[j + 1]); ++i) Change(joints.u[i]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

// The difference between a restated cell and the original one, of the same mechanism.
struct Restatement {
  double length = 1;     // unit
  Quaternion turn = {};  // of the inertial axes
};

// Returns the original system of a cell.
using Original = std::function<System()>;

bool IsTaken(const PreparedCell& cell, const System& system) {
  return Supports(cell.method, system, cell.cell.integrator).supported;
}

bool HasArcsine(const DriverMotion& whole) {
  bool has_arcsine = false;
  ForEachMotion(whole, [&](const DriverMotion& motion) {
    has_arcsine = has_arcsine || motion.kind == MotionKind::kArcsine;
  });
  return has_arcsine;
}

// An arcsine has no unit: those of length, of a slider that it moves, and of mass too, of an effort, cannot be changed.
Units OtherUnits(const System& system, Perturbation& perturbation) {
  const bool in_efforts = std::ranges::any_of(
      system.forces.Of<Motor>(), [](const Motor& m) { return HasArcsine(m.effort.function); });
  const bool in_sliders = std::ranges::any_of(system.drivers, [&](const Driver& d) {
    return IsLength(system.joints[static_cast<std::size_t>(d.joint)].type, 0) &&
           HasArcsine(d.motion);
  });
  const double length = in_efforts || in_sliders ? 1 : perturbation.Between(1, 2);
  return {length, in_efforts ? 1 : perturbation.Between(1, 2)};
}

// Turns the inertial axes, and with `turns_bodies` also the axes of the bodies; within the plane if the method is planar; not at
// all if the method refuses the turned system.
void Turn(bool turns_bodies, Perturbation& perturbation, PreparedCell& cell,
          Restatement& restatement) {
  System& system = cell.problem.system;
  for (const bool bodies : {turns_bodies, false}) {
    for (const bool is_planar : {false, true}) {
      const Quaternion turn =
          is_planar ? AxisAngle({0, 0, 1}, 0.7) : Normalised({0.8, -0.3, 0.5, 0.2});
      std::vector<Quaternion> of_bodies(bodies ? system.bodies.size() : 0);
      for (Quaternion& q : of_bodies)
        q = is_planar ? perturbation.TurnInPlane() : perturbation.TurnInSpace();
      System turned = Turned(system, turn, of_bodies);
      if (!IsTaken(cell, turned)) continue;
      system = std::move(turned);
      restatement.turn = turn;
      return;
    }
  }
}

// Does not change the motion of the bodies. The masses of the nodes of a rope depend on its flight, so only its state is changed.
Restatement Restate(PreparedCell& cell, std::uint64_t seed, const Original& original) {
  Restatement restatement;
  System& system = cell.problem.system;
  JointState& joints = cell.initial.joints;
  Perturbation perturbation(seed);
  if (!system.rope_flight) {
    perturbation.Change(system);
    const bool is_changed = IsTaken(cell, system);
    if (!is_changed) system = original();
    const Units units = OtherUnits(system, perturbation);
    system = InUnits(std::move(system), units);
    if (IsTaken(cell, system)) {
      joints = InUnits(system, std::move(joints), units);
      restatement.length = units.length;
    } else {
      system = original();
      if (is_changed) Perturbation(seed).Change(system);
    }
    if (seed % 2 == 0) Turn(seed % 4 == 0, perturbation, cell, restatement);
  }
  perturbation.Change(system, joints);
  return restatement;
}

std::uint64_t Evaluations(const Problem& problem) {
  return problem.system.bodies.size() > kOneEvaluationAbove ? 1 : kEvaluations;
}

// Distances of evaluations from the given one, which must outlive this object.
class Scatter {
 public:
  Scatter(const Problem& problem, const AccelerationScale& scale,
          std::span<const BodyAcceleration> given)
      : problem_(problem), scale_(scale), given_(given) {}

  void Add(std::span<const BodyAcceleration> changed) {
    const auto numbers = [this](std::span<const BodyAcceleration> bodies) {
      return AccelerationNumbers(problem_.system, bodies);
    };
    const double distance = AccelerationError(numbers(changed), numbers(given_), scale_);
    largest_ = std::max(largest_, distance);
    ++evaluations_;
  }
  void AddRefusal() { ++refusals_; }
  MeasuredCondition Condition() const {
    if (evaluations_ == 0) return {NAN, "the method refuses all states near this one", true};
    // Rows that the stated precision of the loops makes dependent differ by it, and methods keep different ones of them. A tenth
    // lets the verdict explain errors of up to a hundred times the precision.
    const System& system = problem_.system;
    const double data = system.loop_joints.empty() ? 0 : system.loop_precision / 10;
    return {std::max(largest_, data), "", refusals_ >= evaluations_};
  }

 private:
  const Problem& problem_;
  AccelerationScale scale_;
  std::span<const BodyAcceleration> given_;
  double largest_ = 0;
  int evaluations_ = 0, refusals_ = 0;
};

// Restates `cell` and adds its evaluation at the initial state.
void AddNearby(PreparedCell& cell, std::uint64_t seed, const Original& original, Scatter& scatter) {
  const Restatement restatement = Restate(cell, seed, original);
  std::vector<BodyAcceleration> changed;
  try {
    changed = ObserveInitialStateInPlace(cell, Detail::kAccelerations).accelerations;
  } catch (const std::exception&) {
    scatter.AddRefusal();
    return;
  }
  const Quaternion back = Conjugate(restatement.turn);
  for (BodyAcceleration& a : changed) {
    a.acceleration = 1 / restatement.length * Rotate(back, a.acceleration);
    a.angular_acceleration = Rotate(back, a.angular_acceleration);
  }
  scatter.Add(changed);
}

}  // namespace

double MeasuredCondition::number() const { return scatter / kUnitInLastPlace; }

double MeasuredCondition::digits_left() const { return std::clamp(-std::log10(scatter), 0., 16.); }

bool MeasuredCondition::no_digit_left() const {
  return measured() && !(kFallsShort * scatter <= kNoDigitRight);
}

std::string MeasuredCondition::Sentence(const std::string& when) const {
  return fmt::format(
      "no digit of the accelerations is left {}: they change by {:.2g} of their size where the "
      "data change in the last place (condition {:.2g}); take another method or variant, or other "
      "data",
      when, scatter, number());
}

ConditionRecord RecordOf(const MeasuredCondition& condition) {
  if (!condition.measured()) return {{}, {}, condition.why_not};
  return {IfFinite(condition.number()), IfFinite(condition.digits_left()), ""};
}

MeasuredCondition MeasureCondition(const PreparedCell& prepared, const Observation& observation) {
  const Problem& problem = prepared.problem;
  Scatter scatter(problem, AccelerationScaleOf(problem, prepared.initial.bodies),
                  observation.accelerations);
  for (std::uint64_t seed = 1; seed <= Evaluations(problem); ++seed) {
    PreparedCell other = prepared;
    AddNearby(
        other, seed, [&problem] { return problem.system; }, scatter);
  }
  return scatter.Condition();
}

bool IsMeasuredInPlace(const PreparedCell& prepared) {
  const bool is_of_catalogue = prepared.cell.model_file.empty() && !prepared.cell.problem.empty();
  return Evaluations(prepared.problem) == 1 && is_of_catalogue;
}

MeasuredCondition MeasureConditionInPlace(PreparedCell& prepared, const AccelerationScale& scale,
                                          const Observation& observation) {
  Scatter scatter(prepared.problem, scale, observation.accelerations);
  AddNearby(
      prepared, 1, [&prepared] { return ProblemOf(prepared.cell).system; }, scatter);
  return scatter.Condition();
}

MeasuredCondition MeasureCondition(const Problem& problem, Formulation& formulation, double t,
                                   std::span<const double> y) {
  Observation given, observation;
  const System& system = problem.system;
  if (!CheckedObserve(formulation, system, t, y, Detail::kAccelerations, given).ok())
    return {NAN, "the method does not give the accelerations of this state", false};
  Scatter scatter(problem, AccelerationScaleOf(problem, given.bodies), given.accelerations);
  std::vector<double> changed;
  for (std::uint64_t seed = 1; seed <= Evaluations(problem); ++seed) {
    changed.assign(y.begin(), y.end());
    Perturbation perturbation(seed);
    for (double& value : changed) perturbation.Change(value);
    if (CheckedObserve(formulation, system, t, changed, Detail::kAccelerations, observation).ok()) {
      scatter.Add(observation.accelerations);
    } else {
      scatter.AddRefusal();
    }
  }
  return scatter.Condition();
}

}  // namespace mbsbench
