#include "reports/analysis/disagreements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "reports/analysis/outcomes.h"
#include "reports/format/document.h"
#include "reports/format/format.h"

namespace mbsbench::reports {

namespace {

// A larger difference is a disagreement, as in the harness.
constexpr double kAgreed = 1e-6;

// A method that differs from most others, or from the truth.
struct Outlier {
  const MethodAgreementRecord* entry;
  MaybeNumber difference;  // from most others, over all states
  std::string wrong;       // why it solves other equations, by the truth; empty: it does not
};

struct Agreement {
  std::vector<Outlier> outliers = {};
  // The largest error of the others against 113 bits, where it settles who is wrong: it is below kAgreed, and the errors
  // of the outliers are known too.
  MaybeNumber error_of_others = {};
};

// At the initial state the record holds a sentence; else the largest error at random states says it.
std::string WhyWrong(const MethodAgreementRecord& entry) {
  if (entry.judged != "wrong_equations") return "";
  const StartRecord& start = OrNone(entry.start);
  if (start.outcome == "wrong_equations") return start.reason;
  return fmt::format("its accelerations differ from those in 113 bits by {} at a random state",
                     FormatError(entry.error));
}

Agreement ReadAgreement(const Trial& trial) {
  const AgreementRecord& record = OrNone(trial.record.agreement);
  const WorstAgreement& worst = OrNone(record.worst);
  Agreement read;
  bool is_settled = true;
  for (const MethodAgreementRecord& entry : record.methods) {
    const bool is_worst = trial.outcome == "inaccurate" && entry.method == worst.method;
    const std::string wrong = WhyWrong(entry);
    // Where the truth is known it decides, not the other methods.
    const bool has_truth = !entry.judged.empty() && entry.judged != "no_reference" && entry.error;
    const MaybeNumber off = has_truth ? entry.error : entry.difference;
    if (is_worst || !wrong.empty() || off.value_or(0) > kAgreed) {
      read.outliers.push_back(
          {&entry, is_worst && !entry.difference ? worst.difference : entry.difference, wrong});
      is_settled = is_settled && entry.error;
    } else if (entry.error) {
      read.error_of_others = std::max(read.error_of_others.value_or(0), *entry.error);
    }
  }
  if (!is_settled || read.outliers.empty() || read.error_of_others > kAgreed)
    read.error_of_others.reset();
  return read;
}

// A method that loses digits, with its largest numbers over these problems.
struct Loser {
  std::vector<std::string> problems;
  double difference = 0, own = 0, others = 0;
};

std::string Describe(const std::string& method, const Loser& loser) {
  // The errors are those at random states; only the difference counts the initial one, too.
  const std::string initially =
      loser.own > kAgreed
          ? ""
          : fmt::format(
                " at random states, and at the initial one they differ from most others by {}",
                FormatError(loser.difference));
  return fmt::format(
      "{} loses digits on {}: {}. The error of its accelerations against 113 bits is up to {}{}; "
      "that of the other methods is {} at most.",
      Code(method), Plural(loser.problems.size(), "problem"), fmt::join(loser.problems, ", "),
      FormatError(loser.own), initially, FormatError(loser.others));
}

}  // namespace

Disagreements ReadDisagreements(const Comparison& comparison) {
  Disagreements read;
  std::map<std::string, Loser> losers;
  for (const ProblemResults& problem : comparison.problems) {
    if (!problem.agreement) continue;
    const Agreement agreement = ReadAgreement(*problem.agreement);
    for (const Outlier& one : agreement.outliers) {
      const std::string& method = one.entry->method;
      if (!one.wrong.empty()) {
        read.wrong.push_back(
            fmt::format("{}: {} is wrong: {}.", problem.name, Code(method), one.wrong));
      } else if (agreement.error_of_others) {
        Loser& loser = losers[method];
        loser.problems.push_back(problem.name);
        loser.difference = std::max(loser.difference, one.difference.value_or(0));
        loser.own = std::max(loser.own, one.entry->error.value_or(0));
        loser.others = std::max(loser.others, *agreement.error_of_others);
        read.problems_of_losses.insert(problem.name);
      }
    }
    if (!agreement.error_of_others && problem.agreement->outcome == "inaccurate")
      read.open.push_back(problem.name + ": " + problem.agreement->reason);
  }
  for (const auto& [method, loser] : losers) {
    const bool has_motions =
        std::ranges::any_of(comparison.problems, [&name = method](const ProblemResults& problem) {
          return std::ranges::any_of(problem.cells, [&name](const Cell& cell) {
            return cell.method == name && IsTried(cell.outcome);
          });
        });
    read.losses.push_back(
        {method, Describe(method, loser) +
                     (has_motions ? "" : fmt::format(" No motion was run by {}.", Code(method)))});
  }
  return read;
}

}  // namespace mbsbench::reports
