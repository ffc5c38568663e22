// Runs trials in their own processes and survives their failures.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/runner/process/child.h"

namespace mbsbench {

struct ChildJob {
  std::size_t id = 0;  // chosen by the caller
  TrialRequest request;
  ProcessLimits limits;
  int threads = 1;              // of its method
  std::vector<int> cores = {};  // processors to which the child is pinned; empty: any
  // Runs in turns of a hundredth of a second with the others that do so, and no other of them runs meanwhile.
  bool takes_turns = false;
  std::string code_of =
      {};  // the code that it runs, for the reason of a crash or a kill; empty: our own code
};

struct ChildEnd {
  std::size_t id = 0;
  TrialResult result;  // also if the child was killed, crashed or sent no record
  double seconds = 0;  // CPU time of the whole process; of one that waited, its limit
};

// Ctrl-C, or another signal to end.
class Interrupted : public std::runtime_error {
 public:
  explicit Interrupted(const std::string& what_is_kept = "nothing of this call is kept")
      : std::runtime_error("interrupted; " + what_is_kept + ".") {}
};

// The output of a copy of this process: its last line is kept for the reason of a failure, or it goes to the output of this process.
enum class Output { kKept, kOfThisProcess };

class Supervisor {
 public:
  // `executable` acts as child when called with kChildCommand, a request and the plug-ins to load.
  explicit Supervisor(std::filesystem::path executable,
                      std::vector<std::filesystem::path> plugins = {});
  ~Supervisor();  // kills running children
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  void Start(const ChildJob& job);
  // Any command that writes a TrialResult to kRecordDescriptor. Its first word is the path of an executable.
  void StartCommand(std::size_t id, std::vector<std::string> command, const ProcessLimits& limits,
                    std::vector<int> cores = {}, std::string code_of = {},
                    bool takes_turns = false);
  // A copy of the present process that calls `carry`. Its memory and its files are its own.
  void StartCopy(std::size_t id, const std::function<TrialResult()>& carry,
                 const ProcessLimits& limits, Output output = Output::kKept);
  std::size_t running() const { return children_.size(); }
  // Waits for the next child to end. A child that was killed from outside, not by its limits or its own fault, is started a second
  // time; `killed_before` of its record then names the signal. Throws Interrupted after a signal to end.
  ChildEnd Wait();

 private:
  struct Child;
  void Fork(Child child);
  void PassTheTurn();
  void Read(Child& child);
  void Guard(Child& child);
  ChildEnd Finish(Child& child, int status, double cpu_seconds);

  std::filesystem::path executable_;
  std::vector<std::filesystem::path> plugins_;
  std::list<Child> children_;
  pid_t has_turn_ = -1;    // of the children that take turns
  double turn_began_ = 0;  // WallSeconds
};

// The result of `carry`, called in a copy of this process (StartCopy), or directly if this process is such a copy. Throws
// Interrupted after a signal to end.
TrialResult RunApart(const std::function<TrialResult()>& carry, const ProcessLimits& limits,
                     Output output = Output::kKept);
// Whether this process is such a copy.
bool IsCopy();

// A quarter of the memory, because two trials run in parallel; at most 8 GB.
std::int64_t DefaultMemoryLimit();

// During its life, INT, TERM and HUP make Wait throw instead of ending the process.
class SignalsInterrupt {
 public:
  SignalsInterrupt();
  ~SignalsInterrupt();
  static bool raised();
};

}  // namespace mbsbench
