// Errors of the reactions and of the efforts of drivers at one state, in what the state determines uniquely.
#pragma once

#include <string>

#include "harness/metrics/acceleration_error.h"
#include "harness/records/number.h"
#include "methods/interface/observation.h"
#include "problems/model/system.h"
#include "reference/reference.h"

namespace mbsbench {

bool IsFinite(const Vector3& v);

// A force and a moment as one force [N]: moments over the characteristic length.
double SizeOfReaction(const Vector3& force, const Vector3& torque, double length);

// Whether the method reports a reaction as not unique although all of its components are.
bool IsFalselyNotUnique(const JointReaction& ours, const ReferenceReaction& reference);

// The error of a reaction in its unique components [N]; empty if there is none, or if IsFalselyNotUnique.
MaybeNumber ReactionError(const JointReaction& ours, const ReferenceReaction& reference,
                          double length);

// Whether all numbers of the reactions and of the drivers are finite.
bool ForcesAreFinite(const Observation& observation);

struct ForceError {
  double error = 0;   // relative to the largest value in the truth
  std::string where;  // " of joint 'hinge'"
};
struct ForceErrors {
  ForceError reactions, efforts;
  std::string falsely_not_unique;  // the first joint of such a reaction; empty: there is none
};
// What the method does not give is not judged. Reactions or efforts below `negligible` of the weights and the inertia of the system are
// measured in units of these: of one evaluation they are round-off (kVanishing), and an error of the motion changes them by parts
// of these (1). A number that is not finite gives an infinite error.
ForceErrors ForceErrorsOf(const System& system, const Observation& ours,
                          const ReferenceDynamics& truth, const AccelerationScale& scale,
                          double negligible);

}  // namespace mbsbench
