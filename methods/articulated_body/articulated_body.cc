#include "methods/articulated_body/articulated_body.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "methods/articulated_body/batch.h"
#include "methods/articulated_body/crew.h"
#include "methods/articulated_body/loops.h"
#include "methods/articulated_body/operations.h"
#include "methods/articulated_body/partition.h"
#include "methods/articulated_body/rope_flight.h"
#include "methods/articulated_body/sweep.h"
#include "methods/interface/all_finite.h"
#include "methods/interface/solved_condition.h"
#include "methods/kinematics/driven_coordinates.h"
#include "methods/kinematics/force_elements.h"
#include "methods/kinematics/joint_coordinates.h"
#include "methods/kinematics/joint_reactions.h"
#include "methods/kinematics/single_axes.h"
#include "methods/numerics/condition_of_factors.h"
#include "methods/numerics/force_element_loads.h"
#include "methods/numerics/group_tree.h"
#include "methods/numerics/loop_projection.h"
#include "problems/model/kinematics.h"

namespace mbsbench {

namespace articulated_body {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

// y = [q; u]: joint coordinates and rates in the order of System::joints.
class ArticulatedBody final : public OdeFormulation, public StatesCondition {
 public:
  ArticulatedBody(const System& system, Stabilisation stabilisation, int threads)
      : ArticulatedBody(system, Divided(MakeGroupTree<double>(system), threads), stabilisation) {}

  std::size_t state_size() const override { return joints_.size(); }

  Status Initialise(double t, const SystemState& state, std::span<double> y) override {
    joints_.Put(state.joints, y);
    driven_.Start(t, y);
    if (!loops_) return {};
    std::vector<double> ydot(state_size());
    return loops_->closure().Start(y, [&] { return Evaluate(t, y, ydot); });
  }

  Status Evaluate(double t, std::span<const double> state, std::span<double> ydot) override {
    const std::span<const double> y = driven_.At(t, state);
    PutGivenOnJoints(y.data());
    if (const int group =
            crew_ ? SweepToRootTogether(y.data(), ydot.data()) : SweepToRoot(y.data(), ydot.data());
        group != 0) {
      return Failure(y, ydot,
                     {Status::Code::kSingular, joint_of_group_[At(group)],
                      system_.joints[At(joint_of_group_[At(group)])].child,
                      "no inertia about the free axes of the joint"});
    }
    if (loops_) {
      if (const Status status = loops_->Close(y.data(), sweep_); !status.ok()) {
        return Failure(y, ydot, status);
      }
    }
    if (crew_) {
      SweepToTipsTogether(y.data(), ydot.data());
    } else {
      sweep_.PassAcceleration(y.data(), ydot.data());
    }
    if (!AllFinite(ydot.subspan(joints_.count()))) {
      return Failure(y, ydot, {Status::Code::kNotFinite, -1, -1, "accelerations are not finite"});
    }
    return {};
  }

  Status Observe(double t, std::span<const double> state, Detail detail,
                 Observation& observation) override {
    const std::span<const double> y = driven_.At(t, state);
    observation.bodies = ForwardKinematics(system_, joints_.StateAt(y));
    observation.accelerations.clear();
    observation.reactions.clear();
    observation.drivers.clear();
    if (detail == Detail::kMotion) return {};
    std::vector<double> ydot(state_size());
    if (const Status status = Evaluate(t, y, ydot); !status.ok()) return status;
    observation.accelerations = Accelerations();
    if (detail == Detail::kReactions) {
      observation.reactions = Passed(observation.bodies, observation.accelerations);
      observation.drivers = Drivers(y, observation.bodies, observation.reactions);
      TakeOutFreeDirections(system_, observation.bodies, observation.reactions);
      if (loops_) loops_->closure().CompleteReactions(observation.bodies, observation.reactions);
    }
    return {};
  }

  // By a sweep of its own, which keeps all factors. Inertias depend on positions only.
  SolvedCondition ConditionAt(double t, std::span<const double> state) override {
    const std::span<const double> y = driven_.At(t, state);
    SolvedCondition condition{1, "largest of the joint-space inertias inverted, 3 x 3 or less",
                              loops_ ? std::max(3, loops_->closure().row_count()) : 3};
    const GroupTree<double> tree = MakeGroupTree<double>(system_);
    Sweep<double> sweep(tree, system_.gravity);
    std::vector<int> all(tree.groups.size());
    std::iota(all.begin(), all.end(), 0);
    sweep.KeepFactorsOf(all);
    std::vector<double> ydot(y.size());
    sweep.PassMotion(y.data(), ydot.data());
    if (sweep.PassInertia() != 0) condition.number = std::numeric_limits<double>::infinity();
    const auto note = [&condition](const Factors<double>& f) {
      const Vector3 inverse_d{f.inverse_d.x, f.inverse_d.y, f.inverse_d.z};
      condition.number =
          std::max(condition.number, ConditionOfFactors({f.l21, f.l31, f.l32}, inverse_d));
    };
    for (std::size_t g = 1; g < tree.groups.size(); ++g) {
      const Sweep<double>::KeptFactors& kept = sweep.kept_factors(static_cast<int>(g));
      ForMovingJoint(tree.groups[g].type, [&](auto joint) {
        if constexpr (joint.kTurnsFreely) note(kept.J);
        if constexpr (joint.kTurnsFreely && joint.kSlides > 0) note(kept.M);
      });
    }
    return condition;
  }

  bool has_projection() const override { return joints_.has_quaternions() || projection_; }
  bool needs_projection() const override { return projection_ != nullptr; }
  Status Project(double t, std::span<double> y) override {
    driven_.Place(t, y);
    if (const Status status = joints_.NormaliseQuaternions(y); !status.ok()) return status;
    return projection_ ? projection_->Project(y) : Status{};
  }

  bool has_power() const override { return HasNonConservativeForces(system_); }
  double Power(double t, std::span<const double> state) override {
    const std::span<const double> y = driven_.At(t, state);
    const JointState joints = joints_.StateAt(y);
    const std::vector<BodyState> bodies = ForwardKinematics(system_, joints);
    const double power = NonConservativePower(system_, bodies, &joints);
    if (system_.drivers.empty()) return power;
    std::vector<double> ydot(state_size());
    if (!Evaluate(t, y, ydot).ok()) return std::numeric_limits<double>::quiet_NaN();
    return power + PowerOf(Drivers(y, bodies, Passed(bodies, Accelerations())));
  }

 private:
  struct JointSpring {
    JointSpringDamper element;
    int group, q, u;
  };

  ArticulatedBody(const System& system, const GroupTree<double>& tree, Stabilisation stabilisation)
      : system_(system),
        joints_(system),
        driven_(system),
        sweep_(tree, system.gravity),
        loads_(system, tree),
        seats_(tree.seats) {
    std::vector<int> group_of_joint(system.joints.size());
    for (std::size_t g = 0; g < tree.groups.size(); ++g) {
      const int joint = tree.groups[g].joint;
      joint_of_group_.push_back(joint);
      if (joint >= 0) group_of_joint[At(joint)] = static_cast<int>(g);
    }
    for (const JointSpringDamper& e : system.joint_spring_dampers) {
      const auto& group = tree.groups[At(group_of_joint[At(e.joint)])];
      if (group.driven) continue;
      joint_springs_.push_back({e, group_of_joint[At(e.joint)], group.q, group.u});
    }
    for (const Driver& d : system.drivers) group_of_driver_.push_back(group_of_joint[At(d.joint)]);
    if (!loads_.empty()) sweep_.EnableLoads();
    if (sweep_.parts() > 1 && loads_.empty() && system.loop_joints.empty()) {
      crew_ = std::make_unique<Crew>(sweep_.parts() - 1);
      singular_.resize(At(sweep_.parts()));
    }
    if (!system.loop_joints.empty()) {
      loops_ = std::make_unique<Loops>(system, tree, stabilisation, sweep_);
      if (stabilisation == Stabilisation::kProjected) {
        projection_ = std::make_unique<LoopProjection>(system);
      }
    }
  }

  // Motion and inertia. 0, or the group whose joint has no inertia about its free axes.
  int SweepToRoot(const double* y, double* ydot) {
    sweep_.PassMotion(y, ydot);
    if (!loads_.empty()) loads_.Apply(y, sweep_, sweep_.loads());
    return sweep_.PassInertia();
  }
  // The same with a part of the tree per thread.
  int SweepToRootTogether(const double* y, double* ydot) {
    sweep_.PassMotion(y, ydot, sweep_.part(0));
    const auto work = [&](int k) {
      sweep_.PassMotion(y, ydot, sweep_.part(k + 1));
      singular_[At(k)] = sweep_.PassInertia(sweep_.part(k + 1));
    };
    crew_->Run(work);
    for (int group : singular_) {
      if (group != 0) return group;
    }
    return sweep_.PassInertia(sweep_.part(0));
  }
  void SweepToTipsTogether(const double* y, double* ydot) {
    sweep_.PassAcceleration(y, ydot, sweep_.part(0));
    const auto work = [&](int k) { sweep_.PassAcceleration(y, ydot, sweep_.part(k + 1)); };
    crew_->Run(work);
  }

  void PutGivenOnJoints(const double* y) {
    const std::span<double> forces = sweep_.joint_forces();
    for (std::size_t k = 0; k < group_of_driver_.size(); ++k)
      forces[At(group_of_driver_[k])] = driven_.all()[k].acceleration;
    for (const JointSpring& s : joint_springs_) forces[At(s.group)] = 0;
    for (const JointSpring& s : joint_springs_) {
      forces[At(s.group)] += JointSpringForce(s.element, y[s.q], y[s.u]);
    }
  }

  // What passes the tree joints, after an evaluation.
  std::vector<JointReaction> Passed(const std::vector<BodyState>& bodies,
                                    const std::vector<BodyAcceleration>& accelerations) const {
    std::vector<Wrench> applied(bodies.size());
    AddForceElements(system_, bodies, applied);
    if (loops_) loops_->AddForces(system_, bodies, applied);
    return PassedThroughJoints(system_, bodies,
                               NeededWrenches(system_, bodies, accelerations, applied));
  }

  // After an evaluation at the driven_.At that `y` is.
  std::vector<DriverObservation> Drivers(std::span<const double> y,
                                         const std::vector<BodyState>& bodies,
                                         const std::vector<JointReaction>& passed) const {
    return driven_.Observed(y, DriverEfforts(system_, joints_.StateAt(y), bodies, passed));
  }

  // Of the mass centres, after an evaluation.
  std::vector<BodyAcceleration> Accelerations() const {
    std::vector<BodyAcceleration> accelerations;
    for (const Seat<double>& seat : seats_) {
      const auto& m = sweep_.motion(seat.group);
      const Vec<double> arm = m.R * seat.centre;
      const Vec<double> alpha = sweep_.alpha(seat.group);
      const Vec<double> a = sweep_.acceleration_less_gravity(seat.group) + Cross(alpha, arm) +
                            DoubleCross(m.omega, arm);
      accelerations.push_back(
          {Vector3{a.x, a.y, a.z} + system_.gravity, {alpha.x, alpha.y, alpha.z}});
    }
    return accelerations;
  }

  // A state that is not finite is the cause of whatever else was found.
  Status Failure(std::span<const double> y, std::span<double> ydot, Status status) const {
    std::fill(ydot.begin(), ydot.end(), std::numeric_limits<double>::quiet_NaN());
    if (!AllFinite(y)) return {Status::Code::kNotFinite, -1, -1, "the state is not finite"};
    return status;
  }

  const System system_;
  const JointCoordinates joints_;
  DrivenCoordinates driven_;
  Sweep<double> sweep_;
  ForceElementLoads loads_;
  std::unique_ptr<Loops> loops_;  // none on trees
  std::unique_ptr<LoopProjection> projection_;
  std::unique_ptr<Crew> crew_;  // none where one thread does all
  std::vector<int> singular_;   // what its threads found
  std::vector<Seat<double>> seats_;
  std::vector<int> joint_of_group_, group_of_driver_;
  std::vector<JointSpring> joint_springs_;
};

}  // namespace

}  // namespace articulated_body

namespace {

constexpr char kTwoThreads[] = "two-threads";

std::vector<MethodOption> Options() {
  std::vector<MethodOption> options = StabilisationOptions();
  options.push_back(
      {kTwoThreads,
       "trees without springs between bodies: subtrees on two threads, results the same "
       "to the last bit",
       "threads", false});
  return options;
}

Capabilities WhatItTakes() {
  using enum JointType;
  using enum ForceElement;
  using enum UnusualBody;
  return {
      .tree_joints = AllTreeJoints(),
      .loop_joints = {{kBall, kRevolute, kPrismatic, kFixed, kDistance, kUniversal}},
      .force_elements = {{kSpringDamper, kJointSpringDamper, kAppliedForce, kGroundSpring}},
      .drivers = AllMotions(),
      .bodies = {{kPoint, kInertiaWithoutMass, kWithoutMassOrInertia}},
      .motion_in_space = true,
      .growth = true,
  };
}

}  // namespace

MethodEntry ArticulatedBodyEntry() {
  return OnSingleAxes({
      .key = "articulated-body",
      .title = "Articulated-body algorithm",
      .source = "Featherstone 2008, Rigid Body Dynamics Algorithms, ch. 7; Brandl, Johanni, Otter "
                "1987",
      .description =
          "Joint coordinates; one sweep from the tips to the root eliminates joint after "
          "joint from articulated inertias, one back gives the accelerations. Loops are cut; the "
          "forces in the cuts close them. Linear in bodies, cubic in the constraints of cuts.",
      .form = Form::kOde,
      .cost_exponent = 1,
      .shared_parts = {"tree joints", "tree motion", "loop joints", "loop closure",
                       "closure system", "force elements", "joint reactions"},
      .options = Options(),
      .capabilities = WhatItTakes(),
      .supports =
          [](const System& system, const MethodOptions& options) {
            if (system.rope_flight && !system.drivers.empty()) {
              return Verdict::No("driver '" + system.drivers.front().name +
                                 "' moves a joint of a rope flight, and articulated-body drives "
                                 "only systems that keep their bodies.");
            }
            return StabilisationSupports(system, options);
          },
      .prepare = [](const System& system,
                    const MethodOptions& options) -> std::unique_ptr<Formulation> {
        if (system.rope_flight) return articulated_body::MakeRopeFlight(system);
        return std::make_unique<articulated_body::ArticulatedBody>(
            system, StabilisationOf(options), Has(options, kTwoThreads) ? 2 : 1);
      },
      .prepare_batch = [](const System& system,
                          const MethodOptions&) { return articulated_body::MakeBatch(system); },
      .count_operations =
          [](const System& system, const MethodOptions&, const JointState& state) {
            return articulated_body::CountOperations(system, state);
          },
  });
}

}  // namespace mbsbench
