// The method of docs/regressions_in_your_ci.md: the example with much arithmetic of its own. Two further builds of it have
// a fault each: ADDITIONS is a tenth larger, or CHANGE makes accelerations too large by 1e-9.
#include "methods/interface/plugin.h"
#include "with_work.h"

MBSBENCH_PLUGIN("my method", mbsbench::WithWorkEntry("my-method", ADDITIONS, CHANGE));
