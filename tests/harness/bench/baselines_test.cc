#include "harness/bench/baselines.h"

#include <gtest/gtest.h>

#include <fstream>

#include "problems/model/error.h"
#include "tests/support/command.h"

namespace mbsbench {
namespace {

const CellName kCell{"pendulum", "toy-twin", "dopri5", 1e-8, {}, 2, "cell", ""};

RunContent Content(const std::string& outcome, double error, int evaluations) {
  RunContent content;
  content.problems["pendulum"] = {.name = "pendulum", .bodies = 1, .shapes = {{.name = "rod"}}};
  HeldCell& cell = content.cells[kCell] = {.outcome = outcome, .judged = true};
  cell.record.accuracy = {.error = {{.max = error}}, .trajectory = {.bodies = {"long"}}};
  cell.record.integration = {.counters = {.evaluations = evaluations}};
  return content;
}

const Json kHere{{"compiler", "GNU 12"}, {"cpu", "one"}},
    kThere{{"compiler", "GNU 12"}, {"cpu", "other"}};

TEST(Baselines, SurviveWritingAndReading) {
  const TemporaryFolder folder;
  const Json moved{{"reason", "exact Jacobians"}, {"date", "2026-01-02T03:04:05Z"}};
  Write(CellBaselines{kHere, Content("ok", 1e-9, 100), moved}, folder.path());
  const CellBaselines read = ReadCellBaselines(folder.path());
  EXPECT_EQ(kHere, read.key);
  EXPECT_EQ("exact Jacobians", read.moved.at("reason"));
  ASSERT_EQ(1u, read.content.cells.count(kCell));
  const HeldCell& cell = read.content.cells.at(kCell);
  EXPECT_EQ("ok", cell.outcome);
  EXPECT_EQ(1e-9, cell.record.LargestError());
  EXPECT_TRUE(cell.record.accuracy->trajectory.empty());

  InstructionBaselines instructions;
  instructions.builds[kHere.dump()].instructions = {{"a", 101}, {"c", 7}};
  instructions.builds[kHere.dump()].moved = moved;
  instructions.builds[kThere.dump()].instructions["a"] = 90;
  Write(instructions, folder.path());
  const InstructionBaselines again = ReadInstructionBaselines(folder.path());
  ASSERT_EQ(1u, again.builds.count(kHere.dump()));
  EXPECT_EQ((std::map<std::string, double>{{"a", 101}, {"c", 7}}),
            again.builds.at(kHere.dump()).instructions);
  EXPECT_EQ(moved, again.builds.at(kHere.dump()).moved);
  EXPECT_EQ(90, again.builds.at(kThere.dump()).instructions.at("a"));
}

// The reason of a refusal may be reworded; no text of it may stay in the baselines.
TEST(Baselines, OfAnAgreementHoldOnlyItsComparedNumbers) {
  const TemporaryFolder folder;
  RunContent content;
  HeldCell& held =
      content.cells[CellName{{"pendulum"}, "agreement", ""}] = {.outcome = "ok", .judged = true};
  held.record.agreement = {.methods = {{.method = "toy-twin",
                                        .difference = 1e-15,
                                        .judged = "ok",
                                        .condition = 3,
                                        .condition_of = "a matrix",
                                        .reason = "an old text"}}};
  Write(CellBaselines{kHere, content}, folder.path());
  std::ifstream in(folder.File("cells.json"));
  const Json methods = Json::parse(in).at("cells").at(0).at("record").at("methods");
  EXPECT_EQ((Json{{{"method", "toy-twin"}, {"difference", 1e-15}}}), methods);
}

TEST(Baselines, AreEmptyIfTheFileIsAbsentAndRefusedIfItIsDamaged) {
  const TemporaryFolder folder;
  EXPECT_TRUE(ReadInstructionBaselines(folder.path()).builds.empty());
  EXPECT_TRUE(ReadCellBaselines(folder.path()).content.cells.empty());
  std::ofstream(folder.File("instructions.json")) << "{\"builds\": [{}]}";
  std::ofstream(folder.File("cells.json")) << "half";
  EXPECT_THROW(ReadInstructionBaselines(folder.path()), ModelError);
  EXPECT_THROW(ReadCellBaselines(folder.path()), ModelError);
}

TEST(InstructionGate, FlagsChangesAboveOnePercentInEitherDirection) {
  EXPECT_EQ(Direction::kAlike, DirectionOfCounts(1000, 1009));
  EXPECT_EQ(Direction::kWorse, DirectionOfCounts(1000, 1011));
  EXPECT_EQ(Direction::kBetter, DirectionOfCounts(1000, 980));
}

TEST(CellGate, DetectsLostDigitsOnEveryMachine) {
  const CellBaselines baseline{kHere, Content("ok", 1e-9, 100)};
  for (const Json& key : {kHere, kThere}) {
    EXPECT_EQ(
        1,
        CompareCells(baseline, key, Content("ok", 1e-6, 100)).comparison.Count(Direction::kWorse));
    EXPECT_EQ(1, CompareCells(baseline, key, Content("diverged", 1e-9, 100))
                     .comparison.Count(Direction::kWorse));
    EXPECT_EQ(
        0,
        CompareCells(baseline, key, Content("ok", 2e-9, 100)).comparison.Count(Direction::kWorse));
  }
  // Rounding differs from processor to processor.
  EXPECT_EQ(
      1,
      CompareCells(baseline, kHere, Content("ok", 5e-9, 100)).comparison.Count(Direction::kWorse));
  EXPECT_EQ(
      0,
      CompareCells(baseline, kThere, Content("ok", 5e-9, 100)).comparison.Count(Direction::kWorse));
}

TEST(CellGate, ComparesCountersExactlyForTheSameKey) {
  const CellBaselines baseline{kHere, Content("ok", 1e-9, 100)};
  const CellGate here = CompareCells(baseline, kHere, Content("ok", 1e-9, 101)),
                 there = CompareCells(baseline, kThere, Content("ok", 1e-9, 101));
  EXPECT_EQ(KeyMatch::kSame, here.match);
  EXPECT_EQ(1, here.comparison.Count(Direction::kWorse));
  EXPECT_EQ(KeyMatch::kOtherProcessor, there.match);
  EXPECT_EQ(1, there.comparison.Count(Direction::kAlike));
  EXPECT_EQ(KeyMatch::kOtherBuild, CompareCells(baseline, {{"compiler", "GNU 13"}, {"cpu", "one"}},
                                                Content("ok", 1e-9, 100))
                                       .match);
}

TEST(CellGate, CountsARefusalAsWorse) {
  RunContent refused = Content("unsupported", 1e-9, 0);
  EXPECT_EQ(1, CompareCells({kHere, Content("ok", 1e-9, 100)}, kHere, refused)
                   .comparison.Count(Direction::kWorse));
}

}  // namespace
}  // namespace mbsbench
