// The natural-coordinates method, whose sources are copies with spoiled terms, as a plug-in.
#include "methods/interface/plugin.h"
#include "methods/natural_coordinates/natural_coordinates.h"

namespace mbsbench {

static MethodEntry Entry() {
  MethodEntry entry = NaturalCoordinatesEntry();
  entry.key = "natural-coordinates-mutant";
  return entry;
}

}  // namespace mbsbench

MBSBENCH_PLUGIN("mutants of natural-coordinates", mbsbench::Entry());
