#include "harness/runner/process/supervisor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/records/json_codec.h"
#include "harness/runner/cells/wall_clock.h"

namespace mbsbench {

namespace {

constexpr int kPollMilliseconds = 25;  // interval between checks of the limits
constexpr int kTurnMilliseconds = 10;  // long against the time in which caches are refilled
constexpr double kGraceSeconds = 1;    // between TERM and KILL
constexpr double kWaitingShare =
    0.02;  // of its limit: with less CPU time in that time a process waits
constexpr std::size_t kOutputKept = 2000;  // last characters of the output of a child
// The address sanitizer maps terabytes of private memory, so that only resident memory can be limited.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kLimitsData = false;
#else
constexpr bool kLimitsData = true;
#endif

volatile std::sig_atomic_t signal_raised = 0;
void Raise(int) { signal_raised = 1; }

bool is_copy = false;  // whether this process is a copy made by StartCopy

void Close(int& descriptor) {
  if (descriptor >= 0) close(std::exchange(descriptor, -1));
}

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "a pipe could not be made");
    read = ends[0];
    write = ends[1];
  }
  ~Pipe() {
    Close(read);
    Close(write);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
};

// A process that kills the groups of children that still run when this process has ended, by whatever signal. It is started with
// the first child, learns of each child by a pipe, and sees the end of this process as the end of the pipe.
class Keeper {
 public:
  static void Begins(pid_t group) { Tell(group); }
  static void Ends(pid_t group) { Tell(-group); }
  // A child calls this, since it would keep the pipe open.
  static void Leave() {
    Close(pipe_);
    owner_ = -1;
  }
  static void Start() {
    if (owner_ == getpid()) return;
    Leave();  // that of the process of which this is a copy
    Pipe groups;
    const pid_t keeper = fork();
    if (keeper < 0) return;
    if (keeper == 0) Keep(groups.read);
    owner_ = getpid();
    pipe_ = std::exchange(groups.write, -1);
    waitpid(keeper, nullptr, 0);  // the keeper is its child, so that nobody need wait for it
  }

 private:
  static void Tell(pid_t group) {
    if (pipe_ < 0) return;
    const ssize_t ignored = write(pipe_, &group, sizeof group);
    static_cast<void>(ignored);
  }
  [[noreturn]] static void Keep(int groups) {
    if (fork() != 0) _exit(0);
    setsid();  // Ctrl-C is not for it
    for (int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
    dup2(groups, STDIN_FILENO);
    close_range(STDOUT_FILENO, ~0U, 0);
    std::vector<pid_t> running;
    for (pid_t group = 0; read(STDIN_FILENO, &group, sizeof group) == sizeof group;) {
      if (group > 0)
        running.push_back(group);
      else
        std::erase(running, -group);
    }
    for (const pid_t group : running) kill(-group, SIGKILL);
    _exit(0);
  }
  static inline int pipe_ = -1;
  static inline pid_t owner_ = -1;
};

std::int64_t ResidentBytes(pid_t pid) {
  std::ifstream statm("/proc/" + std::to_string(pid) + "/statm");
  std::int64_t size = 0, resident = 0;
  statm >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

// CPU time of the processes of a group and of all that they started, and of their children that have ended [s].
double CpuSecondsOf(pid_t group) {
  struct Process {
    pid_t id = -1, parent = -1, group = -1;
    double ticks = 0;
  };
  std::vector<Process> others;
  std::error_code ended;
  for (const auto& folder : std::filesystem::directory_iterator("/proc", ended)) {
    std::ifstream stat(folder.path() / "stat");
    std::string text, skipped;
    std::getline(stat, text);
    std::istringstream fields(text.substr(text.rfind(')') + 1));  // the name may contain anything
    Process one{.id = std::atoi(folder.path().filename().c_str())};
    if (one.id <= 0 || !(fields >> skipped >> one.parent >> one.group)) continue;
    for (int field = 6; field < 14; ++field) fields >> skipped;
    for (int field = 14; field < 18; ++field) {  // user and system, its own and of ended children
      double more = 0;
      if (fields >> more) one.ticks += more;
    }
    others.push_back(one);
  }
  std::set<pid_t> counted;
  double ticks = 0;
  for (bool found = true; std::exchange(found, false);) {
    std::erase_if(others, [&](const Process& one) {
      if (one.group != group && !counted.contains(one.parent)) return false;
      counted.insert(one.id);
      ticks += one.ticks;
      return found = true;
    });
  }
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double CpuSecondsOf(const rusage& used) {
  double seconds = 0;
  for (const timeval& time : {used.ru_utime, used.ru_stime})
    seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  return seconds;
}

// In the child, right after the fork: system calls only. `output` -1: the child keeps the output of this process.
void BecomeChild(const ProcessLimits& limits, const std::vector<int>& processors, pid_t parent,
                 int record, int output) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent died before prctl
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (kLimitsData) {
    const auto bytes = static_cast<rlim_t>(limits.bytes);
    const rlimit data{bytes, bytes};
    setrlimit(RLIMIT_DATA, &data);
  }
  if (!processors.empty()) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (const int number : processors) CPU_SET(static_cast<unsigned>(number), &cores);
    sched_setaffinity(0, sizeof cores, &cores);
  }
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  if (output >= 0) {
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
  }
  if (record == kRecordDescriptor) {
    fcntl(record, F_SETFD, 0);
  } else {
    dup2(record, kRecordDescriptor);
  }
}

// A single read, because the limits of a child that never stops writing must still be checked. Returns the result of read(2), 0
// at the end of the file. Keeps the last `kept` characters of `text`.
ssize_t ReadOnce(int descriptor, std::string& text, std::size_t kept = std::string::npos) {
  std::array<char, 65536> buffer;
  ssize_t n = 0;
  do {
    n = read(descriptor, buffer.data(), buffer.size());
  } while (n < 0 && errno == EINTR);
  if (n > 0) text.append(buffer.data(), static_cast<std::size_t>(n));
  if (text.size() > kept) text.erase(0, text.size() - kept);
  return n;
}

// To the child and its group; the child makes its group itself, so that the group may not exist yet.
void Signal(pid_t child, int signal) {
  kill(-child, signal);
  kill(child, signal);
}

// The child remains, as a zombie.
bool HasEnded(pid_t child) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == child;
}

std::string Megabytes(std::int64_t bytes) { return fmt::format("{} MB", bytes >> 20); }

// "; its last line was: ..." with the last line that is not empty.
std::string LastLine(const std::string& output) {
  const std::size_t end = output.find_last_not_of(" \n\t");
  if (end == std::string::npos) return "";
  const std::size_t begin = output.rfind('\n', end) + 1;  // 0 if there is no line before it
  return "; its last line was: " + output.substr(begin, end + 1 - begin);
}

std::string SignalText(int status) {
  return fmt::format("signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
}

// Whether a child was ended by a signal from outside: by an operator, or by a system short of memory.
bool IsKilledFromOutside(int status) {
  constexpr std::array kSent{SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
  return WIFSIGNALED(status) && std::ranges::count(kSent, WTERMSIG(status)) > 0;
}

}  // namespace

struct Supervisor::Child {
  std::size_t id = 0;
  std::function<int()> act;  // returns the exit code of the child
  Output kept = Output::kKept;
  std::string code_of = {};
  ProcessLimits limits;
  std::vector<int> cores = {};
  bool takes_turns = false;
  std::string killed_before = {};  // the signal from outside that ended its first process
  double cpu_before = 0;           // CPU time of that process [s]
  pid_t pid = -1;
  int record = -1, output = -1;  // read ends, -1 once at their end
  std::string record_text = {}, output_text = {};
  double started = 0, term_sent = 0;   // WallSeconds
  double turns = 0;                    // seconds of its turns that are over
  double cpu_then = 0, wall_then = 0;  // when it was last seen to compute
  std::string timed_out = {};          // the sentence; empty: it is within its time
  bool killed = false;
  std::int64_t too_much = 0;  // resident bytes for which it was killed

  bool IsStopped(pid_t has_turn) const { return takes_turns && pid != has_turn; }
  // The seconds for which it has run.
  double Ran(pid_t has_turn, double turn_began) const {
    const double now = WallSeconds();
    if (!takes_turns) return now - started;
    return turns + (pid == has_turn ? now - turn_began : 0);
  }
  // Sets `timed_out` if it has exceeded its time. `wall`: the seconds for which it has run.
  void CheckTime(double wall) {
    if (!timed_out.empty() || wall <= limits.seconds) return;
    const double used = CpuSecondsOf(pid);
    if (used > limits.seconds)
      timed_out = fmt::format("not finished after {:g} s of CPU time", limits.seconds);
    else if (used - cpu_then >= kWaitingShare * limits.seconds)
      cpu_then = used, wall_then = wall;
    else if (wall - wall_then > limits.seconds)
      timed_out = fmt::format("not finished after {:g} s, most of which it waits", limits.seconds);
  }
};

Supervisor::Supervisor(std::filesystem::path executable, std::vector<std::filesystem::path> plugins)
    : executable_(std::move(executable)), plugins_(std::move(plugins)) {}

Supervisor::~Supervisor() {
  for (Child& child : children_) {
    Signal(child.pid, SIGKILL);
    waitpid(child.pid, nullptr, 0);
    Keeper::Ends(child.pid);
    Close(child.record);
    Close(child.output);
  }
}

void Supervisor::Start(const ChildJob& job) {
  std::vector<std::string> arguments{executable_, std::string(kChildCommand),
                                     ToJson(job.request).dump()};
  for (const std::filesystem::path& plugin : plugins_) arguments.push_back(plugin);
  StartCommand(job.id, std::move(arguments), job.limits, job.cores, job.code_of, job.takes_turns);
}

void Supervisor::StartCommand(std::size_t id, std::vector<std::string> arguments,
                              const ProcessLimits& limits, std::vector<int> cores,
                              std::string code_of, bool takes_turns) {
  // Allocated before the fork, because nothing may be allocated after it.
  const auto words = std::make_shared<std::vector<std::string>>(std::move(arguments));
  std::vector<char*> pointers;
  for (std::string& word : *words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const auto become = [words, pointers] {
    execv(pointers[0], pointers.data());
    return 127;
  };
  Fork({.id = id,
        .act = become,
        .code_of = std::move(code_of),
        .limits = limits,
        .cores = std::move(cores),
        .takes_turns = takes_turns});
}

void Supervisor::StartCopy(std::size_t id, const std::function<TrialResult()>& carry,
                           const ProcessLimits& limits, Output output) {
  const auto act = [carry] {
    is_copy = true;
    const int code = SendResult(carry);
    std::fflush(nullptr);
    return code;
  };
  Fork({.id = id, .act = act, .kept = output, .limits = limits});
}

void Supervisor::Fork(Child child) {
  std::fflush(nullptr);  // otherwise a copy would write buffered text again
  Keeper::Start();
  Pipe record, output;
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) {
    Keeper::Leave();
    BecomeChild(child.limits, child.cores, parent, record.write,
                child.kept == Output::kKept ? output.write : -1);
    if (child.takes_turns) raise(SIGSTOP);  // until its first turn
    _exit(child.act());
  }
  if (pid < 0) {
    throw std::system_error(errno, std::generic_category(), "a child process could not be started");
  }
  Keeper::Begins(pid);
  child.pid = pid;
  child.record = std::exchange(record.read, -1);
  child.output = std::exchange(output.read, -1);
  fcntl(child.record, F_SETFL, O_NONBLOCK);
  fcntl(child.output, F_SETFL, O_NONBLOCK);
  child.started = WallSeconds();
  if (child.takes_turns) {
    // No turn may begin before it has stopped.
    siginfo_t stopped{};
    while (waitid(P_PID, static_cast<id_t>(pid), &stopped, WSTOPPED | WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
  }
  children_.push_back(std::move(child));
  PassTheTurn();
}

// When the turn of the child that has it is over, the next one in the list gets it.
void Supervisor::PassTheTurn() {
  const auto takes_turns = [](const Child& child) { return child.takes_turns; };
  const auto holder = std::ranges::find(children_, has_turn_, &Child::pid);
  const double now = WallSeconds();
  if (holder != children_.end() && now - turn_began_ < 1e-3 * kTurnMilliseconds) return;
  const auto after = holder == children_.end() ? children_.begin() : std::next(holder);
  auto next = std::find_if(after, children_.end(), takes_turns);
  if (next == children_.end()) next = std::ranges::find_if(children_, takes_turns);
  if (next == holder && next != children_.end()) return;
  if (holder != children_.end()) {
    Signal(holder->pid, SIGSTOP);
    holder->turns += now - turn_began_;
  }
  has_turn_ = next == children_.end() ? -1 : next->pid;
  turn_began_ = now;
  if (has_turn_ > 0) Signal(has_turn_, SIGCONT);
}

void Supervisor::Read(Child& child) {
  if (child.record >= 0 && ReadOnce(child.record, child.record_text) == 0) Close(child.record);
  if (child.output >= 0 && ReadOnce(child.output, child.output_text, kOutputKept) == 0)
    Close(child.output);
}

void Supervisor::Guard(Child& child) {
  if (child.killed) return;
  const double now = WallSeconds();
  child.CheckTime(child.Ran(has_turn_, turn_began_));
  const bool is_late = !child.timed_out.empty();
  if (is_late && child.term_sent == 0) {
    child.term_sent = now;
    Signal(child.pid, SIGTERM);
  }
  const std::int64_t resident = ResidentBytes(child.pid);
  if (is_late && now - child.term_sent > kGraceSeconds)
    child.killed = true;
  else if (resident > child.limits.bytes)
    child.too_much = resident, child.killed = true;
  if (child.killed) Signal(child.pid, SIGKILL);
}

ChildEnd Supervisor::Finish(Child& child, int status, double cpu_seconds) {
  ChildEnd end;
  end.id = child.id;
  end.seconds = child.timed_out.empty() ? cpu_seconds : std::max(cpu_seconds, child.limits.seconds);
  Ending& ending = end.result.ending;
  const Json record = Json::parse(child.record_text, nullptr, false);
  if (child.too_much > 0) {
    ending = {Outcome::kOutOfMemory,
              fmt::format("killed at {} of resident memory; the limit is {}",
                          Megabytes(child.too_much), Megabytes(child.limits.bytes))};
  } else if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && record.is_object()) {
    try {
      end.result = TrialResultFrom(record);
    } catch (const std::exception& error) {  // not written by SendResult
      ending = {Outcome::kCrashed, std::string("its record is damaged: ") + error.what()};
    }
    if (ending.outcome == Outcome::kOutOfMemory)
      ending.reason += " of " + Megabytes(child.limits.bytes);
  } else if (!child.timed_out.empty()) {
    ending = {Outcome::kTimeout, child.timed_out};
  } else if (WIFSIGNALED(status)) {
    ending = {Outcome::kCrashed,
              SignalText(status) +
                  (!IsKilledFromOutside(status)  ? ""
                   : child.killed_before.empty() ? ", sent to it from outside"
                                                 : ", sent to it from outside, twice") +
                  LastLine(child.output_text)};
  } else {
    ending = {Outcome::kCrashed, fmt::format("ended with code {} and without a record{}",
                                             WEXITSTATUS(status), LastLine(child.output_text))};
  }
  if (!child.code_of.empty() &&
      (ending.outcome == Outcome::kCrashed || ending.outcome == Outcome::kTimeout ||
       ending.outcome == Outcome::kOutOfMemory))
    ending.reason += " (in " + child.code_of + ")";
  if (!child.killed_before.empty()) end.result.record.killed_before = child.killed_before;
  return end;
}

ChildEnd Supervisor::Wait() {
  if (children_.empty()) throw std::logic_error("no child to wait for");
  for (;;) {
    if (SignalsInterrupt::raised()) throw Interrupted();
    std::vector<pollfd> descriptors;
    bool at_end = false;  // a child has closed its pipes and is about to end
    const bool in_turns = std::ranges::count_if(children_, &Child::takes_turns) > 1;
    for (const Child& child : children_) {
      if (child.record >= 0) descriptors.push_back({child.record, POLLIN, 0});
      if (child.output >= 0) descriptors.push_back({child.output, POLLIN, 0});
      at_end = at_end || (child.record < 0 && child.output < 0);
    }
    poll(descriptors.data(), descriptors.size(),
         at_end     ? 1
         : in_turns ? kTurnMilliseconds
                    : kPollMilliseconds);
    for (auto child = children_.begin(); child != children_.end(); ++child) {
      Read(*child);
      if (HasEnded(child->pid)) {
        Signal(child->pid, SIGKILL);  // those that it has started, before its number is free again
        int status = 0;
        rusage used{};
        wait4(child->pid, &status, 0, &used);
        Keeper::Ends(child->pid);
        // The rest of the record, which is complete; of the output one read suffices.
        while (child->record >= 0 && ReadOnce(child->record, child->record_text) > 0) {
        }
        Read(*child);
        Close(child->record);
        Close(child->output);
        // A child that has printed to the output of this process is not repeated.
        const bool may_again = child->timed_out.empty() && !child->killed &&
                               child->killed_before.empty() && child->kept == Output::kKept;
        if (may_again && IsKilledFromOutside(status)) {
          Child again{.id = child->id,
                      .act = std::move(child->act),
                      .code_of = std::move(child->code_of),
                      .limits = child->limits,
                      .cores = std::move(child->cores),
                      .takes_turns = child->takes_turns,
                      .killed_before = SignalText(status),
                      .cpu_before = CpuSecondsOf(used)};
          children_.erase(child);
          PassTheTurn();
          Fork(std::move(again));
          break;
        }
        ChildEnd end = Finish(*child, status, child->cpu_before + CpuSecondsOf(used));
        children_.erase(child);
        PassTheTurn();
        return end;
      }
      if (!child->IsStopped(has_turn_)) Guard(*child);
    }
    PassTheTurn();
  }
}

TrialResult RunApart(const std::function<TrialResult()>& carry, const ProcessLimits& limits,
                     Output output) {
  if (is_copy) return carry();
  Supervisor supervisor("/proc/self/exe");
  supervisor.StartCopy(0, carry, limits, output);
  return supervisor.Wait().result;
}

bool IsCopy() { return is_copy; }

std::int64_t DefaultMemoryLimit() {
  constexpr std::int64_t kMost = std::int64_t{8} << 30;
  return std::min(kMost,
                  static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) / 4 * sysconf(_SC_PAGESIZE));
}

SignalsInterrupt::SignalsInterrupt() {
  signal_raised = 0;
  struct sigaction action {};
  action.sa_handler = Raise;  // no SA_RESTART: poll has to return
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

SignalsInterrupt::~SignalsInterrupt() {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
}

bool SignalsInterrupt::raised() { return signal_raised != 0; }

}  // namespace mbsbench
