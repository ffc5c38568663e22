// A method, a copy of it, and one whose evaluations take 10 % longer.
#include "methods/interface/plugin.h"
#include "with_work.h"

MBSBENCH_PLUGIN("controls", mbsbench::WithWorkEntry("control", 5000),
                mbsbench::WithWorkEntry("copy", 5000), mbsbench::WithWorkEntry("delayed", 5500));
