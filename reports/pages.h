// The pages of the report, each a named list of sections.
#pragma once

#include <vector>

#include "reports/cells.h"
#include "reports/document.h"

namespace mbsbench::reports {

using SectionBuilder = Section (*)(const Comparison& comparison, Document& document);

// Its first section names the page: in the list at the side, in its heading and in report.md.
struct PagePlan {
  const char* route;  // a word of that name
  std::vector<SectionBuilder> sections;
  bool is_long = false;  // as of Page
};

// In the order of the list at the side, and of report.md. A new section is a line there.
const std::vector<PagePlan>& Pages();

// Builds the sections of a page and adds both; a page on which nothing stands is left out. Sections
// that name a page of their own (those of single problems and methods) get it, below this one.
void AddPage(const PagePlan& plan, const Comparison& comparison, Document& document);

// The whole report of a store.
// `against`: this store's latest run (B) compared with another one (A).
Document BuildDocument(const Results& results, const ComparedRuns* against = nullptr);

}  // namespace mbsbench::reports
