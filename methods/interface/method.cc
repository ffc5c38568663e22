#include "methods/interface/method.h"

#include <algorithm>

namespace mbsbench {

bool Has(const MethodOptions& options, const std::string& name) {
  return std::find(options.begin(), options.end(), name) != options.end();
}

Form FormOf(const MethodEntry& entry, const MethodOptions& options) {
  for (const MethodOption& option : entry.options) {
    if (option.form && Has(options, option.name)) return *option.form;
  }
  return entry.form;
}

}  // namespace mbsbench
