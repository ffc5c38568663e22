#include "reports/csv.h"

#include "reports/format.h"

namespace mbsbench::reports {

std::string CsvField(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

namespace {

std::string FieldText(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return CsvField(value.get<std::string>());
  if (value.is_number_float()) return FormatExact(value.get<double>());
  return CsvField(value.dump());
}

}  // namespace

std::string RenderCsv(const CsvFile& file) {
  CheckRows(file);
  std::string text;
  for (std::size_t i = 0; i < file.header.size(); ++i)
    text.append(i ? "," : "").append(CsvField(file.header[i]));
  text += "\n";
  for (const auto& row : file.rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      text.append(i ? "," : "").append(FieldText(row[i]));
    text += "\n";
  }
  return text;
}

}  // namespace mbsbench::reports
