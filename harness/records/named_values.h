// Values by name, in the order in which they were added: an object in JSON.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/records/number.h"

namespace mbsbench {

template <typename T>
struct NamedValues {
  using value_type = T;
  std::vector<std::pair<std::string, T>> list = {};

  bool empty() const { return list.empty(); }
  const T* Find(const std::string& name) const {
    for (const auto& [known, value] : list) {
      if (known == name) return &value;
    }
    return nullptr;
  }
  std::map<std::string, T> ByName() const { return {list.begin(), list.end()}; }
};

inline MaybeNumber ValueOf(const NamedValues<double>& values, const std::string& name) {
  const double* const value = values.Find(name);
  return value ? IfFinite(*value) : std::nullopt;
}

}  // namespace mbsbench
