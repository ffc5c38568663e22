// Selects the run of a store that a new call continues.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/control_kernel.h"
#include "harness/store/store.h"

namespace mbsbench {

// The newest run that the same build started on this machine, with the present machine record; empty if there is none. Another
// host counts as this machine if its processor and libraries are the same and the control kernel agrees
// (harness/comparison/same_machine.h); the run then names both hosts.
// `machine` and `build` are those of this process; `control_seconds` measures the control kernel here.
std::optional<RunRow> RunToResume(
    const Store& store, const MachineRecord& machine, const BuildRecord& build,
    const std::function<double()>& control_seconds = ControlKernelSeconds);

}  // namespace mbsbench
