// A rope flight in extended precision, by one of two formulations; events are located by Newton's
// iteration on the length of the last step.
#pragma once

#include <string>
#include <vector>

#include "problems/model/problem.h"
#include "reference/numerics/real.h"
#include "reference/reference.h"
#include "reference/trajectory.h"

namespace mbsbench::extended {

struct FlightEvent {
  std::string name;  // "rail exit", "burn-out", "capture", "landing"
  Real time = 0;
  BodyMotion body;       // after the event
  Real energy_lost = 0;  // by impact [J]
};

struct Flight {
  Trajectory trajectory;  // of the problem's reference bodies; only the flying body is allowed
  std::vector<FlightEvent> events;
};

// `start`: position [m] and speed [m/s] of the body on the rail at the start.
struct FlightStart {
  double distance = 0, speed = 0;
};
// By coordinates of the nodes and tensions of the links, and by the angles of the links; in 113 bits (Real) or, if far
// fewer digits are needed, in 64 (Real64).
template <class Scalar>
Flight SolveFlight(const Problem& problem, const ExtrapolationSettings& settings,
                   const FlightStart& start = {}, const Progress& progress = {});
template <class Scalar>
Flight SolveFlightInAngles(const Problem& problem, const ExtrapolationSettings& settings,
                           const Progress& progress = {});

// Certified by a second order and by the second formulation.
Reference CertifyFlight(const Problem& problem, const Progress& progress = {});

// Difference of the second formulation from a stored reference, events included; `by` describes the
// solution.
Distance DifferenceInAngles(const Problem& problem, const Reference& held, std::string& by,
                            const Progress& progress = {});

}  // namespace mbsbench::extended
