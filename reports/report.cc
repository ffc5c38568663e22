#include "reports/report.h"

#include <fmt/format.h>

#include <fstream>

#include "reports/csv.h"
#include "reports/format.h"
#include "reports/html.h"
#include "reports/markdown.h"
#include "reports/sections.h"

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
  for (const auto build :
       {reports::HeadSection, reports::EqualErrorSection, reports::OutcomeSection,
        reports::ProblemSections, reports::ScalingSection, reports::EnginesSection,
        reports::SteadySection, reports::GrowingSection, reports::ValidationSection,
        reports::TruthSection}) {
    reports::Section section = build(comparison, document);
    if (section.blocks.empty() && section.sections.empty()) continue;
    document.sections.push_back(std::move(section));
  }
  document.sections.push_back(reports::FilesSection(document));
  return document;
}

}  // namespace

namespace reports {

Section FilesSection(const Document& document) {
  Section section{"files", "Data files", {}};
  section.blocks.push_back(
      Paragraph{"Every figure and table has its data in a file of the folder `csv` beside this "
                "report, with all digits. `cells.csv` holds every cell, `rounds.csv` every timed "
                "round. The report is made from the store alone by `mbsbench report`."});
  List list;
  for (const CsvFile& file : document.files) {
    list.items.push_back(fmt::format("`csv/{}`: {}", file.name,
                                     Plural(static_cast<long long>(file.rows.size()), "row")));
  }
  section.blocks.push_back(std::move(list));
  return section;
}

}  // namespace reports

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
