#include "methods/all_methods.h"

namespace mbsbench {

const std::vector<MethodEntry>& AllMethods() {
  static const std::vector<MethodEntry> methods{};
  return methods;
}

}  // namespace mbsbench
