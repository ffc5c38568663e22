// The measure of the library that a problem comes from, for every cell that finished.
#include <algorithm>

#include "reports/format.h"
#include "reports/sections.h"

namespace mbsbench::reports {

Table LibraryTable(const ProblemResults& problem) {
  std::vector<std::string> names;
  for (const Cell& cell : problem.cells) {
    for (const LibraryResult& measure : cell.library_measures) {
      if (std::find(names.begin(), names.end(), measure.name) == names.end())
        names.push_back(measure.name);
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
    row.push_back(cell.cpu ? SecondsCell(cell.cpu->minimum) : NumberCell("-", std::nullopt));
  }
  return table;
}

}  // namespace mbsbench::reports
