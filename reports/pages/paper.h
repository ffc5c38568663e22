// What a paper shows of a comparison: at most eight figures and four tables, with captions.
#pragma once

#include <string>
#include <vector>

#include "reports/analysis/cells.h"
#include "reports/format/document.h"
#include "reports/format/latex.h"
#include "reports/pages/paper_options.h"

namespace mbsbench::reports {

struct PaperFigure {
  std::string name, caption;  // its label is "fig:NAME"; the caption is LaTeX
  Json drawn;                 // what web/src/paper/figures.js draws
  bool is_wide = false;       // as wide as a page of two columns
};

struct Paper {
  std::vector<PaperFigure> figures = {};
  std::vector<LatexTable> tables = {};
  std::vector<std::string> missing =
      {};  // a sentence on each figure that the store has no data for
};

// Adds the data of the figures to `document`, as files. Throws ReportError for a problem that the store does not hold.
Paper MakePaper(const Comparison& comparison, const PaperOptions& options, Document& document);

// The bibliography of the repository, with an entry for each method of the store that it does not cite: the source that the
// method states.
std::string Sources(const Results& results);

}  // namespace mbsbench::reports
