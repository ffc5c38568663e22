// Files for a paper: its figures as SVG and PDF, its tables as LaTeX, a paper that includes them, and the sources as BibTeX.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/pages/paper_options.h"

namespace mbsbench {

struct PaperFiles {
  int figures = 0;  // drawn, each in two widths
  int pdfs = 0;
  int tables = 0;
  std::vector<std::string>
      missing;  // a sentence on each thing that was not written, with the reason
};

// Writes into `directory`: figures/*.svg and *.pdf, tables/*.tex, paper.tex, csv/*.csv, reproduce.json and sources.bib.
// The figures are drawn by node (18 or later); PDF needs rsvg-convert, inkscape or chromium. Throws ReportError.
PaperFiles WriteFigures(const std::filesystem::path& store, const std::filesystem::path& directory,
                        const PaperOptions& options = {});

}  // namespace mbsbench
