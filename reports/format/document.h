// The report before it is written: sections of paragraphs, lists, tables and figures. Markdown, CSV and HTML are written
// from it, so that a number cannot differ between them.
#pragma once

#include <nlohmann/json.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "harness/records/number.h"

namespace mbsbench::reports {

using Json = nlohmann::json;

struct SectionLink {
  std::string text, section;  // the id of the section
  std::string page = {};      // its route; empty: the same page
};

// Text may hold `code` between backticks; nothing else is markup. Links come after it, in HTML alone.
struct Paragraph {
  std::string text;
  std::vector<SectionLink> links = {};
};

struct List {
  std::vector<std::string> items;
};

struct TableCell {
  std::string text = {};     // may hold `code`, too
  Json value = nullptr;      // for CSV and sorting, with full digits; null: the text is used
  std::string tone = {};     // "best", "bad", "weak"
  std::string link = {};     // route of a page of the report, or a file: "csv/cells.csv"
  std::string picture = {};  // id of a motion: the cell draws the mechanism at its first sample

  TableCell() = default;
  TableCell(const char* text) : text(text) {}
  TableCell(std::string text, Json value = nullptr, std::string tone = {}, std::string link = {},
            std::string picture = {})
      : text(std::move(text)),
        value(std::move(value)),
        tone(std::move(tone)),
        link(std::move(link)),
        picture(std::move(picture)) {}
  // A number as FormatCount or FormatDigits writes it; "-" where it is not known.
  template <typename Number>
  requires std::is_arithmetic_v<Number> TableCell(Number number)
      : TableCell(TextOf(number), +number) {}
  template <typename Number>
  TableCell(const std::optional<Number>& number)
      : TableCell(number ? TableCell(*number) : TableCell("-")) {}

 private:
  static std::string TextOf(double number);
  static std::string TextOf(std::int64_t number);
  static std::string TextOf(std::integral auto number) {
    return TextOf(static_cast<std::int64_t>(number));
  }
};

// A file may hold more than the page shows, and the page may say in words what the file has as numbers.
enum class In { kBoth, kFile, kPage };

struct Column {
  std::string label;
  bool is_number = false;
  std::string csv = "";  // its name in a file, when the label is not enough
  In in = In::kBoth;
  std::function<std::string(double)> format = {};  // of the numbers of a TableOf
};

inline Column FileColumn(std::string name) { return {std::move(name), false, "", In::kFile}; }
// A column that the file has in another form.
inline Column OnPage(Column column) {
  column.in = In::kPage;
  return column;
}
// Numbers as format.h writes them.
Column CountColumn(std::string label, std::string csv = "");
Column ErrorColumn(std::string label, std::string csv = "");
Column SecondsColumn(std::string label, std::string csv = "");
Column DigitsColumn(std::string label, int digits, std::string csv = "", std::string unit = "");
Column DecimalsColumn(std::string label, int decimals, std::string csv = "");

struct Table {
  std::string caption = {};
  std::vector<Column> columns = {};
  std::vector<std::vector<TableCell>> rows = {};
  std::string csv = "";  // file name in csv/ that holds its data
};

struct Figure {
  std::string kind =
      {};  // what draws it: "outcomes", "player" or a chart of web/src/charts/kinds.js
  std::string title = {};
  std::string summary = {};  // what it shows, in sentences: its text alternative
  std::string command = {};  // that made the data
  Json data =
      {};  // what is drawn; "axes": {"x": "linear"} for an axis that is not logarithmic at first
  Table table = {};  // its data as a table, for readers who do not see the figure
  std::vector<std::string> notes = {};  // what is not drawn, and why
  std::string csv = {};
};

using Block = std::variant<Paragraph, List, Table, Figure>;

struct Section {
  std::string id, title;
  std::vector<Block> blocks = {};
  std::vector<Section> sections = {};
  std::string page = "";   // route of its page; empty: the page of the outer section
  bool is_folded = false;  // on the page its heading opens it
};

// The HTML report shows one page at a time, each with an address of its own: "report.html#/scaling".
struct Page {
  std::string route, title;
  std::string parent = "";  // route of the page above it in the list of pages
};

// Data that the page reads on demand: motions of a mechanism with the shapes of its bodies, or cells.
struct Motion {
  std::string id;  // the problem's stem; with "steady-" before it, the mechanism at rest
  Json data;
};

struct CsvFile {
  std::string name;  // "cells.csv"
  std::vector<std::string> header;
  std::vector<std::vector<Json>> rows = {};  // null: an empty field
};

struct Document {
  std::string title, subtitle;
  std::vector<Page> pages;
  std::vector<Section> sections;
  std::vector<CsvFile> files;
  std::vector<std::string> methods = {}, integrators = {};  // for the filters
  Json kinds = Json::object();  // of mechanisms, by problem, for the filters
  std::vector<Motion> motions = {}, cells = {};
  Json provenance = {};  // as of Provenance
};

// `text` as code; backticks and line ends in it become blanks.
std::string Code(std::string text);

// `name`, with "-2", "-3", ... at its end as long as it is taken.
std::string MakeUnique(const std::string& name,
                       const std::function<bool(const std::string&)>& is_taken);

// "family:bodies=500" -> "family-bodies-500", for files and anchors. The stem is made unique among those `taken`, since names
// may differ in signs or letters beyond ASCII only, and is added to them.
std::string TakeStem(const std::string& name, std::set<std::string>& taken);

// Keeps `file`, under a changed name when that one is taken. Returns the name.
std::string AddFile(Document& document, CsvFile file);

// The columns and rows of a table as a file: values where there are some, else texts.
CsvFile AsCsv(const std::string& name, const Table& table);

// Adds the rows of a table as a file, and removes the columns that are for the file alone.
void FileTable(const std::string& csv, Table& table, Document& document);
// Adds the table of a figure as a file.
void FileFigure(const std::string& csv, Figure& figure, Document& document);

// Removes the columns that are for the file alone.
void KeepForPage(Table& table);

// Adds `table` to `section`, and its data as the file `csv`; nothing where it has no rows.
void AddTable(Table table, const std::string& csv, Section& section, Document& document);

// Adds `one`, which its heading opens on the page; nothing where it has no blocks.
void AddFolded(Section one, Section& section);

// Adds a figure or table, where there is one.
template <typename One>
void AddIfAny(std::optional<One> one, Section& section) {
  if (one) section.blocks.push_back(std::move(*one));
}

// Throws std::logic_error where a row does not have one field per column.
void CheckRows(const Table& table);
void CheckRows(const CsvFile& file);

Json OptionalNumber(std::optional<double> value);
Json DrawnNumber(std::optional<double> value);  // with the digits that a page can draw
TableCell NumberCell(std::string text, std::optional<double> value);

// Numbers as format.h writes them; "-" where they are not known.
TableCell ErrorCell(std::optional<double> error);
// A cell with a second line, if there is one.
TableCell WithLine(TableCell cell, const std::string& line);
TableCell DigitsCell(std::optional<double> value, int digits, const char* unit = "");
TableCell DecimalsCell(std::optional<double> value, int decimals);

}  // namespace mbsbench::reports
