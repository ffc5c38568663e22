// Files for a paper: every figure of a report as SVG and PDF, every table as LaTeX, Markdown and CSV,
// and the sources as BibTeX.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mbsbench {

struct PaperFiles {
  int figures = 0;  // SVG files
  int pdfs = 0;
  int tables = 0;
  std::vector<std::string>
      missing;  // a sentence on each kind of file that was not written because a program is missing
};

// Writes into `directory`: figures/*.svg and *.pdf, tables/*.tex and *.md, csv/*.csv, sources.bib.
// The code of report.html draws the figures and needs node (18 or later); PDF needs rsvg-convert,
// inkscape or chromium. Throws ReportError.
PaperFiles WriteFigures(const std::filesystem::path& store, const std::filesystem::path& directory);

}  // namespace mbsbench
