#include "reports/report.h"

#include "reports/csv.h"
#include "reports/files.h"
#include "reports/html.h"
#include "reports/markdown.h"
#include "reports/pages.h"

namespace mbsbench {

ReportFiles WriteReport(const std::filesystem::path& store,
                        const std::filesystem::path& directory) {
  const reports::Results results = reports::ReadResults(store);
  const reports::Document document = reports::BuildDocument(results);
  reports::MakeDirectory(directory / "csv");
  ReportFiles files;
  for (const reports::CsvFile& file : document.files) {
    files.csv.push_back(directory / "csv" / file.name);
    reports::WriteFile(files.csv.back(), reports::RenderCsv(file));
  }
  files.markdown = directory / "report.md";
  reports::WriteFile(files.markdown, reports::RenderMarkdown(document));
  files.html = directory / "report.html";
  reports::WriteFile(files.html, reports::RenderHtml(document));
  return files;
}

}  // namespace mbsbench
