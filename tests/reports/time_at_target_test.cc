// The time at a target is that of a cell that ran, and the verdicts on such times.
#include "reports/analysis/time_at_target.h"

#include <gmock/gmock.h>

namespace mbsbench::reports {
namespace {

using Kind = TimeAtError::Kind;
using testing::HasSubstr;

Cell CellOf(const std::string& method, double tolerance, double error,
            const std::vector<double>& seconds, double target = 0) {
  Cell cell;
  cell.method = method;
  cell.integrator = "dopri5";
  cell.tolerance = tolerance;
  cell.outcome = "ok";
  cell.error = error;
  for (const double one : seconds)
    cell.rounds[{target, static_cast<int>(cell.rounds.size())}] = one;
  if (!seconds.empty()) {
    const auto [least, most] = std::ranges::minmax(seconds);
    cell.cpu = Spread{least, most, static_cast<int>(seconds.size())};
  }
  return cell;
}

Cell AtStep(const std::string& method, double step, double error,
            const std::vector<double>& seconds = {}) {
  Cell cell = CellOf(method, 1, error, seconds);
  cell.tolerance.reset();
  cell.step = step;
  return cell;
}

Cell Ended(Cell cell, const std::string& outcome, const std::string& reason = "") {
  cell.outcome = outcome;
  cell.reason = reason;
  cell.error.reset();
  return cell;
}

// The cells of each method together, coarse to fine.
ProblemResults ProblemOf(std::vector<Cell> cells) {
  ProblemResults problem;
  problem.record.reference.emplace();
  problem.record.reference->error_estimate = 1e-12;
  problem.cells = std::move(cells);
  return problem;
}

TimeAtError TimeAt(const ProblemResults& problem, double target) {
  return TimeOf(problem, Curves(problem).front(), target);
}

TEST(TimeAtTarget, IsThatOfTheCoarsestCellThatHoldsItTogetherWithTheNextFiner) {
  const ProblemResults problem =
      ProblemOf({CellOf("a", 1e-3, 1e-2, {1, 1.1}), CellOf("a", 1e-4, 5e-4, {2}),
                 CellOf("a", 1e-5, 2e-3, {3}), CellOf("a", 1e-6, 8e-4, {4.5, 4}),
                 CellOf("a", 1e-7, 1e-5, {5})});
  const TimeAtError time = TimeAt(problem, 1e-3);
  ASSERT_EQ(time.kind, Kind::kReached);
  EXPECT_EQ(time.seconds, 4) << "the cell at 1e-4 holds it by chance: the next finer misses it";
  EXPECT_EQ(*time.cell->tolerance, 1e-6);
  EXPECT_EQ(*time.coarser->tolerance, 1e-5);
  EXPECT_FALSE(time.is_at_coarse_end);
  EXPECT_EQ(TimeAt(problem, 1e-5).seconds, 5) << "the finest needs no finer one";
}

// Its position error is small, but another bound is exceeded.
TEST(TimeAtTarget, IsOfNoCellThatEndedInaccurate) {
  Cell rough = CellOf("a", 1e-3, 5e-4, {1});
  rough.outcome = "inaccurate";
  const Cell sound = CellOf("a", 1e-4, 1e-4, {2});
  const TimeAtError time = TimeAt(ProblemOf({rough, sound}), 1e-3);
  EXPECT_EQ(time.seconds, 2);
  EXPECT_EQ(*time.coarser->tolerance, 1e-3) << "its time is one that misses the target";
  EXPECT_EQ(TimeAt(ProblemOf({rough, sound}), 1e-2).seconds, 1)
      << "a target beyond the bound of positions";
  rough.tolerance = 1e-13;
  const TimeAtError none = TimeAt(ProblemOf({rough}), 1e-3);
  EXPECT_EQ(none.kind, Kind::kNotReached);
  EXPECT_EQ(DescribeTime(none), "inaccurate") << "5e-4 is no least error that misses 1e-3";
}

TEST(TimeAtTarget, IsAtTheCoarseEndWhereNoCoarserSettingIsSensible) {
  EXPECT_TRUE(TimeAt(ProblemOf({CellOf("a", 0.1, 1e-4, {1})}), 1e-3).is_at_coarse_end);
  ProblemResults problem = ProblemOf({AtStep("a", 0.01, 1e-4, {1})});
  problem.cells[0].end_time = 1;
  EXPECT_TRUE(TimeAt(problem, 1e-3).is_at_coarse_end) << "one step per sample";
  problem.cells[0].step = 0.005;
  EXPECT_FALSE(TimeAt(problem, 1e-3).is_at_coarse_end);
}

TEST(TimeAtTarget, IsAtTheCoarseEndWhereTheNextCoarserSettingOfTheGridFailed) {
  const Cell found = CellOf("a", 1e-4, 1e-4, {1}), finer = CellOf("a", 5.6e-5, 5e-5, {2}),
             coarse = CellOf("a", 3.2e-4, 1e-2, {0.5});
  for (const char* outcome : {"diverged", "singular", "timeout"}) {
    const TimeAtError time =
        TimeAt(ProblemOf({coarse, Ended(CellOf("a", 1.8e-4, 0, {}), outcome), found, finer}), 1e-3);
    EXPECT_EQ(time.seconds, 1);
    EXPECT_TRUE(time.is_at_coarse_end) << outcome;
    EXPECT_EQ(time.coarser, nullptr) << "the cell beyond it does not count either";
  }
  const TimeAtError far =
      TimeAt(ProblemOf({Ended(CellOf("a", 1e-3, 0, {}), "diverged"), found, finer}), 1e-3);
  EXPECT_FALSE(far.is_at_coarse_end) << "a setting between them may hold it";
  EXPECT_EQ(far.coarser, nullptr);
}

TEST(TimeAtTarget, SaysWhyThereIsNone) {
  const Cell coarse = CellOf("a", 1e-3, 1e-2, {1}), fine = CellOf("a", 1e-6, 1e-5, {2}),
             finest = CellOf("a", 1e-13, 2e-5, {});
  const TimeAtError missed = TimeAt(ProblemOf({coarse, fine, finest}), 1e-6);
  EXPECT_EQ(missed.kind, Kind::kNotReached);
  EXPECT_EQ(missed.least_error, 1e-5);
  EXPECT_EQ(DescribeTime(missed), "not reached (least error 1e-5)");
  EXPECT_EQ(TimeAt(ProblemOf({coarse, fine, Ended(finest, "diverged")}), 1e-6).kind,
            Kind::kNotReached);
  const Cell finer = CellOf("a", 1e-9, 0, {});
  EXPECT_EQ(TimeAt(ProblemOf({coarse, fine, Ended(finer, "timeout")}), 1e-6).kind, Kind::kTooLong);
  EXPECT_EQ(TimeAt(ProblemOf({coarse, fine, Ended(finer, "skipped", "expected 99 s")}), 1e-6).kind,
            Kind::kTooLong);
  EXPECT_EQ(TimeAt(ProblemOf({coarse, CellOf("a", 1e-6, 1e-5, {})}), 1e-5).kind, Kind::kNotTimed);
  ProblemResults open = ProblemOf({coarse, fine, finest});
  open.open.push_back({"", "a", "dopri5", 1e-6, true});
  EXPECT_EQ(TimeAt(open, 1e-6).kind, Kind::kNotRun);
  EXPECT_EQ(TimeAt(open, 1e-9).kind, Kind::kNotReached) << "another target is open";
  EXPECT_EQ(TimeAt(open, 1e-2).kind, Kind::kReached);
  open.open.push_back({"", "a", "dopri5", 1e-2, true});
  EXPECT_EQ(TimeAt(open, 1e-2).kind, Kind::kNotRun) << "a coarser cell may hold it";
  open.open.pop_back();
  open.open[0].lacks_cells = false;
  EXPECT_EQ(TimeAt(open, 1e-6).kind, Kind::kNotReached) << "only times are lacking";
}

TEST(TimeAtTarget, IsNotFoundWhereFinerSettingsWereNotTried) {
  std::vector<Cell> cells;
  for (const double tolerance :
       {1e-6, 5.6e-7, 3.2e-7, 1.8e-7, 1e-7, 5.6e-8, 3.2e-8, 1.8e-8, 1e-8, 5.6e-9, 3.2e-9, 1.8e-9})
    cells.push_back(CellOf("a", tolerance, 1.02e-6, {}));
  const TimeAtError time = TimeAt(ProblemOf(cells), 1e-6);
  EXPECT_EQ(time.kind, Kind::kNotFound) << "a search ends after twelve trials";
  EXPECT_EQ(DescribeTime(time), "not found (least error 1e-6)");
  const ProblemResults failed = ProblemOf({Ended(cells[0], "wrong_equations")});
  EXPECT_EQ(TimeAt(failed, 1e-6).kind, Kind::kNotReached) << "no setting helps";
}

// The store does not name the finest step of a search, which ends with it and its neighbour.
TEST(TimeAtTarget, OfFixedStepsIsNotReachedWhereASearchEndedWithTheFinestTwo) {
  const std::vector<Cell> two = {AtStep("a", 0.02, 1e-3), AtStep("a", 0.0119, 2e-4),
                                 AtStep("a", 0.01, 1e-4)};
  EXPECT_EQ(TimeAt(ProblemOf(two), 1e-6).kind, Kind::kNotReached);
  EXPECT_EQ(TimeAt(ProblemOf({two[0], AtStep("a", 0.005, 1e-5)}), 1e-6).kind, Kind::kNotFound)
      << "no neighbours";
  std::vector<Cell> with_finer = two;
  with_finer.push_back(AtStep("b", 0.005, 1e-5));
  EXPECT_EQ(TimeAt(ProblemOf(with_finer), 1e-6).kind, Kind::kNotFound) << "b has a finer one";
  std::vector<Cell> twelve;
  for (int k = 0; k < 12; ++k) twelve.push_back(AtStep("a", 0.01 * std::pow(0.84, k), 1.02e-6));
  EXPECT_EQ(TimeAt(ProblemOf(twelve), 1e-6).kind, Kind::kNotFound) << "as many trials end it";
  twelve.push_back(AtStep("b", *twelve.back().step, 1e-5));
  EXPECT_EQ(TimeAt(ProblemOf(twelve), 1e-6).kind, Kind::kNotReached) << "two curves end there";
}

TEST(TimeAtTarget, CannotBeJudgedBelowTenTimesTheErrorThatTheReferenceResolves) {
  ProblemResults problem = ProblemOf({CellOf("a", 1e-3, 1e-2, {1}), CellOf("a", 1e-9, 1e-14, {2})});
  EXPECT_EQ(TimeAt(problem, 1e-11).kind, Kind::kReached);
  EXPECT_EQ(TimeAt(problem, 9e-12).kind, Kind::kNotJudgeable);
  problem.record.reference->attainable_error = 1e-7;
  EXPECT_EQ(TimeAt(problem, 1e-6).kind, Kind::kReached);
  EXPECT_EQ(TimeAt(problem, 9e-7).kind, Kind::kNotJudgeable) << "round-off in the data";
}

TEST(TimeAtTarget, CountsTheErrorOfACellAtTheLimitOfTheReferenceAsThatLimit) {
  ProblemResults problem = ProblemOf({CellOf("a", 1e-9, 1e-14, {2})});
  problem.record.reference->error_estimate = 1e-5;
  EXPECT_EQ(TimeAt(problem, 1e-4).kind, Kind::kReached);
  EXPECT_FALSE(TimeAt(problem, 9e-5).known());
}

TEST(TimeAtTarget, IsOfTheRoundsOfThatTargetAndOfNoOther) {
  ProblemResults problem = ProblemOf({CellOf("a", 0.1, 1e-4, {3, 4}, 1e-3)});
  problem.cells[0].rounds[{1e-6, 0}] = 1;
  problem.cells[0].cpu->minimum = 1;
  EXPECT_EQ(TimeAt(problem, 1e-3).seconds, 3);
  EXPECT_EQ(TimeAt(problem, 1e-3).RoundsAtTarget().size(), 2u);
}

// Two methods at 1e-3, each found at tolerance 1e-4 and 1e-5, with the given coarser cells.
TimeRatio RatioWith(const std::vector<Cell>& coarser_of_b, double b = 2) {
  static ProblemResults one, two;
  one = ProblemOf({CellOf("a", 1e-3, 1e-2, {0.5, 0.5, 0.5}), CellOf("a", 1e-4, 1e-4, {1, 1, 1})});
  std::vector<Cell> cells = coarser_of_b;
  cells.push_back(CellOf("b", 1e-5, 1e-4, {b, b, b}));
  two = ProblemOf(cells);
  return *RatioOf(TimeAt(one, 1e-3), TimeAt(two, 1e-3));
}

TEST(Ratio, FasterMustAlsoHoldAgainstTheNextCoarserCellOfTheSlower) {
  EXPECT_EQ(RatioWith({CellOf("b", 1e-4, 1e-2, {1.5, 1.5, 1.5})}).Verdict(), PairVerdict::kFaster);
  const TimeRatio near = RatioWith({CellOf("b", 1e-4, 1e-2, {1.05, 1.05, 1.05})});
  EXPECT_EQ(near.Verdict(), PairVerdict::kOpen);
  EXPECT_THAT(near.WhyOpen(), HasSubstr("within a step of the grid"));
  const TimeRatio alone = RatioWith({});
  EXPECT_EQ(alone.Verdict(), PairVerdict::kOpen);
  EXPECT_THAT(alone.WhyOpen(), HasSubstr("no coarser cell"));
}

TEST(Ratio, SlowerMustAlsoHoldWithTheNextCoarserCellOfTheSlower) {
  const auto of = [](double coarser) {
    const ProblemResults slow = ProblemOf({CellOf("a", 1e-3, 1e-2, {coarser, coarser, coarser}),
                                           CellOf("a", 1e-4, 1e-4, {3, 3, 3})}),
                         fast = ProblemOf({CellOf("b", 0.1, 1e-4, {1, 1, 1})});
    return RatioOf(TimeAt(slow, 1e-3), TimeAt(fast, 1e-3))->Verdict();
  };
  EXPECT_EQ(of(2), PairVerdict::kSlower);
  EXPECT_EQ(of(0.9), PairVerdict::kOpen);
}

TEST(Ratio, OfAMethodWithSeveralThreadsIsAlsoThatOfItsWallTimes) {
  ProblemResults problem =
      ProblemOf({CellOf("a", 0.1, 1e-4, {2, 2, 2}), CellOf("b", 0.1, 1e-4, {3, 3, 3})});
  Cell& threaded = problem.cells[1];
  threaded.threads = 2;
  for (const auto& [key, seconds] : threaded.rounds) threaded.wall[key] = seconds / 2;
  const std::vector<Curve> curves = Curves(problem);
  const TimeAtError single = TimeOf(problem, curves[0], 1e-3),
                    both = TimeOf(problem, curves[1], 1e-3);
  EXPECT_EQ(RatioOf(both, single)->value, 1.5) << "of CPU times";
  EXPECT_EQ(RatioByTheClock(both, single)->interval.low, 0.75);
  EXPECT_FALSE(RatioByTheClock(single, single)) << "one thread needs no second ratio";
}

TEST(Ratio, OfEqualSettingsNeedsNoCoarserCell) {
  const ProblemResults one = ProblemOf({CellOf("a", 1e-4, 1e-4, {1, 1, 1})}),
                       two = ProblemOf({CellOf("b", 1e-4, 2e-4, {2, 2, 2})});
  const TimeRatio ratio = *RatioOf(TimeAt(one, 1e-3), TimeAt(two, 1e-3));
  EXPECT_EQ(ratio.value, 0.5);
  EXPECT_EQ(ratio.Verdict(), PairVerdict::kFaster);
}

TEST(Ratio, AtTheCoarseEndNeedsNoCoarserCell) {
  const ProblemResults one = ProblemOf({CellOf("a", 1e-4, 1e-4, {1, 1, 1})}),
                       two = ProblemOf({CellOf("b", 0.1, 2e-4, {2, 2, 2})});
  EXPECT_EQ(RatioOf(TimeAt(one, 1e-3), TimeAt(two, 1e-3))->Verdict(), PairVerdict::kFaster);
  EXPECT_EQ(RatioWith({Ended(CellOf("b", 1.8e-5, 0, {}), "newton_failed")}).Verdict(),
            PairVerdict::kFaster)
      << "the coarser setting failed";
}

BestTime Known(const std::string& method, const ProblemResults& problem) {
  BestTime best{method, "dopri5", TimeAt(problem, 1e-3)};
  best.time.has_rivals = true;
  return best;
}

TEST(Rank, SaysFastestOnlyWhereEveryRivalWasRunAndIsSlower) {
  const ProblemResults quick = ProblemOf({CellOf("a", 1e-4, 1e-4, {1, 1, 1})}),
                       slow = ProblemOf({CellOf("b:x", 1e-4, 1e-4, {2, 2, 2})});
  const std::vector<BestTime> both = {Known("b:x", slow), Known("a", quick)};
  const Ranking ranking = Rank(both);
  EXPECT_EQ(ranking.order, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(ranking.verdicts[1].name, kFastest);
  EXPECT_EQ(ranking.verdicts[0].name, "slower");
  EXPECT_TRUE(ranking.Leads(1));
  EXPECT_FALSE(ranking.Leads(0));

  std::vector<BestTime> more = both;
  more.push_back({"c"});
  EXPECT_EQ(Rank(more).verdicts[1].name, kFastest) << "c does not reach it";
  more.back().time.kind = Kind::kTooLong;
  EXPECT_EQ(Rank(more).verdicts[1].name, kFastest);
  for (const Kind kind : {Kind::kNotRun, Kind::kNotTimed}) {
    more.back().time.kind = kind;
    EXPECT_EQ(Rank(more).verdicts[1].Words(), "open: c not run or timed yet");
    EXPECT_EQ(Rank(more).verdicts[0].name, "slower");
  }
  more.back().method = "b:y";
  EXPECT_EQ(Rank(more).verdicts[1].Words(), "open: b:y not run or timed yet")
      << "a variant is a rival too";
}

TEST(Rank, LeavesOutMethodsThatDeclareThatTheirTimesSayNothing) {
  Results results;
  results.methods.resize(2);
  results.methods[0].spec = "a", results.methods[1].spec = "b";
  results.methods[1].record.limits = {{.promises = {"times"}, .reason = "of another process"}};
  Comparison comparison;
  comparison.results = &results;
  comparison.methods = {"a", "b"};
  comparison.problems = {ProblemOf({CellOf("a", 1e-4, 1e-4, {2}), CellOf("b", 1e-4, 1e-4, {1})})};
  const auto times = BestOfEachMethod(comparison, comparison.problems[0], 1e-3);
  ASSERT_EQ(1u, times.size());
  EXPECT_EQ("a", times[0].method);
}

TEST(Rank, IsLeftOpenByNoSolverOfSteadyStates) {
  Results results;
  Comparison comparison;
  comparison.results = &results;
  comparison.methods = {"a", "b", "newton"};
  comparison.problems = {
      ProblemOf({CellOf("a", 1e-4, 1e-4, {1, 1, 1}), CellOf("b", 1e-4, 1e-4, {2, 2, 2})})};
  comparison.problems[0].open.push_back({"", "newton", kSteadySolver, 1e-3, true});
  const Ranking ranking = Rank(BestOfEachMethod(comparison, comparison.problems[0], 1e-3));
  EXPECT_EQ(ranking.times.size(), 2u);
  EXPECT_EQ(ranking.verdicts[0].Words(), kFastest);
}

// Fixed steps of a claim hold 1e-3 and are not timed.
TEST(Rank, IsLeftOpenByNoCurveThatIsOnlyJudged) {
  Results results;
  reports::Run run;
  run.finished = "2025-01-01T01:00:00Z";
  Comparison comparison;
  comparison.results = &results;
  comparison.methods = {"a", "b", "claim"};
  comparison.problems = {ProblemOf({CellOf("a", 1e-4, 1e-4, {1, 1, 1}),
                                    CellOf("b", 1e-4, 1e-4, {2, 2, 2}), AtStep("b", 0.005, 1e-5),
                                    AtStep("claim", 0.02, 5e-4), AtStep("claim", 0.005, 1e-4)})};
  ProblemResults& problem = comparison.problems[0];
  const auto times = [&](double target) { return BestOfEachMethod(comparison, problem, target); };
  EXPECT_EQ(times(1e-3).back().time.kind, Kind::kNotTimed) << "the plan is not known";
  problem.bench.run = &run;
  EXPECT_EQ(times(1e-3).size(), 2u);
  EXPECT_EQ(times(1e-6).size(), 2u) << "it was not searched for there";
  EXPECT_EQ(Rank(times(1e-3)).verdicts[0].Words(), kFastest);
  EXPECT_EQ(times(1e-5)[1].time.kind, Kind::kNotFound) << "by b, whose steps show its order";

  run.finished.clear();
  run.coverage.emplace();
  problem.open.push_back({"", "claim", "dopri5", {}, true, false});
  EXPECT_EQ(times(1e-3).size(), 2u) << "its other steps are still to be judged";
  problem.open[0].is_timed = true;
  EXPECT_EQ(times(1e-3).back().time.kind, Kind::kNotTimed);
  problem.open.clear();
  problem.cells.back().outcome = "timeout";
  EXPECT_EQ(times(1e-6).back().time.kind, Kind::kTooLong) << "a search met its limit";
}

TEST(Rank, IsEmptyWhereNoTimeIsKnown) {
  const Ranking none = Rank({{"a"}, {"b"}});
  EXPECT_EQ(none.Fastest(), nullptr);
  EXPECT_EQ(none.Base(), nullptr);
  EXPECT_EQ(none.verdicts[0].name, "");
  EXPECT_EQ(Rank({}).Fastest(), nullptr);
}

TEST(Rank, LeavesTheFirstPlaceOpenWhereARatioIsOpen) {
  const ProblemResults one = ProblemOf({CellOf("a", 1e-4, 1e-4, {1, 1})}),
                       two = ProblemOf({CellOf("b", 1e-4, 1e-4, {1.11, 0.99})});
  const Ranking ranking = Rank({Known("a", one), Known("b", two)});
  EXPECT_TRUE(ranking.verdicts[0].IsOpen());
  EXPECT_THAT(ranking.verdicts[0].why, HasSubstr("b may be faster"));
  EXPECT_TRUE(ranking.Leads(0));
  EXPECT_TRUE(ranking.Leads(1));
  EXPECT_EQ(MarkedRatio(*ranking.ratios[1]), "1.05?");
}

TEST(Rank, DoesNotSayThatARivalMayBeFasterWhoseWholeIntervalIsSlower) {
  const ProblemResults one = ProblemOf({CellOf("a", 1e-4, 1e-4, {1, 1, 1, 1})}),
                       two = ProblemOf({CellOf("b", 1e-4, 1e-4, {1.09, 1.14, 1.14, 1.18})});
  const Ranking ranking = Rank({Known("a", one), Known("b", two)});
  EXPECT_EQ(ranking.verdicts[0].Words(),
            "open: b was slower (1.09 to 1.18, 4 rounds), not decided: too few rounds");
  EXPECT_EQ(ranking.verdicts[1].Words(), "open: too few rounds");
}

TEST(SpreadInWords, MarksARatioWhoseRoundsLieMoreThanTenPercentApart) {
  EXPECT_EQ(SpreadInWords(RatioSpread{{1.00, 1.09}, 3}), "1.00 to 1.09, 3 rounds");
  EXPECT_EQ(SpreadInWords(RatioSpread{{1.00, 1.11}, 3}), "1.00 to 1.11, 3 rounds, noisy");
  EXPECT_EQ(SpreadInWords(RatioSpread{{2, 2}, 1}), "1 round");
  EXPECT_EQ(SpreadInWords(std::nullopt), "no paired round");
}

}  // namespace
}  // namespace mbsbench::reports
