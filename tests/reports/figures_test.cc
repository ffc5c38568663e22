// The files for a paper, with and without the programs that draw.
#include "reports/figures.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>

#include "reports/report.h"
#include "tests/reports/fixture_store.h"

namespace mbsbench::report_tests {
namespace {

using testing::HasSubstr;
using testing::Not;

class PaperFigures : public testing::Test {
 protected:
  PaperFigures() : store_(folder_ / "store.sqlite") {
    store_.AddRun();
    store_.AddMethod("a_b:c");
    store_.AddProblem("p%1", {{"title", "50 % of $x$ & more"}, {"bodies", 2}});
    store_.AddCell({"p%1", "a_b:c", "rk4", "accuracy", {}, 0.1}, 1e-3, {0.001});
    store_.AddCell({"p%1", "a_b:c", "rk4", "accuracy", {}, 0.05}, 1e-4, {0.002});
  }
  TestFolder folder_;
  FixtureStore store_;
};

// Calls a function with another PATH.
template <typename Function>
void WithPath(const std::string& path, const Function& function) {
  const std::string before = std::getenv("PATH") ? std::getenv("PATH") : "";
  setenv("PATH", path.c_str(), 1);
  function();
  setenv("PATH", before.c_str(), 1);
}

TEST_F(PaperFigures, TablesAreLatexWhoseSpecialCharactersAreEscaped) {
  WithPath(folder_ / "nothing", [this] { WriteFigures(store_.path(), folder_ / "out"); });
  const std::string table = ReadFile(folder_ / "out/tables/problems.tex");
  EXPECT_THAT(table, HasSubstr("\\begin{tabular}{l>{\\raggedright\\arraybackslash}p{"));
  EXPECT_THAT(table, HasSubstr("\\linewidth}rrrrr}"));
  EXPECT_THAT(table, HasSubstr("p\\%1 & 50 \\% of \\$x\\$ \\& more & trees below 50 bodies & 2 &"));
  EXPECT_THAT(table, HasSubstr("\\toprule"));
  EXPECT_THAT(ReadFile(folder_ / "out/tables/work_precision.p-1.tex"),
              HasSubstr("a\\_b:c & rk4 & h 0.1 s & ok & 1e-3 & - & 1.00 ms &"));
  EXPECT_THAT(ReadFile(folder_ / "out/tables/problems.md"), HasSubstr("| p%1 |"));
  EXPECT_THAT(ReadFile(folder_ / "out/sources.bib"), HasSubstr("10.1007/s11044-019-09711-2"));
}

// Methods of the repository by its bibliography, others by the source that they state, whose characters are escaped.
TEST_F(PaperFigures, SourcesCiteMbsbenchAndEachMethodOnce) {
  store_.Execute(R"sql(UPDATE method SET json = '{"key": "kane", "title": "My method",
                       "source": "A & B, J. Mech. 50 % (1999)"}')sql");
  store_.Execute(R"sql(INSERT INTO method VALUES ('run1', 'variational',
                       '{"key": "variational", "title": "V", "source": "L"}'))sql");
  WithPath(folder_ / "nothing", [this] { WriteFigures(store_.path(), folder_ / "out"); });
  const std::string sources = ReadFile(folder_ / "out/sources.bib");
  EXPECT_THAT(sources, HasSubstr("@misc{kane,\n  title = {My method},\n"
                                 "  howpublished = {A \\& B, J. Mech. 50 \\% (1999)},"));
  EXPECT_THAT(sources, Not(HasSubstr("@misc{variational")));
  // As CITATION.cff says.
  const std::string citation = ReadFile(MBSBENCH_SOURCE_DIR "/CITATION.cff");
  const auto cited = [&citation](const std::string& field) {
    const std::size_t begin = citation.find(field + ": ") + field.size() + 2;
    std::string text = citation.substr(begin, citation.find('\n', begin) - begin);
    std::erase(text, '"');
    return text;
  };
  EXPECT_THAT(sources, HasSubstr("@software{mbsbench,\n  author  = {{" + cited("name") + "}},"));
  EXPECT_THAT(sources, HasSubstr("title   = {" + cited("\ntitle") + "}"));
  EXPECT_THAT(sources, HasSubstr("version = {" + cited("\nversion") + "}"));
}

TEST_F(PaperFigures, CodeIsSetAsCodeAndLongTextsBreakTheirLines) {
  WithPath(folder_ / "nothing", [this] { WriteFigures(store_.path(), folder_ / "out"); });
  const std::string claims = ReadFile(folder_ / "out/tables/paper_claims.tex");
  EXPECT_THAT(claims, HasSubstr("run \\texttt{mbsbench run -{}-{}problem "));
  EXPECT_THAT(claims, HasSubstr(">{\\raggedright\\arraybackslash}p{"));
  EXPECT_EQ(claims.find('`'), std::string::npos);
}

TEST_F(PaperFigures, TheTableOfAllEnginesHasTheNameOfItsDataAndThatOfOneEngineTheWordsOfItsTitle) {
  for (const char* engine : {"one", "other"}) {
    store_.Execute(fmt::format(
        "INSERT INTO method VALUES ('run1', '{}', '{{\"origin\": \"engine\"}}')", engine));
  }
  store_.Execute("UPDATE run SET build = json_set(build, '$.flags', '-O3 -march=native')");
  for (const char* method : {"a_b:c", "one", "other"}) {
    store_.Add({.problem = "p%1",
                .method = method,
                .kind = "evaluation",
                .record = R"({"nanoseconds_per_body": 80, "bodies": 2, "what": "accelerations"})"});
  }
  WithPath(folder_ / "nothing", [this] { WriteFigures(store_.path(), folder_ / "out"); });
  const std::string all = ReadFile(folder_ / "out/tables/engine_ratios.md");
  EXPECT_THAT(all, HasSubstr("| one |"));
  EXPECT_THAT(all, HasSubstr("| other |"));
  EXPECT_TRUE(std::filesystem::exists(
      folder_ / "out/tables/Time-of-one-over-that-of-a-b-c-over-all-problems.tex"));
}

TEST_F(PaperFigures, AnAbsentProgramIsNamedAndTheRestIsWritten) {
  WithPath(folder_ / "nothing", [this] {
    const PaperFiles files = WriteFigures(store_.path(), folder_ / "out");
    EXPECT_EQ(files.figures, 0);
    EXPECT_GT(files.tables, 5);
    ASSERT_EQ(files.missing.size(), 1u);
    EXPECT_THAT(files.missing[0], HasSubstr("node was not found"));
  });
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out/csv/cells.csv"));
}

TEST_F(PaperFigures, AMissingStoreIsAnErrorThatNamesIt) {
  EXPECT_THROW(WriteFigures(folder_ / "absent.sqlite", folder_ / "out"), ReportError);
}

TEST_F(PaperFigures, ChartsAreDrawnAsSvgIfNodeIsInstalled) {
  if (std::system("node --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "node is not installed";
  const PaperFiles files = WriteFigures(store_.path(), folder_ / "out");
  EXPECT_GT(files.figures, 1);
  const std::string svg = ReadFile(folder_ / "out/figures/work_precision.p-1.svg");
  EXPECT_EQ(svg.rfind("<svg", 0), 0u);
  EXPECT_THAT(svg, HasSubstr("a_b"));  // the legend names families
  EXPECT_THAT(svg, HasSubstr("CPU time, minimum over rounds"));
  const std::string matrix = ReadFile(folder_ / "out/figures/Outcome-of-every-cell.svg");
  EXPECT_EQ(matrix.rfind("<svg", 0), 0u);
  EXPECT_THAT(matrix, HasSubstr(">p%1</text>"));
  EXPECT_THAT(matrix, HasSubstr(">a_b:c, rk4</text>"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/figures/.drawing"));
}

}  // namespace
}  // namespace mbsbench::report_tests
