// The observables of problems, family by family.
#include <set>

#include "reports/pages/observables.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

Section ProblemObservables(const Comparison& comparison, const ShownProblem& shown,
                           Document& document) {
  const ProblemResults& problem = *shown.problem;
  Section section{"observables-" + problem.stem, problem.name, {}};
  for (Figure& figure : ChartedFigures(comparison, shown, document))
    section.blocks.push_back(std::move(figure));
  AddIfAny(SpeedFigure(comparison, shown, document), section);
  AddTable(LedgerTable(shown), "ledger." + problem.stem + ".csv", section, document);
  return section;
}

}  // namespace

Section ObservablesSection(const Comparison& comparison, Document& document) {
  Section section{"observables", "Observables", {}};
  std::vector<std::pair<std::string, std::vector<ShownProblem>>> families;
  for (const ProblemResults& problem : comparison.problems) {
    if (problem.cells.empty()) continue;
    const std::string family = FamilyOf(problem);
    if (families.empty() || families.back().first != family) families.push_back({family, {}});
    families.back().second.push_back(Show(comparison, problem));
  }
  std::set<std::string> stems;
  for (const auto& [family, members] : families) {
    Section one{"observables-of-" + TakeStem(family, stems), family, {}, {}, "", true};
    if (auto table = VariationTable(members, document)) one.blocks.push_back(std::move(*table));
    for (const ShownProblem& shown : members) {
      if (IsVariation(*shown.problem)) continue;
      Section problem = ProblemObservables(comparison, shown, document);
      if (problem.blocks.empty()) continue;
      if (members.size() == 1) {  // its figures name it
        for (Block& block : problem.blocks) one.blocks.push_back(std::move(block));
      } else {
        one.sections.push_back(std::move(problem));
      }
    }
    if (!one.blocks.empty() || !one.sections.empty()) section.sections.push_back(std::move(one));
  }
  if (section.sections.empty()) return section;
  section.blocks.push_back(Paragraph{
      "Charted motions and events by the most accurate cell of each family of methods; where they "
      "were run, also variations of assumptions. This catalogue completes what a source does not "
      "state, so differences from printed values may be differences of models. All methods solve "
      "the same model."});
  return section;
}

}  // namespace mbsbench::reports
