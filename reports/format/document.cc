#include "reports/format/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "reports/format/format.h"

namespace mbsbench::reports {

namespace {

std::string FileStem(const std::string& name) {
  std::string stem;
  for (char c : name)
    stem += std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' ? c : '-';
  while (!stem.empty() && (stem.front() == '.' || stem.front() == '-')) stem.erase(0, 1);
  return stem.empty() ? "unnamed" : stem.substr(0, 120);
}

template <typename Rows>
void CheckRows(const std::string& name, std::size_t columns, const Rows& rows) {
  for (const auto& row : rows) {
    if (row.size() == columns) continue;
    throw std::logic_error("'" + name + "' has " + std::to_string(columns) +
                           " columns and a row of " + std::to_string(row.size()) + " fields");
  }
}

}  // namespace

std::string Code(std::string text) {
  for (char& c : text) {
    if (c == '`' || c == '\n' || c == '\r') c = ' ';
  }
  return "`" + text + "`";
}

std::string MakeUnique(const std::string& name,
                       const std::function<bool(const std::string&)>& is_taken) {
  std::string unique = name;
  for (int i = 2; is_taken(unique); ++i) unique = name + "-" + std::to_string(i);
  return unique;
}

std::string TakeStem(const std::string& name, std::set<std::string>& taken) {
  return *taken
              .insert(
                  MakeUnique(FileStem(name),
                             [&taken](const std::string& stem) { return taken.contains(stem); }))
              .first;
}

std::string AddFile(Document& document, CsvFile file) {
  const auto is_taken = [&document](const std::string& stem) {
    return std::any_of(document.files.begin(), document.files.end(),
                       [&stem](const CsvFile& other) { return other.name == stem + ".csv"; });
  };
  file.name = MakeUnique(file.name.substr(0, file.name.rfind(".csv")), is_taken) + ".csv";
  document.files.push_back(std::move(file));
  return document.files.back().name;
}

void CheckRows(const Table& table) { CheckRows(table.caption, table.columns.size(), table.rows); }

void CheckRows(const CsvFile& file) { CheckRows(file.name, file.header.size(), file.rows); }

CsvFile AsCsv(const std::string& name, const Table& table) {
  CheckRows(table);
  CsvFile file{name, {}};
  for (const Column& column : table.columns) {
    if (column.in != In::kPage)
      file.header.push_back(column.csv.empty() ? column.label : column.csv);
  }
  for (const auto& row : table.rows) {
    std::vector<Json> fields;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (table.columns[i].in == In::kPage) continue;
      const TableCell& cell = row[i];
      fields.push_back(cell.value.is_null() && cell.text != "-" ? Json(cell.text) : cell.value);
    }
    file.rows.push_back(std::move(fields));
  }
  return file;
}

void FileTable(const std::string& csv, Table& table, Document& document) {
  table.csv = AddFile(document, AsCsv(csv, table));
  KeepForPage(table);
}

void KeepForPage(Table& table) {
  for (std::size_t i = table.columns.size(); i-- > 0;) {
    if (table.columns[i].in != In::kFile) continue;
    const auto at = static_cast<std::ptrdiff_t>(i);
    table.columns.erase(table.columns.begin() + at);
    for (auto& row : table.rows) row.erase(row.begin() + at);
  }
}

void FileFigure(const std::string& csv, Figure& figure, Document& document) {
  FileTable(csv, figure.table, document);
  figure.csv = std::exchange(figure.table.csv, "");
}

void AddTable(Table table, const std::string& csv, Section& section, Document& document) {
  if (table.rows.empty()) return;
  FileTable(csv, table, document);
  section.blocks.push_back(std::move(table));
}

void AddFolded(Section one, Section& section) {
  if (one.blocks.empty()) return;
  one.is_folded = true;
  section.sections.push_back(std::move(one));
}

std::string TableCell::TextOf(double number) { return FormatDigits(number, 6); }

std::string TableCell::TextOf(std::int64_t number) { return FormatCount(number); }

Column CountColumn(std::string label, std::string csv) {
  return {std::move(label), true, std::move(csv), In::kBoth,
          [](double value) { return FormatCount(static_cast<long long>(value)); }};
}

Column ErrorColumn(std::string label, std::string csv) {
  return {std::move(label), true, std::move(csv), In::kBoth, FormatError};
}

Column SecondsColumn(std::string label, std::string csv) {
  return {std::move(label), true, std::move(csv), In::kBoth, FormatSeconds};
}

Column DigitsColumn(std::string label, int digits, std::string csv, std::string unit) {
  return {std::move(label), true, std::move(csv), In::kBoth,
          [digits, unit](double value) { return FormatDigits(value, digits) + unit; }};
}

Column DecimalsColumn(std::string label, int decimals, std::string csv) {
  return {std::move(label), true, std::move(csv), In::kBoth,
          [decimals](double value) { return fmt::format("{:.{}f}", value, decimals); }};
}

Json OptionalNumber(std::optional<double> value) { return value ? Json(*value) : Json(); }

Json DrawnNumber(std::optional<double> value) {
  return value ? Json::parse(fmt::format("{:.4g}", *value)) : Json();
}

TableCell NumberCell(std::string text, std::optional<double> value) {
  return {std::move(text), OptionalNumber(value)};
}

TableCell ErrorCell(std::optional<double> error) { return NumberCell(FormatError(error), error); }

TableCell WithLine(TableCell cell, const std::string& line) {
  if (!line.empty()) cell.text += "\n" + line;
  return cell;
}

TableCell DigitsCell(std::optional<double> value, int digits, const char* unit) {
  return NumberCell(value ? FormatDigits(*value, digits) + unit : "-", value);
}

TableCell DecimalsCell(std::optional<double> value, int decimals) {
  return NumberCell(value ? fmt::format("{:.{}f}", *value, decimals) : "-", value);
}

}  // namespace mbsbench::reports
