#pragma once

#include <stdexcept>
#include <string>

namespace mbsbench {

// Bad input: one sentence that names what is wrong, where, and what to do. Reaches the user as it
// is.
class ModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace mbsbench
