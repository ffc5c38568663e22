#include "methods/equivalent_particles/particle_dynamics.h"

#include <limits>

#include "methods/kinematics/driven_coordinates.h"
#include "methods/kinematics/force_elements.h"
#include "methods/kinematics/joint_coordinates.h"
#include "methods/kinematics/joint_reactions.h"
#include "methods/kinematics/loop_reactions.h"
#include "methods/loops/loop_projection.h"
#include "methods/tree_motion/tip_inertia.h"
#include "problems/model/eigen.h"

namespace mbsbench::equivalent_particles {

ParticleDynamics::ParticleDynamics(const System& system)
    : system_(system),
      tree_(MakeParticleTree(system_)),
      sums_(tree_, ToEigen(system_.gravity),
            !system_.loop_joints.empty() || !system_.drivers.empty()),
      loads_(system_, tree_),
      motion_(tree_),
      projection_(tree_),
      tip_without_inertia_(FindFreeTipWithoutInertia(system_)) {
  if (!system_.loop_joints.empty() || !system_.drivers.empty())
    loops_ = std::make_unique<Loops>(system_, tree_);
}

Status ParticleDynamics::Start(double t, const SystemState& state, double* positions,
                               double* velocities) {
  loads_.Start(state.joints);
  motion_.ParticlesOf(state.bodies, positions, velocities);
  if (!loops_) return {};
  loops_->Start(t, state.joints);
  Set(t, positions, velocities);
  const JointCoordinates joints(system_);
  std::vector<double> y(joints.size());
  joints.Put(state.joints, y);
  Status status;
  loops_->SetStarting(true);
  for (const bool closely : {false, true}) {
    loops_->CompareClosely(closely);
    status = Accelerate();
    if (status.ok() && !system_.loop_joints.empty()) {
      status = CheckLoopRank(system_, y, loops_->rank_of_loops());
    }
    if (status.ok()) break;
  }
  loops_->SetStarting(false);
  return status;
}

void ParticleDynamics::Set(double t, const double* positions, const double* velocities) {
  time_ = t;
  if (loops_) loops_->SetTime(t, sums_);
  SpreadOverSlots(tree_, positions, sums_.positions());
  SpreadOverSlots(tree_, velocities, sums_.velocities());
}

Status ParticleDynamics::Accelerate() {
  if (!tip_without_inertia_.ok()) return tip_without_inertia_;
  if (!loads_.empty()) ApplyLoads(sums_.loads());
  const Status status = sums_.Solve();
  return status.ok() && loops_ ? loops_->Close(sums_) : status;
}

Status ParticleDynamics::Project(double* positions, double* velocities) {
  const Vector3d *x = sums_.positions(), *v = sums_.velocities();
  if (loops_) {
    if (const Status status = loops_->Project(projection_, sums_); !status.ok()) return status;
  } else {
    projection_.Apply(sums_.positions(), sums_.velocities());
  }
  for (std::size_t n = 1; n < tree_.nodes.size(); ++n) {
    const Node& node = tree_.nodes[n];
    const int first = node.first_slot + node.given;
    for (int i = first; i < first + node.own; ++i) {
      for (int k = 0; k < 3; ++k) {
        *positions++ = x[i][k];
        *velocities++ = v[i][k];
      }
    }
  }
  return {};
}

Status ParticleDynamics::Observe(Detail detail, Observation& observation) {
  observation.bodies = States();
  observation.accelerations.clear();
  observation.reactions.clear();
  observation.drivers.clear();
  if (detail == Detail::kMotion) return {};
  if (const Status status = Accelerate(); !status.ok()) return status;
  const Vector3d *x = sums_.positions(), *v = sums_.velocities(), *a = sums_.accelerations();
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    BodyAcceleration acceleration = motion_.AccelerationOf(static_cast<int>(b), x, v, a);
    acceleration.acceleration = acceleration.acceleration + system_.gravity;
    observation.accelerations.push_back(acceleration);
  }
  if (detail == Detail::kAccelerations) return {};
  std::vector<Wrench> applied(system_.bodies.size());
  AddForceElements(system_, observation.bodies, applied);
  std::vector<JointReaction> cuts;
  if (loops_) cuts = loops_->CutReactions(x);
  AddLoopReactions(system_.loop_joints, observation.bodies, cuts, applied);
  observation.reactions = PassedThroughJoints(
      system_, observation.bodies,
      NeededWrenches(system_, observation.bodies, observation.accelerations, applied));
  RemoveFreeDirections(system_, observation.bodies, observation.reactions);
  observation.reactions.insert(observation.reactions.end(), cuts.begin(), cuts.end());
  if (loops_) observation.drivers = loops_->Drivers();
  if (loops_) loops_->MarkUndetermined(system_, observation.bodies, x, observation.reactions);
  return {};
}

double ParticleDynamics::Power() {
  const double power = NonConservativePower(system_, time_, States(), nullptr) +
                       loads_.JointPower(time_, sums_.positions(), sums_.velocities());
  if (system_.drivers.empty()) return power;
  return Accelerate().ok() ? power + PowerOf(loops_->Drivers())
                           : std::numeric_limits<double>::quiet_NaN();
}

std::vector<BodyState> ParticleDynamics::States() const {
  std::vector<BodyState> states;
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    states.push_back(motion_.StateOf(static_cast<int>(b), sums_.positions(), sums_.velocities()));
  }
  return states;
}

}  // namespace mbsbench::equivalent_particles
