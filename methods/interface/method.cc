#include "methods/interface/method.h"

#include <algorithm>

namespace mbsbench {

bool Has(const MethodOptions& options, const std::string& name) {
  return std::find(options.begin(), options.end(), name) != options.end();
}

}  // namespace mbsbench
