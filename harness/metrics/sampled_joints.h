// Joint coordinates of a motion known only at samples. Full turns, which body attitudes do not determine, are
// counted from the start: exactly for an angle that a driver holds, else by the rates at both ends of an
// interval.
#pragma once

#include <vector>

#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

class SampledJoints {
 public:
  enum class Followed { kTorsionSprings, kAllAngles };

  // Starts from the bodies `start` at `time`; its turns are those of `initial`, the coordinates at time 0. The
  // system must outlive this object.
  SampledJoints(const System& system, const JointState& initial, double time,
                const std::vector<BodyState>& start, Followed followed);

  // Advances to the next sample, which must not be earlier than the last. A steady state has no time: the
  // turns of its NaN are those of the last time.
  void MoveTo(double time, const std::vector<BodyState>& bodies);

  // An angle is NaN from the first sample on whose turns are not known: neither are the rates at both ends of
  // its interval nearly equal, nor is each so slow that less than half a turn can have passed. Angles that
  // are not followed are those of JointStateOf. Empty if only torsion springs are followed and no joint has
  // a spring.
  const JointState& joints() const { return joints_; }
  // Whether the turns of all angles that are followed are known so far.
  bool known() const;

 private:
  struct Angle {
    std::size_t q, u;  // in JointState::q and ::u
    const Driver* driver = nullptr;
    double driver_offset = 0;  // StartOffset
  };
  double Continued(const Angle& angle, const JointState& now, double interval) const;

  const System& system_;
  bool is_needed_;
  std::vector<Angle> angles_;
  double time_;
  JointState joints_;
};

}  // namespace mbsbench
