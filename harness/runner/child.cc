#include "harness/runner/child.h"

#include <unistd.h>

#include <array>
#include <csignal>
#include <new>

#include "harness/records/json_codec.h"
#include "harness/runner/acceleration_trial.h"
#include "harness/runner/accuracy_trial.h"
#include "harness/runner/cell_budget.h"
#include "harness/runner/evaluation_trial.h"
#include "harness/runner/judged_evaluation.h"
#include "harness/runner/time_trial.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

TrialResult Carry(const TrialRequest& request, const std::vector<MethodEntry>& methods) {
  if (request.kind == "reference accelerations") {
    return ReferenceAccelerationTrial(ProblemOf(request.cell), request.random_states, request.seed);
  }
  const PreparedCell prepared = PrepareCell(request.cell, methods);
  if (request.kind == "accuracy") {
    if (!request.start) return AccuracyTrial(prepared);
    const JudgedStart judged = JudgedStartFrom(*request.start);
    return AccuracyTrial(prepared, {}, &judged);
  }
  if (request.kind == "budget") return BudgetTrial(prepared);
  if (request.kind == "time") return TimeTrial(prepared, request.rounds);
  if (request.kind == "evaluation") return EvaluationTrial(prepared, request.what);
  if (request.kind == "accelerations")
    return AccelerationTrial(prepared, request.random_states, request.seed);
  throw std::invalid_argument("no trial is of kind '" + request.kind + "'");
}

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

int HandOver(const std::function<TrialResult()>& carry) {
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

int RunChild(const std::string& request, const std::vector<MethodEntry>& methods) {
  return HandOver([&] {
    TrialRequest read;
    if (!Read(Json::parse(request), read)) throw std::invalid_argument("the request is damaged");
    return Carry(read, methods);
  });
}

}  // namespace mbsbench
