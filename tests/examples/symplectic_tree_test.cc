// The example with its own time stepper: the properties of a symplectic scheme of second order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/command.h"

namespace mbsbench {
namespace {

using nlohmann::json;
using Arguments = std::vector<std::string>;

CommandResult BenchSymplecticTree(Arguments arguments) {
  arguments.insert(arguments.begin(), {"--plugin", SYMPLECTIC_TREE_PLUGIN});
  return RunCommand(MBSBENCH_EXECUTABLE, arguments);
}

json Solve(const std::string& problem, const std::string& step, const std::string& end) {
  const CommandResult result = BenchSymplecticTree(
      {"solve", problem, "symplectic-tree", "--step", step, "--end", end, "--json"});
  EXPECT_EQ(0, result.exit_code) << result.err;
  return json::parse(result.out);
}

double ErrorAtEnd(const json& solution) {
  return solution.at("metrics").at("error").at("end").get<double>();
}

// Two revolutes, and four balls, compared with references by other equations.
TEST(SymplecticTree, ConvergesToTheReferencesWithTheSecondOrder) {
  for (const auto& [problem, step, half, end] :
       {std::array<const char*, 4>{"dpend18", "0.005", "0.0025", "10"},
        {"branch4", "0.0025", "0.00125", "5"}}) {
    const json coarse = Solve(problem, step, end), fine = Solve(problem, half, end);
    EXPECT_NEAR(2, std::log2(ErrorAtEnd(coarse) / ErrorAtEnd(fine)), 0.15)
        << problem << ": " << ErrorAtEnd(coarse) << " " << ErrorAtEnd(fine);
    EXPECT_LT(ErrorAtEnd(fine), 1e-3) << problem;
    EXPECT_EQ("own", coarse.at("integrator"));
  }
}

// RK4 loses energy steadily; the error of this scheme oscillates.
TEST(SymplecticTree, KeepsItsEnergyErrorBoundedOverManyPeriods) {
  const auto drift = [](const char* end) {
    return Solve("dpend18", "0.01", end).at("metrics").at("energy_drift_max").get<double>();
  };
  const double ten = drift("10"), thousand = drift("1000");
  std::printf("  energy error over 10 s %.2e, over 1000 s %.2e\n", ten, thousand);
  EXPECT_LT(thousand, 1.5 * ten);
}

TEST(SymplecticTree, BreaksNoPromise) {
  const CommandResult result =
      BenchSymplecticTree({"--plugin-time-limit", "200", "conform", "symplectic-tree", "--json"});
  EXPECT_EQ(0, result.exit_code) << result.out << result.err;
  const json document = json::parse(result.out);
  EXPECT_EQ(0, document.at("broken"));
  for (const json& promise : document.at("promises")) {
    const std::string name = promise.at("name").get<std::string>();
    if (name == "no-inertia" || name == "undamped-trees" || name == "order-own-dpend18" ||
        name == "energy-own-trees" || name == "first-steps") {
      EXPECT_EQ("held", promise.at("standing")) << name;
    }
  }
}

TEST(SymplecticTree, TakesANumericOptionAndRefusesOneOutOfRange) {
  const CommandResult solved =
      BenchSymplecticTree({"solve", "dpend18", "symplectic-tree:binding=4e1", "--step", "0.005",
                           "--end", "1", "--json"});
  ASSERT_EQ(0, solved.exit_code) << solved.err;
  EXPECT_EQ("symplectic-tree:binding=40", json::parse(solved.out).at("method"));
  const CommandResult refused =
      BenchSymplecticTree({"solve", "dpend18", "symplectic-tree:binding=-1"});
  EXPECT_EQ(2, refused.exit_code);
  EXPECT_THAT(refused.err, testing::HasSubstr("from 0.001 to 1000000 1/s is needed"));
  const CommandResult other =
      BenchSymplecticTree({"solve", "dpend18", "symplectic-tree", "--integrator", "dopri5"});
  EXPECT_EQ(2, other.exit_code);
  EXPECT_THAT(other.err, testing::HasSubstr("has its own time steps: use own"));
}

}  // namespace
}  // namespace mbsbench
