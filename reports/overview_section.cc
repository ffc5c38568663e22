// The report at a glance, one screen: how complete it is, what each family of methods needs on each kind of
// mechanism, over all targets, three answers, growth with bodies, and the claims of papers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "harness/store/run_commands.h"
#include "reports/benches.h"
#include "reports/changes.h"
#include "reports/columns.h"
#include "reports/coverage.h"
#include "reports/disagreements.h"
#include "reports/equal_error.h"
#include "reports/format.h"
#include "reports/mechanism_map.h"
#include "reports/noise.h"
#include "reports/outcomes.h"
#include "reports/paper_claims.h"
#include "reports/scaling.h"
#include "reports/sections.h"
#include "reports/stalled.h"

namespace mbsbench::reports {

namespace {

constexpr const char* kMapDetail = "The problems of each field of the map";

// A number of the page; JSON holds no infinity.
Json Short(double value) {
  return std::isfinite(value) ? Json::parse(fmt::format("{:.6g}", value)) : Json();
}

std::string FormatValue(const MapMeasure& measure, double value) {
  if (!std::isfinite(value)) return "not reached";
  return measure.unit == "x" ? FormatRatio(value) : FormatError(value);
}

// Status ------------------------------------------------------------------------------------------

std::string Citation(const Run& run) {
  return fmt::format("mbsbench {}, commit {}, run {} of {}, {}", run.build.version,
                     run.build.commit, run.id.substr(0, 8), run.started.substr(0, 10),
                     run.machine.cpu);
}

Figure StatusFigure(const Comparison& comparison) {
  Figure figure;
  figure.kind = "status";
  figure.title = "Status of the comparison";
  figure.table = {"Status", {{"what"}, {"value"}}};
  Json items = Json::array();
  const auto add = [&](const std::string& label, const std::string& value, const char* tone,
                       const std::string& more = "", const char* route = "") {
    if (value.empty()) return;
    items.push_back(
        {{"label", label}, {"value", value}, {"tone", tone}, {"more", more}, {"route", route}});
    figure.table.rows.push_back({{label}, {more.empty() ? value : value + ": " + more}});
  };
  const Run& run =
      comparison.runs.empty() ? comparison.results->runs.back() : *comparison.runs.back();
  const std::string unfinished = UnfinishedInShort(comparison);
  std::string how_far;
  for (const std::string& sentence : DescribeUnfinishedRuns(comparison))
    how_far += (how_far.empty() ? "" : " ") + sentence;
  std::map<std::string, int> groups;
  for (const ProblemResults& problem : comparison.problems) {
    for (const Cell& cell : problem.cells) ++groups[FindOutcome(cell.outcome).group];
  }
  const int tried = groups["good"] + groups["doubtful"] + groups["failed"] + groups["stopped"];
  add("run", unfinished.empty() ? "complete" : unfinished, unfinished.empty() ? "good" : "doubtful",
      how_far, "machine");
  add("cells",
      fmt::format("{} run, {} ok, {} refused or skipped", FormatCount(tried),
                  FormatCount(groups["good"]), FormatCount(groups["absent"])),
      "", "", "outcomes");
  if (comparison.against != nullptr) {
    add("against A", ChangesInShort(*comparison.against),
        comparison.against->Count(Direction::kWorse) > 0 ? "failed" : "good",
        VerdictOf(*comparison.against), "changes");
  }
  const Noise noise = NoiseOf(comparison);
  add("machine", fmt::format("{}, {} cores", run.machine.cpu, CoresOf(run.machine)), "", "",
      "machine");
  add("noise", noise.InShort(),
      noise.IsNoisy()   ? "doubtful"
      : noise.IsKnown() ? "good"
                        : "",
      noise.Sentence(), "machine");
  add("commit", run.build.commit.substr(0, 10), "", run.build.flags, "machine");
  add("date", run.started.substr(0, 10), "", run.command, "machine");
  const Disagreements found = ReadDisagreements(comparison);
  std::vector<std::string> in_short, where = found.wrong;
  where.insert(where.end(), found.open.begin(), found.open.end());
  if (!found.wrong.empty()) in_short.push_back(fmt::format("{} wrong", found.wrong.size()));
  if (!found.open.empty())
    in_short.push_back(Plural(static_cast<long long>(found.open.size()), "disagreement"));
  if (const std::vector<std::string> stalled = StalledSentences(comparison); !stalled.empty()) {
    in_short.push_back(fmt::format("{} whose error stops falling",
                                   Plural(static_cast<long long>(stalled.size()), "curve")));
    where.insert(where.end(), stalled.begin(), stalled.end());
  }
  if (!where.empty()) {
    add("equations", fmt::format("{}", fmt::join(in_short, ", ")), "failed",
        fmt::format("{}", fmt::join(where, " ")), "validation");
  }
  if (!comparison.results->warnings.empty()) {
    std::string warnings;
    for (const std::string& one : comparison.results->warnings)
      warnings += (warnings.empty() ? "" : " ") + one;
    add("store",
        Plural(static_cast<long long>(comparison.results->warnings.size()), "record") + " not read",
        "failed", warnings);
  }
  if (comparison.superseded > 0) {
    add("older", Plural(comparison.superseded, "trial") + " not shown", "",
        "of older builds or other machines, of problems that a newer run repeated");
  }
  figure.data = {{"items", std::move(items)}, {"citation", Citation(run)}};
  figure.table.rows.push_back({{"cite"}, {Citation(run)}});
  return figure;
}

// The map -----------------------------------------------------------------------------------------

CsvFile MapFile(const MechanismMap& map) {
  CsvFile file{
      "overview_map.csv",
      {"mechanism", "methods", "measure", "median", "low", "high", "problems_counted", "problems",
       "reached", "not_reached", "failed", "refused", "not_yet", "not_run", "mostly_bounds"}};
  for (const MapMeasure& measure : map.measures) {
    for (std::size_t k = 0; k < map.kinds.size(); ++k) {
      for (std::size_t f = 0; f < map.families.size(); ++f) {
        const MapField& field = measure.fields[k][f];
        const auto number = [](double value) {
          return std::isfinite(value) ? Json(value) : Json("infinite");
        };
        file.rows.push_back({map.kinds[k], map.families[f], measure.name,
                             field.median ? number(*field.median) : Json(),
                             field.median ? number(field.interval.low) : Json(),
                             field.median ? number(field.interval.high) : Json(), field.counted,
                             field.entries.size(), field.Count(MapStanding::kReached),
                             field.Count(MapStanding::kInaccurate),
                             field.Count(MapStanding::kFailed), field.Count(MapStanding::kRefused),
                             field.Count(MapStanding::kNotYet), field.Count(MapStanding::kNotRun),
                             field.IsMostlyOpen() ? 1 : 0});
      }
    }
  }
  return file;
}

// Why most of a field's problems were not reached, for its hatching.
MapStanding ReasonOf(const MapField& field) {
  MapStanding reason = MapStanding::kNotRun;
  int most = 0;
  for (const MapStanding standing :
       {MapStanding::kInaccurate, MapStanding::kFailed, MapStanding::kRefused, MapStanding::kNotYet,
        MapStanding::kNotRun}) {
    if (field.Count(standing) > most) most = field.Count(standing), reason = standing;
  }
  return reason;
}

Json FieldJson(const MapField& field) {
  const bool has_value = field.median && std::isfinite(*field.median);
  const MapStanding reason = ReasonOf(field);
  Json json = {field.median ? Short(*field.median) : Json(),
               Short(field.interval.low),
               Short(field.interval.high),
               has_value ? field.counted : field.Count(reason),
               field.entries.size(),
               has_value ? "" : NameOf(reason)};
  json.push_back(has_value && field.IsMostlyOpen() ? 1 : 0);
  return json;
}

Figure MapFigure(const Comparison& comparison, const MechanismMap& map, Document& document) {
  Figure figure;
  figure.kind = "heat-map";
  figure.title = "Time over that of the fastest, by kind of mechanism";
  figure.summary =
      "A field is the ratio of the CPU time of a family of methods to that of the fastest family "
      "at equal error: the median over the problems of a kind. 1.00 is the fastest on at least "
      "half of them. Below it stands the 95 % interval, by resampling problems and then rounds; of "
      "cells timed in one round it holds no measuring noise. "
      "6/10: the median is over 6 of 10 problems; the others were refused, not run, or not reached "
      "by the cells run so far (\"not yet\"). A problem that was run and not reached counts as "
      "infinite. Each family has its best variant and integrator. ~: most of these times are upper "
      "bounds, "
      "because even the coarsest cells are more accurate, so the ratio is not exact. Drift is the "
      "larger of position and energy drift, of the cheapest cell with an error of 1e-6 or better. "
      "Attainable error is the least error of any cell. A click on a field leads to its problems.";
  figure.command = LatestCommand(comparison);
  figure.table.columns = {{"mechanism"}, {"measure"}};
  for (const std::string& family : map.families) figure.table.columns.push_back({family});
  figure.table.caption = "Median over problems, interval, problems counted of all";
  Json measures = Json::array(), rows = Json::array();
  for (const MapMeasure& measure : map.measures) {
    measures.push_back({{"name", measure.name},
                        {"label", measure.label},
                        {"title", measure.title},
                        {"unit", measure.unit}});
    Json kinds = Json::array();
    for (std::size_t k = 0; k < map.kinds.size(); ++k) {
      std::vector<TableCell> row = {{map.kinds[k]}, {measure.label}};
      Json fields = Json::array();
      for (const MapField& field : measure.fields[k]) {
        fields.push_back(FieldJson(field));
        const std::string counted = fmt::format("{} of {}", field.counted, field.entries.size());
        row.push_back({field.median && std::isfinite(*field.median)
                           ? fmt::format("{}{} ({} to {}), {}", field.IsMostlyOpen() ? "~" : "",
                                         FormatValue(measure, *field.median),
                                         FormatValue(measure, field.interval.low),
                                         FormatValue(measure, field.interval.high), counted)
                           : fmt::format("{}, {} of {}", NameOf(ReasonOf(field)),
                                         field.Count(ReasonOf(field)), field.entries.size())});
      }
      kinds.push_back(std::move(fields));
      figure.table.rows.push_back(std::move(row));
    }
    rows.push_back(std::move(kinds));
  }
  figure.csv = AddFile(document, MapFile(map));
  const bool has_rounds = NoiseOf(comparison).IsKnown();
  const std::string note =
      fmt::format("{}{}", has_rounds ? "" : "One round each: intervals hold no measuring noise. ",
                  IdenticalWorkInWords(comparison));
  if (!note.empty()) figure.notes.push_back(note);
  figure.data = {{"measures", measures},   {"kinds", map.kinds}, {"families", map.families},
                 {"fields", rows},         {"route", "map"},     {"table", kMapDetail},
                 {"engines", map.engines}, {"note", note}};
  return figure;
}

// The profile over all targets ---------------------------------------------------------------------

struct WeighedTarget {
  const Target* target;
  std::size_t cluster;  // family of problems, whose sizes count as one problem together
  double weight;
};

std::vector<WeighedTarget> Weighed(const std::vector<Target>& targets, std::size_t& clusters) {
  std::map<std::string, std::size_t> place;
  std::map<std::string, std::set<const ProblemResults*>> members;
  for (const Target& target : targets) {
    const std::string family = FamilyOf(*target.problem);
    place.try_emplace(family, place.size());
    members[family].insert(target.problem);
  }
  std::vector<WeighedTarget> weighed;
  for (const Target& target : targets) {
    if (target.unit_seconds <= 0) continue;
    const std::string family = FamilyOf(*target.problem);
    weighed.push_back({&target, place[family], 1. / static_cast<double>(members[family].size())});
  }
  clusters = place.size();
  return weighed;
}

// Whether cells of the family that were not run yet may still reach it.
bool IsOpen(const Target& target, const std::string& family) {
  return std::any_of(target.attempts.begin(), target.attempts.end(), [&](const Attempt& attempt) {
    return attempt.time.is_open() && MethodKey(attempt.method) == family;
  });
}

struct ProfileStep {
  double cost, weight;
  std::size_t cluster;
  std::string text;
};

// Where the profile is, for families of problems drawn `times` times each.
double FractionAt(const std::vector<ProfileStep>& steps, double cost,
                  const std::vector<double>& times, double total) {
  double sum = 0;
  for (const ProfileStep& step : steps) {
    if (step.cost > cost) break;
    sum += step.weight * times[step.cluster];
  }
  return sum / total;
}

Json Band(const std::vector<ProfileStep>& steps, const std::vector<WeighedTarget>& targets,
          std::size_t clusters) {
  constexpr int kResamples = 200, kPlaces = 24;
  std::mt19937 random(3);
  std::uniform_int_distribution<std::size_t> any(0, clusters - 1);
  std::vector<double> places;
  const double from = std::log(steps.front().cost), to = std::log(steps.back().cost);
  for (int i = 0; i <= kPlaces; ++i) places.push_back(std::exp(from + (to - from) * i / kPlaces));
  places.back() = steps.back().cost;  // round-off must not lose the last step
  std::vector<std::vector<double>> fractions(places.size());
  for (int r = 0; r < kResamples; ++r) {
    std::vector<double> times(clusters, 0);
    for (std::size_t i = 0; i < clusters; ++i) ++times[any(random)];
    double total = 0;
    for (const WeighedTarget& one : targets) total += one.weight * times[one.cluster];
    if (total <= 0) continue;
    for (std::size_t i = 0; i < places.size(); ++i)
      fractions[i].push_back(FractionAt(steps, places[i], times, total));
  }
  Json band = Json::array();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Interval interval = Middle95(fractions[i]);
    band.push_back({Json::parse(fmt::format("{:.4g}", places[i])),
                    Json::parse(fmt::format("{:.4g}", interval.low)),
                    Json::parse(fmt::format("{:.4g}", interval.high))});
  }
  return band;
}

Figure ProfileFigure(const std::vector<Target>& targets, const MechanismMap& map,
                     Document& document) {
  Figure figure;
  figure.kind = "distribution";
  figure.title = "Share of all targets reached within a time";
  figure.summary =
      "A target is a problem and an error, from 1e-2 to 1e-10 by decades as far as the problem and "
      "its reference allow. A curve is the share of all targets that a family of methods reaches "
      "within a CPU time, with its best variant and integrator. The time is divided by the bodies "
      "and by the end time in units of T, the characteristic time of the problem. Higher and "
      "further left is better. A curve ends at the last target that the family reached. The grey "
      "field holds targets that no method reached and whose cells were not run yet. The sizes of "
      "one family of problems count as one problem together. The band of a curve, shown when the "
      "curve is pointed at, holds 95 % of resampled families of problems. No curve depends on "
      "another.";
  figure.table = {"Share of the targets reached",
                  {{"methods"}, {"share", true}, {"not run yet", true}}};
  std::size_t clusters = 0;
  const std::vector<WeighedTarget> weighed = Weighed(targets, clusters);
  double total = 0;
  for (const WeighedTarget& one : weighed) total += one.weight;
  CsvFile file{"overview_profile.csv", {"methods", "cpu_s_per_body_and_time", "share"}};
  Json series = Json::array();
  for (const std::string& family : map.families) {
    std::vector<ProfileStep> steps;
    double open = 0;
    for (const WeighedTarget& one : weighed) {
      const Attempt* best = BestOfFamily(*one.target, family);
      if (!best && IsOpen(*one.target, family)) open += one.weight;
      if (!best) continue;
      steps.push_back({best->time.seconds / one.target->unit_seconds, one.weight, one.cluster,
                       fmt::format("{} at {}: {} by {} with {}", one.target->problem->name,
                                   FormatError(one.target->error), FormatTime(best->time),
                                   best->method, best->integrator)});
    }
    if (steps.empty()) continue;
    std::stable_sort(steps.begin(), steps.end(),
                     [](const ProfileStep& a, const ProfileStep& b) { return a.cost < b.cost; });
    Json points = Json::array();
    double sum = 0;
    for (const ProfileStep& step : steps) {
      sum += step.weight;
      points.push_back(
          {Short(step.cost), Json::parse(fmt::format("{:.4g}", sum / total)), step.text});
      file.rows.push_back({family, step.cost, sum / total});
    }
    const std::string not_run = fmt::format("{:.0f} %", 100 * open / total);
    figure.table.rows.push_back(
        {{family},
         NumberCell(fmt::format("{:.0f} %", 100 * sum / total), sum / total),
         NumberCell(not_run, open / total)});
    series.push_back({{"name", family},
                      {"family", family},
                      {"end", open > 0 ? not_run + " of the targets not run yet" : ""},
                      {"views", Json::array({std::move(points)})},
                      {"bands", Json::array({Band(steps, weighed, clusters)})}});
  }
  figure.csv = AddFile(document, std::move(file));
  double open = 0;
  for (const WeighedTarget& one : weighed) open += IsOpenForAll(*one.target) ? one.weight : 0;
  figure.data = {{"series", std::move(series)},
                 {"open",
                  {{"share", open / total},
                   {"text", fmt::format("{:.0f} % not run yet", 100 * open / total)}}},
                 {"views",
                  {{{"label", ""},
                    {"x", "CPU time / (bodies × end time / T)"},
                    {"y", "share of targets"},
                    {"unit", "s"}}}}};
  return figure;
}

// Answers of one line -------------------------------------------------------------------------------

struct Question {
  const char* text;
  // Of a problem that may answer it: how well, more is better.
  std::optional<double> (*fitness)(const ProblemResults& problem);
};

constexpr double kPreferred = 1e-6, kCoarser = 1e-3;  // errors at which answers are given
constexpr double kAskedBodies = 500, kFewestBodies = 100, kMostBodies = 2500;

// A tree where one was measured.
std::optional<double> LargeMechanism(const ProblemResults& problem) {
  constexpr double kNoTree = 100;
  const double bodies = problem.record.bodies.value_or(0);
  if (bodies < kFewestBodies || bodies > kMostBodies) return std::nullopt;
  const bool is_tree = KindOf(problem).find("trees") == 0;
  return -std::abs(std::log(bodies / kAskedBodies)) - (is_tree ? 0 : kNoTree);
}
std::optional<double> LongLoop(const ProblemResults& problem) {
  if (problem.record.loops.value_or(0) <= 0) return std::nullopt;
  const auto end = problem.record.end_time, time = problem.record.time;
  return end && time && *time > 0 ? std::optional(*end / *time) : std::nullopt;
}
// Of these the one on which most families ended.
std::optional<double> Driven(const ProblemResults& problem) {
  if (KindOf(problem).find("driven") != 0) return std::nullopt;
  std::set<std::string> families;
  for (const Cell& cell : problem.cells) {
    if (cell.finished() && cell.cpu && cell.error) families.insert(MethodKey(cell.method));
  }
  return static_cast<double>(families.size());
}

constexpr Question kQuestions[] = {{"Large mechanism", LargeMechanism},
                                   {"Loop, long motion", LongLoop},
                                   {"Stiff, driven or damped", Driven}};

const Target* TargetOf(const std::vector<Target>& targets, const ProblemResults& problem,
                       double error) {
  for (const Target& target : targets) {
    if (target.problem == &problem && target.error == error && target.Fastest()) return &target;
  }
  return nullptr;
}

// The fastest families at a target, first those that are the fastest or not known to be slower. `verdict` is that of
// all of them, where they have the same.
Json Ranking(const Target& target, const std::vector<std::string>& families, std::string& text,
             std::string& verdict_of_all) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<const Attempt*> ranked;
  for (const std::string& family : families) {
    if (const Attempt* best = BestOfFamily(target, family)) ranked.push_back(best);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const Attempt* a, const Attempt* b) {
    return a->time.seconds < b->time.seconds;
  });
  std::vector<TimeAtError> all;
  for (const Attempt* one : ranked) all.push_back(one->time);
  if (ranked.size() > kMostNamed) ranked.resize(kMostNamed);
  verdict_of_all = VerdictAmong(ranked[0]->time, all);
  for (const Attempt* one : ranked) {
    if (VerdictAmong(one->time, all) != verdict_of_all) verdict_of_all.clear();
  }
  Json places = Json::array();
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const auto ratio = RatioOf(ranked[i]->time, ranked[0]->time);
    const std::string verdict = VerdictAmong(ranked[i]->time, all);
    const std::string how = fmt::format(
        "{}{}", i > 0 && ratio ? "× " + FormatRatio(*ratio) : FormatTime(ranked[i]->time),
        i == 0 || !verdict_of_all.empty() ? "" : ", " + verdict);
    const std::string more = fmt::format(
        "{} with {}: {}{}", ranked[i]->method, ranked[i]->integrator, FormatTime(ranked[i]->time),
        i == 0 || !ratio ? "" : "; ratio " + Describe(ratio->spread));
    places.push_back({{"family", MethodKey(ranked[i]->method)},
                      {"how", how},
                      {"more", more},
                      {"leads", verdict != NameOf(Verdict::kSlower)}});
    text += fmt::format("{}{} ({})", i == 0 ? "" : "; ", ranked[i]->method, how);
  }
  if (ranked.size() < 2) verdict_of_all.clear();
  if (!verdict_of_all.empty()) text += ": " + verdict_of_all;
  return places;
}

// With the command that goes on, where a run is unfinished.
std::string NotMeasured(const Comparison& comparison) {
  for (const Run* run : comparison.runs) {
    if (run->finished.empty())
      return fmt::format("not measured yet; {} goes on", Code(CommandToResume(run->command)));
  }
  return "not measured in this store";
}

Figure AnswersFigure(const Comparison& comparison, const std::vector<Target>& targets,
                     const MechanismMap& map) {
  Figure figure;
  figure.kind = "answers";
  figure.title = "Which family is the fastest";
  figure.summary =
      std::string(
          "CPU time at equal error, each family with its best variant and integrator. Bold: not "
          "known to be slower than another. ") +
      kVerdictRule + ".";
  figure.table = {"Which family is the fastest", {{"for"}, {"on"}, {"answer"}}};
  Json items = Json::array();
  for (const Question& question : kQuestions) {
    const ProblemResults* chosen = nullptr;
    const Target* target = nullptr;
    double best = 0;
    for (const ProblemResults& problem : comparison.problems) {
      const auto fitness = IsJudged(problem) ? question.fitness(problem) : std::nullopt;
      if (!fitness || (chosen && *fitness <= best)) continue;
      const Target* reached = nullptr;
      for (const double error : {kPreferred, kCoarser}) {
        if (!reached) reached = TargetOf(targets, problem, error);
      }
      if (reached) chosen = &problem, target = reached, best = *fitness;
    }
    std::string text;
    Json item = {
        {"question", question.text}, {"problem", ""}, {"route", ""}, {"places", Json::array()}};
    if (chosen) {
      item["problem"] = fmt::format("{} at {}{}", chosen->name, FormatError(target->error),
                                    target->error == kPreferred
                                        ? ""
                                        : fmt::format("; {} not reached", FormatError(kPreferred)));
      item["route"] = ProblemRoute(*chosen);
      std::string verdict;
      item["places"] = Ranking(*target, map.families, text, verdict);
      item["verdict"] = verdict;
    } else {
      text = NotMeasured(comparison);
      item["absent"] = text;
    }
    figure.table.rows.push_back({{question.text}, {item["problem"].get<std::string>()}, {text}});
    items.push_back(std::move(item));
  }
  figure.data = {{"items", std::move(items)}};
  return figure;
}

// Growth --------------------------------------------------------------------------------------------

// Of the family of problems with the widest range of bodies; per family of methods the least cost at each size.
// Nothing where no range is wide enough to see growth.
std::optional<Figure> SparkFigure(const Comparison& comparison) {
  const std::vector<FamilyScaling> all = Scaling(comparison);
  const FamilyScaling* widest = nullptr;
  double most = 0;
  for (const FamilyScaling& family : all) {
    for (const ScalingCurve& curve : family.evaluations) {
      if (curve.of != "accelerations") continue;
      const double range = curve.points.back().bodies / curve.points.front().bodies;
      if (range >= kLeastRange && range > most) most = range, widest = &family;
    }
  }
  if (!widest) return std::nullopt;
  std::vector<CurveOf<ScalingPoint>> curves;
  for (const ScalingCurve& curve : widest->evaluations) {
    if (curve.of != "accelerations") continue;
    const std::string family = MethodKey(curve.method);
    auto& points = FindOrAdd(
                       curves, [&](const auto& one) { return one.style["name"] == family; },
                       CurveOf<ScalingPoint>{{{"name", family}, {"family", family}}})
                       .points;
    for (ScalingPoint point : curve.points) {
      point.method = family;
      ScalingPoint& known = FindOrAdd(
          points, [&](const auto& one) { return one.bodies == point.bodies; }, point);
      if (*point.value < *known.value) known = point;
    }
    std::ranges::sort(points, {}, &ScalingPoint::bodies);
  }
  Figure figure = ChartOf<ScalingPoint>(
      {.title = "Cost per body on " + widest->family,
       .summary = "Nanoseconds per body for one evaluation of all accelerations, against the "
                  "number of bodies, both logarithmic. A horizontal line is linear cost.",
       .table = {"Cost per body on " + widest->family}},
      {"bodies", ""}, curves,
      [](const ScalingPoint& point) -> Json {
        return {point.bodies, Short(*point.value)};
      },
      {{{"methods"}, &ScalingPoint::method},
       {CountColumn("bodies"), [](auto& p) { return p.bodies; }},
       {DigitsColumn("ns per body", 3), [](auto& p) { return p.value; }}});
  figure.kind = "spark";
  figure.data["route"] = "scaling";
  return figure;
}

// Claims --------------------------------------------------------------------------------------------

Figure ClaimsFigure(const Comparison& comparison) {
  Figure figure;
  figure.kind = "claims";
  figure.title = "Claims of papers";
  figure.summary = "Verdicts by the cells of this store.";
  for (const Standing standing : {Standing::kHolds, Standing::kPartly, Standing::kFails,
                                  Standing::kNotMeasured, Standing::kCannotBeTested})
    figure.summary += fmt::format(" {}: {}.", SignOf(standing), NameOf(standing));
  figure.table = {"Claims of papers", {{"paper"}, {"claim"}, {"verdict"}}};
  Json items = Json::array();
  for (const PaperClaim& claim : AllPaperClaims(comparison)) {
    items.push_back({{"source", claim.source},
                     {"claim", claim.claim},
                     {"label", claim.label},
                     {"sign", SignOf(claim.standing)},
                     {"standing", NameOf(claim.standing)},
                     {"tone", ToneOf(claim.standing)},
                     {"verdict", claim.remark}});
    figure.table.rows.push_back({{claim.source}, {claim.claim}, {NameOf(claim.standing)}});
  }
  figure.data = {{"items", std::move(items)}, {"route", "validation"}, {"table", kClaimsCaption}};
  return figure;
}

}  // namespace

Section OverviewSection(const Comparison& comparison, Document& document) {
  Section section{"overview", "Overview", {}};
  section.blocks.push_back(StatusFigure(comparison));
  const std::string evaluated = comparison.EvaluationsInWords();
  if (comparison.CellCount() == 0 && evaluated.empty()) {
    section.blocks.push_back(Paragraph{fmt::format(
        "This store holds no finished cell: the run was stopped before its first one, or nothing "
        "was selected. {} goes on.",
        Code(CommandToResume(comparison.results->runs.back().command)))});
    return section;
  }
  const std::vector<Target> targets = Targets(comparison);
  const MechanismMap map = MakeMechanismMap(comparison, targets);
  if (!map.kinds.empty()) {
    section.blocks.push_back(MapFigure(comparison, map, document));
    section.blocks.push_back(ProfileFigure(targets, map, document));
    section.blocks.push_back(AnswersFigure(comparison, targets, map));
  } else if (comparison.CellCount() == 0) {
    section.blocks.push_back(Paragraph{
        evaluated +
        " Their cost, that of loops too, is under Scaling, their errors under Validation."});
  } else {
    section.blocks.push_back(
        Paragraph{"No cell has an error, so there is nothing to compare: no motion was run, none "
                  "finished, or no "
                  "reference is held. The reasons stand below the outcome matrix."});
  }
  AddIfAny(SparkFigure(comparison), section);
  section.blocks.push_back(ClaimsFigure(comparison));
  return section;
}

Section MapSection(const Comparison& comparison, Document& document) {
  Section section{"map", "The map in detail", {}};
  const MechanismMap map = MakeMechanismMap(comparison, Targets(comparison));
  Table table{kMapDetail,
              {{"problem"},
               {"mechanism"},
               {"methods"},
               {"measure"},
               {"standing"},
               {"value", true},
               {"CPU time", true, "cpu_s"},
               {"best variant"},
               {"with"}}};
  for (const MapMeasure& measure : map.measures) {
    for (std::size_t k = 0; k < map.kinds.size(); ++k) {
      for (std::size_t f = 0; f < map.families.size(); ++f) {
        for (const MapEntry& entry : measure.fields[k][f].entries) {
          const bool is_reached = entry.standing == MapStanding::kReached;
          const bool is_timed = is_reached && entry.seconds > 0;
          table.rows.push_back(
              {ProblemCell(*entry.problem),
               {map.kinds[k]},
               {map.families[f]},
               {measure.label},
               {is_reached && entry.is_bound ? "reached, at most" : NameOf(entry.standing)},
               is_reached ? NumberCell(FormatValue(measure, entry.value), entry.value)
                          : TableCell{"-"},
               is_timed ? SecondsCell(entry.seconds) : TableCell{"-"},
               {entry.method},
               {entry.integrator}});
        }
      }
    }
  }
  if (table.rows.empty()) return section;
  AddTable(std::move(table), "overview_map_problems.csv", section, document);
  return section;
}

}  // namespace mbsbench::reports
