#include "harness/runner/cells/random_states.h"

#include <cmath>
#include <random>

#include "problems/model/kinematics.h"
#include "problems/model/rough_assembly.h"

namespace mbsbench {

namespace {

// Uniform in [-1, 1), the same on every platform (the standard's distributions are not).
auto RandomFrom(std::uint64_t seed) {
  return [engine = std::mt19937_64(seed)]() mutable {
    return 2 * static_cast<double>(engine() >> 11) * 0x1p-53 - 1;
  };
}

// The initial state with every coordinate and rate moved. If a problem with loops names no dependent joints, all joints are
// dependent.
InitialCondition Moved(const Problem& problem, double size, std::uint64_t seed) {
  const System& system = problem.system;
  InitialCondition moved = problem.initial;
  const JointOffsets at = OffsetsOf(system);
  const std::vector<bool> driven = DrivenJoints(system);
  auto random = RandomFrom(seed);
  const bool all_close = !system.loop_joints.empty() && moved.dependent_joints.empty();
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const JointType type = system.joints[j].type;
    if (driven[j]) continue;
    if (all_close) moved.dependent_joints.push_back(static_cast<int>(j));
    if (problem.planar && TurnsFreely(type)) continue;
    for (int k = 0; k < at.q[j + 1] - at.q[j]; ++k) {
      const bool is_length = IsLength(type, k);
      const double unit = is_length ? problem.length : TurnsFreely(type) ? 0.5 : 1;
      moved.joints.q[at.q[j] + k] += size * unit * random();
    }
    if (TurnsFreely(type)) {  // the last four
      double* const e = moved.joints.q.data() + at.q[j + 1] - 4;
      const Quaternion unit = Normalised(Quaternion{e[0], e[1], e[2], e[3]});
      e[0] = unit.w, e[1] = unit.x, e[2] = unit.y, e[3] = unit.z;
    }
    for (int k = 0; k < at.u[j + 1] - at.u[j]; ++k) {
      const double unit = (IsLength(type, k) ? problem.length : 1) / problem.time;
      moved.joints.u[at.u[j] + k] += size * unit * random();
    }
  }
  return moved;
}

SystemState RandomStateOfTree(const Problem& problem, std::uint64_t seed) {
  const System& system = problem.system;
  auto random = RandomFrom(seed);
  const double rate = 1 / problem.time;
  // Each body is turned and spun by itself; the nearest joint coordinates then give a state of the system.
  std::vector<BodyState> bodies = InitialState(problem).bodies;
  for (BodyState& body : bodies) {
    if (problem.planar) {
      body.orientation = AxisAngle({0, 0, 1}, M_PI * random()) * body.orientation;
      body.angular_velocity = {0, 0, rate * random()};
    } else {
      // Rejection from the cube gives a uniform quaternion.
      Quaternion q;
      do {
        q = {random(), random(), random(), random()};
      } while (Norm(q) > 1 || Norm(q) < 0.1);
      body.orientation = Normalised(q);
      body.angular_velocity = {rate * random(), rate * random(), rate * random()};
    }
  }
  SystemState state;
  state.joints = JointStateOf(system, bodies);
  const JointOffsets at = OffsetsOf(system);
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    double* const q = state.joints.q.data() + at.q[j];
    double* const u = state.joints.u.data() + at.u[j];
    const JointType type = system.joints[j].type;
    const bool rests = problem.planar && ConstraintCount(type) == 0;
    for (int i = 0; IsLength(type, i); ++i) {
      q[i] = rests ? 0 : problem.length * random();
      u[i] = rests ? 0 : problem.length * rate * random();
    }
  }
  for (const Driver& driver : system.drivers) {  // as at time 0
    const auto j = static_cast<std::size_t>(driver.joint);
    const MovedCoordinate<double> start = MotionAt(driver.motion, 0);
    state.joints.u[at.u[j]] = start.rate;
    if (!StartsAnywhere(driver.motion)) state.joints.q[at.q[j]] = start.position;
  }
  state.bodies = ForwardKinematics(system, state.joints);
  return state;
}

}  // namespace

SystemState InitialState(const Problem& problem) {
  return Assemble(problem.system, problem.initial, problem.length).state;
}

SystemState MovedStart(const Problem& problem, double size, std::uint64_t seed) {
  return Assemble(problem.system, Moved(problem, size, seed), problem.length).state;
}

std::optional<SystemState> MovedState(const Problem& problem, std::uint64_t seed) {
  if (problem.system.loop_joints.empty()) return RandomStateOfTree(problem, seed);
  for (double size : {0.1, 0.03, 0.01}) {
    if (auto state = CloseLoops(problem.system, Moved(problem, size, seed).joints, problem.length))
      return state;
  }
  return std::nullopt;
}

}  // namespace mbsbench
