// One section per problem: what it is, times at equal error, its diagram, drift and published values.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>

#include "reports/analysis/mechanism_map.h"
#include "reports/analysis/outcomes.h"
#include "reports/analysis/paper_claims.h"
#include "reports/analysis/targets.h"
#include "reports/analysis/time_at_target.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

// "Planar crank-rocker: 3 bodies, 1 degree of freedom, 1 closed loop"
std::string Facts(const ProblemResults& problem) {
  const ProblemRecord& record = problem.record;
  std::string text = record.title;
  const auto add = [&](const std::string& fact) {
    text += (text.empty() ? "" : text == record.title ? ": " : ", ") + fact;
  };
  const auto growth = ChangingBodiesOf(problem);
  const bool grows = growth && growth->first != growth->last;
  const char* when = grows ? " at the start" : "";
  if (record.bodies) add(Plural(*record.bodies, "body") + when);
  if (grows) add(FormatCount(std::llround(growth->last)) + " at the end");
  if (record.degrees_of_freedom)
    add(Plural(*record.degrees_of_freedom, "degree of freedom") + when);
  if (record.loops > 0) add(Plural(*record.loops, "closed loop"));
  if (record.planar == true) {
    const bool is_free =
        std::ranges::find(record.joints, "free", &DrawnJointRecord::kind) != record.joints.end();
    add(is_free ? "planar motion (a free body has 6 degrees of freedom; no load drives it out of "
                  "the plane)"
                : "planar motion");
  }
  if (record.conservative == true) add("conservative");
  return text;
}

bool HasMotion(const ProblemResults& problem) {
  return std::ranges::any_of(problem.cells, [](const Cell& cell) {
    return cell.integrator != kSteadySolver && IsTried(cell.outcome);
  });
}

// The accuracy that a problem allows any method: chaos is no fault of a method.
std::string DigitsAllowed(const CertificateRecord& reference) {
  if (!reference.digits_allowed) {
    return reference.error_estimate ? "Digits it allows: not computed for a reference in closed "
                                      "form."
                                    : "";
  }
  const MaybeNumber limit = reference.error_estimate, allowed = reference.attainable_error;
  std::string text = fmt::format(
      "Digits it allows: {:.1f}, whatever the method{}. Rounding to double precision changes the "
      "initial state and the data by up to 1.1e-16. During the motion a change of the initial "
      "state grows up to {} times",
      *reference.digits_allowed,
      limit && allowed && *limit > *allowed
          ? fmt::format(": errors down to {}, of which the reference resolves those above {}",
                        FormatError(allowed), FormatError(limit))
          : "",
      FormatDigits(reference.sensitivity.value_or(0), 3));
  if (const MaybeNumber of_data = reference.data_sensitivity)
    text +=
        fmt::format(", a relative change of the data up to {} times", FormatDigits(*of_data, 3));
  return text + ".";
}

// The error of the reference, below which no error is known.
std::string LimitOfReference(const ProblemResults& problem) {
  const MaybeNumber limit = OrNone(problem.record.reference).error_estimate;
  if (!limit) return "";
  const auto is_below = [&problem](const Cell& cell) {
    const auto resolved = cell.finished() ? Resolved(problem, cell) : std::nullopt;
    return resolved && resolved->is_at_limit;
  };
  const auto below = std::ranges::count_if(problem.cells, is_below);
  std::string text = fmt::format("The error of the reference is at most {}.", FormatError(*limit));
  if (below > 0) {
    text += fmt::format(
        " {}, of which only that limit is known.",
        below == 1 ? "1 cell has a smaller error" : Plural(below, "cell") + " have smaller errors");
  }
  return text;
}

// What others say of the problem, never on our axes.
Table OthersTable(const ProblemResults& problem) {
  return TableOf<FactRow>(
      "Facts about others, of their machines and by their measures",
      {{{"who"}, &FactRow::who}, {{"fact"}, &FactRow::fact}, {{"source"}, &FactRow::source}},
      AllClaimData().facts | std::views::filter([&problem](const FactRow& row) {
        return Matches(row.problems, problem.name);
      }));
}

// Tree joints that move, without free bases; empty where not all are recorded.
std::optional<int> MovingJoints(const ProblemRecord& record) {
  if (std::ssize(record.joints) != record.bodies.value_or(0) + record.loops.value_or(0))
    return std::nullopt;
  const auto count = std::ranges::count_if(record.joints, [](const DrawnJointRecord& joint) {
    return !joint.closes_loop && joint.kind != "free" && joint.kind != "fixed";
  });
  return count > 0 ? std::optional(static_cast<int>(count)) : std::nullopt;
}

struct TimedEvaluation {
  const Trial* trial;
  double nanoseconds;
  MaybeNumber per_joint;
};

Table EvaluationsTable(const Comparison& comparison, const ProblemResults& problem) {
  const std::optional<int> joints = MovingJoints(problem.record);
  std::vector<TimedEvaluation> all;
  for (const Trial* trial : problem.evaluations) {
    const MaybeNumber per_body = trial->record.NanosecondsPerBody();
    const std::optional<std::int64_t> own = OrNone(trial->record.evaluation).bodies;
    const auto bodies = static_cast<double>(own.value_or(problem.record.bodies.value_or(0)));
    if (trial->outcome != "ok" || !per_body || bodies == 0) continue;
    const double time = *per_body * bodies;
    all.push_back({trial, time, joints ? MaybeNumber(time / *joints) : std::nullopt});
  }
  std::ranges::stable_sort(all, {}, &TimedEvaluation::nanoseconds);
  return TableOf<TimedEvaluation>(
      "CPU time of one evaluation, on " + problem.bench.name,
      {{{"method"}, [&](auto& e) { return MethodCell(comparison, e.trial->method); }},
       {{"what"}, [](auto& e) { return e.trial->record.what; }},
       {DigitsColumn("time", 3, "nanoseconds", " ns"), &TimedEvaluation::nanoseconds},
       {DigitsColumn("per moving joint", 3, "nanoseconds_per_joint", " ns"),
        &TimedEvaluation::per_joint}},
      all);
}

void AddEvaluations(const Comparison& comparison, const ProblemResults& problem, Section& section,
                    Document& document) {
  AddTable(EvaluationsTable(comparison, problem), "evaluations." + problem.stem + ".csv", section,
           document);
}

// The diagram; without a motion the steady state or the evaluations.
void AddMainResult(const Comparison& comparison, const ProblemResults& problem, Section& section,
                   Document& document) {
  if (problem.cells.empty()) {
    section.blocks.push_back(Paragraph{
        "No motion was run here. Its single evaluations are also on the pages Scaling, Engines and "
        "Validation."});
    AddEvaluations(comparison, problem, section, document);
    AddTable(OthersTable(problem), "others." + problem.stem + ".csv", section, document);
    return;
  }
  Figure diagram = WorkPrecisionFigure(comparison, problem, document);
  if (HasMotion(problem)) {
    section.blocks.push_back(std::move(diagram));
    AddTable(CurveEndsTable(comparison, problem), "curve_ends." + problem.stem + ".csv", section,
             document);
    AddTable(OthersTable(problem), "others." + problem.stem + ".csv", section, document);
    return;
  }
  const bool has_steady_state = std::ranges::any_of(problem.cells, [](const Cell& cell) {
    return cell.integrator == kSteadySolver && cell.finished();
  });
  section.blocks.push_back(Paragraph{
      has_steady_state ? "No motion was run here. Its steady state is on the page Steady states."
                       : "No motion was run here."});
  diagram.table.csv = diagram.csv;
  section.blocks.push_back(std::move(diagram.table));
}

Section ProblemSection(const Comparison& comparison, const ProblemResults& problem,
                       Document& document) {
  Section section{"problem-" + problem.stem, problem.name, {}, {}, ProblemRoute(problem)};
  if (const std::string facts = Facts(problem); !facts.empty())
    section.blocks.push_back(Paragraph{facts + "."});
  if (IsJudged(problem)) AddTimesAtTargets(comparison, problem, section);
  AddMainResult(comparison, problem, section, document);
  std::string about = problem.record.description;
  if (!problem.record.source.empty())
    about += (about.empty() ? "" : " ") + ("Source: " + problem.record.source + ".");
  if (!about.empty()) section.blocks.push_back(Paragraph{about});
  if (const std::vector<std::string>& warnings = problem.record.warnings; !warnings.empty()) {
    section.blocks.push_back(Paragraph{"Warnings by the reader of its file:"});
    section.blocks.push_back(List{warnings});
  }
  if (HasMotion(problem)) {
    for (const std::string& text :
         {LimitOfReference(problem), DigitsAllowed(OrNone(problem.record.reference))}) {
      if (!text.empty()) section.blocks.push_back(Paragraph{text});
    }
  }
  if (comparison.runs.size() > 1)
    section.blocks.push_back(Paragraph{"Measured on " + problem.bench.name + "."});
  AddIfAny(MotionFigure(comparison, problem, document), section);
  AddTable(ParameterTable(problem), "parameters." + problem.stem + ".csv", section, document);
  if (problem.cells.empty()) return section;
  AddIfAny(DriftFigure(comparison, problem, document), section);
  AddPublishedValues(problem, section, document);
  Section evaluations{"evaluations-" + problem.stem, "Single evaluations"};
  AddEvaluations(comparison, problem, evaluations, document);
  AddFolded(std::move(evaluations), section);
  return section;
}

// "method, integrator"; "alike: one, other and 3 more"; "open: one, other" where it is not decided which is the fastest.
TableCell WinnerCell(const Comparison& comparison, const ProblemResults& problem) {
  constexpr std::size_t kNamed = 2;
  const Ranking ranking = Rank(BestOfEachFamily(comparison, problem, comparison.MainTarget()));
  const BestTime* first = ranking.Fastest();
  if (!first) return {FormatTime(NotKnown(ranking.times)), nullptr, "weak"};
  const TimeVerdict& verdict = ranking.verdicts[ranking.order[0]];
  const std::string curve = first->method + ", " + first->integrator;
  if (verdict.name == kFastest) return {curve};
  if (!first->time.has_rivals)
    return {fmt::format("{} ({})", curve, kOnlyMethodRun), nullptr, "weak"};
  std::vector<std::string> names;
  for (const std::size_t i : ranking.order)
    if (ranking.Leads(i)) names.push_back(ranking.times[i].method);
  return {fmt::format("{}: {}{}", verdict.name, Listed(names, kNamed),
                      names.size() == 1 ? ", " + verdict.why : ""),
          nullptr, "weak"};
}

// "12"; "1 to 182" of a system that grows.
TableCell BodiesCell(const ProblemResults& problem) {
  TableCell cell(problem.record.bodies);
  const auto growth = ChangingBodiesOf(problem);
  if (growth && growth->first != growth->last)
    cell.text += " to " + FormatCount(std::llround(growth->last));
  return cell;
}

Table ProblemTable(const Comparison& comparison) {
  return TableOf<ProblemResults>(
      "Problems",
      {{{"problem"},
        [](auto& p) {
          return TableCell{p.name, nullptr, "", ProblemRoute(p), p.stem};
        }},
       {{"what it is"}, [](auto& p) { return p.record.title; }},
       {{"mechanism"}, KindOf},
       {{"bodies", true}, BodiesCell},
       {CountColumn("degrees of freedom"), [](auto& p) { return p.record.degrees_of_freedom; }},
       {CountColumn("closed loops"), [](auto& p) { return p.record.loops; }},
       {DecimalsColumn("digits it allows", 1),
        [](auto& p) { return OrNone(p.record.reference).digits_allowed; }},
       {{"cells ok", true},
        [](auto& p) { return std::ranges::count(p.cells, "ok", &Cell::outcome); }},
       {{"cells", true},
        [](auto& p) { return std::ranges::count_if(p.cells, IsTried, &Cell::outcome); }},
       {{"fastest at " + FormatError(comparison.MainTarget())},
        [&](auto& p) {
          return !HasMotion(p) ? TableCell{"- (no motion)", "no motion", "weak"}
                 : IsJudged(p) ? WinnerCell(comparison, p)
                               : TableCell{"- (no error known)", "no error known", "weak"};
        }}},
      comparison.problems | std::views::filter(WasRun));
}

}  // namespace

Section ProblemSections(const Comparison& comparison, Document& document) {
  Section section{"problems", "Problems", {}};
  AddTable(ProblemTable(comparison), "problems.csv", section, document);
  AddFile(document, TargetsFile(comparison));
  for (const ProblemResults& problem : comparison.problems) {
    if (WasRun(problem)) section.sections.push_back(ProblemSection(comparison, problem, document));
  }
  if (section.sections.empty())
    section.blocks.push_back(Paragraph{"No problem has a finished cell."});
  return section;
}

}  // namespace mbsbench::reports
