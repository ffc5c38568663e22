// The law of a bushing ends at a rotation of pi, where its moment would jump: motions beyond it are none of the system.
#pragma once

#include <string>
#include <vector>

#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

class BushingRotations {
 public:
  // The system must outlive this object.
  BushingRotations(const System& system, const std::vector<BodyState>& start);

  // Whether there is any to follow.
  bool any() const { return !latest_.empty(); }
  // Advances to the bodies of the next step, in which none turns by pi.
  void Follow(double time, const std::vector<BodyState>& bodies);
  // Which rotation passed pi first, and when; empty while none has.
  const std::string& passed() const { return passed_; }

 private:
  struct Followed {
    const Bushing* bushing;
    Quaternion relative;  // of one sign along the motion: w is negative beyond pi
  };
  std::vector<Followed> latest_;
  std::string passed_;
};

}  // namespace mbsbench
