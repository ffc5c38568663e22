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

Form FormOf(const MethodEntry& entry, const MethodOptions& options) {
  for (const MethodOption& option : entry.options) {
    if (option.form && Has(options, option.name)) return *option.form;
  }
  return entry.form;
}

Verdict WithoutDrivers(const System& system, const std::string& method) {
  if (system.drivers.empty()) return {};
  return Verdict::No(method + " does not hold a joint at a constant speed; driver '" +
                     system.drivers.front().name + "' asks for it.");
}

}  // namespace mbsbench
