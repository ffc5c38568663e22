#include "harness/runner/supervisor.h"

#include <gtest/gtest.h>

namespace mbsbench {
namespace {

TEST(Supervisor, AChildThatNeverStopsPrintingIsEndedInTime) {
  Supervisor supervisor(TOYS_EXECUTABLE);
  supervisor.StartCommand(7, {"/usr/bin/yes"}, {0.3, std::int64_t{600} << 20});
  const ChildEnd end = supervisor.Wait();
  EXPECT_EQ(7u, end.id);
  EXPECT_EQ(Outcome::kTimeout, end.result.ending.outcome) << end.result.ending.reason;
  EXPECT_LT(end.wall_seconds, 10);
}

TEST(Supervisor, ACrashIsToldWithTheLastLineOfAllThatWasPrinted) {
  Supervisor supervisor(TOYS_EXECUTABLE);
  supervisor.StartCommand(0, {"/bin/sh", "-c", "seq 100000; echo the end; exit 4"},
                          {60, std::int64_t{600} << 20});
  const ChildEnd end = supervisor.Wait();
  EXPECT_EQ(Outcome::kCrashed, end.result.ending.outcome);
  EXPECT_EQ("ended with code 4 and without a record; its last line was: the end",
            end.result.ending.reason);
}

}  // namespace
}  // namespace mbsbench
