// Process state that a loaded library may change and that affects every other method.
#pragma once

#include <array>
#include <csignal>
#include <filesystem>
#include <string>

namespace mbsbench {

class ProcessTraits {
 public:
  ProcessTraits();  // records the current state

  // What has changed since: "changes the working directory"; empty if nothing has.
  std::string Change() const;

 private:
  using Handler = void (*)(int);
  static constexpr int kSignals = 32;  // the standard ones

  std::filesystem::path folder_;
  std::array<bool, 3> is_open_{};  // standard input, output and error
  std::array<Handler, kSignals> handlers_{};
  int rounding_ = 0;
  bool has_subnormals_ = false;
};

}  // namespace mbsbench
