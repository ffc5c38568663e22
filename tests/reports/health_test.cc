// The page of a health card.
#include <gmock/gmock.h>

#include "reports/report.h"
#include "tests/reports/fixture_store.h"
#include "tests/reports/page_data.h"

namespace mbsbench::report_tests {
namespace {

using testing::HasSubstr;
using testing::Not;

Json HealthRowOf(const char* method, const char* kind, int unexplained, double worst) {
  return {{"method", method},      {"kind", kind},       {"models", 10},
          {"refused", 2},          {"crashed", 0},       {"hung", 0},
          {"explained", 1},        {"digits_p50", 14.8}, {"unexplained", unexplained},
          {"digits_worst", worst}, {"digits_p99", 9.5}};
}

class HealthPage : public testing::Test {
 protected:
  HealthPage() : store_(folder_ / "store.sqlite") {
    store_.AddRun();
    store_.AddProblem("table", {{"bodies", 5}});
  }
  Json Page(const std::filesystem::path& card) {
    return DataOfPage(ReadFile(WriteReport(store_.path(), folder_ / "out", {}, card).html));
  }
  auto Rows(const std::string& file) const { return ReadCsv(folder_ / ("out/csv/" + file)); }

  TestFolder folder_;
  FixtureStore store_;
};

TEST_F(HealthPage, HasTheRowsOfTheCardAndItsCases) {
  const Json card = {{"models", 10},
                     {"seed", 48},
                     {"engines", {{"motor", "Motor 1.0 (2020-01)"}}},
                     {"rows",
                      {HealthRowOf("motor", "", 3, 0.2), HealthRowOf("motor", "trees", 3, 0.2),
                       HealthRowOf("", "trees", 3, 0.2)}},
                     {"cases", Json::array({{{"method", "motor"},
                                             {"kind", "trees"},
                                             {"model", 8},
                                             {"error", 0.5},
                                             {"reason", "other equations"},
                                             {"file", "motor-8.json"}}})}};
  std::ofstream(folder_ / "card.json") << card;
  const std::string page = Page(folder_ / "card.json").dump();
  EXPECT_THAT(page, HasSubstr("10 random models (seed 48)"));
  EXPECT_THAT(page, HasSubstr("Engines: Motor 1.0 (2020-01)."));
  const auto methods = Rows("health.csv");
  ASSERT_EQ(1u, methods.size());
  EXPECT_EQ("motor", methods[0].at("method"));
  EXPECT_EQ("2", methods[0].at("refused"));
  EXPECT_EQ("1", methods[0].at("explained"));
  EXPECT_EQ("3", methods[0].at("unexplained"));
  EXPECT_EQ("9.5", methods[0].at("of 99 %"));
  const auto kinds = Rows("health_kinds.csv");
  ASSERT_EQ(1u, kinds.size());
  EXPECT_EQ("trees", kinds[0].at("kind of models"));
  EXPECT_EQ(1u, Rows("health_details.csv").size());
  const auto cases = Rows("health_cases.csv");
  ASSERT_EQ(1u, cases.size());
  EXPECT_EQ("8", cases[0].at("model"));
  EXPECT_EQ("motor-8.json", cases[0].at("small model of it"));
}

TEST_F(HealthPage, IsAbsentWithoutACard) {
  EXPECT_THAT(Page({}).dump(), Not(HasSubstr("Health card")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/csv/health.csv"));
}

TEST_F(HealthPage, RefusesAFileThatHoldsNoCard) {
  for (const char* text : {"", "{}", R"({"models": 10, "seed": 1, "rows": []})"}) {
    std::ofstream(folder_ / "card.json") << text;
    try {
      Page(folder_ / "card.json");
      ADD_FAILURE() << text;
    } catch (const ReportError& error) {
      EXPECT_THAT(error.what(), HasSubstr("card.json' holds no health card"));
    }
  }
  try {
    Page(folder_ / "absent.json");
    ADD_FAILURE();
  } catch (const ReportError& error) {
    EXPECT_THAT(error.what(), HasSubstr("absent.json' cannot be read"));
  }
}

}  // namespace
}  // namespace mbsbench::report_tests
