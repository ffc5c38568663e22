// What is true: the trajectory that a problem's solutions are judged by, with its birth
// certificate.
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "problems/model/problem.h"
#include "reference/no_accelerations.h"

namespace mbsbench {

// Of a reaction, force x y z and moment x y z: false where redundant constraints leave a component undetermined.
struct UniqueComponents {
  std::array<bool, 6> is_unique{true, true, true, true, true, true};
  bool& operator[](std::size_t k) { return is_unique[k]; }
  bool operator[](std::size_t k) const { return is_unique[k]; }
  bool all() const { return std::ranges::all_of(is_unique, std::identity{}); }
  bool any() const { return std::ranges::any_of(is_unique, std::identity{}); }
};

// Constraint force and moment on the child about the origin of the child's joint frame, inertial
// axes; springs and dampers of the joint are not among them.
struct ReferenceReaction {
  Vector3 force;   // [N]
  Vector3 torque;  // [N m]
  UniqueComponents unique;
};

struct ReferenceSample {
  double time = 0;                // [s]
  std::vector<BodyState> bodies;  // of Reference::bodies, in that order; rounded to double
  std::vector<BodyState>
      remainders;  // what rounding took away: bodies + remainders hold at least 21 digits
  std::vector<ReferenceReaction> reactions = {};  // of Reference::joints; empty where none are held
  // How many times larger until then a small change of the initial state becomes, ||Phi||_2, and relative changes
  // of the data, P (reference/sensitivity.h). 0: not computed.
  double state_sensitivity = 0, data_sensitivity = 0;
};

// What changed the system, or ended its motion.
struct ReferenceEvent {
  std::string name;
  double time = 0;                // [s]
  std::vector<BodyState> bodies;  // of Reference::bodies, after the event
  double energy_lost = 0;         // by impact [J]
};

struct Reference {
  std::string problem;
  std::string how;                     // formulation, arithmetic, integrator, order, steps
  std::string certified_by;            // the second solutions that the error estimate rests on
  double error_estimate = 0;           // in the error measure of the suite, largest over samples
  double velocity_error_estimate = 0;  // the same for velocities, with L/T and 1/T
  std::string sensitivity_how;         // norm and directions; empty: not computed
  std::string data_left_out;  // why the samples have no data_sensitivity; empty where they have
  std::vector<int> bodies;    // indices into System::bodies
  std::vector<int>
      joints;  // whose reactions are held: tree joints, then loop joints, counted through
  // Of the reactions by both formulations, where they are unique: the largest difference over samples and joints, relative to
  // the largest reaction (moments by L). 0: not computed.
  double reaction_difference = 0;
  std::vector<ReferenceSample> samples;
  std::vector<ReferenceEvent> events;
};

// The certified trajectory (closed form, or stored) of a problem, at those of its sample times and
// for those of its bodies for which it is held; empty when none is held or the stored one belongs
// to other parameters. `why_not` then gets a sentence.
std::optional<Reference> FindReference(const Problem& problem, std::string* why_not = nullptr);

// Computes a reference anew by the extended-precision solver and certifies it by further solutions.
// May run long; `progress` gets the fraction done. Throws ModelError when the system has no
// reference solution.
Reference Certify(const Problem& problem, const std::function<void(double)>& progress = {});

// One solution in 113 bits by the second formulation, to some ten digits, that nothing certifies: of motions for which no
// reference is held.
Reference SolveUncertified(const Problem& problem);

// A held reference, of which only the second formulation is solved anew, in a fraction of the time: it is
// named, and the error estimate is not below twice the difference from it.
struct SecondOpinion {
  Reference reference;
  double difference = 0;  // from what was held, in the error measure
};
SecondOpinion CertifyBySecondFormulation(const Problem& problem, const Reference& held,
                                         const std::function<void(double)>& progress = {});

// Largest difference of two references of a problem in the error measure of positions.
double DifferenceBetween(const Problem& problem, const Reference& a, const Reference& b);

// Computes the sensitivities of a held reference anew, and nothing else.
void RenewSensitivity(const Problem& problem, Reference& reference,
                      const std::function<void(double)>& progress = {});

// Stores a reference, 21 digits, as a certificate for exactly these parameters.
void WriteCertificate(const Reference& reference, const Problem& problem,
                      const std::filesystem::path& file);

// Where the certificate of a problem is written: in the folder that the environment variable
// MBSBENCH_REFERENCE_DIR names, else in the catalogue's. It is looked for in both (certificate_paths.h).
std::filesystem::path CertificatePath(const Problem& problem);

// Hash of everything that determines the motion: system, initial state, length. A certificate
// carries it.
std::string ParameterHash(const Problem& problem);

// An observable in the reference at one of its samples, or where a published value exists: at a
// sample or at an event. Empty where body, time or event are not held.
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
};
// Linear in bodies. Of a rope flight at time 0, and without reactions. The state is taken as it stands: loop joints that it does not close are not
// closed.
// Drivers are where they are at `time`. Throws NoAccelerations where the state determines none.
ReferenceDynamics ReferenceAccelerations(const System& system, const JointState& joints,
                                         double time = 0);

}  // namespace mbsbench
