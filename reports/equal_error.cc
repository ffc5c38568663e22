#include "reports/equal_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "reports/columns.h"
#include "reports/format.h"
#include "reports/sections.h"

namespace mbsbench::reports {

const char* NameOf(TimeAtError::Kind kind) {
  switch (kind) {
    case TimeAtError::Kind::kReached: return "reached";
    case TimeAtError::Kind::kAtMost: return "at most";
    case TimeAtError::Kind::kNotReached: return "not reached";
    case TimeAtError::Kind::kNotPlanned: return "no finer cell";
    case TimeAtError::Kind::kNotTimed: return "not timed yet";
    case TimeAtError::Kind::kNotRun: return "not run yet";
    case TimeAtError::Kind::kNotJudgeable: return "cannot be judged";
  }
  return "";
}

namespace {

struct RatioKindWords {
  const char *name, *mark;
};
constexpr RatioKindWords kRatioKinds[] = {
    {"exact", ""}, {"guess", "≈ "}, {"at most", "≤ "}, {"at least", "≥ "}, {"of two bounds", "~"}};

}  // namespace

std::string TimeRatio::Name() const {
  const std::string name = kRatioKinds[static_cast<int>(kind)].name;
  return IsBoundOfGuess() ? name + ", guess" : name;
}

std::string TimeRatio::Mark() const {
  if (IsBoundOfGuess()) return kind == Kind::kAtMost ? "≲ " : "≳ ";
  return kRatioKinds[static_cast<int>(kind)].mark;
}

namespace {

// Without a reference no method can be judged, and none failed to reach an error.
TimeAtError::Kind WhyNoTime(const ProblemResults& problem, const std::string& method,
                            const std::string& integrator, double error) {
  return problem.record.reference || IsJudged(problem)
             ? problem.WhyNoTime(method, integrator, error)
             : TimeAtError::Kind::kNotJudgeable;
}

TimeAtError TimeOf(const ProblemResults& problem, const Curve& curve, double error) {
  // Cells at the limit of the reference may be as accurate as a smaller error or not.
  TimeAtError time;
  if (error >= problem.record.KnownError())
    time = InterpolateEnvelope(EnvelopeOf(problem, curve), error);
  if (!time.known()) time.kind = WhyNoTime(problem, curve.method, curve.integrator, error);
  time.has_rivals = HasRivals(problem, Rivals::kMethods);
  return time;
}

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

std::string BestTime::Curve() const { return method + " with " + integrator; }

std::vector<ErrorTimePoint> EnvelopeOf(const ProblemResults& problem, const Curve& curve) {
  std::vector<ErrorTimePoint> points;
  for (const Cell* cell : curve.cells) {
    const auto error = Resolved(problem, *cell);
    if (cell->finished() && error && cell->cpu)
      points.push_back({error->value, cell->cpu->minimum, cell, error->is_at_limit});
  }
  return LowerEnvelope(std::move(points));
}

BestTime BestOfMethod(const ProblemResults& problem, const std::string& method,
                      const std::string& integrator, double error) {
  std::vector<BestTime> times;
  for (const Curve& curve : Curves(problem)) {
    if (curve.method == method && (integrator.empty() || curve.integrator == integrator))
      times.push_back({method, curve.integrator, TimeOf(problem, curve, error)});
  }
  if (const BestTime* best = LeastTime(times)) return *best;
  return {method, "", {WhyNoTime(problem, method, integrator, error)}};
}

std::vector<BestTime> BestOfEachMethod(const Comparison& comparison, const ProblemResults& problem,
                                       const std::string& integrator, double error) {
  std::vector<BestTime> times;
  for (const std::string& method : comparison.methods) {
    const bool has_cells = std::ranges::any_of(problem.cells, [&](const Cell& cell) {
      return cell.method == method && cell.integrator != kSteadySolver &&
             (integrator.empty() || cell.integrator == integrator);
    });
    if (has_cells) times.push_back(BestOfMethod(problem, method, integrator, error));
  }
  return times;
}

TimeAtError NotKnown(const std::vector<BestTime>& times) {
  using enum TimeAtError::Kind;
  TimeAtError none;
  if (!times.empty() &&
      std::ranges::all_of(times, [](const BestTime& one) { return one.time.kind == kNotPlanned; }))
    none.kind = kNotPlanned;
  for (const BestTime& one : times) {
    if (one.time.kind == TimeAtError::Kind::kNotJudgeable) return one.time;  // by no method
    if (one.time.is_open() && none.kind != TimeAtError::Kind::kNotTimed) none.kind = one.time.kind;
  }
  return none;
}

std::vector<std::size_t> RankedByTime(const std::vector<TimeAtError>& all) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&all](std::size_t i) { return all[i].SecondsOrInfinity(); });
  const auto is_beaten = [&all](std::size_t i, bool for_certain) {
    return !all[i].known() || std::ranges::any_of(all, [&](const TimeAtError& other) {
      if (!other.known() || ValueOfRatio(other, all[i]) >= 1) return false;
      // A time may be far below its bound.
      return for_certain ? RatioOf(other, all[i])->Verdict() == Verdict::kFaster
                         : IsBound(other) || !IsBound(all[i]);
    });
  };
  auto fastest =
      std::ranges::find_if_not(order, [&](std::size_t i) { return is_beaten(i, false); });
  if (fastest == order.end())  // each is beaten by another, in a circle
    fastest = std::ranges::find_if_not(order, [&](std::size_t i) { return is_beaten(i, true); });
  if (fastest == order.end()) return order;
  std::rotate(order.begin(), fastest, fastest + 1);
  std::vector<double> ratios;
  for (const TimeAtError& time : all)
    ratios.push_back(time.known() ? ValueOfRatio(time, all[order.front()]) : INFINITY);
  std::ranges::stable_sort(order.begin() + 1, order.end(), {},
                           [&ratios](std::size_t i) { return ratios[i]; });
  return order;
}

const BestTime* Fastest(const std::vector<BestTime>& times) {
  if (times.empty()) return nullptr;
  const BestTime& fastest = times[RankedByTime(TimesOf(times)).front()];
  return fastest.time.known() ? &fastest : nullptr;
}

const BestTime* Next(const std::vector<BestTime>& times) {
  if (times.size() < 2) return nullptr;
  const BestTime& next = times[RankedByTime(TimesOf(times))[1]];
  return next.time.known() ? &next : nullptr;
}

std::string WhyNoNext(const TimeRatio& ratio) {
  if (ratio.kind == TimeRatio::Kind::kOfTwoBounds) return "the first two times are bounds";
  if (ratio.value >= 1) return "";
  return ratio.kind == TimeRatio::Kind::kAtLeast ? "the time of the fastest is a bound"
                                                 : "each is beaten by another in the paired rounds";
}

const BestTime* BaseOfRatios(const std::vector<BestTime>& times) {
  const BestTime* fastest = Fastest(times);
  return fastest && fastest->time.has_rivals ? fastest : nullptr;
}

bool IsJudged(const ProblemResults& problem) {
  return std::ranges::any_of(problem.cells, [](const Cell& cell) {
    return (cell.error || cell.error_until_failure) && cell.integrator != kSteadySolver;
  });
}

bool IsBound(const TimeAtError& time) { return time.kind == TimeAtError::Kind::kAtMost; }

std::string FormatTime(const TimeAtError& time) {
  if (!time.known()) return NameOf(time.kind);
  if (time.IsGuess()) return (IsBound(time) ? "≲ " : "≈ ") + FormatSecondsWith(2, time.seconds);
  return (IsBound(time) ? "≤ " : "") + FormatSeconds(time.seconds);
}

const char* TimeKindOf(const TimeAtError& time) {
  return IsBound(time)           ? "at most"
         : time.IsInterpolated() ? "interpolated"
         : time.known()          ? "at a cell"
                                 : "";
}

std::string FormatRatio(double ratio) {
  const int decimals = ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", ratio, decimals);
}

double ValueOfRatio(const TimeAtError& time, const TimeAtError& base) {
  const std::vector<double> ratios = PairedRatios(time.Rounds(), base.Rounds());
  return ratios.empty() ? time.seconds / base.seconds : Median(ratios);
}

TimeRatio RatioOf(const Cell& cell, const Cell& base) {
  const std::vector<double> ratios = PairedRatios(cell.rounds, base.rounds);
  return {TimeRatio::Kind::kExact,
          ratios.empty() ? cell.cpu->minimum / base.cpu->minimum : Median(ratios),
          SpreadOf(ratios)};
}

std::optional<TimeRatio> RatioOf(const TimeAtError& time, const TimeAtError& base) {
  if (!time.known() || !base.known()) return std::nullopt;
  using enum TimeRatio::Kind;
  const bool has_guess = time.IsGuess() || base.IsGuess();
  const auto kind = IsBound(time) && IsBound(base) ? kOfTwoBounds
                    : IsBound(time)                ? kAtMost
                    : IsBound(base)                ? kAtLeast
                    : has_guess                    ? kGuess
                                                   : kExact;
  return TimeRatio{
      kind, ValueOfRatio(time, base),
      kind == kOfTwoBounds ? std::nullopt : SpreadOf(PairedRatios(time.Rounds(), base.Rounds())),
      has_guess, time.Integrator() != base.Integrator()};
}

TimeRatio TimeRatio::Over(double divisor) const {
  TimeRatio over = *this;
  over.value /= divisor;
  if (spread)
    over.spread->interval = {spread->interval.low / divisor, spread->interval.high / divisor};
  return over;
}

Verdict TimeRatio::Verdict() const {
  std::optional<RatioSpread> judged = spread;
  if (judged && has_guess) {
    judged->interval.low /= kGuessFactor;
    judged->interval.high *= kGuessFactor;
  }
  const reports::Verdict verdict = Judge(judged);
  const bool is_certain = kind == Kind::kExact || kind == Kind::kGuess ||
                          (kind == Kind::kAtMost && verdict == reports::Verdict::kFaster) ||
                          (kind == Kind::kAtLeast && verdict == reports::Verdict::kSlower);
  return is_certain ? verdict : reports::Verdict::kUndecided;
}

std::string TimeRatio::WhyUndecided() const {
  if (!has_guess || Verdict() != reports::Verdict::kUndecided) return "";
  TimeRatio unwidened = *this;
  unwidened.has_guess = false;
  return unwidened.Verdict() == reports::Verdict::kUndecided
             ? ""
             : fmt::format("a time is a guess (≈), which may be off by a factor of {:g}",
                           kGuessFactor);
}

TimeVerdict VerdictAmong(const TimeAtError& time, const std::vector<TimeAtError>& all) {
  if (!time.known() || all.empty()) return {};
  if (!time.has_rivals) return {kOnlyMethodRun, kOnlyMethodRun};
  const std::vector<std::size_t> ranked = RankedByTime(all);
  const TimeAtError& fastest = all[ranked.front()];
  if (!fastest.known()) return {};
  const auto in_words = [](Verdict verdict, const char* what, std::string why) -> TimeVerdict {
    const std::string name = NameOf(verdict);
    return {name, name + (verdict == Verdict::kUndecided ? what : ""), std::move(why)};
  };
  if (time.seconds != fastest.seconds) {
    const TimeRatio ratio = *RatioOf(time, fastest);
    return in_words(ratio.Verdict(), " whether slower", ratio.WhyUndecided());
  }
  bool is_alone = true, is_open = false;
  std::set<std::string> reasons;
  for (const std::size_t other : ranked) {
    if (other == ranked.front() || !all[other].known()) continue;
    const TimeRatio ratio = *RatioOf(all[other], fastest);
    const Verdict verdict = ratio.Verdict();
    is_alone = is_alone && verdict == Verdict::kSlower;
    is_open = is_open || verdict == Verdict::kUndecided;
    if (verdict == Verdict::kUndecided) reasons.insert(ratio.WhyUndecided());
  }
  if (is_alone) return {kFastest, kFastest};
  return in_words(is_open ? Verdict::kUndecided : Verdict::kAlike, " whether the fastest",
                  reasons.size() == 1 ? *reasons.begin() : "");
}

std::vector<const BestTime*> Leaders(const std::vector<BestTime>& times) {
  std::vector<const BestTime*> leaders;
  const std::vector<TimeAtError> all = TimesOf(times);
  for (const std::size_t i : RankedByTime(all)) {
    if (all[i].known() && VerdictAmong(all[i], all).name != NameOf(Verdict::kSlower))
      leaders.push_back(&times[i]);
  }
  return leaders;
}

std::string FormatRatio(const TimeRatio& ratio) { return ratio.Mark() + FormatRatio(ratio.value); }

std::string MarkedRatio(const TimeRatio& ratio) {
  return FormatRatio(ratio) + (ratio.has_two_integrators ? kTwoIntegrators : "");
}

std::string RatioKindOf(const TimeAtError& time, const TimeAtError& base) {
  const auto ratio = RatioOf(time, base);
  return ratio ? ratio->Name() : "";
}

TableCell RatioCell(const TimeAtError& time, const TimeAtError& base, const std::string& tone) {
  const auto ratio = RatioOf(time, base);
  if (!ratio) return {"-", nullptr, tone};
  const bool is_itself = time.seconds == base.seconds;
  if (is_itself) return {FormatRatio(ratio->value), ratio->value, tone};
  if (ratio->kind == TimeRatio::Kind::kOfTwoBounds) return {MarkedRatio(*ratio), nullptr, tone};
  return {fmt::format("{} ({})", MarkedRatio(*ratio), Describe(ratio->spread)), ratio->value, tone};
}

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
