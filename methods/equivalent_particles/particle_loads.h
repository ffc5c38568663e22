// Force elements on particles. Their points are fixed affine combinations of a node's particles,
// and so are directions that are fixed in a body: no rotation is needed.
#pragma once

#include <span>
#include <vector>

#include "methods/equivalent_particles/moment_sums.h"
#include "methods/equivalent_particles/particle_tree.h"
#include "methods/kinematics/followed_angles.h"
#include "methods/kinematics/force_laws.h"
#include "methods/kinematics/joint_laws.h"
#include "methods/kinematics/pair_law.h"
#include "problems/model/state.h"

namespace mbsbench::equivalent_particles {

// A point or a direction of a node.
struct OnNode {
  int node = 0;
  Weights weights{};
};

struct SpringOnNodes {
  OnNode a, b;
  SpringDamper law;
};

struct ForceOnNode {
  OnNode point;
  bool in_body_axes;
  Vector3d force, moment;                 // inertial axes
  Weights force_along{}, moment_along{};  // in body axes: as directions
};

// Depends on the position and rate of a point along a fixed direction.
struct GroundSpringOnNode {
  OnNode point;
  GroundSpring law;
};

struct PairOnNodes {
  OnNode a, b;                               // the origins of its frames
  std::array<OnNode, PairForce::kGap> axes;  // those of a, and of b if it turns
  PairLaw law;
};

// For a revolute: the angle of the child's x axis relative to the parent's x and y axes, which are its
// vectors, with full turns counted from a previous angle. For a prismatic joint: the displacement along
// the parent's axis; its vectors are the slider's point less the rail's, and the axis.
struct JointLawOnNodes {
  bool turns;
  int node;  // the child's
  std::array<OnNode, VectorCoordinate::kVectors> vectors;
  OnNode rail;  // prismatic
  JointLaw law;
};

class ParticleLoads {
 public:
  ParticleLoads(const System& system, const ParticleTree& tree);

  bool empty() const { return loaded_.empty(); }
  // Sets the state from which full turns of springs are counted.
  void Start(const JointState& joints);
  // Sets the loads of all nodes that force elements act on.
  void Apply(double t, const Vector3d* x, const Vector3d* v, std::span<Load> loads);
  // Power of the dampers and motors on joints at time t [W].
  double JointPower(double t, const Vector3d* x, const Vector3d* v) const;

  const std::vector<SpringOnNodes>& springs() const { return springs_; }
  const std::vector<ForceOnNode>& forces() const { return forces_; }
  const std::vector<GroundSpringOnNode>& ground_springs() const { return ground_springs_; }
  const std::vector<PairOnNodes>& pairs() const { return pairs_; }
  PairForce ForceOf(const PairOnNodes& pair, const Vector3d* x, const Vector3d* v,
                    bool with_gradients) const;
  const std::vector<JointLawOnNodes>& joint_laws() const { return joint_laws_; }
  VectorCoordinate CoordinateOf(const JointLawOnNodes& law, const Vector3d* x,
                                const Vector3d* v) const;
  // The angle of a law on a revolute joint at the last Apply.
  double joint_angle(std::size_t law) const { return joint_angles_.latest(law); }

 private:
  Vector3d At(const OnNode& on, const Vector3d* slots) const {
    const Node& node = tree_.nodes[static_cast<std::size_t>(on.node)];
    return Combine(on.weights, slots + node.first_slot, node.count);
  }
  void Add(int node, const Vector3d& force, const Vector3d& point, const Vector3d* x,
           std::span<Load> loads) const;

  const ParticleTree& tree_;
  std::vector<int> loaded_;
  std::vector<SpringOnNodes> springs_;
  std::vector<ForceOnNode> forces_;
  std::vector<GroundSpringOnNode> ground_springs_;
  std::vector<PairOnNodes> pairs_;
  std::vector<JointLawOnNodes> joint_laws_;
  std::vector<std::size_t> joint_coordinates_;  // in JointState::q
  FollowedAngles joint_angles_;                 // one per law on a joint
};

}  // namespace mbsbench::equivalent_particles
