// The one codec between records and JSON. A record states its fields once, by MBSBENCH_FIELDS or by a function
//
//   template <class Self, class Field> static void Fields(Self& r, Field& field) {
//     field("max", r.max);                   // always written; null where it has no value
//     field.IfAny("events", r.events);       // absent where it has no value
//     field.TextOrNull("event", r.event);    // null where the text is empty
//     field.Part("integration", r.integration);  // the fields of a part, on the level of its owner
//   }
//
// Reading never fails: a field of another type counts as absent, and an absent real number remains unknown. A whole
// number cannot be unknown: an optional record that lacks one is absent.
#pragma once

#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/records/fields.h"
#include "harness/records/json_number.h"
#include "harness/records/named_values.h"
#include "problems/model/geometry.h"

namespace mbsbench {

template <typename T>
Json ToJson(const T& value);
template <typename T>
bool Read(const Json& json, T& value);

namespace codec {

// Whether T is an instance of a template: kIs<T, std::optional>.
template <typename T, template <typename...> class Of>
inline constexpr bool kIs = false;
template <typename... Arguments, template <typename...> class Of>
inline constexpr bool kIs<Of<Arguments...>, Of> = true;

template <typename T>
bool IsAny(const T& value) {
  if constexpr (kIs<T, std::optional>)
    return value.has_value();
  else if constexpr (std::is_floating_point_v<T>)
    return std::isfinite(value);
  else
    return !value.empty();
}

class Writer {
 public:
  explicit Writer(Json& json) : json_(json) {}
  template <typename T>
  void operator()(const char* name, const T& value) {
    json_[name] = ToJson(value);
  }
  template <typename T>
  void IfAny(const char* name, const T& value) {
    if (IsAny(value)) (*this)(name, value);
  }
  void TextOrNull(const char* name, const std::string& text) {
    json_[name] = text.empty() ? Json(nullptr) : Json(text);
  }
  template <typename T>
  void Part(const char*, const std::optional<T>& part) {
    if (part) T::Fields(*part, *this);
  }

 private:
  Json& json_;
};

class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}
  template <typename T>
  void operator()(const char* name, T& value) {
    const auto found = json_.find(name);
    const bool is_read = found != json_.end() && Read(*found, value);
    if constexpr (std::is_floating_point_v<T>) {
      if (!is_read) value = std::numeric_limits<T>::quiet_NaN();
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      is_whole_ = is_whole_ && is_read;
    }
  }
  template <typename T>
  void IfAny(const char* name, T& value) {
    (*this)(name, value);
  }
  void TextOrNull(const char* name, std::string& text) { (*this)(name, text); }
  template <typename T>
  void Part(const char*, std::optional<T>& part) {
    T read;
    bool is_there = false;
    ForEachField(read, [&](const char* name, const auto&) {
      const auto found = json_.find(name);
      is_there = is_there || (found != json_.end() && !found->is_null());
    });
    if (!is_there) return;
    T::Fields(read, *this);
    part = std::move(read);
  }
  // Whether all whole numbers were present.
  bool is_whole() const { return is_whole_; }

 private:
  const Json& json_;
  bool is_whole_ = true;
};

template <typename T>
concept Record = requires(T& record, Reader& reader) {
  T::Fields(record, reader);
};

}  // namespace codec

template <typename T>
Json ToJson(const T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    return NumberOrNull(value);
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<int>(value);
  } else if constexpr (std::is_same_v<T, Vector3>) {
    return {value.x, value.y, value.z};
  } else if constexpr (codec::kIs<T, std::optional>) {
    return value ? ToJson(*value) : Json(nullptr);
  } else if constexpr (codec::kIs<T, std::vector>) {
    Json list = Json::array();
    for (const auto& element : value) list.push_back(ToJson(element));
    return list;
  } else if constexpr (codec::kIs<T, NamedValues>) {
    Json object = Json::object();
    for (const auto& [name, element] : value.list) object[name] = ToJson(element);
    return object;
  } else if constexpr (codec::Record<T>) {
    Json object = Json::object();
    codec::Writer writer(object);
    T::Fields(value, writer);
    return object;
  } else {
    return Json(value);
  }
}

// Whether `json` has the type of `value`. If not, `value` is unchanged; a record takes the fields that are readable.
template <typename T>
bool Read(const Json& json, T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    const MaybeNumber number = NumberIn(json);
    if (number) value = *number;
    return number.has_value();
  } else if constexpr (std::is_same_v<T, Json>) {
    value = json;
    return true;
  } else if constexpr (std::is_same_v<T, bool>) {
    if (json.is_boolean()) value = json.get<bool>();
    return json.is_boolean();
  } else if constexpr (std::is_integral_v<T>) {
    if (json.is_number_integer()) value = json.get<T>();
    return json.is_number_integer();
  } else if constexpr (std::is_enum_v<T>) {
    if (json.is_number_integer()) value = static_cast<T>(json.get<int>());
    return json.is_number_integer();
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (json.is_string()) value = json.get<std::string>();
    return json.is_string();
  } else if constexpr (std::is_same_v<T, Vector3>) {
    std::vector<double> numbers;
    if (!Read(json, numbers) || numbers.size() != 3) return false;
    value = {numbers[0], numbers[1], numbers[2]};
    return true;
  } else if constexpr (codec::kIs<T, std::optional>) {
    typename T::value_type read{};
    value.reset();
    if (!Read(json, read)) return false;
    value = std::move(read);
    return true;
  } else if constexpr (codec::kIs<T, std::vector>) {
    if (!json.is_array()) return false;
    value.clear();
    for (const Json& element : json) {
      typename T::value_type read{};
      // An unreadable element keeps its place, so that lists remain parallel.
      if constexpr (std::is_floating_point_v<typename T::value_type>)
        read = std::numeric_limits<double>::quiet_NaN();
      Read(element, read);
      value.push_back(std::move(read));
    }
    return true;
  } else if constexpr (codec::kIs<T, NamedValues>) {
    if (!json.is_object()) return false;
    value.list.clear();
    for (const auto& [name, element] : json.items()) {
      auto& read = value.list.emplace_back(name, typename T::value_type{}).second;
      if constexpr (std::is_floating_point_v<typename T::value_type>)
        read = std::numeric_limits<double>::quiet_NaN();
      Read(element, read);
    }
    return true;
  } else {
    static_assert(codec::Record<T>);
    if (!json.is_object()) return false;
    codec::Reader reader(json);
    T::Fields(value, reader);
    return reader.is_whole();
  }
}

}  // namespace mbsbench
