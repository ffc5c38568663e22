// When the times of two runs may be compared: on one machine and by one build. Hosts of a cluster
// may be treated as one machine.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "harness/records/json_codec.h"
#include "harness/records/run_record.h"

namespace mbsbench {

// Largest relative difference of the control kernel between hosts that are treated as one machine.
inline constexpr double kControlLimit = 0.03;

// Processor, number of cores, executable and loaded libraries: if these are equal, results are
// equal to the last bit.
inline std::string ProcessorAndBuild(const MachineRecord& machine, const BuildRecord& build) {
  // If the executable is not known, everything known about the build.
  return fmt::format("{}\n{}\n{}\n{}\n", machine.cpu, machine.cores.value_or(0),
                     build.binary_hash.empty() ? ToJson(build).dump() : build.binary_hash,
                     build.loaded_libraries);
}

// Groups hosts with one processor and build by speed; group 0 is the fastest. `control`: least time of the control kernel on
// each host [s]. All hosts of a group agree with its fastest host within kControlLimit; a host without a time (0) is in the
// first group.
inline std::map<std::string, int> SpeedGroups(const std::map<std::string, double>& control) {
  std::vector<std::pair<double, std::string>> by_speed;
  for (const auto& [host, seconds] : control) by_speed.emplace_back(seconds, host);
  std::sort(by_speed.begin(), by_speed.end());
  std::map<std::string, int> groups;
  int group = 0;
  double fastest = 0;
  for (const auto& [seconds, host] : by_speed) {
    if (fastest > 0 && seconds > (1 + kControlLimit) * fastest) ++group, fastest = seconds;
    if (fastest == 0) fastest = seconds;
    groups[host] = group;
  }
  return groups;
}

}  // namespace mbsbench
