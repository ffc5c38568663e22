#include "methods/interface/method.h"

#include <algorithm>

namespace mbsbench {

bool Has(const MethodOptions& options, const std::string& name) {
  return std::find(options.begin(), options.end(), name) != options.end();
}

Verdict WithoutDrivers(const System& system, const std::string& method) {
  if (system.drivers.empty()) return {};
  return Verdict::No(method + " does not hold a joint at a constant speed; driver '" +
                     system.drivers.front().name + "' asks for it.");
}

}  // namespace mbsbench
