// Arithmetic operations per body of one evaluation, counted in the methods' equations, with the counts that the literature
// prints for recursive methods.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

// Coefficients of n in the counts for a chain of n revolute joints.
struct PublishedCount {
  const char* recursion;
  double multiplications, additions;
  const char* printed;
};
constexpr PublishedCount kPublished[] = {
    {"Featherstone's articulated body algorithm", 300, 279, "300 n - 267 and 279 n - 259"},
    {"Brandl, Johanni, Otter (1986)", 250, 220, "250 n - 222 and 220 n - 198"},
    {"Saha (1997), decoupled natural orthogonal complement", 191, 187,
     "191 n - 284 and 187 n - 325"}};

struct CountedOperations {
  const ProblemResults* problem = nullptr;
  const Trial* trial = nullptr;
  double bodies = 0;
  const OperationsRecord& operations() const { return *trial->record.evaluation->operations; }
  std::string of() const {
    const std::string& what = trial->record.evaluation->operations_of;
    return what.empty() ? "evaluation" : what;
  }
  double PerBody(std::int64_t OperationsRecord::*kind) const {
    return static_cast<double>(operations().*kind) / bodies;
  }
  double All() const {
    double all = 0;
    for (const auto kind : kKinds) all += PerBody(kind);
    return all;
  }
  auto Counts() const {
    const OperationsRecord& o = operations();
    return std::array{o.additions, o.divisions, o.multiplications, o.square_roots};
  }
  static constexpr std::array kKinds{&OperationsRecord::multiplications,
                                     &OperationsRecord::additions, &OperationsRecord::divisions,
                                     &OperationsRecord::square_roots};
};

using LargestByFamily = std::map<std::pair<std::string, std::string>, CountedOperations>;

// The largest system with counted operations, for each method and family.
LargestByFamily LargestCounted(const Comparison& comparison) {
  LargestByFamily largest;
  for (const ProblemResults& problem : comparison.problems) {
    const double bodies = problem.record.bodies.value_or(0);
    for (const Trial* trial : problem.evaluations) {
      if (bodies <= 0 || trial->outcome != "ok" || !OrNone(trial->record.evaluation).operations)
        continue;
      CountedOperations& known = largest[{problem.record.family, trial->method}];
      if (bodies >= known.bodies) known = {&problem, trial, bodies};
    }
  }
  return largest;
}

// Methods with equal counts of all four operations on a system. Their algorithms cost the same, and their times differ by
// layout and compiler alone.
Table IdenticalWork(const Comparison& comparison, const LargestByFamily& largest) {
  // By family and the four counts.
  std::map<std::pair<std::string, std::array<std::int64_t, 4>>,
           std::vector<const CountedOperations*>>
      alike;
  for (const auto& [key, counted] : largest) {
    if (counted.of() == "evaluation") alike[{key.first, counted.Counts()}].push_back(&counted);
  }
  Table table{kIdenticalWork,
              {{"problem", false, "on"},
               {"method", false, "recursion"},
               {"same operations as"},
               {"operations per body", true, "operations_per_body"},
               {"its time / time of that method", true, "time_ratio"}}};
  for (const auto& [key, methods] : alike) {
    for (std::size_t i = 1; i < methods.size(); ++i) {
      const CountedOperations &first = *methods.front(), &other = *methods[i];
      const MaybeNumber time = other.trial->record.NanosecondsPerBody(),
                        by = first.trial->record.NanosecondsPerBody();
      const std::optional<double> ratio =
          time && by && *by > 0 ? std::optional(*time / *by) : std::nullopt;
      table.rows.push_back({ProblemCell(*other.problem),
                            MethodCell(comparison, other.trial->method),
                            MethodCell(comparison, first.trial->method),
                            DecimalsCell(other.All(), 1), DecimalsCell(ratio, 2)});
    }
  }
  return table;
}

// "carry out the same operations (on 8 of 19 problems, else within a factor of 1.05)", of the families whose largest system was
// counted for both.
std::string SameWorkInWords(const LargestByFamily& largest, const std::string& method,
                            const std::string& rival) {
  int all = 0, same = 0;
  double most = 1;  // factor
  for (const auto& [key, own] : largest) {
    const auto other = largest.find({key.first, rival});
    if (key.second != method || other == largest.end() || own.problem != other->second.problem ||
        own.of() != "evaluation" || other->second.of() != "evaluation")
      continue;
    ++all;
    const double ratio = own.All() / other->second.All();
    if (own.Counts() == other->second.Counts())
      ++same;
    else
      most = std::max({most, ratio, 1 / ratio});
  }
  const std::string text = "carry out the same operations";
  if (same == all) return text;
  return text + fmt::format(" (on {} of {} problems, else within a factor of {})", same, all,
                            FormatRatio(most));
}

}  // namespace

std::vector<std::string> FamiliesOfIdenticalWork(const Comparison& comparison) {
  std::set<std::pair<std::string, std::string>> known;  // families
  std::vector<std::string> pairs;
  const LargestByFamily largest = LargestCounted(comparison);
  const Table alike = IdenticalWork(comparison, largest);
  for (const std::vector<TableCell>& row : alike.rows) {
    const std::string &one = row[1].text, &other = row[2].text;
    const std::string family = MethodKey(one), rival = MethodKey(other);
    if (family != rival && known.emplace(std::min(family, rival), std::max(family, rival)).second)
      pairs.push_back(
          fmt::format("{} and {} {}", one, other, SameWorkInWords(largest, one, other)));
  }
  return pairs;
}

Section OperationCountsSection(const Comparison& comparison, Document& document) {
  Section section{kOperationCounts, "Operations per body", {}};
  const auto largest = LargestCounted(comparison);
  if (largest.empty()) return section;
  Table table{
      "Operations per body of the largest system of each family, and counts that sources print",
      {{"method or source", false, "recursion"},
       {"problem", false, "on"},
       {"counted for one", false, "of one"},
       {"multiplications", true},
       {"additions", true},
       {"divisions", true},
       {"square roots", true},
       {"all", true},
       {"time [ns per body]", true, "nanoseconds_per_body"}}};
  for (const auto& [key, counted] : largest) {
    const MaybeNumber time = counted.trial->record.NanosecondsPerBody();
    std::vector<TableCell>& row = table.rows.emplace_back(
        std::vector<TableCell>{MethodCell(comparison, counted.trial->method),
                               ProblemCell(*counted.problem), counted.of()});
    for (const auto kind : CountedOperations::kKinds)
      row.push_back(DecimalsCell(counted.PerBody(kind), 1));
    row.insert(row.end(), {DecimalsCell(counted.All(), 1), DecimalsCell(time, 1)});
  }
  for (const PublishedCount& p : kPublished) {
    table.rows.push_back({p.recursion, fmt::format("printed: {} for n bodies", p.printed),
                          "evaluation", DecimalsCell(p.multiplications, 0),
                          DecimalsCell(p.additions, 0), "-", "-",
                          DecimalsCell(p.multiplications + p.additions, 0), "-"});
  }
  section.blocks.push_back(Paragraph{
      "Operations from coordinates and rates to all accelerations (time stepper: one step; steady "
      "states: residual and Jacobian), counted by a scalar type that counts. Sines and cosines are "
      "left out; a fused multiply-add counts as two. Printed counts are the coefficients of n for "
      "chains of revolute joints, quoted from later papers: compare them with the revolute chains "
      "only."});
  AddTable(std::move(table), "operations_per_body.csv", section, document);
  if (Table identical = IdenticalWork(comparison, largest); !identical.rows.empty()) {
    section.blocks.push_back(
        Paragraph{"Methods with equal numbers of multiplications, additions, divisions and square "
                  "roots on a system do identical work there. A ratio of their times shows memory "
                  "layout and compiled code."});
    AddTable(std::move(identical), "identical_work.csv", section, document);
  }
  return section;
}

}  // namespace mbsbench::reports
