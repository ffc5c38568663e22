// Commands in a failing environment: closed descriptors, full disks, few resources.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>

#include "harness/store/store.h"
#include "tests/support/command.h"
#include "tests/support/parameter_name.h"

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

TEST_P(ClosedDescriptors, LeaveTheStoreIntactAndTheRunComplete) {
  const TemporaryFolder folder;
  const std::string run = kRun, redirection = GetParam();
  EXPECT_EQ(0, Shell(run + " " + redirection, folder.path()).exit_code);
  EXPECT_EQ(0, Shell(run + " --resume " + redirection, folder.path()).exit_code);
  const CommandResult again = Shell(run + " --resume", folder.path());
  EXPECT_EQ(0, again.exit_code) << again.err;
  EXPECT_THAT(again.out, HasSubstr("0 trials run, 8 found in the store"));
}

TEST_P(ClosedDescriptors, DoNotEndACommandByASignal) {
  const TemporaryFolder folder;
  const std::string redirection = GetParam();
  EXPECT_EQ(0, Shell("\"$0\" list " + redirection, folder.path()).exit_code);
  EXPECT_EQ(2, Shell("\"$0\" solve nothing toy-twin " + redirection, folder.path()).exit_code);
}

INSTANTIATE_TEST_SUITE_P(Environment, ClosedDescriptors,
                         testing::Values("2>&-", ">&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-",
                                         "2>/dev/full"));

// ---- full disks, few resources

struct Refusal {
  const char *what, *script, *says;
};
void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.what; }
class SystemRefusals : public testing::TestWithParam<Refusal> {};

// The operating system's reason, and no "internal error".
TEST_P(SystemRefusals, AreBadInputWithTheReasonOfTheSystem) {
  const TemporaryFolder folder;
  const CommandResult result = Shell(GetParam().script, folder.path());
  EXPECT_EQ(2, result.exit_code) << result.err;
  EXPECT_THAT(result.err, HasSubstr(GetParam().says));
  EXPECT_EQ(0u, result.err.rfind("mbsbench: ", 0)) << result.err;
  EXPECT_EQ(1, std::count(result.err.begin(), result.err.end(), '\n')) << result.err;
}

INSTANTIATE_TEST_SUITE_P(
    Environment, SystemRefusals,
    testing::Values(
        Refusal{"a short text to a full disk", "\"$0\" --version > /dev/full", "No space left"},
        Refusal{"help to a full disk", "\"$0\" run --help > /dev/full", "No space left"},
        Refusal{"a list to a full disk", "\"$0\" list > /dev/full", "No space left"},
        Refusal{"a long document to a full disk",
                "\"$0\" solve pendulum toy-twin --json > /dev/full", "No space left"},
        Refusal{"a trajectory to a full disk",
                "\"$0\" solve pendulum toy-twin --csv /dev/full --json > \"$1/out\"",
                "No space left"},
        Refusal{"a short trajectory to a full disk",
                "\"$0\" solve pendulum toy-twin --end 0.1 --csv /dev/full --json > \"$1/out\"",
                "No space left"},
        Refusal{"a trajectory above the limit of file sizes",
                "ulimit -f 8; \"$0\" solve pendulum toy-twin --csv \"$1/t.csv\" --json > /dev/null",
                "/t.csv' cannot be written: File too large for the limit of this shell, which "
                "'ulimit -f' raises"},
        Refusal{"a store above the limit of file sizes",
                "ulimit -f 200; \"$0\" run --quick --problem pendulum --method toy-twin --store "
                "\"$1/s.sqlite\" 2> \"$1/err\"; code=$?; tail -n 1 \"$1/err\" >&2; exit $code",
                "which 'ulimit -f' raises. Finished trials are safe"},
        Refusal{"too small a stack", "ulimit -s 127; \"$0\" list",
                "the stack is limited to 127 kB, and at least 128 kB are needed"},
        Refusal{"too few descriptors for a trial",
                "ulimit -n 9; \"$0\" run --quick --problem pendulum --method toy-twin --store "
                "\"$1/s.sqlite\"",
                "Too many open files"}),
    NameOfParameter);

// ---- a store that is deleted

TEST(Environment, ARunWhoseStoreIsDeletedStopsWithAMessage) {
  const TemporaryFolder folder, output;
  const std::string store = folder.File("s.sqlite");
  const pid_t pid = StartCommand(TOYS_EXECUTABLE,
                                 {"run", "--quick", "--problem", "pendulum", "--method", "toy-twin",
                                  "--rounds", "1000", "--store", store},
                                 output.path());
  const auto has_trials = [&store] {
    try {
      return Store::OpenToRead(store).TrialCount() > 0;
    } catch (const StoreError&) {
      return false;  // not there yet, or without its tables
    }
  };
  while (!has_trials()) usleep(10000);
  std::filesystem::remove(store);
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(2, WEXITSTATUS(status));
  std::ostringstream err;
  err << std::ifstream(output.path() / "err").rdbuf();
  EXPECT_THAT(err.str(), HasSubstr("was deleted or replaced while it was being written"));
}

// ---- children of figures

class SignalsToFigures : public testing::TestWithParam<int> {};

TEST_P(SignalsToFigures, AlsoEndItsChildren) {
  const TemporaryFolder folder;
  ASSERT_EQ(0, Shell(kRun, folder.path()).exit_code);
  // Stands for node: it starts a child of its own, as node does for PDF, and waits.
  const std::string node = folder.File("node"), pids = folder.File("pids");
  std::ofstream(node) << "#!/bin/sh\nsleep 300 &\necho $$ $! > " << pids << ".new\nmv " << pids
                      << ".new " << pids << "\nwait\n";
  std::filesystem::permissions(node, std::filesystem::perms{0755});
  const TemporaryFolder output;
  const pid_t figures =
      StartCommand("/usr/bin/env",
                   {"PATH=" + folder.path().string() + ":/usr/bin:/bin", TOYS_EXECUTABLE, "figures",
                    "--store", folder.File("s.sqlite"), "--output", folder.File("paper")},
                   output.path());
  for (int i = 0; i < 6000 && !std::filesystem::exists(pids); ++i) usleep(10000);
  pid_t shell = 0, sleeper = 0;
  std::ifstream(pids) >> shell >> sleeper;
  ASSERT_GT(sleeper, 0);
  kill(figures, GetParam());
  waitpid(figures, nullptr, 0);
  // Whether the process still runs. One that has ended may wait for its new parent as a zombie.
  const auto runs = [](pid_t pid) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    return (stat >> number >> name >> state) && state != "Z";
  };
  for (int i = 0; i < 6000 && (runs(shell) || runs(sleeper)); ++i) usleep(10000);
  EXPECT_FALSE(runs(shell));
  EXPECT_FALSE(runs(sleeper));
}

INSTANTIATE_TEST_SUITE_P(Environment, SignalsToFigures, testing::Values(SIGKILL, SIGTERM, SIGINT));

}  // namespace
}  // namespace mbsbench
