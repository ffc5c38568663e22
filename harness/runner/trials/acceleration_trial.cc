#include "harness/runner/trials/acceleration_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/hex.hpp>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>

#include "harness/metrics/acceleration_error.h"
#include "harness/runner/cells/random_states.h"
#include "harness/runner/process/guarded_method.h"
#include "harness/runner/trials/checked_observe.h"
#include "harness/runner/trials/evaluation_kernel.h"
#include "harness/runner/trials/judged_evaluation.h"
#include "problems/model/joint_at.h"
#include "problems/model/kinematics.h"
#include "reference/redundancy.h"
#include "reference/reference.h"

namespace mbsbench {

namespace {

// Throws where `status` is a failure.
void RequireEvaluated(const Status& status, const PreparedCell& prepared) {
  if (status.ok()) return;
  throw EvaluationFailed(
      {OutcomeOf(status),
       fmt::format("method '{}' cannot evaluate this state of '{}': {}{}", prepared.method.spec,
                   prepared.problem.name, status.what, PlaceOf(status, prepared.problem.system))});
}

Observation ObserveBy(Formulation& formulation, const PreparedCell& prepared,
                      const SystemState& state, Detail detail, SolvedCondition* condition) {
  Observation observation;
  StatePoint point;
  Status status = PointAt(formulation, state, point);
  if (status.ok()) {
    status = CheckedObserve(formulation, prepared.problem.system, 0, point.y, detail, observation);
  }
  RequireEvaluated(status, prepared);
  if (condition != nullptr) *condition = formulation.ConditionAt(0, point.y);
  return observation;
}

// The bytes of a list, two hexadecimal digits each: readable by a copy of this process only.
template <class T>
std::string BytesOf(const std::vector<T>& list) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto* const begin = reinterpret_cast<const char*>(list.data());
  return boost::algorithm::hex_lower(std::string(begin, begin + list.size() * sizeof(T)));
}

template <class T>
std::vector<T> ListOf(const Json& digits) {
  const std::string bytes = boost::algorithm::unhex(digits.get_ref<const std::string&>());
  std::vector<T> list(bytes.size() / sizeof(T));
  if (!list.empty()) std::memcpy(list.data(), bytes.data(), list.size() * sizeof(T));
  return list;
}

// ObserveBy in a copy of this process.
Observation ObservedApart(const PreparedCell& prepared, const SystemState& state, Detail detail,
                          SolvedCondition* condition) {
  const TrialResult result = CallOf(*prepared.method.entry, "evaluated at one state", [&] {
    SolvedCondition solved;
    const Observation seen = ObserveAt(prepared, state, detail, &solved);
    TrialResult observed;
    observed.answer = {{"bodies", BytesOf(seen.bodies)},
                       {"accelerations", BytesOf(seen.accelerations)},
                       {"reactions", BytesOf(seen.reactions)},
                       {"drivers", BytesOf(seen.drivers)},
                       {"condition", solved.number},
                       {"condition_of", solved.of},
                       {"order", solved.order}};
    return observed;
  });
  if (result.ending.outcome != Outcome::kOk) throw EvaluationFailed(result.ending);
  const Json& answer = result.answer;
  if (condition != nullptr) {
    *condition = {NumberIn(answer.at("condition")).value_or(NAN),
                  answer.at("condition_of").get<std::string>(), answer.at("order").get<int>()};
  }
  return {ListOf<BodyState>(answer.at("bodies")),
          ListOf<BodyAcceleration>(answer.at("accelerations")),
          ListOf<JointReaction>(answer.at("reactions")),
          ListOf<DriverObservation>(answer.at("drivers"))};
}

// The result of `accelerations` for each state, which may also set the last entries of other lists of the record.
AccelerationsRecord AtStates(
    const Problem& problem, const SystemState& initial, int random_states, std::uint64_t seed,
    const std::function<std::vector<BodyAcceleration>(const SystemState&, AccelerationsRecord&)>&
        accelerations) {
  AccelerationsRecord record;
  const auto leave_out = [&record](const ModelError& why) {
    record.states.emplace_back();
    record.reasons.emplace_back(why.what());
  };
  for (int k = 0; k <= random_states; ++k) {
    const std::optional<SystemState> state =
        k == 0 ? std::optional<SystemState>(initial)
               : MovedState(problem, seed + static_cast<std::uint64_t>(k));
    if (!state) break;
    record.conditions.emplace_back();
    record.scatters.emplace_back();
    try {
      record.states.push_back(AccelerationNumbers(problem.system, accelerations(*state, record)));
      record.reasons.emplace_back();
    } catch (const NoAccelerations& error) {
      record.start_is_undetermined |= k == 0;
      leave_out(error);
    } catch (const ModelError& error) {
      leave_out(error);
    }
  }
  return record;
}

// Scatter of the accelerations of a state by round-off in y; NaN: not measured.
double ScatterAtState(const PreparedCell& prepared, Formulation& formulation,
                      const SystemState& state) {
  std::vector<double> y(formulation.state_size());
  if (!formulation.Initialise(0, state, y).ok()) return NAN;
  return MeasureCondition(prepared.problem, formulation, 0, y).scatter;
}

std::vector<std::string> MarksOf(const std::vector<JointReaction>& reactions) {
  std::vector<std::string> marks;
  for (const JointReaction& reaction : reactions) {
    std::string& mark = marks.emplace_back();
    for (const bool is_unique : reaction.unique.is_unique) mark += is_unique ? 'U' : '-';
  }
  return marks;
}

// At the initial state under a general load, by which the multipliers of rows that are kept do not vanish.
std::vector<DroppedRowsRecord> DroppedBy(PreparedCell prepared) {
  if (prepared.method.entry->reaction_choice != "dropped-rows") return {};
  System& system = prepared.problem.system;
  system = GenerallyLoaded(std::move(system));
  const Observation seen = ObserveAt(prepared, prepared.initial, Detail::kReactions);
  std::vector<ReferenceReaction> reactions;
  for (const JointReaction& r : seen.reactions) reactions.push_back({r.force, r.torque, r.unique});
  const auto rows = DroppedRows(system, prepared.initial.joints, reactions);
  std::vector<DroppedRowsRecord> dropped;
  for (std::size_t j = 0; j < rows.size(); ++j) {
    if (!rows[j].empty()) dropped.push_back({JointAt(system, j).name, rows[j]});
  }
  return dropped;
}

std::vector<RankRecord> PathOf(const Problem& problem) {
  const std::size_t bodies = problem.system.bodies.size();
  if (!problem.reference_bodies.empty() && problem.reference_bodies.size() != bodies) return {};
  const std::optional<Reference> reference = FindReference(problem);
  if (!reference) return {};
  const std::vector<RankOnPath> all = RanksAlong(problem.system, *reference);
  if (all.empty()) return {};
  const auto nearest = std::ranges::min_element(
      all, {}, [](const RankOnPath& r) { return std::pair(r.rank, r.least); });
  const auto worst = std::ranges::min_element(all, {}, &RankOnPath::least);
  std::set<std::size_t> shown;
  for (const auto& one : {nearest, worst})
    shown.insert(static_cast<std::size_t>(one - all.begin()));
  for (std::size_t quarter = 0; quarter <= 4; ++quarter)
    shown.insert(quarter * (all.size() - 1) / 4);
  std::vector<RankRecord> path;
  for (const std::size_t k : shown)
    path.push_back({all[k].time, all[k].rank, all[k].least, IfFinite(all[k].gap)});
  return path;
}

// Empty where no constraint is redundant.
std::optional<RedundancyRecord> RedundancyAt(const Problem& problem, const JointState& joints) {
  const System& system = problem.system;
  if (!IsTestedForRedundancy(system)) return std::nullopt;
  const Redundancy found = RedundancyOf(system, joints);
  if (found.rank == found.rows) return std::nullopt;
  RedundancyRecord record{.rows = found.rows,
                          .rank = found.rank,
                          .gap = IfFinite(found.gap),
                          .joints = {},
                          .path = PathOf(problem)};
  for (std::size_t j = 0; j < found.joints.size(); ++j) {
    const auto& own = found.joints[j];
    record.joints.push_back(
        {JointAt(system, j).name, own.classes, own.in_joint_axes, own.undetermined});
  }
  return record;
}

void Free(std::vector<BodyState>& bodies) { bodies = std::vector<BodyState>(); }

}  // namespace

Observation ObserveAt(const PreparedCell& prepared, const SystemState& state, Detail detail,
                      SolvedCondition* condition) {
  if (prepared.method.entry->form == Form::kAlgebraic) {
    throw EvaluationFailed({Outcome::kUnsupported,
                            "method '" + prepared.method.spec +
                                "' gives steady states, and no accelerations of other states."});
  }
  if (IsGuarded(*prepared.method.entry)) return ObservedApart(prepared, state, detail, condition);
  return ObserveBy(*prepared.MakeFormulation(/*lends=*/true), prepared, state, detail, condition);
}

Observation ObserveInitialStateInPlace(PreparedCell& prepared, Detail detail) {
  const System& system = prepared.problem.system;
  SystemState& state = prepared.initial;
  Observation observation;
  if (prepared.method.entry->form == Form::kAlgebraic || IsGuarded(*prepared.method.entry)) {
    state.bodies = ForwardKinematics(system, state.joints);
    observation = ObserveAt(prepared, state, detail);
  } else {
    Free(state.bodies);
    // Allocated first because it stays: it would otherwise fragment the memory that the formulation frees.
    if (detail == Detail::kReactions)
      observation.reactions.reserve(system.joints.size() + system.loop_joints.size());
    std::unique_ptr<Formulation> formulation = prepared.MakeFormulation(/*lends=*/true);
    ObservesWithoutMotion* const alone = formulation->without_motion();
    if (alone == nullptr) state.bodies = ForwardKinematics(system, state.joints);
    StatePoint point;
    Status status = PointAt(*formulation, state, point);
    Free(state.bodies);
    const std::size_t coordinates = state.joints.q.size();
    const bool is_in_y = alone != nullptr && system.loop_joints.empty() && system.drivers.empty();
    if (is_in_y) state.joints = JointState();
    if (status.ok())
      status = CheckedObserve(*formulation, system, 0, point.y, detail, observation, alone);
    formulation.reset();
    if (is_in_y) {
      const auto rates = point.y.begin() + static_cast<std::ptrdiff_t>(coordinates);
      state.joints = {{point.y.begin(), rates}, {rates, point.y.end()}};
    }
    RequireEvaluated(status, prepared);
  }
  Free(state.bodies);
  Free(observation.bodies);
  return observation;
}

TrialResult AccelerationTrial(const PreparedCell& prepared, int random_states, std::uint64_t seed) {
  SolvedCondition condition;
  MeasuredCondition start{NAN, "the method cannot evaluate the initial state"};
  // Prepared once for all states: engines take seconds for hundreds of bodies. Not guarded, since a trial has its own process.
  std::unique_ptr<Formulation> formulation;
  const auto observe = [&](const SystemState& state, Detail detail, SolvedCondition* solved) {
    if (!formulation) formulation = prepared.MakeFormulation();
    return ObserveBy(*formulation, prepared, state, detail, solved);
  };
  AccelerationsRecord record = AtStates(
      prepared.problem, prepared.initial, random_states, seed,
      [&](const SystemState& state, AccelerationsRecord& at) {
        condition.number = NAN;
        const bool is_first = at.conditions.size() == 1;
        const Observation observation = observe(state, Detail::kAccelerations, &condition);
        at.conditions.back() = IfFinite(condition.number);
        if (is_first) start = MeasureCondition(prepared, observation);
        at.scatters.back() =
            IfFinite(is_first ? start.scatter : ScatterAtState(prepared, *formulation, state));
        return observation.accelerations;
      });
  if (!record.states.empty() && !record.states[0]) start.why_not = record.reasons[0];
  record.condition_of = condition.of;
  record.order = condition.order;
  record.start = RecordOf(JudgedStart{{}, start});
  if (!prepared.method.entry->reaction_choice.empty() &&
      IsTestedForRedundancy(prepared.problem.system)) {
    try {
      record.unique = MarksOf(observe(prepared.initial, Detail::kReactions, nullptr).reactions);
      if (std::ranges::any_of(record.unique, [](auto& mark) { return mark != "UUUUUU"; }))
        record.dropped = DroppedBy(prepared);
    } catch (const ModelError&) {  // It then tells of no component, or of no row.
    }
  }
  TrialResult result;
  result.record.accelerations = std::move(record);
  return result;
}

TrialResult ReferenceAccelerationTrial(const Problem& problem, int random_states,
                                       std::uint64_t seed) {
  const SystemState initial = InitialState(problem);
  AccelerationsRecord record = AtStates(
      problem, initial, random_states, seed, [&](const SystemState& state, AccelerationsRecord&) {
        return BodyAccelerationsOf(ReferenceAccelerations(problem.system, state.joints));
      });
  const AccelerationScale scale = AccelerationScaleOf(problem, initial.bodies);
  record.length = scale.length;
  record.natural_acceleration = scale.natural;
  record.redundancy = RedundancyAt(problem, initial.joints);
  TrialResult result;
  result.record.accelerations = std::move(record);
  return result;
}

}  // namespace mbsbench
