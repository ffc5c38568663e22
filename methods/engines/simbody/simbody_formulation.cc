#include "methods/engines/simbody/simbody_formulation.h"

#include <simbody/internal/Constraint.h>
#include <simmath/RungeKuttaMersonIntegrator.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <optional>

#include "methods/engines/constraint_part.h"
#include "methods/interface/time_stepper.h"
#include "methods/kinematics/force_elements.h"
#include "methods/kinematics/loop_reactions.h"
#include "methods/kinematics/reach.h"
#include "methods/thresholds/thresholds.h"
#include "problems/model/kinematics.h"

namespace mbsbench {

namespace {

// Loops are closed to this, relative to Simbody's unit weights (1 m, 1 rad), after each step of our
// integrators.
constexpr double kProjectionTolerance = 1e-13;

// Accelerations at which loops open, of the largest one: round-off stays far below.
constexpr double kLoopTolerance = 1e-6;

// Singular values of the loops' Jacobian below this, in rows that are unit vectors over the rates of all bodies, are zero.
constexpr double kDependent = 1e-9;

const char kLoopsOpen[] =
    "Simbody leaves out a constraint of a loop that it takes for dependent, and its accelerations "
    "open the loop";
const char kThrew[] = "Simbody threw an exception at this state";
const char kNotFinite[] = "Simbody's accelerations are not finite";
const char kOwnThrew[] = "Simbody's RungeKuttaMerson threw an exception: its step failed";
const char kNotProjected[] = "Simbody could not project this state onto its constraints";

// A vector without entries has no data to point to.
std::span<const double> ValuesOf(const SimTK::Vector& v) {
  if (v.size() == 0) return {};
  return {v.getContiguousScalarData(), static_cast<std::size_t>(v.size())};
}
void SetY(std::span<const double> y, SimTK::State& state) {
  if (!y.empty()) std::ranges::copy(y, state.updY().updContiguousScalarData());
}

class SimbodyFormulation : public OdeFormulation,
                           public TimeStepper,
                           public Projects,
                           public HasPower {
 public:
  explicit SimbodyFormulation(const System& system)
      : model_(system), state_(model_.default_state()) {}

  std::size_t state_size() const override { return static_cast<std::size_t>(state_.getNY()); }
  // With Simbody what turns comes before what slides.
  std::vector<Dimension> Dimensions() const override {
    std::vector<Dimension> dimensions(state_size(), Dimension::kNumber);
    const auto q = dimensions.begin(), u = q + state_.getNQ();
    std::fill_n(u, state_.getNU(), Dimension::kRate);
    for (const Joint& joint : model_.system().joints) {
      const SimTK::MobilizedBody& body = model_.body(joint.child);
      const int slides = RateCount(joint.type) - TurnsOf(joint);
      std::fill_n(q + body.getFirstQIndex(state_) + body.getNumQ(state_) - slides, slides,
                  Dimension::kLength);
      std::fill_n(u + body.getFirstUIndex(state_) + body.getNumU(state_) - slides, slides,
                  Dimension::kSpeed);
    }
    return dimensions;
  }

  Status Initialise(double, const SystemState& state, std::span<double> y) override {
    try {
      model_.SetState(state.joints, state_);
    } catch (const std::exception&) {
      return {Status::Code::kSingular, -1, -1, kThrew};
    }
    std::ranges::copy(ValuesOf(state_.getY()), y.begin());
    return {};
  }

  Status Evaluate(double, std::span<const double> y, std::span<double> ydot) override {
    if (Status s = Realize(y, SimTK::Stage::Acceleration); !s.ok()) {
      std::ranges::fill(ydot, NAN);
      return s;
    }
    std::ranges::copy(ValuesOf(state_.getYDot()), ydot.begin());
    double sum = 0;
    for (double v : ydot) sum += v;
    if (!std::isfinite(sum)) {
      std::ranges::fill(ydot, NAN);
      return {Status::Code::kNotFinite, -1, -1, kNotFinite};
    }
    return {};
  }

  Status Observe(double, std::span<const double> y, Detail detail,
                 Observation& observation) override {
    observation.bodies.clear();
    observation.accelerations.clear();
    observation.reactions.clear();
    observation.drivers.clear();
    const bool moves_only = detail == Detail::kMotion;
    if (Status s = Realize(y, moves_only ? SimTK::Stage::Velocity : SimTK::Stage::Acceleration);
        !s.ok()) {
      return s;
    }
    ObserveBodies(observation.bodies);
    if (moves_only) return {};
    for (std::size_t b = 0; b < model_.system().bodies.size(); ++b) {
      const SimTK::MobilizedBody& body = model_.body(static_cast<int>(b));
      observation.accelerations.push_back({FromSimbody(body.getBodyOriginAcceleration(state_)),
                                           FromSimbody(body.getBodyAngularAcceleration(state_))});
      const BodyAcceleration& a = observation.accelerations.back();
      if (!std::isfinite(Norm(a.acceleration) + Norm(a.angular_acceleration)))
        return {Status::Code::kNotFinite, -1, static_cast<int>(b), kNotFinite};
    }
    if (detail == Detail::kReactions) {
      ObserveReactions(observation);
      ObserveDrivers(observation.drivers);
    }
    return {};
  }

  Projects* projection() override { return this; }
  bool needs_projection() const override { return !model_.system().loop_joints.empty(); }
  Status Project(double, std::span<double> y) override {
    if (!needs_projection()) {
      SetY(y, state_);
      model_.matter().normalizeQuaternions(state_);
    } else {
      try {
        if (Status s = Realize(y, SimTK::Stage::Time); !s.ok()) return s;
        model_.multibody().project(state_, kProjectionTolerance);
      } catch (const std::exception&) {
        return {Status::Code::kSingular, -1, -1, kNotProjected};
      }
    }
    std::ranges::copy(ValuesOf(state_.getY()), y.begin());
    return {};
  }

  HasPower* power() override { return HasNonConservativeForces(model_.system()) ? this : nullptr; }
  double Power(double t, std::span<const double> y) override {
    const System& system = model_.system();
    const bool driven = !system.drivers.empty();
    if (!Realize(y, driven ? SimTK::Stage::Acceleration : SimTK::Stage::Velocity).ok()) return NAN;
    ObserveBodies(power_bodies_);
    const JointState joints = JointStateOf(system, power_bodies_);
    return NonConservativePower(system, t, power_bodies_, &joints) +
           (driven ? model_.matter().calcMotionPower(state_) : 0);
  }

  TimeStepper* time_stepper() override { return this; }

  Status Start(double t, const SystemState& state, const StepControl& control) override {
    if (!(control.tolerance > 0))
      return {Status::Code::kStepFailed, -1, -1, "this scheme is adaptive: give a tolerance"};
    time_ = t;
    integrator_.reset();
    own_y_.resize(state_size());
    if (Status s = Initialise(t, state, own_y_); !s.ok()) return s;
    try {
      SimTK::State start = model_.default_state();
      start.setTime(t);
      SetY(own_y_, start);
      integrator_.emplace(model_.multibody());
      integrator_->setAccuracy(control.tolerance);
      integrator_->setFinalTime(control.end_time);
      integrator_->setReturnEveryInternalStep(true);
      integrator_->initialize(start);
      integrator_->resetAllStatistics();
    } catch (const std::exception&) {
      return {Status::Code::kStepFailed, -1, -1, kOwnThrew};
    }
    return {};
  }

  // It returns at the start of the run, too, where nothing has advanced yet.
  StepReport Step(double limit) override {
    try {
      const double before = integrator_->getTime();
      bool ended = false;
      while (!ended && integrator_->getTime() <= before)
        ended = integrator_->stepTo(limit) == SimTK::Integrator::EndOfSimulation;
      time_ = ended ? limit : integrator_->getTime();
    } catch (const std::exception&) {
      return {{Status::Code::kStepFailed, -1, -1, kOwnThrew}};
    }
    std::ranges::copy(ValuesOf(integrator_->getState().getY()), own_y_.begin());
    return {};
  }

  double time() const override { return time_; }
  std::span<const double> y() const override { return own_y_; }

  WorkCounters counters() const override {
    WorkCounters counters;
    if (!integrator_) return counters;
    counters.steps = integrator_->getNumStepsTaken();
    counters.rejected_steps = integrator_->getNumStepsAttempted() - counters.steps;
    counters.evaluations = integrator_->getNumRealizations();
    counters.projections = integrator_->getNumProjections();
    return counters;
  }

 private:
  Status Realize(std::span<const double> y, SimTK::Stage stage) {
    SetY(y, state_);
    try {
      model_.multibody().realize(state_, stage);
    } catch (const std::exception&) {
      return {Status::Code::kSingular, -1, -1, kThrew};
    }
    if (stage == SimTK::Stage::Acceleration && needs_projection() && !LoopsStayClosed())
      return {Status::Code::kSingular, -1, -1, kLoopsOpen};
    return {};
  }

  // Simbody leaves out constraints that it takes for dependent, by the size of their rows in G M^-1 G':
  // where masses differ widely, others too. What is left out is not zero in its accelerations.
  bool LoopsStayClosed() const {
    double open = 0, scale = Norm(model_.system().gravity);
    for (double v : ValuesOf(state_.getUDotErr())) open = std::max(open, std::abs(v));
    for (double v : ValuesOf(state_.getUDot())) scale = std::max(scale, std::abs(v));
    for (double v : ValuesOf(state_.getU())) scale = std::max(scale, v * v);
    return open <= kLoopTolerance * scale;
  }

  void ObserveBodies(std::vector<BodyState>& bodies) const {
    bodies.clear();
    for (std::size_t b = 0; b < model_.system().bodies.size(); ++b) {
      const SimTK::MobilizedBody& body = model_.body(static_cast<int>(b));
      const SimTK::Quaternion q = body.getBodyRotation(state_).convertRotationToQuaternion();
      bodies.push_back({FromSimbody(body.getBodyOriginLocation(state_)),
                        {q[0], q[1], q[2], q[3]},
                        FromSimbody(body.getBodyOriginVelocity(state_)),
                        FromSimbody(body.getBodyAngularVelocity(state_))});
    }
  }

  void ObserveReactions(Observation& observation) {
    const System& system = model_.system();
    SimTK::Vector_<SimTK::SpatialVec> at_joints;
    model_.matter().calcMobilizerReactionForces(state_, at_joints);
    for (const Joint& joint : system.joints) {
      const SimTK::MobilizedBody& child = model_.body(joint.child);
      const SimTK::SpatialVec& reaction = at_joints[child.getMobilizedBodyIndex()];
      JointReaction r{FromSimbody(reaction[1]), FromSimbody(reaction[0])};
      const Vector3 z =
          Rotate(observation.bodies[static_cast<std::size_t>(joint.child)].orientation *
                     joint.child_frame.orientation,
                 {0, 0, 1});
      observation.reactions.push_back(ConstraintPart(joint.type, z, r));
    }
    for (std::size_t l = 0; l < system.loop_joints.size(); ++l)
      observation.reactions.push_back(LoopReaction(system.loop_joints[l], l, observation.bodies));
    if (!system.loop_joints.empty()) MarkNotUnique(observation);
  }

  void ObserveDrivers(std::vector<DriverObservation>& drivers) const {
    const System& system = model_.system();
    if (system.drivers.empty()) return;
    SimTK::Vector multipliers;  // the forces of drivers are the negative ones
    model_.matter().findMotionForces(state_, multipliers);
    for (const Driver& driver : system.drivers) {
      const SimTK::MobilizedBody& body = DrivenBody(driver);
      drivers.push_back({body.getOneQ(state_, 0), body.getOneU(state_, 0),
                         body.getOneUDot(state_, 0), -multipliers[body.getFirstUIndex(state_)]});
    }
  }
  const SimTK::MobilizedBody& DrivenBody(const Driver& driver) const {
    return model_.body(model_.system().joints[static_cast<std::size_t>(driver.joint)].child);
  }

  // Marks the reactions that are changed by multipliers which move nothing: G' lambda = 0 for all speeds that no driver
  // prescribes. Simbody takes the least such multipliers. Rows are measured by what they do to bodies, for where the tree alone
  // prevents all their motions, as of a drawer on two slides, G is round-off.
  void MarkNotUnique(Observation& observation) const {
    const System& system = model_.system();
    const double length = std::ranges::max(ReachOf(system));
    SimTK::Matrix g;
    model_.matter().calcG(state_, g);
    Eigen::MatrixXd transposed(g.ncol(), g.nrow());
    Eigen::VectorXd sizes(g.nrow());
    for (int row = 0; row < g.nrow(); ++row) {
      sizes[row] = SizeOfRow(row, g.nrow(), length);
      for (int column = 0; column < g.ncol(); ++column)
        transposed(column, row) = g(row, column) / sizes[row];
    }
    for (const Joint& joint : system.joints) {
      const int turns = TurnsOf(joint);
      if (turns == 0) continue;
      transposed.middleRows(model_.body(joint.child).getFirstUIndex(state_), turns) /= length;
    }
    for (const Driver& driver : system.drivers)
      transposed.row(DrivenBody(driver).getFirstUIndex(state_)).setZero();
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(transposed, Eigen::ComputeFullV);
    for (Eigen::Index k = (svd.singularValues().array() > kDependent).count();
         k < transposed.cols(); ++k) {
      MarkUndetermined(system, system.loop_joints, observation.bodies,
                       LoopForces(svd.matrixV().col(k).cwiseQuotient(sizes), observation.bodies),
                       kThresholds.unique_reaction, observation.reactions);
    }
  }

  // The norm of what a unit multiplier exerts on all bodies, moments divided by `length`.
  double SizeOfRow(int row, int rows, double length) const {
    SimTK::Vector multipliers(rows, 0.), mobility_forces;
    multipliers[row] = 1;
    SimTK::Vector_<SimTK::SpatialVec> forces;  // the first are those on the ground
    model_.matter().calcConstraintForcesFromMultipliers(state_, multipliers, forces,
                                                        mobility_forces);
    double square = 0;
    for (int b = 1; b < forces.size(); ++b)
      square += forces[b][1].normSqr() + forces[b][0].normSqr() / (length * length);
    return std::sqrt(square);
  }
  // Speeds of turns come first (Dimensions).
  static int TurnsOf(const Joint& joint) {
    int slides = 0;
    while (IsLength(joint.type, slides)) ++slides;
    return RateCount(joint.type) - slides;
  }

  // What each loop joint does to its child if `multipliers` belong to all constraints.
  std::vector<JointReaction> LoopForces(const Eigen::VectorXd& multipliers,
                                        const std::vector<BodyState>& bodies) const {
    const SimTK::Vector all(static_cast<int>(multipliers.size()), multipliers.data());
    std::vector<JointReaction> on_children;
    for (std::size_t l = 0; l < model_.system().loop_joints.size(); ++l) {
      const Joint& joint = model_.system().loop_joints[l];
      SimTK::Vector own(all.size(), 0.), part, mobility_forces;
      for (SimTK::ConstraintIndex index : model_.closing(l)) {
        const SimTK::Constraint& constraint = model_.matter().getConstraint(index);
        constraint.getMyPartFromConstraintSpaceVector(state_, all, part);
        constraint.setMyPartInConstraintSpaceVector(state_, part, own);
      }
      SimTK::Vector_<SimTK::SpatialVec> forces;  // about the bodies' mass centres
      model_.matter().calcConstraintForcesFromMultipliers(state_, own, forces, mobility_forces);
      const SimTK::SpatialVec& on_child = forces[model_.body(joint.child).getMobilizedBodyIndex()];
      const Vector3 force = FromSimbody(on_child[1]);
      const Vector3 arm = Rotate(bodies[static_cast<std::size_t>(joint.child)].orientation,
                                 joint.child_frame.position);
      on_children.push_back({force, FromSimbody(on_child[0]) - Cross(arm, force)});
    }
    return on_children;
  }

  // Sum over the constraints that make up the joint, of what they do to its child.
  JointReaction LoopReaction(const Joint& joint, std::size_t l,
                             const std::vector<BodyState>& bodies) const {
    Vector3 force, moment;  // about the child's mass centre
    const SimTK::MobilizedBodyIndex child = model_.body(joint.child).getMobilizedBodyIndex();
    for (SimTK::ConstraintIndex index : model_.closing(l)) {
      const SimTK::Constraint& constraint = model_.matter().getConstraint(index);
      const SimTK::Vector_<SimTK::SpatialVec> forces =
          constraint.getConstrainedBodyForcesAsVector(state_);
      for (SimTK::ConstrainedBodyIndex b(0); b < constraint.getNumConstrainedBodies(); ++b) {
        if (constraint.getMobilizedBodyFromConstrainedBody(b).getMobilizedBodyIndex() != child)
          continue;
        force = force + FromSimbody(forces[b][1]);
        moment = moment + FromSimbody(forces[b][0]);
      }
    }
    const Vector3 arm = Rotate(bodies[static_cast<std::size_t>(joint.child)].orientation,
                               joint.child_frame.position);
    return {-force, Cross(arm, force) - moment};
  }

  SimbodyModel model_;
  SimTK::State state_;
  std::optional<SimTK::RungeKuttaMersonIntegrator> integrator_;
  double time_ = 0;
  std::vector<double> own_y_;  // where its integrator is
  std::vector<BodyState> power_bodies_;
};

}  // namespace

std::unique_ptr<OdeFormulation> MakeSimbodyFormulation(const System& system) {
  return std::make_unique<SimbodyFormulation>(system);
}

}  // namespace mbsbench
