// The processor on which a run times its trials. Runs on the same machine, such as shards, use different ones.
#pragma once

#include <string>
#include <vector>

namespace mbsbench {

struct TimingCore {
  int number = -1;         // -1: any
  bool is_shared = false;  // another process has reserved it
};

// Reserves the last of `cores` that no other process has reserved under `name`; if there is none, the last one is shared.
// The reservation ends with this process and its copies.
TimingCore ReserveCore(const std::string& name, const std::vector<int>& cores);

// The core of this process, reserved by the first call. The parent of a trial usually runs on others.
const TimingCore& CoreForTiming();

// The processors that this process may use; {-1} if the system does not say.
std::vector<int> UsableCores();

}  // namespace mbsbench
