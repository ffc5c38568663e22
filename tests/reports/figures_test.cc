// The files for a paper, with and without the programs that draw.
#include "reports/figures.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>

#include "reports/format/latex.h"
#include "reports/report.h"
#include "tests/reports/fixture_store.h"
#include "tests/reports/latex_reader.h"

namespace mbsbench::report_tests {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class PaperFigures : public testing::Test {
 protected:
  PaperFigures() : store_(folder_ / "store.sqlite") {
    store_.AddRun();
    store_.AddMethod("a_b:c");
    store_.AddMethod("kane");
    AddProblem("p%1");
  }

  void AddProblem(const std::string& name) {
    store_.AddProblem(name, {{"title", "50 % of $x$ & more #1 \"quoted\" {a} 中"},
                             {"bodies", 2},
                             {"end_time", 1},
                             {"time", 0.5}});
    store_.AddCell({name, "a_b:c", "rk4", "accuracy", {}, 0.1}, 1e-3, {0.001});
    store_.AddCell({name, "a_b:c", "rk4", "accuracy", {}, 0.05}, 1e-4, {0.002, 0.0021});
    store_.AddCell({name, "kane", "rk4", "accuracy", {}, 0.05}, 2e-4, {0.004});
  }

  void AddEngine() {
    store_.Execute("INSERT INTO method VALUES ('run1', 'one', '{\"origin\": \"engine\"}')");
    store_.Execute("UPDATE run SET build = json_set(build, '$.flags', '-O3 -march=native')");
    for (const char* method : {"a_b:c", "one"}) {
      for (const int bodies : {2, 200}) {
        const std::string problem = fmt::format("chain:bodies={}", bodies);
        store_.Add({.problem = problem,
                    .method = method,
                    .kind = "evaluation",
                    .record = fmt::format(R"({{"nanoseconds_per_body": 80, "bodies": {},
                                               "what": "accelerations"}})",
                                          bodies)});
      }
    }
    for (const int bodies : {2, 200})
      store_.AddProblem(fmt::format("chain:bodies={}", bodies),
                        {{"family", "chain"}, {"bodies", bodies}});
  }

  // Programs that draw quickly: node itself, and one that stands for a converter.
  std::string Programs() {
    std::filesystem::create_directories(folder_ / "bin");
    std::system(
        fmt::format("ln -sf $(command -v node) {}", (folder_ / "bin/node").string()).c_str());
    const auto converter = folder_ / "bin/rsvg-convert";
    std::ofstream(converter) << "#!/bin/sh\n[ $1 = --version ] || echo PDF > $3\n";
    std::filesystem::permissions(converter, std::filesystem::perms{0755});
    return folder_ / "bin";
  }

  // Calls WriteFigures with another PATH.
  PaperFiles Write(const std::string& path, const PaperOptions& options = {}) {
    const std::string before = std::getenv("PATH") ? std::getenv("PATH") : "";
    setenv("PATH", path.c_str(), 1);
    PaperFiles files;
    try {
      files = WriteFigures(store_.path(), folder_ / "out", options);
    } catch (...) {
      setenv("PATH", before.c_str(), 1);
      throw;
    }
    setenv("PATH", before.c_str(), 1);
    return files;
  }
  PaperFiles WriteWithout() { return Write(folder_ / "nothing"); }

  LatexReader ReadPaper() const {
    LatexReader reader(folder_ / "out");
    reader.Read("paper.tex");
    for (const std::string& file : reader.graphics)
      EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / file)) << file;
    return reader;
  }

  TestFolder folder_;
  FixtureStore store_;
};

bool HasNode() { return std::system("node --version > /dev/null 2>&1") == 0; }

TEST_F(PaperFigures, APaperNamesWhatExistsAndEscapesSpecialCharacters) {
  if (!HasNode()) GTEST_SKIP() << "node is not installed";
  AddEngine();
  const PaperFiles files = Write(Programs());
  EXPECT_THAT(files.missing, IsEmpty());
  EXPECT_EQ(files.figures, 5) << "map, profile, a work-precision diagram, scaling, engines";
  EXPECT_EQ(files.pdfs, 2 * files.figures);
  EXPECT_EQ(files.tables, 4);
  const LatexReader paper = ReadPaper();
  EXPECT_THAT(paper.faults, IsEmpty());
  EXPECT_EQ(paper.graphics.size(), 5u);
  EXPECT_EQ(paper.labels.size(), 9u);
  EXPECT_THAT(paper.labels, Contains("fig:work-precision-1"));
  EXPECT_THAT(paper.citations, Contains("mbsbench"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/figures/.drawing"));
}

TEST_F(PaperFigures, CaptionsStateMachineRoundsMeasureAndProblems) {
  if (!HasNode()) GTEST_SKIP() << "node is not installed";
  AddProblem("other");
  Write(Programs());
  const std::string paper = ReadFile(folder_ / "out/paper.tex");
  EXPECT_THAT(paper, HasSubstr("Test CPU"));
  EXPECT_THAT(paper, HasSubstr("the least of 1 to 2 rounds"));
  EXPECT_THAT(paper, HasSubstr("2 problems"));
  EXPECT_THAT(paper, HasSubstr("1e-6 by none")) << "an error that no method reached";
}

TEST_F(PaperFigures, FiguresAreSvgOfTheWidthsOfAColumnAndOfAPageInTypeOf8Points) {
  if (!HasNode()) GTEST_SKIP() << "node is not installed";
  Write(Programs());
  for (const int width : {252, 510}) {
    const std::string svg =
        ReadFile(folder_ / fmt::format("out/figures/work-precision-1-{}.svg", width));
    EXPECT_THAT(svg, HasSubstr(fmt::format("width=\"{}pt\"", width)));
    EXPECT_THAT(svg, HasSubstr("font-size=\"8\""));
    EXPECT_THAT(svg, HasSubstr(">a_b:c, rk4</text>")) << "the legend";
    EXPECT_LT(svg.find(">largest error over time<"), svg.find(">CPU time [s]<"))
        << "abscissa first";
  }
  Write(Programs(), {.swap = true});
  const std::string svg = ReadFile(folder_ / "out/figures/work-precision-1-252.svg");
  EXPECT_GT(svg.find(">largest error over time<"), svg.find(">CPU time [s]<"));
}

TEST_F(PaperFigures, ProblemsThatAreNamedComeInTheirOrder) {
  for (const char* name : {"q1", "q2", "q3", "q4", "q5"}) AddProblem(name);
  const auto diagrams = [this] {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(folder_ / "out/csv")) {
      const std::string name = file.path().filename();
      if (name.starts_with("work_precision.")) names.push_back(name.substr(15, name.size() - 19));
    }
    std::sort(names.begin(), names.end());
    std::filesystem::remove_all(folder_ / "out");
    return names;
  };
  Write(folder_ / "nothing", {.problems = {"q5", "p%1"}});
  EXPECT_THAT(diagrams(), ElementsAre("p-1", "q5"));
  Write(folder_ / "nothing", {.preferred = {"q4", "absent", "q3"}});
  EXPECT_THAT(diagrams(), ElementsAre("p-1", "q1", "q3", "q4"));
  EXPECT_THROW(Write("", {.problems = {"absent"}}), ReportError);
  EXPECT_THROW(Write("", {.problems = {"q1", "q2", "q3", "q4", "q5"}}), ReportError);
}

// Methods of the repository by its bibliography, others by the source that they state, whose characters are escaped.
TEST_F(PaperFigures, SourcesCiteMbsbenchAndEachMethodOnce) {
  store_.Execute(R"sql(UPDATE method SET json = '{"key": "kane", "title": "My method",
                       "source": "A & B, J. Mech. 50 % (1999)"}' WHERE spec = 'kane')sql");
  store_.Execute(R"sql(INSERT INTO method VALUES ('run1', 'variational',
                       '{"key": "variational", "title": "V", "source": "L"}'))sql");
  WriteWithout();
  const std::string sources = ReadFile(folder_ / "out/sources.bib");
  EXPECT_THAT(sources, HasSubstr("@misc{kane,\n  key   = {kane},\n  title = {{My method}},\n"
                                 "  howpublished = {A \\& B, J. Mech. 50 \\% (1999)},"));
  EXPECT_THAT(sources, Not(HasSubstr("@misc{variational")));
  EXPECT_THAT(ReadFile(folder_ / "out/tables/methods.tex"), HasSubstr("\\cite{kane}"));
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

TEST_F(PaperFigures, AnAbsentProgramIsNamedAndThePaperShowsTheTablesAlone) {
  const PaperFiles files = WriteWithout();
  EXPECT_EQ(files.figures, 0);
  EXPECT_EQ(files.tables, 3);
  EXPECT_THAT(files.missing, Contains(HasSubstr("node was not found")));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out/csv/overview_map.csv"));
  const LatexReader paper = ReadPaper();
  EXPECT_THAT(paper.faults, IsEmpty());
  EXPECT_THAT(paper.graphics, IsEmpty());
}

TEST_F(PaperFigures, WhatAStoreCannotShowIsLeftOutWithASentence) {
  store_.Execute("DELETE FROM trial");
  const PaperFiles files = WriteWithout();
  EXPECT_THAT(files.missing, ElementsAre(HasSubstr("No map"), HasSubstr("No profile"),
                                         HasSubstr("No work-precision diagram"),
                                         HasSubstr("No diagram of scaling"),
                                         HasSubstr("No diagram of engines"), HasSubstr("node")));
  EXPECT_EQ(files.tables, 0);
  EXPECT_THAT(ReadPaper().faults, IsEmpty());
}

TEST_F(PaperFigures, AMissingStoreIsAnErrorThatNamesIt) {
  EXPECT_THROW(WriteFigures(folder_ / "absent.sqlite", folder_ / "out"), ReportError);
}

TEST_F(PaperFigures, LatexCompilesThePaperIfItIsInstalled) {
  if (std::system("pdflatex --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "pdflatex is not installed";
  WriteWithout();
  EXPECT_EQ(std::system(fmt::format("cd {} && pdflatex -interaction=nonstopmode -halt-on-error "
                                    "paper > log.txt",
                                    (folder_ / "out").string())
                            .c_str()),
            0)
      << ReadFile(folder_ / "out/log.txt");
  EXPECT_THAT(ReadFile(folder_ / "out/log.txt"), Not(HasSubstr("Overfull")));
}

// LaTeX stops at a sign that no package declares.
TEST(EscapeLatex, EverySignHasACommand) {
  const std::string latex =
      reports::EscapeLatex("≲ 1 ≳ 2 ≤ 3 ≥ 4 ≈ 5†‡ × 6 ± 7 µs m/s² … ° · ∞ 中 \x01");
  EXPECT_TRUE(std::ranges::all_of(latex, [](char c) { return (c & 0x80) == 0; })) << latex;
  EXPECT_THAT(latex, HasSubstr("2 $\\le$ 3 $\\ge$ 4"));
  EXPECT_EQ(reports::EscapeLatex("Brüls `a--b`"), "Brüls \\texttt{a-{}-{}b}");
}

}  // namespace
}  // namespace mbsbench::report_tests
