// Solutions of a problem in extended precision, and the distance between two of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "problems/model/problem.h"
#include "reference/numerics/extrapolation.h"
#include "reference/reference.h"
#include "reference/system/extended_system.h"

namespace mbsbench::extended {

// Motion of the problem's reference bodies at its sample times.
struct Trajectory {
  std::vector<Motion> samples;
  ExtrapolationCounters counters;
  Real largest_drift = 0;        // of the joints, at samples, in L and L/T
  std::string formulation = {};  // coordinates and equations
  // For the solution in joint coordinates: reactions of StoredJoints (reactions.h) per sample, and
  // Reference::reaction_difference.
  std::vector<std::vector<ReferenceReaction>> reactions = {};
  double reaction_difference = 0;
};

// Bodies that are stored: Problem::reference_bodies, or all.
std::vector<int> StoredBodies(const Problem& problem);
Motion Stored(const std::vector<int>& bodies, const Motion& motion);

using Progress = std::function<void(double)>;  // gets the fraction done

// Times at which steps end: all samples, and break points of drivers' motions.
struct SampleGrid {
  std::vector<double> times;
  explicit SampleGrid(const Problem& problem);
  bool IsSample(std::size_t k) const;
  void Report(const Progress& progress, std::size_t k) const;

 private:
  const std::vector<double>& samples_;
};
// The first step in units of T: stiff systems overflow within a step as long as a sampling
// interval.
inline constexpr double kFirstStep = 1e-3;

// Maximal coordinates with projection after each step.
Trajectory SolveInMaximalCoordinates(const Problem& problem, const ExtrapolationSettings& settings,
                                     const Progress& progress = {});
// The second formulation, independent of the first: loops are closed after each step by the dependent
// coordinates alone, and largest_drift is the residual of redundant rows, which no coordinate closes.
Trajectory SolveInJointCoordinates(const Problem& problem, const ExtrapolationSettings& settings,
                                   const Progress& progress = {});

// The suite's error measure: largest over samples and bodies of max(|dr|/L, angle), points by
// position only; velocities with L/T and 1/T.
struct Distance {
  double position = 0, velocity = 0;
};
Distance DistanceBetween(const Problem& problem, const Trajectory& a, const Trajectory& b);

}  // namespace mbsbench::extended
