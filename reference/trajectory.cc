#include "reference/trajectory.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "reference/joint_coordinates/joint_coordinates.h"
#include "reference/maximal_coordinates/forces.h"
#include "reference/maximal_coordinates/maximal_coordinates.h"
#include "reference/reactions.h"
#include "reference/system/initial_motion.h"

namespace mbsbench::extended {

namespace {

ExtrapolationSettings StartingSmall(ExtrapolationSettings settings, const Problem& problem) {
  if (settings.first_step == 0) settings.first_step = kFirstStep * problem.time;
  return settings;
}

}  // namespace

SampleGrid::SampleGrid(const Problem& problem) : samples_(problem.sample_times) {
  const std::vector<double> breaks = BreakPoints(problem.system, samples_.back());
  std::set_union(samples_.begin(), samples_.end(), breaks.begin(), breaks.end(),
                 std::back_inserter(times));
}

bool SampleGrid::IsSample(std::size_t k) const {
  return std::binary_search(samples_.begin(), samples_.end(), times[k]);
}

void SampleGrid::Report(const Progress& progress, std::size_t k) const {
  if (progress) progress(times[k] / times.back());
}

std::vector<int> StoredBodies(const Problem& problem) {
  if (!problem.reference_bodies.empty()) return problem.reference_bodies;
  std::vector<int> all(problem.system.bodies.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Motion Stored(const std::vector<int>& bodies, const Motion& motion) {
  Motion stored;
  for (int b : bodies) stored.push_back(motion[static_cast<std::size_t>(b)]);
  return stored;
}

Trajectory SolveInMaximalCoordinates(const Problem& problem, const ExtrapolationSettings& settings,
                                     const Progress& progress) {
  MaximalCoordinates equations(problem.system);
  equations.StartSpringsAt(problem.initial.joints);
  ClosedStart start = CloseAtStart(equations.system(), problem.initial, ScalesOf(problem));
  Motion motion = std::move(start.motion);
  if (!problem.system.loop_joints.empty()) equations.KeepLoopRows(std::move(start.independent));
  std::vector<double> scale;
  for (std::size_t b = 0; b < motion.size(); ++b) {
    const double length = problem.length, speed = problem.length / problem.time;
    const double rate = 1 / problem.time;
    scale.insert(scale.end(),
                 {length, length, length, 1, 1, 1, 1, speed, speed, speed, rate, rate, rate});
  }
  const std::vector<int> bodies = StoredBodies(problem);
  const SampleGrid grid(problem);
  LawLimits limits(problem.system, motion);
  Trajectory trajectory;
  trajectory.formulation = "maximal coordinates, block LDL' from leaves to root";
  if (!problem.system.loop_joints.empty()) {
    trajectory.formulation += ", loop rows that are independent by geometry";
  }
  trajectory.counters = Extrapolate(
      [&](Real t, const std::vector<Real>& y, std::vector<Real>& ydot) {
        equations.SetTime(t);
        equations.Evaluate(y, ydot);
      },
      grid.times, Pack(motion), scale, StartingSmall(settings, problem),
      [&](Real t, std::vector<Real>& y) {
        equations.SetTime(t);
        Unpack(y, motion);
        equations.Project(motion);
        if (equations.SelectLoopRows(motion)) equations.Project(motion);
        equations.FollowSprings(motion);
        limits.Follow(t, motion);
        y = Pack(motion);
      },
      [&](std::size_t k, const std::vector<Real>& y) {
        if (!grid.IsSample(k)) return;
        equations.SetTime(grid.times[k]);
        Unpack(y, motion);
        trajectory.samples.push_back(Stored(bodies, motion));
        trajectory.largest_drift =
            Max(trajectory.largest_drift, equations.Drift(motion, ScalesOf(problem)));
        grid.Report(progress, k);
      });
  if (equations.solved_whole())
    trajectory.formulation += ", all equations as one dense matrix where loops alone hold a body";
  return trajectory;
}

Trajectory SolveInJointCoordinates(const Problem& problem, const ExtrapolationSettings& settings,
                                   const Progress& progress) {
  JointCoordinates equations(problem.system, JointCoordinates::kMostDenseRates, ScalesOf(problem));
  const std::vector<Real> start = equations.Start(problem.initial);
  // Coordinates are lengths, angles and quaternions; all scales of the catalogue's lengths are near
  // 1 m.
  std::vector<double> scale(equations.coordinates(), std::min(1.0, problem.length));
  scale.resize(start.size(), std::min(1.0, problem.length) / problem.time);
  const std::vector<int> bodies = StoredBodies(problem);
  const SampleGrid grid(problem);
  ReactionRecord reactions(problem);
  LawLimits limits(problem.system, equations.MotionAt(start));
  Trajectory trajectory;
  trajectory.counters = Extrapolate(
      [&](Real t, const std::vector<Real>& y, std::vector<Real>& ydot) {
        equations.SetTime(t);
        equations.Evaluate(y, ydot);
      },
      grid.times, start, scale, StartingSmall(settings, problem),
      [&](Real t, std::vector<Real>& y) {
        equations.SetTime(t);
        equations.Correct(y);
        if (limits.any()) limits.Follow(t, equations.MotionAt(y));
      },
      [&](std::size_t k, const std::vector<Real>& y) {
        if (!grid.IsSample(k)) return;
        equations.SetTime(grid.times[k]);
        trajectory.samples.push_back(Stored(bodies, equations.MotionAt(y)));
        reactions.Add(grid.times[k], equations, y);
        grid.Report(progress, k);
      });
  trajectory.formulation = equations.Describe();
  trajectory.largest_drift = equations.largest_redundant_residual();
  trajectory.reactions = reactions.samples();
  trajectory.reaction_difference = reactions.difference();
  return trajectory;
}

Distance DistanceBetween(const Problem& problem, const Trajectory& a, const Trajectory& b) {
  const std::vector<int> bodies = StoredBodies(problem);
  const Real length = problem.length, time = problem.time;
  Real position = 0, velocity = 0;
  for (std::size_t k = 0; k < a.samples.size(); ++k) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const BodyMotion &p = a.samples[k][i], &q = b.samples[k][i];
      position = Max(position, Norm(p.position - q.position) / length);
      velocity = Max(velocity, Norm(p.velocity - q.velocity) * time / length);
      if (problem.system.bodies[static_cast<std::size_t>(bodies[i])].is_point) continue;
      position = Max(position, AngleBetween(p.orientation, q.orientation));
      velocity = Max(velocity, Norm(p.angular_velocity - q.angular_velocity) * time);
    }
  }
  return {static_cast<double>(position), static_cast<double>(velocity)};
}

}  // namespace mbsbench::extended
