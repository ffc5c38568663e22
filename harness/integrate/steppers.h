// The time steppers that the harness makes of an ODE or a DAE, one family per file, and the one loop
// that drives all of them. Only the files of this room include this header.
#pragma once

#include <memory>
#include <string_view>

#include "harness/integrate/integrate.h"
#include "methods/steady/algebraic_formulation.h"

namespace mbsbench {

std::unique_ptr<TimeStepper> MakeRk4(OdeFormulation& ode);
std::unique_ptr<TimeStepper> MakeArkode(OdeFormulation& ode, std::string_view key);
// A step below this part of the end time makes no progress. The first steps of IDA at the tightest tolerances are 1e-9 of it.
inline constexpr double kSmallestStep = 1e-14;
// Most iterations if `iteration_tolerance` is below 1.
inline constexpr int kMostTighterIterations = 20;
std::unique_ptr<TimeStepper> MakeCvode(OdeFormulation& ode, std::string_view key,
                                       double iteration_tolerance);
// Appends to `changes` each setting of IDA that it has to change to proceed.
std::unique_ptr<TimeStepper> MakeIda(DaeFormulation& dae, double iteration_tolerance,
                                     std::vector<ChangedSetting>& changes);

// Per entry of y: the factor from the tolerance to the absolute tolerance.
std::vector<double> ToleranceScales(const Formulation& formulation, const StepControl& control);

// Steps to the end time with samples, work, events and limits, in the same way for every stepper. An ODE whose
// stepper does not interpolate is interpolated with an error of O(h^dense_order).
void RunSteps(TimeStepper& stepper, Formulation& formulation, const SystemState& state,
              const IntegrationSettings& settings, const Sampling& sampling, int dense_order,
              IntegrationReport& report);

// The steady state that Newton reaches from `state`; a sink receives it at its first sample time.
IntegrationReport RunKinsol(AlgebraicFormulation& formulation, const SystemState& state,
                            const IntegrationSettings& settings, const Sampling& sampling);

// For the messages of SUNDIALS: failures are reported by value.
inline void Silent(int, const char*, const char*, char*, void*) {}

// Ok if all values are finite; otherwise not finite, with `what` as the name of the values.
Status FiniteOr(std::span<const double> values, const char* what);

// Marks a report as stopped by a failed step or evaluation: "singular at t = 1 s: ...", "singular after 3 iterations: ...".
void Stop(const Status& status, std::string_view where, IntegrationReport& report);
void Stop(const Status& status, double time, IntegrationReport& report);

}  // namespace mbsbench
