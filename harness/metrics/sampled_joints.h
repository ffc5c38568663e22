// Joint coordinates of a motion known only at samples. The turns of torsion springs, which body
// attitudes do not determine, are counted from the start.
#pragma once

#include <vector>

#include "problems/model/problem.h"
#include "problems/model/state.h"

namespace mbsbench {

class SampledJoints {
 public:
  // Starts from the state `start` at `time`; its turns are those of the problem's initial coordinates. The
  // problem must outlive this object.
  SampledJoints(const Problem& problem, double time, const std::vector<BodyState>& start);

  // Advances to the next sample, which must not be earlier than the last.
  void MoveTo(double time, const std::vector<BodyState>& bodies);

  // Whether the turns of all torsion springs are known so far. They are not if the nearest angle
  // and the speeds at both ends of an interval give different turns, and the speeds differ too much
  // to be reliable.
  bool known() const { return known_; }
  // Tracked for joints with springs, else those of JointStateOf. Empty if no joint has a spring.
  const JointState& joints() const { return joints_; }

 private:
  const System& system_;
  std::vector<int> angles_, rates_;  // of revolute joints with springs, in JointState::q and ::u
  double time_;
  JointState joints_;
  bool known_ = true;
};

}  // namespace mbsbench
