#include "reports/report.h"

#include "reports/data_files.h"
#include "reports/files.h"
#include "reports/html.h"
#include "reports/markdown.h"
#include "reports/pages.h"

namespace mbsbench {

ReportFiles WriteReport(const std::filesystem::path& store,
                        const std::filesystem::path& directory) {
  const reports::Results results = reports::ReadResults(store);
  const reports::Document document = reports::BuildDocument(results);
  ReportFiles files;
  files.csv = reports::WriteDataFiles(store, document, directory);
  files.markdown = directory / "report.md";
  reports::WriteFile(files.markdown, reports::RenderMarkdown(document));
  files.html = directory / "report.html";
  reports::WriteFile(files.html, reports::RenderHtml(document));
  return files;
}

}  // namespace mbsbench
