// Reading the options of a problem name.
#pragma once

#include "problems/catalog/catalog.h"

namespace mbsbench {

// The whole number that option `name` gives, or `fallback` without it. Throws ModelError outside
// [least, most].
int IntegerOption(const ProblemOptions& options, const std::string& name, int fallback, int least,
                  int most);

}  // namespace mbsbench
