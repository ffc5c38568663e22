#include "reference/reactions.h"

#include <algorithm>

#include "reference/system/initial_motion.h"
#include "reference/trajectory.h"

namespace mbsbench::extended {

namespace {

Reaction ReactionOf(const JointData& joint, const Motion& motion,
                    const std::vector<Mat3>& rotations, const Vec6& multipliers,
                    const std::array<bool, 6>& undetermined) {
  const Vec6 w =
      WrenchOnChild(joint, RowsOf(joint, motion, rotations), motion, rotations, multipliers);
  Reaction reaction{{w[0], w[1], w[2]}, {w[3], w[4], w[5]}, {}};
  for (std::size_t k = 0; k < 6; ++k) reaction.unique[k] = !undetermined[k];
  return reaction;
}

// The unique components of a vector.
Vec3 Unique(const UniqueComponents& unique, std::size_t first, const Vec3& v) {
  const auto part = [&](std::size_t k, Real x) { return unique[first + k] ? x : Real(0); };
  return {part(0, v.x), part(1, v.y), part(2, v.z)};
}

}  // namespace

std::vector<Reaction> ReactionsOf(const MaximalCoordinates& equations, const Motion& motion,
                                  const Dynamics& dynamics) {
  const std::vector<Mat3> rotations = RotationsOf(motion);
  std::vector<Reaction> reactions;
  const auto append = [&](const std::vector<JointData>& joints,
                          const std::vector<Vec6>& multipliers) {
    for (std::size_t j = 0; j < joints.size(); ++j) {
      reactions.push_back(ReactionOf(joints[j], motion, rotations, multipliers[j],
                                     equations.undetermined()[reactions.size()]));
    }
  };
  append(equations.system().joints, dynamics.multipliers);
  append(equations.system().loop_joints, dynamics.loop_multipliers);
  return reactions;
}

ReferenceReaction Round(const Reaction& reaction) {
  return {Round(reaction.force), Round(reaction.torque), reaction.unique};
}

std::vector<int> StoredJoints(const Problem& problem) {
  const std::vector<int> bodies = StoredBodies(problem);
  const auto is_stored = [&](int body) {
    return body == kGround || std::find(bodies.begin(), bodies.end(), body) != bodies.end();
  };
  std::vector<int> stored;
  int number = 0;
  for (const Joint& joint : problem.system.joints) {
    if (is_stored(joint.child)) stored.push_back(number);
    ++number;
  }
  for (const Joint& joint : problem.system.loop_joints) {
    if (is_stored(joint.child) && is_stored(joint.parent)) stored.push_back(number);
    ++number;
  }
  return stored;
}

ReactionRecord::ReactionRecord(const Problem& problem)
    : problem_(problem), joints_(StoredJoints(problem)), maximal_(problem.system) {
  if (!problem.system.loop_joints.empty()) {
    maximal_.KeepRankOf(
        CloseAtStart(maximal_.system(), problem.initial, ScalesOf(problem)).independent);
  }
}

void ReactionRecord::Add(Real t, JointCoordinates& equations, const std::vector<Real>& y) {
  const Motion motion = equations.MotionAt(y);
  maximal_.SetTime(t);
  maximal_.StartSpringsAt(equations.CoordinatesAt(y));
  const std::vector<Reaction> first = ReactionsOf(maximal_, motion, maximal_.Accelerate(motion));
  const std::vector<JointForce> second = equations.DynamicsAt(y).reactions;
  std::vector<ReferenceReaction>& sample = samples_.emplace_back();
  for (int joint : joints_) {
    const auto j = static_cast<std::size_t>(joint);
    sample.push_back(Round(first[j]));
    const Real length = problem_.length;
    largest_ = Max(largest_, Max(Norm(first[j].force), Norm(first[j].torque) / length));
    const UniqueComponents& unique = first[j].unique;
    difference_ =
        Max(difference_, Max(Norm(Unique(unique, 0, first[j].force - second[j].force)),
                             Norm(Unique(unique, 3, first[j].torque - second[j].moment)) / length));
  }
}

double ReactionRecord::difference() const {
  return IsZero(largest_) ? 0 : static_cast<double>(difference_ / largest_);
}

}  // namespace mbsbench::extended
