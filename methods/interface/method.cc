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

}  // namespace mbsbench
