// Answers in words with the numbers of the store, one function per question.
#pragma once

#include <string>

#include "reports/cells.h"
#include "reports/document.h"

namespace mbsbench::reports {

Answer TreeAnswer(const Comparison& comparison);
Answer LoopAnswer(const Comparison& comparison);

// The words of the answers and of the tables: the one place that explains them.
Section Terms(const Comparison& comparison);
inline constexpr const char* kTermsTitle = "Words used here";

}  // namespace mbsbench::reports
