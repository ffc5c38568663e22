// Merges the agreement checks of one problem.
#pragma once

#include <string>
#include <vector>

#include "harness/records/agreement_record.h"

namespace mbsbench {

// A trial of kind 'agreement'.
struct AgreementCheck {
  std::string finished;  // UTC; may be empty; the order is then that of the checks
  std::string outcome, reason;
  AgreementRecord record;
};

// A run that was continued with other methods holds several checks of a problem, each for the
// methods of that command. The newest entry of each method is used. The values of a whole check
// (outcome, states, worst) are those of the check that compared most methods, the newest among
// equals; where that is ok and a method is wrong by another check, outcome and worst are those of the latter. Among checks that finished in the same second the later one in `checks` is newer.
// `checks` must not be empty.
AgreementCheck MergedAgreement(std::vector<AgreementCheck> checks);

}  // namespace mbsbench
