// The fastest method of each problem at equal error.
#include <fmt/format.h>

#include <algorithm>

#include "reports/analysis/equal_error.h"
#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

// Of a time that is interpolated, the errors of the two cells between which it lies.
Json ErrorOf(const ErrorTimePoint& cell, const TimeAtError& time) {
  return time.IsInterpolated() ? Json(cell.error) : Json();
}

CsvFile EqualErrorFile(const Comparison& comparison) {
  CsvFile file{"time_at_equal_error.csv",
               {"problem", "method", "integrator", "error", "status", "cpu_s",
                "interpolated_from_error", "interpolated_to_error", "best_integrator_of_method",
                "fastest_method", "integrator_of_fastest", "ratio_to_fastest_method", "ratio_kind",
                "ratio_low", "ratio_high", "paired_rounds", "verdict"}};
  for (const ProblemResults& problem : comparison.problems) {
    for (double error : kErrorLevels) {
      const auto best = BestOfEachMethod(comparison, problem, "", error);
      const BestTime* fastest = BaseOfRatios(best);
      for (const Curve& curve : Curves(problem)) {
        const TimeAtError time = TimeOf(problem, curve, error);
        const bool is_best = std::any_of(best.begin(), best.end(), [&curve](const BestTime& one) {
          return one.time.known() && one.method == curve.method &&
                 one.integrator == curve.integrator;
        });
        const auto ratio = fastest ? RatioOf(time, fastest->time) : std::nullopt;
        const RatioSpread* spread = ratio && ratio->spread ? &*ratio->spread : nullptr;
        file.rows.push_back(
            {problem.name, curve.method, curve.integrator, error, NameOf(time.kind),
             time.known() ? Json(time.seconds) : Json(), ErrorOf(time.coarse, time),
             ErrorOf(time.fine, time), is_best ? 1 : 0, fastest ? Json(fastest->method) : Json(),
             fastest ? Json(fastest->integrator) : Json(),
             fastest ? RatioCell(time, fastest->time, "").value : Json(),
             ratio ? ratio->Name() : "", spread ? Json(spread->interval.low) : Json(),
             spread ? Json(spread->interval.high) : Json(), spread ? Json(spread->rounds) : Json(),
             VerdictAmong(time, TimesOf(best)).name});
      }
    }
  }
  return file;
}

// Why a method has no time at an error. "not reached" would be wrong where no cell finished: then how the first one ended.
std::string WhyNotReached(const ProblemResults& problem, const std::string& method,
                          const std::string& integrator, double error) {
  const TimeAtError none{WhyNoTime(problem, method, integrator, error)};
  const Cell* first = nullptr;
  for (const Cell& cell : problem.cells) {
    if (cell.method != method || (!integrator.empty() && cell.integrator != integrator)) continue;
    if (cell.finished()) return cell.error ? NameOf(none.kind) : "no error known";
    if (!first) first = &cell;
  }
  return first ? first->outcome : NameOf(none.kind);
}

// "next: B with rk4, × 2.80 (2.50 to 3.10, 8 rounds), slower". Where the next time is a bound, it may be the shorter one:
// "next: B with rk4, × ≤ 1.02 (≤ 12.1 ms), undecided whether slower".
std::string DescribeNext(const BestTime& next, const BestTime& best) {
  const TimeRatio ratio = *RatioOf(next.time, best.time);
  return fmt::format("next: {}, × {} ({}), {}", next.Curve(), MarkedRatio(ratio),
                     IsBound(next.time) ? FormatTime(next.time) : Describe(ratio.spread),
                     VerdictAmong(next.time, {best.time, next.time}).words);
}

// The fastest with its verdict among all, the next, and the others that are not known to be slower:
// "A with rk4\n12.0 ms, undecided whether the fastest\nnext: ...\nnot known to be slower: C with ida (bound: ≤ 40.1 ms)".
std::string DescribeFastest(const std::vector<BestTime>& times) {
  constexpr std::size_t kNamed = 3;
  const BestTime& best = *Fastest(times);
  std::string text = fmt::format("{}\n{}, {}", best.Curve(), FormatTime(best.time),
                                 VerdictAmong(best.time, TimesOf(times)).words);
  if (!best.time.has_rivals) return text;
  const BestTime* next = Next(times);
  if (!next) {
    const TimeAtError others = NotKnown(times);
    return text + (others.is_open() ? fmt::format("\nothers {}", NameOf(others.kind))
                                    : "\nno other reached it");
  }
  const std::string why = WhyNoNext(*RatioOf(next->time, best.time));
  text += "\n" + (why.empty() ? DescribeNext(*next, best) : "no next: " + why);
  std::vector<std::string> open;
  for (const BestTime* one : Leaders(times)) {
    if (one->method == best.method || (why.empty() && one->method == next->method)) continue;
    open.push_back(IsBound(one->time)
                       ? fmt::format("{} (bound: {})", one->Curve(), FormatTime(one->time))
                       : one->Curve());
  }
  if (!open.empty()) text += "\nnot known to be slower: " + Listed(open, kNamed);
  return text;
}

// How a method stands on a problem at one error.
struct TimeStanding {
  BestTime best, base;  // the base of ratios
  TimeVerdict verdict;
  std::string why_not_reached;
  std::optional<TimeRatio> ratio = RatioOf(best.time, base.time);

  // "≈ 48 ms\nwith rk4\nover 3.6 decades"
  TableCell Time(bool with_integrator) const {
    if (!best.time.known()) return {why_not_reached, nullptr, Tone()};
    std::string text = FormatTime(best.time);
    if (with_integrator) text += "\nwith " + best.integrator;
    if (best.time.IsGuess()) text += fmt::format("\nover {:.1f} decades", best.time.Decades());
    return {text, best.time.seconds, Tone()};
  }
  // "2.80†, slower\n(2.50 to 3.10, 8 rounds)"
  TableCell RatioAndVerdict() const {
    if (!ratio) return {verdict.words.empty() ? "-" : verdict.words, nullptr, Tone()};
    const bool is_itself = best.time.seconds == base.time.seconds;
    TableCell cell = RatioCell(best.time, base.time, Tone());
    cell.text =
        (is_itself ? FormatRatio(ratio->value) : MarkedRatio(*ratio)) + ", " + verdict.words;
    if (!verdict.why.empty()) cell.text += ": " + verdict.why;
    if (ratio->spread && !is_itself) cell.text += "\n(" + Describe(ratio->spread) + ")";
    return cell;
  }
  TableCell End(double Interval::*end) const {
    return ratio && ratio->spread ? TableCell(ratio->spread->interval.*end) : TableCell();
  }
  TableCell PairedRounds() const {
    const std::size_t rounds = PairedRatios(best.time.Rounds(), base.time.Rounds()).size();
    return rounds > 0 ? TableCell(rounds) : TableCell();
  }
  std::string Tone() const {
    if (!best.time.known()) return "weak";
    return verdict.name == kFastest || verdict.name == NameOf(Verdict::kAlike) ? "best" : "";
  }
};
using Standings = std::vector<TimeStanding>;  // of one method, by error

// The columns of one error, which is the `at`-th: on the page the time and its ratio, in the file all values.
void AddColumns(double error, std::size_t at, bool with_integrator,
                std::vector<ColumnOf<Standings>>& columns) {
  const std::string level = FormatError(error);
  const auto add = [&](Column column, std::function<TableCell(const TimeStanding&)> cell) {
    columns.push_back(
        {std::move(column), [at, cell](const Standings& row) { return cell(row[at]); }});
  };
  const auto add_to_file = [&](const std::string& name, const auto& cell) {
    add(FileColumn(name + "_at_" + level), cell);
  };
  add(OnPage({"at " + level, true}), [=](auto& one) { return one.Time(with_integrator); });
  add(OnPage({"ratio, verdict"}), &TimeStanding::RatioAndVerdict);
  add_to_file("cpu_s", [](auto& one) { return one.Time(false); });
  add_to_file("kind", [](auto& one) { return TimeKindOf(one.best.time); });
  add_to_file("interpolated_from_error", [](auto& one) {
    return TableCell{"-", ErrorOf(one.best.time.coarse, one.best.time)};
  });
  add_to_file("interpolated_to_error", [](auto& one) {
    return TableCell{"-", ErrorOf(one.best.time.fine, one.best.time)};
  });
  if (with_integrator) add_to_file("integrator", [](auto& one) { return one.best.integrator; });
  add_to_file("ratio", [](auto& one) { return RatioCell(one.best.time, one.base.time, ""); });
  add_to_file("ratio_kind", [](auto& one) { return one.ratio ? one.ratio->Name() : ""; });
  add_to_file("ratio_to", [](auto& one) { return one.ratio ? one.base.Curve() : ""; });
  add_to_file("ratio_low", [](auto& one) { return one.End(&Interval::low); });
  add_to_file("ratio_high", [](auto& one) { return one.End(&Interval::high); });
  add_to_file("paired_rounds", &TimeStanding::PairedRounds);
  add_to_file("verdict", [](auto& one) { return one.verdict.name; });
}

}  // namespace

Table EqualErrorTable(const Comparison& comparison, const ProblemResults& problem,
                      const std::string& integrator, Document& document) {
  std::string caption = "CPU time at equal error, " +
                        (integrator.empty() ? kTwoIntegratorsRule : "all with " + integrator) +
                        "; ratios are medians of paired rounds, not quotients of these least times";
  std::string bases;  // what the ratios of each error are to
  bool has_guess = false;
  std::vector<ColumnOf<Standings>> columns = {
      {{"method"}, [](auto& row) { return row.front().best.method; }}};
  std::vector<Standings> rows;
  for (double error : kErrorLevels) {
    const auto times = BestOfEachMethod(comparison, problem, integrator, error);
    const BestTime* fastest = BaseOfRatios(times);
    if (fastest)
      bases += fmt::format("{} at {} to {}", bases.empty() ? "; ratios" : ",", FormatError(error),
                           fastest->Curve());
    rows.resize(times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
      const BestTime& best = times[i];
      has_guess |= best.time.IsGuess();
      rows[i].push_back({best, fastest ? *fastest : BestTime{},
                         VerdictAmong(best.time, TimesOf(times)),
                         WhyNotReached(problem, best.method, integrator, error)});
    }
    AddColumns(error, rows.empty() ? 0 : rows.front().size() - 1, integrator.empty(), columns);
  }
  caption += bases;
  if (has_guess)
    caption +=
        "; ≈ is a guess, interpolated far from both cells, which are so many decades of error "
        "apart";
  Table table = TableOf(caption, columns, rows);
  FileTable((integrator.empty() ? "equal_error." : "equal_error_" + integrator + ".") +
                problem.stem + ".csv",
            table, document);
  return table;
}

Section EqualErrorSection(const Comparison& comparison, Document& document) {
  Section section{"fastest", "Fastest at equal error", {}, {}, "", true};
  Table table{"Fastest method of each problem, its time, and the time of the next method over it",
              {{"problem"}}};
  std::string levels;
  for (double error : kErrorLevels) {
    table.columns.push_back({"error " + FormatError(error)});
    levels += (levels.empty() ? "" : ", ") + FormatError(error);
  }
  bool any = false;
  std::string unjudged;
  for (const ProblemResults& problem : comparison.problems) {
    if (problem.cells.empty()) continue;
    if (!IsJudged(problem)) {
      unjudged += (unjudged.empty() ? "" : ", ") + problem.name;
      continue;
    }
    std::vector<TableCell> row = {ProblemCell(problem)};
    for (double error : kErrorLevels) {
      const std::vector<BestTime> times = BestOfEachMethod(comparison, problem, "", error);
      if (!Fastest(times)) {
        row.push_back({FormatTime(NotKnown(times)), nullptr, "weak"});
        continue;
      }
      any = true;
      row.push_back({DescribeFastest(times)});
    }
    table.rows.push_back(std::move(row));
  }
  AddFile(document, EqualErrorFile(comparison));
  if (!any) {
    section.blocks.push_back(Paragraph{
        "No method has both an accuracy and a time at one of the errors " + levels + "."});
    return section;
  }
  section.blocks.push_back(Paragraph{fmt::format(
      "Times on the lower envelope of each method's cells, {}. ≤ marks an "
      "upper bound: even the coarsest cell is more accurate, or the finer "
      "one is at the limit of the reference. ≈ marks a "
      "guess, interpolated far from both of its cells. ~ marks the ratio of two "
      "bounds. With ≤ or ≥ the interval shows only how the bound scatters "
      "over the rounds. A ratio is the median of the paired rounds, not the "
      "quotient of the times shown, which are the least of their rounds; "
      "the next is the method with the least ratio; where the order is not known, the line "
      "gives the reason. It holds "
      "for this machine, build and problem. Verdicts: {}.",
      kTwoIntegratorsRule, VerdictRule())});
  AddTable(std::move(table), "fastest.csv", section, document);
  if (!unjudged.empty()) {
    section.blocks.push_back(
        Paragraph{"No error of a motion is known, because none was run or there is no reference: " +
                  unjudged + "."});
  }
  return section;
}

}  // namespace mbsbench::reports
