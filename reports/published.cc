// What sources have printed, with our reference and the most accurate cell of each family of methods.
#include <fmt/format.h>

#include "reports/columns.h"
#include "reports/format.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

// What an event fixes happens at another time in every run.
bool IsAtEvent(const PrintedValueRecord& value) { return !value.event.empty(); }

std::string Origin(const std::string& kind) { return kind == "published" ? "printed" : kind; }

CsvFile PublishedFile(const ProblemResults& problem) {
  CsvFile file{"published." + problem.stem + ".csv",
               {"problem", "quantity", "event", "time_s", "kind", "source", "published",
                "last_digit", "by", "setting", "ours", "difference", "why"}};
  for (const PrintedValueRecord& value : problem.record.published) {
    const auto add = [&](const std::string& by, const std::string& setting, MaybeNumber time,
                         MaybeNumber ours, MaybeNumber difference, const std::string& why) {
      file.rows.push_back({problem.name, value.quantity, value.event, OptionalNumber(time),
                           value.kind, value.source, OptionalNumber(value.published),
                           OptionalNumber(value.last_digit), by, setting, OptionalNumber(ours),
                           OptionalNumber(difference), why});
    };
    add("reference", "", IsAtEvent(value) ? std::nullopt : value.time, value.ours, value.difference,
        value.why);
    for (const Cell& cell : problem.cells) {
      if (const PublishedComparison* own = FindOwnValue(cell, value))
        add(cell.Curve(), cell.Setting(), IfFinite(own->time), IfFinite(own->ours),
            IfFinite(own->difference), "");
    }
  }
  return file;
}

}  // namespace

const PublishedComparison* FindOwnValue(const Cell& cell, const PrintedValueRecord& printed,
                                        bool is_of_any_source) {
  for (const PublishedComparison& own : cell.published) {
    if (own.quantity != printed.quantity || own.event != printed.event) continue;
    if (!IsAtEvent(printed) && IfFinite(own.time) != printed.time) continue;
    // Several sources print the same quantity. A record that names none is identified by the number that
    // it was compared with: where two sources print the same one, so is the difference.
    if (is_of_any_source || (own.source.empty() ? IfFinite(own.published) == printed.published
                                                : own.source == printed.source))
      return &own;
  }
  return nullptr;
}

std::optional<Table> PublishedTable(const ProblemResults& problem, Document& document) {
  const std::vector<PrintedValueRecord>& published = problem.record.published;
  if (published.empty()) return std::nullopt;
  Table table{
      "Values of other sources, and ours (per family: difference of its most accurate cell)",
      {{"quantity"},
       {"at"},
       {"ours (reference)", true},
       {"theirs", true, "published"},
       {"difference", true},
       {"in last digits", true},
       {"theirs is", false, "kind"},
       {"source"},
       {"why"}}};
  const std::vector<const Cell*> best =
      BestOfFamilies(problem, [](const Cell& cell) { return !cell.published.empty(); });
  for (const Cell* cell : best) table.columns.push_back({MethodKey(cell->method), true});
  for (const PrintedValueRecord& value : published) {
    const auto digits = value.difference && value.last_digit && *value.last_digit > 0
                            ? std::optional(*value.difference / *value.last_digit)
                            : std::nullopt;
    const std::string why = value.why.empty() && !value.ours ? "no reference held" : value.why;
    table.rows.push_back(
        {{value.quantity},
         IsAtEvent(value) ? TableCell{value.event} : DigitsCell(value.time, 6, " s"),
         DigitsCell(value.ours, 12),
         DigitsCell(value.published, 12),
         ErrorCell(value.difference),
         DecimalsCell(digits, 1),
         {Origin(value.kind)},
         {value.source},
         {why}});
    for (const Cell* cell : best) {
      const PublishedComparison* own = FindOwnValue(*cell, value);
      table.rows.back().push_back(ErrorCell(own ? IfFinite(own->difference) : std::nullopt));
    }
  }
  table.csv = AddFile(document, PublishedFile(problem));
  return table;
}

// The measure of the library that a problem comes from, for every cell that finished.
Table LibraryTable(const ProblemResults& problem) {
  std::vector<std::string> names;
  for (const Cell& cell : problem.cells) {
    for (const LibraryResult& measure : cell.library_measures) {
      AddOnce(names, measure.name);
    }
  }
  if (names.empty()) return {};
  Table table{"The measures of the problem's own library", {{"method"}, {"setting"}}};
  for (const std::string& name : names) table.columns.push_back({name, true});
  table.columns.push_back({"energy drift", true});
  table.columns.push_back({"CPU time", true});
  for (const Cell& cell : problem.cells) {
    if (!cell.finished() || cell.library_measures.empty()) continue;
    table.rows.push_back({{cell.Curve()}, {cell.Setting()}});
    auto& row = table.rows.back();
    for (const std::string& name : names) {
      std::optional<double> value;
      for (const LibraryResult& measure : cell.library_measures) {
        if (measure.name == name) value = measure.value;
      }
      row.push_back(DigitsCell(value, 4));
    }
    row.push_back(ErrorCell(cell.energy_drift));
    row.push_back(SecondsCell(cell.CpuMinimum()));
  }
  return table;
}

}  // namespace mbsbench::reports
