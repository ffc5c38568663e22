#include "methods/index3_direct/index3_direct.h"

#include <memory>
#include <string>
#include <vector>

#include "methods/coordinates/count_step.h"
#include "methods/index3_direct/bdf.h"
#include "methods/index3_direct/hht.h"
#include "methods/index3_direct/operations.h"
#include "methods/kinematics/shared_capabilities.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

constexpr char kHht[] = "hht", kI3[] = "i3", kSi2[] = "si2";
const NumericOption kAlpha{
    "alpha", "numerical damping of 'hht': 0 damps nothing", "", -0.3, -1. / 3, 0, kHht};

// The order of fixed steps and the highest one of others; 0: not chosen, 2 and kHighest.
int OrderOf(const MethodOptions& options) {
  for (int order = 1; order <= direct::Bdf::kHighest; ++order) {
    if (Has(options, "order=" + std::to_string(order))) return order;
  }
  return 0;
}

std::unique_ptr<Formulation> Prepare(const System& system, const MethodOptions& options) {
  const int order = OrderOf(options);
  const bool is_bdf = Has(options, kI3) || Has(options, kSi2);
  if (order != 0 && !is_bdf)
    throw ModelError(
        "option 'order' of method 'index3-direct' has no effect with 'hht': give 'i3' or 'si2'.");
  std::unique_ptr<absolute::AbsoluteStepper> stepper;
  if (is_bdf)
    stepper = std::make_unique<direct::Bdf>(system, Has(options, kSi2), order);
  else
    stepper = std::make_unique<direct::Hht>(system, Number(options, kAlpha));
  stepper->EndIterations(options);
  return stepper;
}

// For a step with the usual number of iterations.
CountedOperations CountOperations(const System& system, const MethodOptions& options,
                                  const JointState& state) {
  constexpr int kIterations = 2;
  const auto with_factors = [](auto& method, OperationCount count) -> CountedOperations {
    for (int i = 0; i < kIterations; ++i) count = count + method.CountFactors();
    return {count, "step of " + std::to_string(kIterations) + " Newton iterations"};
  };
  using direct::Bdf, direct::Hht;
  if (Has(options, kHht)) {
    const double alpha = Number(options, kAlpha);
    return absolute::CountStep(
        system, state, [&] { return std::make_unique<Hht>(system, alpha); },
        [&](Hht& method, const std::vector<double>& begin, double h) {
          return with_factors(method,
                              direct::CountAssemblyOfHht(system, alpha, begin, h, kIterations));
        });
  }
  const bool keeps_velocities = Has(options, kSi2);
  const int order = OrderOf(options);
  return absolute::CountStep(
      system, state, [&] { return std::make_unique<Bdf>(system, keeps_velocities, order); },
      [&](Bdf& method, const std::vector<double>& begin, double h) {
        return with_factors(method,
                            direct::CountAssemblyOfBdf(
                                system, keeps_velocities, order > 0 ? order : Bdf::kOfFixedSteps,
                                static_cast<int>(Bdf::kPoints), 0, begin, h, kIterations));
      });
}

}  // namespace

MethodEntry Index3DirectEntry() {
  MethodEntry entry;
  entry.key = "index3-direct";
  entry.title = "Index 3 discretised directly, as commercial programs do it";
  entry.source = "Negrut, Rampalli, Ottarsson, Sajdak 2007; Gear 1971";
  entry.description =
      "Newton-Euler equations of every body with constraints on positions (index 3), discretised "
      "directly, with variable steps and error control in displacements only ('si2': in velocities "
      "too): the baseline of a commercial program. It differs from a vendor's code in its "
      "rotations, increments on SO(3) "
      "and no Euler angles, in exact derivatives, in tolerances relative to the problem's length, "
      "and in samples, which are interpolated.";
  entry.form = Form::kTimeStepper;
  entry.cost_exponent = 1;
  entry.shared_parts = {"absolute constraints", "absolute accelerations", "force elements"};
  const std::string variant(kVariantGroup);
  entry.options = {
      {kHht, "the HHT method, of order 2", variant, true},
      {kI3, "backward differentiation formulas of orders 1 to 5", variant, false},
      {kSi2, "those with constraints and control of errors on velocities too", variant, false}};
  OwnIntegration steps{"HHT or BDF on SO(3) x R3", true, true, 2};
  entry.own_integration = steps;
  for (int order = 1; order <= direct::Bdf::kHighest; ++order) {
    const std::string number = std::to_string(order);
    steps.order = order;
    MethodOption& option = entry.options.emplace_back();
    option.name = "order=" + number;
    option.meaning =
        (order == 1 ? "'i3', 'si2': order of fixed steps, else the highest, " : "") + number;
    option.group = "order";
    option.own_integration = steps;
  }
  entry.numbers = {kAlpha, absolute::kNewton};
  for (const char* bdf : {kI3, kSi2}) {
    entry.limits.push_back(
        {.promises = {"first-steps"},
         .bound = 5e-4,
         .reason =
             "dampers of 'wishbone' end a transient of the start within the first step, to 1.5e-4",
         .with = bdf});
  }
  entry.capabilities = SharedCapabilities();
  entry.prepare = [](const System& system, const MethodOptions& options) {
    return Prepare(system, options);
  };
  entry.reaction_choice = "dropped-rows";
  entry.count_operations = CountOperations;
  return entry;
}

}  // namespace mbsbench
