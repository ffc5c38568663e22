// The pages of the report, each a named list of sections.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/analysis/cells.h"
#include "reports/format/document.h"

namespace mbsbench::reports {

using SectionBuilder = Section (*)(const Comparison& comparison, Document& document);

// The first section gives the page its name: in the side list and in its heading.
struct PagePlan {
  const char* route;
  std::vector<SectionBuilder> sections;
};

// In the order of the side list. A new section is a line there.
const std::vector<PagePlan>& Pages();

// Builds the sections of a page and adds both; an empty page is left out. Sections of single problems and methods get pages
// of their own below this one.
void AddPage(const PagePlan& plan, const Comparison& comparison, Document& document);

// The whole report of a store. `archived`: results by the names of their archives.
Document BuildDocument(const Results& results, const std::map<std::string, Results>& archived = {});

// The origin of a report's numbers: commands, seed, times, machine and build (commit, compiler, flags, libraries) of each
// run shown, and the noise of the machine while cells were timed.
Json Provenance(const Comparison& comparison);

// What report.md holds: the front page, the claims, and the times of each problem at the targets.
Document InShort(const Document& document);

}  // namespace mbsbench::reports
