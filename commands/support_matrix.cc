#include "commands/support_matrix.h"

#include "harness/support/support.h"
#include "problems/catalog/catalog.h"

namespace mbsbench {

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

std::map<std::string, std::string> MarksOf(const SupportMatrix& matrix) {
  std::map<std::string, std::string> marks;
  for (const SupportMatrix::Row& row : matrix.rows) {
    std::string& mark = marks[row.family];
    std::size_t method = 0;  // of the variant
    for (std::size_t v = 0; v < matrix.variants.size(); ++v) {
      if (v > 0 && matrix.variants[v].entry != matrix.variants[v - 1].entry) ++method;
      const char verdict = row.verdicts[v].supported ? 'x' : '.';
      if (method == mark.size()) {
        mark += verdict;
      } else if (mark[method] != verdict) {
        mark[method] = 'o';
      }
    }
  }
  return marks;
}

}  // namespace mbsbench
