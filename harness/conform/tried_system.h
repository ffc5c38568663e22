// A system and a state that methods are tried on, and how far a method's accelerations and reactions are
// from those in 113 bits.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/runner/method_choice.h"
#include "problems/model/problem.h"
#include "problems/test_systems/random_trees.h"
#include "reference/reference.h"

namespace mbsbench {

struct TriedSystem {
  std::string name;
  System system;
  SystemState state;
  // Of redundant mechanisms, per reaction the components that are unique ("UUNNUU", as in
  // redundant_mechanisms.h) before the mechanism was turned by `turn`; empty: the reference says which
  // reactions are unique.
  std::vector<std::string> classes = {};
  Quaternion turn = {};
  double length = 1;  // characteristic [m]
  double time = 0.3;  // characteristic [s]

  const ReferenceDynamics& Truth() const;  // computed at the first call

 private:
  mutable std::shared_ptr<const ReferenceDynamics> truth_ = {};
};
TriedSystem Tried(std::string name, RandomTree random);

// As a model file holds it.
Problem ProblemOf(const TriedSystem& tried);

// "joint 'hinge' " and the like: where a status says that it happened, and what.
std::string SentenceOf(const Status& status, const System& system);

// A method at one state. `time`: the characteristic time of the system [s]. Throws ModelError where the method
// fails to prepare the system or to start from the state.
struct Prepared {
  std::unique_ptr<Formulation> formulation;
  std::vector<double> y;
};
Prepared PrepareAt(const MethodChoice& method, const System& system, const SystemState& state,
                   double time);

struct Deviation {
  double acceleration = 0;  // AccelerationError, or another measure, which `what` then names
  const char* what = "accelerations are off by";
  const char* unit = " of their size";
  // Largest difference of forces and of moments, as a share of the largest one and of at least 1 N, 1 N m; of
  // unique reactions and components. 0 where the method gives no reactions.
  double reaction = 0;
  // Largest force or moment by which the reactions, together with the loads, miss to move the bodies as the
  // truth has it, in the same units. Where loads are those of gravity and of elements between bodies.
  double imbalance = 0;
  std::string fault;  // sentence: the method gave nothing, or marks the wrong reactions as unique

  double worst() const;
};
Deviation Fault(std::string sentence);

// Throws ModelError where the method fails.
Deviation DeviationOf(const MethodChoice& method, const TriedSystem& tried);

// The method's own sum of m (a - g) and of the moments of inertia forces about the origin, as a share of the sum
// of their sizes: zero where nothing outside acts on the bodies but gravity.
Deviation MomentumImbalanceOf(const MethodChoice& method, const TriedSystem& tried);

}  // namespace mbsbench
