#include "harness/runner/trials/acceleration_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/hex.hpp>
#include <cmath>
#include <cstring>
#include <functional>
#include <iterator>
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

// ObserveBy in a copy of this process.
Observation ObservedApart(const PreparedCell& prepared, const SystemState& state, Detail detail,
                          SolvedCondition* condition) {
  const TrialResult result = CallOf(*prepared.method.entry, "evaluated at one state", [&] {
    SolvedCondition solved;
    TrialResult observed;
    observed.answer = {{"observation", ToJson(ObserveAt(prepared, state, detail, &solved))},
                       {"condition", solved.number},
                       {"condition_of", solved.of},
                       {"order", solved.order}};
    return observed;
  });
  if (result.ending.outcome != Outcome::kOk) throw EvaluationFailed(result.ending);
  if (condition != nullptr) {
    *condition = {NumberIn(result.answer.at("condition")).value_or(NAN),
                  result.answer.at("condition_of").get<std::string>(),
                  result.answer.at("order").get<int>()};
  }
  return ObservationFrom(result.answer.at("observation"));
}

// The result of `accelerations` for each state.
AccelerationsRecord AtStates(
    const Problem& problem, const SystemState& initial, int random_states, std::uint64_t seed,
    const std::function<std::vector<BodyAcceleration>(const SystemState&)>& accelerations) {
  AccelerationsRecord record;
  for (int k = 0; k <= random_states; ++k) {
    const std::optional<SystemState> state =
        k == 0 ? std::optional<SystemState>(initial)
               : MovedState(problem, seed + static_cast<std::uint64_t>(k));
    if (!state) break;
    try {
      record.states.push_back(AccelerationNumbers(problem.system, accelerations(*state)));
      record.reasons.emplace_back();
    } catch (const ModelError& error) {
      record.states.emplace_back();
      record.reasons.emplace_back(error.what());
    }
  }
  return record;
}

// Scatter of the accelerations of a state by round-off in y; NaN: not measured.
double ScatterAtState(const PreparedCell& prepared, Formulation* formulation,
                      const SystemState& state) {
  if (formulation == nullptr) return NAN;
  std::vector<double> y(formulation->state_size());
  if (!formulation->Initialise(0, state, y).ok()) return NAN;
  return MeasureCondition(prepared.problem, *formulation, 0, y).scatter;
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
  auto own = found.joints.begin();
  for (const auto* list : {&system.joints, &system.loop_joints}) {
    for (const Joint& joint : *list) {
      record.joints.push_back({joint.name, own->classes, own->in_joint_axes, own->undetermined});
      ++own;
    }
  }
  return record;
}

void Free(std::vector<BodyState>& bodies) { bodies = std::vector<BodyState>(); }

// Two hexadecimal digits per byte.
template <class T>
Json BytesOf(const std::vector<T>& list) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto* const begin = reinterpret_cast<const char*>(list.data());
  std::string digits;
  digits.reserve(2 * list.size() * sizeof(T));
  boost::algorithm::hex_lower(begin, begin + list.size() * sizeof(T), std::back_inserter(digits));
  return digits;
}

template <class T>
std::vector<T> ListOf(const Json& json) {
  const std::string bytes = boost::algorithm::unhex(json.get_ref<const std::string&>());
  std::vector<T> list(bytes.size() / sizeof(T));
  if (!list.empty()) std::memcpy(list.data(), bytes.data(), list.size() * sizeof(T));
  return list;
}

}  // namespace

Json ToJson(const Observation& observation) {
  std::vector<Vector3> wrenches;  // a JointReaction has padding, whose bytes are indeterminate
  for (const JointReaction& r : observation.reactions)
    wrenches.insert(wrenches.end(), {r.force, r.torque});
  return {{"bodies", BytesOf(observation.bodies)},
          {"accelerations", BytesOf(observation.accelerations)},
          {"wrenches", BytesOf(wrenches)},
          {"unique", MarksOf(observation.reactions)},
          {"drivers", BytesOf(observation.drivers)}};
}

Observation ObservationFrom(const Json& json) {
  Observation observation{ListOf<BodyState>(json.at("bodies")),
                          ListOf<BodyAcceleration>(json.at("accelerations")),
                          {},
                          ListOf<DriverObservation>(json.at("drivers"))};
  const std::vector<Vector3> wrenches = ListOf<Vector3>(json.at("wrenches"));
  for (std::size_t j = 0; j < wrenches.size() / 2; ++j) {
    JointReaction& r = observation.reactions.emplace_back(wrenches[2 * j], wrenches[2 * j + 1]);
    const std::string marks = json.at("unique").at(j).get<std::string>();
    for (std::size_t k = 0; k < 6; ++k) r.unique[k] = marks.at(k) == 'U';
  }
  return observation;
}

Observation ObserveAt(const PreparedCell& prepared, const SystemState& state, Detail detail,
                      SolvedCondition* condition) {
  if (prepared.method.entry->form == Form::kAlgebraic) {
    throw EvaluationFailed({Outcome::kUnsupported,
                            "method '" + prepared.method.spec +
                                "' gives steady states, and no accelerations of other states."});
  }
  if (IsGuarded(*prepared.method.entry)) return ObservedApart(prepared, state, detail, condition);
  return ObserveBy(*prepared.LendToFormulation(), prepared, state, detail, condition);
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
    std::unique_ptr<Formulation> formulation = prepared.LendToFormulation();
    const bool reads_motion = formulation->without_motion() == nullptr;
    if (reads_motion) state.bodies = ForwardKinematics(system, state.joints);
    StatePoint point;
    Status status = PointAt(*formulation, state, point);
    Free(state.bodies);
    const std::size_t coordinates = state.joints.q.size();
    const bool is_in_y = !reads_motion && system.loop_joints.empty() && system.drivers.empty();
    if (is_in_y) state.joints = JointState();
    if (status.ok())
      status = CheckedObserveWithoutMotion(*formulation, system, 0, point.y, detail, observation);
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
  std::vector<MaybeNumber> conditions, scatters;
  SolvedCondition condition;
  MeasuredCondition start{NAN, "the method cannot evaluate the initial state"};
  // Prepared once for all states: engines take seconds for hundreds of bodies.
  std::unique_ptr<Formulation> formulation;
  const auto observe = [&](const SystemState& state, Detail detail, SolvedCondition* solved) {
    if (IsGuarded(*prepared.method.entry)) return ObserveAt(prepared, state, detail, solved);
    if (!formulation) formulation = prepared.MakeFormulation();
    return ObserveBy(*formulation, prepared, state, detail, solved);
  };
  AccelerationsRecord record = AtStates(
      prepared.problem, prepared.initial, random_states, seed, [&](const SystemState& state) {
        condition.number = NAN;
        const bool is_first = conditions.empty();
        conditions.emplace_back();  // stays empty if an exception is thrown
        scatters.emplace_back();
        const Observation observation = observe(state, Detail::kAccelerations, &condition);
        conditions.back() = IfFinite(condition.number);
        if (is_first) start = MeasureCondition(prepared, observation);
        scatters.back() =
            IfFinite(is_first ? start.scatter : ScatterAtState(prepared, formulation.get(), state));
        return observation.accelerations;
      });
  if (!record.states.empty() && !record.states[0]) start.why_not = record.reasons[0];
  record.conditions = std::move(conditions);
  record.scatters = std::move(scatters);
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
  bool is_first = true, start_is_undetermined = false;
  AccelerationsRecord record =
      AtStates(problem, initial, random_states, seed, [&](const SystemState& state) {
        const bool is_start = std::exchange(is_first, false);
        try {
          return BodyAccelerationsOf(ReferenceAccelerations(problem.system, state.joints));
        } catch (const NoAccelerations&) {
          start_is_undetermined = start_is_undetermined || is_start;
          throw;
        }
      });
  record.start_is_undetermined = start_is_undetermined;
  const AccelerationScale scale = AccelerationScaleOf(problem, initial.bodies);
  record.length = scale.length;
  record.natural_acceleration = scale.natural;
  record.redundancy = RedundancyAt(problem, initial.joints);
  TrialResult result;
  result.record.accelerations = std::move(record);
  return result;
}

}  // namespace mbsbench
