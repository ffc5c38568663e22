// Random models by every method against 113 bits.
#include <fmt/format.h>

#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

// What a sound method has none of.
ColumnOf<HealthRow> FaultColumn(const std::string& label, std::int64_t HealthRow::*count) {
  return {CountColumn(label), [count](const HealthRow& row) {
            TableCell cell(row.*count);
            if (row.*count > 0) cell.tone = "bad";
            return cell;
          }};
}

// `columns`: those that tell the rows apart.
Table HealthTable(std::string caption, std::vector<ColumnOf<HealthRow>> columns,
                  const std::vector<HealthRow>& rows) {
  columns.insert(columns.end(), {{CountColumn("models"), &HealthRow::models},
                                 {CountColumn("refused"), &HealthRow::refused},
                                 FaultColumn("crashed", &HealthRow::crashed),
                                 FaultColumn("hung", &HealthRow::hung),
                                 {CountColumn("explained"), &HealthRow::explained},
                                 FaultColumn("unexplained", &HealthRow::unexplained),
                                 {DecimalsColumn("digits of half", 1), &HealthRow::digits_p50},
                                 {DecimalsColumn("of 99 %", 1), &HealthRow::digits_p99},
                                 {DecimalsColumn("of the worst", 1), &HealthRow::digits_worst}});
  return TableOf<HealthRow>(std::move(caption), columns, rows);
}

}  // namespace

Section HealthSection(const Comparison& comparison, Document& document) {
  Section section{"health", "Health card"};
  if (!comparison.results->health) return section;
  const HealthCard& card = *comparison.results->health;
  std::string engines;
  for (const auto& [method, title] : card.engines.list)
    engines += (engines.empty() ? " Engines: " : ", ") + title;
  section.blocks.push_back(Paragraph{fmt::format(
      "The accelerations of {} random models (seed {}) against 113 bits. Errors above 1e-6 are "
      "counted: those that round-off in the model's data explains, and those that it does not. "
      "Right digits of half of the answers, of 99 % of them, and of the worst one.{}{}",
      card.models, card.seed, engines, engines.empty() ? "" : ".")});
  const ColumnOf<HealthRow> method{{"method"}, &HealthRow::method},
      kind{{"kind of models"}, &HealthRow::kind};
  std::vector<HealthRow> methods, kinds, both;
  for (const HealthRow& row : card.rows)
    (row.kind.empty() ? methods : row.method.empty() ? kinds : both).push_back(row);
  AddTable(HealthTable("By method", {method}, methods), "health.csv", section, document);
  AddTable(HealthTable("By kind of models", {kind}, kinds), "health_kinds.csv", section, document);
  AddTable(TableOf<HealthCase>("The first error of a method on each kind of models that round-off "
                               "does not explain",
                               {{{"method"}, &HealthCase::method},
                                {{"kind of models"}, &HealthCase::kind},
                                {CountColumn("model"), &HealthCase::model},
                                {ErrorColumn("error"), &HealthCase::error},
                                {{"reason"}, &HealthCase::reason},
                                {{"small model of it"}, &HealthCase::file}},
                               card.cases),
           "health_cases.csv", section, document);
  Section details{"health-details", "Each method on each kind of models"};
  AddTable(HealthTable("Each method on each kind of models", {method, kind}, both),
           "health_details.csv", details, document);
  AddFolded(std::move(details), section);
  return section;
}

}  // namespace mbsbench::reports
