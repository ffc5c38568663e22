// Reactions along a motion, by both formulations at the same states.
#pragma once

#include <vector>

#include "reference/joint_coordinates/joint_coordinates.h"
#include "reference/maximal_coordinates/maximal_coordinates.h"
#include "reference/reference.h"

namespace mbsbench::extended {

// Reactions of tree joints, then loop joints, at the motion of `dynamics` (WrenchOnChild).
struct Reaction {
  Vec3 force, torque;
  UniqueComponents unique;
};
std::vector<Reaction> ReactionsOf(const MaximalCoordinates& equations, const Motion& motion,
                                  const Dynamics& dynamics);
ReferenceReaction Round(const Reaction& reaction);

// Joints of the stored bodies or loop joints on them, as Reference::joints.
std::vector<int> StoredJoints(const Problem& problem);

// Records, sample by sample, the reactions in maximal coordinates, and their difference from those by Newton and Euler's
// equations with the accelerations in joint coordinates.
class ReactionRecord {
 public:
  explicit ReactionRecord(const Problem& problem);

  // `y`: the state of `equations`, which are set to time t.
  void Add(Real t, JointCoordinates& equations, const std::vector<Real>& y);

  // The reactions of StoredJoints, per sample.
  const std::vector<std::vector<ReferenceReaction>>& samples() const { return samples_; }
  // Reference::reaction_difference.
  double difference() const;

 private:
  const Problem& problem_;
  std::vector<int> joints_;
  MaximalCoordinates maximal_;
  std::vector<std::vector<ReferenceReaction>> samples_;
  Real largest_ = 0, difference_ = 0;  // [N]
};

}  // namespace mbsbench::extended
