#include "reports/format/render.h"

#include <charconv>
#include <string_view>

#include "harness/store/printable.h"
#include "reports/format/format.h"

namespace mbsbench::reports {

namespace {

// A spreadsheet computes a cell that begins so as a formula, unless it is a number.
bool LooksLikeFormula(const std::string& text) {
  if (text.empty() || std::string_view("=+-@\t").find(text[0]) == std::string_view::npos)
    return false;
  double number = 0;
  const char* const begin = text.data() + (text[0] == '+' ? 1 : 0);
  const char* const end = text.data() + text.size();
  return std::from_chars(begin, end, number).ptr != end;
}

std::string FieldText(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return CsvField(value.get<std::string>());
  if (value.is_number_float()) return FormatExact(value.get<double>());
  return CsvField(value.dump());
}

}  // namespace

std::string CsvField(const std::string& raw) {
  std::string text = Printable(raw);
  if (LooksLikeFormula(text)) text.insert(0, 1, '\'');
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

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
