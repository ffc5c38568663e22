#include "methods/riccati_mstmm/riccati_mstmm.h"

#include <cmath>

#include "methods/kinematics/shared_capabilities.h"
#include "methods/kinematics/single_axes.h"
#include "methods/riccati_mstmm/paper_sweep.h"
#include "methods/riccati_mstmm/sweeps.h"
#include "methods/tree_sweeps/sweep_loops.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

Capabilities WhatPaperTakes() {
  using enum JointType;
  using enum ForceElement;
  using enum UnusualBody;
  return {
      .tree_joints =
          {{kBall, kRevolute},
           "the paper's hinges are all ball hinges, or all revolutes about parallel axes"},
      .loop_joints = {.because = "'general' carries cut forces"},
      .force_elements = {{kSpringDamper, kAppliedForce, kGroundSpring},
                         "the paper's hinges are smooth"},
      .bodies = {{kPoint, kInertiaWithoutMass, kWithoutMassOrInertia}},
      .motion_in_space = true,
  };
}

Verdict Supports(const System& system, const MethodOptions& options, bool& planar) {
  const Verdict verdict = StabilisationSupports(system, options);
  return verdict.supported && Has(options, "paper") ? PaperVariantSupports(system, planar)
                                                    : verdict;
}

std::unique_ptr<Formulation> Prepare(const GivenSystem& system, const MethodOptions& options) {
  bool planar = false;
  const Verdict verdict = Supports(system, options, planar);
  if (!verdict.supported)
    throw ModelError("riccati-mstmm cannot solve this system: " + verdict.reason + ".");
  if (!Has(options, "paper")) {
    return riccati::MakeGeneral(system, StabilisationOf(options));
  }
  if (planar) return std::make_unique<RiccatiPaper<2>>(system);
  return std::make_unique<RiccatiPaper<3>>(system);
}

}  // namespace

MethodEntry RiccatiMstmmEntry() {
  MethodEntry entry;
  entry.key = "riccati-mstmm";
  entry.title = "Riccati transfer matrix method";
  entry.source = "Rui, Bestle, Wang et al., Multibody Syst. Dyn. 49, 337-354 (2020)";
  entry.description =
      "The Riccati transformation z_a = S z_b + e relates the internal forces at a point to the "
      "accelerations there. One sweep from the tips to the root forms S and e, one back gives "
      "the accelerations. For a tree no overall system of equations is formed, and the cost is "
      "linear in bodies. Loops are cut. The forces in the cuts are further columns of e and "
      "follow from one linear system of the closure, or, where there are many cuts, they are "
      "eliminated where loops meet.";
  entry.form = Form::kOde;
  entry.cost_exponent = 1;
  entry.shared_parts = {"tree joints",      "tree motion",    "tree sweep",
                        "loop joints",      "loop closure",   "closure system",
                        "loop elimination", "force elements", "joint reactions"};
  entry.options = StabilisationOptions(
      {{"general", "hinges along their free axes: all joint types", "variant", true},
       {"paper",
        "ball hinges by eqs 10 to 13, 13 x 13 in space and 7 x 7 in the plane",
        "variant",
        false,
        {},
        WhatPaperTakes(),
        {{"tree joints", "tree motion", "transfer elements", "force elements",
          "joint reactions"}}}});
  entry.numbers = {kBaumgarteRate};
  entry.limits = {{{"refusals"},
                   4,
                   "gravity out of the plane is refused, and there is no joint or body to name",
                   "paper"},
                  {{"reference-chainN3d:bodies=*", "begun-motions-large"},
                   INFINITY,
                   "the motion leaves the plane, and in space T21 S + T22 is singular after the "
                   "second ball hinge",
                   "paper"}};
  entry.capabilities = SharedCapabilities();
  entry.supports = [](const System& system, const MethodOptions& options) {
    bool planar = false;
    return Supports(system, options, planar);
  };
  entry.prepare = Prepare;
  entry.explain = [](const System& system, const MethodOptions& options) -> std::string {
    return Has(options, "paper") ? "" : ExplainSweepLoops(system);
  };
  entry.reaction_choice = "least-multipliers";
  entry.prepare_batch = [](const System& system, const MethodOptions& options) {
    if (Has(options, "paper")) {
      throw ModelError(
          "riccati-mstmm:paper evaluates one state at a time; riccati-mstmm:general many at once.");
    }
    return riccati::MakeBatch(system);
  };
  entry.count_operations = [](const System& system, const MethodOptions& options,
                              const JointState& state) -> CountedOperations {
    if (Has(options, "paper"))
      return CountedOperations::No("only the variant 'general' is counted, not the printed form");
    return riccati::CountOperations(system, state);
  };
  return OnSingleAxes(std::move(entry));
}

}  // namespace mbsbench
