#include "reports/pages.h"

#include <fmt/format.h>

#include "reports/sections.h"

namespace mbsbench::reports {

const std::vector<PagePlan>& Pages() {
  static const std::vector<PagePlan> pages = {
      {"overview",
       "Overview",
       {HeadSection, AnswersSection, ChoiceSection, DistributionSection, EqualErrorSection}},
      {"outcomes", "Outcomes", {OutcomeSection}},
      {"problems", "Problems", {ProblemSections}},
      {"methods", "Methods", {MethodSections}},
      {"scaling", "Scaling", {ScalingSection}},
      {"engines", "Engines", {EnginesSection}},
      {"validation", "Validation", {ValidationSection, TruthSection}},
      {"steady", "Steady states", {SteadySection}},
      {"growing", "Growing systems", {GrowingSection}},
      {"regressions", "Regressions", {RegressionsSection}},
      {"machine", "Machine and settings", {MachineSection, ReadingSection}},
      {"files", "Data files", {FilesSection}},
  };
  return pages;
}

void AddPage(const PagePlan& plan, const Comparison& comparison, Document& document) {
  std::vector<Page> own;
  bool is_empty = true;
  for (const SectionBuilder build : plan.sections) {
    Section section = build(comparison, document);
    if (section.blocks.empty() && section.sections.empty()) continue;
    is_empty = false;
    if (section.page.empty()) section.page = plan.route;
    for (const Section& inner : section.sections) {
      if (!inner.page.empty()) own.push_back({inner.page, inner.title, section.page});
    }
    document.sections.push_back(std::move(section));
  }
  if (is_empty) return;
  document.pages.push_back({plan.route, plan.title});
  document.pages.insert(document.pages.end(), own.begin(), own.end());
}

Document BuildDocument(const Results& results) {
  const Comparison comparison = Compare(results);
  Document document;
  document.title = "mbsbench: formulations of multibody dynamics compared";
  const Run& latest = results.runs.back();
  document.subtitle = fmt::format("From the store `{}`; latest run {} (UTC) by `{}`.",
                                  results.path.filename().string(), latest.started, latest.command);
  document.methods = comparison.methods;
  document.integrators = comparison.integrators;
  for (const PagePlan& plan : Pages()) AddPage(plan, comparison, document);
  return document;
}

}  // namespace mbsbench::reports
