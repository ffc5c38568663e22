#include "harness/cluster/slurm.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "harness/cluster/journal.h"
#include "harness/runner/cells/shell_word.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace fs = std::filesystem;

namespace {

constexpr int kMergeMegabytes = 4000, kMergeMinutes = 60;
constexpr int kSecondsToEnd = 60;  // for a task to end after its time is over

struct CommandOutput {
  int code = -1;
  std::string text;  // standard output and error
};

CommandOutput Run(const std::vector<std::string>& command) {
  CommandOutput output;
  std::FILE* pipe = popen((ShellWords(command) + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 65536> buffer;
  for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    output.text.append(buffer.data(), n);
  const int status = pclose(pipe);
  output.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

bool HasCommand(const std::string& name) { return Run({"command", "-v", name}).code == 0; }

// A log in the words of Slurm, to which % begins a pattern and %% is the character. `name` may be a pattern.
std::string LogPattern(const SharedFolder& folder, const std::string& name) {
  std::string parent;
  for (const char c : folder.path().string()) parent.append(c == '%' ? 2 : 1, c);
  return fs::path(parent) / folder.LogOf(name).lexically_relative(folder.path());
}

// The requests that both kinds of jobs have.
std::string Head(const SlurmRequest& request, const std::string& name, const std::string& log) {
  std::string text = "#!/bin/bash\n#SBATCH --job-name=" + name + "\n";
  for (const auto& [option, value] : {std::pair{"partition", request.partition},
                                      {"account", request.account},
                                      {"constraint", request.constraint}}) {
    if (!value.empty()) text += fmt::format("#SBATCH --{}={}\n", option, ShellWord(value));
  }
  return text + fmt::format("#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=1\n#SBATCH --output={}\n",
                            ShellWord(log));
}

// "1,2,3,5" -> "1-3,5"
std::string Ranges(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", numbers[i]);
    if (last > i) text += fmt::format("-{}", numbers[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace

std::string ShellWords(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) text += (text.empty() ? "" : " ") + ShellWord(word);
  return text;
}

std::string TaskScript(const SharedFolder& folder, const ClusterPlan& plan,
                       const SlurmRequest& request) {
  std::string text = Head(request, plan.JobName(), LogPattern(folder, "%a"));
  // A timed trial needs a whole core, not one of its two threads.
  text += request.exclusive
              ? "#SBATCH --exclusive --mem=0\n"
              : fmt::format("#SBATCH --hint=nomultithread --mem={}M\n", request.megabytes);
  if (request.minutes > 0)
    text += fmt::format("#SBATCH --time={} --signal=B:TERM@{}\n", request.minutes, kSecondsToEnd);
  text += "#SBATCH --requeue --open-mode=append\n";
  text += fmt::format(
      "# Written by 'mbsbench submit': task I of the array runs shard I of {} on its node's own "
      "disk.\n"
      "shard=$SLURM_ARRAY_TASK_ID\n"
      "why=$({} --version 2>&1 > /dev/null) || {{\n"
      "  why=\"mbsbench cannot start (exit status $?): build it with PRESET=portable, or request "
      "other nodes than $(hostname) by --constraint. $why\"\n"
      "  echo \"mbsbench: $why\" >&2\n"
      "  echo \"$why\" > {}/\"$shard\".failed\n"
      "  exit 2\n"
      "}}\n"
      "exec {} task {} \"$shard\"\n",
      plan.shards, ShellWord(plan.executable.front()),
      ShellWord((folder.path() / "shards").string()), ShellWords(plan.executable),
      ShellWord(folder.path().string()));
  return text;
}

std::string MergeScript(const SharedFolder& folder, const ClusterPlan& plan,
                        const SlurmRequest& request) {
  const std::string mbsbench = ShellWords(plan.executable),
                    shared = ShellWord(folder.path().string());
  return Head(request, plan.JobName() + "-merge", LogPattern(folder, "merge")) +
         fmt::format(
             "#SBATCH --mem={}M --time={} --requeue --open-mode=truncate\n"
             "# Written by 'mbsbench submit': merges the finished shards on this node's "
             "own disk.\n"
             "set -eu\n"
             "local=$(mktemp -d)\n"
             "trap 'rm -rf \"$local\"' EXIT\n"
             "cd \"$local\"\n"
             "if ! cp {}/shards/*.sqlite .; then\n"
             "  echo 'mbsbench: no shard has finished' >&2\n"
             "  exit 2\n"
             "fi\n"
             "# 3: damaged records were left out\n"
             "{} merge --store all/results.sqlite *.sqlite || [ $? -eq 3 ]\n"
             "{} report --store all/results.sqlite --output report\n"
             "{} export --store all/results.sqlite results.sqlite\n"
             "cp results.sqlite {}/.results.$$ && mv {}/.results.$$ {}/results.sqlite\n"
             "cp -r report {}/.report.$$ && rm -rf {}/report && mv {}/.report.$$ {}/report\n",
             std::min<std::int64_t>(kMergeMegabytes,
                                    std::max<std::int64_t>(request.megabytes, 1000)),
             kMergeMinutes, shared, mbsbench, mbsbench, mbsbench, shared, shared, shared, shared,
             shared, shared, shared);
}

std::vector<std::string> TaskCommand(const SharedFolder& folder, const std::vector<int>& shards) {
  return {"sbatch", "--parsable", "--array=" + Ranges(shards),
          (folder.path() / "task.sh").string()};
}

std::vector<std::string> MergeCommand(const SharedFolder& folder, const std::string& after_job) {
  return {"sbatch", "--parsable", "--dependency=afterany:" + after_job,
          (folder.path() / "merge.sh").string()};
}

bool HasSlurm() { return HasCommand("sbatch") && HasCommand("squeue"); }

std::string Submit(const std::vector<std::string>& command) {
  const CommandOutput output = Run(command);
  const std::string line = FirstLine(output.text);
  if (output.code != 0)
    throw ModelError("Slurm rejects '" + ShellWords(command) + "': " + line + ".");
  return line.substr(0, line.find(';'));  // JOB;CLUSTER
}

std::map<int, QueuedTask> QueuedTasks(const ClusterPlan& plan) {
  const CommandOutput output = Run({"squeue", "--noheader", "--array", "--name=" + plan.JobName(),
                                    "--states=all", "--format=%K|%T|%N"});
  if (output.code != 0)
    throw ModelError("Slurm's queue cannot be read: " + FirstLine(output.text) + ".");
  static const std::set<std::string> running{"RUNNING", "COMPLETING", "SUSPENDED",
                                             "STOPPED", "SIGNALING",  "STAGE_OUT"},
      waiting{"PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESIZING"};
  std::map<int, QueuedTask> tasks;
  std::istringstream lines(output.text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find('|'), second = line.find('|', first + 1);
    if (second == std::string::npos) continue;
    const std::string state = line.substr(first + 1, second - first - 1);
    const int shard = std::atoi(line.c_str());
    if (running.contains(state))
      tasks[shard] = {true, line.substr(second + 1)};
    else if (waiting.contains(state))
      tasks.try_emplace(shard);
  }
  return tasks;
}

std::string_view Name(ShardProgress progress) {
  constexpr std::array kNames{"done", "running", "waiting", "failed", "missing"};
  return kNames.at(static_cast<std::size_t>(progress));
}

std::vector<ShardStatus> StatusOf(const SharedFolder& folder, const ClusterPlan& plan,
                                  const std::map<int, QueuedTask>& queued) {
  std::vector<ShardStatus> all;
  for (int shard = 1; shard <= plan.shards; ++shard) {
    ShardStatus& status = all.emplace_back();
    status.shard = shard;
    if (folder.IsFinished(shard)) {
      status.progress = ShardProgress::kDone;
      continue;
    }
    for (const std::filesystem::path& journal : folder.Journals(shard))
      status.trials += TrialsInJournal(journal);
    const auto task = queued.find(shard);
    std::ifstream failed(folder.Failed(shard));
    if (task != queued.end()) {
      status.progress = task->second.is_running ? ShardProgress::kRunning : ShardProgress::kWaiting;
      status.node = task->second.node;
    } else if (failed) {
      status.progress = ShardProgress::kFailed;
      std::getline(failed, status.reason);
    }
  }
  return all;
}

}  // namespace mbsbench
