#include "harness/runner/resumed_run.h"

#include <algorithm>
#include <limits>
#include <map>

#include "harness/comparison/same_machine.h"
#include "harness/runner/cells/wall_clock.h"

namespace mbsbench {

namespace {

// On a busy machine the control kernel is slower: it is measured for this long before a host counts as slower [s].
constexpr double kPatience = 3;

// Whether this host is as fast as the one on which `least` was measured; true if nothing was measured.
bool IsAsFast(MaybeNumber least, const std::function<double()>& control_seconds) {
  if (!least) return true;
  double here = std::numeric_limits<double>::infinity();
  for (const double start = WallSeconds(); WallSeconds() - start < kPatience;) {
    here = std::min(here, control_seconds());
    if (here < *least / (1 + kControlLimit)) return false;
    if (here <= *least * (1 + kControlLimit)) return true;
  }
  return false;
}

}  // namespace

std::optional<RunRow> RunToResume(const Store& store, const MachineRecord& machine,
                                  const BuildRecord& build,
                                  const std::function<double()>& control_seconds) {
  const std::string& host = machine.hosts.front();
  std::vector<RunRow> runs = store.Runs();
  std::reverse(runs.begin(), runs.end());
  std::erase_if(runs, [&](const RunRow& run) {
    return ProcessorAndBuild(run.machine, run.build) != ProcessorAndBuild(machine, build);
  });
  const auto was_here = [&host](const RunRow& run) {
    const std::vector<std::string>& hosts = run.machine.hosts;
    return std::find(hosts.begin(), hosts.end(), host) != hosts.end();
  };
  auto found = std::find_if(runs.begin(), runs.end(), was_here);
  if (found == runs.end() && !runs.empty()) {
    std::map<std::string, MaybeNumber>
        least;  // time of the control kernel next to the trials of each run [s]
    store.ForEachTrialWithoutSeries(
        [&least](TrialRow&& trial) { Lower(least[trial.run_id], trial.record.control_seconds); });
    found = std::find_if(runs.begin(), runs.end(), [&](const RunRow& run) {
      return IsAsFast(least[run.id], control_seconds);
    });
  }
  if (found == runs.end()) return std::nullopt;
  std::vector<std::string> hosts = found->machine.hosts;
  if (!was_here(*found)) hosts.push_back(host);
  found->machine = machine;
  found->machine.hosts = std::move(hosts);
  return *found;
}

}  // namespace mbsbench
