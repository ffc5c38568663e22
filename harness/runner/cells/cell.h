// A cell: one problem by one method and one integrator at one tolerance or step.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/integrate/integrate.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/store/store.h"
#include "problems/model/problem.h"

namespace mbsbench {

struct Cell : CellSetting {
  std::string model_file = {};  // source of the problem; empty: the catalogue

  // The model file, or the name in the catalogue: what a user types.
  const std::string& problem_or_file() const { return model_file.empty() ? problem : model_file; }

  MBSBENCH_FIELDS(problem, method, integrator, tolerance, step, end_time, (TextOrNull, model_file))
};

// The problem of a cell, from its model file or the catalogue.
Problem ProblemOf(const Cell& cell);

// The argument itself if it is a model file; empty for a name of the catalogue.
std::string ModelFileOf(const std::string& name_or_file);

// "mbsbench VERB branch4 riccati-mstmm:general --integrator rk4 --step 0.001"
std::string CommandOn(const Cell& cell, const std::string& verb);
// The command that repeats the cell: that of 'solve', with its end time.
std::string SolveCommand(const Cell& cell);

// Key of the integrator of a method unless a user names another one.
std::string DefaultIntegrator(const MethodChoice& method);

// Completes the choices of a user: integrator (empty: the default of the method), tolerance or step, and end time, whose values
// the options have checked. Throws ModelError with one sentence if they do not fit together.
Cell CompleteCell(const Problem& problem, const MethodChoice& method, const CellSetting& wish,
                  const std::string& model_file = "");

std::string_view Name(Origin origin);  // "ours", "engine", "plug-in"
std::string_view Name(Form form);      // "ode", "dae", "algebraic"

// What one evaluation of a method yields. States alternate between two; a time stepper is evaluated by one step. Reactions are
// those of EvaluatesReactions.
enum class Evaluated {
  kAccelerations,
  kAccelerationsAndReactions,
  kResidual,
  kResidualAndJacobian,
  kStep
};
std::string_view Name(Evaluated what);  // as in DOCUMENTS.md
std::vector<Evaluated> EvaluationsOf(Form form);

// The problem's sample times up to `end_time`; beyond the problem's own end they continue with the same
// interval.
std::vector<double> SampleTimesUntil(const Problem& problem, double end_time);

// The interval of the problem's equidistant samples [s].
double SampleInterval(const Problem& problem);

// The longest step up to `step` that divides the distance of the problem's equidistant samples, so that
// they lie on the grid of every fixed-step scheme; `step` itself where the samples are not equidistant.
double DividingStep(const Problem& problem, double step);

}  // namespace mbsbench
