#include "methods/natural_coordinates/natural_coordinates.h"

#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "methods/coordinates/count_step.h"
#include "methods/kinematics/shared_capabilities.h"
#include "methods/natural_coordinates/augmented_lagrangian.h"
#include "methods/natural_coordinates/energy_momentum.h"
#include "methods/natural_coordinates/operations.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

using natural::AugmentedLagrangian;
using natural::EnergyMomentum;

constexpr char kAli3p[] = "ali3p", kEnergyMomentum[] = "energy-momentum",
               kNullSpace[] = "null-space";
const NumericOption kPenalty{
    "penalty", "weight of the constraints relative to the mean mass, h^2/4 of the papers' alpha",
    "",        1e4,
    1,         1e9,
    kAli3p};
const NumericOption kPasses{
    "passes", "projections of velocities and accelerations in each step", "", 1, 1, 10, kAli3p};

std::unique_ptr<AugmentedLagrangian> PrepareAli3p(const System& system,
                                                  const MethodOptions& options) {
  const double passes = Number(options, kPasses);
  if (passes != std::floor(passes))
    throw ModelError(
        "option 'passes' of method 'natural-coordinates': an integer from 1 to 10 is needed.");
  auto stepper = std::make_unique<AugmentedLagrangian>(system, Number(options, kPenalty),
                                                       static_cast<int>(passes));
  stepper->EndIterations(options);
  return stepper;
}

// For a step with the usual number of iterations.
CountedOperations CountOperations(const System& system, const MethodOptions& options,
                                  const JointState& state) {
  constexpr int kIterations = 3;
  if (Has(options, kEnergyMomentum) || Has(options, kNullSpace))
    return CountedOperations::No("steps of this variant are not counted");
  return absolute::CountStep(
      system, state, [&] { return PrepareAli3p(system, options); },
      [&](AugmentedLagrangian& method, const std::vector<double>& begin,
          double h) -> CountedOperations {
        const auto data = std::span(begin).subspan(absolute::kMotionSize * system.bodies.size());
        OperationCount count = natural::CountAssembly(system, Number(options, kPenalty),
                                                      static_cast<int>(Number(options, kPasses)),
                                                      data, h, kIterations);
        for (int i = 0; i < kIterations; ++i) count = count + method.CountFactors();
        return {count, "step of " + std::to_string(kIterations) + " Newton iterations"};
      });
}

}  // namespace

MethodEntry NaturalCoordinatesEntry() {
  MethodEntry entry;
  entry.key = "natural-coordinates";
  entry.title = "Natural coordinates of points and unit vectors";
  entry.source =
      "Garcia de Jalon, Bayo 1994; Cuadrado, Cardenal, Bayo 1997; Betsch, Leyendecker 2006";
  entry.description =
      "Points and unit vectors describe the bodies, and neighbours share those at their joints: a "
      "constant mass matrix, constraints that are quadratic at most, and no angles. 'ali3p' "
      "integrates the augmented Lagrangian of index 3 by the trapezoidal rule and projects "
      "velocities and accelerations with the factors of the step: dependent constraints do no "
      "harm, and energy is lost. 'energy-momentum' keeps energy and momentum by discrete "
      "gradients, "
      "'null-space' takes the same steps without multipliers.";
  entry.form = Form::kTimeStepper;
  entry.cost_exponent = 1;
  entry.shared_parts = {"absolute constraints", "absolute accelerations", "force elements",
                        "joint reactions", "tree joints"};
  const std::string variant(kVariantGroup);
  entry.options = {
      {kAli3p, "augmented Lagrangian of index 3 with projections", variant, true},
      {kEnergyMomentum, "discrete gradients keep energy and momentum; velocities drift", variant,
       false},
      {.name = kNullSpace,
       .meaning = "those steps without multipliers, by a dense basis of the free motions",
       .group = variant,
       .cost_exponent = 3}};
  entry.numbers = {kPenalty, kPasses, absolute::kNewton};
  entry.own_integration =
      OwnIntegration{"trapezoidal or midpoint steps in natural coordinates", true, false, 2};
  entry.capabilities = SharedCapabilities();
  entry.prepare = [](const System& system,
                     const MethodOptions& options) -> std::unique_ptr<Formulation> {
    if (!Has(options, kEnergyMomentum) && !Has(options, kNullSpace))
      return PrepareAli3p(system, options);
    auto stepper = std::make_unique<EnergyMomentum>(system, Has(options, kNullSpace));
    stepper->EndIterations(options);
    return stepper;
  };
  entry.reaction_choice = "dropped-rows";
  entry.count_operations = CountOperations;
  return entry;
}

}  // namespace mbsbench
