// The half-explicit method, whose sources are copies with spoiled terms, as a plug-in.
#include "methods/half_explicit/half_explicit.h"
#include "methods/interface/plugin.h"

namespace mbsbench {

static MethodEntry Entry() {
  MethodEntry entry = HalfExplicitEntry();
  entry.key = "half-explicit-mutant";
  return entry;
}

}  // namespace mbsbench

MBSBENCH_PLUGIN("mutants of half-explicit", mbsbench::Entry());
