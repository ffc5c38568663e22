#include "methods/all_methods.h"

#include "methods/cartesian_dae/cartesian_dae.h"

namespace mbsbench {

const std::vector<MethodEntry>& AllMethods() {
  static const std::vector<MethodEntry> methods{
      CartesianDaeEntry(),
  };
  return methods;
}

}  // namespace mbsbench
