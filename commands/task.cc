// mbsbench task: one shard of a shared folder, as the job scripts of 'mbsbench submit' call it.
#include <fmt/format.h>

#include <climits>
#include <memory>

#include "commands/options.h"
#include "harness/cluster/task.h"
#include "harness/runner/process/environment.h"

namespace mbsbench {

void AddTaskCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "task",
      "Run one shard of a shared folder on this machine, as the job scripts of submit do",
      R"(Works in $SLURM_TMPDIR, $TMPDIR or /tmp, and continues where earlier tasks of the shard ended.

Example:
  mbsbench task /shared/comparison 3

Exit codes: 0 the shard is complete; 2 bad usage or input; 3 complete, but methods disagree; 4
internal error; 130 not complete: it was stopped, or its minutes were over. Call it again to
continue.)");
  struct Options {
    std::string folder;
    int shard = 0;
  };
  const auto options = std::make_shared<Options>();
  AddArgument(*command, "FOLDER", options->folder, "Folder that all nodes share");
  Require(AddArgument(*command, "SHARD", options->shard, "Number of the shard, from 1"),
          WholeNumber(1, INT_MAX));
  command->callback([options, &context] {
    context.exit_code =
        RunTask(SharedFolder::Open(options->folder), options->shard, HashOfBinary(context.plugins));
  });
}

}  // namespace mbsbench
