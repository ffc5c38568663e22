#include "harness/store/run_commands.h"

#include <gtest/gtest.h>

namespace mbsbench {
namespace {

RunRow RunOf(const std::string& command, bool finished) {
  RunRow run;
  run.command = command;
  if (finished) run.finished = "2026-01-01T00:00:00Z";
  return run;
}

TEST(RunCommands, ANewRunHasTheCommandAsTyped) {
  const RunCommands c = WithCommand(RunOf("", false), "run --quick");
  EXPECT_EQ("run --quick", c.all);
  EXPECT_EQ("", c.awaited);
}

TEST(RunCommands, ResumingTheInterruptedCommandFinishesTheRun) {
  const RunCommands c = WithCommand(RunOf("run --store s", false), "run --resume --store s");
  EXPECT_EQ("run --store s", c.all);
  EXPECT_EQ("", c.awaited);
}

TEST(RunCommands, WithANarrowerSelectionDoNotFinishAnInterruptedRun) {
  const RunCommands c = WithCommand(RunOf("run", false), "run --problem swing --resume");
  EXPECT_EQ("run --problem swing --resume && run", c.all);
  EXPECT_EQ("run", c.awaited);
  EXPECT_EQ("", WithCommand(RunOf(c.all, false), "run --resume").awaited);
  EXPECT_EQ("run", WithCommand(RunOf(c.all, false), "run --problem swing --resume").awaited);
}

TEST(RunCommands, AreTheSameForADifferentTimeBudget) {
  const RunCommands c =
      WithCommand(RunOf("run --resume --minutes 8 --store s", false), "run --resume --store s");
  EXPECT_EQ("", c.awaited) << "the same command";
  EXPECT_EQ("run --resume --store s", CommandToResume("run --resume --minutes 8 --store s"));
  EXPECT_EQ("run --store s --resume", CommandToResume("run --minutes=0.5 --store s"));
}

TEST(RunCommands, AreTheSameForDifferentLimitsAndRetries) {
  const RunRow cut = RunOf("run --shard 1/2 --resume", false);
  EXPECT_EQ("", WithCommand(cut, "run --shard 1/2 --resume --memory-limit 4000").awaited);
  EXPECT_EQ("", WithCommand(cut, "run --shard 1/2 --resume --retry crashed").awaited);
  EXPECT_EQ("run --resume --time-limit 9",
            CommandToResume("run --resume --retry timeout --time-limit 9 --minutes 5"))
      << "what was repeated once is not repeated by going on";
}

// The stores of shards that were cut off are merged, and the whole plan is continued there.
TEST(RunCommands, OfTheWholePlanFinishARunOfAShard) {
  const RunCommands c = WithCommand(RunOf("run --quick --shard 1/2 --minutes 1", false),
                                    "run --quick --store all --resume");
  EXPECT_EQ("run --quick --shard 1/2 --minutes 1 && run --quick --store all --resume", c.all);
  EXPECT_EQ("", c.awaited);
  EXPECT_NE("", WithCommand(RunOf("run --shard 1/2", false), "run --quick --resume").awaited);
}

TEST(RunCommands, AreAppendedIfTheyAddToAFinishedRun) {
  const RunCommands c = WithCommand(RunOf("run --quick", true), "run --resume");
  EXPECT_EQ("run --quick && run --resume", c.all);
  EXPECT_EQ("", c.awaited);
  EXPECT_EQ("run --resume && run --quick", WithCommand(RunOf(c.all, true), "run --quick").all);
}

TEST(RunCommands, AreCalledAsTheProgramWas) {
  EXPECT_EQ("build/mbsbench run --resume", CalledAs("build/mbsbench", "mbsbench run --resume"));
  EXPECT_EQ("MBSBENCH_REFERENCE_DIR=/r build/mbsbench run",
            CalledAs("build/mbsbench", "MBSBENCH_REFERENCE_DIR=/r mbsbench run"));
  EXPECT_EQ("run both", CalledAs("build/mbsbench", "run both"));
}

TEST(RunCommands, AreTheSameForAnotherPathOfTheStore) {
  const RunCommands c = WithCommand(RunOf("run --shard 1/2 --store '/tmp/a b'", false),
                                    "run --shard 1/2 --resume --store /local/n2");
  EXPECT_EQ("run --shard 1/2 --store '/tmp/a b'", c.all);
  EXPECT_EQ("", c.awaited);
}

}  // namespace
}  // namespace mbsbench
