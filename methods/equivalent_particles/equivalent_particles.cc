#include "methods/equivalent_particles/equivalent_particles.h"

#include <cmath>

#include "methods/equivalent_particles/dae_formulation.h"
#include "methods/equivalent_particles/index1_formulation.h"
#include "methods/equivalent_particles/operations.h"
#include "methods/equivalent_particles/particle_choice.h"
#include "methods/kinematics/shared_capabilities.h"
#include "methods/kinematics/single_axes.h"

namespace mbsbench {

namespace {

using namespace equivalent_particles;

// Eight bytes for the value of an entry and four each for its row and its place; the factors take
// as much again.
constexpr double kBytesPerEntry = 32;
constexpr double kMostBytes = 4e9;

Capabilities WhatItTakes() {
  using enum JointType;
  Capabilities capabilities = SharedCapabilities();
  capabilities.tree_joints = {
      {kBall, kRevolute, kPrismatic, kFixed, kFree, kUniversal, kCylindrical, kPlanar}};
  return capabilities;
}

Verdict Supports(const System& system, const MethodOptions& options) {
  if (!Has(options, "index1") && PathEntries(system) * kBytesPerEntry > kMostBytes) {
    return Verdict::No(
        "the moment sums of the joints extend to the tips: their rows would take " +
        std::to_string(static_cast<int>(PathEntries(system) * kBytesPerEntry / 1e9)) +
        " GB. Variant index1 eliminates them from the tips to the root.");
  }
  const RigidGroups tree = GroupsOf(system);
  const std::vector<ParticleChoice> choices = ChooseParticles(system, tree);
  for (std::size_t g = 1; g < tree.groups.size(); ++g) {
    if (choices[g].points.size() > 2) continue;
    for (const AppliedForce& force : system.forces.Of<AppliedForce>()) {
      if (tree.GroupOf(force.body) != static_cast<int>(g) || Norm(force.moment) == 0) continue;
      return Verdict::No("force '" + force.name + "' has a moment on body '" +
                         system.bodies[static_cast<std::size_t>(force.body)].name +
                         "', which extends along a line only and has nothing to resist it: give it "
                         "inertia about that line.");
    }
    for (int b : tree.bodies[g]) {
      const Body& body = system.bodies[static_cast<std::size_t>(b)];
      if (body.is_point) continue;
      return Verdict::No("body '" + body.name +
                         "' extends along a line only, so its particles do not determine its "
                         "rotation about it: give it inertia about that line, or declare it a "
                         "point.");
    }
  }
  return {};
}

// The Jacobian of a chain has O(n^2) entries.
constexpr double kDaeCostExponent = 2;

constexpr const char* kFallsFar =
    "tolerances are relative to the positions of particles, which fall 410 m, and errors grow by "
    "1e3: 8e-7";

DeclaredLimit Grows(const std::string& variant) {
  return {.promises = {"reference-branchN:bodies=500", "reference-mixed250"},
          .reason = "moment sums extend to the tips: O(n^2) entries and O(n^3) work in IDA",
          .with = variant,
          .seconds = 9000};  // ggl: 27 s with 90 bodies, by n^2.8 from 30: 3,300 s
}

}  // namespace

MethodEntry EquivalentParticlesEntry() {
  return OnSingleAxes({
      .key = "equivalent-particles",
      .title = "Equivalent particles",
      .source = "Attia 2002, Equations of motion of serial chains in spatial motion using a "
                "recursive algorithm",
      .description =
          "Every body is replaced by one to four constrained particles, which joined bodies "
          "share at their joints. The unknowns are coordinates of particles; there are no "
          "rotational coordinates. The equations are sums of moments over what is outboard of a "
          "joint, and distances between particles. Only cut joints and drivers have multipliers.",
      .form = Form::kOde,
      .cost_exponent = 1,
      .shared_parts = {"tree joints", "loop joints", "loop closure", "closure system",
                       "loop elimination", "force elements", "joint reactions"},
      .options = {{"index1",
                   "accelerations from moment sums and distances, as an ODE with projection",
                   "variant", true},
                  {"index1-dae",
                   "the same equations as a DAE in the particles' x and v",
                   "variant",
                   false,
                   Form::kDae,
                   {},
                   {},
                   kDaeCostExponent},
                  {"ggl",
                   "stabilised index 2: distances and their rates (Gear, Gupta, Leimkuhler)",
                   "variant",
                   false,
                   Form::kDae,
                   {},
                   {},
                   kDaeCostExponent}},
      .limits =
          {{{"reference-dzhanibekov"},
            6e-6,
            "index 1 in IDA drifts, and near the separatrix errors grow by 1e4 to 1e5: 2e-6",
            "index1-dae"},
           {{"reference-heavytop"}, 3e-7, "index 1 in IDA drifts: 8e-8", "index1-dae"},
           {{"reference-fourbar"}, 6e-7, "index 1 in IDA drifts: 2e-7", "index1-dae"},
           {{"reference-gimbal:spin=5000"},
            INFINITY,
            "index 1 in IDA loses the phase of 1600 turns",
            "index1-dae"},
           {{"reference-dzhanibekov"},
            6e-8,
            "particles turn with the body, and near the separatrix errors grow by 1e4 to 1e5: 2e-8",
            "ggl"},
           {{"reference-boxes"}, 3e-6, kFallsFar, "index1-dae"},
           {{"reference-boxes"}, 3e-6, kFallsFar, "ggl"},
           Grows("index1-dae"),
           Grows("ggl")},
      .capabilities = WhatItTakes(),
      .supports = Supports,
      .prepare =
          [](const System& system, const MethodOptions& options) {
            if (Has(options, "ggl")) return MakeDaeFormulation(system, DaeVariant::kGgl);
            if (Has(options, "index1-dae")) return MakeDaeFormulation(system, DaeVariant::kIndex1);
            return MakeIndex1Formulation(system);
          },
      .reaction_choice = "least-multipliers",
      .count_operations = [](const System& system, const MethodOptions& options,
                             const JointState& state) -> CountedOperations {
        if (!Has(options, "index1"))
          return CountedOperations::No("only the variant 'index1' is counted");
        return CountOperations(system, state);
      },
  });
}

}  // namespace mbsbench
