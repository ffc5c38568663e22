// The report before it takes a form: sections of paragraphs, lists, tables and figures. Markdown,
// CSV and HTML are written from it, so that a number cannot differ between them.
#pragma once

#include <optional>
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
  std::string text;
  Json value =
      nullptr;  // what CSV and sorting use instead of the text, full digits; null: the text itself
  std::string tone = "";  // "best", "bad", "weak"
};

struct Column {
  std::string label;
  bool is_number = false;
  std::string csv = "";  // its name in a file, when the label is not enough
};

struct Table {
  std::string caption;
  std::vector<Column> columns;
  std::vector<std::vector<TableCell>> rows;
  std::string csv = "";  // file name in csv/ that holds its data
};

struct Figure {
  std::string kind;  // what draws it: "outcomes", "work-precision", "series", "scaling", "history"
  std::string title;
  std::string summary;  // what it shows, in sentences: its text alternative
  Json data;
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
};

struct CsvFile {
  std::string name;  // "cells.csv"
  std::vector<std::string> header;
  std::vector<std::vector<Json>> rows;  // null: an empty field
};

struct Document {
  std::string title, subtitle;
  std::vector<Section> sections;
  std::vector<CsvFile> files;
};

// "branchN:bodies=500" -> "branchN-bodies-500", for files and anchors.
std::string FileStem(const std::string& name);

// Keeps `file`, under a changed name when that one is taken. Returns the name.
std::string AddFile(Document& document, CsvFile file);

// The columns and rows of a table as a file: values where there are some, else texts.
CsvFile AsCsv(const std::string& name, const Table& table);

Json OptionalNumber(std::optional<double> value);
TableCell NumberCell(std::string text, std::optional<double> value);

}  // namespace mbsbench::reports
