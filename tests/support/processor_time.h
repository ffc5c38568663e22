// Processor time, by which tests judge cost: other work on the machine hardly changes it.
#pragma once

#include <sys/resource.h>

namespace mbsbench {

// The processor time that `work` takes in this process, or in children that end in it (RUSAGE_CHILDREN) [s].
template <class Work>
double ProcessorSeconds(const Work& work, int who = RUSAGE_SELF) {
  const auto used = [who] {
    rusage usage{};
    getrusage(who, &usage);
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
  };
  const double before = used();
  work();
  return used() - before;
}

}  // namespace mbsbench
