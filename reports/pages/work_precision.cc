// Work-precision diagram of one problem: error against CPU time, one curve per method and
// integrator.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "reports/analysis/outcomes.h"
#include "reports/analysis/stalled.h"
#include "reports/analysis/time_at_target.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

// The problem as other runs have it, if it is the same mechanism.
std::vector<const ProblemResults*> ArchivedResults(const Comparison& comparison,
                                                   const ProblemResults& problem) {
  std::vector<const ProblemResults*> all;
  for (const ArchivedRun& run : comparison.archived) {
    const auto own = std::ranges::find(run.problems, problem.name, &ProblemResults::name);
    if (own != run.problems.end() &&
        !IsOtherMechanism(own->record.problem_hash, problem.record.problem_hash))
      all.push_back(&*own);
  }
  return all;
}

// `all`: the problem, and what archives hold of it.
Table PointsTable(const ProblemResults& problem, const std::vector<const ProblemResults*>& all) {
  std::vector<Cell> cells;
  for (const ProblemResults* one : all)
    cells.insert(cells.end(), one->cells.begin(), one->cells.end());
  std::vector<ColumnOf<Cell>> columns = {
      {FileColumn("problem"), &Cell::problem},
      {{"method"}, &Cell::method},
      {OnPage({"integrator"}), [](auto& c) { return c.integrator.empty() ? "any" : c.integrator; }},
      {FileColumn("integrator"), &Cell::integrator},
      {OnPage({"setting"}),
       [](const Cell& cell) {
         return TableCell{cell.Setting(),
                          OptionalNumber(cell.tolerance ? cell.tolerance : cell.step)};
       }},
      {FileColumn("tolerance"), &Cell::tolerance},
      {FileColumn("step_s"), &Cell::step},
      {{"outcome"}, OutcomeCell},
      {{"error", true, "error_max"}, [&problem](auto& c) { return ErrorCell(problem, c); }},
      {OnPage(ErrorColumn("error / tolerance")), &Cell::ErrorOverTolerance},
      {SecondsColumn("CPU time", "cpu_minimum_s"), [](auto& c) { return c.CpuMinimum(); }},
      {SecondsColumn("upper quartile", "cpu_upper_quartile_s"),
       [](auto& c) { return c.cpu ? std::optional(c.cpu->upper_quartile) : std::nullopt; }},
      {FileColumn("rounds"), &Cell::TimedRounds},
      {OnPage({"steps", true}), [](auto& c) { return c.counters.steps; }},
      {OnPage({"evaluations", true}), [](auto& c) { return c.counters.evaluations; }},
      {OnPage({"reason"}), &Cell::reason},
      {FileColumn("command"), &Cell::command}};
  if (all.size() > 1) columns.push_back({{"archive"}, &Cell::archive});
  return TableOf<Cell>("Every cell of the problem", columns, cells);
}

bool HasTime(const Cell& cell) { return cell.cpu && cell.cpu->minimum > 0; }
bool HasWork(const Cell& cell) { return cell.counters.evaluations.value_or(0) > 0; }

// Whether a cell is a point of the diagram, whose log axis cannot show an error of zero.
bool HasPoint(const Cell& cell) {
  return cell.finished() && cell.error > 0. && (HasTime(cell) || HasWork(cell));
}

// Why times are doubtful, one line for all cells of a curve with the same reason.
std::vector<std::string> Cautions(const ProblemResults& problem) {
  Groups<std::pair<std::string, std::string>, std::string> settings;  // by curve and reason
  for (const Cell& cell : problem.cells) {
    if (!cell.caution.empty())
      GroupOf(std::pair(cell.Curve(), cell.caution), settings).push_back(cell.Setting());
  }
  std::vector<std::string> cautions;
  for (const auto& [of, all] : settings)
    cautions.push_back(
        fmt::format("Caution: {}, {}: {}", of.first, fmt::join(all, " and "), of.second));
  return cautions;
}

// The curve of each family of methods that is the fastest at the finest target that the family reaches.
std::set<std::string> BestCurves(const Comparison& comparison, const ProblemResults& problem) {
  std::map<std::string, std::string> curves;  // by family
  for (const double target : comparison.targets) {
    for (const BestTime& best : BestOfEachFamily(comparison, problem, target)) {
      if (best.time.known()) curves[MethodKey(best.method)] = best.time.cell->Curve();
    }
  }
  std::set<std::string> names;
  for (const auto& [family, curve] : curves) names.insert(curve);
  return names;
}

// What the diagram can show of a cell beside its error and its drifts.
struct Ordinate {
  std::string name;
  std::function<MaybeNumber(const Cell&)> of;
};

const std::vector<LibraryResult>& MeasuresOf(const Cell& cell) {
  return OrNone(RecordOf(cell).accuracy).library_measures;
}

// The reactions of both kinds, the first quantity that others print for the end, and the measures of the problem's library;
// those that a cell has.
std::vector<Ordinate> FurtherOrdinates(const ProblemResults& problem) {
  std::vector<Ordinate> all{{"reactions, largest over time", &Cell::error_reactions},
                            {"reactions of steps", &Cell::error_algorithmic_reactions}};
  const std::vector<PrintedValueRecord>& published = problem.record.published;
  const auto last = std::ranges::max_element(published, {}, [](const PrintedValueRecord& value) {
    return value.difference && value.event.empty() ? value.time.value_or(-1) : -1;
  });
  if (last != published.end() && last->difference && last->time) {
    all.push_back({fmt::format("{} at {} s", last->quantity, FormatDigits(*last->time, 6)),
                   [last](const Cell& cell) -> MaybeNumber {  // from our reference, not from theirs
                     const PublishedComparison* own = FindOwnValue(cell, *last);
                     if (own == nullptr) return std::nullopt;
                     return IfFinite(std::abs(own->difference - *last->difference));
                   }});
  }
  std::vector<std::string> measures;
  for (const Cell& cell : problem.cells)
    for (const LibraryResult& one : MeasuresOf(cell)) AddOnce(measures, one.name);
  for (const std::string& name : measures) {
    const bool is_digits = name.starts_with("mescd");
    all.push_back({(is_digits ? "10 to the minus " : "") + name,
                   [name, is_digits](const Cell& cell) -> MaybeNumber {
                     const auto one =
                         std::ranges::find(MeasuresOf(cell), name, &LibraryResult::name);
                     if (one == MeasuresOf(cell).end() || !one->value) return std::nullopt;
                     return is_digits ? std::pow(10, -*one->value) : *one->value;
                   }});
  }
  std::erase_if(all, [&problem](const Ordinate& one) {
    return std::ranges::none_of(problem.cells, [&](const Cell& c) { return one.of(c) > 0; });
  });
  return all;
}

std::string DescribePoint(const ProblemResults& problem, const Cell& cell) {
  std::string text =
      fmt::format("{}: {}, error {}", cell.Setting(), cell.outcome, ErrorInWords(problem, cell));
  if (HasTime(cell))
    text += fmt::format(", CPU {} (to {} over {})", FormatSeconds(cell.cpu->minimum),
                        FormatSeconds(cell.cpu->upper_quartile), Plural(cell.cpu->rounds, "round"));
  if (HasWork(cell)) text += ", " + Plural(*cell.counters.evaluations, "evaluation");
  return text;
}

}  // namespace

Figure WorkPrecisionFigure(const Comparison& comparison, const ProblemResults& problem,
                           Document& document) {
  Figure figure;
  figure.kind = "work-precision";
  figure.title = "Work-precision diagram of " + problem.name;
  figure.command = CommandOf(problem);
  std::vector<const ProblemResults*> all = ArchivedResults(comparison, problem);
  all.insert(all.begin(), &problem);
  figure.table = PointsTable(problem, all);
  figure.notes = Cautions(problem);
  FileFigure("work_precision." + problem.stem + ".csv", figure, document);

  const auto drift = [](const std::optional<double>& value) {
    return value && *value > 0 ? Json(*value) : Json();
  };
  const std::vector<Ordinate> further = FurtherOrdinates(problem);
  const std::set<std::string> best_curves = BestCurves(comparison, problem);
  Json series = Json::array(), best = Json::array();
  int drawn = 0, timed = 0, curves = 0;  // of this store
  const auto point = [&](const Cell& cell) -> Json {
    if (!cell.finished() || (!HasTime(cell) && !HasWork(cell))) return nullptr;
    const bool has_error = HasPoint(cell), is_own = cell.archive.empty();
    const Json drifts = {drift(cell.energy_drift), drift(cell.position_drift),
                         drift(cell.velocity_drift)};
    if (!has_error && drifts == Json{nullptr, nullptr, nullptr}) return nullptr;
    drawn += is_own && has_error;
    timed += has_error && HasTime(cell);
    Json drawn_as = {HasTime(cell) ? Json(cell.cpu->minimum) : Json(),
                     has_error ? Json(*cell.error) : Json(),
                     HasTime(cell) ? Json(cell.cpu->upper_quartile) : Json(),
                     cell.outcome == "ok" ? 1 : 0,
                     DescribePoint(problem, cell),
                     drifts[0],
                     drifts[1],
                     drifts[2],
                     is_own ? Json(CellRoute(problem, cell)) : Json(),
                     HasWork(cell) ? Json(*cell.counters.evaluations) : Json(),
                     cell.counters.steps.value_or(0) > 0 ? Json(*cell.counters.steps) : Json()};
    for (const Ordinate& one : further) drawn_as.push_back(drift(one.of(cell)));
    return drawn_as;
  };
  for (const ProblemResults* results : all) {
    for (const Curve& curve : Ladders(*results)) {
      Json points = Json::array();
      for (const Cell* cell : curve.cells) {
        if (Json one = point(*cell); !one.is_null()) points.push_back(std::move(one));
      }
      if (points.empty()) continue;
      const std::string& archive = curve.cells.front()->archive;
      Json one =
          CurveStyle(comparison, curve.method, curve.integrator,
                     curve.name + (archive.empty() ? "" : ", " + archive), curve.second_ladder);
      if (!archive.empty()) one["archived"] = true;
      curves += archive.empty();
      one["points"] = std::move(points);
      if (best_curves.contains(curve.cells.front()->Curve()) && !curve.second_ladder)
        best.push_back(series.size());
      series.push_back(std::move(one));
    }
  }
  const Cell* most_accurate = MostAccurate(
      problem, [](const Cell& cell) { return cell.integrator != kSteadySolver && HasPoint(cell); });
  const auto estimate = OrNone(problem.record.reference).error_estimate,
             attainable = OrNone(problem.record.reference).attainable_error;
  const bool by_round_off = attainable && *attainable > estimate.value_or(0);
  const auto floor = by_round_off ? attainable : estimate;
  const std::string below = by_round_off ? "below what rounding start and data to double costs"
                                         : "below the reference's own error";
  Json quantities = {"error", "energy drift", "position drift", "velocity drift"};
  for (const Ordinate& one : further) quantities.push_back(one.name);
  figure.data = {{"series", series},
                 {"best", best},
                 {"quantities", quantities},
                 {"levels", comparison.targets},
                 {"floor", floor && *floor > 0 ? Json(*floor) : Json()},
                 {"below_floor", below}};
  for (const StalledCurve& one : StalledCurves(comparison, problem))
    figure.notes.push_back(one.Sentence(problem.name));
  if (drawn == 0) {
    figure.summary = "No cell of this problem has an error and a time or a count of evaluations.";
    return figure;
  }
  figure.summary = fmt::format(
      "Error against CPU time (minimum over rounds), or against evaluations of the equations or "
      "steps, which cells without a time have too: {}, {} of them timed, in {}. Lower and further "
      "left is "
      "better. Hollow points are inaccurate. A click opens a cell. Shown first: of each family the "
      "curve that is the fastest at the finest target that it reaches.",
      Plural(drawn, "cell"), timed, Plural(curves, "curve"));
  if (all.size() > 1)
    figure.summary +=
        " Grey: archived runs, which may be of another machine and are drawn without their times.";
  if (most_accurate)
    figure.summary += fmt::format(
        " The most accurate cell (the cheapest within 10 % of the least error): {} at {}, error "
        "{}{}{}.",
        most_accurate->Curve(), most_accurate->Setting(), Resolved(problem, *most_accurate)->Text(),
        most_accurate->cpu ? " in " + FormatSeconds(most_accurate->cpu->minimum) : "",
        floor && *most_accurate->error < *floor ? ", which is " + below : "");
  return figure;
}

Table CurveEndsTable(const Comparison& comparison, const ProblemResults& problem) {
  struct CurveEnd {
    Curve curve;
    const Cell* best = nullptr;  // the cell with the least error
    std::string why;
    // The largest condition number on its way; empty without one.
    std::optional<MetCondition> Met() const {
      return best ? OrNone(RecordOf(*best).accuracy).condition : std::nullopt;
    }
  };
  const std::vector<StalledCurve> stalled = StalledCurves(comparison, problem);
  const double known = problem.record.KnownError();
  std::vector<CurveEnd> ends;
  for (const Curve& curve : Ladders(problem)) {
    CurveEnd end{.curve = curve, .why = ""};
    const Cell& finest = *curve.cells.back();
    for (const Cell* cell : curve.cells) {
      if (cell->finished() && cell->error && (!end.best || *cell->error < *end.best->error))
        end.best = cell;
    }
    if (std::ranges::none_of(curve.cells, [](auto* cell) { return IsTried(cell->outcome); }))
      continue;
    const auto own = std::ranges::find(stalled, curve.name, &StalledCurve::curve);
    constexpr double kNearKnown = 3;
    if (!finest.finished())
      end.why = fmt::format("{} is not reached: {}{}{}", finest.Setting(), finest.outcome,
                            finest.reason.empty() ? "" : ", ", finest.reason);
    else if (end.best == nullptr)
      end.why = "no error is known";
    else if (*end.best->error <= kNearKnown * known)
      end.why = "the error that rounding start and data to double, or the reference, leaves";
    else if (own != stalled.end())
      end.why =
          fmt::format("a floor from {} to {} that round-off does not explain", own->from, own->to);
    else if (end.best == &finest)
      end.why = "the finest setting that was run; the error still falls";
    else
      end.why = "round-off: finer settings give no smaller error";
    ends.push_back(std::move(end));
  }
  std::vector<ColumnOf<CurveEnd>> columns = {
      {{"curve"}, [](auto& end) { return end.curve.name; }},
      {CountColumn("cells"), [](auto& end) { return end.curve.cells.size(); }},
      {CountColumn("at the end", "finished"),
       [](auto& end) {
         return std::ranges::count_if(end.curve.cells, [](auto* c) { return c->finished(); });
       }},
      {{"least error", true}, [&problem](auto& end) {
         return end.best ? ErrorCell(problem, *end.best) : TableCell("-");
       }}};
  for (const Ordinate& one : FurtherOrdinates(problem)) {
    columns.push_back({ErrorColumn(one.name),
                       [one](auto& end) { return end.best ? one.of(*end.best) : MaybeNumber(); }});
  }
  columns.push_back(
      {{"at"}, [](auto& end) { return end.best ? end.best->Setting() : std::string("-"); }});
  if (std::ranges::any_of(ends, [](auto& end) { return end.Met().has_value(); })) {
    columns.push_back({DigitsColumn("largest condition on the way", 2),
                       [](auto& end) { return end.Met() ? TableCell(end.Met()->number) : "-"; }});
    // Half a sentence, which would make every row six lines high.
    columns.push_back({FileColumn("condition_of"),
                       [](auto& end) { return end.Met() ? TableCell(end.Met()->of) : "-"; }});
  }
  columns.push_back({{"where it stops"}, [](auto& end) { return end.why; }});
  return TableOf<CurveEnd>("Where each curve stops, and why", columns, ends);
}

}  // namespace mbsbench::reports
