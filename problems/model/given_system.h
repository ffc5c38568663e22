// A system as a method is given it.
#pragma once

#include <memory>

#include "problems/model/system.h"

namespace mbsbench {

// A formulation copies the system that it reads after preparation. It needs no copy of one that outlives it: a copy of a million
// bodies takes a third of a gigabyte.
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
