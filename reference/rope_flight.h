// A rope flight in extended precision: coordinates of the nodes, tensions of the links from one
// tridiagonal system, events located by Newton's iteration on the length of the last step.
#pragma once

#include <string>
#include <vector>

#include "problems/model/problem.h"
#include "reference/real.h"
#include "reference/reference.h"
#include "reference/trajectory.h"

namespace mbsbench::extended {

struct FlightEvent {
  std::string name;  // "rail exit", "burn-out", "capture", "landing"
  Real time = 0;
  BodyMotion body;       // behind the event
  Real energy_lost = 0;  // by impact [J]
};

struct Flight {
  Trajectory trajectory;  // of the problem's reference bodies, which must be the flying one alone
  std::vector<FlightEvent> events;
};

// `start`: where on the rail the body starts [m], and how fast [m/s].
struct FlightStart {
  double distance = 0, speed = 0;
};
Flight SolveFlight(const Problem& problem, const ExtrapolationSettings& settings,
                   const FlightStart& start = {}, const Progress& progress = {});

// Certified by a second order.
Reference CertifyFlight(const Problem& problem, const Progress& progress = {});

}  // namespace mbsbench::extended
