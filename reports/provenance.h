// What the numbers of a report came from.
#pragma once

#include "reports/cells.h"

namespace mbsbench::reports {

// Of each run shown its command, seed, times, machine and build (commit, compiler, flags, libraries), and how quiet the
// machine was while cells were timed.
Json Provenance(const Comparison& comparison);

}  // namespace mbsbench::reports
