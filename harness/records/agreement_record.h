// The comparison of the accelerations of all methods on one problem, and the contribution of each method.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/fields.h"
#include "harness/records/number.h"

namespace mbsbench {

// The verdict on the accelerations of the initial state. It decides whether the cells of a method are run.
struct StartRecord {
  std::string outcome = {}, reason = {};
  // Scatter of the accelerations by round-off: NaN where it is infinite or not measured; `why_not` holds the reason.
  double scatter = std::numeric_limits<double>::quiet_NaN();
  std::string why_not = {};
  bool is_alone = false;  // as of MeasuredCondition

  MBSBENCH_FIELDS(outcome, reason, scatter, why_not, is_alone)
};

// One number of the accelerations of a state.
struct ComponentRecord {
  int state = 0, body = 0;    // state 0 is the initial one
  std::string quantity = {};  // "acceleration y"
  double value = 0, truth = 0;

  MBSBENCH_FIELDS(state, body, quantity, value, truth)
};

// What redundant constraints leave of the wrench of a joint, a letter per component (reference/redundancy.h).
struct JointRedundancyRecord {
  std::string joint = {};
  std::string classes = {};        // "UUDDDU": in inertial axes
  std::string in_joint_axes = {};  // in those of the child's joint frame
  int undetermined = 0;            // dimension of what is free

  MBSBENCH_FIELDS(joint, classes, in_joint_axes, undetermined)
};

// The rank at a sample of the reference, by singular values (reference/redundancy.h).
struct RankRecord {
  double time = 0;  // [s]
  int rank = 0;
  double least = 0;      // the least that counts over the largest
  MaybeNumber gap = {};  // the least that counts over the largest that does not; empty: infinite

  MBSBENCH_FIELDS(time, rank, least, gap)
};

// How many rows of all joints and drivers are independent at the initial state, in 113 bits.
struct RedundancyRecord {
  int rows = 0, rank = 0;
  // The least pivot that counts over the largest that does not; empty: infinite.
  MaybeNumber gap = {};
  std::vector<JointRedundancyRecord> joints = {};  // tree joints, then loop joints
  // The start, three samples on the way, the end, the sample with the least singular value, and that with the least rank, of those
  // the one with the least singular value. Empty where no reference holds all bodies.
  std::vector<RankRecord> path = {};

  MBSBENCH_FIELDS(rows, rank, gap, joints, (IfAny, path))
};

// The rows of a joint that a method leaves out: "force x", "moment about x of its frame" (reference/redundancy.h).
struct DroppedRowsRecord {
  std::string joint = {};
  std::vector<std::string> rows = {};

  MBSBENCH_FIELDS(joint, rows)
};

struct MethodAgreementRecord {
  std::string method = {};
  // Median over the other methods of the largest difference over states, in units of the largest acceleration of the state;
  // empty where no other method evaluated the same states.
  MaybeNumber difference = {};
  MaybeNumber error = {};  // largest error against 113 bits over the judged states
  // The worst verdict against the truth over all states: ok, ill_conditioned or wrong_equations; no_reference where the method
  // evaluates no state with a known truth.
  std::string judged = {};
  std::string judged_reason = {};                // the verdict as a sentence; not recorded
  std::optional<ComponentRecord> worst_at = {};  // where wrong_equations shows most
  // Largest condition number of the solved equations over the same states; empty where it is infinite or the method states
  // none. `condition_of` says what is solved, or why there is no condition number.
  MaybeNumber condition = {};
  std::string condition_of = {};
  std::optional<int> order = {};  // rows of the largest solved matrix, where stated
  std::string reason = {};        // for the first state that it could not evaluate
  // At the initial state; empty where the process of the method was aborted.
  std::optional<StartRecord> start = {};
  // Where constraints are redundant, the components of each reaction that the method finds unique: "UU---U". Empty if it does not
  // tell.
  std::vector<std::string> unique = {};
  std::vector<DroppedRowsRecord> dropped = {};  // empty also where they are not known

  MBSBENCH_FIELDS(method, difference, error, judged, (IfAny, worst_at), condition, condition_of,
                  order, reason, (IfAny, start), (IfAny, unique), (IfAny, dropped))
};

struct WorstAgreement {
  std::string method = {};
  MaybeNumber difference = {};

  MBSBENCH_FIELDS(method, difference)
};

struct AgreementRecord {
  std::optional<int> states = {};
  std::optional<int> judged_states = {};  // random ones, or the initial one where there are none
  std::string truth = {};                 // "113 bits", or why there is none
  std::optional<WorstAgreement> worst = {};
  std::vector<MethodAgreementRecord> methods = {};
  // Empty where no constraint is redundant, and where there are too many rows to tell.
  std::optional<RedundancyRecord> redundancy = {};

  MBSBENCH_FIELDS(states, judged_states, truth, worst, methods, (IfAny, redundancy))
};

// Accelerations by one method, or by the reference, at the initial state and at random states: the result of one process,
// before any comparison.
struct AccelerationsRecord {
  // Six numbers per body, NaN for one that is not finite; empty, with a reason, where a state cannot be evaluated.
  std::vector<std::optional<std::vector<double>>> states = {};
  std::vector<std::string> reasons = {};
  // Per state: the condition number of the solved equations, and the scatter of the accelerations by round-off.
  std::vector<MaybeNumber> conditions = {}, scatters = {};
  std::string condition_of = {};  // what is solved, or why there is no condition
  int order = 0;                  // rows of the largest solved matrix
  std::optional<StartRecord> start = {};
  // Only the reference's record has these scales of the differences.
  double length = 1, natural_acceleration = 0;
  // The reference's record says here that the initial state does not determine the accelerations; the first of `reasons` says why.
  bool start_is_undetermined = false;
  // As of MethodAgreementRecord, but for every mechanism with loops; as of AgreementRecord, in the reference's record.
  std::vector<std::string> unique = {};
  std::vector<DroppedRowsRecord> dropped = {};
  std::optional<RedundancyRecord> redundancy = {};

  bool empty() const { return states.empty() && !start; }
  MBSBENCH_FIELDS(states, reasons, conditions, scatters, condition_of, order, start, length,
                  natural_acceleration, start_is_undetermined, unique, dropped, redundancy)
};

}  // namespace mbsbench
