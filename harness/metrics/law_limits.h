// Where the laws of force elements end. That of a bushing ends at a rotation of pi, where its moment would jump: a motion beyond
// it is not one of the system.
#pragma once

#include <string>
#include <vector>

#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

class LawLimits {
 public:
  // The system must outlive this object.
  LawLimits(const System& system, const std::vector<BodyState>& start);

  // Whether there is any to follow.
  bool any() const { return !rotations_.empty(); }
  // Advances to the bodies of the next step, in which none turns by pi.
  void Follow(double time, const std::vector<BodyState>& bodies);
  // Which limit was passed first, and when; empty while none was.
  const std::string& passed() const { return passed_; }

 private:
  struct Rotation {
    const Bushing* bushing;
    Quaternion relative;  // of one sign along the motion: w is negative beyond pi
  };
  std::vector<Rotation> rotations_;
  std::string passed_;
};

}  // namespace mbsbench
