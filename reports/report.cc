#include "reports/report.h"

#include "harness/comparison/comparison.h"
#include "harness/comparison/run_choice.h"
#include "reports/archive.h"
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
                        const std::vector<std::string>& against) {
  const reports::Results results = reports::ReadResults(store);
  std::optional<ComparedRuns> compared;
  std::map<std::string, reports::Results> archived;
  for (const std::string& one : against) {
    std::error_code ignored;
    if (std::filesystem::is_directory(one, ignored)) {
      archived[one] = reports::ReadResults(StoreOfArchive(one));
    } else if (compared) {
      throw ReportError(
          "--against: '" + one +
          "' is a second run to compare with. Give one run, and any number of archives.");
    } else {
      compared = CompareWith(one, store);
    }
  }
  const reports::Document document =
      reports::BuildDocument(results, compared ? &*compared : nullptr, archived);
  ReportFiles files;
  files.csv = reports::WriteDataFiles(store, document, directory);
  files.markdown = directory / "report.md";
  reports::WriteFile(files.markdown, reports::RenderMarkdown(reports::InShort(document)));
  files.html = directory / "report.html";
  reports::WritePage(files.html, reports::RenderHtml(document));
  return files;
}

}  // namespace mbsbench
