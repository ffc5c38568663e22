#include "reports/report.h"

#include "harness/comparison/comparison.h"
#include "harness/comparison/run_choice.h"
#include "reports/format/data_files.h"
#include "reports/format/files.h"
#include "reports/format/html.h"
#include "reports/format/markdown.h"
#include "reports/pages/pages.h"

namespace mbsbench {

namespace {

// The run that `against` chooses, and the latest one of `store`.
ComparedRuns CompareWith(const std::string& against, const std::filesystem::path& store) {
  try {
    return CompareRuns(ChooseRun(against, store.string()), ChooseRun(store.string(), ""));
  } catch (const StoreError& e) {
    throw ReportError(std::string("--against: ") + e.what());
  }
}

}  // namespace

ReportFiles WriteReport(const std::filesystem::path& store, const std::filesystem::path& directory,
                        const std::string& against) {
  const reports::Results results = reports::ReadResults(store);
  std::optional<ComparedRuns> compared;
  if (!against.empty()) compared = CompareWith(against, store);
  const reports::Document document =
      reports::BuildDocument(results, compared ? &*compared : nullptr);
  ReportFiles files;
  files.csv = reports::WriteDataFiles(store, document, directory);
  files.markdown = directory / "report.md";
  reports::WriteFile(files.markdown, reports::RenderMarkdown(reports::InShort(document)));
  files.html = directory / "report.html";
  reports::WritePage(files.html, reports::RenderHtml(document));
  return files;
}

}  // namespace mbsbench
