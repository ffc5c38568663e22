#include "methods/interface/plugin.h"

#include "methods/engines/simbody/simbody_formulation.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

Verdict Supports(const System& system, const MethodOptions&) {
  if (Verdict verdict = RefuseGrowth(system, "Simbody"); !verdict.supported) return verdict;
  for (const Body& body : system.bodies) {
    const Matrix3& i = body.inertia;
    if (body.mass == 0 && i(0, 0) + i(1, 1) + i(2, 2) > 0) {
      return Verdict::No("body '" + body.name +
                         "' has inertia and no mass; Simbody keeps inertia per unit of mass.");
    }
  }
  return {};
}

MethodEntry SimbodyEntry() {
  MethodEntry entry;
  entry.key = "simbody";
  entry.title = "Simbody 3.7";
  entry.source = "Sherman, Seth, Delp, Procedia IUTAM 2 (2011) 241-261";
  entry.description =
      "The engine Simbody as Debian packages it (generic processor, one thread): its O(n) "
      "recursion in "
      "joint coordinates (realize to Stage::Acceleration), ball mobilizers with quaternions, loops "
      "by "
      "its constraints and its coordinate projection. Springs, dampers and loads are its own force "
      "elements, but for ground springs and loads in body axes, which are applied from our "
      "evaluation.";
  entry.form = Form::kOde;
  entry.own_integration = OwnIntegration{"RungeKuttaMerson of Simbody, error-controlled", true, 4};
  entry.supports = Supports;
  entry.prepare = [](const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
    try {
      return MakeSimbodyFormulation(system);
    } catch (const std::exception& error) {
      throw ModelError(std::string("Simbody does not take this system: ") + error.what());
    }
  };
  return entry;
}

}  // namespace

}  // namespace mbsbench

MBSBENCH_PLUGIN("Simbody", mbsbench::SimbodyEntry());
