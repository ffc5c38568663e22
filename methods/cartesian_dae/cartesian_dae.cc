#include "methods/cartesian_dae/cartesian_dae.h"

#include <cmath>

#include "methods/cartesian_dae/dae_formulation.h"
#include "methods/cartesian_dae/index1_formulation.h"
#include "methods/cartesian_dae/operations.h"
#include "methods/kinematics/shared_capabilities.h"
#include "methods/loops/baumgarte.h"

namespace mbsbench {

namespace {

std::unique_ptr<Formulation> Prepare(const System& system, const MethodOptions& options) {
  using namespace cartesian;
  if (Has(options, "index1")) return MakeIndex1Formulation(system);
  const DaeVariant variant = Has(options, "index3")      ? DaeVariant::kIndex3
                             : Has(options, "baumgarte") ? DaeVariant::kBaumgarte
                                                         : DaeVariant::kGgl;
  return MakeDaeFormulation(system, variant, Number(options, kBaumgarteRate));
}

}  // namespace

MethodEntry CartesianDaeEntry() {
  return {
      .key = "cartesian-dae",
      .title = "Absolute coordinates with constraints",
      .source =
          "Haug 1989; Nikravesh 1988; Gear, Gupta, Leimkuhler 1985; Baumgarte 1972; Eich 1993",
      .description =
          "Newton-Euler equations of every body in absolute coordinates. Every joint is a "
          "constraint with multipliers. The equations are an implicit sparse DAE with exact "
          "Jacobian, the common form of general-purpose codes, or ('index1') an ODE with a "
          "sparse factorisation in each evaluation. Redundant rows of loop joints are found by "
          "QR factorisation with column pivoting of the loop constraints, projected onto the "
          "motions that the tree joints allow, and left out; if the kept rows become dependent, "
          "others take their place.",
      .form = Form::kDae,
      .cost_exponent = 1,
      .shared_parts = {"absolute constraints", "absolute accelerations", "force elements"},
      .options = {{"ggl", "stabilised index 2: positions and velocities (Gear, Gupta, Leimkuhler)",
                   "variant", true},
                  {"baumgarte", "index 1 with g'' + 2 alpha g' + beta^2 g = 0, alpha = beta = rate",
                   "variant", false},
                  {"index1", "constraints differentiated twice, as an ODE with projection",
                   "variant", false, Form::kOde},
                  {"index3", "position constraints alone, index 3: unstable, shown for comparison",
                   "variant", false}},
      .numbers = {kBaumgarteRate},
      .limits =
          {{{"energy", "reference-[!d]*", "reference-dpend18", "begun-motions*"},
            INFINITY,
            "index 3 fails in IDA at 1e-12 with nearly every constraint; shown for comparison",
            "index3",
            true},
           {{"reference-swing*"},
            INFINITY,
            "Newton's iteration of IDA ends in the first second: a massless link between stiff "
            "springs",
            "baumgarte"}},
      .capabilities = SharedCapabilities(),
      .prepare = Prepare,
      .reaction_choice = "dropped-rows",
      .count_operations = [](const System& system, const MethodOptions& options,
                             const JointState& state) -> CountedOperations {
        if (!Has(options, "index1"))
          return CountedOperations::No("only the variant 'index1' is counted");
        return cartesian::CountOperations(system, state);
      },
  };
}

}  // namespace mbsbench
