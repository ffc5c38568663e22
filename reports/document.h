// The report before it takes a form: sections of paragraphs, lists, tables and figures. Markdown,
// CSV and HTML are written from it, so that a number cannot differ between them.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "reports/json_fields.h"

namespace mbsbench::reports {

// Text may hold `code` between backticks; nothing else is markup.
struct Paragraph {
  std::string text;
};

struct List {
  std::vector<std::string> items;
};

struct TableCell {
  std::string text;  // may hold `code`, too
  Json value =
      nullptr;  // what CSV and sorting use instead of the text, full digits; null: the text itself
  std::string tone = "";  // "best", "bad", "weak"
  std::string link = "";  // a page of the report, by its route, or a file, as "csv/cells.csv"
  std::string picture =
      "";  // a motion, by its id: the mechanism at its first sample is drawn in the cell
};

struct Column {
  std::string label;
  bool is_number = false;
  std::string csv = "";  // its name in a file, when the label is not enough
};

struct Table {
  std::string caption;
  std::vector<Column> columns;
  std::vector<std::vector<TableCell>> rows = {};
  std::string csv = "";  // file name in csv/ that holds its data
};

struct Figure {
  std::string kind;  // what draws it: "outcomes", "player" or a chart of web/src/charts/kinds.js
  std::string title;
  std::string summary;  // what it shows, in sentences: its text alternative
  Json data;    // what it draws; "axes": {"x": "linear"} where one is not logarithmic at first
  Table table;  // its data as a table, for those who cannot or will not see the figure
  std::vector<std::string> notes;  // what is not drawn, and why
  std::string csv;
  std::string command;  // that made the data
};

using Block = std::variant<Paragraph, List, Table, Figure>;

struct Section {
  std::string id, title;
  std::vector<Block> blocks;
  std::vector<Section> sections = {};
  std::string page = "";  // route of the page on which it stands; empty: that of the section around
};

// The HTML report shows one page at a time, each with an address of its own: "report.html#/scaling".
// Markdown has the sections in the same order without pages.
struct Page {
  std::string route, title;
  std::string parent = "";  // route of the page under which the list of pages shows it
};

// What the page reads when it is asked for: motions of a mechanism with what its bodies look like, or cells.
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
  std::vector<std::string> methods = {}, integrators = {};  // what a reader can filter by
  std::vector<Motion> motions = {}, cells = {};
  Json provenance = {};  // as of Provenance
};

// `text` as code, whatever it holds.
std::string Code(std::string text);

// `name`, with "-2", "-3", ... at its end as long as it is taken.
std::string MakeUnique(const std::string& name,
                       const std::function<bool(const std::string&)>& is_taken);

// "family:bodies=500" -> "family-bodies-500", for files and anchors: the stem of a name that is met
// for the first time. Names that differ only in signs or letters beyond ASCII would have the same; this
// one is unlike those `taken`, to which it is added.
std::string TakeStem(const std::string& name, std::set<std::string>& taken);

// Keeps `file`, under a changed name when that one is taken. Returns the name.
std::string AddFile(Document& document, CsvFile file);

// The columns and rows of a table as a file: values where there are some, else texts.
CsvFile AsCsv(const std::string& name, const Table& table);

// Adds `table` to `section`, and its data as the file `csv`; nothing where it has no rows.
void AddTable(Table table, const std::string& csv, Section& section, Document& document);

// Adds a figure or table, where there is one.
template <typename One>
void AddIfAny(std::optional<One> one, Section& section) {
  if (one) section.blocks.push_back(std::move(*one));
}

// Throws std::logic_error where a row has not one field per column: a reader would take a field for
// that of another column.
void CheckRows(const Table& table);
void CheckRows(const CsvFile& file);

Json OptionalNumber(std::optional<double> value);
TableCell NumberCell(std::string text, std::optional<double> value);

// The same as format.h writes them; "-" where it is not known.
TableCell ErrorCell(std::optional<double> error);
TableCell SecondsCell(std::optional<double> seconds);
TableCell CountCell(std::optional<double> count);
TableCell DigitsCell(std::optional<double> value, int digits, const char* unit = "");

}  // namespace mbsbench::reports
