// submit, task, status and merge as a user calls them, with a substitute for Slurm that only records its calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/command.h"
#include "tests/support/written_page.h"

namespace mbsbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Arguments = std::vector<std::string>;

class SubmitTest : public testing::Test {
 protected:
  SubmitTest() {
    fs::create_directories(folder_.path() / "bin");
    fs::create_directories(shared_);
    fs::create_directories(folder_.path() / "local");
    Fake("sbatch", "echo \"$@\" >> " + folder_.File("submitted") + "; echo 17");
    Fake("squeue", "cat " + folder_.File("queue") + " 2> /dev/null; exit 0");
    path_ = std::getenv("PATH");
    setenv("PATH", (folder_.File("bin") + ":" + path_).c_str(), 1);
    setenv("TMPDIR", folder_.File("local").c_str(), 1);
    setenv("SLURMD_NODENAME", "n1", 1);
  }
  ~SubmitTest() override {
    setenv("PATH", path_.c_str(), 1);
    unsetenv("TMPDIR");
    unsetenv("SLURMD_NODENAME");
  }
  void Fake(const std::string& command, const std::string& script) {
    const std::string file = folder_.path() / "bin" / command;
    std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
    chmod(file.c_str(), 0755);
  }
  static CommandResult Toys(const Arguments& arguments) {
    return RunCommand(TOYS_EXECUTABLE, arguments);
  }
  static Arguments Selection() {
    return {"--quick", "--problem", "pendulum", "--problem",      "branch4",      "--problem",
            "dpend18", "--method",  "toy-twin", "--method",       "toy-pendulum", "--integrator",
            "dopri5",  "--rounds",  "1",        "--memory-limit", "600"};
  }
  CommandResult Submit(const Arguments& more = {"--tasks", "3"}) const {
    Arguments arguments = Selection();
    arguments.insert(arguments.begin(), "submit");
    arguments.insert(arguments.end(), {"--shared", shared_.string()});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Toys(arguments);
  }
  CommandResult Task(const char* shard) const { return Toys({"task", shared_.string(), shard}); }
  void ExpectRefused(const CommandResult& result, const std::string& says) {
    EXPECT_EQ(2, result.exit_code) << result.out;
    EXPECT_THAT(result.err, HasSubstr(says));
    EXPECT_EQ(1, std::count(result.err.begin(), result.err.end(), '\n')) << result.err;
  }

  TemporaryFolder folder_;
  fs::path shared_ = folder_.path() / "shared";
  std::string path_;
};

TEST_F(SubmitTest, ADryRunPrintsCommandsThatAShellReadsAsTheyAre) {
  shared_ = folder_.path() / "my $(touch spoiled) shared";
  fs::create_directories(shared_);
  const CommandResult printed = Submit({"--tasks", "3", "--dry-run"});
  ASSERT_EQ(0, printed.exit_code) << printed.err;
  const std::string commands =
      printed.out.substr(printed.out.rfind("would be submitted by\n") + 22);
  const CommandResult pasted =
      RunCommand("/bin/sh", {"-c", "cd " + folder_.path().string() + " && " + commands});
  EXPECT_EQ(0, pasted.exit_code) << pasted.err;
  EXPECT_FALSE(fs::exists(folder_.path() / "spoiled"));
  EXPECT_THAT(TextOfFile(folder_.File("submitted")), HasSubstr(shared_.string() + "/task.sh\n"));
}

TEST_F(SubmitTest, LineFeedsInOptionsOfSlurmAreRefused) {
  for (const char* option : {"--partition", "--account", "--constraint"})
    ExpectRefused(Submit({"--dry-run", option, "a\n#SBATCH --uid=0"}),
                  std::string(option) + " holds a line feed");
  shared_ = folder_.path() / "two\nlines";
  fs::create_directories(shared_);
  ExpectRefused(Submit({"--dry-run"}), "--shared holds a line feed");
}

TEST_F(SubmitTest, ShardsOnNodesGiveTheStoreOfASingleRun) {
  const CommandResult submitted = Submit();
  ASSERT_EQ(0, submitted.exit_code) << submitted.err;
  EXPECT_THAT(TextOfFile(folder_.File("submitted")), HasSubstr("--array=1-3"));
  EXPECT_THAT(TextOfFile(folder_.File("submitted")), HasSubstr("--dependency=afterany:17"));
  for (const char* shard : {"3", "1", "2"}) {
    const CommandResult task = Task(shard);
    ASSERT_EQ(0, task.exit_code) << task.err;
  }
  EXPECT_THAT(Toys({"status", shared_.string()}).out, HasSubstr("3 shards: 3 done"));
  EXPECT_THAT(Submit().out, HasSubstr("nothing to submit"));
  EXPECT_TRUE(fs::is_empty(folder_.path() / "local")) << "a node keeps nothing";

  const std::string merged = folder_.File("merged.sqlite"), plain = folder_.File("plain.sqlite");
  Arguments merge{"merge", "--store", merged}, run = Selection();
  for (const char* shard : {"1", "2", "3"})
    merge.push_back(shared_ / "shards" / (std::string(shard) + ".sqlite"));
  EXPECT_THAT(Toys(merge).out, HasSubstr("all shards are there"));
  run.insert(run.begin(), "run");
  run.insert(run.end(), {"--store", plain});
  ASSERT_EQ(0, Toys(run).exit_code);
  const auto compared = nlohmann::json::parse(Toys({"compare", "--json", plain, merged}).out);
  for (const char* count : {"worse", "better", "changed"})
    EXPECT_EQ(0, compared.at("counts").at(count)) << count;
  EXPECT_TRUE(compared.at("only_in_a").empty()) << compared.at("only_in_a").dump(1);
  EXPECT_TRUE(compared.at("only_in_b").empty()) << compared.at("only_in_b").dump(1);
  EXPECT_GT(compared.at("counts").at("alike"), 10);
}

TEST_F(SubmitTest, OnlyShardsThatAreNeitherDoneNorQueuedAreResubmitted) {
  ASSERT_EQ(0, Submit().exit_code);
  ASSERT_EQ(0, Task("1").exit_code);
  std::ofstream(folder_.File("queue")) << "2|RUNNING|n7\n1|COMPLETED|n1\n3|FAILED|n1\n";
  const CommandResult status = Toys({"status", shared_.string()});
  EXPECT_THAT(status.out, HasSubstr("3 shards: 1 done, 1 running, 1 missing"));
  EXPECT_THAT(status.out, HasSubstr("on n7"));
  std::ofstream(folder_.File("submitted"));
  EXPECT_EQ(0, Submit().exit_code);
  EXPECT_THAT(TextOfFile(folder_.File("submitted")), HasSubstr("--array=3 "));
}

TEST_F(SubmitTest, ATaskThatRunsOutOfTimeKeepsItsStoreAndResumes) {
  ASSERT_EQ(0, Submit({"--tasks", "1", "--minutes", "0.0001"}).exit_code);
  EXPECT_EQ(130, Task("1").exit_code) << "0 is for what is complete";
  EXPECT_THAT(Toys({"status", shared_.string()}).out, HasSubstr("its minutes were over"));
  EXPECT_TRUE(fs::exists(shared_ / "shards" / "1.part.sqlite"));
  ASSERT_EQ(0, Submit({"--tasks", "1"}).exit_code) << "other minutes make no other plan";
  EXPECT_EQ(0, Task("1").exit_code);
  EXPECT_THAT(Toys({"status", shared_.string()}).out, HasSubstr("1 shards: 1 done"));
  EXPECT_FALSE(fs::exists(shared_ / "shards" / "1.part.sqlite"));
}

// On a node whose disk has damaged the store of an earlier task.
TEST_F(SubmitTest, ALocalStoreThatCannotBeOpenedIsRebuiltFromTheJournals) {
  ASSERT_EQ(0, Submit({"--tasks", "1", "--minutes", "0.0001"}).exit_code);
  EXPECT_EQ(130, Task("1").exit_code);
  int spoiled = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder_.path() / "local")) {
    if (entry.path().filename() != "store.sqlite") continue;
    std::ofstream(entry.path()) << "This is no SQLite file, and it is longer than a header.";
    ++spoiled;
  }
  ASSERT_EQ(1, spoiled);
  ASSERT_EQ(0, Submit({"--tasks", "1"}).exit_code);
  const CommandResult task = Task("1");
  EXPECT_EQ(0, task.exit_code) << task.err;
}

// While it still asks methods whether they take the problems.
TEST_F(SubmitTest, ATaskThatEndsBeforeItsRunBeginsIsReported) {
  const std::string hanging = folder_.File("supports-hang.so");
  fs::copy_file(HOSTILE_PLUGIN, hanging);
  ASSERT_EQ(0, Submit({"--tasks", "1"}).exit_code);
  auto plan = nlohmann::json::parse(TextOfFile(shared_ / "plan.json"));
  plan["executable"].push_back("--plugin");
  plan["executable"].push_back(hanging);
  for (auto& argument : plan["arguments"]) {
    if (argument == "toy-twin") argument = "supports-hang";
  }
  std::ofstream(shared_ / "plan.json") << plan.dump();
  const pid_t task =
      StartCommand(TOYS_EXECUTABLE, {"task", shared_.string(), "1"}, folder_.path() / "local");
  const auto is_there = [this] {
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path() / "local"))
      if (entry.path().filename() == "store.sqlite") return true;
    return false;
  };
  for (int tries = 0; tries < 3000 && !is_there(); ++tries) usleep(20'000);
  usleep(2'000'000);
  kill(task, SIGTERM);
  int status = 0;
  waitpid(task, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(130, WEXITSTATUS(status)) << TextOfFile(folder_.path() / "local" / "err");
  EXPECT_THAT(Toys({"status", shared_.string()}).out, HasSubstr("it was interrupted"));
}

TEST_F(SubmitTest, TheTimeLimitOfPlugInsReachesTheTasks) {
  Arguments arguments = Selection();
  arguments.insert(arguments.begin(), {"--plugin-time-limit", "77", "submit"});
  arguments.insert(arguments.end(), {"--shared", shared_.string(), "--dry-run"});
  EXPECT_THAT(Toys(arguments).out, HasSubstr("--plugin-time-limit 77 task"));
}

TEST_F(SubmitTest, ADryRunWritesNothing) {
  const CommandResult result = Submit({"--dry-run"});
  EXPECT_EQ(0, result.exit_code) << result.err;
  EXPECT_THAT(result.out, HasSubstr("#SBATCH"));
  EXPECT_TRUE(fs::is_empty(shared_));
  EXPECT_FALSE(fs::exists(folder_.File("submitted")));
}

TEST_F(SubmitTest, RefusesABadFolderInOneSentence) {
  Arguments submit = Selection();
  submit.insert(submit.begin(), "submit");
  const auto to = [&submit](const std::string& folder) {
    Arguments arguments = submit;
    arguments.insert(arguments.end(), {"--shared", folder});
    return Toys(arguments);
  };
  ExpectRefused(to(folder_.File("none")), "there is no folder");
  ExpectRefused(to(folder_.File("bin") + "/sbatch"), "is not a folder");
  ExpectRefused(to("/proc"), "cannot be written");
  ExpectRefused(Toys({"status", folder_.File("none")}), "there is no folder");
  ExpectRefused(Toys({"status", shared_.string()}), "holds no plan");
  ExpectRefused(Toys({"task", shared_.string(), "1"}), "holds no plan");
}

TEST_F(SubmitTest, RefusesAFolderWithAnotherPlanAndDoesNotChangeIt) {
  ASSERT_EQ(0, Submit().exit_code);
  const std::string plan = TextOfFile(shared_ / "plan.json");
  ExpectRefused(Submit({"--tasks", "2"}), "another plan");
  EXPECT_EQ(plan, TextOfFile(shared_ / "plan.json"));
  ExpectRefused(Task("4"), "there is no shard 4");
  std::string other = plan;
  other.replace(other.find("\"version\": 2"), 12, "\"version\": 9");
  std::ofstream(shared_ / "plan.json") << other;
  ExpectRefused(Submit(), "is a plan of version 9");
  std::ofstream(shared_ / "plan.json") << plan.substr(0, plan.size() / 2);
  ExpectRefused(Toys({"status", shared_.string()}), "damaged");
}

TEST_F(SubmitTest, RefusesAMachineWithoutSlurm) {
  setenv("PATH", "/usr/lib", 1);
  ExpectRefused(Submit(), "there is no Slurm on this machine");
  EXPECT_EQ(0, Submit({"--dry-run"}).exit_code);
}

TEST_F(SubmitTest, ReportsTheMessageOfSlurm) {
  Fake("sbatch", "echo 'sbatch: error: invalid partition specified: p' >&2; exit 1");
  ExpectRefused(Submit({"--partition", "p"}), "invalid partition specified");
}

TEST_F(SubmitTest, ATruncatedShardIsRefusedAndRunAgainOnceItIsRemoved) {
  ASSERT_EQ(0, Submit().exit_code);
  ASSERT_EQ(0, Task("2").exit_code);
  const fs::path shard = shared_ / "shards" / "2.sqlite";
  fs::resize_file(shard, fs::file_size(shard) - 100);
  ExpectRefused(Toys({"status", shared_.string()}), "damaged or truncated");
  ExpectRefused(Submit(), "damaged or truncated");
  fs::remove(shard);
  EXPECT_EQ(0, Task("2").exit_code);
}

TEST_F(SubmitTest, RefusesInvalidNumbers) {
  ExpectRefused(Submit({"--tasks", "0"}), "--tasks is 0");
  ExpectRefused(Submit({"--minutes", "-1"}), "--minutes is -1");
}

}  // namespace
}  // namespace mbsbench
