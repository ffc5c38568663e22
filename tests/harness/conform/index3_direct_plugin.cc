// The index3-direct method, whose sources are copies with spoiled terms, as a plug-in.
#include "methods/index3_direct/index3_direct.h"
#include "methods/interface/plugin.h"

namespace mbsbench {

static MethodEntry Entry() {
  MethodEntry entry = Index3DirectEntry();
  entry.key = "index3-direct-mutant";
  return entry;
}

}  // namespace mbsbench

MBSBENCH_PLUGIN("mutants of index3-direct", mbsbench::Entry());
