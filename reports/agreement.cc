#include "reports/agreement.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/format.h"

namespace mbsbench::reports {

namespace {

// At the initial state the record holds a sentence; else the largest error at random states says it.
std::string WhyWrong(const MethodAgreementRecord& entry, const ComparedMethod& one) {
  const StartRecord& start = OrNone(entry.start);
  if (start.outcome == "wrong_equations") return start.reason;
  return fmt::format("its accelerations differ from those in 113 bits by {} at a random state",
                     FormatError(one.error));
}

}  // namespace

MethodAgreement ReadAgreement(const Trial& agreement) {
  MethodAgreement read;
  const AgreementRecord& record = OrNone(agreement.record.agreement);
  read.has_random_states = record.states.value_or(0) > 1;
  const WorstAgreement& worst = OrNone(record.worst);
  for (const MethodAgreementRecord& entry : record.methods) {
    ComparedMethod one{entry.method, entry.difference, entry.error};
    const bool is_worst = agreement.outcome == "inaccurate" && one.method == worst.method;
    if (is_worst && !one.difference) one.difference = worst.difference;
    // Where the truth is known it decides, and not what the others give.
    const std::string& judged = entry.judged;
    const bool has_truth = !judged.empty() && judged != "no_reference" && one.error;
    if (judged == "wrong_equations") one.wrong = WhyWrong(entry, one);
    const bool is_off = !one.wrong.empty() ? true
                        : has_truth        ? *one.error > kAgreed
                                           : one.difference.value_or(0) > kAgreed;
    if (is_worst || is_off) {
      read.apart.push_back(std::move(one));
    } else if (one.difference || one.error) {
      read.agreed.push_back(std::move(one));
    }
  }
  return read;
}

std::optional<double> ErrorOfAgreed(const MethodAgreement& agreement) {
  if (agreement.apart.empty()) return std::nullopt;
  for (const ComparedMethod& one : agreement.apart) {
    if (!one.error) return std::nullopt;
  }
  std::optional<double> largest;
  for (const ComparedMethod& one : agreement.agreed) {
    if (one.error) largest = std::max(largest.value_or(0), *one.error);
  }
  return largest && *largest <= kAgreed ? largest : std::nullopt;
}

}  // namespace mbsbench::reports
