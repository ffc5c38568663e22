#include "problems/io/robot_plugins.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "problems/io/robot_reading.h"

namespace mbsbench {

namespace {

constexpr int kReadingSeconds = 60;
constexpr std::size_t kMostReadingBytes = std::size_t{256} << 20;

using ReadFunction = void (*)(const char* file, std::string* bytes);

std::string ReadHere(const std::filesystem::path& plugin, const std::string& file) {
  RobotReading failed;
  void* const library = dlopen(plugin.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    failed.refused = fmt::format("the reader {} cannot be loaded: {}.", plugin.string(), dlerror());
    return Encoded(failed);
  }
  const auto read = reinterpret_cast<ReadFunction>(dlsym(library, MBSBENCH_ROBOT_READER_FUNCTION));
  if (read == nullptr) {
    failed.refused =
        fmt::format("the reader {} is of another version: rebuild mbsbench.", plugin.string());
    return Encoded(failed);
  }
  std::string bytes;
  read(file.c_str(), &bytes);
  return bytes;
}

// In the child process: reads, writes the result to the pipe, and ends.
[[noreturn]] void ReadAndEnd(const std::filesystem::path& plugin, const std::string& file, int to) {
  for (const int number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGINT})
    signal(number, SIG_DFL);
  const int nowhere = open("/dev/null", O_RDWR);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, standard);
  std::string bytes;
  try {
    bytes = ReadHere(plugin, file);
  } catch (...) {
    _exit(1);
  }
  for (std::size_t written = 0; written < bytes.size();) {
    const ssize_t n = write(to, bytes.data() + written, bytes.size() - written);
    if (n < 0 && errno != EINTR) _exit(1);
    if (n > 0) written += static_cast<std::size_t>(n);
  }
  _exit(0);
}

// Everything before the end of the pipe, the time limit or the size limit; `complete` if it is the
// end of the pipe.
std::string ReceiveAll(int from, bool& complete) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(kReadingSeconds);
  std::string bytes, piece(std::size_t{1} << 16, '\0');
  complete = false;
  while (bytes.size() <= kMostReadingBytes) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return bytes;
    pollfd waiting{from, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return bytes;
    const ssize_t n = read(from, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    complete = n == 0;
    if (n <= 0) return bytes;
    bytes.append(piece, 0, static_cast<std::size_t>(n));
  }
  return bytes;
}

}  // namespace

const std::vector<RobotFormat>& RobotFormats() {
  static const std::vector<RobotFormat> formats{
      {"mjcf", "MJCF", "libmujoco-dev"},
      {"sdf", "SDF", "libsdformat-dev"},
  };
  return formats;
}

std::filesystem::path ReaderOf(const RobotFormat& format) {
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  // Tests are in a subfolder.
  for (const char* folder : {"readers", "../readers", MBSBENCH_INSTALLED_READERS}) {
    std::filesystem::path file = here / folder / ("mbsbench_" + format.key + ".so");
    if (std::filesystem::is_regular_file(file)) return file;
  }
  return {};
}

RobotDescription ReadByPlugin(const std::string& key, const std::string& file) {
  const RobotFormat& format =
      *std::ranges::find_if(RobotFormats(), [&](const RobotFormat& f) { return f.key == key; });
  const std::filesystem::path plugin = ReaderOf(format);
  if (plugin.empty()) {
    throw ModelError(fmt::format("{}: the reader of {} files is absent: install {} and rebuild.",
                                 file, format.title, format.package));
  }
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw ModelError(fmt::format("{}: no pipe to its reader: {}.", file, std::strerror(errno)));
  const pid_t reader = fork();
  if (reader == 0) ReadAndEnd(plugin, file, ends[1]);
  close(ends[1]);
  bool complete = false;
  const std::string bytes = reader < 0 ? "" : ReceiveAll(ends[0], complete);
  close(ends[0]);
  int status = 0;
  if (reader > 0) {
    if (!complete) kill(reader, SIGKILL);
    while (waitpid(reader, &status, 0) < 0 && errno == EINTR) {
    }
  }
  if (reader < 0 || !complete || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    const std::string how = reader < 0  ? "could not be started"
                            : !complete ? fmt::format("did not end within {} s", kReadingSeconds)
                            : WIFSIGNALED(status)
                                ? fmt::format("was ended by signal {} ({})", WTERMSIG(status),
                                              strsignal(WTERMSIG(status)))
                                : "ended without an answer";
    throw ModelError(fmt::format("{}: the reader of {} files {}: is the file damaged?", file,
                                 format.title, how));
  }
  RobotReading reading;
  try {
    reading = DecodedReading(bytes);
  } catch (const std::exception&) {
    throw ModelError(fmt::format("{}: the reader of {} files gave no answer that can be read.",
                                 file, format.title));
  }
  if (!reading.unsupported.empty()) throw UnsupportedRobot(reading.unsupported);
  if (!reading.refused.empty()) throw ModelError(reading.refused);
  return std::move(reading.robot);
}

}  // namespace mbsbench
