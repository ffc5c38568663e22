#include "reports/latex.h"

#include <algorithm>
#include <string_view>

namespace mbsbench::reports {

namespace {

constexpr std::size_t kRowsOfOnePage = 40;
constexpr std::size_t kLongText = 40;  // characters from which a column breaks its lines

// Text as LaTeX prints it: its special characters, and those of ours that its fonts lack.
std::string Escape(const std::string& text) {
  static const std::pair<std::string_view, const char*> kSigns[] = {{"\\", "\\textbackslash{}"},
                                                                    {"{", "\\{"},
                                                                    {"}", "\\}"},
                                                                    {"$", "\\$"},
                                                                    {"&", "\\&"},
                                                                    {"#", "\\#"},
                                                                    {"%", "\\%"},
                                                                    {"_", "\\_"},
                                                                    {"^", "\\textasciicircum{}"},
                                                                    {"~", "\\textasciitilde{}"},
                                                                    {"≤", "$\\le$"},
                                                                    {"≥", "$\\ge$"},
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
    if (in_code && text[i] == '-') {  // two of them are no dash
      escaped += "-{}";
      ++i;
      continue;
    }
    const auto* sign = std::find_if(std::begin(kSigns), std::end(kSigns), [&](const auto& one) {
      return std::string_view(text).substr(i, one.first.size()) == one.first;
    });
    if (sign != std::end(kSigns)) {
      escaped += sign->second;
      i += sign->first.size();
    } else {
      escaped += text[i++];
    }
  }
  return escaped;
}

}  // namespace

std::string RenderLatex(const Table& table) {
  const bool is_long = table.rows.size() > kRowsOfOnePage;
  std::string columns, head, rows;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    const bool breaks = std::any_of(table.rows.begin(), table.rows.end(), [i](const auto& row) {
      return i < row.size() && row[i].text.size() > kLongText;
    });
    columns += column.is_number ? "r" : breaks ? "p{0.2\\linewidth}" : "l";
    head += (head.empty() ? "" : " & ") + Escape(column.label);
  }
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string text = Escape(row[i].text);
      rows += (i == 0 ? "" : " & ") + (row[i].tone == "best" ? "\\textbf{" + text + "}" : text);
    }
    rows += " \\\\\n";
  }
  const std::string packages = is_long ? "booktabs, longtable, textcomp" : "booktabs, textcomp";
  const std::string name = is_long ? "longtable" : "tabular";
  std::string text = "% needs the packages " + packages + " and T1 fonts\n% " +
                     Escape(table.caption) + "\n\\begin{" + name + "}{" + columns +
                     "}\n\\toprule\n" + head + " \\\\\n\\midrule\n";
  if (is_long) text += "\\endhead\n";
  return text + rows + "\\bottomrule\n\\end{" + name + "}\n";
}

}  // namespace mbsbench::reports
