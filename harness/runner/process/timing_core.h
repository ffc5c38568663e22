// The processor on which a run times its trials. Runs on the same machine, such as shards, use different ones.
#pragma once

#include <string>
#include <vector>

namespace mbsbench {

// A hardware thread.
struct Processor {
  int number = -1;
  int core = -1;  // the lowest number among the threads of its core
};

struct TimingCore {
  int number = -1;         // of the processor; -1: any
  bool is_shared = false;  // another process has reserved its core
};

// Reserves, under `name`, the last of `processors` of whose core no other process has reserved a thread; if there is none, the last
// processor that no other has reserved; else the last one is shared. The reservation ends with this process and its copies.
TimingCore ReserveCore(const std::string& name, const std::vector<Processor>& processors);

// The processor of this process, reserved by the first call. The parent of a trial usually runs on others.
const TimingCore& CoreForTiming();

// The processors for the threads of a timed trial: that of CoreForTiming, then others, on cores of their own as long as there are
// any. Empty if the system does not state them.
std::vector<int> ProcessorsForTiming(int threads);

// For a user, where the core is shared.
inline constexpr char kCoreIsShared[] =
    "OTHER RUNS time their trials on every core that this run may use: times are disturbed, and "
    "this run is slower.";

// The numbers of the processors that this process may use; {-1} if the system does not state them.
std::vector<int> UsableProcessors();

}  // namespace mbsbench
