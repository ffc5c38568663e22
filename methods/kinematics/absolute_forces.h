// Gravity and force elements in absolute coordinates: their forces Q and the exact
// derivatives by positions and rates (absolute_motion.h).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "methods/kinematics/followed_angles.h"
#include "methods/kinematics/force_laws.h"
#include "methods/kinematics/joint_laws.h"
#include "methods/kinematics/pair_law.h"
#include "methods/kinematics/pair_vector.h"

namespace mbsbench::absolute {

// Derivatives of the forces on a pair.
struct ForceDerivatives {
  PairMatrix by_positions, by_rates;
};

class AbsoluteForces {
 public:
  // `system` must outlive this object.
  explicit AbsoluteForces(const System& system);

  // Sets the state from which full turns of torsion springs are counted.
  void Start(const JointState& state);

  // Forces and moments on all bodies at time t, without the gyroscopic moments.
  void Evaluate(double t, std::span<const BodyMotion> bodies, std::span<BodyVector> forces);
  // Power of dampers, applied forces and motors at time t [W].
  double Power(double t, std::span<const BodyMotion> bodies) const;

  // The elements, one by one, that the derivatives consist of. Each acts between two bodies.
  std::size_t size() const { return elements_.size(); }
  int parent(std::size_t k) const { return elements_[k].parent; }
  int child(std::size_t k) const { return elements_[k].child; }
  void Differentiate(double t, std::size_t k, std::span<const BodyMotion> bodies,
                     ForceDerivatives& derivatives) const;

 private:
  enum class Kind { kSpringDamper, kAppliedForce, kGroundSpring, kPair, kTurn, kSlide };
  struct Element {
    Kind kind;
    std::size_t
        index;  // among those of its list in the system, or among the laws of pairs or joints
    int parent, child;  // body or kGround
    // The line or position; for a law on a joint the vectors on which its coordinate depends.
    std::array<PairVector, VectorCoordinate::kVectors> vectors;
    Vector3d parent_axis = Vector3d::Zero(), child_axis = Vector3d::Zero();  // of the joint, body axes
  };
  struct Pair {
    PairLaw law;
    std::array<PairVector, PairForce::kVectors> vectors;
  };

  void AddPairs();
  void AddJointLaws();
  VectorForce LawOf(const Element& e, const VectorMotion& at) const;
  VectorCoordinate CoordinateOf(const Element& e, const BodyMotion& parent,
                                const BodyMotion& child) const;
  static PairForce PairForceOf(const Pair& pair, const BodyMotion& parent, const BodyMotion& child,
                               bool with_gradients);
  static void DifferentiatePair(const Pair& pair, const BodyMotion& parent, const BodyMotion& child,
                                ForceDerivatives& derivatives);
  PairVectorOfRates ForceOf(double t, const Element& e, const BodyMotion& parent,
                            const BodyMotion& child);

  const System& system_;
  std::vector<Element> elements_;
  std::vector<Pair> pairs_;
  std::vector<JointLaw> laws_;  // on joints
  FollowedAngles angles_;       // one per law
};

}  // namespace mbsbench::absolute
