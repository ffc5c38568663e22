// The time steppers that the harness makes of an ODE or a DAE, one family per file, and the one loop
// that drives all of them. integrate.cc chooses; nobody else includes this.
#pragma once

#include <memory>
#include <string_view>

#include "harness/integrate/integrate.h"

namespace mbsbench {

std::unique_ptr<TimeStepper> MakeRk4(OdeFormulation& ode);
std::unique_ptr<TimeStepper> MakeArkode(OdeFormulation& ode, std::string_view key);
// Below 1 `iteration_tolerance` allows so many iterations.
inline constexpr int kMostTighterIterations = 20;
std::unique_ptr<TimeStepper> MakeCvode(OdeFormulation& ode, std::string_view key,
                                       double iteration_tolerance);
// Appends to `changes` what it has to change in IDA's settings to get on.
std::unique_ptr<TimeStepper> MakeIda(DaeFormulation& dae, double iteration_tolerance,
                                     std::vector<ChangedSetting>& changes);

// Per entry of y: by what the tolerance is multiplied to be absolute.
std::vector<double> ToleranceScales(const Formulation& formulation, const StepControl& control);

// From sample to sample until the end: samples, work, events and limits, the same for every stepper.
// What an ODE's stepper does not interpolate itself is interpolated with an error of
// O(h^dense_order).
void RunSteps(TimeStepper& stepper, Formulation& formulation, const SystemState& state,
              const IntegrationSettings& settings, const Sampling& sampling, int dense_order,
              IntegrationReport& report);

// The steady state nearest to the guess that `state` is; a sink gets it at its first sample time.
IntegrationReport RunKinsol(AlgebraicFormulation& formulation, const SystemState& state,
                            const IntegrationSettings& settings, const Sampling& sampling);

// Ok where all values are finite; else not finite, with `what` as what is not.
Status FiniteOr(std::span<const double> values, const char* what);

// Marks a report as stopped at time t by a failed step or evaluation.
void Stop(const Status& status, double time, IntegrationReport& report);

}  // namespace mbsbench
