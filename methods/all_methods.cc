#include "methods/all_methods.h"

namespace mbsbench {

#define METHOD(function) MethodEntry function();
#include "methods/methods.inc"
#undef METHOD

const std::vector<MethodEntry>& AllMethods() {
#define METHOD(function) function(),
  static const std::vector<MethodEntry> methods{
#include "methods/methods.inc"
  };
#undef METHOD
  return methods;
}

}  // namespace mbsbench
