// Accelerations of all particles, from the tips to the root and back (Attia 2002, eqs 36 to 44).
//
// For the subsystem outboard of a node's joint let F and M be the force and moment (about the
// node's slot 1) that the joint has to transmit: eqs 23, 24, 36 less applied loads,
//
//   F = sum m_i a_i - R,     M = sum A_i a_i - G,     A_i = sum_j B_ij r~_j1      (25 to 27)
//
// over all its bodies. The conditions on the node's own particles, with a = x'' - g throughout, so
// that only the ground contains gravity, are
//
//   distances (37) to (42)      r_ij.(a_i - a_j) = -|v_ij|^2
//   ball        M = 0           revolute  n.M = 0 + springs
//   prismatic   n.F = 0 + springs, and (44b) twice differentiated
//   free        F = 0, M = 0    (43)
//
// The sums extend to the tips, so row j of the full system has an entry for every outboard
// particle: O(n^2). But the 3k - 3 rows of a tip body determine its accelerations as affine
// functions of those of the particles that it shares with its parent. Substituted into its sums F
// and M, only these remain, and so on to the root: block elimination of the same equations, in
// O(n). The unknowns contain neither reactions nor multipliers.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "methods/equivalent_particles/particle_tree.h"
#include "methods/interface/status.h"

namespace mbsbench::equivalent_particles {

// A driven node whose own motion moves no inertia: eliminated like the others it would divide by zero before its driver closes. Its
// driver fixes all its slots in the parent instead, x_i = sum_l w_il(t) x_l, so that
//
//   a_i = sum_l w_il a_l + 2 w'_il v_l + w''_il x_l,
//
// and its sums go to the parent whole, like those of a welded body. What the joint transmits along its free motion is the effort of
// the driver.
struct CarriedNode {
  int node = 0;
  bool slides = false;
  std::array<Weights, kMostParticles> weights{}, rates{}, accelerations{};  // at the present time
  Weights axis{};  // of the joint, a direction of the parent
};

// The load on a node without gravity: force R, moment G about its slot 1.
struct Load {
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
};

class MomentSums {
 public:
  // `with_responses`: keeps the data for Respond. `tree` must outlive this object.
  MomentSums(const ParticleTree& tree, const Vector3d& gravity, bool with_responses);

  // Slots' positions and velocities, to be filled by SpreadOverSlots; accelerations (less gravity).
  Vector3d* positions() { return x_.data(); }
  Vector3d* velocities() { return v_.data(); }
  const Vector3d* positions() const { return x_.data(); }
  const Vector3d* velocities() const { return v_.data(); }
  Vector3d* accelerations() { return a_.data(); }

  // Loads of all nodes, to be set before Solve.
  std::span<Load> loads() { return loads_; }

  // Nodes that their parents carry, with the weights of the present time; a node has no others that it carries itself but such.
  void SetCarriedNodes(std::span<const CarriedNode> nodes);
  // Moves their slots to where the parents' slots have them.
  void PlaceCarried();
  // After Solve, and any change of the accelerations: those of carried slots from the parents'.
  void AccelerateCarried();
  double EffortOf(const CarriedNode& node) const;

  // Fills accelerations(). A joint whose outboard subsystem has no inertia along its free direction
  // is singular.
  Status Solve();

  // The change of the accelerations by loads on the nodes `loaded` (ascending, with all nodes
  // between them and the ground): of all slots, or of those of `loaded` only. After Solve;
  // overwrites `loads`.
  void Respond(std::span<const int> loaded, std::span<Load> loads, bool everywhere,
               Vector3d* response) const;

  // The response of a node with fixed given slots to a load: the accelerations of its slots, and the wrench that its joint transmits,
  // about the node's slot 1. After Solve.
  Load Answer(int node, const Load& load, Vector3d* slots) const;

  // x'' of the particles, after Solve.
  void ParticleAccelerations(double* out) const;

 private:
  // Rows F, M over the accelerations of the node's slots, and the constant part.
  struct Sums {
    double row[6][3 * kMostParticles + 1];
  };

  template <int kCount, int kResponses>
  bool Reduce(std::size_t node);
  template <int kCount, int kGiven, int kResponses>
  bool ReduceTurning(std::size_t node);
  template <int kCount, int kResponses>
  bool ReducePrismatic(std::size_t node);
  template <int kResponses>
  bool ReduceAny(std::size_t node);
  template <int kCount>
  void SetOwnSums(std::size_t node);
  template <int kGiven>
  void PassOn(std::size_t node, const double (*rest)[3 * kGiven + 1], bool has_moment);
  void PassOnCarried(const CarriedNode& carried);
  void SetOwnSumsOfAny(std::size_t node);
  // Own accelerations from those of the given slots and from `own`, the part independent of them.
  void Recover(std::size_t node, bool is_response, Vector3d* a) const;
  const double* SolutionOf(std::size_t node) const {
    return solutions_.data() + solution_at_[node];
  }
  // Columns of a node's solution: given accelerations, the constant, the six of the responses.
  int GivenColumns(const Node& node) const {
    return 3 *
           (node.slides ? tree_.nodes[static_cast<std::size_t>(node.parent)].count : node.given);
  }

  const ParticleTree& tree_;
  const Vector3d gravity_;
  std::vector<Vector3d> x_, v_, a_;
  std::vector<Load> loads_;
  std::vector<Sums> sums_;
  std::vector<CarriedNode> carried_;  // a parent before its children
  std::vector<int> carried_of_node_;  // -1: none
  const int responses_;               // 6: force and moment of the node's sums; else 0
  // Per node: own accelerations u = -U [a_given; 1; change of the sums], rows of U one after
  // another.
  std::vector<std::size_t> solution_at_;
  std::vector<double> solutions_;
};

}  // namespace mbsbench::equivalent_particles
