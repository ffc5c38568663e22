#include "harness/conform/tried_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "harness/metrics/force_errors.h"
#include "harness/runner/cells/outcome.h"
#include "harness/runner/trials/acceleration_trial.h"
#include "methods/kinematics/force_elements.h"
#include "problems/model/driver_motion.h"
#include "problems/model/error.h"
#include "problems/model/joint_at.h"
#include "problems/model/worse.h"
#include "reference/system/no_accelerations.h"

namespace mbsbench {

namespace {

std::size_t Index(int i) { return static_cast<std::size_t>(i); }

// I alpha + omega x I omega, in inertial axes.
Vector3 InertiaMoment(const Body& body, const BodyState& state, const Vector3& acceleration) {
  const Quaternion& q = state.orientation;
  const Vector3 omega = Rotate(Conjugate(q), state.angular_velocity);
  const Vector3 alpha = Rotate(Conjugate(q), acceleration);
  return Rotate(q, body.inertia * alpha + Cross(omega, body.inertia * omega));
}

// M a - f - (reactions on the bodies), with the true accelerations.
double Imbalance(const TriedSystem& tried, const std::vector<JointReaction>& mine, double length) {
  const System& system = tried.system;
  if (!system.drivers.empty() || system.forces.AnyOnJoints()) return 0;
  const std::vector<BodyState>& bodies = tried.state.bodies;
  std::vector<Wrench> left(bodies.size());
  AddForceElements(system, bodies, left);
  const auto add = [&](int body, double sign, const JointReaction& r, const Vector3& point) {
    if (body == kGround) return;
    Wrench& w = left[Index(body)];
    w.force = w.force + sign * r.force;
    w.moment = w.moment + sign * (r.torque + Cross(point - bodies[Index(body)].position, r.force));
  };
  for (std::size_t j = 0; j < mine.size(); ++j) {
    const Joint& joint = JointAt(system, j);
    const BodyState& child = bodies[Index(joint.child)];
    const Vector3 point = child.position + Rotate(child.orientation, joint.child_frame.position);
    add(joint.child, 1, mine[j], point);
    add(joint.parent, -1, mine[j], point);
  }
  double worst = 0, unit = 1;  // [N]
  for (const ReferenceReaction& r : tried.Truth().reactions)
    unit = std::max(unit, SizeOfReaction(r.force, r.torque, length));
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = system.bodies[b];
    const ReferenceAcceleration& a = tried.Truth().accelerations[b];
    const Vector3 needed_moment = InertiaMoment(body, bodies[b], a.angular_acceleration);
    const Vector3 needed_force = body.mass * (a.acceleration - system.gravity);
    const Vector3 turning = body.is_point ? Vector3{} : left[b].moment - needed_moment;
    worst = Worse(worst, SizeOfReaction(left[b].force - needed_force, turning, length) / unit);
  }
  return worst;
}

// The first component of a reaction that is marked wrongly; empty: there is none.
std::string WrongMark(const TriedSystem& tried, const std::vector<JointReaction>& mine) {
  for (std::size_t j = 0; j < mine.size(); ++j) {
    const UniqueComponents& unique = tried.Truth().reactions[j].unique;
    for (std::size_t k = 0; k < 6; ++k) {
      if (mine[j].unique[k] == unique[k]) continue;
      return fmt::format("it marks the {} along {} of joint '{}' as {}, which it is{}",
                         k < 3 ? "force" : "moment", "xyz"[k % 3], JointAt(tried.system, j).name,
                         unique[k] ? "not unique" : "unique", unique[k] ? "" : " not");
    }
  }
  return "";
}

// What a driver prescribes at the state, and the method observes otherwise; empty: nothing.
std::string WrongDriver(const TriedSystem& tried, const std::vector<DriverObservation>& mine) {
  constexpr double kSame = 1e-9;
  const JointOffsets at = OffsetsOf(tried.system);
  for (std::size_t k = 0; k < mine.size(); ++k) {
    const Driver& driver = tried.system.drivers[k];
    const double position = tried.state.joints.q[Index(at.q[Index(driver.joint)])];
    const MovedCoordinate<double> prescribed = MotionAt(driver.motion, 0);
    for (const auto& [what, observed, truth] :
         {std::tuple{"position", mine[k].position, position},
          {"rate", mine[k].rate, prescribed.rate},
          {"acceleration", mine[k].acceleration, prescribed.acceleration}}) {
      if (std::abs(observed - truth) <= kSame * std::max(1., std::abs(truth))) continue;
      return fmt::format("it observes the {} {:g} of driver '{}', which is {:g}", what, observed,
                         driver.name, truth);
    }
  }
  return "";
}

}  // namespace

const ReferenceDynamics& TriedSystem::Truth() const {
  if (truth_) return *truth_;
  try {
    truth_ =
        std::make_shared<const ReferenceDynamics>(ReferenceAccelerations(system, state.joints));
  } catch (const ModelError& error) {  // a limit of the reference, never a fault of the method
    throw NoAccelerations(error.what());
  }
  return *truth_;
}

TriedSystem Tried(std::string name, RandomTree random) {
  TriedSystem tried;
  tried.name = std::move(name);
  tried.system = std::move(random.system);
  tried.state = std::move(random.state);
  return tried;
}

TriedSystem Tried(const Problem& problem, SystemState state) {
  TriedSystem tried = Tried(problem.name, {problem.system, std::move(state)});
  tried.length = problem.length;
  tried.time = problem.time;
  return tried;
}

Problem ProblemOf(const TriedSystem& tried) {
  Problem problem;
  problem.name = tried.name;
  problem.title = tried.name;
  problem.system = tried.system;
  problem.initial.joints = tried.state.joints;
  if (!tried.system.loop_joints.empty()) {
    const std::vector<bool> driven = DrivenJoints(tried.system);
    for (std::size_t j = 0; j < tried.system.joints.size(); ++j) {
      if (!driven[j] && CoordinateCount(tried.system.joints[j].type) > 0)
        problem.initial.dependent_joints.push_back(static_cast<int>(j));
    }
  }
  problem.length = tried.length;
  problem.time = tried.time;
  problem.end_time = 1;
  problem.energy_reference = 1;
  problem.conservative = !HasNonConservativeForces(tried.system);
  SetSampleTimes(problem);
  return problem;
}

PreparedCell CellOf(const TriedSystem& tried, const MethodChoice& method) {
  return {.cell = {}, .problem = ProblemOf(tried), .initial = tried.state, .method = method};
}

void Require(const Status& status, const System& system, const std::string& what) {
  if (status.ok()) return;
  throw ModelError(what + ": " + (status.what[0] != '\0' ? status.what : "it gives no reason") +
                   PlaceOf(status, system));
}

GivenSystem Given(const TriedSystem& tried) {
  return {tried.system, {.length = tried.length, .time = tried.time}};
}

Prepared PrepareAt(const MethodChoice& method, const GivenSystem& system,
                   const SystemState& state) {
  Prepared prepared;
  prepared.formulation = Prepare(method, system);
  Require(PointAt(*prepared.formulation, state, prepared), system, "it does not start");
  return prepared;
}

double Deviation::worst() const {
  return fault.empty() ? Worse(acceleration, Worse(reaction, imbalance)) : INFINITY;
}

Deviation Fault(std::string sentence) { return {.fault = std::move(sentence)}; }

Deviation DeviationOf(const MethodChoice& method, const TriedSystem& tried) {
  Deviation deviation;
  const PreparedCell cell = CellOf(tried, method);
  const Observation mine = ObserveAt(cell, tried.state, Detail::kReactions);
  const ReferenceDynamics& truth = tried.Truth();
  const AccelerationScale scale = AccelerationScaleOf(cell.problem, tried.state.bodies);
  deviation.acceleration =
      AccelerationError(AccelerationNumbers(tried.system, mine.accelerations),
                        AccelerationNumbers(tried.system, BodyAccelerationsOf(truth)), scale);
  deviation.fault = WrongDriver(tried, mine.drivers);
  if (mine.reactions.empty()) return deviation;  // an engine that gives none
  if (mine.reactions.size() != truth.reactions.size())
    return Fault(fmt::format("it gives {} reactions of {} joints", mine.reactions.size(),
                             truth.reactions.size()));
  if (!ForcesAreFinite(mine))
    return Fault("its reactions or the efforts of drivers are not finite");
  deviation.reaction = ForceErrorsOf(tried.system, mine, truth, scale, kVanishing).reactions.error;
  deviation.imbalance = Imbalance(tried, mine.reactions, scale.length);
  if (deviation.fault.empty()) deviation.fault = WrongMark(tried, mine.reactions);
  return deviation;
}

Deviation MomentumImbalanceOf(const MethodChoice& method, const TriedSystem& tried) {
  const Observation mine = ObserveAt(CellOf(tried, method), tried.state, Detail::kAccelerations);
  Vector3 force, moment;
  double force_size = 0, moment_size = 0;
  for (std::size_t b = 0; b < mine.bodies.size(); ++b) {
    const Body& body = tried.system.bodies[b];
    const BodyState& s = mine.bodies[b];
    const Vector3 f = body.mass * (mine.accelerations[b].acceleration - tried.system.gravity);
    const Vector3 m =
        Cross(s.position, f) + InertiaMoment(body, s, mine.accelerations[b].angular_acceleration);
    force = force + f, moment = moment + m;
    force_size += Norm(f), moment_size += Norm(m);
  }
  return {.acceleration = Worse(Norm(force) / std::max(1., force_size),
                                Norm(moment) / std::max(1., moment_size))};
}

}  // namespace mbsbench
