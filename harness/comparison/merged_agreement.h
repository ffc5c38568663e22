// Merges the agreement checks of one problem.
#pragma once

#include <string>
#include <vector>

#include "harness/records/agreement_record.h"

namespace mbsbench {

// A trial of kind 'agreement'.
struct AgreementCheck {
  std::string finished;  // UTC; if empty, the order of the checks counts
  std::string outcome, reason;
  AgreementRecord record;
};

// A run that was continued with other methods holds several checks of a problem, one for the methods of each command. The
// newest entry of each method is used. The values of a whole check (outcome, states, worst) come from the check with the most
// methods, the newest among equals. If that check is ok and another one found a method wrong, outcome and worst come from the
// other one. Among checks that finished in the same second, the later one in `checks` is newer.
// `checks` must not be empty.
AgreementCheck MergedAgreement(std::vector<AgreementCheck> checks);

}  // namespace mbsbench
