#include "methods/all_methods.h"

#include "methods/articulated_body/articulated_body.h"

namespace mbsbench {

const std::vector<MethodEntry>& AllMethods() {
  static const std::vector<MethodEntry> methods{
      ArticulatedBodyEntry(),
  };
  return methods;
}

}  // namespace mbsbench
