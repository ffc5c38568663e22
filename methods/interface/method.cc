#include "methods/interface/method.h"

#include <algorithm>

namespace mbsbench {

bool Has(const MethodOptions& options, const std::string& name) {
  return std::find(options.begin(), options.end(), name) != options.end();
}

Verdict RefuseGrowth(const System& system, const std::string& method) {
  if (!system.rope_flight) return {};
  return Verdict::No("rope flight '" + system.rope_flight->name +
                     "' makes the system grow while it moves; " + method +
                     " prepares a system once and takes only those that keep their bodies.");
}

}  // namespace mbsbench
