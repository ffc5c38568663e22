#include "reports/format/document.h"

#include <gmock/gmock.h>

#include <stdexcept>

#include "reports/format/render.h"

namespace mbsbench::reports {
namespace {

TEST(Document, RefusesATableWithAShortRow) {
  const Table table{"Shifted", {{"method"}, {"error", true}}, {{{"a"}, {"1"}}, {{"b"}}}, ""};
  EXPECT_THROW(AsCsv("shifted.csv", table), std::logic_error);
  Document document;
  document.sections.push_back({"s", "S", {table}});
  EXPECT_THROW(RenderHtml(document), std::logic_error);
  EXPECT_THROW(RenderCsv({"shifted.csv", {"method", "error"}, {{"a", 1, 2}}}), std::logic_error);
}

TEST(Document, NamesThatDifferInPunctuationOnlyGetDistinctFileNames) {
  std::set<std::string> taken;
  EXPECT_EQ(TakeStem("a:b", taken), "a-b");
  EXPECT_EQ(TakeStem("a-b", taken), "a-b-2");
  EXPECT_EQ(TakeStem("a-b-2", taken), "a-b-2-2");
  EXPECT_EQ(TakeStem("\u00fc", taken), "unnamed");
  EXPECT_EQ(TakeStem("\u00f6", taken), "unnamed-2");
}

TEST(Document, AFileWithAUsedNameGetsANumber) {
  Document document;
  EXPECT_EQ(AddFile(document, {"drift.a.csv", {}, {}}), "drift.a.csv");
  EXPECT_EQ(AddFile(document, {"drift.a.csv", {}, {}}), "drift.a-2.csv");
}

TEST(Document, CodeInMarkdownIsPrintedUnchanged) {
  Document document;
  Figure figure;
  figure.summary = "By `mbsbench solve <name> --tol *`.";
  figure.notes = {"A ` alone <b>"};
  document.sections.push_back({"s", "S", {figure}});
  const std::string markdown = RenderMarkdown(document);
  EXPECT_THAT(markdown, testing::HasSubstr("By `mbsbench solve <name> --tol *`."));
  EXPECT_THAT(markdown, testing::HasSubstr("- A \\` alone &lt;b>"));
}

}  // namespace
}  // namespace mbsbench::reports
