// The variational integrator, whose sources are copies with spoiled terms, as a plug-in.
#include "methods/interface/plugin.h"
#include "methods/variational/variational.h"

namespace mbsbench {

static MethodEntry Entry() {
  MethodEntry entry = VariationalEntry();
  entry.key = "variational-mutant";
  return entry;
}

}  // namespace mbsbench

MBSBENCH_PLUGIN("mutants of variational", mbsbench::Entry());
