// What the papers claim, beside what was measured here. Their factor belongs to another program on another machine: ours stands beside it
// as a finding, not as a test.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/equal_error.h"
#include "reports/format.h"
#include "reports/large_systems.h"
#include "reports/paper_claims.h"
#include "reports/scaling.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

using namespace large_systems;

constexpr double kPapersStep = 1e-3;  // [s], with RK4

// The paper's own way of running it, in each variant.
std::vector<const Cell*> PapersRuns(const ProblemResults& problem) {
  std::vector<const Cell*> runs;
  for (const Cell& cell : problem.cells) {
    if (MethodKey(cell.method) == kRiccati && cell.integrator == "rk4" && cell.step &&
        std::abs(*cell.step - kPapersStep) < 1e-9 && cell.finished() && cell.cpu) {
      runs.push_back(&cell);
    }
  }
  return runs;
}

// "riccati-mstmm:general", "rk4" -> "general, rk4": the key stands above the column.
std::string Way(const std::string& spec, const std::string& integrator) {
  const std::size_t colon = spec.find(':');
  return (colon == std::string::npos ? "" : spec.substr(colon + 1) + ", ") + integrator;
}

std::string Described(const BestTime& best) {
  if (!best.time.known()) return "not reached";
  return fmt::format("{} ({})", FormatTime(best.time), Way(best.method, best.integrator));
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
  const std::string why = "other program, other machine";
  const auto add = [&](const std::string& compared, const std::string& ours_text,
                       const TimeAtError& ours, const BestTime& rival) {
    const bool both = ours.known() && rival.time.known();
    const auto ratio = RatioOf(rival.time, ours);
    // of a bound no difference
    const auto difference = ratio && ratio->kind == TimeRatio::Kind::kExact
                                ? std::optional(ratio->value - factor)
                                : std::nullopt;
    table.rows.push_back(
        {{compared},
         {ours_text, ours.known() ? Json(ours.seconds) : Json(), ""},
         {Described(rival), rival.time.known() ? Json(rival.time.seconds) : Json(), ""},
         NumberCell(ratio ? FormatRatio(*ratio) : "-",
                    ratio ? std::optional(ratio->value) : std::nullopt),
         NumberCell(FormatDigits(factor, 3), factor),
         NumberCell(difference ? FormatDigits(*difference, 3) : "-", difference),
         {difference ? why
          : both     ? "a time is only a bound: its coarsest cell is better than that"
                     : "error not reached by both"}});
  };
  for (double error : {1e-3, 1e-6, 1e-8, 1e-9}) {
    const BestTime riccati = BestVariant(comparison, problem, kRiccati, error);
    add("at error " + FormatError(error), Described(riccati), riccati.time,
        BestVariant(comparison, problem, kRival, error));
  }
  for (const Cell* papers : PapersRuns(problem)) {
    const TimeAtError time{TimeAtError::Kind::kReached, papers->cpu->minimum};
    const double error = papers->error.value_or(0);
    add(fmt::format("as the paper ran it (RK4, 1 ms): error {}", FormatError(papers->error)),
        fmt::format("{} ({})", FormatSeconds(time.seconds),
                    Way(papers->method, papers->integrator)),
        time,
        error > 0 ? BestVariant(comparison, problem, kRival, error) : BestTime{kRival, "", {}});
  }
  return table;
}

// Times of the rival scaled to a core of known scalar speed, as a target of this suite states them.
std::optional<std::string> ScaledTimes(const Comparison& comparison,
                                       const ProblemResults& problem) {
  constexpr double kCore = 14.7;  // GF/s, scalar multiply and add
  const auto gigaflops =
      problem.bench.run ? Number(problem.bench.run->machine, "gigaflops_scalar") : std::nullopt;
  if (!gigaflops || *gigaflops <= 0) return std::nullopt;
  std::string text;
  for (const char* key : {kRiccati, kRival}) {
    for (double error : {1e-6, 1e-8}) {
      BestTime best = BestVariant(comparison, problem, key, error);
      best.time.seconds *= *gigaflops / kCore;
      text += fmt::format("{}{} at {}: {}", text.empty() ? "" : "; ", key, FormatError(error),
                          FormatTime(best.time));
    }
  }
  return fmt::format(
      "Scaled by scalar speed from this core ({:.3g} GF/s) to one of {} GF/s, on which this suite "
      "states its targets: {}.",
      *gigaflops, kCore, text);
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
      if (cell.cpu) ours += " in " + FormatSeconds(cell.cpu->minimum);
      table.rows.push_back({{claim},
                            {problem.name + ", " + curve.name + ", " + cell.Setting()},
                            {ours, *freedom, ""},
                            {"> 100,000", kManyFreedoms, ""},
                            {"-"},
                            {cell.finished() ? "holds" : cell.reason}});
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

const char* ToneOf(Standing standing) {
  switch (standing) {
    case Standing::kHolds: return "outcome-good";
    case Standing::kPartly: return "outcome-doubtful";
    case Standing::kFails: return "outcome-failed";
    case Standing::kNotMeasured: return "outcome-absent";
  }
  return "";
}

const char* NameOf(Standing standing) {
  switch (standing) {
    case Standing::kHolds: return "holds";
    case Standing::kPartly: return "in part";
    case Standing::kFails: return "does not hold";
    case Standing::kNotMeasured: return "not measured";
  }
  return "";
}

Table ClaimsTable(const Comparison& comparison) {
  Table table{"Claims of the five papers, by the evidence of this store",
              {{"paper"},
               {"claim"},
               {"holds?"},
               {"ours", true},
               {"published", true},
               {"our evidence"},
               {"verdict"}},
              {},
              ""};
  const auto number = [](std::optional<double> value) {
    if (value && *value >= 1000)
      return NumberCell(FormatCount(static_cast<long long>(std::llround(*value))), value);
    return NumberCell(value ? FormatDigits(*value, 3) : "-", value);
  };
  for (const PaperClaim& claim : AllPaperClaims(comparison)) {
    table.rows.push_back({{claim.source},
                          {claim.claim},
                          {NameOf(claim.standing), nullptr, ToneOf(claim.standing)},
                          number(claim.ours),
                          number(claim.published),
                          {claim.evidence},
                          {claim.verdict}});
  }
  return table;
}

// The table of the file, for the page: what a verdict says beyond its standing goes before the evidence,
// which has the room of both columns.
Table InFewerColumns(Table table) {
  constexpr std::size_t kStanding = 2, kEvidence = 5, kVerdict = 6;
  for (std::vector<TableCell>& row : table.rows) {
    const std::string& verdict = row[kVerdict].text;
    if (verdict != row[kStanding].text)
      row[kEvidence].text = verdict + ". Evidence: " + row[kEvidence].text;
    row.erase(row.begin() + kVerdict);
  }
  table.columns[kEvidence].label = "verdict and evidence";
  table.columns.erase(table.columns.begin() + kVerdict);
  return table;
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
    if (const auto scaled = ScaledTimes(comparison, *branch))
      section.blocks.push_back(Paragraph{*scaled});
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
