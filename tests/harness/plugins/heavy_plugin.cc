// The example with a moment of inertia about its joint that is too large by 1e-5: gravity, the only moment about
// it, is too small by as much.
#include "compound_pendulum.h"
#include "methods/interface/plugin.h"

namespace {

mbsbench::MethodEntry HeavyPendulumEntry() {
  mbsbench::MethodEntry entry = mbsbench::CompoundPendulumEntry();
  entry.key = "heavy-pendulum";
  entry.supports = [sound = entry.supports](const mbsbench::System& system,
                                            const mbsbench::MethodOptions& options) {
    mbsbench::Verdict verdict = sound(system, options);
    const std::string own = "compound-pendulum";
    if (const std::size_t at = verdict.reason.find(own); at != std::string::npos)
      verdict.reason.replace(at, own.size(), "heavy-pendulum");
    return verdict;
  };
  entry.prepare = [sound = entry.prepare](mbsbench::System system,
                                          const mbsbench::MethodOptions& options) {
    system.gravity = (1 - 1e-5) * system.gravity;
    return sound(system, options);
  };
  return entry;
}

}  // namespace

MBSBENCH_PLUGIN("heavy pendulum", HeavyPendulumEntry());
