// Numbers in JSON: null if not available or not finite.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/records/number.h"

namespace mbsbench {

using Json = nlohmann::ordered_json;

inline Json NumberOrNull(MaybeNumber number) {
  number = IfFinite(number);
  return number ? Json(*number) : Json(nullptr);
}

}  // namespace mbsbench
