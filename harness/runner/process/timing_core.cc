#include "harness/runner/process/timing_core.h"

#include <sched.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <set>

namespace mbsbench {

namespace {

// Whether another process has reserved the name; otherwise this one reserves it, if it can. A socket with an abstract name: one
// process has it, there is no file to clean up, and the kernel frees the name when the process ends. It stays open on purpose.
bool IsReservedByAnother(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t length = std::min(name.size(), sizeof address.sun_path - 1);
  std::copy_n(name.begin(), length,
              address.sun_path + 1);  // the first character of an abstract name is 0
  const int socket_of_name = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket_of_name < 0) return false;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  if (bind(socket_of_name, reinterpret_cast<const sockaddr*>(&address), size) == 0) return false;
  const int error = errno;
  close(socket_of_name);
  return error == EADDRINUSE;
}

// The first number in a list such as "3,11" or "0-1"; `processor` itself if the system has no such list.
int CoreOf(int processor) {
  std::ifstream siblings("/sys/devices/system/cpu/cpu" + std::to_string(processor) +
                         "/topology/thread_siblings_list");
  int first = processor;
  return siblings >> first ? first : processor;
}

}  // namespace

TimingCore ReserveCore(const std::string& name, const std::vector<Processor>& processors) {
  if (processors.back().number < 0) return {};
  const auto is_free = [&name](const char* what, int number) {
    return !IsReservedByAnother(name + what + std::to_string(number));
  };
  for (const bool may_share : {false, true}) {
    for (auto one = processors.rbegin(); one != processors.rend(); ++one) {
      if ((may_share || is_free(" core ", one->core)) && is_free(" processor ", one->number))
        return {one->number, may_share};
    }
  }
  return {processors.back().number, true};
}

const TimingCore& CoreForTiming() {
  static const TimingCore core = [] {
    std::vector<Processor> processors;
    for (const int number : UsableProcessors()) processors.push_back({number, CoreOf(number)});
    return ReserveCore("mbsbench times on", processors);
  }();
  return core;
}

std::vector<int> ProcessorsForTiming(int threads) {
  std::vector<int> chosen;
  std::set<int> cores;
  const auto choose = [&](int number) {
    chosen.push_back(number);
    cores.insert(CoreOf(number));
  };
  if (CoreForTiming().number >= 0) choose(CoreForTiming().number);
  for (const bool may_share_cores : {false, true}) {
    for (const int number : UsableProcessors()) {
      if (number < 0 || std::ssize(chosen) >= threads || std::ranges::count(chosen, number) > 0)
        continue;
      if (may_share_cores || !cores.contains(CoreOf(number))) choose(number);
    }
  }
  return chosen;
}

std::vector<int> UsableProcessors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return {-1};
  std::vector<int> processors;
  for (int number = 0; number < CPU_SETSIZE; ++number) {
    if (CPU_ISSET(static_cast<unsigned>(number), &set)) processors.push_back(number);
  }
  return processors;
}

}  // namespace mbsbench
