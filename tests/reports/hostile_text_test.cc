// Titles, sources and reasons that attack the place where they are shown.
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "reports/format/latex.h"
#include "reports/format/render.h"
#include "reports/report.h"
#include "tests/reports/fixture_store.h"
#include "tests/reports/page_data.h"

namespace mbsbench::report_tests {
namespace {

using namespace reports;
constexpr char kHostile[] =
    "\x1b[31m\x1b]0;title\a \xc2\x9b"
    "2J \x7f <script>alert(1)</script> ```<img src=x onerror=alert(1)>` \xe2\x80\xae \b\r";

// Whether a terminal only prints `text`.
bool IsHarmless(const std::string& text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) {
                        const auto byte = static_cast<unsigned char>(c);
                        return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
                      }) &&
         text.find("\xc2\x9b") == std::string::npos &&
         text.find("\xe2\x80\xae") == std::string::npos;
}

Table HostileTable() { return {kHostile, {{kHostile}}, {{{kHostile}}}, ""}; }

TEST(HostileText, EveryFormIsHarmless) {
  Document document;
  document.title = kHostile;
  document.subtitle = kHostile;
  Figure figure;
  figure.title = figure.summary = figure.command = kHostile;
  figure.notes = {kHostile};
  figure.table = HostileTable();
  document.sections.push_back(
      {"s", kHostile, {Paragraph{kHostile}, List{{kHostile}}, HostileTable(), figure}});
  const std::string markdown = RenderMarkdown(document);
  EXPECT_TRUE(IsHarmless(markdown)) << markdown;
  const std::string latex = RenderLatex(AsLatex("name", EscapeLatex(kHostile), HostileTable()));
  EXPECT_TRUE(IsHarmless(latex)) << latex;
  const std::string csv = RenderCsv({"a.csv", {kHostile}, {{kHostile}, {Json{{"a", kHostile}}}}});
  EXPECT_TRUE(IsHarmless(csv)) << csv;
}

// By CommonMark, code begins at a run of backticks that a run of the same length ends. Elsewhere "<" is
// the beginning of HTML.
bool HoldsHtml(const std::string& markdown) {
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    if (markdown[i] == '\\') {
      ++i;
    } else if (markdown[i] == '<') {
      return true;
    } else if (markdown[i] == '`') {
      const auto run_at = [&markdown](std::size_t at) {
        return std::min(markdown.find_first_not_of('`', at), markdown.size()) - at;
      };
      const std::size_t length = run_at(i), after_run = i + length;
      std::size_t close = markdown.find('`', after_run);
      while (close != std::string::npos && run_at(close) != length)
        close = markdown.find('`', close + run_at(close));
      i = (close == std::string::npos ? after_run : close + length) - 1;
    }
  }
  return false;
}

class Html : public testing::TestWithParam<const char*> {};

TEST_P(Html, IsTextInMarkdown) {
  Document document;
  document.sections.push_back({"s", "S", {Paragraph{GetParam()}}});
  const std::string markdown = RenderMarkdown(document);
  EXPECT_FALSE(HoldsHtml(markdown)) << markdown;
}

INSTANTIATE_TEST_SUITE_P(HostileText, Html,
                         testing::Values("<b>", "a `<b>` c", "` <b>", "```<b>`", "``` <b> ``",
                                         "`` <b> `", "` `` <b> `", "`a``b`<b>", "\\`<b>`",
                                         "`\\`<b>`", "`a` <b> `", "````<b>``` `"));

// A bracket before "(", "[" or ":" makes a link or names one, unless it is escaped.
TEST(HostileText, IsNeverALinkInMarkdown) {
  for (const char* name : {"[x](javascript:alert(1))", "![x](http://a.b/c.png)", "[x][y]",
                           "[x]: http://a.b", "\\[x\\](y)", "[a [x](y) b](z)"}) {
    Document document;
    document.title = name;
    document.sections.push_back({"s", name, {Paragraph{name}, List{{name}}}});
    const std::string markdown = RenderMarkdown(document);
    for (std::size_t i = 0; i + 1 < markdown.size(); ++i) {
      if (markdown[i] == '\\') {
        ++i;
      } else if (markdown[i] == ']') {
        EXPECT_EQ(std::string::npos, std::string("([:").find(markdown[i + 1])) << markdown;
      }
    }
  }
}

struct SpreadsheetCell {
  const char *text, *field;
};
void PrintTo(const SpreadsheetCell& cell, std::ostream* out) { *out << cell.text; }
class SpreadsheetCells : public testing::TestWithParam<SpreadsheetCell> {};

TEST_P(SpreadsheetCells, AreNumbersOrTextButNoFormulas) {
  EXPECT_EQ(GetParam().field, CsvField(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(
    HostileText, SpreadsheetCells,
    testing::Values(SpreadsheetCell{"=1+1", "'=1+1"}, SpreadsheetCell{"@SUM(A1)", "'@SUM(A1)"},
                    SpreadsheetCell{"+1+1", "'+1+1"}, SpreadsheetCell{"-2+3", "'-2+3"},
                    SpreadsheetCell{"-", "'-"}, SpreadsheetCell{"+x", "'+x"},
                    SpreadsheetCell{"=HYPERLINK(\"a\",\"b\")",
                                    "\"'=HYPERLINK(\"\"a\"\",\"\"b\"\")\""},
                    SpreadsheetCell{"-1.5", "-1.5"}, SpreadsheetCell{"+1.5e-3", "+1.5e-3"},
                    SpreadsheetCell{"-1e300", "-1e300"}, SpreadsheetCell{"-inf", "-inf"},
                    SpreadsheetCell{"a=b", "a=b"}, SpreadsheetCell{"", ""},
                    SpreadsheetCell{"x-1", "x-1"}));

TEST(HostileText, AStoreFullOfHostileTextGivesAHarmlessReportAndSummary) {
  TestFolder folder;
  {
    FixtureStore store(folder / "s.sqlite");
    store.AddRun("run1", "2025-01-01T00:00:00Z", kHostile);
    store.AddProblem("branch4", {{"title", kHostile}, {"source", kHostile}, {"bodies", 4}});
    store.AddMethod("toy");
    TrialRow row;
    row.problem = "branch4";
    row.method = "toy";
    row.integrator = "rk4";
    row.step = 0.1;
    row.outcome = "crashed";
    row.reason = kHostile;
    row.record = Json{{"command", kHostile}}.dump();
    store.Add(row);
  }
  const ReportFiles files = WriteReport(folder / "s.sqlite", folder / "out");
  EXPECT_TRUE(IsHarmless(WholeMarkdown(folder / "s.sqlite")));
  std::istringstream lines(
      WholeMarkdown(folder / "s.sqlite"));  // each of ours is a block of its own
  for (std::string line; std::getline(lines, line);) EXPECT_FALSE(HoldsHtml(line)) << line;
  for (const auto& csv : files.csv) EXPECT_TRUE(IsHarmless(ReadFile(csv))) << csv;
  EXPECT_TRUE(IsHarmless(Summary(folder / "s.sqlite")));
}

}  // namespace
}  // namespace mbsbench::report_tests
