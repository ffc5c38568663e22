#include "methods/engines/mujoco_node/node_process.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "problems/model/error.h"

namespace mbsbench {

namespace {

constexpr int kChannel = 3;  // of the process

[[noreturn]] void CannotStart(int error) {
  throw ModelError(std::string("Node cannot be started (") + std::strerror(error) +
                   "): install the package nodejs.");
}

}  // namespace

std::filesystem::path NodeScript() {
  static const char within_plugin = 0;
  Dl_info info{};
  dladdr(&within_plugin, &info);
  return std::filesystem::path(info.dli_fname).parent_path() / kNodeScript;
}

NodeProcess::NodeProcess(const std::filesystem::path& script) : owner_(getpid()) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) CannotStart(errno);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[1], kChannel);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&files, kChannel + 1);
  std::string node = "node", file = script.string();
  char* const command[] = {node.data(), file.data(), nullptr};
  const int error = posix_spawnp(&pid_, node.c_str(), &files, nullptr, command, environ);
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  channel_ = ends[0];
  if (error == 0) return;
  close(channel_);
  CannotStart(error);
}

NodeProcess::~NodeProcess() {
  close(channel_);
  if (owner_ != getpid()) return;
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool NodeProcess::is_sound() const { return is_sound_ && owner_ == getpid(); }

NodeProcess::Reply NodeProcess::Ask(Request request, std::string_view text) {
  return Ask(request, text.data(), text.size());
}

NodeProcess::Reply NodeProcess::Ask(Request request, std::span<const double> numbers) {
  return Ask(request, numbers.data(), numbers.size_bytes());
}

NodeProcess::Reply NodeProcess::Ask(Request request, const void* data, std::size_t size) {
  const bool was_sound = std::exchange(is_sound_, false);
  std::array<double, 2> head{static_cast<double>(request), static_cast<double>(size)};
  size_ = 0;
  if (!Send(head.data(), sizeof head) || !Send(data, size) || !Receive(head.data(), sizeof head))
    return Reply::kNone;
  const auto expected = static_cast<std::size_t>(head[1]);
  reply_.resize((expected + sizeof(double) - 1) / sizeof(double));
  if (!Receive(reply_.data(), expected)) return Reply::kNone;
  size_ = expected;
  const auto reply = static_cast<Reply>(static_cast<int>(head[0]));
  is_sound_ = was_sound && reply != Reply::kSentence;  // an error leaves memory behind
  return reply;
}

bool NodeProcess::Send(const void* data, std::size_t size) {
  for (const char* from = static_cast<const char*>(data); size > 0;) {
    const ssize_t n = send(channel_, from, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    from += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool NodeProcess::Receive(void* data, std::size_t size) {
  for (char* to = static_cast<char*>(data); size > 0;) {
    const ssize_t n = recv(channel_, to, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace mbsbench
