// The pages of the report, each a named list of sections.
#pragma once

#include <vector>

#include "reports/analysis/cells.h"
#include "reports/format/document.h"

namespace mbsbench::reports {

using SectionBuilder = Section (*)(const Comparison& comparison, Document& document);

// The first section gives the page its name: in the side list, in its heading and in report.md.
struct PagePlan {
  const char* route;
  std::vector<SectionBuilder> sections;
  bool is_long = false;  // as of Page
};

// In the order of the side list and of report.md. A new section is a line there.
const std::vector<PagePlan>& Pages();

// Builds the sections of a page and adds both; an empty page is left out. Sections of single problems and methods get pages
// of their own below this one.
void AddPage(const PagePlan& plan, const Comparison& comparison, Document& document);

// The whole report of a store.
// `against`: another run (A) compared with this store's latest one (B).
Document BuildDocument(const Results& results, const ComparedRuns* against = nullptr);

}  // namespace mbsbench::reports
