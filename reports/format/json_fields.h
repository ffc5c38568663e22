// Reads fields of documents. A field that is null, absent or of another type is "not known".
#pragma once

#include <nlohmann/json.hpp>

#include "harness/records/number.h"

namespace mbsbench::reports {

using Json = nlohmann::json;

// null if `object` is not an object or has no such field.
inline const Json& Field(const Json& object, const char* name) {
  static const Json null;
  if (!object.is_object()) return null;
  const auto it = object.find(name);
  return it == object.end() ? null : *it;
}

}  // namespace mbsbench::reports
