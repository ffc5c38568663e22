// Loops and drivers of a tree of particles: multipliers of the cut joints and of the drivers such that
// their conditions hold.
//
// The tree's accelerations are linear in the multipliers, a = a_0 + sum_c lambda_c a_c, and a_c is
// the response of the tree to a unit multiplier of row c (one pass along the paths to the root and
// back with the factors of MomentSums). The rows' second derivatives make a small symmetric system,
// phi'' = A lambda + b = 0. The same A corrects positions and velocities: along a_c the tree's own
// conditions hold to first order.
//
// Many independent loops without drivers are eliminated where they meet (methods/loops/loop_elimination.h), with the passage of
// changes through each node (particle_passages.h).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "methods/equivalent_particles/cut_joints.h"
#include "methods/equivalent_particles/moment_sums.h"
#include "methods/equivalent_particles/rigidity_projection.h"
#include "methods/interface/observation.h"
#include "methods/loops/closure_system.h"
#include "methods/loops/loop_elimination.h"
#include "methods/loops/whole_response.h"

namespace mbsbench::equivalent_particles {

class Loops {
 public:
  // `tree` must outlive this object.
  Loops(const System& system, const ParticleTree& tree,
        LoopElimination::Use elimination = LoopElimination::Use::kWhereCheaper);

  const CutJoints& cuts() const { return cuts_; }
  // These two do what those of CutJoints do.
  void Start(double t, const JointState& state) { cuts_.Start(t, state); }
  void SetTime(double t, MomentSums& sums) {
    cuts_.SetTime(t);
    sums.SetCarriedNodes(cuts_.carried());
  }
  std::span<const double> multipliers() const { return closure_.solution(); }
  // The rank of the rows of loop joints; after Close.
  int rank_of_loops() const { return closure_.rank() - drivers_with_rows_; }
  // After Close, at the time that was set.
  std::vector<DriverObservation> Drivers() const;

  // Whether the bound for dependent rows is the accuracy of the loop closure (LoopClosure::Start).
  void CompareClosely(bool closely) { compares_closely_ = closely; }
  // Whether the following evaluations belong to a start.
  void SetStarting(bool is_starting) { is_starting_ = is_starting; }
  // After sums.Solve(): finds the multipliers and corrects the accelerations.
  Status Close(MomentSums& sums);

  // After Close: multipliers of a maximal set of independent conditions, zero for the others, and
  // which conditions these are.
  std::vector<double> IndependentMultipliers(std::vector<char>& is_independent);

  // Moves positions, then velocities onto the conditions of tree and cuts.
  Status Project(const RigidityProjection& projection, MomentSums& sums);

  // After Close: the wrench of each cut joint on its child about the origin of its joint frame.
  std::vector<JointReaction> CutReactions(const Vector3d* x) const {
    return CutReactions(closure_.solution(), x);
  }
  // Marks all reactions (tree joints, then cut joints) that dependent conditions leave
  // undetermined.
  void MarkUndetermined(const System& system, const std::vector<BodyState>& bodies,
                        const Vector3d* x, std::vector<JointReaction>& reactions) const;

 private:
  // What joints between two bodies of one node can exert there, which moves nothing: for each of their rows the reactions of
  // all cut joints.
  std::vector<std::vector<JointReaction>> WithinNodes(std::size_t loops, const Vector3d* x) const;
  // `gap`: the gap of the loops relative to the size of their bodies.
  void SetResponses(MomentSums& sums, double gap);
  double Gap(const Vector3d* x) const;
  void SetAccelerationsOfRows(MomentSums& sums);  // into gaps_
  Status CloseRows(MomentSums& sums);
  // The largest acceleration of a node on the paths, of a particle around another of its node, or on an arc of the size of its
  // node: without forces a balanced rotor has only the second, a slide only the last. Round-off is compared with it.
  double TypicalAcceleration(MomentSums& sums) const;
  // Sets elimination_->multipliers() to those that remove gaps_. False if elimination is not used.
  bool Eliminate(const MomentSums& sums);
  bool CloseByElimination(MomentSums& sums);
  // Moves `by` along the responses.
  void Combine(std::span<const double> factors, MomentSums& sums, Vector3d* by);
  std::vector<JointReaction> CutReactions(std::span<const double> multipliers,
                                          const Vector3d* x) const;

  const ParticleTree& tree_;
  CutJoints cuts_;
  ClosureSystem closure_;
  int drivers_with_rows_ = 0;     // those of nodes that are not carried
  std::vector<char> is_carried_;  // per row: of the driver of a carried node, which holds by itself
  std::vector<double> efforts_;   // of drivers of carried nodes
  bool compares_closely_ = false, is_starting_ = false;
  std::vector<int> paths_;    // nodes of cut joints and all between them and the ground, ascending
  std::vector<double> gaps_;  // per row
  std::vector<double> per_length_;  // per row: 1 / size of the smaller body, for gaps
  std::vector<Load> wrenches_;
  std::vector<Vector3d> response_;

  // Null if there are drivers.
  std::unique_ptr<LoopPaths> loop_paths_;
  std::unique_ptr<LoopElimination> elimination_;
  bool has_eliminated_ = false;
  std::vector<mbsbench::Load<double>> pulls_;  // two per row
  std::vector<double> multipliers_;
};

}  // namespace mbsbench::equivalent_particles
