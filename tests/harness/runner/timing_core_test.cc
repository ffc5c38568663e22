#include "harness/runner/timing_core.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

namespace mbsbench {
namespace {

// A name of this test alone, so that runs on the same machine do not matter.
std::string OwnName() { return "test of timing cores " + std::to_string(getpid()); }

TEST(TimingCore, OfSeveralProcessesDifferUntilAllAreReserved) {
  const std::string name = OwnName();
  int answers[2], ends[2];
  ASSERT_EQ(0, pipe(answers));
  ASSERT_EQ(0, pipe(ends));
  for (int process = 0; process < 4; ++process) {
    if (fork() != 0) continue;
    close(ends[1]);
    const TimingCore core = ReserveCore(name, {3, 5, 8});
    [[maybe_unused]] const ssize_t sent = write(answers[1], &core, sizeof core);
    char end;
    _exit(
        static_cast<int>(read(ends[0], &end, 1)));  // holds the core until the test closes the pipe
  }
  std::vector<int> own, shared;
  for (int process = 0; process < 4; ++process) {
    TimingCore core;
    ASSERT_EQ(ssize_t{sizeof core}, read(answers[0], &core, sizeof core));
    (core.is_shared ? shared : own).push_back(core.number);
  }
  close(ends[0]);
  close(ends[1]);
  for (int process = 0; process < 4; ++process) wait(nullptr);
  std::sort(own.begin(), own.end());
  EXPECT_EQ((std::vector<int>{3, 5, 8}), own);
  EXPECT_EQ(std::vector<int>{8}, shared);
  close(answers[0]);
  close(answers[1]);

  const TimingCore after = ReserveCore(name, {3, 5, 8});
  EXPECT_EQ(8, after.number) << "the end of a process must free its core";
  EXPECT_FALSE(after.is_shared);
}

TEST(TimingCore, IsOneOfTheCoresThatThisProcessMayUseAndStaysTheSame) {
  const std::vector<int> usable = UsableCores();
  EXPECT_NE(usable.end(), std::find(usable.begin(), usable.end(), CoreForTiming().number));
  EXPECT_EQ(CoreForTiming().number, CoreForTiming().number);
}

}  // namespace
}  // namespace mbsbench
