#include "methods/coordinates/tree_formulation.h"

#include <algorithm>
#include <limits>

#include "methods/coordinates/checked_evaluation.h"
#include "methods/kinematics/force_elements.h"
#include "methods/kinematics/joint_reactions.h"
#include "methods/kinematics/loop_reactions.h"
#include "problems/model/kinematics.h"

namespace mbsbench {

TreeFormulation::TreeFormulation(const GivenSystem& given, Stabilisation stabilisation)
    : kept_(given.Kept()), joints_(system_), driven_(system_), along_axes_(system_.drivers.size()) {
  if (system_.loop_joints.empty()) return;
  closure_ = std::make_unique<LoopClosure>(system_, stabilisation);
  if (stabilisation == Stabilisation::kProjected) {
    projection_ = std::make_unique<LoopProjection>(system_);
  }
}

Status TreeFormulation::Initialise(double t, const SystemState& state, std::span<double> y) {
  joints_.Put(state.joints, y);
  driven_.Start(t, y);
  if (!closure_) return {};
  std::vector<double> ydot(y.size());
  return closure_->Start(y, [&] { return Evaluate(t, y, ydot); });
}

Status TreeFormulation::Evaluate(double t, std::span<const double> y, std::span<double> ydot) {
  const std::span<const double> held = driven_.At(t, y);
  PutDriven(ydot);
  return Checked(Solve(t, held, ydot), y, ydot);
}

void TreeFormulation::PutDriven(std::span<double> ydot) const {
  for (const DrivenCoordinates::Driven& d : driven_.all()) ydot[d.u] = d.acceleration;
}

Status TreeFormulation::Checked(Status status, std::span<const double> y,
                                std::span<double> ydot) const {
  PutDriven(ydot);
  return CheckedEvaluation(status, y, ydot.subspan(joints_.count()), ydot);
}

Status TreeFormulation::EvaluateWithReactions(double t, std::span<const double> y,
                                              std::span<double> ydot,
                                              std::span<JointReaction> reactions) {
  if (equations_contain_reactions()) {
    const std::span<const double> held = driven_.At(t, y);
    PutDriven(ydot);
    return Checked(SolveWithReactions(t, held, ydot, reactions, along_axes_), y, ydot);
  }
  if (const Status status = Evaluate(t, y, ydot); !status.ok()) return status;
  Observation observation;
  const Status status = Observe(t, y, Detail::kReactions, observation);
  if (status.ok()) std::ranges::copy(observation.reactions, reactions.begin());
  return status;
}

Status TreeFormulation::Observe(double t, std::span<const double> state, Detail detail,
                                Observation& observation) {
  const std::span<const double> y = driven_.At(t, state);
  observation.bodies = ForwardKinematics(system_, joints_.StateAt(y));
  return ObserveForces(t, y, detail, observation.bodies, observation);
}

Status TreeFormulation::ObserveWithoutMotion(double t, std::span<const double> state, Detail detail,
                                             Observation& observation) {
  const std::span<const double> y = driven_.At(t, state);
  observation.bodies.clear();
  std::vector<BodyState> bodies;
  if (ReadsMotion(detail)) bodies = ForwardKinematics(system_, joints_.StateAt(y));
  return ObserveForces(t, y, detail, bodies, observation);
}

Status TreeFormulation::ObserveForces(double t, std::span<const double> y, Detail detail,
                                      const std::vector<BodyState>& bodies,
                                      Observation& observation) {
  observation.accelerations.clear();
  observation.reactions.clear();
  observation.drivers.clear();
  if (detail == Detail::kMotion) return {};
  const bool solves_for_reactions = detail == Detail::kReactions && equations_contain_reactions();
  if (solves_for_reactions) observation.reactions.resize(system_.joints.size());
  const Status status = [&] {
    std::vector<double> ydot(state_size());  // is freed before the accelerations are allocated
    return solves_for_reactions ? EvaluateWithReactions(t, y, ydot, observation.reactions)
                                : Evaluate(t, y, ydot);
  }();
  if (!status.ok()) {
    observation.reactions.clear();
    return status;
  }
  observation.accelerations = Accelerations();
  if (solves_for_reactions) {
    observation.drivers = Drivers(t, y, along_axes_);
  } else if (detail == Detail::kReactions) {
    observation.reactions = Passed(bodies, observation.accelerations);
    observation.drivers = Drivers(t, y, AlongDrivenAxes(system_, bodies, observation.reactions));
    RemoveFreeDirections(system_, bodies, observation.reactions);
    if (closure_) closure_->CompleteReactions(bodies, observation.reactions);
  }
  return {};
}

Status TreeFormulation::Project(double t, std::span<double> y) {
  driven_.Place(t, y);
  if (const Status status = joints_.NormaliseQuaternions(y); !status.ok()) return status;
  return projection_ ? projection_->Project(y) : Status{};
}

HasPower* TreeFormulation::power() { return HasNonConservativeForces(system_) ? this : nullptr; }

double TreeFormulation::Power(double t, std::span<const double> state) {
  const std::span<const double> y = driven_.At(t, state);
  const JointState joints = joints_.StateAt(y);
  const std::vector<BodyState> bodies = ForwardKinematics(system_, joints);
  const double power = NonConservativePower(system_, t, bodies, &joints);
  if (system_.drivers.empty()) return power;
  std::vector<double> ydot(state_size());
  if (!Evaluate(t, y, ydot).ok()) return std::numeric_limits<double>::quiet_NaN();
  return power +
         PowerOf(Drivers(t, y, AlongDrivenAxes(system_, bodies, Passed(bodies, Accelerations()))));
}

std::vector<DriverObservation> TreeFormulation::Drivers(double t, std::span<const double> y,
                                                        std::span<const double> along_axes) const {
  if (system_.drivers.empty()) return {};
  return driven_.Observed(y, DriverEfforts(system_, t, joints_.StateAt(y), along_axes));
}

Status TreeFormulation::Singular(int joint) const {
  const int child = system_.joints[static_cast<std::size_t>(joint)].child;
  const bool ends_a_loop = std::ranges::any_of(system_.loop_joints, [child](const Joint& loop) {
    return loop.parent == child || loop.child == child;
  });
  return {Status::Code::kSingular, joint, child,
          ends_a_loop
              ? "no inertia about the free axes of the joint; if a loop alone holds the body, "
                "cut the loop at another joint"
              : "no inertia about the free axes of the joint"};
}

std::vector<JointReaction> TreeFormulation::Passed(
    std::span<const BodyState> bodies, std::span<const BodyAcceleration> accelerations) const {
  std::vector<Wrench> applied(bodies.size());
  AddForceElements(system_, bodies, applied);
  if (closure_) {
    std::vector<JointReaction> on_children;
    for (int l = 0; l < closure_->loop_count(); ++l) on_children.push_back(closure_->ReactionOf(l));
    AddLoopReactions(system_.loop_joints, bodies, on_children, applied);
  }
  return PassedThroughJoints(system_, bodies,
                             NeededWrenches(system_, bodies, accelerations, applied));
}

}  // namespace mbsbench
