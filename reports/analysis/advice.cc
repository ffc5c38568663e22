#include "reports/analysis/advice.h"
#include "reports/analysis/stalled.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/analysis/cells.h"
#include "reports/analysis/time_at_target.h"
#include "reports/format/format.h"
#include "reports/format/report_error.h"

namespace mbsbench::reports {

namespace {

constexpr double kDriftRoundOff = 1e-12;  // in units of L; smaller drift does not count
constexpr double kGrowth = 3;
// Drift in the last third of the motion over that in the middle third. On three closed mechanisms, from rest and in motion,
// it was at least 1.7 where nothing holds the constraints (linear growth gives 5/3), and 1.1 where drift only followed a
// motion that picks up speed.
constexpr double kGoesOn = 1.4;

// Whether the drift grows in at least half of the method's cells that drift beyond round-off, with any integrator. A single
// cell is no evidence: with a stabilised method, drift grew by chance in one of eight cells; with others, in seven.
bool DriftGrows(const Comparison& comparison, const ProblemResults& problem,
                const std::string& method) {
  std::vector<std::int64_t> rows;
  for (const Cell& cell : problem.cells) {
    if (cell.method == method && cell.finished() && cell.accuracy != nullptr)
      rows.push_back(cell.accuracy->number);
  }
  int drifting = 0, growing = 0;
  for (const auto& [row, record] : ReadFullRecords(comparison.results->path, rows)) {
    bool drifts = false, grows = false;
    const AccuracyRecord& accuracy = OrNone(record.accuracy);
    for (const auto* drift : {&accuracy.position_drift, &accuracy.velocity_drift}) {
      drifts = drifts || std::any_of(drift->begin(), drift->end(),
                                     [](double d) { return d > kDriftRoundOff; });
      grows = grows || Grows(IfFinite(*drift));
    }
    drifting += drifts ? 1 : 0;
    growing += grows ? 1 : 0;
  }
  return growing > 0 && 2 * growing >= drifting;
}

}  // namespace

bool Grows(const std::vector<std::optional<double>>& drift) {
  std::vector<double> thirds[3];
  double largest = 0;
  // At the start there is no drift yet.
  for (std::size_t i = 1; i < drift.size(); ++i) {
    if (!drift[i]) continue;
    largest = std::max(largest, *drift[i]);
    thirds[std::min<std::size_t>(2, 3 * (i - 1) / (drift.size() - 1))].push_back(*drift[i]);
  }
  if (std::any_of(std::begin(thirds), std::end(thirds), [](const auto& t) { return t.empty(); }))
    return false;
  const double first = Median(thirds[0]), middle = Median(thirds[1]), last = Median(thirds[2]);
  return largest > kDriftRoundOff && last > kGrowth * first && middle > kGrowth / 2 * first &&
         last > kGoesOn * middle;
}

Advice AdviceOf(const std::filesystem::path& store, const std::string& name, double error,
                const OtherFault& other_fault) {
  const Results results = ReadResults(store);
  const Comparison comparison = Compare(results);
  const ProblemResults* problem = comparison.Find(name);
  if (!problem)
    throw ReportError(fmt::format(
        "the store '{}' holds no results of '{}': give it more --minutes.", store.string(), name));
  const Ranking ranking = Rank(BestOfEachMethod(comparison, *problem, error));
  const std::vector<StalledCurve> stalled = StalledCurves(comparison, *problem);
  Advice advice;
  advice.has_rivals = HasRivals(*problem, Rivals::kMethods);
  std::vector<RankedMethod> fallen;
  for (const std::size_t place : ranking.order) {
    const BestTime& best = ranking.times[place];
    RankedMethod c;
    c.method = best.method;
    c.integrator = best.integrator;
    const Cell* const cell = best.time.cell;
    if (!best.time.known()) {
      c.fault = best.time.kind == TimeAtError::Kind::kNotJudgeable
                    ? fmt::format("no error below {} can be judged on this problem",
                                  FormatError(problem->record.KnownError()))
                    : DescribeTime(best.time);
    } else {
      c.setting = cell->Setting();
      c.command = cell->command;
      c.seconds = best.time.seconds;
      c.error = cell->error;
      c.position_drift = cell->position_drift;
      c.energy_drift = cell->energy_drift;
      if (cell->position_drift && *cell->position_drift > error)
        c.fault = fmt::format("its constraints drift by {}", FormatError(*cell->position_drift));
      else if (DriftGrows(comparison, *problem, best.method))
        c.fault = "its constraint drift grows over the motion";
      else if (const auto one = std::ranges::find(stalled, best.method, &StalledCurve::method);
               one != stalled.end())
        c.fault = fmt::format("its error stops falling at {}", FormatError(one->error));
      else if (other_fault && advice.methods.size() < 2)
        c.fault = other_fault(best.method);
    }
    (c.fault.empty() ? advice.methods : fallen).push_back(std::move(c));
  }
  const auto time_of = [&ranking](const RankedMethod& one) -> const TimeAtError& {
    return std::ranges::find(ranking.times, one.method, &BestTime::method)->time;
  };
  for (RankedMethod& one : advice.methods) {
    const TimeRatio ratio = *RatioOf(time_of(one), time_of(advice.methods.front()));
    const std::string why = ratio.WhyOpen();
    one.against_first = fmt::format("takes {} ({}) times as long, {}{}", FormatRatio(ratio.value),
                                    SpreadInWords(ratio.spread), NameOf(ratio.Verdict()),
                                    why.empty() ? "" : ": " + why);
  }
  advice.methods.insert(advice.methods.end(), fallen.begin(), fallen.end());
  return advice;
}

}  // namespace mbsbench::reports
