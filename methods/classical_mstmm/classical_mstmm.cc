#include "methods/classical_mstmm/classical_mstmm.h"

#include <cmath>
#include <string>

#include "methods/classical_mstmm/explain.h"
#include "methods/classical_mstmm/operations.h"
#include "methods/classical_mstmm/overall_formulation.h"
#include "methods/kinematics/shared_capabilities.h"
#include "methods/kinematics/single_axes.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

// The overall matrix is dense: 10,000 unknowns are 800 MB (10,000 bodies in a planar chain, 3,300
// with ball joints). Not time but memory is bounded here.
constexpr int kMostUnknowns = 10000;

bool IsPlanar(const System& system, const TransferTree<double>& tree, Plane& plane) {
  for (const SweepGroup<double>& group : tree.groups) {
    // Ball hinges may leave the plane during a motion.
    if (QuaternionOffset(group.type) >= 0) return false;
  }
  return FindPlane(system, tree, plane).supported;
}

Capabilities WhatPaperTakes() {
  using enum JointType;
  using enum ForceElement;
  using enum UnusualBody;
  return {
      .tree_joints = {{kBall, kRevolute, kPrismatic},
                      "the papers' hinges are ball hinges and sliding hinges, or all of a plane"},
      .loop_joints = {{kBall, kRevolute, kPrismatic, kFixed, kDistance, kUniversal}},
      .force_elements = {{kSpringDamper, kAppliedForce, kGroundSpring},
                         "the papers' hinges are smooth"},
      .bodies = {{kPoint, kInertiaWithoutMass, kWithoutMassOrInertia}},
      .motion_in_space = true,
  };
}

Verdict Supports(const System& system, const MethodOptions& options, bool& planar) {
  if (const Verdict verdict = StabilisationSupports(system, options); !verdict.supported) {
    return verdict;
  }
  const TransferTree<double> tree(system);
  Plane plane;
  planar = IsPlanar(system, tree, plane);
  const bool paper = Has(options, "paper");
  const Deduction deduction = Deduce(system, tree, planar ? 2 : 3, paper);
  if (deduction.unknowns > kMostUnknowns) {
    return Verdict::No("the overall transfer matrix would be dense with " +
                       std::to_string(deduction.unknowns) + " unknowns, more than the " +
                       std::to_string(kMostUnknowns) + " for which 800 MB are set aside");
  }
  return paper ? PaperHingesExist(system, tree, planar) : Verdict{};
}

std::unique_ptr<Formulation> Prepare(const GivenSystem& system, const MethodOptions& options) {
  bool planar = false;
  const Verdict verdict = Supports(system, options, planar);
  if (!verdict.supported)
    throw ModelError("classical-mstmm cannot solve this system: " + verdict.reason + ".");
  const ClassicalVariant variant =
      Has(options, "paper") ? ClassicalVariant::kPaper : ClassicalVariant::kGeneral;
  const Stabilisation stabilisation = StabilisationOf(options);
  if (planar) return std::make_unique<OverallFormulation<2>>(system, variant, stabilisation);
  return std::make_unique<OverallFormulation<3>>(system, variant, stabilisation);
}

}  // namespace

MethodEntry ClassicalMstmmEntry() {
  MethodEntry entry;
  entry.key = "classical-mstmm";
  entry.title = "Transfer matrix method, overall transfer equation";
  entry.source = "Rui et al., Adv. Mech. Eng. (2018); Multibody Syst. Dyn. 49, 337-354 (2020)";
  entry.description =
      "Transfer matrices are multiplied along the chains. The topology gives one overall "
      "transfer equation, which is solved for the unknown ends and joint accelerations. These "
      "products lose digits as chains grow. Loops are cut, and supplement equations close them.";
  entry.form = Form::kOde;
  entry.cost_exponent = 3;  // the accelerations of all joints are unknowns of a dense equation
  entry.shared_parts = {"tree joints",      "tree motion",    "transfer elements",
                        "loop joints",      "loop closure",   "closure system",
                        "loop elimination", "force elements", "joint reactions"};
  entry.options = StabilisationOptions(
      {{"general", "hinges along free axes, accelerations as unknowns: all joint types", "variant",
        true},
       {"paper",
        "ball and sliding hinges by transfer matrices of their own, constant order",
        "variant",
        false,
        {},
        WhatPaperTakes(),
        {},
        1}});
  entry.numbers = {kBaumgarteRate};
  entry.limits = {
      {{"reference-branchN:bodies=500", "reference-mixed250"},
       INFINITY,
       "products of transfer matrices lose digits along a chain; held on paths of up to 40 bodies"},
      {{"catalogue-large", "begun-motions-large", "reference-branchN:bodies=24",
        "reference-branchN:bodies=100"},
       INFINITY,
       "products of transfer matrices of hinges lose all digits on chains of 20 bodies and more",
       "paper"},
      {{"reference-chainN:bodies=10"},
       4e-9,
       "products of transfer matrices of hinges lose half a digit per body: 1.4e-9",
       "paper"}};
  entry.capabilities = SharedCapabilities();
  entry.supports = [](const System& system, const MethodOptions& options) {
    bool planar = false;
    return Supports(system, options, planar);
  };
  entry.prepare = Prepare;
  entry.explain = [](const System& system, const MethodOptions& options) -> std::string {
    const TransferTree<double> tree(system);
    const bool paper = Has(options, "paper");
    Plane plane;
    const int dimension = IsPlanar(system, tree, plane) ? 2 : 3;
    return ExplainDeduction(system, tree, Deduce(system, tree, dimension, paper), paper);
  };
  entry.reaction_choice = "least-multipliers";
  entry.count_operations = [](const System& system, const MethodOptions& options,
                              const JointState& state) -> CountedOperations {
    if (!Has(options, "general"))
      return CountedOperations::No("only the variant 'general' is counted, not the printed form");
    Plane plane;
    const bool planar = IsPlanar(system, TransferTree<double>(system), plane);
    return CountClassicalOperations(system, planar ? &plane : nullptr, state);
  };
  return OnSingleAxes(std::move(entry));
}

}  // namespace mbsbench
