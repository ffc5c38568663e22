// A system that is passed to a method, with or without a guarantee of its lifetime.
#pragma once

#include <memory>

#include "problems/model/system.h"

namespace mbsbench {

// A formulation that reads the system after preparation copies it, unless the system outlives the formulation: a copy of a
// million bodies takes a third of a gigabyte.
class GivenSystem {
 public:
  // The system need not outlive the formulation.
  GivenSystem(const System& system) : system_(&system) {}  // implicit: every system can be passed
  // The system outlives the formulation and is not changed meanwhile.
  static GivenSystem Lent(const System& system) {
    GivenSystem given(system);
    given.is_lent_ = true;
    return given;
  }

  operator const System&() const { return *system_; }
  // Valid as long as the formulation: the lent system, or a copy.
  std::shared_ptr<const System> Kept() const {
    if (is_lent_) return {std::shared_ptr<const System>(), system_};
    return std::make_shared<const System>(*system_);
  }

 private:
  const System* system_;
  bool is_lent_ = false;
};

}  // namespace mbsbench
