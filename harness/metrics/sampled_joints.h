// Joint coordinates of a motion that is seen at samples only: the turns of torsion springs, which the
// attitudes of bodies do not tell, are followed from the start.
#pragma once

#include <vector>

#include "problems/model/problem.h"
#include "problems/model/state.h"

namespace mbsbench {

class SampledJoints {
 public:
  // From the state `start` at `time`, whose turns are those of the problem's initial coordinates. The
  // problem must outlive this object.
  SampledJoints(const Problem& problem, double time, const std::vector<BodyState>& start);

  // Goes to the next sample, which is not earlier than the last.
  void MoveTo(double time, const std::vector<BodyState>& bodies);

  // Whether the turns of all torsion springs could be told so far. They cannot where the nearest angle
  // and the speeds at both ends of an interval lead to different turns, and the speeds differ by too
  // much to believe them.
  bool known() const { return known_; }
  // Of joints with springs; others are as JointStateOf has them, or left out where no joint has one.
  const JointState& joints() const { return joints_; }

 private:
  const System& system_;
  std::vector<int> angles_, rates_;  // of revolute joints with springs, in JointState::q and ::u
  double time_;
  JointState joints_;
  bool known_ = true;
};

}  // namespace mbsbench
