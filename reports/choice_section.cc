// Which method to take for which kind of mechanism, from what was measured on problems of that kind.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/equal_error.h"
#include "reports/format.h"
#include "reports/growing.h"
#include "reports/outcomes.h"
#include "reports/sections.h"
#include "reports/targets.h"

namespace mbsbench::reports {

namespace {

constexpr double kManyBodies = 50;
constexpr std::size_t kMostNamed = 3;

struct Kind {
  const char* name;
  bool (*holds)(const ProblemResults& problem);
};

bool Grows(const ProblemResults& problem) { return FamilyOf(problem) == kRocketFamily; }
bool HasLoops(const ProblemResults& problem) {
  return !Grows(problem) && Number(problem.document, "loops").value_or(0) > 0;
}
bool IsTree(const ProblemResults& problem) { return !Grows(problem) && !HasLoops(problem); }
bool IsLarge(const ProblemResults& problem) {
  return Number(problem.document, "bodies").value_or(0) >= kManyBodies;
}

const Kind kKinds[] = {
    {"trees below 50 bodies", [](const ProblemResults& p) { return IsTree(p) && !IsLarge(p); }},
    {"trees from 50 bodies", [](const ProblemResults& p) { return IsTree(p) && IsLarge(p); }},
    {"loops below 50 bodies", [](const ProblemResults& p) { return HasLoops(p) && !IsLarge(p); }},
    {"loops from 50 bodies", [](const ProblemResults& p) { return HasLoops(p) && IsLarge(p); }},
    {"growing systems", Grows}};

// Of how many targets the cells by which a method might reach them are not run yet; of any method where
// `method` is empty.
std::size_t CountOpen(const std::vector<const Target*>& targets, const std::string& method) {
  std::size_t open = 0;
  for (const Target* target : targets) {
    open += std::any_of(target->attempts.begin(), target->attempts.end(), [&](const Attempt& one) {
      return one.is_open && (method.empty() || one.method == method);
    });
  }
  return open;
}

struct RankedMethod {
  std::string method;
  std::size_t reached = 0;
  double log_ratio_sum = 0;
  double MeanRatio() const { return std::exp(log_ratio_sum / static_cast<double>(reached)); }
};

// Who reached most of the targets, and of those that reached as many who was the fastest on average.
std::vector<RankedMethod> Ranked(const std::vector<const Target*>& targets) {
  std::vector<RankedMethod> standings;
  for (const Target* target : targets) {
    for (const Attempt& attempt : target->attempts) {
      if (!attempt.ratio) continue;
      auto it = std::find_if(standings.begin(), standings.end(), [&](const RankedMethod& standing) {
        return standing.method == attempt.method;
      });
      if (it == standings.end()) it = standings.insert(it, {attempt.method});
      ++it->reached;
      it->log_ratio_sum += std::log(*attempt.ratio);
    }
  }
  std::stable_sort(
      standings.begin(), standings.end(), [](const RankedMethod& a, const RankedMethod& b) {
        return a.reached != b.reached ? a.reached > b.reached : a.MeanRatio() < b.MeanRatio();
      });
  return standings;
}

// Of a method on one problem: with which integrators it was run, and with which of them no cell finished.
struct Tries {
  std::string method;
  std::vector<std::string> integrators, without_end;
};
std::vector<Tries> TriesOn(const ProblemResults& problem) {
  std::vector<Tries> tries;
  for (const Curve& curve : Curves(problem)) {
    bool is_tried = false, has_finished = false;
    for (const Cell* cell : curve.cells) {
      is_tried |= IsTried(cell->outcome);
      has_finished |= cell->finished();
    }
    if (!is_tried) continue;
    if (tries.empty() || tries.back().method != curve.method)
      tries.push_back({curve.method, {}, {}});
    tries.back().integrators.push_back(curve.integrator);
    if (!has_finished) tries.back().without_end.push_back(curve.integrator);
  }
  return tries;
}

// Of the motions of a kind that the table is silent about: "chainN:bodies=100; no cell finished there of
// `riccati-mstmm:paper` (chainN:bodies=100 with dopri5)". Empty where there are none.
std::string Unjudged(const Comparison& comparison, const Kind& kind) {
  std::string names;
  std::vector<std::string> ends(comparison.methods.size());  // by method
  for (const ProblemResults& problem : comparison.problems) {
    if (IsJudged(problem) || !kind.holds(problem)) continue;
    const std::vector<Tries> tries = TriesOn(problem);
    if (tries.empty()) continue;
    names += (names.empty() ? "" : ", ") + problem.name;
    for (const Tries& one : tries) {
      if (one.without_end.empty()) continue;
      const auto at = std::find(comparison.methods.begin(), comparison.methods.end(), one.method);
      std::string& end = ends[static_cast<std::size_t>(at - comparison.methods.begin())];
      end += (end.empty() ? "" : "; ") + problem.name;
      if (one.without_end.size() < one.integrators.size())
        end += fmt::format(" with {}", fmt::join(one.without_end, ", "));
    }
  }
  std::string failed;
  for (std::size_t m = 0; m < ends.size(); ++m) {
    if (ends[m].empty()) continue;
    failed += fmt::format("{}{} ({})", failed.empty() ? "; no cell finished there of " : ", ",
                          Code(comparison.methods[m]), ends[m]);
  }
  return names + failed;
}

void AddUnjudged(const Comparison& comparison, Section& section) {
  List list;
  for (const Kind& kind : kKinds) {
    const std::string unjudged = Unjudged(comparison, kind);
    if (!unjudged.empty()) list.items.push_back(fmt::format("{}: {}", kind.name, unjudged));
  }
  if (list.items.empty()) return;
  section.blocks.push_back(
      Paragraph{"Run as well, but not in the table, since no error is known there: no reference is "
                "held, or no cell finished."});
  section.blocks.push_back(std::move(list));
}

}  // namespace

Section ChoiceSection(const Comparison& comparison, Document& document) {
  Section section{"choice", "Which method for which mechanism", {}};
  const std::vector<Target> targets = Targets(comparison);
  Table table{"By kind of mechanism and error: time over that of the fastest, and problems reached",
              {{"mechanism"}, {"problems", true}},
              {},
              ""};
  CsvFile file{"choice.csv",
               {"mechanism", "error", "problems", "problems_with_bounds_only", "rank", "method",
                "problems_reached", "mean_ratio_to_fastest"},
               {}};
  for (const double error : kErrorLevels) table.columns.push_back({"error " + FormatError(error)});
  List behind;
  for (const Kind& kind : kKinds) {
    std::vector<TableCell> row = {{kind.name}, {}};
    std::size_t problems = 0;
    std::string names;
    for (const double error : kErrorLevels) {
      std::vector<const Target*> asked;
      for (const Target& target : targets) {
        if (target.error == error && kind.holds(*target.problem)) asked.push_back(&target);
      }
      if (asked.size() > problems) {
        problems = asked.size();
        names.clear();
        for (const Target* target : asked)
          names += (names.empty() ? "" : ", ") + target->problem->name;
      }
      const auto bounds = std::count_if(asked.begin(), asked.end(), [](const Target* target) {
        const Attempt* fastest = target->Fastest();
        return fastest && IsBound(fastest->time);
      });
      std::string text;
      std::size_t rank = 0;
      for (const RankedMethod& one : Ranked(asked)) {
        file.rows.push_back({kind.name, error, asked.size(), bounds, ++rank, one.method,
                             one.reached, one.MeanRatio()});
        if (rank > kMostNamed) continue;
        text += fmt::format("{}{} × {} ({}/{})", text.empty() ? "" : "\n", one.method,
                            FormatRatio(one.MeanRatio()), one.reached,
                            asked.size() - CountOpen(asked, one.method));
      }
      if (bounds > 0) text += fmt::format("\nbounds on {} of {}", bounds, asked.size());
      const char* none = CountOpen(asked, "") > 0 ? "not run yet" : "none reached it";
      row.push_back({text.empty() ? none : text, nullptr, text.empty() ? "weak" : ""});
    }
    if (problems == 0) continue;
    row[1] = NumberCell(std::to_string(problems), static_cast<double>(problems));
    behind.items.push_back(fmt::format("{}: {}", kind.name, names));
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty()) return section;
  section.blocks.push_back(Paragraph{
      "Chains count as trees. The three methods that reach an error on most problems of a kind; of "
      "those that reach it on as many, the fastest first; in brackets the problems reached of all "
      "of "
      "that kind. The factor is the geometric mean of CPU time over that of the fastest method of "
      "each problem, 1.00 for one that always is the fastest; factors within " +
      AlikeWithin() +
      " of each other are alike. Where already the fastest method's coarsest cell is better than "
      "the error, times "
      "are only bounds, and the factor compares what the coarsest cells cost: \"bounds on 9 of "
      "11\" "
      "says on how many problems. It all belongs to this machine and these problems, which are "
      "named "
      "below; the page of a problem has its diagram, drift and digits, that of a method what it "
      "refuses and where it fails."});
  table.csv = AddFile(document, std::move(file));
  section.blocks.push_back(std::move(table));
  section.blocks.push_back(std::move(behind));
  AddUnjudged(comparison, section);
  return section;
}

}  // namespace mbsbench::reports
