#include "methods/interface/method.h"

#include <algorithm>
#include <charconv>

namespace mbsbench {

bool Has(const MethodOptions& options, const std::string& name) {
  return std::find(options.begin(), options.end(), name) != options.end();
}

double Number(const MethodOptions& options, const NumericOption& option) {
  double value = option.by_default;
  for (const std::string& text : options) {
    if (!text.starts_with(option.name + "=")) continue;
    std::from_chars(text.data() + option.name.size() + 1, text.data() + text.size(), value);
  }
  return value;
}

Form FormOf(const MethodEntry& entry, const MethodOptions& options) {
  for (const MethodOption& option : entry.options) {
    if (option.form && Has(options, option.name)) return *option.form;
  }
  return entry.form;
}

const Capabilities& CapabilitiesOf(const MethodEntry& entry, const MethodOptions& options) {
  for (const MethodOption& option : entry.options) {
    if (option.capabilities && Has(options, option.name)) return *option.capabilities;
  }
  return entry.capabilities;
}

}  // namespace mbsbench
