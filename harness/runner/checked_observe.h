// What a formulation observes, held against the contract before anybody reads it.
#pragma once

#include <span>

#include "methods/interface/formulation.h"
#include "problems/model/system.h"

namespace mbsbench {

// Formulation::Observe, and kNotFinite where a number is missing or not finite: at least the bodies of
// `system` (systems may grow), and as many accelerations where they are asked for.
Status CheckedObserve(Formulation& formulation, const System& system, double t,
                      std::span<const double> y, Detail detail, Observation& observation);
// The same of accelerations or more without the motion of the bodies, which is empty where the formulation can leave it out.
Status CheckedObserveWithoutMotion(Formulation& formulation, const System& system, double t,
                                   std::span<const double> y, Detail detail,
                                   Observation& observation);

}  // namespace mbsbench
