#include "harness/runner/observation_document.h"

#include <boost/algorithm/hex.hpp>
#include <cstring>
#include <iterator>
#include <string>
#include <type_traits>

namespace mbsbench {

namespace {

// Two hexadecimal digits per byte.
template <class T>
Json BytesOf(const std::vector<T>& list) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto* const begin = reinterpret_cast<const char*>(list.data());
  std::string digits;
  digits.reserve(2 * list.size() * sizeof(T));
  boost::algorithm::hex_lower(begin, begin + list.size() * sizeof(T), std::back_inserter(digits));
  return digits;
}

template <class T>
std::vector<T> ListOf(const Json& json) {
  const std::string bytes = boost::algorithm::unhex(json.get_ref<const std::string&>());
  std::vector<T> list(bytes.size() / sizeof(T));
  if (!list.empty()) std::memcpy(list.data(), bytes.data(), list.size() * sizeof(T));
  return list;
}

}  // namespace

Json ToJson(const Observation& observation) {
  const auto& [bodies, accelerations, reactions, drivers] = observation;
  return {{"bodies", BytesOf(bodies)},
          {"accelerations", BytesOf(accelerations)},
          {"reactions", BytesOf(reactions)},
          {"drivers", BytesOf(drivers)}};
}

Observation ObservationFrom(const Json& json) {
  return {ListOf<BodyState>(json.at("bodies")), ListOf<BodyAcceleration>(json.at("accelerations")),
          ListOf<JointReaction>(json.at("reactions")),
          ListOf<DriverObservation>(json.at("drivers"))};
}

}  // namespace mbsbench
