#include "reports/format/latex.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "harness/store/printable.h"

namespace mbsbench::reports {

std::string EscapeLatex(const std::string& raw) {
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
      {"…", "\\dots{}"},
      {"≥", "$\\ge$"},
      {"≈", "$\\approx$"},
      {"²", "$^2$"},
      {"×", "$\\times$"},
      {"±", "$\\pm$"},
      {"µ", "\\textmu{}"},
      {"°", "$^\\circ$"},
      {"·", "$\\cdot$"},
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
    const auto* sign = std::find_if(std::begin(kSigns), std::end(kSigns), [&](const auto& one) {
      return std::string_view(text).substr(i, one.first.size()) == one.first;
    });
    if (in_code && c == '-') {  // two hyphens must not become a dash
      escaped += "-{}";
      ++i;
    } else if (sign != std::end(kSigns)) {
      escaped += sign->second;
      i += sign->first.size();
    } else if (const auto byte = static_cast<unsigned char>(c); byte < 0x80) {
      escaped += text[i++];
    } else {  // T1 fonts have the letters up to U+017F
      const std::size_t length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
      escaped += byte >= 0xC3 && byte <= 0xC5 ? text.substr(i, length) : "?";
      i += length;
    }
  }
  return escaped;
}

LatexTable AsLatex(const std::string& name, const std::string& caption, const Table& table) {
  LatexTable latex{name, caption, "", {}};
  latex.rows.resize(table.rows.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const auto is_empty = [c](const auto& row) { return row[c].text.empty(); };
    if (std::ranges::all_of(table.rows, is_empty)) continue;
    latex.columns += table.columns[c].is_number ? 'r' : 'l';
    latex.head.push_back(EscapeLatex(table.columns[c].label));
    for (std::size_t r = 0; r < table.rows.size(); ++r)
      latex.rows[r].push_back(EscapeLatex(table.rows[r][c].text));
  }
  return latex;
}

std::string RenderLatex(const LatexTable& table) {
  std::string text = fmt::format(
      "\\begin{{table*}}\n\\centering\\footnotesize\\setlength{{\\tabcolsep}}{{4pt}}\n"
      "\\caption{{{}}}\n\\label{{tab:{}}}\n"
      "\\begin{{tabular}}{{{}}}\n\\toprule\n{} \\\\\n\\midrule\n",
      table.caption, table.name, table.columns, fmt::join(table.head, " & "));
  for (const auto& row : table.rows) text += fmt::format("{} \\\\\n", fmt::join(row, " & "));
  return text + "\\bottomrule\n\\end{tabular}\n\\end{table*}\n";
}

}  // namespace mbsbench::reports
