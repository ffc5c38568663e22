// The share of all targets that each family of methods reaches within a CPU time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "reports/analysis/mechanism_map.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/overview.h"

namespace mbsbench::reports {

namespace {

struct WeighedTarget {
  const Target* target;
  std::size_t cluster;  // a family of problems, which counts as one problem
  double weight;
};

std::vector<WeighedTarget> Weighed(const std::vector<Target>& targets, std::size_t& clusters) {
  std::vector<std::string> families;
  std::vector<std::set<const ProblemResults*>> members;
  std::vector<WeighedTarget> weighed;
  for (const Target& target : targets) {
    if (target.unit_seconds <= 0) continue;
    const std::size_t cluster = AddOnce(families, CountedFamilyOf(*target.problem));
    members.resize(families.size());
    members[cluster].insert(target.problem);
    weighed.push_back({&target, cluster, 0});
  }
  for (WeighedTarget& one : weighed)
    one.weight = 1. / static_cast<double>(members[one.cluster].size());
  clusters = families.size();
  return weighed;
}

struct ProfileStep {
  double cost, weight;
  std::size_t cluster;
  std::string text;
};

// The profile at a cost, with each family of problems drawn `times` times.
double FractionAt(const std::vector<ProfileStep>& steps, double cost,
                  const std::vector<double>& times, double total) {
  double sum = 0;
  for (const ProfileStep& step : steps) {
    if (step.cost > cost) break;
    sum += step.weight * times[step.cluster];
  }
  return sum / total;
}

// The interval that contains the middle 95 % of the statistics of resampled data.
Interval Middle95(std::vector<double> statistics) {
  std::sort(statistics.begin(), statistics.end());
  const auto at = [&statistics](double share) {
    return statistics[static_cast<std::size_t>(
        std::lround(share * static_cast<double>(statistics.size() - 1)))];
  };
  return {at(0.025), at(0.975)};
}

Json Band(const std::vector<ProfileStep>& steps, const std::vector<WeighedTarget>& targets,
          std::size_t clusters) {
  constexpr int kResamples = 200, kPlaces = 24;
  std::mt19937 random(3);
  std::uniform_int_distribution<std::size_t> any(0, clusters - 1);
  std::vector<double> places;
  const double from = std::log(steps.front().cost), to = std::log(steps.back().cost);
  for (int i = 0; i <= kPlaces; ++i) places.push_back(std::exp(from + (to - from) * i / kPlaces));
  places.back() = steps.back().cost;  // despite round-off
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

}  // namespace

Figure ProfileFigure(const std::vector<Target>& targets, const MechanismMap& map,
                     Document& document) {
  Figure figure;
  figure.kind = "distribution";
  figure.title = "Share of all targets reached within a time";
  figure.summary =
      "A target is a problem and an error of the plan that the problem and its reference allow. A "
      "curve is the share of all targets that a family of methods reaches "
      "within a CPU time, with its best variant and integrator. The time is divided by the bodies "
      "and by the end time in units of T, the characteristic time of the problem; of a system that "
      "grows, by its mean number of bodies and by the end that it reached. Higher and further left "
      "is better. A curve ends at the last target that the family reached; targets for which no "
      "cell of it was planned count as not reached. The grey field holds targets that no method "
      "reached and whose cells were not run or timed yet. All members of one family of problems, "
      "its sizes and variants, count as one problem together; members with closed loops are a "
      "family of their own. The band of a curve, shown when the "
      "curve is pointed at, holds 95 % of resampled families of problems. No curve depends on "
      "another.";
  figure.table = {"Share of the targets reached",
                  {{"methods"},
                   {"share", true},
                   {"not run or timed yet", true, "not run yet"},
                   {"not planned", true}}};
  std::size_t clusters = 0;
  const std::vector<WeighedTarget> weighed = Weighed(targets, clusters);
  double total = 0;
  for (const WeighedTarget& one : weighed) total += one.weight;
  CsvFile file{"overview_profile.csv", {"methods", "cpu_s_per_body_and_time", "share"}};
  Json series = Json::array();
  for (const std::string& family : map.families) {
    std::vector<ProfileStep> steps;
    double open = 0, not_planned = 0;
    for (const WeighedTarget& one : weighed) {
      const Attempt* best = BestOfFamily(*one.target, family);
      if (!best) {
        // Cells of the family that are still to be run may reach it, or none were planned.
        auto attempts = AttemptsOf(*one.target, family);
        if (std::ranges::any_of(attempts, [](auto& other) { return other.time.is_open(); })) {
          open += one.weight;
        } else if (std::ranges::none_of(attempts, &Attempt::was_asked)) {
          not_planned += one.weight;
        }
        continue;
      }
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
         NumberCell(not_run, open / total),
         NumberCell(fmt::format("{:.0f} %", 100 * not_planned / total), not_planned / total)});
    series.push_back({{"name", family},
                      {"family", family},
                      {"end", open > 0 ? not_run + " of the targets not run or timed yet" : ""},
                      {"views", Json::array({std::move(points)})},
                      {"bands", Json::array({Band(steps, weighed, clusters)})}});
  }
  figure.csv = AddFile(document, std::move(file));
  double open = 0;
  for (const WeighedTarget& one : weighed) open += IsOpenForAll(*one.target) ? one.weight : 0;
  figure.data = {{"series", std::move(series)},
                 {"open",
                  {{"share", open / total},
                   {"text", fmt::format("{:.0f} % not run or timed yet", 100 * open / total)}}},
                 {"views",
                  {{{"label", ""},
                    {"x", "CPU time / (bodies × end time / T)"},
                    {"y", "share of targets"},
                    {"unit", "s"}}}}};
  return figure;
}

}  // namespace mbsbench::reports
