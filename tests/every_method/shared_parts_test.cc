// The declared shared parts of a method agree with its include lines: those of its folder, and of all files that it
// reaches from there in the shared rooms. Files that begin with the name of a variant with its own list belong to
// this variant alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "harness/support/support.h"
#include "methods/all_methods.h"

namespace mbsbench {
namespace {

namespace fs = std::filesystem;

struct Part {
  std::string name, header;
  bool on_loops = false;  // does not apply to a method that refuses loops
};

const std::vector<Part>& Parts() {
  static const std::vector<Part> parts{
      {"tree joints", "methods/kinematics/tree_joint.h"},
      {"tree motion", "methods/tree_motion/tree_motion.h"},
      {"tree sweep", "methods/tree_sweeps/tree_sweep.h"},
      {"transfer elements", "methods/transfer_elements/element_form.h"},
      {"absolute constraints", "methods/kinematics/absolute_constraints.h"},
      {"absolute accelerations", "methods/coordinates/acceleration_solver.h"},
      {"loop joints", "methods/kinematics/loop_joint.h", true},
      {"loop closure", "methods/loops/loop_closure.h", true},
      {"closure system", "methods/loops/closure_system.h", true},
      {"loop elimination", "methods/loops/loop_elimination.h", true},
      {"force elements", "methods/kinematics/force_elements.h"},
      {"joint reactions", "methods/kinematics/joint_reactions.h"},
  };
  return parts;
}

// The variant that a file belongs to; null: all variants without their own list.
const MethodOption* VariantOfFile(const MethodEntry& entry, const std::string& file) {
  for (const MethodOption& option : entry.options) {
    if (option.shared_parts && file.starts_with(option.name + "_")) return &option;
  }
  return nullptr;
}

// Headers and sources of the shared rooms that the sources of a folder, or those of one variant, depend on.
std::set<std::string> ReachedFrom(const MethodEntry& entry, const MethodOption* variant) {
  std::string folder = "methods/" + entry.key;
  std::replace(folder.begin(), folder.end(), '-', '_');
  const fs::path root = MBSBENCH_SOURCE_DIR;
  std::vector<std::string> waiting;
  for (const auto& file : fs::directory_iterator(root / folder)) {
    if (VariantOfFile(entry, file.path().filename()) == variant)
      waiting.push_back(fs::relative(file.path(), root));
  }
  std::set<std::string> reached;
  static const std::regex include(
      R"(^#include "(methods/(kinematics|numerics|tree_motion|loops|coordinates|)"
      R"(transfer_elements|tree_sweeps)/\w+)\.h")");
  while (!waiting.empty()) {
    const std::string file = waiting.back();
    waiting.pop_back();
    std::ifstream source(root / file);
    if (!source || !reached.insert(file).second) continue;
    if (file.starts_with("methods/tree_motion/tip_inertia"))
      continue;  // refuses, and gives no number
    std::smatch match;
    for (std::string line; std::getline(source, line);) {
      if (!std::regex_search(line, match, include)) continue;
      waiting.push_back(match.str(1) + ".h");
      waiting.push_back(match.str(1) + ".cc");
    }
  }
  return reached;
}

bool TakesLoops(const Capabilities& capabilities) {
  return capabilities.loop_joints.all || !capabilities.loop_joints.kinds.empty();
}

void ExpectListed(const MethodEntry& entry, const MethodOption* variant) {
  const std::set<std::string> reached = ReachedFrom(entry, variant);
  const std::string name = entry.key + (variant != nullptr ? ":" + variant->name : "");
  ASSERT_GT(reached.size(), 2u) << name;
  const MethodOptions options = variant != nullptr ? MethodOptions{variant->name} : MethodOptions{};
  std::vector<std::string> parts;
  for (const Part& part : Parts()) {
    if (part.on_loops && !TakesLoops(CapabilitiesOf(entry, options))) continue;
    if (reached.contains(part.header)) parts.push_back(part.name);
  }
  EXPECT_THAT(SharedPartsOf(entry, options), testing::UnorderedElementsAreArray(parts)) << name;
}

TEST(EveryMethod, DeclaresTheSharedPartsThatItsSourcesInclude) {
  for (const MethodEntry& entry : AllMethods()) {
    ExpectListed(entry, nullptr);
    for (const MethodOption& option : entry.options) {
      if (option.shared_parts) ExpectListed(entry, &option);
    }
  }
}

}  // namespace
}  // namespace mbsbench
