#include "methods/interface/plugin.h"

#include <dlfcn.h>

#include <cmath>

#include "methods/engines/mujoco/mujoco_entry.h"
#include "methods/engines/mujoco_node/mujoco_node_formulation.h"

namespace mbsbench {

namespace {

constexpr char kScript[] = "mujoco_node/serve.mjs";  // beside the plug-in

std::filesystem::path ScriptOfPlugin() {
  static const char within_plugin = 0;
  Dl_info info{};
  dladdr(&within_plugin, &info);
  return std::filesystem::path(info.dli_fname).parent_path() / kScript;
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
  entry.prepare = [script = ScriptOfPlugin()](
                      const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
    return MakeMujocoNodeFormulation(system, script);
  };
  return entry;
}

}  // namespace

}  // namespace mbsbench

MBSBENCH_PLUGIN("MuJoCo in WebAssembly", mbsbench::NodeEntry(),
                mbsbench::DependsOn{{mbsbench::kScript,
                                     "mujoco_node/node_modules/@mujoco/mujoco/mujoco.js",
                                     "mujoco_node/node_modules/@mujoco/mujoco/mujoco.wasm"}});
