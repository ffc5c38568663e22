// A field of a document that may be partial or damaged.
#pragma once

#include "harness/store/store.h"

namespace mbsbench {

// null where `object` is no object or has no such field.
inline const Json& Part(const Json& object, const char* name) {
  static const Json null;
  return object.is_object() && object.contains(name) ? object.at(name) : null;
}

}  // namespace mbsbench
