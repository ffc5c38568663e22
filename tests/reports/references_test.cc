// What others print of problems, and what the diagrams show of it: digits that are right, and where curves stop.
#include <gmock/gmock.h>

#include <string>

#include "reports/report.h"
#include "tests/reports/fixture_store.h"
#include "tests/reports/page_data.h"

namespace mbsbench::report_tests {
namespace {

using testing::HasSubstr;

Json PrintedBy(const char* source, const char* kind, const char* quantity, double theirs,
               double last_digit, const Json& difference) {
  const Json ours = difference.is_null() ? Json() : Json(theirs + difference.get<double>());
  return {{"quantity", quantity}, {"time", 2},
          {"published", theirs},  {"last_digit", last_digit},
          {"kind", kind},         {"source", source},
          {"ours", ours},         {"difference", difference}};
}

class FieldReferences : public testing::Test {
 protected:
  FieldReferences() : store_(folder_ / "store.sqlite") {
    store_.AddRun();
    store_.AddMethod("m");
    store_.AddProblem("top", {{"bodies", 1},
                              {"reference", {{"how", "test"}, {"error_estimate", 1e-20}}},
                              {"published",
                               {PrintedBy("Library", "published", "y", 9, 1e-12, -1e-9),
                                PrintedBy("Library", "published", "z", 0, 1e-12, -1e-6),
                                PrintedBy("Library", "published", "w", 5, 1e-12, nullptr),
                                PrintedBy("Series", "exact", "x", 0, 1e-12, 3e-13),
                                PrintedBy("Elsewhere", "published", "v", 1, 1e-9, nullptr)}}});
    // The errors are from our reference, which is 1e-9 below what is printed.
    const double errors[] = {1e-3, 1e-5, 1e-7};
    for (int k = 0; k < 3; ++k) {
      const Json own = {{"quantity", "y"},
                        {"time", 2},
                        {"source", "Library"},
                        {"published", 9},
                        {"ours", 9 + errors[k] - 1e-9},
                        {"difference", errors[k] - 1e-9}};
      store_.AddCell(
          {.problem = "top", .method = "m", .integrator = "dopri5", .tolerance = errors[k] / 10},
          errors[k], {0.01 * (k + 1)},
          {{"published", {own}},
           {"library_measures", {{{"name", "mescd of y"}, {"value", 3 + 2 * k}}}}});
    }
    store_.Add({.problem = "top",
                .method = "m",
                .integrator = "ida",
                .tolerance = 1e-4,
                .outcome = "newton_failed",
                .reason = "stopped at 0.5 s"});
    files_ = WriteReport(store_.path(), folder_ / "out");
  }
  auto Rows(const std::string& file) const { return ReadCsv(folder_ / ("out/csv/" + file)); }

  TestFolder folder_;
  FixtureStore store_;
  ReportFiles files_;
};

TEST_F(FieldReferences, HaveARowPerSourceThatBeginsWithTheFewestRightDigits) {
  const auto rows = Rows("field_references.csv");
  ASSERT_EQ(rows.size(), 2u) << "a source without a value of ours has no row";
  EXPECT_EQ(rows[0].at("source"), "Library");
  EXPECT_EQ(rows[0].at("values"), "3");
  EXPECT_EQ(rows[0].at("compared"), "2");
  EXPECT_EQ(rows[0].at("agreeing"), "0");
  EXPECT_EQ(rows[0].at("fewest right digits of"), "z, 2 s");
  EXPECT_NEAR(std::stod(rows[0].at("difference")), -1e-6, 1e-12);
  EXPECT_NEAR(std::stod(rows[0].at("right digits")), 6, 1e-12);
  EXPECT_EQ(rows[1].at("kind"), "exact");
  EXPECT_EQ(rows[1].at("agreeing"), "1");
  EXPECT_NEAR(std::stod(rows[1].at("right digits")), 12, 1e-12);
}

TEST_F(FieldReferences, TheDiagramShowsTheFirstPrintedQuantityAndTheLibrarysMeasure) {
  const Json page = DataOfPage(ReadFile(files_.html));
  const Json& data = FindFigure(page["sections"], "work-precision", "top")->at("data");
  ASSERT_EQ(data["quantities"].size(), 6u) << data["quantities"];
  EXPECT_EQ(data["quantities"][4], "y at 2 s");
  EXPECT_EQ(data["quantities"][5], "10 to the minus mescd of y");
  EXPECT_NEAR(data["series"][0]["points"][2][11].get<double>(), 1e-7, 1e-16);
}

TEST_F(FieldReferences, EveryCurveSaysWhereItStopsAndWhy) {
  const auto rows = Rows("curve_ends.top.csv");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("curve"), "m, dopri5");
  EXPECT_EQ(rows[0].at("finished"), "3");
  EXPECT_NEAR(std::stod(rows[0].at("least error")), 1e-7, 1e-16);
  EXPECT_THAT(rows[0].at("where it stops"), HasSubstr("still falls"));
  EXPECT_EQ(rows[1].at("finished"), "0");
  EXPECT_THAT(rows[1].at("where it stops"), HasSubstr("newton_failed, stopped at 0.5 s"));
}

}  // namespace
}  // namespace mbsbench::report_tests
