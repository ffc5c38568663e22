#include "reports/format/latex_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reports/format/latex.h"

namespace mbsbench::reports {
namespace {

Table WithColumns(std::size_t columns, const std::string& text, bool are_numbers) {
  Table table{"caption", {{"name"}}, {{{"first"}}}, ""};
  for (std::size_t i = 1; i < columns; ++i) {
    table.columns.push_back({"label " + std::to_string(i), are_numbers});
    table.rows[0].push_back({text});
  }
  return table;
}

TEST(LatexLayout, ANarrowTableIsUnchanged) {
  const LatexLayout layout = LayOut(WithColumns(4, "1.2e-7", true));
  EXPECT_FALSE(layout.is_small);
  ASSERT_EQ(layout.panels.size(), 1u);
  EXPECT_EQ(layout.panels[0].size(), 4u);
  EXPECT_EQ(RenderLatex(WithColumns(4, "1.2e-7", true)).find("footnotesize"), std::string::npos);
}

TEST(LatexLayout, ManyColumnsAreSplitIntoPanelsThatRepeatTheFirstColumn) {
  const LatexLayout layout = LayOut(WithColumns(40, "1.2e-7", true));
  EXPECT_TRUE(layout.is_small);
  ASSERT_GT(layout.panels.size(), 2u);
  std::set<std::size_t> shown;
  for (const auto& panel : layout.panels) {
    EXPECT_EQ(panel.front().index, 0u);
    EXPECT_LE(panel.size(), 10u) << "six digits and the space between columns, on a line of 76";
    for (const LatexColumn& column : panel) shown.insert(column.index);
  }
  EXPECT_EQ(shown.size(), 40u);
}

TEST(LatexLayout, LongTextsShareTheWidthAndRowsAreCountedInLines) {
  std::string sentence;
  for (int i = 0; i < 20; ++i) sentence += "a word and ";
  const LatexLayout layout = LayOut(WithColumns(4, sentence, false));
  ASSERT_EQ(layout.panels.size(), 1u);
  double share = 0;
  for (const LatexColumn& column : layout.panels[0]) share += column.line_share;
  EXPECT_GT(share, 0.7);
  EXPECT_LT(share, 1);
  EXPECT_GT(layout.lines, 5u);
}

TEST(LatexLayout, LongNamesMayBreakInsideACellOnly) {
  Table table =
      WithColumns(3, "branchN:bodies=500 and many other words next to it to fill the line", false);
  EXPECT_NE(RenderLatex(table).find("branchN:\\allowbreak{}bodies=\\allowbreak{}500"),
            std::string::npos);
  table.rows[0][1].text = table.rows[0][2].text = "branchN:bodies=500";
  EXPECT_EQ(RenderLatex(table).find("allowbreak"), std::string::npos);
}

// TeX would read "\\[s]" as a distance between lines and never finish.
TEST(LatexLayout, ABracketIsNeverAnArgumentOfALineBreak) {
  Table table = WithColumns(12, "1.2e-7", true);
  for (Column& column : table.columns) column.label += " [s]";
  const std::string latex = RenderLatex(table);
  EXPECT_NE(latex.find("\\shortstack"), std::string::npos);
  EXPECT_EQ(latex.find("\\\\["), std::string::npos);
}

// LaTeX stops at a sign that no package declares.
TEST(LatexLayout, EverySignOfTheTablesHasACommand) {
  const Table table = WithColumns(2, "≲ 1 ≳ 2 ≤ 3 ≥ 4 ≈ 5†‡ × 6 ± 7 µs m/s² …", false);
  const std::string latex = RenderLatex(table);
  EXPECT_TRUE(std::ranges::all_of(latex, [](char c) { return (c & 0x80) == 0; })) << latex;
  EXPECT_NE(latex.find("$\\stackrel{<}{\\sim}$ 1 $\\stackrel{>}{\\sim}$ 2"), std::string::npos);
}

}  // namespace
}  // namespace mbsbench::reports
