#include "harness/comparison/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/support/command.h"

namespace mbsbench {
namespace {

// Two stores of one run and one cell each.
class ComparisonTest : public testing::Test {
 protected:
  static RunRow Run(const std::string& id) {
    return {id, "2024-01-01T00:00:00Z",   "2024-01-01T00:01:00Z", "mbsbench run",
            1,  {.cpu = "x", .cores = 2}, {.binary_hash = id}};
  }
  static TrialRow Accuracy(double error = 1e-9) {
    TrialRow row;
    row.key = "cell";
    row.problem = "branch4";
    row.method = "toy";
    row.integrator = "dopri5";
    row.tolerance = 1e-8;
    row.end_time = 5;
    row.kind = "accuracy";
    row.outcome = "ok";
    row.finished = UtcNow();
    row.record.integration = {.counters = {.steps = 100, .evaluations = 600},
                              .end_state_hash = "abc"};
    row.record.accuracy = {
        .error = {{.max = error, .end = error, .rms = error, .velocity_max = error}},
        .position_drift_max = 1e-15,
        .velocity_drift_max = 1e-15,
        .energy_drift_max = 1e-10};
    row.record.limits = {20, 1000};
    return row;
  }
  static TrialRow Time(double seconds) {
    TrialRow row = Accuracy();
    row.key = "time";
    row.kind = "time";
    row.cpu_seconds = seconds;
    return row;
  }
  static ProblemRecord Problem(double attainable) {
    return {.bodies = 4, .reference = {{.error_estimate = 1e-20, .attainable_error = attainable}}};
  }

  std::string Write(const std::string& id, const std::vector<TrialRow>& trials,
                    const ProblemRecord& problem = Problem(1e-15)) {
    const std::string file = folder_.File(id + ".sqlite");
    Store store = Store::OpenToWrite(file);
    store.Put(Run(id));
    store.Put(ProblemRow{id, "branch4", problem});
    for (TrialRow row : trials) {
      row.run_id = id;
      store.Put(row);
    }
    return file;
  }
  // Two runs with one cell each, and a kernel counted for the executable of each.
  ComparedRuns CompareKernels(double count_a, double count_b, const std::string& flags_b = "-O3") {
    const auto write = [this](const std::string& id, double count, const std::string& flags) {
      const std::string file = Write(id, {Accuracy()});
      Store store = Store::OpenToWrite(file);
      for (const std::string& executable : {id, std::string("another")}) {
        BenchRunRow run{{"bench of " + executable, UtcNow(), UtcNow(), "mbsbench bench", 1}};
        run.build = {.compiler = "g++", .flags = flags, .binary_hash = executable};
        store.Put(run);
        store.Put(
            BenchRow{run.id,
                     "time",
                     "branch4 toy accelerations",
                     "branch4",
                     "toy",
                     "accelerations",
                     "",
                     1e-6,
                     {.times = BenchTimesRecord{.instructions = executable == id ? count : 1}}});
      }
      return file;
    };
    const std::string a = write("a", count_a, "-O3"), b = write("b", count_b, flags_b);
    return CompareRuns({a, Run("a")}, {b, Run("b")});
  }
  ComparedRuns Compare(const std::vector<TrialRow>& a, const std::vector<TrialRow>& b,
                       const ProblemRecord& problem = Problem(1e-15)) {
    const std::string file_a = Write("a", a, problem), file_b = Write("b", b, problem);
    return CompareRuns({file_a, Run("a")}, {file_b, Run("b")});
  }
  // Direction of one cell whose B is A changed by `change`.
  Direction AfterChanging(const std::function<void(TrialRow&)>& change) {
    TrialRow b = Accuracy();
    change(b);
    return Compare({Accuracy()}, {b}).cells.at(0).direction();
  }

  TemporaryFolder folder_;
};

TEST_F(ComparisonTest, EqualRunsAreAlikeWithTimesSideBySide) {
  const ComparedRuns c = Compare({Accuracy(), Time(1)}, {Accuracy(), Time(3)});
  ASSERT_EQ(1u, c.cells.size());
  EXPECT_EQ(Direction::kAlike, c.cells[0].direction()) << "a time is no verdict";
  EXPECT_EQ(1, c.cells[0].seconds_a);
  EXPECT_EQ(3, c.cells[0].seconds_b);
  EXPECT_TRUE(c.cells[0].same_bits);
}

TEST_F(ComparisonTest, LosingThreeDigitsIsWorseAndGainingThemIsBetter) {
  const ComparedRuns worse = Compare({Accuracy(1e-9), Time(1)}, {Accuracy(1e-6), Time(1)});
  EXPECT_EQ(Direction::kWorse, worse.cells[0].direction());
  EXPECT_EQ("error", worse.cells[0].truth.at(0).what);
  EXPECT_FALSE(worse.cells[0].seconds_a) << "no word on the time of other results";
  EXPECT_EQ(1, worse.Count(Direction::kWorse));
}

TEST_F(ComparisonTest, GainingDigitsIsBetter) {
  EXPECT_EQ(Direction::kBetter, Compare({Accuracy(1e-6)}, {Accuracy(1e-9)}).cells[0].direction());
}

TEST_F(ComparisonTest, ErrorsBelowTheFloorOfTheProblemAreAlike) {
  // Sensitivity about 1e6: 1e-10 is attainable, 1e-11 was chance.
  EXPECT_EQ(Direction::kAlike,
            Compare({Accuracy(1e-12)}, {Accuracy(1.5e-10)}, Problem(1e-10)).cells[0].direction());
}

TEST_F(ComparisonTest, ErrorsAboveTheFloorOfTheProblemAreNotAlike) {
  EXPECT_EQ(Direction::kWorse,
            Compare({Accuracy(1e-12)}, {Accuracy(2.5e-10)}, Problem(1e-10)).cells[0].direction());
}

TEST_F(ComparisonTest, AFactorBelowTwoIsAlike) {
  EXPECT_EQ(Direction::kAlike, Compare({Accuracy(1e-9)}, {Accuracy(1.9e-9)}).cells[0].direction());
}

TEST_F(ComparisonTest, LargerDriftIsWorse) {
  EXPECT_EQ(Direction::kWorse,
            AfterChanging([](TrialRow& row) { row.record.accuracy->energy_drift_max = 1e-7; }));
}

TEST_F(ComparisonTest, DriftWithinRoundOffIsAlike) {
  EXPECT_EQ(Direction::kAlike, AfterChanging([](TrialRow& row) {
              row.record.accuracy->position_drift_max = 5e-14;  // from 1e-15
            }));
}

TEST_F(ComparisonTest, AMissingErrorIsWorse) {
  EXPECT_EQ(Direction::kWorse,
            AfterChanging([](TrialRow& row) { row.record.accuracy->error = {}; }));
}

TEST_F(ComparisonTest, OneStepMoreIsWorse) {
  EXPECT_EQ(Direction::kWorse,
            AfterChanging([](TrialRow& row) { row.record.integration->counters.steps = 101; }));
}

TEST_F(ComparisonTest, OneStepLessIsBetter) {
  EXPECT_EQ(Direction::kBetter,
            AfterChanging([](TrialRow& row) { row.record.integration->counters.steps = 99; }));
}

TEST_F(ComparisonTest, MoreOfOneCounterAndLessOfAnotherIsNeither) {
  EXPECT_EQ(Direction::kChanged, AfterChanging([](TrialRow& row) {
              row.record.integration->counters = {.steps = 90, .evaluations = 700};
            }));
}

TEST_F(ComparisonTest, AFailureIsWorseWithItsReason) {
  TrialRow b = Accuracy();
  b.outcome = "singular";
  b.reason = "joint 'hinge_4'";
  const ComparedRuns c = Compare({Accuracy()}, {b});
  EXPECT_EQ(Direction::kWorse, c.cells[0].direction());
  ASSERT_EQ(1u, c.cells[0].truth.size()) << "what a broken cell had reached is no accuracy";
  EXPECT_EQ("joint 'hinge_4'", c.cells[0].truth[0].note);
}

TEST_F(ComparisonTest, ATimeoutUnderTheSameLimitIsWorse) {
  EXPECT_EQ(Direction::kWorse, AfterChanging([](TrialRow& row) { row.outcome = "timeout"; }));
}

TEST_F(ComparisonTest, ATimeoutUnderANarrowerLimitIsNotWorse) {
  EXPECT_EQ(Direction::kChanged, AfterChanging([](TrialRow& row) {
              row.outcome = "timeout";
              row.record.limits->seconds = 1;
            }));
}

TEST_F(ComparisonTest, CellsOfOnlyOneRunAreNamed) {
  TrialRow other = Accuracy();
  other.key = "other";
  other.tolerance = 1e-5;
  const ComparedRuns c = Compare({Accuracy(), other}, {Accuracy()});
  ASSERT_EQ(1u, c.only_a.size());
  EXPECT_EQ("branch4 by toy, dopri5 tol 1e-05", c.only_a[0].Text());
  EXPECT_TRUE(c.only_b.empty());
}

TEST_F(ComparisonTest, AnEvaluationThatLostDigitsAgainst113BitsIsWorse) {
  const auto agreement = [](double error) {
    TrialRow row = Accuracy();
    row.kind = "agreement";
    row.method = row.integrator = "";
    row.tolerance = {};
    row.record = {};
    row.record.agreement = {.methods = {{.method = "toy", .error = error}}};
    return row;
  };
  const ComparedRuns c = Compare({agreement(1e-12)}, {agreement(1e-9)});
  EXPECT_EQ(Direction::kWorse, c.cells[0].direction());
  EXPECT_EQ("toy: error of one evaluation", c.cells[0].truth[0].what);
}

// A method does not determine its distance from the others, nor whether there are others.
TEST_F(ComparisonTest, ACheckOfFewerMethodsIsNeitherWorseNorBetter) {
  const auto agreement = [](const char* outcome, std::vector<MethodAgreementRecord> methods) {
    TrialRow row = Accuracy();
    row.kind = "agreement";
    row.method = row.integrator = "";
    row.tolerance = {};
    row.outcome = outcome;
    row.record = {};
    row.record.agreement = {.methods = std::move(methods)};
    return row;
  };
  const auto method = [](const char* name, MaybeNumber difference, double error) {
    return MethodAgreementRecord{.method = name, .difference = difference, .error = error};
  };
  const TrialRow all = agreement(
      "ok", {method("toy", 1e-15, 1e-15), method("b", 1e-15, 1e-15), method("c", 2e-9, 2e-9)});
  const TrialRow two = agreement("ok", {method("toy", 2e-9, 1e-15), method("c", 2e-9, 2e-9)});
  const TrialRow one = agreement("no_reference", {method("toy", {}, 1e-15)});
  const TrialRow lossy = agreement("no_reference", {method("toy", {}, 1e-9)});
  EXPECT_EQ(Direction::kAlike, Compare({all}, {two}).cells[0].direction());
  EXPECT_EQ(Direction::kAlike, Compare({two}, {all}).cells[0].direction());
  EXPECT_EQ(Direction::kChanged, Compare({all}, {one}).cells[0].direction());
  EXPECT_EQ(Direction::kChanged, Compare({one}, {all}).cells[0].direction());
  EXPECT_EQ(Direction::kWorse, Compare({all}, {lossy}).cells[0].direction())
      << "113 bits do not depend on who else was asked";
}

TEST_F(ComparisonTest, TrialsOfAnEditedModelAreIgnored) {
  ProblemRecord edited = Problem(1e-15);
  edited.problem_hash = "new";
  const auto of = [](const std::string& hash, double error, const std::string& key) {
    TrialRow row = Accuracy(error);
    row.key = key;
    row.record.problem_hash = hash;
    return row;
  };
  TrialRow other = of("old", 1e-9, "finer");
  other.tolerance = 1e-10;
  // In the order in which they are read the old one would come last.
  const std::string file =
      Write("a", {of("new", 1e-7, "new"), of("old", 1e-9, "old"), other}, edited);
  const RunContent content = ReadContent(Store::OpenToRead(file), Run("a"));
  ASSERT_EQ(1u, content.cells.size());
  EXPECT_EQ(1e-7, content.cells.begin()->second.record.LargestError());
  // Older stores lack problem hashes.
  const std::string older = Write("b", {of("old", 1e-9, "old")});
  EXPECT_EQ(1u, ReadContent(Store::OpenToRead(older), Run("b")).cells.size());
}

// The first word of a hash is of what determines the motion, the others are scales.
TEST_F(ComparisonTest, TwoMechanismsOfOneNameAreNotCompared) {
  const auto write = [this](const std::string& run, const std::string& hash) {
    ProblemRecord problem = Problem(1e-15);
    problem.problem_hash = hash;
    return Write(run, {Accuracy()}, problem);
  };
  const std::string a = write("a", "1kg 0.3 1"), b = write("b", "5kg 0.3 1"),
                    c = write("c", "1kg 0.4 1");
  const ComparedRuns other = CompareRuns({a, Run("a")}, {b, Run("b")});
  EXPECT_TRUE(other.cells.empty());
  EXPECT_EQ(1u, other.of_other_mechanisms.size());
  EXPECT_TRUE(other.only_a.empty() && other.only_b.empty());
  const ComparedRuns same = CompareRuns({a, Run("a")}, {c, Run("c")});
  EXPECT_EQ(1u, same.cells.size()) << "other scales alone";
  EXPECT_TRUE(same.of_other_mechanisms.empty());
}

TEST_F(ComparisonTest, EnergyDriftsInUnitsOfTwoEnergiesAreNotCompared) {
  const auto write = [this](const std::string& run, double energy, double drift) {
    ProblemRecord problem = Problem(1e-15);
    problem.energy_reference = energy;
    TrialRow row = Accuracy();
    row.record.accuracy->energy_drift_max = drift;
    return Write(run, {row}, problem);
  };
  const std::string a = write("a", 1, 1e-10), b = write("b", 1e-3, 1e-7), c = write("c", 1, 1e-7);
  EXPECT_EQ(Direction::kAlike, CompareRuns({a, Run("a")}, {b, Run("b")}).cells.at(0).direction());
  EXPECT_EQ(Direction::kWorse, CompareRuns({a, Run("a")}, {c, Run("c")}).cells.at(0).direction());
}

TEST_F(ComparisonTest, NamesProblemsWithOtherReferences) {
  ProblemRecord other = Problem(1e-15);
  other.reference->attainable_error = 1e-14;
  const std::string a = Write("a", {Accuracy()}), b = Write("b", {Accuracy()}, other);
  const ComparedRuns c = CompareRuns({a, Run("a")}, {b, Run("b")});
  EXPECT_THAT(c.notes, testing::Contains("the references of branch4 differ."));
}

TEST_F(ComparisonTest, TwoPercentMoreInstructionsOfAKernelAreWorseAndHalfAPercentIsAlike) {
  const ComparedRuns heavier = CompareKernels(10000, 10200);
  ASSERT_EQ(2u, heavier.cells.size());
  EXPECT_EQ(1, heavier.Count(Direction::kWorse));
  EXPECT_EQ(0, CompareKernels(10000, 10050).Count(Direction::kWorse));
  EXPECT_EQ(1, CompareKernels(10200, 10000).Count(Direction::kBetter));
}

TEST_F(ComparisonTest, InstructionsOfAnotherBuildAreNotJudged) {
  const ComparedRuns c = CompareKernels(10000, 20000, "-O2");
  EXPECT_EQ(0, c.Count(Direction::kWorse));
  EXPECT_EQ(1, c.Count(Direction::kChanged));
}

// Resumed on a slower host of the same processor and build: only timed trials were repeated there.
TEST_F(ComparisonTest, ARunResumedOnASlowerHostKeepsEarlierJudgements) {
  const std::string file = Write("a", {Accuracy(), Time(1)});
  Store store = Store::OpenToWrite(file);
  RunRow slower = Run("b"), other = Run("c");
  slower.build = Run("a").build;
  for (const RunRow& run : {slower, other}) {
    store.Put(run);
    store.Put(ProblemRow{run.id, "branch4", Problem(1e-15)});
    TrialRow time = Time(2);
    time.key = "time of " + run.id;
    time.run_id = run.id;
    store.Put(time);
  }
  const RunContent content = ReadContent(store, slower);
  ASSERT_EQ(1u, content.cells.size());
  EXPECT_EQ("ok", content.cells.begin()->second.outcome);
  EXPECT_EQ(2, content.cells.begin()->second.seconds) << "its own time";
  EXPECT_EQ(1, ReadContent(store, Run("a")).cells.begin()->second.seconds);
  EXPECT_THROW(ReadContent(store, other), StoreError) << "another build judges for itself";
}

TEST_F(ComparisonTest, ARunWithoutTrialsIsRefused) {
  const std::string file = Write("a", {});
  EXPECT_THROW(CompareRuns({file, Run("a")}, {file, Run("a")}), StoreError);
}

}  // namespace
}  // namespace mbsbench
