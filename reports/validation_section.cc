// What the papers claim, beside what was measured here. Their factor belongs to another program on another machine: ours stands beside it
// as a finding, not as a test.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/equal_error.h"
#include "reports/format.h"
#include "reports/large_system_claims.h"
#include "reports/large_systems.h"
#include "reports/paper_claims.h"
#include "reports/scaling.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

using namespace large_systems;

// "riccati-mstmm:general", "rk4" -> "general, rk4": the key stands above the column.
std::string Way(const std::string& spec, const std::string& integrator) {
  const std::size_t colon = spec.find(':');
  return (colon == std::string::npos ? "" : spec.substr(colon + 1) + ", ") + integrator;
}

std::string Described(const BestTime& best) {
  if (!best.time.known()) return "not reached";
  return fmt::format("{} ({})", FormatTime(best.time), Way(best.method, best.integrator));
}

// What is compared, as the first column says it. The 2020 paper prints integrator and step for its example
// of four rods, the other one for nothing.
std::string Compared(const ComparedTimes& times, const std::string& problem) {
  if (!times.is_papers_way) return "at error " + FormatError(times.error);
  return fmt::format("{} with RK4 at 1 ms{}, rival {}", kRiccati,
                     problem == kBranch.problem ? " as in the paper's example" : "",
                     times.error ? "at the same error " + FormatError(times.error)
                                 : "not compared: no error is known");
}

// `factor`: what the paper prints.
Table FactorTable(const Comparison& comparison, const ProblemResults& problem, double factor) {
  Table table{fmt::format("{}: time of {} over time of {}, beside the paper's factor", problem.name,
                          kRival, kRiccati),
              {{"compared"},
               {kRiccati},
               {kRival},
               {"ours", true},
               {"published", true},
               {"difference", true},
               {"why"}},
              {},
              ""};
  const auto seconds = [](const TimeAtError& time) {
    return time.known() ? Json(time.seconds) : Json();
  };
  for (const ComparedTimes& times : TimesBesideRival(comparison, problem)) {
    const TimeAtError &ours = times.riccati.time, &rival = times.rival.time;
    const auto ratio = RatioOf(rival, ours);
    // of a bound no difference
    const auto difference = ratio && ratio->kind == TimeRatio::Kind::kExact
                                ? std::optional(ratio->value - factor)
                                : std::nullopt;
    table.rows.push_back(
        {{Compared(times, problem.name)},
         {Described(times.riccati), seconds(ours), ""},
         {Described(times.rival), seconds(rival), ""},
         NumberCell(ratio ? FormatRatio(*ratio) : "-",
                    ratio ? std::optional(ratio->value) : std::nullopt),
         NumberCell(FormatDigits(factor, 3), factor),
         NumberCell(difference ? FormatDigits(*difference, 3) : "-", difference),
         {!times.error                    ? "the error of this run is not known"
          : difference                    ? "other program, other machine"
          : ours.known() && rival.known() ? "a time is only a bound: its coarsest cell is better "
                                            "than that"
                                          : "error not reached by both"}});
  }
  return table;
}

void AddSlope(const std::string& claim, const std::string& what, double claimed,
              const LogLogFit& fit, Table& table) {
  const double difference = fit.slope - claimed;
  table.rows.push_back({{claim},
                        {what},
                        {"slope " + FormatSlope(fit), fit.slope, ""},
                        {fmt::format("slope {:.0f}", claimed), claimed, ""},
                        NumberCell(fmt::format("{:+.2f}", difference), difference),
                        {GrowsAtMost(fit.slope, claimed)
                             ? fmt::format("holds: at most {} above", kSlopeTolerance)
                             : fmt::format("more than {} above: time also sees caches and fixed "
                                           "costs",
                                           kSlopeTolerance)}});
}

void AddLinear(const Comparison& comparison, Table& table) {
  for (const FamilyScaling& family : Scaling(comparison)) {
    if (family.family != kFamily) continue;
    for (const StepCostCurve& curve : family.steps) {
      if (large_systems::IsJudged(curve))
        AddSlope("linear cost", "time per step, " + curve.name, 1, *curve.fit, table);
    }
    for (const EvaluationCurve& curve : family.evaluations) {
      if (large_systems::IsJudged(curve) && curve.what == "accelerations")
        AddSlope("constant cost per body", "evaluation, " + curve.name, 0, *curve.fit, table);
    }
  }
}

// Of each curve the finest cell that finished, else its first one with the reason.
void AddManyFreedoms(const Comparison& comparison, Table& table) {
  const std::string claim = "over 100,000 degrees of freedom";
  bool any = false;
  for (const ProblemResults& problem : comparison.problems) {
    const auto freedom = ManyFreedoms(problem);
    if (!freedom) continue;
    for (const reports::Curve& curve : Curves(problem)) {
      if (MethodKey(curve.method) != kRiccati) continue;
      any = true;
      const auto finished = std::find_if(curve.cells.rbegin(), curve.cells.rend(),
                                         [](const Cell* cell) { return cell->finished(); });
      const Cell& cell = finished == curve.cells.rend() ? *curve.cells.front() : **finished;
      std::string ours = FormatCount(static_cast<long long>(*freedom)) + ", " +
                         (cell.finished() ? "completed" : cell.outcome);
      if (const std::string motion = MotionOf(cell); cell.finished() && !motion.empty())
        ours += ", " + motion;
      if (cell.cpu) ours += " in " + FormatSeconds(cell.cpu->minimum);
      table.rows.push_back({{claim},
                            {problem.name + ", " + curve.name + ", " + cell.Setting()},
                            {ours, *freedom, ""},
                            {"> 100,000", kManyFreedoms, ""},
                            {"-"},
                            {cell.finished() ? "holds; " + AccuracyOf(cell) : cell.reason}});
    }
  }
  if (!any) {
    table.rows.push_back({{claim},
                          {"no cell of that size is in this store"},
                          {"-"},
                          {"> 100,000", kManyFreedoms, ""},
                          {"-"},
                          {"not run"}});
  }
}

// "150 rows", "40 of 46", "× 8.98"
std::string InWords(const PaperClaim& claim, std::optional<double> value) {
  if (!value) return "-";
  return fmt::format(fmt::runtime(claim.reads),
                     *value >= 1000 ? FormatCount(static_cast<long long>(std::llround(*value)))
                                    : FormatDigits(*value, 3));
}

Table ClaimsTable(const Comparison& comparison) {
  Table table{kClaimsCaption,
              {{"paper"},
               {"claim"},
               {"verdict"},
               {"ours", true},
               {"published", true},
               {"confirmed when"},
               {"our evidence"},
               {"remark"},
               {"ours in words"}},
              {},
              ""};
  for (const PaperClaim& claim : AllPaperClaims(comparison)) {
    table.rows.push_back({{claim.source},
                          {claim.claim},
                          {NameOf(claim.standing), nullptr, ToneOf(claim.standing)},
                          NumberCell(InWords(claim, claim.ours), claim.ours),
                          NumberCell(InWords(claim, claim.published), claim.published),
                          {claim.rule},
                          {claim.evidence},
                          {claim.verdict},
                          {InWords(claim, claim.ours)}});
  }
  return table;
}

// The table of the file, for the page: rule, remark and evidence have the room of one wide column.
Table InFewerColumns(Table table) {
  constexpr std::size_t kOurs = 3, kPublished = 4, kRule = 5, kEvidence = 6, kRemark = 7;
  for (std::vector<TableCell>& row : table.rows) {
    const std::string &rule = row[kRule].text, &remark = row[kRemark].text;
    std::string text = remark.starts_with(kNotMeasuredHere) || rule.empty()
                           ? ""
                           : fmt::format("Confirmed when: {}. ", rule);
    if (!remark.empty()) text += remark + ". ";
    if (!remark.starts_with(kNotMeasuredHere)) text += "Evidence: " + row[kEvidence].text;
    row[kRule] = {text};
    row.resize(kEvidence);
  }
  table.columns.resize(kEvidence);
  for (const std::size_t words : {kOurs, kPublished}) table.columns[words].is_number = false;
  table.columns[kRule].label = "rule, remark and evidence";
  return table;
}

// What the variants are that the claims name. Empty where the store has neither.
std::optional<Paragraph> VariantsInWords(const Comparison& comparison) {
  const auto holds = [&comparison](const char* key) {
    return std::any_of(
        comparison.methods.begin(), comparison.methods.end(),
        [key](const std::string& spec) { return spec.starts_with(std::string(key) + ":"); });
  };
  std::string text;
  if (holds(kRiccati) || holds("classical-mstmm")) {
    text =
        "Of the transfer matrix methods variant `paper` has the hinges that the papers print, "
        "`general` those of this suite, which take any joint.";
  }
  if (holds("kane-huston")) {
    text += fmt::format(
        "{}Of `kane-huston` variant `paper` is the printed case, point masses on "
        "massless rods in a plane, and `general` any tree.",
        text.empty() ? "" : " ");
  }
  return text.empty() ? std::nullopt : std::optional(Paragraph{text});
}

void AddLargeMixed(const Comparison& comparison, Section& section, Document& document) {
  section.blocks.push_back(Paragraph{
      "Rui et al. 2018 (Conclusion) took 6.52 s for the mixed system of 250 bodies with "
      "one loop, by the new version of the method with Riccati transformation, and 238 s "
      "by ADAMS. Neither the end time, nor the step, nor the accuracy is printed, so that "
      "only the ratio of 36.5 can stand beside one of ours."});
  const ProblemResults* mixed = FindProblem(comparison, kMixed.problem);
  if (!mixed || mixed->cells.empty()) {
    section.blocks.push_back(Paragraph{fmt::format(
        "`{}`: {}.", kMixed.problem, NotMeasured(fmt::format("--problem {}", kMixed.problem)))});
    return;
  }
  Table factor = FactorTable(comparison, *mixed, kMixed.factor);
  factor.csv = AddFile(document, AsCsv("factor_mixed250.csv", factor));
  section.blocks.push_back(std::move(factor));
}

}  // namespace

Section ValidationSection(const Comparison& comparison, Document& document) {
  Section section{"validation", "Claims of the papers", {}};
  Table rows = ClaimsTable(comparison);
  rows.csv = AddFile(document, AsCsv("paper_claims.csv", rows));
  if (auto variants = VariantsInWords(comparison)) section.blocks.push_back(std::move(*variants));
  section.blocks.push_back(InFewerColumns(std::move(rows)));
  section.blocks.push_back(
      Paragraph{"Rui, Bestle, Wang et al. 2020 (Sect. 5.2) report that their Riccati transfer "
                "matrix method took 36 times less time than ADAMS for the branch of 500 bodies, "
                "that its cost grows only linearly with bodies, and that it computed more than "
                "100,000 degrees of freedom. The factor cannot be reproduced, only set beside a "
                "ratio of our own: it compares another program (ADAMS) on another machine (a Xeon "
                "E5-2640) at an accuracy that is not printed, and the table of its times is lost. "
                "Values that sources print per problem stand in the sections of the problems."});
  const ProblemResults* branch = FindProblem(comparison, kBranch.problem);
  if (branch && !branch->cells.empty()) {
    Table factor = FactorTable(comparison, *branch, kBranch.factor);
    factor.csv = AddFile(document, AsCsv("factor_36.csv", factor));
    section.blocks.push_back(std::move(factor));
  } else {
    section.blocks.push_back(Paragraph{
        fmt::format("`{}` was not run, so there is no ratio to set beside the factor of {}.",
                    kBranch.problem, kBranch.factor)});
  }
  AddLargeMixed(comparison, section, document);
  Table claims{"Linear cost, and large systems",
               {{"claim"}, {"of"}, {"ours"}, {"published"}, {"difference", true}, {"why"}},
               {},
               ""};
  AddLinear(comparison, claims);
  AddManyFreedoms(comparison, claims);
  claims.csv = AddFile(document, AsCsv("claims.csv", claims));
  section.blocks.push_back(std::move(claims));
  for (const auto part : {WishboneSection, LongLoopSection}) {
    if (Section one = part(comparison, document); !one.blocks.empty())
      section.sections.push_back(std::move(one));
  }
  return section;
}

}  // namespace mbsbench::reports
