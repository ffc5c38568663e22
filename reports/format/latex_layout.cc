#include "reports/format/latex_layout.h"

#include <algorithm>
#include <cmath>

namespace mbsbench::reports {

namespace {

// A type size: characters per line, and the width of the space between columns in characters.
struct Measure {
  double line, between;
};
constexpr Measure kNormal{64, 2.3};
constexpr Measure kSmall{76, 1.4};    // \footnotesize, \tabcolsep of 3 pt
constexpr double kUnbroken = 12;      // texts of at most so many characters are not broken
constexpr double kMostUnbroken = 40;  // no word makes a column wider than this

// Number of printed characters, without the marks of code; a character of UTF-8 may have several bytes.
double Length(const std::string& text) {
  return static_cast<double>(std::count_if(text.begin(), text.end(), [](char c) {
    return c != '`' && (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
  }));
}

double LongestPiece(const std::string& text) {
  double longest = 0;
  std::string piece;
  for (const char c : text + " ") {
    if (c != ' ' && c != '\n') piece += c;
    if (c == ' ' || c == '\n' || BreaksAfter(c)) {
      longest = std::max(longest, Length(piece));
      piece.clear();
    }
  }
  return longest;
}

// Width of a column in characters: `whole` with its header on one line, `natural` with the header broken between words, `least`
// with broken texts.
struct Width {
  double whole = 0, natural = 0, least = 0;
};
Width WidthOf(const Table& table, std::size_t i) {
  const Column& column = table.columns[i];
  double text = 0, word = 0;
  for (const std::string& one : WordsOf(column.label)) word = std::max(word, Length(one));
  double piece = word;
  for (const auto& row : table.rows) {
    if (i >= row.size()) continue;
    text = std::max(text, Length(row[i].text));
    piece = std::max(piece, LongestPiece(row[i].text));
  }
  Width width{std::max(text, Length(column.label)), std::max(text, word)};
  const bool breaks = !column.is_number && width.natural > kUnbroken;
  width.least = breaks ? std::min(std::max(piece, kUnbroken), kMostUnbroken) : width.natural;
  return width;
}

// Distributes the free width of a panel over the columns with broken lines, in proportion to what each lacks.
std::vector<LatexColumn> SpreadOver(const std::vector<std::size_t>& panel,
                                    const std::vector<Width>& widths) {
  double line = 0, lacking = 0;
  for (const std::size_t i : panel) {
    line += widths[i].least + kSmall.between;
    lacking += widths[i].natural - widths[i].least;
  }
  const double share = lacking > 0 ? std::clamp((kSmall.line - line) / lacking, 0., 1.) : 0;
  std::vector<LatexColumn> columns;
  for (const std::size_t i : panel) {
    const double lack = widths[i].natural - widths[i].least;
    const double width = widths[i].least + share * lack;
    columns.push_back({i, lack > 0 && share < 1 ? width / kSmall.line : 0, width});
  }
  return columns;
}

std::size_t LinesOf(const Table& table, const std::vector<LatexColumn>& panel) {
  std::size_t lines = 0;
  for (const auto& row : table.rows) {
    double most = 1;
    for (const LatexColumn& column : panel) {
      if (column.line_share == 0 || column.index >= row.size()) continue;
      most = std::max(most, std::ceil(Length(row[column.index].text) / column.header_width));
    }
    lines += static_cast<std::size_t>(most);
  }
  return lines;
}

}  // namespace

bool BreaksAfter(char c) { return c == '-' || c == ':' || c == ',' || c == '=' || c == '/'; }

std::vector<std::string> WordsOf(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find(' ', from), text.size());
    words.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return words;
}

LatexLayout LayOut(const Table& table) {
  LatexLayout layout;
  std::vector<Width> widths;
  double line = 0;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    widths.push_back(WidthOf(table, i));
    line += widths[i].whole + kNormal.between;
  }
  if (line <= kNormal.line) {
    layout.lines = table.rows.size();
    layout.panels.emplace_back();
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      layout.panels[0].push_back({i, 0, Length(table.columns[i].label)});
    return layout;
  }
  layout.is_small = true;
  std::vector<std::vector<std::size_t>> panels = {{0}};
  const double first = widths[0].least + kSmall.between;
  line = first;
  for (std::size_t i = 1; i < widths.size(); ++i) {
    const double own = widths[i].least + kSmall.between;
    if (line + own > kSmall.line && panels.back().size() > 1) {
      panels.push_back({0});
      line = first;
    }
    panels.back().push_back(i);
    line += own;
  }
  for (const auto& panel : panels) {
    layout.panels.push_back(SpreadOver(panel, widths));
    layout.lines = std::max(layout.lines, LinesOf(table, layout.panels.back()));
  }
  return layout;
}

}  // namespace mbsbench::reports
