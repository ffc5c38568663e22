// The generalised-alpha method, whose sources are copies with spoiled terms, as a plug-in.
#include "methods/interface/plugin.h"
#include "methods/lie_generalised_alpha/lie_generalised_alpha.h"

namespace mbsbench {

static MethodEntry Entry() {
  MethodEntry entry = LieGeneralisedAlphaEntry();
  entry.key = "lie-generalised-alpha-mutant";
  return entry;
}

}  // namespace mbsbench

MBSBENCH_PLUGIN("mutants of lie-generalised-alpha", mbsbench::Entry());
