#include "methods/interface/plugin.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "methods/engines/mujoco/mjcf.h"
#include "methods/engines/mujoco/mujoco_entry.h"
#include "methods/engines/mujoco_node/mujoco_node_formulation.h"
#include "methods/engines/mujoco_node/node_process.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace {

// MuJoCo's compiler calls itself for each body within a body. In WebAssembly 120 of them overrun its stack, which nothing
// checks: it then fails anywhere, or never ends.
constexpr int kMostWithinEachOther = 60;

Verdict Takes(const System& system) {
  const Topology tree = TopologyOf(system);
  std::vector<int> depths(system.bodies.size(), 1);
  for (const int b : tree.order) {
    const auto body = static_cast<std::size_t>(b);
    if (tree.parent[body] != kGround)
      depths[body] = depths[static_cast<std::size_t>(tree.parent[body])] + 1;
    if (depths[body] > kMostWithinEachOther)
      return Verdict::No(fmt::format(
          "body '{}' hangs on {} others in a row, and the stack of MuJoCo's compiler in "
          "WebAssembly holds few more.",
          system.bodies[body].name, kMostWithinEachOther));
  }
  return TakesMasses(system);
}

MethodEntry NodeEntry() {
  MethodEntry entry = MujocoEntry();
  entry.key = "mujoco-node";
  entry.title = "MuJoCo in WebAssembly " MUJOCO_NODE_VERSION;
  entry.description =
      "MuJoCo of this year as its authors compile it to WebAssembly, in a Node process, with the "
      "model and the functions of 'mujoco'. It gives no reactions.";
  entry.limits = {{.promises = {"times"},
                   .bound = INFINITY,
                   .reason = "its computations are WebAssembly in a process of their own, whose "
                             "time says nothing about MuJoCo"}};
  entry.supports = [](const System& system, const MethodOptions&) { return Takes(system); };
  entry.prepare = [script = NodeScript()](const System& system,
                                          const MethodOptions&) -> std::unique_ptr<Formulation> {
    return MakeMujocoNodeFormulation(system, script);
  };
  return entry;
}

}  // namespace

}  // namespace mbsbench

MBSBENCH_PLUGIN("MuJoCo in WebAssembly", mbsbench::NodeEntry(),
                mbsbench::DependsOn{{mbsbench::kNodeScript,
                                     "mujoco_node/node_modules/@mujoco/mujoco/mujoco.js",
                                     "mujoco_node/node_modules/@mujoco/mujoco/mujoco.wasm"}});
