#include "methods/interface/plugin.h"

#include "compound_pendulum.h"

MBSBENCH_PLUGIN("compound pendulum", mbsbench::CompoundPendulumEntry(),
                mbsbench::SwingingBarFamily());
