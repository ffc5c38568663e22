// What a command does where its surroundings fail it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/command.h"

namespace mbsbench {
namespace {

using testing::HasSubstr;

// `script` is run by a shell, with the executable as $0 and `folder` as $1.
CommandResult Shell(const std::string& script, const std::string& folder) {
  return RunCommand("/bin/sh", {"-c", script, TOYS_EXECUTABLE, folder});
}

constexpr char kRun[] =
    "\"$0\" run --quick --problem pendulum --method toy-twin --integrator dopri5 --rounds 1 "
    "--store \"$1/s.sqlite\"";

class ClosedDescriptors : public testing::TestWithParam<const char*> {};

TEST_P(ClosedDescriptors, LeaveTheStoreWholeAndTheRunComplete) {
  const TemporaryFolder folder;
  const std::string run = kRun, redirection = GetParam();
  EXPECT_EQ(0, Shell(run + " " + redirection, folder.path()).exit_code);
  EXPECT_EQ(0, Shell(run + " --resume " + redirection, folder.path()).exit_code);
  const CommandResult again = Shell(run + " --resume", folder.path());
  EXPECT_EQ(0, again.exit_code) << again.err;
  EXPECT_THAT(again.out, HasSubstr("0 trials run, 8 found in the store"));
}

TEST_P(ClosedDescriptors, EndNoCommandByASignal) {
  const TemporaryFolder folder;
  const std::string redirection = GetParam();
  EXPECT_EQ(0, Shell("\"$0\" list " + redirection, folder.path()).exit_code);
  EXPECT_EQ(2, Shell("\"$0\" solve nothing toy-twin " + redirection, folder.path()).exit_code);
}

INSTANTIATE_TEST_SUITE_P(Environment, ClosedDescriptors,
                         testing::Values("2>&-", ">&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"));

}  // namespace
}  // namespace mbsbench
