// Reads fields of the store's documents. A field that is null, absent or of another type is "not
// known": documents of damaged or partial records must never stop a report.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

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

inline MaybeNumber Number(const Json& value) { return NumberIn(value); }
inline MaybeNumber Number(const Json& object, const char* name) {
  return Number(Field(object, name));
}

inline std::string Text(const Json& object, const char* name) {
  const Json& value = Field(object, name);
  return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
}

inline std::vector<std::optional<double>> Numbers(const Json& object, const char* name) {
  std::vector<std::optional<double>> numbers;
  const Json& values = Field(object, name);
  if (!values.is_array()) return numbers;
  for (const Json& value : values) numbers.push_back(Number(value));
  return numbers;
}

}  // namespace mbsbench::reports
