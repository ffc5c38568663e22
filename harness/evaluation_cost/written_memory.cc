#include "harness/evaluation_cost/written_memory.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace mbsbench {

namespace {

// Private_Dirty of /proc/self/smaps_rollup in bytes; -1 if there is none. Allocates nothing, so that it does not count
// itself.
std::int64_t PrivateBytes() {
  char text[4096];
  const int file = open("/proc/self/smaps_rollup", O_RDONLY);
  if (file < 0) return -1;
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return -1;
  text[length] = '\0';
  const char* const field = std::strstr(text, "Private_Dirty:");
  return field == nullptr ? -1 : 1024 * std::strtoll(field + 14, nullptr, 10);
}

}  // namespace

std::optional<std::int64_t> BytesWrittenBy(const std::function<void()>& work) {
  int channel[2];
  if (pipe(channel) != 0) return std::nullopt;
  const pid_t copy = fork();
  if (copy == 0) {
    const std::int64_t before = PrivateBytes();
    work();
    const std::int64_t after = PrivateBytes();
    const std::int64_t written = before < 0 || after < 0 ? -1 : after - before;
    const bool is_sent = write(channel[1], &written, sizeof written) == sizeof written;
    _exit(is_sent ? 0 : 1);
  }
  close(channel[1]);
  std::int64_t written = -1;
  if (copy < 0 || read(channel[0], &written, sizeof written) != sizeof written) written = -1;
  close(channel[0]);
  if (copy > 0) waitpid(copy, nullptr, 0);
  return written < 0 ? std::nullopt : std::optional(written);
}

}  // namespace mbsbench
