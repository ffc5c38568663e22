// What `bench` writes to a log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include "harness/runner/process/timing_core.h"
#include "tests/support/command.h"

namespace mbsbench {
namespace {

using testing::HasSubstr;

CommandResult Bench(const TemporaryFolder& folder, std::vector<std::string> more) {
  std::vector<std::string> words{
      "bench", "--problem", "pendulum", "--milliseconds", "10", "--store", folder.File("s.sqlite")};
  words.insert(words.end(), more.begin(), more.end());
  return RunCommand(TOYS_EXECUTABLE, words);
}

int LinesWith(const std::string& part, const std::string& text) {
  std::istringstream lines(text);
  int count = 0;
  for (std::string line; std::getline(lines, line);) count += line.find(part) != std::string::npos;
  return count;
}

TEST(BenchInALog, EachFinishedCaseAppearsOnce) {
  const TemporaryFolder folder;
  const CommandResult result =
      Bench(folder, {"--method", "toy-pendulum", "--method", "toy-twin", "--rounds", "2"});
  ASSERT_EQ(0, result.exit_code) << result.err;
  for (const char* method : {"toy-pendulum", "toy-twin"})
    EXPECT_EQ(1, LinesWith("] pendulum " + std::string(method) + " accelerations: ", result.err))
        << result.err;
}

TEST(BenchInALog, APairAppearsOnceWithItsVerdict) {
  const TemporaryFolder folder;
  const CommandResult result = Bench(folder, {"--pair", "toy-pendulum", "toy-twin"});
  EXPECT_EQ(1, LinesWith("[1/1] pendulum toy-twin accelerations: ", result.err)) << result.err;
}

// This process reserves the only core that the command may use.
TEST(BenchInALog, ACoreThatAnotherRunTimesOnIsSaid) {
  cpu_set_t all, one;
  ASSERT_EQ(0, sched_getaffinity(0, sizeof all, &all));
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(CoreForTiming().number), &one);
  ASSERT_EQ(0, sched_setaffinity(0, sizeof one, &one));
  const TemporaryFolder folder;
  const CommandResult result = Bench(folder, {"--method", "toy-twin", "--rounds", "1"});
  sched_setaffinity(0, sizeof all, &all);
  EXPECT_THAT(result.err, HasSubstr(kCoreIsShared));
}

}  // namespace
}  // namespace mbsbench
