#include "methods/interface/plugin.h"

#include <dart/config.hpp>

#include "methods/engines/dart/dart_formulation.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

Verdict Supports(const System& system, const MethodOptions&) {
  if (Verdict verdict = RefuseGrowth(system, "DART"); !verdict.supported) return verdict;
  if (!system.loop_joints.empty()) {
    return Verdict::No(
        "loop joint '" + system.loop_joints.front().name +
        "' would be one of DART's constraints, which act by impulses between steps of its "
        "own and pull errors back by a spring of its choosing: there are no "
        "accelerations to compare.");
  }
  for (const Body& body : system.bodies) {
    if (body.mass > 0) continue;
    return Verdict::No("body '" + body.name + "' has no mass, which DART does not take.");
  }
  return {};
}

MethodEntry DartEntry() {
  MethodEntry entry;
  entry.key = "dart";
  entry.title = "DART " DART_VERSION;
  entry.source = "Lee, Grey, Ha et al., J. Open Source Software 3(22) (2018) 500";
  entry.description =
      "The engine DART as Debian packages it (generic processor, one thread): "
      "Skeleton::computeForwardDynamics, its articulated-body recursion, without World and "
      "contacts. All "
      "force elements are applied from our evaluation, because DART's own springs are implicit in "
      "its "
      "time step.";
  entry.form = Form::kOde;
  entry.own_integration = OwnIntegration{"semi-implicit Euler of DART, fixed step", false, 1};
  entry.supports = Supports;
  entry.prepare = [](const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
    try {
      return MakeDartFormulation(system);
    } catch (const std::exception& error) {
      throw ModelError(std::string("DART does not take this system: ") + error.what());
    }
  };
  return entry;
}

}  // namespace

}  // namespace mbsbench

MBSBENCH_PLUGIN("DART", mbsbench::DartEntry());
