// The steps of a user who adds a method from outside: installs mbsbench, builds the example against the installed
// package in a project of its own, and uses it like any other method.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/command.h"

namespace mbsbench {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using Arguments = std::vector<std::string>;

std::string ReadFile(const std::string& name) {
  std::ifstream in(name);
  return {std::istreambuf_iterator<char>(in), {}};
}

void Cmake(const Arguments& arguments) {
  const CommandResult result = RunCommand(CMAKE_EXECUTABLE, arguments);
  ASSERT_EQ(0, result.exit_code) << result.out << result.err;
}

// Column by name of each row whose column `key` is `value`; for files whose fields hold no commas.
std::vector<std::map<std::string, std::string>> RowsOf(const std::string& csv,
                                                       const std::string& key,
                                                       const std::string& value) {
  std::istringstream lines(csv);
  std::vector<std::string> header;
  std::vector<std::map<std::string, std::string>> rows;
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
    if (header.empty()) {
      header = fields;
      continue;
    }
    std::map<std::string, std::string> row;
    for (std::size_t i = 0; i < std::min(header.size(), fields.size()); ++i)
      row[header[i]] = fields[i];
    if (row[key] == value) rows.push_back(std::move(row));
  }
  return rows;
}

TEST(InstalledPackage, BuildsTheExamplePluginWhichIsListedSolvedTimedAndReported) {
  const TemporaryFolder folder;
  const std::string installed = folder.File("installed"), built = folder.File("built");
  ASSERT_NO_FATAL_FAILURE(Cmake({"--install", MBSBENCH_BUILD_DIR, "--prefix", installed}));
  ASSERT_NO_FATAL_FAILURE(
      Cmake({"-S", std::string(MBSBENCH_SOURCE_DIR) + "/examples/compound_pendulum", "-B", built,
             "-DCMAKE_PREFIX_PATH=" + installed, std::string("-DCMAKE_CXX_COMPILER=") + COMPILER,
             "-DCMAKE_BUILD_TYPE=Release"}));
  ASSERT_NO_FATAL_FAILURE(Cmake({"--build", built}));
  const std::string plugin = built + "/libcompound_pendulum.so", store = folder.File("s.sqlite"),
                    report = folder.File("report");
  const auto bench = [&](const Arguments& arguments) {
    Arguments all{"--plugin", plugin};
    all.insert(all.end(), arguments.begin(), arguments.end());
    CommandResult result = RunCommand(installed + "/bin/mbsbench", all);
    EXPECT_EQ(0, result.exit_code) << arguments.front() << ": " << result.err;
    return result;
  };

  EXPECT_THAT(bench({"list"}).out, HasSubstr("compound-pendulum    Compound pendulum"));

  // theta = sin(theta) has a closed form, which is the reference.
  const json solution = json::parse(
      bench({"solve", "pendulum", "compound-pendulum", "--tolerance", "1e-10", "--json"}).out);
  EXPECT_EQ("ok", solution.at("outcome"));
  EXPECT_LT(solution.at("metrics").at("error").at("max").get<double>(), 1e-7);
  EXPECT_GT(solution.at("cost").at("cpu_seconds").get<double>(), 0);

  EXPECT_THAT(
      bench({"run", "--quick", "--problem", "pendulum", "--method", "compound-pendulum", "--method",
             "articulated-body", "--integrator", "dopri5", "--rounds", "1", "--store", store})
          .out,
      HasSubstr("cells: 6 ok"));
  bench({"report", "--store", store, "--output", report});
  const auto cells = RowsOf(ReadFile(report + "/csv/cells.csv"), "method", "compound-pendulum");
  ASSERT_EQ(3u, cells.size());
  for (auto cell : cells) {
    EXPECT_EQ("ok", cell["outcome"]);
    EXPECT_LT(std::stod(cell["error_max"]), 1e-2);
    EXPECT_GT(std::stod(cell["cpu_minimum_s"]), 0) << "timed";
  }
  // Its accelerations were compared with the other method's and with 113 bits.
  const auto agreement =
      RowsOf(ReadFile(report + "/csv/agreement.csv"), "method", "compound-pendulum");
  ASSERT_EQ(1u, agreement.size());
  EXPECT_LT(std::stod(agreement[0].at("difference")), 1e-12);
  EXPECT_LT(std::stod(agreement[0].at("error_against_113_bits")), 1e-14);
  EXPECT_THAT(ReadFile(report + "/report.md"), HasSubstr("compound-pendulum"));

  // The example with its own time stepper, in the same way; its accelerations are compared at random
  // states.
  const std::string stepping = folder.File("stepping"), evaluated = folder.File("e.sqlite"),
                    compared = folder.File("compared");
  ASSERT_NO_FATAL_FAILURE(
      Cmake({"-S", std::string(MBSBENCH_SOURCE_DIR) + "/examples/symplectic_tree", "-B", stepping,
             "-DCMAKE_PREFIX_PATH=" + installed, std::string("-DCMAKE_CXX_COMPILER=") + COMPILER,
             "-DCMAKE_BUILD_TYPE=Release"}));
  ASSERT_NO_FATAL_FAILURE(Cmake({"--build", stepping}));
  const auto step = [&](const Arguments& arguments) {
    Arguments all{"--plugin", stepping + "/libsymplectic_tree.so"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const CommandResult result = RunCommand(installed + "/bin/mbsbench", all);
    EXPECT_EQ(0, result.exit_code) << result.err;
  };
  step({"run", "--quick", "--problem", "branch4", "--method", "symplectic-tree", "--method",
        "articulated-body", "--integrator", "own", "--integrator", "dopri5", "--rounds", "1",
        "--store", evaluated});
  step({"report", "--store", evaluated, "--output", compared});
  const auto steps = RowsOf(ReadFile(compared + "/csv/cells.csv"), "method", "symplectic-tree");
  ASSERT_FALSE(steps.empty());
  for (auto cell : steps) EXPECT_EQ("own", cell["integrator"]);
  const auto equal =
      RowsOf(ReadFile(compared + "/csv/agreement.csv"), "method", "symplectic-tree");
  ASSERT_EQ(1u, equal.size());
  EXPECT_LT(std::stod(equal[0].at("difference")), 1e-11);
  EXPECT_LT(std::stod(equal[0].at("error_against_113_bits")), 1e-11);

  // It uses the certificates that were installed with it, not those of the source tree.
  const std::string certificate = installed + "/share/mbsbench/certified/branch4.json";
  std::ofstream(certificate) << "{";
  const CommandResult damaged =
      RunCommand(installed + "/bin/mbsbench", {"certify", "branch4"});
  EXPECT_THAT(damaged.err, HasSubstr(certificate + " is damaged"));
}

}  // namespace
}  // namespace mbsbench
