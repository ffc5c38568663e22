// A Node process that answers binary requests (serve.mjs). If it ends, requests fail; if it hangs, the limits of the trial that
// waits for it end both.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mbsbench {

inline constexpr char kNodeScript[] = "mujoco_node/serve.mjs";  // beside the plug-in
std::filesystem::path NodeScript();

class NodeProcess {
 public:
  enum class Request { kModel, kFreeLengths, kAccelerations, kObservation, kStep, kReading };
  // kSentence: MuJoCo's error. kNone: the process has ended.
  enum class Reply { kNumbers, kSentence, kSingular, kText, kNone };

  // Throws ModelError where Node cannot be started.
  explicit NodeProcess(const std::filesystem::path& script);
  ~NodeProcess();
  NodeProcess(const NodeProcess&) = delete;
  NodeProcess& operator=(const NodeProcess&) = delete;

  Reply Ask(Request request, std::string_view text);
  Reply Ask(Request request, std::span<const double> numbers);
  // Whether it may serve another formulation: this process started it, and every request left it as it was.
  bool is_sound() const;
  // The last reply.
  std::span<const double> numbers() const { return {reply_.data(), size_ / sizeof(double)}; }
  std::string text() const { return {reinterpret_cast<const char*>(reply_.data()), size_}; }

 private:
  Reply Ask(Request request, const void* data, std::size_t size);
  bool Send(const void* data, std::size_t size);
  bool Receive(void* data, std::size_t size);

  pid_t pid_ = -1;
  const pid_t owner_;  // a copy of that process leaves it alone
  int channel_ = -1;
  bool is_sound_ = true;
  std::vector<double> reply_;
  std::size_t size_ = 0;  // of the reply, in bytes
};

}  // namespace mbsbench
