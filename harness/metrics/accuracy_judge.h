// The accuracy of a solution, judged sample by sample during the integration with the model's
// kinematics and the certified reference.
//
//   error at t_k      max_i max(|r_i - r_i*| / L, angle_i); points by position only
//   velocity error    max_i max(|v_i - v_i*| T / L, |omega_i - omega_i*| T); points by velocity only
//   reaction error    max_j max(|F_j - F_j*|, |M_j - M_j*| / L) over the largest reaction of the reference,
//                     of components of reactions that are unique
//   constraint drift  largest residual of all joints, lengths by L, rates by L / T
//   energy drift      |E(t_k) - E(0) - W(t_k)| / E_ref
//   momentum drift    max(|P - P(0)| T / (M L), |H - H(0)| T / (M L^2)) without external forces
// with M the total mass, W the work of non-conservative forces and drivers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/metrics/library_measures.h"
#include "harness/metrics/sampled_joints.h"
#include "methods/interface/formulation.h"
#include "methods/interface/observation.h"
#include "problems/model/kinematics.h"
#include "problems/model/problem.h"
#include "reference/reference.h"

namespace mbsbench {

// Empty if the number is not available; it never becomes 0 or NaN.
using MaybeNumber = std::optional<double>;

struct ErrorMeasure {
  double max = 0;           // largest over the samples that the reference covers: the cell's error
  MaybeNumber end;          // at the last sample; empty if the reference does not cover it
  double rms = 0;           // largest over samples of the root mean square over bodies
  double velocity_max = 0;  // of the velocities
  // Of the reactions; empty where the method or the reference gives none that is unique.
  MaybeNumber reactions_max = {};
  double judged_until = 0;  // time of the last sample that the reference covers [s]
};

struct PublishedComparison {
  std::string quantity;
  double time = 0;    // [s]
  std::string event;  // if the value belongs to an event; then `time` is that of our event
  std::string source;
  double published = 0;
  double ours = 0;
  double difference = 0;  // ours - published; angles modulo 2 pi
};

// The balance of one event of a growing system, by what was observed before and after it, and the state of the first body
// after it. A body that joins is at rest before, where it is after.
struct EventRecord {
  std::string name;
  double time = 0;  // [s]
  std::size_t bodies = 0;
  double mass = 0;                                    // in motion after the event [kg]
  Vector3 momentum_before, momentum;                  // [kg m/s]
  Vector3 angular_momentum_before, angular_momentum;  // about the inertial origin [kg m^2/s]
  double energy_before = 0, energy = 0;               // [J]
  double energy_lost = 0;                             // by impact, 1/2 dv' M dv (Carnot) [J]
  Vector3 position;                                   // of the first body [m]
  double speed = 0;                                   // of the first body [m/s]
};

// Largest differences between the events of a solution and of the reference; empty if the events
// are not the same.
struct EventErrors {
  double time = 0;      // |t - t*| / T
  double position = 0;  // of the first body, |r - r*| / L
};

// The first sample at which a solution is off the branch of the reference (Problem::branch).
struct LeftBranch {
  double time = 0;  // of the sample [s]
  std::string quantity;
  double value = 0, expected = 0, bound = 0;
};

// A thinned trajectory to draw: the bodies by which accuracy is judged.
struct Trajectory {
  std::vector<int> bodies;  // indices into System::bodies
  std::vector<double> times;
  std::vector<std::vector<double>> poses;  // per time: x, y, z, w, qx, qy, qz of each body
};

struct Accuracy {
  std::optional<ErrorMeasure> error;  // empty without reference
  std::vector<double> times;
  std::vector<MaybeNumber> error_series;  // this and the following run parallel to `times`
  std::vector<double> position_drift, velocity_drift, energy_drift;
  // NaN (null in a record) where the value is not known: the energy, from the sample on at which
  // samples are too far apart to count the turns of a torsion spring.
  double position_drift_max = 0, velocity_drift_max = 0, energy_drift_max = 0;
  MaybeNumber momentum_drift_max;  // empty if momentum is not conserved
  std::vector<PublishedComparison> published;
  std::vector<EventRecord> events;
  std::optional<EventErrors> event_errors;
  std::vector<LibraryResult> library_measures;
  std::optional<LeftBranch> left_branch;
  Trajectory trajectory;
  bool finite =
      true;  // false: a sample held a number that is not finite; it and later ones are not judged
};

// Whether no external force acts on the system: no joint but a free one and no force element ties
// it to the ground, no gravity.
bool ConservesMomentum(const System& system);

// The scale of the energy drift: the problem's E_ref, else the largest kinetic energy over the
// reference plus the range of the force elements' potential. Empty if neither is available, for
// example if the reference's samples are too far apart to count the turns of a torsion spring.
MaybeNumber EnergyScale(const Problem& problem, const Reference* reference);

class AccuracyJudge {
 public:
  // Both must outlive the judge; `reference` may be null. `start` is the state at time 0.
  AccuracyJudge(const Problem& problem, const Reference* reference,
                const std::vector<BodyState>& start);

  // Adds samples in the order of time. `work` is W(time).
  void Add(double time, const Observation& observation, double work);

  // Adds an event, with what was observed at its time on both sides of it. Returns what it may do to the energy of what
  // moves [J]: bodies that join bring their potential energy, and an impact takes what Carnot's theorem says.
  double AddEvent(double time, const std::string& name, const std::vector<BodyState>& before,
                  const std::vector<BodyState>& after);

  Accuracy Finish();

 private:
  struct BodyErrors {
    double max = 0, rms = 0, velocity = 0;
  };
  const ReferenceSample* ReferenceAt(double time);
  BodyErrors ErrorsAgainst(const ReferenceSample& truth,
                           const std::vector<BodyState>& bodies) const;

  // Empty where nothing is to be compared.
  MaybeNumber ReactionErrorAgainst(const ReferenceSample& truth,
                                   const std::vector<JointReaction>& reactions) const;

  // The system with the bodies in motion at that time and their masses.
  const System& SystemAt(double time, std::size_t bodies);
  void CompareEvents();

  const Problem& problem_;
  const Reference* reference_;
  System grown_;  // of a growing system, at the last sample
  LibraryMeasures library_measures_;
  std::size_t next_reference_ = 0;
  SampledJoints joints_;
  double energy_start_ = 0, energy_scale_ = 0;
  double reaction_scale_ = 0;  // the largest reaction of the reference [N]; 0: none
  bool momentum_conserved_ = false;
  Momentum momentum_start_;
  double mass_ = 0;  // total [kg]
  Accuracy accuracy_;
};

// A force and a moment as one force [N]: moments over the characteristic length.
double SizeOfReaction(const Vector3& force, const Vector3& torque, double length);

// By how much a reaction is off in the components that are unique [N]; empty where none is, or where all are and the method does
// not know it.
MaybeNumber ReactionError(const JointReaction& ours, const ReferenceReaction& reference,
                          double length);

}  // namespace mbsbench
