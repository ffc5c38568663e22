// A problem and its reference, as the store describes them.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/fields.h"
#include "harness/records/number.h"
#include "problems/model/geometry.h"

namespace mbsbench {

struct CertificateRecord {
  std::string how = {}, certified_by = {};
  MaybeNumber error_estimate = {}, velocity_error_estimate = {};
  // Factors by which small changes of the initial state and of all data grow.
  MaybeNumber sensitivity = {}, data_sensitivity = {};
  std::string sensitivity_how = {};
  std::string data_left_out = {};     // why there is no data_sensitivity
  MaybeNumber attainable_error = {};  // caused by round-off in the initial state and the data alone
  MaybeNumber digits_allowed = {};
  std::vector<std::string> bodies = {};  // whose motion the reference holds

  MBSBENCH_FIELDS(how, certified_by, error_estimate, (IfAny, velocity_error_estimate), sensitivity,
                  data_sensitivity, sensitivity_how, data_left_out, attainable_error,
                  digits_allowed, bodies)
};

// A number that a paper or a library prints, compared with our reference.
struct PrintedValueRecord {
  std::string quantity = {};
  MaybeNumber time = {};   // [s]
  std::string event = {};  // at which the value is taken, instead of at a time
  MaybeNumber published = {}, last_digit = {};
  std::string kind = {};  // "exact", "published", "computed"
  std::string source = {};
  MaybeNumber ours = {}, difference = {};
  std::string why = {};  // what the difference means

  MBSBENCH_FIELDS(quantity, time, (TextOrNull, event), published, last_digit, kind, source, ours,
                  difference, why)
};

// The drawing of the bodies whose motion is recorded, of the joints between two of these bodies or one and the ground, and of
// the springs between their points. Points are in body axes from the mass centre; an empty name is the ground.
struct DrawnBodyRecord {
  std::string name = {}, kind = {};       // "none", "rod", "box", "sphere"
  std::optional<Vector3> a = {}, b = {};  // rod: its ends; box: `a` holds the edge lengths [m]
  MaybeNumber radius = {};                // [m]
  MaybeNumber mass = {};                  // [kg]

  MBSBENCH_FIELDS(name, kind, a, b, radius, mass)
};

struct DrawnJointRecord {
  std::string name = {}, kind = {};
  std::string parent = {}, child = {};
  Vector3 on_parent = {}, on_child = {};
  bool closes_loop = false;

  MBSBENCH_FIELDS(name, kind, (TextOrNull, parent), (TextOrNull, child), on_parent, on_child,
                  closes_loop)
};

struct DrawnSpringRecord {
  std::string name = {};
  std::string a = {}, b = {};
  Vector3 on_a = {}, on_b = {};
  bool pulls = false, damps = false;

  MBSBENCH_FIELDS(name, (TextOrNull, a), (TextOrNull, b), on_a, on_b, pulls, damps)
};

struct ProblemRecord {
  std::string name = {}, family = {};
  std::string title = {}, description = {}, source = {};
  std::optional<int> bodies = {}, degrees_of_freedom = {}, loops = {};
  std::optional<bool> planar = {}, conservative = {};
  MaybeNumber end_time = {}, length = {}, time = {};  // [s], L [m], T [s]
  MaybeNumber energy_reference = {};                  // [J]
  std::optional<CertificateRecord> reference = {};
  std::vector<PrintedValueRecord> published = {};
  std::vector<DrawnBodyRecord> shapes = {};
  std::vector<DrawnJointRecord> joints = {};
  std::vector<DrawnSpringRecord> springs = {};
  std::optional<Vector3> gravity = {};  // [m/s^2]
  // What stays on the branch that the reference follows through singular positions: "angle of coupler_1 is 0 within 0.1".
  std::vector<std::string> branch = {};
  // The hash of everything that determines the motion, the verdict on it and what is recorded of it.
  std::string problem_hash = {};
  std::vector<std::string> warnings = {};  // by the reader of its file

  // An error below this is not meaningful: the error by round-off in the initial state and the data, or the error of the reference.
  // 0: not known.
  double KnownError() const {
    return reference ? std::max(reference->attainable_error.value_or(0),
                                reference->error_estimate.value_or(0))
                     : 0;
  }

  MBSBENCH_FIELDS(name, family, title, description, source, bodies, degrees_of_freedom, loops,
                  planar, conservative, end_time, length, time, energy_reference, reference,
                  published, shapes, joints, springs, gravity, (IfAny, branch),
                  (IfAny, problem_hash), (IfAny, warnings))
};

// If a model file is edited but not renamed, trials of the previous problem remain in the run.
inline bool IsOfAnotherProblem(const std::string& hash_of_trial, const ProblemRecord& problem) {
  return !hash_of_trial.empty() && !problem.problem_hash.empty() &&
         hash_of_trial != problem.problem_hash;
}

// The first word of the hash stands for what determines the motion, the others for scales and what is judged and recorded.
inline std::string HashOfMotion(const std::string& problem_hash) {
  return problem_hash.substr(0, problem_hash.find(' '));
}

// Whether two problems of one name, by their hashes, are other mechanisms, or move from other states.
inline bool IsOtherMechanism(const std::string& a, const std::string& b) {
  return !a.empty() && !b.empty() && HashOfMotion(a) != HashOfMotion(b);
}

}  // namespace mbsbench
