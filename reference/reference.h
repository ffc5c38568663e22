// References: the trajectory with which solutions of a problem are compared, with its certificate.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "problems/model/problem.h"
#include "problems/model/unique_components.h"
#include "reference/system/no_accelerations.h"

namespace mbsbench {

// Constraint force and moment on the child about the origin of the child's joint frame, inertial
// axes; without springs and dampers of the joint.
struct ReferenceReaction {
  Vector3 force;   // [N]
  Vector3 torque;  // [N m]
  UniqueComponents unique;
};

struct ReferenceSample {
  double time = 0;                // [s]
  std::vector<BodyState> bodies;  // of Reference::bodies, in that order; rounded to double
  std::vector<BodyState>
      remainders;  // rounding errors of `bodies`: bodies + remainders have at least 21 digits
  std::vector<ReferenceReaction> reactions = {};  // of Reference::joints; empty if none are stored
  // Amplification until then of a small change of the initial state, ||Phi||_2, and of relative changes of the
  // data, P (reference/sensitivity.h). 0: not computed.
  double state_sensitivity = 0, data_sensitivity = 0;
};

// An event that changed the system or ended its motion.
struct ReferenceEvent {
  std::string name;
  double time = 0;                // [s]
  std::vector<BodyState> bodies;  // of Reference::bodies, after the event
  double energy_lost = 0;         // by impact [J]
};

struct Reference {
  std::string problem;
  std::string how;                     // formulation, arithmetic, integrator, order, steps
  std::string certified_by;            // the second solutions on which the error estimate is based
  double error_estimate = 0;           // in the error measure of the suite, largest over samples
  double velocity_error_estimate = 0;  // the same for velocities, with L/T and 1/T
  std::string sensitivity_how;         // norm and directions; empty: not computed
  std::string data_left_out;  // why the samples have no data_sensitivity; empty if they have
  std::vector<int> bodies;    // indices into System::bodies
  std::vector<int>
      joints;  // with stored reactions: tree joints, then loop joints, numbered consecutively
  // Largest difference of the unique reactions of both formulations over samples and joints, relative to the largest reaction
  // (moments divided by L). 0: not computed.
  double reaction_difference = 0;
  std::vector<ReferenceSample> samples;
  std::vector<ReferenceEvent> events;
};

// The certified trajectory (closed form, or stored) of a problem, at the sample times and for the
// bodies for which it is stored; empty if there is none or it belongs to other parameters.
// `why_not` then gets a sentence.
std::optional<Reference> FindReference(const Problem& problem, std::string* why_not = nullptr);

// Recomputes a reference by the extended-precision solver and certifies it by further solutions.
// May take long; `progress` gets the fraction done. Throws ModelError if the system has no
// reference solution.
Reference Certify(const Problem& problem, const std::function<void(double)>& progress = {});

// One uncertified solution in 113 bits by the second formulation, to about ten digits, for motions without a stored
// reference.
Reference SolveUncertified(const Problem& problem);

// A stored reference whose second formulation alone is solved again, in a fraction of the time: the
// certificate names it, and the error estimate is at least twice the difference from it.
struct SecondOpinion {
  Reference reference;
  double difference = 0;  // from the stored reference, in the error measure
};
SecondOpinion CertifyBySecondFormulation(const Problem& problem, const Reference& held,
                                         const std::function<void(double)>& progress = {});

// Largest difference of two references of a problem in the error measure of positions.
double DifferenceBetween(const Problem& problem, const Reference& a, const Reference& b);

// Recomputes only the sensitivities of a stored reference.
void RenewSensitivity(const Problem& problem, Reference& reference,
                      const std::function<void(double)>& progress = {});

// Stores a reference, 21 digits, as a certificate for exactly these parameters.
void WriteCertificate(const Reference& reference, const Problem& problem,
                      const std::filesystem::path& file);

// The path to which the certificate of a problem is written: in the folder that the environment variable
// MBSBENCH_REFERENCE_DIR names, else in that of the catalogue. Both are searched (certificate_paths.h).
std::filesystem::path CertificatePath(const Problem& problem);

// Hash of everything that determines the motion: system, initial state, length. A certificate
// contains it.
std::string ParameterHash(const Problem& problem);

// An observable in the reference at one of its samples, or for a published value: at a sample or at
// an event. Empty if body, time or event are not stored.
std::optional<double> ValueIn(const Reference& reference, const Observable& observable,
                              double time);
std::optional<double> ValueIn(const Reference& reference, const Observable& observable,
                              const PublishedValue& value);

// Accelerations and reactions of one state, computed in 113 bits and rounded to double.
struct ReferenceAcceleration {
  Vector3 acceleration;          // of the mass centre, inertial axes [m/s^2]
  Vector3 angular_acceleration;  // inertial axes [rad/s^2]
};
struct ReferenceDynamics {
  std::vector<BodyState> bodies;
  std::vector<ReferenceAcceleration> accelerations;
  std::vector<ReferenceReaction> reactions;  // tree joints, then loop joints
  // Per driver: the generalised force that it exerts along its coordinate [N m] or [N].
  std::vector<double> efforts;
  std::vector<bool> effort_is_unique;  // likewise: false if redundant loops leave it undetermined
};
// Linear in bodies. For a rope flight at time 0, without reactions. The state is used as given: open loop joints are not closed.
// Drivers are at `time`. Throws NoAccelerations if the state does not determine them.
ReferenceDynamics ReferenceAccelerations(const System& system, const JointState& joints,
                                         double time = 0);

}  // namespace mbsbench
