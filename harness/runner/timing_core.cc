#include "harness/runner/timing_core.h"

#include <sched.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

namespace mbsbench {

namespace {

enum class Reserved { kNow, kByAnother, kCannotBe };

// A socket with an abstract name: one process has it, there is no file to clean up, and the kernel frees the name when the
// process ends. The socket stays open on purpose.
Reserved Reserve(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t length = std::min(name.size(), sizeof address.sun_path - 1);
  std::copy_n(name.begin(), length,
              address.sun_path + 1);  // the first character of an abstract name is 0
  const int socket_of_name = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket_of_name < 0) return Reserved::kCannotBe;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  if (bind(socket_of_name, reinterpret_cast<const sockaddr*>(&address), size) == 0)
    return Reserved::kNow;
  const int error = errno;
  close(socket_of_name);
  return error == EADDRINUSE ? Reserved::kByAnother : Reserved::kCannotBe;
}

}  // namespace

TimingCore ReserveCore(const std::string& name, const std::vector<int>& cores) {
  for (auto core = cores.rbegin(); core != cores.rend(); ++core) {
    const Reserved reserved = Reserve(name + " " + std::to_string(*core));
    if (reserved != Reserved::kByAnother) return {*core, false};
  }
  return {cores.back(), true};
}

const TimingCore& CoreForTiming() {
  static const TimingCore core = ReserveCore("mbsbench times on core", UsableCores());
  return core;
}

std::vector<int> UsableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return {-1};
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(static_cast<unsigned>(core), &set)) cores.push_back(core);
  }
  return cores;
}

}  // namespace mbsbench
