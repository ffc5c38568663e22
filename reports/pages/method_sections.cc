// One section per method: what it is, which problems it solves and refuses, and where it fails.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/analysis/time_at_target.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

struct MethodVerdict {
  int ok = 0, other = 0, refused = 0;
  const Cell* best = nullptr;     // the most accurate
  const Cell* trouble = nullptr;  // the first that was tried and did not end ok
  const Cell* refusal = nullptr;  // the first that was not tried
  std::string refused_evaluation =
      {};  // why no single evaluation was run; empty where none was refused
};

MethodVerdict Judge(const ProblemResults& problem, const std::string& method) {
  MethodVerdict verdict;
  for (const Cell& cell : problem.cells) {
    if (cell.method != method) continue;
    if (cell.outcome == "ok") {
      ++verdict.ok;
    } else if (cell.outcome == "unsupported" || cell.outcome == "skipped") {
      verdict.refused += cell.outcome == "unsupported";
      if (!verdict.refusal) verdict.refusal = &cell;
    } else {
      ++verdict.other;
      if (!verdict.trouble) verdict.trouble = &cell;
    }
  }
  verdict.refused_evaluation = RefusedEvaluation(problem, method);
  verdict.best =
      MostAccurate(problem, [&method](const Cell& cell) { return cell.method == method; });
  return verdict;
}

bool WasTried(const MethodVerdict& verdict) { return verdict.ok + verdict.other > 0; }

std::string Remark(const MethodVerdict& verdict) {
  const Cell* cell = verdict.trouble ? verdict.trouble : verdict.ok > 0 ? nullptr : verdict.refusal;
  if (!cell) return WasTried(verdict) ? "" : verdict.refused_evaluation;
  return cell->outcome + (cell->reason.empty() ? "" : ": " + cell->reason);
}

// The results of a method on a problem.
struct MethodStanding {
  const ProblemResults* problem;
  MethodVerdict verdict;
  BestTime own = {};      // at the main target
  BestTime fastest = {};  // where it has rivals
  std::optional<TimeRatio> ratio = {};
  TimeVerdict standing = {};
  // "9 of 10", of the cells that were tried
  TableCell CellsOk() const {
    return NumberCell(fmt::format("{} of {}", verdict.ok, verdict.ok + verdict.other), verdict.ok);
  }
  // With the cell that has it.
  TableCell LeastError() const {
    if (!verdict.best) return {"-"};
    const ResolvedError least = *Resolved(*problem, *verdict.best);
    return NumberCell(
        fmt::format("{}\n{}, {}", least.Text(), verdict.best->integrator, verdict.best->Setting()),
        least.value);
  }
  TableCell Time() const {
    if (own.time.known())
      return NumberCell(fmt::format("{}\nwith {}", FormatTime(own.time), own.integrator),
                        own.time.seconds);
    const bool is_judgeable = problem->record.reference || IsJudged(*problem);
    return {own.method.empty() ? "-"
            : is_judgeable     ? DescribeTime(own.time)
                               : "cannot be judged (no reference)",
            nullptr, "weak"};
  }
  TableCell Ratio() const {
    if (!ratio) return {standing.name.empty() ? "-" : standing.name, nullptr, "weak"};
    const bool is_itself = own.method == fastest.method;
    return WithLine(
        {is_itself ? FormatRatio(ratio->value)
                   : fmt::format("{} ({})", MarkedRatio(*ratio), SpreadInWords(ratio->spread)),
         ratio->value, standing.name == kFastest ? "best" : ""},
        standing.Words());
  }
};

Table ProblemTable(const Comparison& comparison, const std::string& method) {
  const double target = comparison.MainTarget();
  const std::string at = " at " + FormatError(target);
  std::vector<MethodStanding> rows;
  for (const ProblemResults& problem : comparison.problems) {
    MethodStanding row{&problem, Judge(problem, method)};
    if (!WasTried(row.verdict)) continue;
    const Ranking ranking = Rank(BestOfEachMethod(comparison, problem, target));
    const auto own = std::ranges::find(ranking.times, method, &BestTime::method);
    if (own != ranking.times.end()) {
      const auto i = static_cast<std::size_t>(own - ranking.times.begin());
      row.own = *own;
      row.standing = ranking.verdicts[i];
      if (const BestTime* base = ranking.Base()) row.fastest = *base, row.ratio = ranking.ratios[i];
    }
    rows.push_back(std::move(row));
  }
  return TableOf<MethodStanding>(
      std::string("Problem by problem. ") + kMarksInWords,
      {{{"problem"}, [](auto& r) { return ProblemCell(*r.problem); }},
       {{"cells ok"}, &MethodStanding::CellsOk},
       {{"least error"}, &MethodStanding::LeastError},
       {{"time" + at}, &MethodStanding::Time},
       {{"ratio to the fastest, verdict", false, "ratio to fastest"}, &MethodStanding::Ratio},
       {{"fastest"}, [](auto& r) { return r.fastest.method.empty() ? "" : r.fastest.Curve(); }},
       {FileColumn("verdict"), [](auto& r) { return r.standing.name; }},
       {{"first cell that did not end ok", false, "first that did not end ok"},
        [](auto& r) { return Remark(r.verdict); }}},
      rows);
}

// Problems that the method refused or skipped, by the reason.
Table RefusalTable(const Comparison& comparison, const std::string& method) {
  Table table{"Not tried", {{"why"}, {"problems", true}, {"which"}}};
  Groups<std::string, std::string> refusals;
  for (const ProblemResults& problem : comparison.problems) {
    const MethodVerdict verdict = Judge(problem, method);
    const std::string why = WasTried(verdict) ? "" : Remark(verdict);
    if (!why.empty()) GroupOf(why, refusals).push_back(problem.name);
  }
  for (const auto& [why, problems] : refusals)
    table.rows.push_back({why, problems.size(), fmt::format("{}", fmt::join(problems, ", "))});
  return table;
}

std::string About(const MethodRecord& method) {
  std::string text = method.title;
  if (!text.empty()) text += ". ";
  text += method.description;
  if (!method.form.empty())
    text += (text.empty() || text.back() == ' ' ? "" : " ") + ("Form: " + method.form + ".");
  if (!method.own_integrator.empty()) text += " Its own integrator: " + method.own_integrator + ".";
  if (!method.source.empty()) text += " Source: " + method.source + ".";
  return text;
}

// The common promises that the method does not keep.
Table LimitTable(const MethodRecord& method) {
  const auto bound = [](const LimitRecord& limit) {
    if (limit.seconds)
      return NumberCell(FormatDigits(*limit.seconds, 3) + " s of CPU time", limit.seconds);
    return NumberCell(!limit.bound       ? "not passed"
                      : *limit.bound < 1 ? FormatError(limit.bound)
                                         : FormatDigits(*limit.bound, 3),
                      limit.bound);
  };
  return TableOf<LimitRecord>(
      "Declared limits: common checks that this method does not pass, or passes only within a "
      "wider bound",
      {{{"check", false, "promises"},
        [](auto& limit) { return fmt::format("{}", fmt::join(limit.promises, ", ")); }},
       {{"passes within", true, "bound"}, bound},
       {{"why"}, &LimitRecord::reason}},
      method.limits);
}

Section MethodSection(const Comparison& comparison, const std::string& method, Document& document) {
  Section section{
      "method-" + comparison.MethodStem(method), method, {}, {}, MethodRoute(comparison, method)};
  const MethodRecord& known = comparison.MethodRecordOf(method);
  if (const std::string about = About(known); !about.empty())
    section.blocks.push_back(Paragraph{about});
  AddTable(LimitTable(known), "limits." + comparison.MethodStem(method) + ".csv", section,
           document);
  AddTable(ProblemTable(comparison, method), "method." + comparison.MethodStem(method) + ".csv",
           section, document);
  AddTable(RefusalTable(comparison, method), "refusals." + comparison.MethodStem(method) + ".csv",
           section, document);
  if (section.blocks.empty())
    section.blocks.push_back(Paragraph{"The store holds no cell of this method."});
  return section;
}

// The results of a method over all problems.
struct MethodTally {
  const Comparison* comparison;
  std::string method;
  int ok = 0, other = 0, solved = 0, refused = 0;
  std::optional<double> worst = {};  // error of one evaluation against 113 bits
  const ProblemResults* worst_on = nullptr;
  TableCell WorstCell() const {
    return NumberCell(worst && *worst >= kAllLost ? "all digits lost" : FormatError(worst), worst);
  }
};

MethodTally TallyOf(const Comparison& comparison, const std::string& method) {
  MethodTally tally{&comparison, method};
  for (const ProblemResults& problem : comparison.problems) {
    const MethodVerdict verdict = Judge(problem, method);
    tally.ok += verdict.ok;
    tally.other += verdict.other;
    tally.solved += verdict.ok > 0;
    tally.refused +=
        !WasTried(verdict) && (verdict.refused > 0 || !verdict.refused_evaluation.empty());
    if (const MaybeNumber error = AgreementOf(problem, method).error;
        error && (!tally.worst || *error > *tally.worst))
      tally.worst = error, tally.worst_on = &problem;
  }
  return tally;
}

Table MethodTable(const std::vector<MethodTally>& tallies) {
  return TableOf<MethodTally>(
      "Methods",
      {{{"method"}, [](auto& t) { return MethodCell(*t.comparison, t.method); }},
       {{"what it is"},  // "Kane's equations in Huston's form (ode)"
        [](auto& t) {
          const MethodRecord& method = t.comparison->MethodRecordOf(t.method);
          return method.title + (method.form.empty() ? "" : " (" + method.form + ")");
        }},
       {{"problems solved", true}, &MethodTally::solved},
       {{"problems refused", true}, &MethodTally::refused},
       {{"cells ok", true}, &MethodTally::ok},
       {{"cells not ok", true}, &MethodTally::other},
       {{"worst error of one evaluation", true, "worst_evaluation_error"}, &MethodTally::WorstCell},
       {{"on"}, [](auto& t) { return t.worst_on ? ProblemCell(*t.worst_on) : TableCell(""); }}},
      tallies);
}

}  // namespace

Section MethodSections(const Comparison& comparison, Document& document) {
  Section section{"methods", "Methods", {}};
  if (comparison.methods.empty()) {
    section.blocks.push_back(Paragraph{"The store holds no method."});
    return section;
  }
  std::vector<MethodTally> tallies;
  for (const std::string& method : comparison.methods)
    tallies.push_back(TallyOf(comparison, method));
  section.blocks.push_back(Paragraph{
      "Solved: at least one cell ended ok. Refused: the method takes neither a motion nor a single "
      "evaluation of the problem. The error of one evaluation is that of the accelerations at "
      "random states against 113 bits, over the largest acceleration; from 0.1 on all digits are "
      "lost. In brackets: the form of the equations (algebraic: of a steady state)."});
  AddTable(MethodTable(tallies), "methods.csv", section, document);
  for (const std::string& method : comparison.methods)
    section.sections.push_back(MethodSection(comparison, method, document));
  return section;
}

}  // namespace mbsbench::reports
