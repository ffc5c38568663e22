// How a table fits a page of LaTeX: which columns break their lines, and which columns each panel has.
#pragma once

#include <string>
#include <vector>

#include "reports/format/document.h"

namespace mbsbench::reports {

struct LatexColumn {
  std::size_t index;  // in the table
  double line_share =
      0;  // share of the line width of a column that breaks its lines; 0: as wide as its text
  double header_width = 0;  // [characters] at which its header is broken
};
struct LatexLayout {
  bool is_small = false;                         // smaller type, less space between columns
  std::vector<std::vector<LatexColumn>> panels;  // each starts with the first column
  std::size_t lines = 0;                         // largest number of lines of a panel
};

// For lines of 345 pt: the article class at 10 pt on A4.
LatexLayout LayOut(const Table& table);

std::vector<std::string> WordsOf(const std::string& text);

// Whether a line may also break after this character of a word: '-', ':', ',', '=' or '/'.
bool BreaksAfter(char c);

}  // namespace mbsbench::reports
