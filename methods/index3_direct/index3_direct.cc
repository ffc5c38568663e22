#include "methods/index3_direct/index3_direct.h"

#include <memory>
#include <string>
#include <vector>

#include "methods/coordinates/count_step.h"
#include "methods/index3_direct/hht.h"
#include "methods/index3_direct/operations.h"
#include "methods/kinematics/shared_capabilities.h"

namespace mbsbench {

namespace {

constexpr char kHht[] = "hht";
const NumericOption kAlpha{
    "alpha", "numerical damping of 'hht': 0 damps nothing", "", -0.3, -1. / 3, 0, kHht};

// For a step with the usual number of iterations.
CountedOperations CountOperations(const System& system, const MethodOptions& options,
                                  const JointState& state) {
  constexpr int kIterations = 2;
  const double alpha = Number(options, kAlpha);
  return absolute::CountStep(
      system, state, [&] { return std::make_unique<direct::Hht>(system, alpha); },
      [&](direct::Hht& method, const std::vector<double>& begin, double h) -> CountedOperations {
        OperationCount count = direct::CountAssemblyOfHht(system, alpha, begin, h, kIterations);
        for (int i = 0; i < kIterations; ++i) count = count + method.CountFactors();
        return {count, "step of " + std::to_string(kIterations) + " Newton iterations"};
      });
}

}  // namespace

MethodEntry Index3DirectEntry() {
  MethodEntry entry;
  entry.key = "index3-direct";
  entry.title = "Index 3 discretised directly, as commercial programs do it";
  entry.source = "Negrut, Rampalli, Ottarsson, Sajdak 2007";
  entry.description =
      "Newton-Euler equations of every body with constraints on positions (index 3), discretised "
      "directly, with variable steps and error control in displacements only: the baseline of a "
      "commercial program. It differs from a vendor's code in its rotations, increments on SO(3) "
      "and no Euler angles, in exact derivatives, in tolerances relative to the problem's length, "
      "and in samples, which are interpolated.";
  entry.form = Form::kTimeStepper;
  entry.cost_exponent = 1;
  entry.shared_parts = {"absolute constraints", "absolute accelerations", "force elements"};
  entry.options = {{kHht, "the HHT method, of order 2", std::string(kVariantGroup), true}};
  entry.numbers = {kAlpha};
  entry.own_integration = OwnIntegration{"HHT on SO(3) x R3", true, true, 2};
  entry.capabilities = SharedCapabilities();
  entry.prepare = [](const System& system,
                     const MethodOptions& options) -> std::unique_ptr<Formulation> {
    return std::make_unique<direct::Hht>(system, Number(options, kAlpha));
  };
  entry.count_operations = CountOperations;
  return entry;
}

}  // namespace mbsbench
