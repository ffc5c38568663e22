// Digits that are lost along chains.
#pragma once

#include "reports/analysis/scaling.h"
#include "reports/format/document.h"

namespace mbsbench::reports {

// From this error on all digits are lost.
inline constexpr double kAllLost = 0.1;
// Whether an evaluation of a method on a problem has a right digit, as far as it was compared with 113 bits.
bool HasDigits(const ProblemResults& problem, const std::string& method);

// Adds the error of one evaluation against bodies; nothing if no error is known.
void AddEvaluationErrors(const Comparison& comparison, const FamilyScaling& family,
                         Section& section, Document& document);

}  // namespace mbsbench::reports
