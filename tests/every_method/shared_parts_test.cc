// What a method says that it shares, held to its include lines: those of its folder, and of all that it
// reaches from there in the rooms that methods share.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "methods/all_methods.h"

namespace mbsbench {
namespace {

namespace fs = std::filesystem;

struct Part {
  std::string name, header;
  bool on_loops = false;  // of no consequence to a method that refuses them
};

const std::vector<Part>& Parts() {
  static const std::vector<Part> parts{
      {"tree joints", "methods/kinematics/tree_joint.h"},
      {"tree motion", "methods/numerics/tree_motion.h"},
      {"tree sweep", "methods/tree_sweeps/tree_sweep.h"},
      {"transfer elements", "methods/transfer_elements/element_form.h"},
      {"absolute constraints", "methods/kinematics/absolute_constraints.h"},
      {"loop joints", "methods/kinematics/loop_joint.h", true},
      {"loop closure", "methods/numerics/loop_closure.h", true},
      {"closure system", "methods/numerics/closure_system.h", true},
      {"loop elimination", "methods/numerics/loop_elimination.h", true},
      {"force elements", "methods/kinematics/force_elements.h"},
      {"joint reactions", "methods/kinematics/joint_reactions.h"},
  };
  return parts;
}

// Headers and sources of the shared rooms that the sources of a folder rest on.
std::set<std::string> ReachedFrom(const std::string& folder) {
  const fs::path root = MBSBENCH_SOURCE_DIR;
  std::vector<std::string> waiting;
  for (const auto& entry : fs::directory_iterator(root / folder))
    waiting.push_back(fs::relative(entry.path(), root));
  std::set<std::string> reached;
  static const std::regex include(
      R"(^#include "(methods/(kinematics|numerics|transfer_elements|tree_sweeps)/\w+)\.h")");
  while (!waiting.empty()) {
    const std::string file = waiting.back();
    waiting.pop_back();
    std::ifstream source(root / file);
    if (!source || !reached.insert(file).second) continue;
    std::smatch match;
    for (std::string line; std::getline(source, line);) {
      if (!std::regex_search(line, match, include)) continue;
      waiting.push_back(match.str(1) + ".h");
      waiting.push_back(match.str(1) + ".cc");
    }
  }
  return reached;
}

bool TakesLoops(const MethodEntry& entry) {
  return entry.capabilities.loop_joints.all || !entry.capabilities.loop_joints.kinds.empty();
}

TEST(EveryMethod, ListsTheSharedPartsThatItsSourcesReach) {
  for (const MethodEntry& entry : AllMethods()) {
    std::string folder = "methods/" + entry.key;
    std::replace(folder.begin(), folder.end(), '-', '_');
    const std::set<std::string> reached = ReachedFrom(folder);
    ASSERT_GT(reached.size(), 2u) << folder;
    std::vector<std::string> parts;
    for (const Part& part : Parts()) {
      if (part.on_loops && !TakesLoops(entry)) continue;
      if (reached.contains(part.header)) parts.push_back(part.name);
    }
    EXPECT_THAT(entry.shared_parts, testing::UnorderedElementsAreArray(parts)) << entry.key;
  }
}

}  // namespace
}  // namespace mbsbench
