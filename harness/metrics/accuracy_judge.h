// The accuracy of a solution, judged sample by sample during the integration with the model's
// kinematics and the certified reference.
//
//   error at t_k      max_i max(|r_i - r_i*| / L, angle_i); points by position only
//   velocity error    max_i max(|v_i - v_i*| T / L, |omega_i - omega_i*| T); points by velocity only;
//                     also over the largest velocity of the reference, by which slow motions are judged
//   reaction error    max_j max(|F_j - F_j*|, |M_j - M_j*| / L) over the largest reaction of the reference,
//                     of components of reactions that are unique; also of those by the multipliers of steps, which
//                     decide no outcome
//   constraint drift  largest residual of all joints, lengths by L, rates by L / T, accelerations by L / T^2
//   effort error      the same of drivers
//   energy drift      |E(t_k) - E(0) - W(t_k)| / E_ref
//   momentum drift    |P - P(0)| T / (M L) and |H - H(0)| T / (M L^2), of the components that are conserved
// with M the total mass, W the work of non-conservative forces and drivers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/metrics/force_errors.h"
#include "harness/metrics/library_measures.h"
#include "harness/metrics/sampled_joints.h"
#include "harness/records/accuracy_record.h"
#include "methods/interface/formulation.h"
#include "methods/interface/observation.h"
#include "problems/model/conserved_momenta.h"
#include "problems/model/kinematics.h"
#include "problems/model/problem.h"
#include "reference/reference.h"

namespace mbsbench {

struct Accuracy : AccuracyRecord {
  bool finite = true;  // false: a sample is not finite; it and all later samples are not judged
  // At the samples at which forces are judged by the reference's equations (WantsForces).
  ForceErrors forces;
  std::optional<double>
      forces_not_finite_at;  // the first sample with such a reaction or effort [s]
  // The largest velocity error over the largest velocity of the reference; 0 if the reference is at rest.
  double relative_velocity_error = 0;
  // The largest energy drift of a conservative problem, over E_ref (at most ten times the mechanism's own kinetic or potential
  // energies, so that no stated scale hides a drift) or, if none is known, over the largest kinetic energy; empty if the problem
  // is not conservative or its energy is not known.
  MaybeNumber energy_error;
};

// The bodies whose motion is recorded: those of the reference, all where the problem names none.
std::vector<int> RecordedBodies(const Problem& problem);

// The scale of the energy drift: the problem's E_ref, else the largest kinetic energy over the
// reference plus the range of the force elements' potential. Empty if neither is available, for
// example if the reference's samples are too far apart to count the turns of a torsion spring.
MaybeNumber EnergyScale(const Problem& problem, const Reference* reference);

class AccuracyJudge {
 public:
  // Both must outlive the judge; `reference` may be null. `start` is the state at time 0.
  AccuracyJudge(const Problem& problem, const Reference* reference,
                const std::vector<BodyState>& start);

  // Whether reactions and efforts of this sample, of which Add has not yet been told, will be judged: those that no reference
  // stores, at the start and at up to four samples of the reference.
  bool WantsForces(double time) const;
  // Counts the turns of torsion springs between samples, at the ends of steps.
  void Follow(double time, const std::vector<BodyState>& bodies) { joints_.MoveTo(time, bodies); }
  // Adds samples in the order of time. `work` is W(time).
  void Add(double time, const Observation& observation, double work);

  // Adds an event, with the observations before and after it. Returns the change of energy that the event allows [J]: joining
  // bodies add their potential energy, and an impact dissipates energy by Carnot's theorem.
  double AddEvent(double time, const std::string& name, const std::vector<BodyState>& before,
                  const std::vector<BodyState>& after);

  Accuracy Finish();

 private:
  const ReferenceSample* ReferenceAt(double time);
  // Returns the error at this sample.
  double JudgeBodies(const ReferenceSample& truth, const std::vector<BodyState>& bodies);

  // Empty where no reaction can be compared.
  MaybeNumber ReactionErrorAgainst(const ReferenceSample& truth,
                                   const std::vector<JointReaction>& reactions);
  void NoteFalselyNotUnique(const std::string& joint);

  void JudgeForces(double time, const ReferenceSample* truth, const Observation& observation);
  void JudgeMomenta(const System& system, const std::vector<BodyState>& bodies);
  // The system with the bodies in motion at that time and their masses.
  const System& SystemAt(double time, std::size_t bodies);

  const Problem& problem_;
  const Reference* reference_;
  System grown_;  // of a growing system, at the last sample
  LibraryMeasures library_measures_;
  std::size_t next_reference_ = 0;
  SampledJoints joints_;
  std::vector<double> force_times_;     // of WantsForces; the next three are for these
  AccelerationScale scale_;             // at the start
  std::vector<BodyState> true_bodies_;  // of the reference; at first of the start
  SampledJoints true_joints_;
  double energy_start_ = 0, energy_scale_ = 0;
  bool is_energy_scale_known_ = false;
  double largest_kinetic_ = 0;  // of the solution [J]
  double reaction_scale_ = 0;   // the largest reaction of the reference [N]; 0: none
  double velocity_scale_ = 0;   // the largest velocity of the reference [L / T; 1 / T]; 0: at rest
  const ConservedMomenta conserved_;
  const Momentum momenta_start_;
  double mass_ = 0;         // total [kg]
  std::vector<int> drawn_;  // bodies of the trajectory
  Accuracy accuracy_;
};

}  // namespace mbsbench
