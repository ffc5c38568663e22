#include "harness/runner/process/supervisor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "harness/runner/cells/wall_clock.h"
#include "harness/runner/process/timing_core.h"
#include "tests/support/command.h"
#include "tests/support/limits.h"
#include "tests/support/parameter_name.h"

namespace mbsbench {
namespace {

using testing::HasSubstr;

constexpr ProcessLimits kLimits = TestLimits(60, 600);

// A shell that does `first` in its first process, and hands a record over in the next.
std::vector<std::string> FailingOnce(const TemporaryFolder& folder, const std::string& first) {
  return {"/bin/sh", "-c",
          "if [ -e \"$0\" ]; then echo "
          "'{\"outcome\":\"ok\",\"reason\":\"\",\"cpu_seconds\":1,\"wall_seconds\":1,\"record\":{}}"
          "' >&3; "
          "else : > \"$0\"; " +
              first + "; fi",
          folder.File("begun")};
}

// The number that a shell wrote; waits for it.
pid_t NumberIn(const std::string& file) {
  pid_t pid = 0;
  for (int i = 0; i < 2400 && pid == 0; ++i) {
    std::ifstream(file) >> pid;
    if (pid == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return pid;
}

// A process that nobody waits for may remain as a zombie.
bool HasVanished(pid_t pid) {
  for (int i = 0; i < 2400; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(10))) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    if (!std::getline(stat, text)) return true;
    if (text.substr(text.rfind(')') + 2, 1) == "Z") return true;
  }
  return false;
}

TEST(Supervisor, WhatATrialHasStartedEndsWithIt) {
  const TemporaryFolder folder;
  Supervisor supervisor(TOYS_EXECUTABLE);
  supervisor.StartCommand(0,
                          {"/bin/sh", "-c",
                           "sleep 600 > /dev/null 2>&1 3>&1 & echo $! > \"$0\"; echo "
                           "'{\"outcome\":\"ok\",\"reason\":\"\",\"cpu_seconds\":1,"
                           "\"wall_seconds\":1,\"record\":{}}' >&3",
                           folder.File("sleeper")},
                          kLimits);
  EXPECT_EQ(Outcome::kOk, supervisor.Wait().result.ending.outcome);
  const pid_t sleeper = NumberIn(folder.File("sleeper"));
  ASSERT_GT(sleeper, 0);
  EXPECT_TRUE(HasVanished(sleeper));
}

TEST(Supervisor, ATrialRunsOnTheProcessorsThatItIsGiven) {
  const TemporaryFolder folder;
  Supervisor supervisor(TOYS_EXECUTABLE);
  const std::vector<int> processors = ProcessorsForTiming(2);
  ASSERT_EQ(std::min<std::size_t>(2, UsableProcessors().size()), processors.size());
  supervisor.StartCommand(0, {"/bin/sh", "-c", "nproc > \"$0\"", folder.File("processors")},
                          kLimits, processors);
  supervisor.Wait();
  EXPECT_EQ(std::ssize(processors), NumberIn(folder.File("processors")));
}

TEST(Supervisor, WhatATrialHasStartedEndsAlsoIfTheRunIsKilled) {
  const TemporaryFolder folder;
  const pid_t run = fork();
  if (run == 0) {
    Supervisor supervisor(TOYS_EXECUTABLE);
    supervisor.StartCommand(
        0, {"/bin/sh", "-c", "sleep 600 & echo $! > \"$0\"; sleep 600", folder.File("sleeper")},
        kLimits);
    supervisor.Wait();
    _exit(0);
  }
  const pid_t sleeper = NumberIn(folder.File("sleeper"));
  ASSERT_GT(sleeper, 0);
  kill(run, SIGKILL);
  waitpid(run, nullptr, 0);
  EXPECT_TRUE(HasVanished(sleeper));
}

class KilledExternally : public testing::TestWithParam<const char*> {};

TEST_P(KilledExternally, ATrialIsRunOnceMore) {
  const TemporaryFolder folder;
  Supervisor supervisor(TOYS_EXECUTABLE);
  supervisor.StartCommand(
      3, FailingOnce(folder, std::string("kill -") + GetParam() + " $$; sleep 60"), kLimits);
  const ChildEnd end = supervisor.Wait();
  EXPECT_EQ(3u, end.id);
  EXPECT_EQ(Outcome::kOk, end.result.ending.outcome) << end.result.ending.reason;
  EXPECT_THAT(end.result.record.killed_before, HasSubstr("signal"));
}
INSTANTIATE_TEST_SUITE_P(Supervisor, KilledExternally, testing::Values("KILL", "TERM", "INT"),
                         NameOfParameter);

TEST(Supervisor, ATrialKilledExternallyTwiceHasCrashed) {
  Supervisor supervisor(TOYS_EXECUTABLE);
  supervisor.StartCommand(0, {"/bin/sh", "-c", "kill -KILL $$"}, kLimits);
  const ChildEnd end = supervisor.Wait();
  EXPECT_EQ(Outcome::kCrashed, end.result.ending.outcome);
  EXPECT_EQ("signal 9 (Killed), sent to it from outside, twice", end.result.ending.reason);
}

TEST(Supervisor, ATrialThatIsRepeatedHasTheTimeOfBothProcesses) {
  const TemporaryFolder folder;
  Supervisor supervisor(TOYS_EXECUTABLE);
  supervisor.StartCommand(
      0,
      FailingOnce(folder,
                  "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; kill -KILL $$; sleep 60"),
      kLimits);
  EXPECT_GT(supervisor.Wait().seconds, 0.02);
}

TEST(Supervisor, ASignalRaisedByTheTrialIsACrash) {
  const TemporaryFolder folder;
  Supervisor supervisor(TOYS_EXECUTABLE);
  supervisor.StartCommand(0, FailingOnce(folder, "kill -SEGV $$; sleep 60"), kLimits);
  const ChildEnd end = supervisor.Wait();
  EXPECT_EQ(Outcome::kCrashed, end.result.ending.outcome);
  EXPECT_EQ("signal 11 (Segmentation fault)", end.result.ending.reason);
}

TEST(Supervisor, AnInvalidRecordIsACrashOfThatTrialOnly) {
  const std::string whole =
      R"({"outcome": "ok", "reason": "", "cpu_seconds": 1, "wall_seconds": 1, "record": )";
  for (const std::string& written :
       {std::string(R"({"outcome": 7})"), whole + "null}", whole + "[1]}", whole + "7}"}) {
    SCOPED_TRACE(written);
    Supervisor supervisor(TOYS_EXECUTABLE);
    supervisor.StartCommand(0, {"/bin/sh", "-c", "echo '" + written + "' >&3"}, kLimits);
    const ChildEnd end = supervisor.Wait();
    EXPECT_EQ(Outcome::kCrashed, end.result.ending.outcome);
    EXPECT_THAT(end.result.ending.reason, HasSubstr("its record is damaged"));
  }
}

// The ending of a shell command under a limit of CPU time.
Ending UnderCpuLimit(const std::string& command, double seconds) {
  Supervisor supervisor(TOYS_EXECUTABLE);
  supervisor.StartCommand(
      0,
      {"/bin/sh", "-c",
       command + "; echo '{\"outcome\":\"ok\",\"reason\":\"\",\"cpu_seconds\":1,\"wall_seconds\":1,"
                 "\"record\":{}}' >&3"},
      {seconds, kLimits.bytes});
  return supervisor.Wait().result.ending;
}

TEST(Supervisor, CountsCpuTimeOfAChildAndOfThoseThatItStarted) {
  for (const char* endless : {"while :; do :; done", "sh -c 'while :; do :; done'"}) {
    const Ending ending = UnderCpuLimit(endless, 0.3);
    EXPECT_EQ(Outcome::kTimeout, ending.outcome) << endless;
    EXPECT_EQ("not finished after 0.3 s of CPU time", ending.reason);
  }
}

// As on a busy machine: it gets a part of the processor, and is not ended before it has used its CPU time.
TEST(Supervisor, DoesNotCountTheTimeInWhichAChildGetsNoProcessor) {
  const std::string work = "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done; ";
  std::string command;
  for (int i = 0; i < 12; ++i) command += work + "sleep 0.1; ";
  const Ending ending = UnderCpuLimit(command + "true", 0.8);
  EXPECT_EQ(Outcome::kOk, ending.outcome) << ending.reason;
}

// Each shell writes its number a hundred times, between which it counts to a few thousand. A shell that writes alone ends before the
// next one begins; shells that run at once do not wait for each other.
TEST(Supervisor, ChildrenThatTakeTurnsAllAdvanceAndRunOneAtATime) {
  const TemporaryFolder folder;
  const std::string file = folder.File("written");
  Supervisor supervisor("/proc/self/exe");
  for (std::size_t id = 0; id < 3; ++id) {
    supervisor.StartCommand(id,
                            {"/bin/sh", "-c",
                             "i=0; while [ $i -lt 100 ]; do i=$((i+1)); echo $0 >> \"$1\"; "
                             "k=0; while [ $k -lt 2000 ]; do k=$((k+1)); done; done",
                             std::to_string(id), file},
                            kLimits, {}, "", true);
  }
  double in_turns = 0;
  const double begin = WallSeconds();
  for (int k = 0; k < 3; ++k) in_turns += supervisor.Wait().seconds;
  EXPECT_LE(in_turns, WallSeconds() - begin + 0.1) << "the turns do not overlap";
  std::ifstream written(file);
  int changes = 0;
  for (std::string line, before; std::getline(written, line); before = line)
    changes += line != before ? 1 : 0;
  EXPECT_GT(changes, 5) << "each got several turns";
}

TEST(Supervisor, EndsAChildThatWaitsInsteadOfComputing) {
  const Ending ending = UnderCpuLimit("sleep 600", 0.3);
  EXPECT_EQ(Outcome::kTimeout, ending.outcome);
  EXPECT_EQ("not finished after 0.3 s, most of which it waits", ending.reason);
}

TEST(Supervisor, EndsAChildThatWaitsAfterItHasComputed) {
  const Ending ending =
      UnderCpuLimit("i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; sleep 600", 0.6);
  EXPECT_EQ("not finished after 0.6 s, most of which it waits", ending.reason);
}

TEST(Supervisor, AChildThatNeverStopsPrintingEndsAtItsTimeLimit) {
  Supervisor supervisor(TOYS_EXECUTABLE);
  supervisor.StartCommand(7, {"/usr/bin/yes"}, {0.3, std::int64_t{600} << 20});
  const ChildEnd end = supervisor.Wait();
  EXPECT_EQ(7u, end.id);
  EXPECT_EQ(Outcome::kTimeout, end.result.ending.outcome) << end.result.ending.reason;
}

TEST(Supervisor, ACrashIsReportedWithTheLastPrintedLine) {
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
