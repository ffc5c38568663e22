// Printed values of sources, compared with the reference and with the most accurate cell of each family of methods.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

// Such a value has no fixed time: the event happens at another time in every run.
bool IsAtEvent(const PrintedValueRecord& value) { return !value.event.empty(); }

CsvFile PublishedFile(const ProblemResults& problem) {
  CsvFile file{"published." + problem.stem + ".csv",
               {"problem", "quantity", "event", "time_s", "kind", "source", "published",
                "uncertainty", "by", "setting", "ours", "difference", "why"}};
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

TableCell AtCell(const PrintedValueRecord& value) {
  return IsAtEvent(value) ? TableCell{value.event} : DigitsCell(value.time, 6, " s");
}

MaybeNumber OverUncertainty(const PrintedValueRecord& value) {
  return value.difference && value.last_digit && *value.last_digit > 0
             ? MaybeNumber(*value.difference / *value.last_digit)
             : std::nullopt;
}

// No rows where no cell has a value to compare.
Table DifferencesByFamily(const ProblemResults& problem) {
  const std::vector<const Cell*> best =
      BestOfFamilies(problem, [](const Cell& cell) { return !cell.published.empty(); });
  Table table{"Difference of the most accurate cell of each family from these values",
              {{"quantity"}}};
  table.in_markdown = false;
  if (best.empty()) return table;
  for (const Cell* cell : best) table.columns.push_back({MethodKey(cell->method), true});
  const std::vector<PrintedValueRecord>& values = problem.record.published;
  const bool has_one_source = std::ranges::count(values, values.front().source,
                                                 &PrintedValueRecord::source) == std::ssize(values);
  for (const PrintedValueRecord& value : values) {
    table.rows.push_back(
        {WithLine(value.quantity + ", " + AtCell(value).text, has_one_source ? "" : value.source)});
    for (const Cell* cell : best) {
      const PublishedComparison* own = FindOwnValue(*cell, value);
      table.rows.back().push_back(ErrorCell(own ? IfFinite(own->difference) : std::nullopt));
    }
  }
  return table;
}

}  // namespace

std::string OriginOf(const std::string& kind) { return kind == "published" ? "printed" : kind; }

void AddPublishedValues(const ProblemResults& problem, Section& section, Document& document) {
  const std::vector<PrintedValueRecord>& published = problem.record.published;
  if (published.empty()) return;
  Table table = TableOf<PrintedValueRecord>(
      "Values of other sources, and ours",
      {{{"quantity"}, &PrintedValueRecord::quantity},
       {{"at"}, AtCell},
       {DigitsColumn("ours (reference)", 12), &PrintedValueRecord::ours},
       {DigitsColumn("theirs", 12, "published"), &PrintedValueRecord::published},
       {ErrorColumn("difference"), &PrintedValueRecord::difference},
       {DigitsColumn("difference / uncertainty of theirs", 2), OverUncertainty},
       {{"theirs is", false, "kind"}, [](auto& value) { return OriginOf(value.kind); }},
       {{"source"}, &PrintedValueRecord::source},
       {{"why"},
        [](auto& value) {
          return value.why.empty() && !value.ours ? "no reference held" : value.why;
        }}},
      published);
  section.blocks.push_back(Paragraph{
      "Values of other sources. `printed`: in the paper of the problem; `computed`: by an "
      "independent program, which the source names; `exact`: from an analytic solution. A "
      "difference is ours minus theirs, of angles modulo 2 pi. The uncertainty of theirs is the "
      "error that its source states, else one unit of its last digit. Where the difference is at "
      "most this uncertainty (a quotient from -1 to 1), the two values agree. Units are m, rad, "
      "m/s and rad/s."});
  table.csv = AddFile(document, PublishedFile(problem));
  Table by_family = DifferencesByFamily(problem);
  by_family.csv = table.csv;
  section.blocks.push_back(std::move(table));
  if (!by_family.rows.empty()) section.blocks.push_back(std::move(by_family));
}

// The error measures of the library that a problem comes from, for every finished cell.
Table LibraryTable(const ProblemResults& problem) {
  std::vector<std::string> names;
  for (const Cell& cell : problem.cells) {
    for (const LibraryResult& measure : cell.library_measures) {
      AddOnce(names, measure.name);
    }
  }
  if (names.empty()) return {};
  std::vector<ColumnOf<Cell>> columns = {{{"method"}, &Cell::Curve}, {{"setting"}, &Cell::Setting}};
  for (const std::string& name : names) {
    columns.push_back({DigitsColumn(name, 4), [name](auto& cell) {
                         const auto measure =
                             std::ranges::find(cell.library_measures, name, &LibraryResult::name);
                         return measure == cell.library_measures.end() ? TableCell("-")
                                                                       : TableCell(measure->value);
                       }});
  }
  columns.push_back({ErrorColumn("energy drift"), &Cell::energy_drift});
  columns.push_back({SecondsColumn("CPU time"), &Cell::CpuMinimum});
  Table table = TableOf<Cell>("The measures of the problem's own library", columns,
                              problem.cells | std::views::filter([](const Cell& cell) {
                                return cell.finished() && !cell.library_measures.empty();
                              }));
  table.in_markdown = false;
  return table;
}

}  // namespace mbsbench::reports
