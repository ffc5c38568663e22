// Drivers on a state y = [q; u] of joint coordinates: their coordinates, rates and accelerations.
//
// A formulation evaluates at the y of At, in which driven coordinates and rates are exactly those of
// their motions at that time, in every stage of a step. The integrated values of driven entries of y
// are ignored, unless all drivers run at constant rates: then they are exact.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "methods/interface/batch.h"
#include "methods/interface/observation.h"
#include "problems/model/system.h"

namespace mbsbench {

class DrivenCoordinates {
 public:
  explicit DrivenCoordinates(const System& system);

  // In the order of System::drivers.
  struct Driven {
    DriverMotion motion;
    int joint;                // index into System::joints
    std::size_t q, u;         // places in y
    double offset = 0;        // of the coordinate from its motion: where a constant rate starts
    double acceleration = 0;  // at the time of the last At [rad/s^2] or [m/s^2]
  };
  std::span<const Driven> all() const { return driven_; }

  // A constant rate starts at the coordinate that y has at t. Puts driven coordinates and rates into y.
  void Start(double t, std::span<double> y);
  // y, with driven coordinates and rates as they are at t; the accelerations. Valid until the next call.
  std::span<const double> At(double t, std::span<const double> y);
  // For several states at one time, one per lane; each state has its own start of constant rates.
  std::span<const LaneValues> At(double t, std::span<const LaneValues> y);
  // Puts driven coordinates and rates into y.
  void Place(double t, std::span<double> y) const;

  // Coordinate, rate, acceleration and effort per driver, at the y and the time of the last At.
  std::vector<DriverObservation> Observed(std::span<const double> y,
                                          std::span<const double> efforts) const;

 private:
  std::vector<Driven> driven_;
  bool all_constant_ = true;  // rates
  std::vector<double> y_;
  std::vector<LaneValues> lanes_;
};

// Sum of effort times rate [W].
inline double PowerOf(const std::vector<DriverObservation>& drivers) {
  double power = 0;
  for (const DriverObservation& d : drivers) power += d.effort * d.rate;
  return power;
}

}  // namespace mbsbench
