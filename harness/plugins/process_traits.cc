#include "harness/plugins/process_traits.h"

#include <fcntl.h>

#include <cfenv>
#include <limits>
#include <system_error>

namespace mbsbench {

namespace {

// False where the processor takes subnormal numbers for zero, as libraries linked with -ffast-math
// make it do.
bool HasSubnormals() {
  const volatile double smallest = std::numeric_limits<double>::min();
  return smallest / 2 > 0;
}

}  // namespace

ProcessTraits::ProcessTraits() : rounding_(std::fegetround()), has_subnormals_(HasSubnormals()) {
  std::error_code ignored;
  folder_ = std::filesystem::current_path(ignored);
  for (int descriptor = 0; descriptor < 3; ++descriptor)
    is_open_[static_cast<std::size_t>(descriptor)] = fcntl(descriptor, F_GETFD) != -1;
  for (int signal = 1; signal < kSignals; ++signal) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0)
      handlers_[static_cast<std::size_t>(signal)] = action.sa_handler;
  }
}

std::string ProcessTraits::Change() const {
  const ProcessTraits now;
  if (now.folder_ != folder_) return "changes the working directory";
  if (now.is_open_ != is_open_) return "closes standard input, output or error";
  if (now.handlers_ != handlers_) return "changes what signals do";
  if (now.rounding_ != rounding_) return "changes how floating-point numbers are rounded";
  if (now.has_subnormals_ != has_subnormals_)
    return "makes the processor take subnormal numbers for zero (link it without -ffast-math)";
  return "";
}

}  // namespace mbsbench
