// A system as a method is given it.
#pragma once

#include <memory>

#include "problems/model/system.h"

namespace mbsbench {

// What a formulation reads after it is prepared it keeps. Of a system that outlives it, it need not keep a copy: of a million bodies
// that is a third of a gigabyte.
class GivenSystem {
 public:
  // May end before the formulation does.
  GivenSystem(const System& system) : system_(&system) {}  // implicit: every system can be given
  // Outlives the formulation, and is not changed meanwhile.
  static GivenSystem Lent(const System& system) {
    GivenSystem given(system);
    given.is_lent_ = true;
    return given;
  }

  operator const System&() const { return *system_; }
  // For as long as the formulation lives: the one lent, or a copy.
  std::shared_ptr<const System> Kept() const {
    if (is_lent_) return {std::shared_ptr<const System>(), system_};
    return std::make_shared<const System>(*system_);
  }

 private:
  const System* system_;
  bool is_lent_ = false;
};

}  // namespace mbsbench
