// Checks the observations of a formulation against the contract before they are used.
#pragma once

#include <span>

#include "methods/interface/formulation.h"
#include "problems/model/system.h"

namespace mbsbench {

// Formulation::Observe, with kNotFinite if a number is missing or not finite. The observation must hold at least the bodies of
// `system` (systems may grow), and as many accelerations if they are requested.
Status CheckedObserve(Formulation& formulation, const System& system, double t,
                      std::span<const double> y, Detail detail, Observation& observation);
// The same for accelerations or more. The motion of the bodies is empty if the formulation can omit it.
Status CheckedObserveWithoutMotion(Formulation& formulation, const System& system, double t,
                                   std::span<const double> y, Detail detail,
                                   Observation& observation);

}  // namespace mbsbench
