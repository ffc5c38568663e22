#include "reports/document.h"

#include <algorithm>
#include <cctype>

namespace mbsbench::reports {

std::string FileStem(const std::string& name) {
  std::string stem;
  for (char c : name)
    stem += std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' ? c : '-';
  while (!stem.empty() && (stem.front() == '.' || stem.front() == '-')) stem.erase(0, 1);
  return stem.empty() ? "unnamed" : stem.substr(0, 120);
}

std::string ProblemRoute(const std::string& problem) { return "problem/" + FileStem(problem); }

std::string MethodRoute(const std::string& method) { return "method/" + FileStem(method); }

std::string AddFile(Document& document, CsvFile file) {
  const auto taken = [&document](const std::string& name) {
    return std::any_of(document.files.begin(), document.files.end(),
                       [&name](const CsvFile& other) { return other.name == name; });
  };
  const std::string stem = file.name.substr(0, file.name.rfind(".csv"));
  for (int i = 2; taken(file.name); ++i) file.name = stem + "-" + std::to_string(i) + ".csv";
  document.files.push_back(std::move(file));
  return document.files.back().name;
}

CsvFile AsCsv(const std::string& name, const Table& table) {
  CsvFile file{name, {}, {}};
  for (const Column& column : table.columns) {
    file.header.push_back(column.csv.empty() ? column.label : column.csv);
  }
  for (const auto& row : table.rows) {
    std::vector<Json> fields;
    for (const TableCell& cell : row)
      fields.push_back(cell.value.is_null() ? Json(cell.text) : cell.value);
    file.rows.push_back(std::move(fields));
  }
  return file;
}

Json OptionalNumber(std::optional<double> value) { return value ? Json(*value) : Json(); }

TableCell NumberCell(std::string text, std::optional<double> value) {
  return {std::move(text), OptionalNumber(value), ""};
}

}  // namespace mbsbench::reports
