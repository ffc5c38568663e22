// Runs trials in processes of their own and outlives whatever they do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/runner/child.h"

namespace mbsbench {

struct ProcessLimits {
  double seconds = 60;                            // wall; then TERM, and KILL a second later
  std::int64_t bytes = std::int64_t{4096} << 20;  // of private writable and of resident memory
};

struct ChildJob {
  std::size_t id = 0;  // the caller's
  TrialRequest request;
  ProcessLimits limits;
  int core = -1;  // the child is pinned to it; -1: free
  std::string code_of =
      {};  // whose code it runs, for the reason where it is killed or crashes; empty: ours
};

struct ChildEnd {
  std::size_t id = 0;
  TrialResult result;       // also where the child was killed, crashed or said nothing
  double wall_seconds = 0;  // of the whole process
};

// The user's Ctrl-C, or a signal that asks to end.
class Interrupted : public std::runtime_error {
 public:
  explicit Interrupted(const std::string& what_is_kept = "nothing of this call is kept")
      : std::runtime_error("interrupted; " + what_is_kept + ".") {}
};

// Where a copy of this process prints: kept are the last words, for the sentence on its end.
enum class Output { kKept, kOfThisProcess };

class Supervisor {
 public:
  // `executable` acts as child when called with kChildCommand, a request and the plug-ins to load.
  explicit Supervisor(std::filesystem::path executable,
                      std::vector<std::filesystem::path> plugins = {});
  ~Supervisor();  // kills what still runs
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  void Start(const ChildJob& job);
  // Any command (its first word is the path of an executable) that ends with a TrialResult on
  // kRecordDescriptor.
  void StartCommand(std::size_t id, std::vector<std::string> command, const ProcessLimits& limits,
                    int core = -1, std::string code_of = {});
  // A copy of this process, as it is now, that carries this out. What is allocated, changed or opened
  // there stays there.
  void StartCopy(std::size_t id, const std::function<TrialResult()>& carry,
                 const ProcessLimits& limits, Output output = Output::kKept);
  std::size_t running() const { return children_.size(); }
  // Waits for the next child to end. One that was killed by somebody else, not by its limits and not by
  // its own fault, is started a second time, and `killed_before` of its record names the signal. Throws
  // Interrupted when a signal asked for it.
  ChildEnd Wait();

 private:
  struct Child;
  void Fork(Child child);
  void Read(Child& child);
  void Guard(Child& child);
  void Drain(Child& child);
  ChildEnd Finish(Child& child, int status);

  std::filesystem::path executable_;
  std::vector<std::filesystem::path> plugins_;
  std::list<Child> children_;
};

// The result of this, carried out by a copy of this process (StartCopy); in such a copy at once. Throws
// Interrupted when a signal asked for it.
TrialResult CarryApart(const std::function<TrialResult()>& carry, const ProcessLimits& limits,
                       Output output = Output::kKept);
// Whether this process is such a copy.
bool IsCopy();

// A quarter of the machine, because two trials run side by side; at most 8 GB.
std::int64_t DefaultMemoryLimit();

// The last processor that this process may use: timed trials are pinned to it, the parent tends to
// live on others.
int CoreForTiming();
int UsableCores();

// While it lives, INT, TERM and HUP make Wait throw instead of ending the process.
class SignalsInterrupt {
 public:
  SignalsInterrupt();
  ~SignalsInterrupt();
  static bool raised();
};

}  // namespace mbsbench
