#include "reference/reactions.h"

#include <algorithm>

#include "reference/trajectory.h"

namespace mbsbench::extended {

namespace {

Reaction ReactionOf(const JointData& joint, const Motion& motion,
                    const std::vector<Mat3>& rotations, const Vec6& multipliers, bool unique) {
  const JointRows rows = RowsOf(joint, motion, rotations);
  Vec6 wrench{};
  const std::size_t reacting = rows.count - (rows.driven ? 1 : 0);
  for (std::size_t i = 0; i < reacting; ++i) {
    for (std::size_t k = 0; k < 6; ++k) wrench[k] -= rows.on_child[i][k] * multipliers[i];
  }
  const Vec3 force{wrench[0], wrench[1], wrench[2]};
  const Vec3 arm = MotionOfPoint(joint.on_child.position, joint.child, motion, rotations).arm;
  return {force, Vec3{wrench[3], wrench[4], wrench[5]} - Cross(arm, force), unique};
}

}  // namespace

std::vector<Reaction> ReactionsOf(const MaximalCoordinates& equations, const Motion& motion,
                                  const Dynamics& dynamics) {
  const std::vector<Mat3> rotations = RotationsOf(motion);
  std::vector<Reaction> reactions;
  const auto append = [&](const std::vector<JointData>& joints,
                          const std::vector<Vec6>& multipliers) {
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const bool unique = !equations.undetermined()[reactions.size()];
      reactions.push_back(ReactionOf(joints[j], motion, rotations, multipliers[j], unique));
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
    : problem_(problem), joints_(StoredJoints(problem)), maximal_(problem.system) {}

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
    if (!first[j].unique) continue;
    difference_ = Max(difference_, Max(Norm(first[j].force - second[j].force),
                                       Norm(first[j].torque - second[j].moment) / length));
  }
}

double ReactionRecord::difference() const {
  return IsZero(largest_) ? 0 : static_cast<double>(difference_ / largest_);
}

}  // namespace mbsbench::extended
