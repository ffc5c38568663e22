#include "commands/support_matrix.h"

#include <fmt/format.h>

#include <algorithm>

#include "commands/text.h"
#include "harness/verdict/verdict.h"
#include "problems/catalog/catalog.h"

namespace mbsbench {

namespace {

constexpr std::size_t kWidth = 120;

// The variants of one method, [begin, end) in the matrix.
struct Column {
  std::size_t begin, end;
  std::vector<std::string> heading;  // "riccati-", "mstmm"
  std::size_t width;
};

std::vector<std::string> SplitAtHyphens(const std::string& key) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < key.size();) {
    const std::size_t end = std::min(key.find('-', begin), key.size() - 1) + 1;
    parts.push_back(key.substr(begin, end - begin));
    begin = end;
  }
  return parts;
}

// "yes", "-", the one variant that solves it, or how many of them.
std::string CellText(const SupportMatrix& matrix, const Column& column, std::size_t row) {
  std::size_t taken = 0;
  std::string name;
  for (std::size_t v = column.begin; v < column.end; ++v) {
    if (!matrix.rows[row].verdicts[v].supported) continue;
    ++taken;
    const MethodChoice& variant = matrix.variants[v];
    name = VariantOf(*variant.entry, variant.options);
  }
  const std::size_t all = column.end - column.begin;
  if (taken == 0) return "-";
  if (taken == all) return "yes";
  return taken == 1 ? name : fmt::format("{} of {}", taken, all);
}

// The first row of each family, which represents it in the table.
std::vector<std::size_t> SmallestInstances(const SupportMatrix& matrix) {
  std::vector<std::size_t> smallest;
  for (std::size_t r = 0; r < matrix.rows.size(); ++r) {
    if (r == 0 || matrix.rows[r].family != matrix.rows[r - 1].family) smallest.push_back(r);
  }
  return smallest;
}

bool OthersDiffer(const SupportMatrix& matrix, const Column& column, std::size_t smallest) {
  const std::string cell = CellText(matrix, column, smallest);
  const std::string& family = matrix.rows[smallest].family;
  for (std::size_t r = smallest; r < matrix.rows.size() && matrix.rows[r].family == family; ++r) {
    if (CellText(matrix, column, r) != cell) return true;
  }
  return false;
}

std::vector<Column> Columns(const SupportMatrix& matrix) {
  std::vector<Column> columns;
  for (std::size_t v = 0; v < matrix.variants.size(); ++v) {
    const MethodEntry* const entry = matrix.variants[v].entry;
    if (v > 0 && matrix.variants[v - 1].entry == entry) {
      columns.back().end = v + 1;
    } else {
      columns.push_back({v, v + 1, SplitAtHyphens(entry->key), 0});
    }
  }
  for (Column& column : columns) {
    for (const std::string& part : column.heading)
      column.width = std::max(column.width, part.size());
    for (std::size_t r : SmallestInstances(matrix))
      column.width = std::max(column.width, CellText(matrix, column, r).size() + 1);
  }
  return columns;
}

std::string WithoutTrailingBlanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

// The columns [begin, end) with all rows.
std::string Block(const SupportMatrix& matrix, const std::vector<Column>& columns,
                  std::size_t begin, std::size_t end, std::size_t label_width) {
  std::size_t lines = 0;
  for (std::size_t c = begin; c < end; ++c) lines = std::max(lines, columns[c].heading.size());
  std::string text;
  for (std::size_t l = 0; l < lines; ++l) {
    std::string line(label_width, ' ');
    for (std::size_t c = begin; c < end; ++c) {
      const std::size_t above = lines - columns[c].heading.size();
      line +=
          fmt::format("  {:<{}}", l < above ? "" : columns[c].heading[l - above], columns[c].width);
    }
    text += WithoutTrailingBlanks(line);
  }
  for (std::size_t r : SmallestInstances(matrix)) {
    std::string line = fmt::format("{:<{}}", matrix.rows[r].family, label_width);
    for (std::size_t c = begin; c < end; ++c) {
      std::string cell = CellText(matrix, columns[c], r);
      if (OthersDiffer(matrix, columns[c], r)) cell += '*';
      line += fmt::format("  {:<{}}", cell, columns[c].width);
    }
    text += WithoutTrailingBlanks(line);
  }
  return text;
}

}  // namespace

SupportMatrix SupportMatrixOf(const std::vector<MethodEntry>& methods, std::size_t enough) {
  SupportMatrix matrix;
  for (const MethodEntry& entry : methods) {
    for (MethodChoice& variant : VariantsOf(entry)) matrix.variants.push_back(std::move(variant));
  }
  for (const ProblemFamily& family : AllProblems()) {
    for (const std::string& instance : family.instances) {
      const Problem problem = MakeProblem(instance);
      SupportMatrix::Row row{problem.name, family.name, {}};
      for (const MethodChoice& variant : matrix.variants) {
        row.verdicts.push_back(VerdictOf(*variant.entry, problem.system, variant.options));
      }
      matrix.rows.push_back(std::move(row));
      if (problem.system.bodies.size() >= enough) break;
    }
  }
  return matrix;
}

Json ToJson(const SupportMatrix& matrix) {
  Json rows = Json::array();
  for (const SupportMatrix::Row& row : matrix.rows) {
    Json solved_by = Json::array(), refused_by = Json::object();
    for (std::size_t v = 0; v < row.verdicts.size(); ++v) {
      const std::string& spec = matrix.variants[v].spec;
      if (row.verdicts[v].supported) {
        solved_by.push_back(spec);
      } else {
        refused_by[spec] = row.verdicts[v].reason;
      }
    }
    rows.push_back({{"problem", row.problem},
                    {"family", row.family},
                    {"solved_by", std::move(solved_by)},
                    {"refused_by", std::move(refused_by)}});
  }
  return rows;
}

std::string ToText(const SupportMatrix& matrix) {
  const std::vector<Column> columns = Columns(matrix);
  std::size_t label_width = 0;
  for (const SupportMatrix::Row& row : matrix.rows)
    label_width = std::max(label_width, row.family.size());
  std::string text;
  for (std::size_t begin = 0; begin < columns.size();) {  // as many columns as a line holds
    std::size_t end = begin, width = label_width;
    while (end < columns.size() && (end == begin || width + 2 + columns[end].width <= kWidth))
      width += 2 + columns[end++].width;
    if (begin > 0) text += "\n";
    text += Block(matrix, columns, begin, end, label_width);
    begin = end;
  }
  return text + "\n" +
         Wrapped(
             "",
             "yes: all variants of the method solve the problem; the name of a variant: only this "
             "one does; 2 of 4: so many variants do; -: none does; *: the verdict differs for "
             "larger "
             "instances of the family, up to the first one of 5,000 bodies or more. The reasons of "
             "refusals: mbsbench list PROBLEM, or 'support' in mbsbench list --json, for all "
             "instances.");
}

}  // namespace mbsbench
