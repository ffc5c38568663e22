// The folder tree is the architecture: it determines which room may include which. This test reads every
// include line and fails on a forbidden one.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// The room of a path: each method's folder is a room, and so is each part of a room with its own
// rules.
std::string RoomOf(const std::string& path) {
  static const std::vector<std::string> parts{"problems/model",
                                              "problems/catalog",
                                              "problems/io",
                                              "problems/test_systems",
                                              "methods/interface",
                                              "methods/steady",
                                              "methods/growth",
                                              "methods/thresholds",
                                              "methods/kinematics",
                                              "methods/numerics",
                                              "methods/tree_motion",
                                              "methods/loops",
                                              "methods/coordinates",
                                              "methods/transfer_elements",
                                              "methods/tree_sweeps",
                                              "harness/integrate",
                                              "harness/linearise",
                                              "harness/metrics",
                                              "harness/support",
                                              "harness/records",
                                              "harness/store",
                                              "harness/comparison",
                                              "harness/runner/cells",
                                              "harness/runner/process",
                                              "harness/runner/trials",
                                              "harness/runner/plan",
                                              "harness/runner",
                                              "harness/bench",
                                              "harness/cluster",
                                              "harness/conform",
                                              "commands",
                                              "harness/plugins",
                                              "harness",
                                              "reference/numerics",
                                              "reference/system",
                                              "reference/maximal_coordinates",
                                              "reference/joint_coordinates",
                                              "reference/closed_forms",
                                              "reference/rope_flight",
                                              "reference",
                                              "reports/format",
                                              "reports/analysis",
                                              "reports/pages",
                                              "reports"};
  for (const std::string& part : parts) {
    if (path.rfind(part + "/", 0) == 0) return part;
  }
  if (path.rfind("methods/", 0) == 0) {
    const std::size_t slash = path.find('/', 8);
    return slash == std::string::npos ? "methods" : path.substr(0, slash);
  }
  return "main";
}

// What all formulations may include, in the order of their arrows.
const std::vector<std::string> shared_rooms{
    "problems/model",     "methods/interface",   "methods/steady",     "methods/growth",
    "methods/thresholds", "methods/kinematics",  "methods/numerics",   "methods/tree_motion",
    "methods/loops",      "methods/coordinates", "methods/tree_sweeps"};

// The rooms before `room` in that order.
std::vector<std::string> SharedBefore(const std::string& room) {
  return {shared_rooms.begin(), std::find(shared_rooms.begin(), shared_rooms.end(), room)};
}

bool IsFormulation(const std::string& room) {
  return room.rfind("methods/", 0) == 0 && room != "methods/transfer_elements" &&
         std::find(shared_rooms.begin(), shared_rooms.end(), room) == shared_rooms.end();
}

// Rooms of the reference. Its two formulations, maximal and joint coordinates, do not include one another.
std::vector<std::string> AllowedForReference(const std::string& room) {
  std::vector<std::string> rooms{"problems/model"};
  if (room == "reference/numerics") return rooms;
  rooms.push_back("reference/numerics");
  if (room == "reference/system") return rooms;
  rooms.push_back("reference/system");
  if (room == "reference/maximal_coordinates" || room == "reference/joint_coordinates")
    return rooms;
  rooms.insert(rooms.end(), {"problems/catalog", "reference"});
  if (room == "reference")
    rooms.insert(rooms.end(), {"reference/maximal_coordinates", "reference/joint_coordinates",
                               "reference/closed_forms", "reference/rope_flight"});
  return rooms;
}

// Rooms that `room` may include, in addition to itself.
std::vector<std::string> AllowedFor(const std::string& room) {
  const std::vector<std::string> harness{"problems/model",
                                         "problems/catalog",
                                         "problems/io",
                                         "methods/interface",
                                         "methods/steady",
                                         "methods",
                                         "reference",
                                         "harness",
                                         "harness/integrate",
                                         "harness/metrics",
                                         "harness/support",
                                         "harness/records",
                                         "harness/store",
                                         "harness/comparison",
                                         "harness/runner/cells",
                                         "harness/runner/process",
                                         "harness/runner/trials",
                                         "harness/runner/plan",
                                         "harness/runner"};
  // The rooms of the runner, which stand on the rooms before them.
  const std::vector<std::string> cells{
      "problems/model",  "problems/catalog",   "problems/io",     "methods/interface",
      "methods/steady",  "methods/thresholds", "reference",       "harness/integrate",
      "harness/metrics", "harness/support",    "harness/records", "harness/store",
      "harness"};
  const auto and_also = [](std::vector<std::string> rooms, const std::vector<std::string>& more) {
    rooms.insert(rooms.end(), more.begin(), more.end());
    return rooms;
  };
  if (room == "harness/runner/cells") return cells;
  if (room == "harness/runner/process") return and_also(cells, {"harness/runner/cells"});
  if (room == "harness/runner/trials" || room == "harness/runner/plan")
    return and_also(cells, {"harness/runner/cells", "harness/runner/process"});
  const std::vector<std::string> stored{"harness/records", "harness/store", "harness/comparison"};
  if (room == "reports/format") return {"harness/records", "harness/store"};
  if (room == "reports/analysis") return and_also(stored, {"reports/format"});
  if (room == "reports/pages") return and_also(stored, {"reports/format", "reports/analysis"});
  if (room == "reports")
    return and_also(stored, {"reports/format", "reports/analysis", "reports/pages"});
  static const std::map<std::string, std::vector<std::string>> allowed{
      {"problems/model", {}},
      {"problems/catalog", {"problems/model"}},
      {"problems/io", {"problems/model", "problems/catalog"}},
      {"problems/test_systems", {"problems/model", "problems/catalog"}},
      {"methods/interface", SharedBefore("methods/interface")},
      {"methods/steady", SharedBefore("methods/steady")},
      {"methods/growth", SharedBefore("methods/growth")},
      {"methods/thresholds", {}},
      {"methods/kinematics", SharedBefore("methods/kinematics")},
      {"methods/numerics", SharedBefore("methods/numerics")},
      {"methods/tree_motion", SharedBefore("methods/tree_motion")},
      {"methods/loops", SharedBefore("methods/loops")},
      {"methods/coordinates", SharedBefore("methods/coordinates")},
      {"methods/tree_sweeps", SharedBefore("methods/tree_sweeps")},
      {"methods/transfer_elements", SharedBefore("methods/tree_sweeps")},
      {"methods", {"problems/model", "methods/interface"}},
      {"harness", {}},
      {"harness/records", {"problems/model"}},
      {"harness/integrate",
       {"problems/model", "methods/interface", "methods/steady", "methods/growth",
        "methods/thresholds", "harness/records"}},
      {"harness/metrics",
       {"problems/model", "reference", "methods/interface", "methods/kinematics",
        "harness/records"}},
      {"harness/linearise", {"problems/model", "reference"}},
      {"harness/support", {"problems/model", "methods/interface"}},
      {"harness/store", {"problems/model", "harness/records"}},
      {"harness/comparison", {"problems/model", "harness/records", "harness/store"}},
      // Libraries in other languages become methods in methods/foreign.
      {"harness/plugins",
       {"problems/model", "problems/catalog", "methods/interface", "methods/foreign",
        "harness/runner", "harness/runner/cells", "harness/runner/process", "harness/store"}},
  };
  if (room == "harness/runner" || room == "harness/bench" || room == "harness/cluster")
    return harness;
  if (room == "harness/conform") {
    std::vector<std::string> all = harness;
    all.insert(all.end(), {"problems/test_systems", "methods/kinematics"});
    return all;
  }
  if (room == "commands")
    return and_also(harness, {"harness/bench", "harness/cluster", "harness/conform",
                              "harness/linearise", "harness/plugins", "reports/format",
                              "reports/analysis", "reports/pages", "reports"});
  if (room == "main") return {"commands", "harness", "methods"};
  if (room.rfind("reference", 0) == 0) return AllowedForReference(room);
  if (IsFormulation(room)) {
    std::vector<std::string> mine = shared_rooms;
    if (room.find("mstmm") != std::string::npos) mine.push_back("methods/transfer_elements");
    return mine;
  }
  const auto found = allowed.find(room);
  return found == allowed.end() ? std::vector<std::string>{} : found->second;
}

struct Include {
  std::string file, included;
  bool in_quotes;
};

std::vector<Include> AllIncludes() {
  const fs::path root = MBSBENCH_SOURCE_DIR;
  static const std::regex line_of(R"(^\s*#\s*include\s*(["<])([^">]+)[">])");
  std::vector<Include> includes;
  for (const char* room :
       {"problems", "reference", "methods", "harness", "reports", "commands", "main.cc"}) {
    std::vector<fs::path> files;
    if (fs::is_regular_file(root / room)) files.push_back(root / room);
    if (fs::is_directory(root / room)) {
      for (const auto& entry : fs::recursive_directory_iterator(root / room)) {
        const std::string extension = entry.path().extension().string();
        if (extension == ".h" || extension == ".cc") files.push_back(entry.path());
      }
    }
    for (const fs::path& file : files) {
      std::ifstream in(file);
      std::smatch match;
      for (std::string line; std::getline(in, line);) {
        if (std::regex_search(line, match, line_of)) {
          includes.push_back({fs::relative(file, root).string(), match[2], match[1] == "\""});
        }
      }
    }
  }
  return includes;
}

TEST(IncludeLines, RunOneWayBetweenTheRooms) {
  const std::vector<Include> includes = AllIncludes();
  ASSERT_GT(includes.size(), 100u);
  for (const Include& include : includes) {
    if (!include.in_quotes) continue;
    const std::string from = RoomOf(include.file);
    std::string to = RoomOf(include.included);
    // To other rooms the reference is one room.
    if (to.starts_with("reference/") && !from.starts_with("reference")) to = "reference";
    if (from == to) continue;
    const std::vector<std::string> allowed = AllowedFor(from);
    EXPECT_NE(std::find(allowed.begin(), allowed.end(), to), allowed.end())
        << include.file << " includes " << include.included << ": " << from << " may not include "
        << to;
  }
}

TEST(IncludeLines, NeverRunInACircle) {
  std::map<std::string, std::vector<std::string>> includes_of;
  for (const Include& include : AllIncludes())
    if (include.in_quotes) includes_of[include.file].push_back(include.included);
  std::map<std::string, bool> finished;  // false: on the way from the root of the search
  const std::function<void(const std::string&)> visit = [&](const std::string& file) {
    const auto [seen, is_new] = finished.emplace(file, false);
    EXPECT_TRUE(is_new || seen->second) << file << " includes itself by way of what it includes";
    if (!is_new) return;
    for (const std::string& included : includes_of[file]) visit(included);
    finished[file] = true;
  };
  for (const Include& include : AllIncludes()) visit(include.file);
}

TEST(IncludeLines, AreWrittenFromTheRootOfTheRepository) {
  for (const Include& include : AllIncludes()) {
    if (include.in_quotes) {
      EXPECT_TRUE(fs::exists(fs::path(MBSBENCH_SOURCE_DIR) / include.included))
          << include.file << " includes " << include.included;
    }
  }
}

TEST(IncludeLines, IncludeSundialsInTheIntegratorsOnly) {
  static const std::regex sundials(
      R"(^(arkode|cvode|ida|kinsol|nvector|sundials|sunlinsol|sunmatrix)/)");
  for (const Include& include : AllIncludes()) {
    if (std::regex_search(include.included, sundials)) {
      EXPECT_EQ(RoomOf(include.file), "harness/integrate")
          << include.file << " includes " << include.included;
    }
  }
}

// mbsbench itself starts without them.
TEST(IncludeLines, IncludeMujocoAndLibsdformatInTheirPlugInsOnly) {
  for (const Include& include : AllIncludes()) {
    if (include.included.starts_with("mujoco/")) {
      EXPECT_TRUE(include.file.starts_with("methods/engines/mujoco/") ||
                  include.file.starts_with("problems/io/mjcf/"))
          << include.file << " includes " << include.included;
    }
    if (include.included.starts_with("sdf/") || include.included.starts_with("ignition/")) {
      EXPECT_TRUE(include.file.starts_with("problems/io/sdf/"))
          << include.file << " includes " << include.included;
    }
  }
}

TEST(IncludeLines, KeepEigenOutOfTheContract) {
  for (const Include& include : AllIncludes()) {
    if (include.included.rfind("Eigen/", 0) != 0 && include.included != "problems/model/eigen.h")
      continue;
    const bool header = include.file.ends_with(".h");
    const std::string room = RoomOf(include.file);
    EXPECT_FALSE(header && (room == "methods/interface" || room == "problems/catalog" ||
                            (room == "problems/model" && include.file != "problems/model/eigen.h")))
        << include.file << " includes " << include.included;
  }
}

// Rooms by their libraries, and what each links, from the CMakeLists.txt of the root and of the methods.
struct LinkLists {
  std::map<std::string, std::string> room_of;  // of a library: "mbs_model" is "problems/model"
  std::vector<std::pair<std::string, std::string>> links;
};
LinkLists ReadLinkLists() {
  static const std::regex library(R"(mbs_library\(\s*(\w+)\s+([\w/]+)[^)]*\))"),
      link_list(R"(target_link_libraries\(\s*(\w+)([^)]*)\))"), linked(R"(\bmbs_\w+)");
  const fs::path root = MBSBENCH_SOURCE_DIR;
  std::vector<fs::path> files{root / "CMakeLists.txt"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "methods")) {
    if (entry.path().filename() == "CMakeLists.txt") files.push_back(entry.path());
  }
  LinkLists lists;
  const auto for_each = [](const std::string& text, const std::regex& what, auto visit) {
    for (std::sregex_iterator found(text.begin(), text.end(), what), end; found != end; ++found)
      visit(*found);
  };
  for (const fs::path& file : files) {
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for_each(text, library, [&](const std::smatch& m) { lists.room_of[m[1]] = m[2]; });
    for_each(text, link_list, [&](const std::smatch& m) {
      const std::string from = m[1], what = m[2];
      for_each(what, linked, [&](const std::smatch& to) { lists.links.emplace_back(from, to[0]); });
    });
  }
  return lists;
}

TEST(LinkLists, FollowTheAllowedDirectionsOfIncludes) {
  const LinkLists lists = ReadLinkLists();
  int rooms = 0;
  for (const auto& [from, to] : lists.links) {
    const auto user = lists.room_of.find(from), used = lists.room_of.find(to);
    if (user == lists.room_of.end() || used == lists.room_of.end()) continue;  // flags, executables
    ++rooms;
    const std::vector<std::string> allowed = AllowedFor(user->second);
    EXPECT_NE(std::find(allowed.begin(), allowed.end(), used->second), allowed.end())
        << from << " links " << to << ": " << user->second << " may not link " << used->second;
  }
  EXPECT_GT(rooms, 40);
}

TEST(Rooms, AForbiddenIncludeIsDetected) {
  const std::vector<std::string> model = AllowedFor("problems/model");
  EXPECT_EQ(std::find(model.begin(), model.end(), "methods/interface"), model.end());
  EXPECT_EQ(RoomOf("methods/riccati_mstmm/riccati_mstmm.h"), "methods/riccati_mstmm");
  const std::vector<std::string> riccati = AllowedFor("methods/riccati_mstmm");
  EXPECT_EQ(std::find(riccati.begin(), riccati.end(), "methods/cartesian_dae"), riccati.end());
  EXPECT_EQ(std::find(riccati.begin(), riccati.end(), "problems/catalog"), riccati.end());
  const std::vector<std::string> reference = AllowedFor("reference");
  EXPECT_EQ(std::find(reference.begin(), reference.end(), "methods/interface"), reference.end());
}

}  // namespace
