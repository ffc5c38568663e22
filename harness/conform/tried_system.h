// A system and a state on which methods are tried, and the deviation of a method's accelerations and reactions from
// those in 113 bits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/runner/cells/trial.h"
#include "harness/runner/trials/evaluation_kernel.h"
#include "problems/model/problem.h"
#include "problems/test_systems/random_trees.h"
#include "reference/reference.h"

namespace mbsbench {

struct TriedSystem {
  std::string name;
  System system;
  SystemState state;
  double length = 1;  // characteristic [m]
  double time = 0.3;  // characteristic [s]

  const ReferenceDynamics& Truth() const;  // computed at the first call

 private:
  mutable std::shared_ptr<const ReferenceDynamics> truth_ = {};
};
TriedSystem Tried(std::string name, RandomTree random);
TriedSystem Tried(const Problem& problem, SystemState state);

// As a problem for a model file, and with a method as a cell to evaluate.
Problem ProblemOf(const TriedSystem& tried);
PreparedCell CellOf(const TriedSystem& tried, const MethodChoice& method);

// Throws ModelError with what a status reports, unless it is ok: "it fails: ... (joint 'hinge')".
void Require(const Status& status, const System& system, const std::string& what = "it fails");

GivenSystem Given(const TriedSystem& tried);

// A method at one state. Throws ModelError if the method cannot prepare the system or start from the state.
struct Prepared : StatePoint {
  std::unique_ptr<Formulation> formulation;
};
Prepared PrepareAt(const MethodChoice& method, const GivenSystem& system, const SystemState& state);

struct Deviation {
  double acceleration = 0;  // AccelerationError, or another measure, named by `what`
  const char* what = "accelerations are off by";
  const char* unit = " of their size";
  double reaction = 0;  // that of ForceErrors; 0 if the method gives no reactions
  // Largest force or moment that is missing, relative to the largest reaction or to 1 N, if the reactions and the loads are to give
  // the true accelerations. Only if all loads are gravity and elements between bodies.
  double imbalance = 0;
  // Sentence: no result, another motion of a driver, or the wrong reactions marked as unique.
  std::string fault = {};

  double worst() const;
};
Deviation Fault(std::string sentence);

// Throws ModelError where the method fails.
Deviation DeviationOf(const MethodChoice& method, const TriedSystem& tried);

// The method's own sum of m (a - g) and of the moments of inertia forces about the origin, as a share of the sum
// of their sizes: zero where nothing outside acts on the bodies but gravity.
Deviation MomentumImbalanceOf(const MethodChoice& method, const TriedSystem& tried);

}  // namespace mbsbench
