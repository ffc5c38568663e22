#include "reports/format/latex.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "harness/store/printable.h"
#include "reports/format/latex_layout.h"

namespace mbsbench::reports {

std::string EscapeLatex(const std::string& raw, bool breaks) {
  const std::string text = Printable(raw);
  static const std::pair<std::string_view, const char*> kSigns[] = {
      {"\\", "\\textbackslash{}"},
      {"{", "\\{"},
      {"}", "\\}"},
      {"[", "{[}"},  // after a line break LaTeX would read a length
      {"$", "\\$"},
      {"&", "\\&"},
      {"#", "\\#"},
      {"%", "\\%"},
      {"_", "\\_"},
      {"^", "\\textasciicircum{}"},
      {"~", "\\textasciitilde{}"},
      {"≤", "$\\le$"},
      {"†", "$\\dagger$"},
      {"‡", "$\\ddagger$"},
      {"…", "\\dots{}"},
      {"≥", "$\\ge$"},
      {"≈", "$\\approx$"},
      {"≲", "$\\stackrel{<}{\\sim}$"},
      {"≳", "$\\stackrel{>}{\\sim}$"},
      {"²", "$^2$"},
      {"×", "$\\times$"},
      {"±", "$\\pm$"},
      {"µ", "\\textmu{}"},
      {"\n", "; "},
      {"<", "$<$"},
      {">", "$>$"},
      {"|", "$|$"},
      {"\"", "\\textquotedbl{}"}};
  std::string escaped;
  bool in_code = false;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '`') {
      const bool closes = text.find('`', i + 1) != std::string::npos;
      escaped += in_code ? "}" : closes ? "\\texttt{" : "\\textasciigrave{}";
      in_code = !in_code && closes;
      ++i;
      continue;
    }
    const char c = text[i];
    const auto is = [&text](std::size_t at, auto kind) {
      return at < text.size() && kind(static_cast<unsigned char>(text[at])) != 0;
    };
    const bool is_in_number = c == ',' && is(i - 1, ::isdigit) && is(i + 1, ::isdigit);
    const bool may_break = breaks && BreaksAfter(c) && is(i - 1, ::isalnum) &&
                           is(i + 1, [](int next) { return next != ' '; }) && !is_in_number;
    const auto* sign = std::find_if(std::begin(kSigns), std::end(kSigns), [&](const auto& one) {
      return std::string_view(text).substr(i, one.first.size()) == one.first;
    });
    if (breaks && c == '\n') {
      escaped += "\\newline{}";
      ++i;
    } else if (in_code && c == '-') {  // two hyphens must not become a dash
      escaped += "-{}";
      ++i;
    } else if (sign != std::end(kSigns)) {
      escaped += sign->second;
      i += sign->first.size();
    } else {
      escaped += text[i++];
    }
    if (may_break && (c != '-' || in_code)) escaped += "\\allowbreak{}";
  }
  return escaped;
}

namespace {

constexpr std::size_t kLinesOfOnePage = 40;

// A header, broken into lines of the width of its column.
std::string Header(const Column& column, const LatexColumn& shape) {
  if (shape.line_share > 0) return EscapeLatex(column.label, true);
  std::string lines, line;
  for (const std::string& word : WordsOf(column.label)) {
    if (!line.empty() && static_cast<double>(line.size() + word.size() + 1) > shape.header_width) {
      lines += EscapeLatex(line) + "\\\\";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  if (lines.empty()) return EscapeLatex(line);
  return fmt::format("\\shortstack[{}]{{{}{}}}", column.is_number ? 'r' : 'l', lines,
                     EscapeLatex(line));
}

std::string Panel(const Table& table, const std::vector<LatexColumn>& panel, bool is_long) {
  std::string columns, head, rows;
  for (const LatexColumn& shape : panel) {
    const Column& column = table.columns[shape.index];
    columns += shape.line_share > 0
                   ? fmt::format(">{{\\raggedright\\arraybackslash}}p{{{:.3f}\\linewidth}}",
                                 shape.line_share)
               : column.is_number ? "r"
                                  : "l";
    head += (head.empty() ? "" : " & ") + Header(column, shape);
  }
  for (const auto& row : table.rows) {
    for (std::size_t k = 0; k < panel.size(); ++k) {
      const TableCell cell = panel[k].index < row.size() ? row[panel[k].index] : TableCell{};
      const std::string text = EscapeLatex(cell.text, panel[k].line_share > 0);
      rows += (k == 0 ? "" : " & ") + (cell.tone == "best" ? "\\textbf{" + text + "}" : text);
    }
    rows += " \\\\\n";
  }
  const std::string name = is_long ? "longtable" : "tabular";
  return "\\begin{" + name + "}{" + columns + "}\n\\toprule\n" + head + " \\\\\n\\midrule\n" +
         (is_long ? "\\endhead\n" : "") + rows + "\\bottomrule\n\\end{" + name + "}\n";
}

}  // namespace

std::string RenderLatex(const Table& table) {
  const LatexLayout layout = LayOut(table);
  const bool is_long = layout.lines > kLinesOfOnePage;
  std::string text = fmt::format("% needs the packages {}booktabs, {}textcomp and T1 fonts\n% {}\n",
                                 layout.is_small ? "array, " : "", is_long ? "longtable, " : "",
                                 EscapeLatex(table.caption));
  if (layout.is_small) text += "{\\footnotesize\\setlength{\\tabcolsep}{3pt}%\n";
  for (const auto& panel : layout.panels) {
    if (&panel != &layout.panels.front()) text += "\n\\medskip\n\\noindent\n";
    text += Panel(table, panel, is_long);
  }
  return text + (layout.is_small ? "\\par}\n" : "");
}

}  // namespace mbsbench::reports
