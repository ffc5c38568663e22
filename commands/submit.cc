// mbsbench submit: a comparison on a cluster that Slurm manages, one task per shard.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <memory>

#include "commands/run_options.h"
#include "commands/text.h"
#include "harness/cluster/slurm.h"
#include "harness/runner/plan/shard.h"
#include "harness/runner/process/environment.h"
#include "harness/store/files.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

namespace fs = std::filesystem;

constexpr int kDefaultTasks = 32, kMostTasks = 10'000;
constexpr double kDefaultMegabytes = 2048;   // of a trial
constexpr std::int64_t kOwnMegabytes = 512;  // of the process that runs the trials
constexpr int kMinutesToEnd =
    15;                         // for the last trial and the store after a task's minutes are over
constexpr int kSideBySide = 2;  // trials that run at the same time

struct SubmitCommand {
  RunCommandOptions plan;
  std::vector<CLI::Option*> plan_options;
  std::string shared;
  std::optional<int> tasks;
  SlurmRequest request;
  bool dry_run = false;
};

// The options as typed, for 'mbsbench run'.
std::vector<std::string> Arguments(const SubmitCommand& o) {
  std::vector<std::string> words;
  for (const CLI::Option* option : o.plan_options) {
    const std::string name = "--" + option->get_lnames().front();
    if (option->count() == 0) continue;
    if (option->get_expected_max() == 0) {
      words.push_back(name);
      continue;
    }
    for (const std::string& value : option->results()) words.insert(words.end(), {name, value});
  }
  if (!o.plan.memory_limit)
    words.insert(words.end(), {"--memory-limit", fmt::format("{}", kDefaultMegabytes)});
  return words;
}

ClusterPlan MakeClusterPlan(const SubmitCommand& o, CommandContext& context) {
  const RunOptions options = RunOptionsFrom(o.plan, context);
  const std::vector<PlannedProblem> plan = MakePlan(options.selection, context.methods);
  ClusterPlan cluster;
  cluster.id = RandomId();
  cluster.shards = std::min(o.tasks.value_or(kDefaultTasks), static_cast<int>(plan.size()));
  cluster.executable = {fs::read_symlink("/proc/self/exe").string()};
  for (const fs::path& plugin : context.plugins)
    cluster.executable.insert(cluster.executable.end(), {"--plugin", plugin.string()});
  if (context.plugin_seconds != kPluginSeconds) {
    cluster.executable.insert(cluster.executable.end(),
                              {"--plugin-time-limit", fmt::format("{}", context.plugin_seconds)});
  }
  cluster.binary_hash = HashOfBinary(context.plugins);
  cluster.arguments = Arguments(o);
  cluster.folder = fs::current_path().string();
  const std::vector<int> shards = AssignShards(plan, cluster.shards);
  cluster.plan = PlanHash(plan, shards, options.rounds, options.seed, cluster.binary_hash);
  cluster.document = RecordOf(plan, shards);
  return cluster;
}

// The plan in the folder if it has one, which must be the same as `plan`; otherwise `plan`.
ClusterPlan PlanIn(const SharedFolder& folder, ClusterPlan plan) {
  if (!folder.HasPlan()) return plan;
  ClusterPlan held = folder.ReadPlan();
  if (held.plan != plan.plan)
    throw ModelError(fmt::format(
        "the shared folder '{}' holds the shards of another plan ({} shards of 'mbsbench run {}', "
        "by {}). Give another folder, or the same selection, number of tasks and executable.",
        folder.path().string(), held.shards, fmt::join(held.arguments, " "),
        held.binary_hash == plan.binary_hash ? "this executable" : "another executable"));
  held.arguments = std::move(plan.arguments);  // minutes and limits are not part of a plan
  held.executable = std::move(plan.executable);
  held.folder = std::move(plan.folder);
  return held;
}

void WriteScript(const fs::path& file, const std::string& text) {
  WriteFile(file, text, kSharedOption);
  chmod(file.c_str(), 0755);
}

// In a job script each option of Slurm is a comment of one line; what follows a line feed would be a command.
void RefuseLineFeeds(const std::string& option, const std::string& value) {
  const auto is_control = [](unsigned char c) { return std::iscntrl(c) != 0; };
  if (std::ranges::none_of(value, is_control)) return;
  throw ModelError(fmt::format(
      "{} holds a line feed or another control character, which would end its line in the job "
      "scripts: give a value without.",
      option));
}

void SubmitPlan(const SubmitCommand& o, CommandContext& context) {
  for (const auto& [option, value] : {std::pair{"--partition", o.request.partition},
                                      {"--account", o.request.account},
                                      {"--constraint", o.request.constraint},
                                      {"--shared", fs::absolute(o.shared).string()}})
    RefuseLineFeeds(option, value);
  const SharedFolder folder = SharedFolder::OpenToWrite(o.shared);
  if (!o.dry_run && !HasSlurm())
    throw ModelError(
        "there is no Slurm on this machine: sbatch and squeue are not in the PATH. Call "
        "mbsbench on a login node, print the scripts by --dry-run, or run the shards by 'mbsbench "
        "run --shard I/N'.");
  SlurmRequest request = o.request;
  if (o.plan.minutes)
    request.minutes = static_cast<int>(std::ceil(*o.plan.minutes)) + kMinutesToEnd;
  request.megabytes =
      kSideBySide * static_cast<std::int64_t>(o.plan.memory_limit.value_or(kDefaultMegabytes)) +
      kOwnMegabytes;
  const ClusterPlan plan = PlanIn(folder, MakeClusterPlan(o, context));

  std::vector<int> missing;
  for (const ShardStatus& status :
       StatusOf(folder, plan, o.dry_run ? std::map<int, QueuedTask>{} : QueuedTasks(plan))) {
    if (status.progress == ShardProgress::kMissing || status.progress == ShardProgress::kFailed)
      missing.push_back(status.shard);
  }
  if (missing.empty()) {
    Print("all {} shards are done, running or waiting: nothing to submit\n", plan.shards);
    return;
  }
  const std::string task = TaskScript(folder, plan, request),
                    merge = MergeScript(folder, plan, request);
  if (o.dry_run) {
    Print("# {}/task.sh\n{}\n# {}/merge.sh\n{}\n", folder.path().string(), task,
          folder.path().string(), merge);
    Print("# {} of {} shards would be submitted by\n{}\n{}\n", missing.size(), plan.shards,
          ShellWords(TaskCommand(folder, missing)), ShellWords(MergeCommand(folder, "JOB")));
    return;
  }
  folder.Write(plan);
  WriteScript(folder.path() / "task.sh", task);
  WriteScript(folder.path() / "merge.sh", merge);
  const std::string job = Submit(TaskCommand(folder, missing));
  const std::string merging = Submit(MergeCommand(folder, job));
  Print("{} of {} shards submitted as job {}; job {} merges them and writes {}/report\n",
        missing.size(), plan.shards, job, merging, folder.path().string());
  Print("'mbsbench status {}' shows their progress\n", folder.path().string());
}

}  // namespace

void AddSubmitCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "submit",
      "Run a comparison on a cluster that Slurm manages: a job array, one task per shard",
      R"(All items of a problem run on one node. When all tasks have ended, successfully or not, a last
job merges their results and writes the report. The same command again submits only failed and
missing shards. --minutes limits each task: a shard that is cut off covers its problems coarsely,
and continues when it is submitted again.

Example:
  mbsbench submit --full --shared /shared/comparison --tasks 100 --constraint icelake --exclusive)");
  const auto o = std::make_shared<SubmitCommand>();
  o->plan_options = AddRunOptions(*command, o->plan);
  AddOption(*command, "--shared", o->shared, "FOLDER",
            "Folder that all nodes see; one for each plan")
      ->required();
  AddNumber(*command, "--tasks", o->tasks, "N", WholeNumber(1, kMostTasks),
            "Shards, one per task (32, or one per problem)");
  AddOption(*command, "--partition", o->request.partition, "P", "Partition of the cluster");
  AddOption(*command, "--account", o->request.account, "A", "Account that is charged");
  AddOption(*command, "--constraint", o->request.constraint, "C",
            "Features that a node must have; times are compared only on one kind of node");
  command->add_flag("--exclusive", o->request.exclusive,
                    "Whole nodes, so that nothing else disturbs times");
  command->add_flag("--dry-run", o->dry_run, "Print the job scripts, and write and submit nothing");
  command->callback([o, &context] { SubmitPlan(*o, context); });
}

}  // namespace mbsbench
