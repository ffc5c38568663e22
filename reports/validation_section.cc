// What Rui, Bestle, Wang et al. 2020 claim of the Riccati transfer matrix method, beside what was
// measured here. Their factor belongs to another program on another machine: ours stands beside it
// as a finding, not as a test.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reports/equal_error.h"
#include "reports/format.h"
#include "reports/scaling.h"
#include "reports/sections.h"

namespace mbsbench::reports {

namespace {

constexpr const char* kFamily = "branchN";
constexpr const char* kLongBranch = "branchN:bodies=500";  // their N = 999
constexpr const char* kRiccati = "riccati-mstmm";
constexpr const char* kRival = "cartesian-dae";  // what general-purpose codes such as ADAMS do
constexpr double kFactor = 36;                   // Sect. 5.2: "by a factor of 36 lower"
constexpr double kPapersStep = 1e-3;             // [s], with RK4
constexpr double kManyFreedoms = 100'000;  // degrees of freedom that their method was run with

std::string Key(const std::string& spec) { return spec.substr(0, spec.find(':')); }

const ProblemResults* FindProblem(const Comparison& comparison, const std::string& name) {
  for (const ProblemResults& problem : comparison.problems) {
    if (problem.name == name) return &problem;
  }
  return nullptr;
}

// The best variant of a method at an error.
BestTime BestVariant(const Comparison& comparison, const ProblemResults& problem,
                     const std::string& key, double error) {
  std::vector<BestTime> times = BestOfEachMethod(comparison, problem, "", error);
  std::erase_if(times, [&key](const BestTime& time) { return Key(time.method) != key; });
  const BestTime* fastest = Fastest(times);
  return fastest ? *fastest : BestTime{key, "", {}};
}

// The papers' own way of running it, in the variant that is the default of ours or else any.
const Cell* PapersRun(const ProblemResults& problem) {
  const Cell* found = nullptr;
  for (const Cell& cell : problem.cells) {
    const bool as_printed = Key(cell.method) == kRiccati && cell.integrator == "rk4" && cell.step &&
                            std::abs(*cell.step - kPapersStep) < 1e-9 && cell.finished() &&
                            cell.cpu;
    if (as_printed && (!found || (cell.error && (!found->error || *cell.error < *found->error))))
      found = &cell;
  }
  return found;
}

std::string Described(const BestTime& best) {
  if (!best.time.known()) return "not reached";
  return fmt::format("{} ({}, {})", FormatTime(best.time), best.method, best.integrator);
}

Table FactorTable(const Comparison& comparison, const ProblemResults& problem) {
  Table table{fmt::format("{}: time of {} over time of {}, beside the paper's factor", kLongBranch,
                          kRival, kRiccati),
              {{"compared"},
               {kRiccati, true},
               {kRival, true},
               {"ours", true},
               {"published", true},
               {"difference", true},
               {"why"}},
              {},
              ""};
  const std::string why =
      "theirs: ADAMS on a Xeon E5-2640, step and tolerance not printed; ours: two formulations in "
      "one "
      "program on this machine, at equal error";
  const auto add = [&](const std::string& compared, const std::string& ours_text,
                       const TimeAtError& ours, const BestTime& rival) {
    const bool both = ours.known() && rival.time.known();
    const auto ratio = both ? std::optional(rival.time.seconds / ours.seconds) : std::nullopt;
    table.rows.push_back(
        {{compared},
         {ours_text, ours.known() ? Json(ours.seconds) : Json(), ""},
         {Described(rival), rival.time.known() ? Json(rival.time.seconds) : Json(), ""},
         NumberCell(both ? FormatRatio(rival.time, ours) : "-", ratio),
         NumberCell(FormatDigits(kFactor, 3), kFactor),
         NumberCell(ratio ? FormatDigits(*ratio - kFactor, 3) : "-",
                    ratio ? std::optional(*ratio - kFactor) : std::nullopt),
         {both ? why : "one of the two did not reach this error"}});
  };
  for (double error : {1e-3, 1e-6, 1e-8, 1e-9}) {
    const BestTime riccati = BestVariant(comparison, problem, kRiccati, error);
    add("at error " + FormatError(error), Described(riccati), riccati.time,
        BestVariant(comparison, problem, kRival, error));
  }
  if (const Cell* papers = PapersRun(problem)) {
    const TimeAtError time{TimeAtError::Kind::kReached, papers->cpu->minimum};
    const double error = papers->error.value_or(0);
    add(fmt::format("as the paper ran it (RK4, 1 ms), at the error {} that this gives",
                    FormatError(papers->error)),
        fmt::format("{} ({}, rk4)", FormatSeconds(time.seconds), papers->method), time,
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
  return fmt::format("Scaled from this core ({:.3g} GF/s scalar) to one of {} GF/s: {}.",
                     *gigaflops, kCore, text);
}

void AddLinear(const Comparison& comparison, Table& table) {
  for (const FamilyScaling& family : Scaling(comparison)) {
    if (family.family != kFamily) continue;
    for (const StepCostCurve& curve : family.steps) {
      if (Key(curve.method) != kRiccati || !curve.fit) continue;
      table.rows.push_back(
          {{"cost grows linearly with bodies"},
           {fmt::format("slope {} of time per step, {}", FormatSlope(curve.fit), curve.name),
            curve.fit->slope, ""},
           {"slope 1", 1, ""},
           NumberCell(fmt::format("{:+.2f}", curve.fit->slope - 1), curve.fit->slope - 1),
           {std::abs(curve.fit->slope - 1) <= 0.1 ? "holds within 0.1"
                                                  : "time also sees caches and fixed costs: judge "
                                                    "by the cost of an evaluation and by the "
                                                    "sizes that were run"}});
    }
    for (const EvaluationCurve& curve : family.evaluations) {
      if (Key(curve.method) != kRiccati || !curve.fit) continue;
      table.rows.push_back(
          {{"cost per body is constant"},
           {fmt::format("slope {} of time per body and evaluation, {}", FormatSlope(curve.fit),
                        curve.name),
            curve.fit->slope, ""},
           {"slope 0", 0, ""},
           NumberCell(fmt::format("{:+.2f}", curve.fit->slope), curve.fit->slope),
           {std::abs(curve.fit->slope) <= 0.1 ? "holds within 0.1" : "caches and fixed costs"}});
    }
  }
}

void AddManyFreedoms(const Comparison& comparison, Table& table) {
  bool any = false;
  for (const ProblemResults& problem : comparison.problems) {
    const auto freedom = Number(problem.document, "degrees_of_freedom");
    if (!freedom || *freedom <= kManyFreedoms) continue;
    for (const Cell& cell : problem.cells) {
      if (Key(cell.method) != kRiccati) continue;
      any = true;
      std::string ours = fmt::format("{}: {} degrees of freedom, {}, {}: {}", problem.name,
                                     FormatCount(static_cast<long long>(*freedom)), cell.Curve(),
                                     cell.Setting(), cell.finished() ? "completed" : cell.outcome);
      if (cell.cpu) ours += " in " + FormatSeconds(cell.cpu->minimum);
      table.rows.push_back({{"more than 100,000 degrees of freedom can be computed"},
                            {ours, *freedom, ""},
                            {"> 100,000", kManyFreedoms, ""},
                            {"-"},
                            {cell.finished() ? "holds" : cell.reason}});
    }
  }
  if (!any) {
    table.rows.push_back({{"more than 100,000 degrees of freedom can be computed"},
                          {"not run"},
                          {"> 100,000"},
                          {"-"},
                          {"no cell of that size is in this store"}});
  }
}

}  // namespace

Section ValidationSection(const Comparison& comparison, Document& document) {
  Section section{"validation", "Claims of the papers", {}};
  section.blocks.push_back(
      Paragraph{"Rui, Bestle, Wang et al. 2020 (Sect. 5.2) report that their Riccati transfer "
                "matrix method took 36 times less time than "
                "ADAMS for the branch of 500 bodies, that its cost grows only linearly with "
                "bodies, and that it computed more than "
                "100,000 degrees of freedom. The factor cannot be reproduced, only set beside a "
                "ratio of our own: it compares another "
                "program on another machine, and the table of its times is lost. Values that "
                "sources print per problem stand in the "
                "sections of the problems."});
  const ProblemResults* branch = FindProblem(comparison, kLongBranch);
  if (branch && !branch->cells.empty()) {
    Table factor = FactorTable(comparison, *branch);
    factor.csv = AddFile(document, AsCsv("factor_36.csv", factor));
    section.blocks.push_back(std::move(factor));
    if (const auto scaled = ScaledTimes(comparison, *branch))
      section.blocks.push_back(Paragraph{*scaled});
  } else {
    section.blocks.push_back(Paragraph{fmt::format(
        "`{}` was not run, so there is no ratio to set beside the factor of 36.", kLongBranch)});
  }
  Table claims{"Linear cost, and large systems",
               {{"claim"}, {"ours"}, {"published"}, {"difference", true}, {"why"}},
               {},
               ""};
  AddLinear(comparison, claims);
  AddManyFreedoms(comparison, claims);
  claims.csv = AddFile(document, AsCsv("claims.csv", claims));
  section.blocks.push_back(std::move(claims));
  return section;
}

}  // namespace mbsbench::reports
