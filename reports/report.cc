#include "reports/report.h"

#include <fmt/format.h>

#include <fstream>

#include "reports/csv.h"
#include "reports/html.h"
#include "reports/markdown.h"
#include "reports/pages.h"

namespace mbsbench {

namespace {

using reports::Document;

void WriteFile(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file)
    throw ReportError("cannot write " + path.string() +
                      "; name a directory that can be written, with room left");
}

Document BuildDocument(const reports::Results& results) {
  const reports::Comparison comparison = reports::Compare(results);
  Document document;
  document.title = "mbsbench: formulations of multibody dynamics compared";
  const reports::Run& latest = results.runs.back();
  document.subtitle = fmt::format("From the store `{}`; latest run {} (UTC) by `{}`.",
                                  results.path.filename().string(), latest.started, latest.command);
  document.methods = comparison.methods;
  document.integrators = comparison.integrators;
  for (const reports::PagePlan& plan : reports::Pages())
    reports::AddPage(plan, comparison, document);
  return document;
}

}  // namespace

ReportFiles WriteReport(const std::filesystem::path& store,
                        const std::filesystem::path& directory) {
  const reports::Results results = reports::ReadResults(store);
  const Document document = BuildDocument(results);
  std::error_code error;
  std::filesystem::create_directories(directory / "csv", error);
  if (error) {
    throw ReportError("cannot make the directory " + (directory / "csv").string() + " (" +
                      error.message() + "); name one that can be written");
  }
  ReportFiles files;
  for (const reports::CsvFile& file : document.files) {
    files.csv.push_back(directory / "csv" / file.name);
    WriteFile(files.csv.back(), reports::RenderCsv(file));
  }
  files.markdown = directory / "report.md";
  WriteFile(files.markdown, reports::RenderMarkdown(document));
  files.html = directory / "report.html";
  WriteFile(files.html, reports::RenderHtml(document));
  return files;
}

}  // namespace mbsbench
