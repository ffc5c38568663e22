// A system that is passed to a method: with the scales of its problem, and with or without a guarantee of its lifetime.
#pragma once

#include <algorithm>
#include <memory>

#include "problems/model/system.h"

namespace mbsbench {

struct Problem;

// Problem::length and Problem::time.
struct ProblemScales {
  double length = 1;  // L [m]
  double time = 0.3;  // T [s]
};

// A formulation that reads the system after preparation copies it, unless the system outlives the formulation: a copy of a
// million bodies takes a third of a gigabyte.
class GivenSystem {
 public:
  // The system need not outlive the formulation. Implicit: every system and every problem can be passed.
  GivenSystem(const System& system, const ProblemScales& scales = {})
      : system_(&system), scales_(scales) {}
  GivenSystem(const Problem& problem);
  // The system outlives the formulation and is not changed meanwhile.
  static GivenSystem Lent(GivenSystem given) {
    given.is_lent_ = true;
    return given;
  }

  operator const System&() const { return *system_; }
  const ProblemScales& scales() const { return scales_; }
  // The scale of masses: that of the heaviest body [kg]; 1 if no body has any.
  double mass() const {
    double heaviest = 0;
    for (const Body& body : system_->bodies) heaviest = std::max(heaviest, body.mass);
    return heaviest > 0 ? heaviest : 1;
  }
  // Valid as long as the formulation: the lent system, or a copy.
  std::shared_ptr<const System> Kept() const {
    if (is_lent_) return {std::shared_ptr<const System>(), system_};
    return std::make_shared<const System>(*system_);
  }

 private:
  const System* system_;
  ProblemScales scales_;
  bool is_lent_ = false;
};

}  // namespace mbsbench
