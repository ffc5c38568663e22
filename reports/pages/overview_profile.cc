// The share of all targets that each family of methods reaches within a CPU time.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/analysis/mechanism_map.h"
#include "reports/format/format.h"
#include "reports/pages/overview.h"

namespace mbsbench::reports {

namespace {

struct WeighedTarget {
  const Target* target;
  double weight;
};

// A family of problems counts as one problem.
std::vector<WeighedTarget> Weighed(const std::vector<Target>& targets) {
  std::map<std::string, std::set<const ProblemResults*>> members;
  for (const Target& target : targets) {
    if (target.unit_seconds > 0) members[CountedFamilyOf(*target.problem)].insert(target.problem);
  }
  std::vector<WeighedTarget> weighed;
  for (const Target& target : targets) {
    if (target.unit_seconds > 0)
      weighed.push_back(
          {&target, 1. / static_cast<double>(members[CountedFamilyOf(*target.problem)].size())});
  }
  return weighed;
}

struct ProfileStep {
  double cost, weight;
  std::string text;
};

}  // namespace

Figure ProfileFigure(const std::vector<Target>& targets, const MechanismMap& map,
                     Document& document) {
  Figure figure;
  figure.kind = "distribution";
  figure.title = "Share of all targets reached within a time";
  figure.summary =
      "A target is a problem and an error of the plan that the problem and its reference allow. A "
      "curve is the share of all targets that a family of methods reaches within a CPU time, with "
      "its best variant and integrator. The time is divided by the bodies and by the end time in "
      "units of T, the characteristic time of the problem (of a system that grows: by its mean "
      "number of bodies and the end that it reached). Higher and further left is better. A "
      "curve ends at the last target that the family reached; targets for which no cell of it was "
      "planned count as not reached. The grey field holds targets that no method reached and whose "
      "cells were not run or timed yet. The sizes and variants of a problem count as one problem "
      "together; those with closed loops are a family of their own.";
  figure.table = {"Share of the targets reached",
                  {{"methods"},
                   {"share", true},
                   {"not run or timed yet", true, "not run yet"},
                   {"refused or not planned", true}}};
  const std::vector<WeighedTarget> weighed = Weighed(targets);
  double total = 0;
  for (const WeighedTarget& one : weighed) total += one.weight;
  CsvFile file{"overview_profile.csv", {"methods", "cpu_s_per_body_and_time", "share"}};
  Json series = Json::array();
  for (const std::string& family : map.families) {
    std::vector<ProfileStep> steps;
    double open = 0, not_planned = 0;
    for (const WeighedTarget& one : weighed) {
      const BestTime* best = BestOfFamily(*one.target, family);
      if (!best) {
        // Cells of the family that are still to be run may reach it.
        auto times = TimesOfFamily(*one.target, family);
        if (std::ranges::any_of(times, [](auto& other) { return other.time.is_open(); }))
          open += one.weight;
        else if (times.empty())
          not_planned += one.weight;
        continue;
      }
      steps.push_back({best->time.seconds / one.target->unit_seconds, one.weight,
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
      points.push_back({Short(step.cost), DrawnNumber(sum / total), step.text});
      file.rows.push_back({family, step.cost, sum / total});
    }
    const std::string not_run = fmt::format("{:.0f} %", 100 * open / total);
    figure.table.rows.push_back(
        {{family},
         NumberCell(fmt::format("{:.0f} %", 100 * sum / total), sum / total),
         NumberCell(not_run, open / total),
         NumberCell(fmt::format("{:.0f} %", 100 * not_planned / total), not_planned / total)});
    series.push_back({{"name", family},
                      {"family", family},
                      {"end", open > 0 ? not_run + " of the targets not run or timed yet" : ""},
                      {"steps", std::move(points)}});
  }
  figure.csv = AddFile(document, std::move(file));
  double open = 0;
  for (const WeighedTarget& one : weighed) open += IsOpenForAll(*one.target) ? one.weight : 0;
  figure.data = {{"series", std::move(series)},
                 {"open",
                  {{"share", open / total},
                   {"text", fmt::format("{:.0f} % not run or timed yet", 100 * open / total)}}},
                 {"x", "CPU time / (bodies × end time / T)"},
                 {"y", "share of targets"}};
  return figure;
}

}  // namespace mbsbench::reports
