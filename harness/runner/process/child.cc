#include "harness/runner/process/child.h"

#include <unistd.h>

#include <array>
#include <csignal>
#include <new>

#include "harness/records/json_codec.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

// The signals of a program's own faults, and their previous actions.
constexpr std::array kFaults{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
std::array<struct sigaction, kFaults.size()> earlier_actions;

// System calls only. A fault raised by the kernel has a positive code; a sent signal does not, and names its sender.
void NoteSender(int signal, siginfo_t* info, void*) {
  const bool is_sent = info->si_code <= 0;
  if (is_sent && info->si_pid != getpid()) {
    [[maybe_unused]] const ssize_t n =
        write(kRecordDescriptor, kSentFromOutside.data(), kSentFromOutside.size());
  }
  for (std::size_t i = 0; i < kFaults.size(); ++i) {
    if (kFaults[i] == signal) sigaction(signal, &earlier_actions[i], nullptr);
  }
  if (is_sent) raise(signal);  // a fault is raised again by itself
}

void NoteSendersOfFaults() {
  struct sigaction action {};
  action.sa_sigaction = NoteSender;
  action.sa_flags = SA_SIGINFO;
  for (std::size_t i = 0; i < kFaults.size(); ++i)
    sigaction(kFaults[i], &action, &earlier_actions[i]);
}

TrialResult Ended(Outcome outcome, std::string reason) {
  TrialResult result;
  result.ending = {outcome, std::move(reason)};
  return result;
}

}  // namespace

int SendResult(const std::function<TrialResult()>& carry) {
  NoteSendersOfFaults();
  TrialResult result;
  try {
    result = carry();
  } catch (const std::bad_alloc&) {
    result = Ended(Outcome::kOutOfMemory, "an allocation was refused at the memory limit");
  } catch (const EvaluationFailed& failed) {
    result = Ended(failed.ending().outcome, failed.ending().reason);
  } catch (const ModelError& error) {
    result = Ended(Outcome::kUnsupported, error.what());
  } catch (const std::exception& error) {
    result = Ended(Outcome::kCrashed, std::string("exception: ") + error.what());
  } catch (...) {
    result = Ended(Outcome::kCrashed, "an exception that is not a std::exception");
  }
  const std::string text = ToJson(result).dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = write(kRecordDescriptor, text.data() + sent, text.size() - sent);
    if (n <= 0) return 1;
    sent += static_cast<std::size_t>(n);
  }
  return 0;
}

}  // namespace mbsbench
