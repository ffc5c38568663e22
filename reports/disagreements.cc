#include "reports/disagreements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "reports/agreement.h"
#include "reports/digit_loss.h"
#include "reports/format.h"
#include "reports/outcomes.h"

namespace mbsbench::reports {

namespace {

// A method that loses its digits on some problems: the largest numbers of all of them.
struct Loser {
  std::vector<std::string> problems, with_motion;  // of it
  double difference = 0, own = 0, others = 0;
  bool has_random_states = false;
};

bool WasRun(const ProblemResults& problem, const std::string& method) {
  return std::any_of(problem.cells.begin(), problem.cells.end(), [&](const Cell& cell) {
    return cell.method == method && IsTried(cell.outcome);
  });
}

void AddLoss(const ProblemResults& problem, const MethodAgreement& agreement,
             const ComparedMethod& one, double others, Loser& loser) {
  loser.problems.push_back(problem.name);
  if (WasRun(problem, one.method)) loser.with_motion.push_back(problem.name);
  loser.difference = std::max(loser.difference, one.difference.value_or(0));
  loser.own = std::max(loser.own, one.error.value_or(0));
  loser.others = std::max(loser.others, others);
  loser.has_random_states |= agreement.has_random_states;
}

// What the loss does to the cells that stand in this report.
std::string WhoSuffers(const Loser& loser) {
  if (loser.with_motion.empty()) return "No motion of it was run there.";
  const auto others = static_cast<long long>(loser.problems.size() - loser.with_motion.size());
  if (others == 0) return "Only its own cells are affected.";
  return fmt::format(
      "Only its own cells are affected, on {}; no motion of it was run on the other "
      "{}.",
      fmt::join(loser.with_motion, ", "), Plural(others, "problem"));
}

std::string Describe(const std::string& method, const Loser& loser) {
  const bool is_seen_initially = loser.own <= kAgreed && loser.has_random_states;
  return fmt::format(
      "{} loses digits on {}: its accelerations differ from those of most others by up to {}; "
      "against 113 bits they err by {}{}, those of the methods that agree by {} at most. {}",
      Code(method), fmt::join(loser.problems, ", "), FormatError(loser.difference),
      loser.own < kAllLost ? "up to " + FormatError(loser.own)
                           : "as much as they are large, or more",
      is_seen_initially ? " (at random states only; the difference counts the initial one, too)"
                        : "",
      FormatError(loser.others), WhoSuffers(loser));
}

}  // namespace

Disagreements ReadDisagreements(const Comparison& comparison) {
  Disagreements read;
  std::map<std::string, Loser> losers;
  for (const ProblemResults& problem : comparison.problems) {
    if (!problem.agreement) continue;
    const MethodAgreement agreement = ReadAgreement(*problem.agreement);
    for (const ComparedMethod& one : agreement.apart) {
      if (!one.wrong.empty())
        read.wrong.push_back(
            fmt::format("{}: {} is wrong: {}.", problem.name, Code(one.method), one.wrong));
    }
    const auto others = ErrorOfAgreed(agreement);
    if (!others) {
      if (problem.agreement->outcome == "inaccurate")
        read.open.push_back(problem.name + ": " + problem.agreement->reason);
      continue;
    }
    for (const ComparedMethod& one : agreement.apart) {
      if (one.wrong.empty()) AddLoss(problem, agreement, one, *others, losers[one.method]);
    }
  }
  for (const auto& [method, loser] : losers)
    read.losses.push_back({method, Describe(method, loser)});
  return read;
}

}  // namespace mbsbench::reports
