#include "harness/runner/observation_document.h"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace mbsbench {

namespace {

template <class T>
Json BytesOf(const std::vector<T>& list) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(list.data());
  return std::vector<std::uint8_t>(begin, begin + list.size() * sizeof(T));
}

template <class T>
std::vector<T> ListOf(const Json& json) {
  const auto bytes = json.get<std::vector<std::uint8_t>>();
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
