#include "reports/report.h"

#include "reports/archive.h"
#include "reports/format/data_files.h"
#include "reports/format/files.h"
#include "reports/format/render.h"
#include "reports/pages/pages.h"

namespace mbsbench {

ReportFiles WriteReport(const std::filesystem::path& store, const std::filesystem::path& directory,
                        const std::vector<std::string>& against,
                        const std::filesystem::path& health) {
  reports::Results results = reports::ReadResults(store);
  if (!health.empty()) results.health = reports::ReadHealthCard(health);
  std::map<std::string, reports::Results> archived;
  for (const std::string& one : against) archived[one] = reports::ReadResults(StoreOfArchive(one));
  const reports::Document document = reports::BuildDocument(results, archived);
  ReportFiles files;
  files.csv = reports::WriteDataFiles(store, document, directory);
  files.markdown = directory / "report.md";
  reports::WriteFile(files.markdown, reports::RenderMarkdown(reports::InShort(document)));
  files.html = directory / "report.html";
  reports::WritePage(files.html, reports::RenderHtml(document));
  return files;
}

}  // namespace mbsbench
