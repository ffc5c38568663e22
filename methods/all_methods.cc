#include "methods/all_methods.h"

#include "methods/kane_huston/kane_huston.h"

namespace mbsbench {

const std::vector<MethodEntry>& AllMethods() {
  static const std::vector<MethodEntry> methods{
      KaneHustonEntry(),
  };
  return methods;
}

}  // namespace mbsbench
