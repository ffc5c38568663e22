#include "harness/runner/trials/observation_document.h"

#include <algorithm>
#include <array>
#include <boost/algorithm/hex.hpp>
#include <cstring>
#include <iterator>
#include <string>
#include <type_traits>

namespace mbsbench {

namespace {

// A JointReaction without padding, whose bytes are indeterminate.
struct SentReaction {
  Vector3 force, torque;
  std::array<bool, 8> unique;  // two more than components
};
static_assert(std::has_unique_object_representations_v<decltype(SentReaction::unique)> &&
              sizeof(SentReaction) == 2 * sizeof(Vector3) + 8);

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
  std::vector<SentReaction> sent;
  for (const JointReaction& r : observation.reactions) {
    SentReaction& s = sent.emplace_back(r.force, r.torque);  // all false
    std::ranges::copy(r.unique.is_unique, s.unique.begin());
  }
  return {{"bodies", BytesOf(observation.bodies)},
          {"accelerations", BytesOf(observation.accelerations)},
          {"reactions", BytesOf(sent)},
          {"drivers", BytesOf(observation.drivers)}};
}

Observation ObservationFrom(const Json& json) {
  Observation observation{ListOf<BodyState>(json.at("bodies")),
                          ListOf<BodyAcceleration>(json.at("accelerations")),
                          {},
                          ListOf<DriverObservation>(json.at("drivers"))};
  for (const SentReaction& s : ListOf<SentReaction>(json.at("reactions"))) {
    JointReaction& r = observation.reactions.emplace_back(s.force, s.torque);
    for (std::size_t k = 0; k < 6; ++k) r.unique[k] = s.unique[k];
  }
  return observation;
}

}  // namespace mbsbench
