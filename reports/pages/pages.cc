#include "reports/pages/pages.h"

#include <fmt/format.h>

#include <string_view>

#include "harness/records/json_codec.h"
#include "reports/analysis/benches.h"
#include "reports/analysis/coverage.h"
#include "reports/analysis/mechanism_map.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

const std::vector<PagePlan>& Pages() {
  static const std::vector<PagePlan> pages = {
      {"overview", {OverviewSection}},
      {"outcomes", {OutcomeSection}},
      {"problems", {ProblemSections}},
      {"methods", {MethodSections}},
      {"scaling", {ScalingSection}},
      {"engines", {EnginesSection}},
      {"claims", {ClaimsSection}},
      {"kept", {KeptSection}},
      {"validation", {ValidationSection, FieldReferencesSection}},
      {"health", {HealthSection}},
      {"redundancy", {RedundancySection}},
      {"steady", {SteadySection}},
      {"history", {RegressionsSection}},
      {"machine", {MachineSection, ReadingSection}},
  };
  return pages;
}

void AddPage(const PagePlan& plan, const Comparison& comparison, Document& document) {
  std::vector<Page> own;
  std::string title;
  for (const SectionBuilder build : plan.sections) {
    Section section = build(comparison, document);
    if (section.blocks.empty() && section.sections.empty()) continue;
    if (title.empty()) title = section.title;
    if (section.page.empty()) section.page = plan.route;
    for (const Section& inner : section.sections) {
      if (!inner.page.empty()) own.push_back({inner.page, inner.title, section.page});
    }
    document.sections.push_back(std::move(section));
  }
  if (title.empty()) return;
  document.pages.push_back({plan.route, title});
  document.pages.insert(document.pages.end(), own.begin(), own.end());
}

Json Provenance(const Comparison& comparison) {
  Json runs = Json::array();
  for (const Run* run : comparison.runs) {
    Json& one = runs.emplace_back(ToJson<RunRow>(*run));
    if (ShardsOf(*run).empty()) continue;
    for (const auto& [number, command] : run->shards) one["commands_of_shards"].push_back(command);
  }
  return {{"runs", runs}};
}

Document BuildDocument(const Results& results, const std::map<std::string, Results>& archived) {
  Comparison comparison = Compare(results);
  for (const auto& [name, held] : archived)
    comparison.archived.push_back(WithoutTimes(name, Compare(held)));
  Document document;
  document.title = "mbsbench: formulations of multibody dynamics compared";
  document.provenance = Provenance(comparison);
  if (results.runs.empty()) {  // benchmarks alone
    const BenchRunRow& last = results.bench_runs.back();
    document.subtitle = fmt::format("From the store `{}`; latest benchmarks {} (UTC) by `{}`.",
                                    results.path.filename().string(), last.started, last.command);
    for (const PagePlan& plan : Pages()) {
      if (std::string_view(plan.route) == "history") AddPage(plan, comparison, document);
    }
    return document;
  }
  const Run& latest = results.runs.back();
  const std::string unfinished = UnfinishedInShort(comparison);
  document.subtitle =
      fmt::format("{}Store `{}`; latest run {} (UTC) by `{}`.",
                  unfinished.empty() ? "" : "Run " + unfinished + ". ",
                  results.path.filename().string(), latest.started, CommandOf(latest));
  document.methods = comparison.methods;
  document.integrators = comparison.integrators;
  for (const ProblemResults& problem : comparison.problems)
    document.kinds[problem.name] = KindOf(problem);
  for (const PagePlan& plan : Pages()) AddPage(plan, comparison, document);
  return document;
}

Document InShort(const Document& document) {
  Document in_short{document.title, document.subtitle, {}, {}, {}};
  for (const Section& section : document.sections) {
    const std::string_view id = section.id;
    if (id == "overview" || id == "claims" || id == "speed-history")
      in_short.sections.push_back(section);
    if (id != "problems") continue;
    Section& problems = in_short.sections.emplace_back(Section{section.id, section.title});
    for (const Section& problem : section.sections) {
      Section& one = problems.sections.emplace_back(Section{problem.id, problem.title});
      for (const Block& block : problem.blocks) {
        const Table* table = std::get_if<Table>(&block);
        if (table && table->csv == kTargetsFile) one.blocks.push_back(block);
      }
      if (one.blocks.empty()) problems.sections.pop_back();
    }
  }
  return in_short;
}

}  // namespace mbsbench::reports
