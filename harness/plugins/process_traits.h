// What a library may change of the process that loads it, where every method beside it would feel it.
#pragma once

#include <array>
#include <csignal>
#include <filesystem>
#include <string>

namespace mbsbench {

class ProcessTraits {
 public:
  ProcessTraits();  // as they are now

  // What of them is otherwise by now: "changes the working directory". Empty: nothing.
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
