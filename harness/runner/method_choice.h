// A method with its options chosen: what a spec like "cartesian-dae:ggl" stands for.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "methods/interface/method.h"

namespace mbsbench {

struct MethodChoice {
  const MethodEntry* entry = nullptr;
  MethodOptions
      options;       // one of each group that has a default or was chosen from, in declared order
  std::string spec;  // canonical: key and all options, "riccati-mstmm:general"
};

// Reads "key[:option,...]"; missing options are the defaults of their groups. Throws ModelError
// with the closest names when the key or an option is unknown, or when two options exclude each
// other.
MethodChoice ChooseMethod(std::string_view spec, const std::vector<MethodEntry>& methods);

// Every variant of a method: each option of the group "variant" in turn, the other groups at their
// defaults.
std::vector<MethodChoice> VariantsOf(const MethodEntry& entry);

}  // namespace mbsbench
