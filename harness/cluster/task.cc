#include "harness/cluster/task.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>

#include "harness/cluster/journal.h"
#include "harness/runner/process/environment.h"
#include "harness/runner/process/supervisor.h"
#include "harness/store/files.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace fs = std::filesystem;

namespace {

constexpr int kInterrupted = 130;                  // exit code of a run that is not complete
constexpr long kJournalNanoseconds = 200'000'000;  // between two checks of the store

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string Node() {
  if (const std::string node = Variable("SLURMD_NODENAME"); !node.empty()) return node;
  return HostName();
}

// On the node's own disk; the next task of this shard on this node uses the same folder.
fs::path LocalFolder(const ClusterPlan& plan, int shard) {
  std::string base = Variable("SLURM_TMPDIR");
  if (base.empty()) base = Variable("TMPDIR");
  return fs::path(base.empty() ? "/tmp" : base) /
         fmt::format("{}-{}-{}", plan.JobName(), shard, Node());
}

// Prepares the store for the task, with all trials that earlier tasks of the shard finished on any node. Returns the trials in
// their journals.
JournaledTrials PrepareStore(const SharedFolder& folder, int shard, const fs::path& file) {
  std::vector<std::string> damaged;  // trials that the journals hold or the run repeats
  std::optional<Store> store;
  try {
    store = Store::OpenToWrite(file, &damaged);
    store->CheckWhole();
  } catch (const StoreInUse&) {
    throw;
  } catch (const StoreError&) {
    // The store is damaged and belongs to this task alone: the journals hold its trials.
    store.reset();
    std::error_code ignored;
    fs::remove_all(file.parent_path(), ignored);
    store = Store::OpenToWrite(file, &damaged);
  }
  JournaledTrials known;
  for (const fs::path& journal : folder.Journals(shard)) ReadJournal(journal, *store, known);
  return known;
}

pid_t StartRun(const ClusterPlan& plan, int shard, const fs::path& store) {
  std::vector<std::string> words = plan.executable;
  words.push_back("run");
  words.insert(words.end(), plan.arguments.begin(), plan.arguments.end());
  words.insert(words.end(), {"--resume", "--shard", fmt::format("{}/{}", shard, plan.shards),
                             "--store", store.string()});
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t parent = getpid(), child = fork();
  if (child < 0)
    throw ModelError(std::string("no process could be started: ") + std::strerror(errno) + ".");
  if (child > 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  if (chdir(plan.folder.c_str()) != 0) _exit(127);
  execv("/proc/self/exe", pointers.data());
  _exit(127);
}

// Waits until the run has ended and passes a signal on to it. Returns the status of waitpid.
int Follow(pid_t run, JournalWriter& journal) try {
  int status = 0;
  for (bool is_ending = false; waitpid(run, &status, WNOHANG) != run;) {
    if (SignalsInterrupt::raised() && !is_ending) {
      kill(run, SIGTERM);
      is_ending = true;
    }
    journal.Update();
    const timespec pause{0, kJournalNanoseconds};
    nanosleep(&pause, nullptr);
  }
  journal.Update();
  return status;
} catch (...) {
  // The shared folder is full or gone: the finished trials stay on this node's disk.
  kill(run, SIGTERM);
  waitpid(run, nullptr, 0);
  throw;
}

// `was_ended`: a signal ended the run, perhaps before it had recorded its shard.
bool IsComplete(const Store& store, const ClusterPlan& plan, int shard, bool was_ended) {
  for (const ShardRow& row : store.Shards()) {
    if (row.plan == plan.plan && row.number == shard) return !row.finished.empty();
  }
  if (was_ended) return false;
  throw ModelError(fmt::format(
      "the run is not shard {} of the plan in the shared folder: a model file has changed "
      "since, or an engine is missing on this node. Submit to a new shared folder.",
      shard));
}

}  // namespace

int RunTask(const SharedFolder& folder, int shard, const std::string& own_binary_hash) {
  const ClusterPlan plan = folder.ReadPlan();
  if (shard < 1 || shard > plan.shards)
    throw ModelError(
        fmt::format("there is no shard {}: the plan has shards 1 to {}.", shard, plan.shards));
  if (folder.IsFinished(shard)) {
    fmt::print("shard {} is already finished\n", shard);
    return 0;
  }
  std::error_code ignored;
  fs::remove(folder.Failed(shard), ignored);
  const auto fail = [&](const std::string& sentence) {
    WriteFile(folder.Failed(shard), sentence + "\n", kSharedOption);
  };
  const SignalsInterrupt interruptible;
  try {
    if (own_binary_hash != plan.binary_hash)
      throw ModelError(
          "the executable is not the one that made the plan: it was rebuilt since. "
          "Submit to a new shared folder.");
    const fs::path local = LocalFolder(plan, shard), store = local / "store.sqlite";
    const JournaledTrials known = PrepareStore(folder, shard, store);
    fmt::print("shard {} of {} on {}: {} trials of earlier tasks found\n", shard, plan.shards,
               Node(), known.size());
    std::fflush(stdout);

    const fs::path journal = folder.Journal(shard, Node());
    int status = 0;
    {
      JournalWriter writer(journal, store, known);
      status = Follow(StartRun(plan, shard, store), writer);
    }
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    // The signal came before the run had installed its handler.
    if (code == 128 + SIGTERM && SignalsInterrupt::raised()) code = kInterrupted;
    // 3: methods disagree; 130: a signal ended the run. Both leave valid stores.
    if (code != 0 && code != 3 && code != kInterrupted) {
      fail(fmt::format("the run ended with exit code {}; the reason is in {}", code,
                       folder.LogOf(std::to_string(shard)).string()));
      return code;
    }
    const fs::path copy = local / "copy.sqlite";
    fs::remove(copy, ignored);
    bool is_complete = false;
    {
      const Store run = Store::OpenToRead(store);
      is_complete = IsComplete(run, plan, shard, code == kInterrupted);
      run.ExportTo(copy);
    }
    CopyFile(copy, is_complete ? folder.Finished(shard) : folder.Partial(shard), kSharedOption);
    if (!is_complete) {
      fail(std::string(code == kInterrupted ? "it was interrupted" : "its minutes were over") +
           "; submit again to continue");
      return kInterrupted;
    }
    for (const fs::path& done : folder.Journals(shard)) fs::remove(done, ignored);
    fs::remove(folder.Partial(shard), ignored);
    fs::remove_all(local, ignored);
    return code;
  } catch (const std::exception& error) {
    fail(error.what());
    throw;
  }
}

}  // namespace mbsbench
