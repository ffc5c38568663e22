// What each formulation keeps, the orders of methods with their own steps, and the claims that rest on them.
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "reports/analysis/paper_claims.h"
#include "reports/report.h"
#include "tests/reports/fixture_store.h"
#include "tests/reports/page_data.h"

namespace mbsbench::report_tests {
namespace {

using testing::HasSubstr;

class KeptByMethods : public testing::Test {
 protected:
  KeptByMethods() : store_(folder_ / "store.sqlite") {
    store_.AddRun();
    for (const char* method : {"variational", "plain"})
      store_.Execute("INSERT INTO method VALUES ('run1', '" + std::string(method) +
                     "', '{\"own_integrator\": \"own\", \"own_order\": 2}')");
    Problem("top", 3, true);
    Problem("damped", 3, false);
    Problem("free", 6, true);
  }
  void Problem(const char* name, int freedoms, bool conservative) {
    store_.AddProblem(name, {{"bodies", 1},
                             {"degrees_of_freedom", freedoms},
                             {"loops", 0},
                             {"conservative", conservative}});
  }
  // Steps of 0.1 s / 2^k for k < 8 with these errors; the energy drifts ten times as far as the motion.
  template <class Error>
  void Steps(const char* problem, const char* method, Error error_of, const Json& drifts = {}) {
    for (int k = 0; k < 8; ++k) {
      const double step = std::ldexp(0.1, -k), error = error_of(step);
      Json record = drifts.is_null() ? Json::object() : drifts;
      record["energy_drift_max"] = 10 * error;
      store_.AddCell({.problem = problem, .method = method, .integrator = "own", .step = step},
                     error, {0.01}, record);
    }
  }
  std::map<std::string, std::string> Row(const std::string& file, const std::string& method,
                                         const std::string& problem = "") {
    for (const auto& row : ReadCsv(folder_ / ("out/csv/" + file)))
      if (row.at("method") == method && (problem.empty() || row.at("problem") == problem))
        return row;
    ADD_FAILURE() << file << " has no row of " << method << problem;
    return {};
  }
  TestFolder folder_;
  FixtureStore store_;
};

constexpr auto kSquare = [](double step) { return step * step; };

TEST_F(KeptByMethods, TheTableHasTheWorstDriftOverTheProblemsThatKeepTheQuantity) {
  Steps("top", "variational", kSquare,
        {{"position_drift_max", 1e-13}, {"angular_momentum_drift_max", 3e-5}});
  Steps("damped", "variational", kSquare,
        {{"position_drift_max", 2e-13}, {"velocity_drift_max", 1e-3}});
  Steps("free", "variational", kSquare,
        {{"position_drift_max", 7}, {"linear_momentum_drift_max", 4e-14}});
  const ReportFiles files = WriteReport(store_.path(), folder_ / "out");
  const auto row = Row("kept.csv", "variational");
  EXPECT_EQ(row.at("positions"), "2e-13") << "a free body has no constraints";
  EXPECT_EQ(row.at("linear momentum"), "4e-14");
  // The coarsest step with an error of 1e-6.
  EXPECT_NEAR(std::stod(row.at("energy")), 10 * std::pow(0.1 / 128, 2), 1e-18);
  EXPECT_EQ(row.at("accelerations"), "");
  EXPECT_THAT(row.at("claims to keep"), HasSubstr("positions, velocities"));
  const std::string page = DataOfPage(ReadFile(files.html)).dump();
  EXPECT_THAT(page, HasSubstr(R"(["1.5e-13\n2e-13",2e-13,"best"])"));
  EXPECT_THAT(page, HasSubstr(R"(["1e-3\n1e-3",0.001,"bad"])"));
}

TEST_F(KeptByMethods, DriftsOfCellsThatEndedInaccurateDoNotCount) {
  Steps("top", "variational", kSquare, {{"position_drift_max", 1e-13}});
  store_.AddCell({.problem = "free",
                  .method = "variational",
                  .integrator = "own",
                  .step = 0.1,
                  .outcome = "inaccurate"},
                 3.1, {0.01}, {{"energy_drift_max", 5e-2}});
  WriteReport(store_.path(), folder_ / "out");
  EXPECT_LT(std::stod(Row("kept.csv", "variational").at("energy")), 1e-4);
}

TEST_F(KeptByMethods, ObservedOrdersSpanFourHalvingsAndSayWhyTheyDiffer) {
  Steps("top", "variational", kSquare);
  Steps("damped", "variational", [](double step) { return step * step * (1 + 400 * step); });
  Steps("free", "plain", [](double step) { return step * std::sqrt(step); });
  // Two terms of opposite signs: orders of 3, then below 2, then 2 from below.
  Steps("top", "plain", [](double step) {
    return std::hypot(step * step - 120 * step * step * step, 0.1 * step * step);
  });
  for (int k = 0; k < 4; ++k) {
    const double step = std::ldexp(0.1, -k), error = k < 2 ? 0.5 : std::pow(step, 2.5);
    store_.AddCell({.problem = "damped", .method = "plain", .integrator = "own", .step = step},
                   error, {0.01});
  }
  WriteReport(store_.path(), folder_ / "out");
  const auto sound = Row("orders.csv", "variational", "top");
  EXPECT_NEAR(std::stod(sound.at("observed")), 2, 1e-9);
  EXPECT_NEAR(std::stod(sound.at("halvings")), 4, 1e-9);
  EXPECT_EQ(sound.at("order"), "2");
  EXPECT_EQ(sound.at("why it differs"), "");
  EXPECT_GT(std::stod(Row("orders.csv", "variational", "damped").at("observed")), 2.2);
  const auto low = Row("orders.csv", "plain", "free");
  EXPECT_NEAR(std::stod(low.at("observed")), 1.5, 1e-9);
  EXPECT_EQ(low.at("why it differs"), "falls more slowly");
  EXPECT_EQ(Row("orders.csv", "plain", "top").at("why it differs"),
            "nearer to the order the shorter the steps");
  EXPECT_EQ(Row("orders.csv", "plain", "damped").at("why it differs"), "longer steps fail");
}

TEST_F(KeptByMethods, ClaimsOnDriftEnergyAndIterationsAreJudgedByTheCells) {
  const auto add = [this](const char* problem, const char* method, double tolerance, Json record) {
    store_.AddCell(
        {.problem = problem, .method = method, .integrator = "own", .tolerance = tolerance}, 1e-7,
        {0.01}, std::move(record));
  };
  add("top", "index3-direct:hht", 1e-8,
      {{"velocity_drift_max", 3e-6}, {"position_drift_max", 1e-9}});
  add("damped", "index3-direct:hht", 1e-8, {{"velocity_drift_max", 0}});  // without joints
  add("top", "half-explicit:order=4", 1e-8, {{"counters", {{"steps", 10}}}});
  add("top", "natural-coordinates:ali3p", 1e-8, {{"energy_gained", 2e-6}});
  add("free", "natural-coordinates:ali3p", 1e-8, {{"energy_gained", -2e-6}});
  for (const auto& [method, error] :
       {std::pair{"lie-generalised-alpha:index3,rho=0.538", 1e-3}, {"index3-direct:hht", 4e-3}})
    store_.AddCell({.problem = "free", .method = method, .integrator = "own", .step = 0.01}, error,
                   {0.01});
  const reports::Results results = reports::ReadResults(store_.path());
  const reports::Comparison comparison = reports::Compare(results);
  const auto claim = [&comparison](const std::string& label) {
    for (const reports::PaperClaim& one : reports::AllPaperClaims(comparison))
      if (one.label == label) return one;
    return reports::PaperClaim{};
  };
  const auto loses = claim("index 3 loses velocities");
  EXPECT_EQ(loses.standing, reports::Standing::kHolds) << loses.remark;
  EXPECT_NEAR(loses.ours.value_or(0), 300, 1e-9);
  const auto dissipates = claim("projections dissipate");
  EXPECT_EQ(dissipates.standing, reports::Standing::kFails) << dissipates.remark;
  const auto damped = claim("generalised-alpha, HHT");
  EXPECT_EQ(damped.standing, reports::Standing::kHolds) << damped.remark;
  EXPECT_NEAR(damped.ours.value_or(0), 0.25, 1e-12);
  const auto iterations = claim("half-explicit is faster").tests.at(1);
  EXPECT_EQ(iterations.kept, 1u);
}

}  // namespace
}  // namespace mbsbench::report_tests
