#include "harness/runner/process/timing_core.h"

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
  const std::vector<Processor> processors{{3, 3}, {5, 5}, {8, 8}};
  int answers[2], ends[2];
  ASSERT_EQ(0, pipe(answers));
  ASSERT_EQ(0, pipe(ends));
  for (int process = 0; process < 4; ++process) {
    if (fork() != 0) continue;
    close(ends[1]);
    const TimingCore core = ReserveCore(name, processors);
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

  const TimingCore after = ReserveCore(name, processors);
  EXPECT_EQ(8, after.number) << "the end of a process must free its core";
  EXPECT_FALSE(after.is_shared);
}

TEST(TimingCore, AThreadOfAReservedCoreIsTakenLastAndIsShared) {
  const std::string name = OwnName() + " of threads";
  const std::vector<Processor> processors{{0, 0}, {1, 0}, {2, 2}, {3, 2}};
  std::vector<int> numbers;
  std::vector<bool> are_shared;
  for (int process = 0; process < 4; ++process) {
    const TimingCore core = ReserveCore(name, processors);  // this process keeps all of them
    numbers.push_back(core.number);
    are_shared.push_back(core.is_shared);
  }
  EXPECT_EQ((std::vector<int>{3, 1, 2, 0}), numbers);
  EXPECT_EQ((std::vector<bool>{false, false, true, true}), are_shared);
}

TEST(TimingCore, OfUnknownProcessorsIsAnyAndIsNotShared) {
  for (int process = 0; process < 2; ++process) {
    EXPECT_EQ(-1, ReserveCore(OwnName() + " unknown", {Processor{}}).number);
    EXPECT_FALSE(ReserveCore(OwnName() + " unknown", {Processor{}}).is_shared);
  }
}

TEST(TimingCore, IsOneOfTheCoresThatThisProcessMayUseAndStaysTheSame) {
  const std::vector<int> usable = UsableProcessors();
  EXPECT_NE(usable.end(), std::ranges::find(usable, CoreForTiming().number));
  EXPECT_EQ(CoreForTiming().number, CoreForTiming().number);
}

}  // namespace
}  // namespace mbsbench
