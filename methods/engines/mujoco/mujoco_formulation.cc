#include "methods/engines/mujoco/mujoco_formulation.h"

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "methods/engines/constraint_part.h"
#include "methods/engines/mujoco/mjcf.h"
#include "methods/engines/mujoco/mujoco_coordinates.h"
#include "methods/interface/fixed_steps.h"
#include "methods/kinematics/force_elements.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"

namespace mbsbench {

namespace {

const char kThrew[] = "MuJoCo reported an error at this state";
const char kSingular[] = "MuJoCo found its inertia matrix singular or its accelerations not finite";

// MuJoCo ends the process on an error and writes a log file on a warning, unless stated otherwise.
void ThrowError(const char* what) { throw std::runtime_error(what); }
void IgnoreWarning(const char*) {}

struct FreeModel {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using ModelPointer = std::unique_ptr<mjModel, FreeModel>;
using DataPointer = std::unique_ptr<mjData, FreeModel>;

// Rest lengths of a tendon: since 2.3.1 the ends of a range.
constexpr std::size_t kRestLengths = mjVERSION_HEADER < 231 ? 1 : 2;

// Whether the file became one of the virtual files.
bool Add(const MjcfFile& file, mjVFS& files) {
  const auto size = static_cast<int>(file.text.size());
#if mjVERSION_HEADER < 313  // the functions of the first branch were removed in 3.2.0
  if (mj_makeEmptyFileVFS(&files, file.name.c_str(), size) != 0) return false;
  std::ranges::copy(file.text, static_cast<char*>(files.filedata[files.nfile - 1]));
  return true;
#else
  return mj_addBufferVFS(&files, file.name.c_str(), file.text.data(), size) == 0;
#endif
}

ModelPointer Compile(const std::vector<MjcfFile>& mjcf) {
  const auto files = std::make_unique<mjVFS>();  // two megabytes before 3.2.0
  mj_defaultVFS(files.get());
  const bool all_fit =
      std::ranges::all_of(mjcf, [&files](const MjcfFile& file) { return Add(file, *files); });
  char error[1000] = "";
  ModelPointer model(
      all_fit ? mj_loadXML(mjcf.front().name.c_str(), files.get(), error, sizeof error) : nullptr);
  mj_deleteVFS(files.get());
  if (!all_fit) throw std::runtime_error("its virtual files are used up");
  if (!model) throw std::runtime_error(error);
  return model;
}

Vector3 VectorAt(const mjtNum* v) { return {v[0], v[1], v[2]}; }
Quaternion QuaternionAt(const mjtNum* q) { return {q[0], q[1], q[2], q[3]}; }
void Put(const Vector3& v, mjtNum* to) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }

std::vector<MujocoPlace> PlacesOf(const mjModel& model, std::size_t bodies) {
  std::vector<MujocoPlace> places;
  for (std::size_t b = 0; b < bodies; ++b) {
    const int id = mj_name2id(&model, mjOBJ_BODY, fmt::format("b{}", b).c_str());
    const int joint = model.body_jntadr[id];
    places.push_back(
        {id, joint < 0 ? 0 : model.jnt_qposadr[joint], joint < 0 ? 0 : model.jnt_dofadr[joint]});
  }
  return places;
}

class MujocoFormulation : public OdeFormulation,
                          public FixedStepper,
                          public Projects,
                          public HasPower {
 public:
  MujocoFormulation(const System& system, const std::string& softness)
      : FixedStepper(static_cast<Formulation&>(*this)),
        system_(system),
        model_(Compile(MjcfOf(system, softness))),
        data_(mj_makeData(model_.get())),
        coordinates_(system_, PlacesOf(*model_, system.bodies.size())),
        nq_(coordinates_.nq()),
        nv_(coordinates_.nv()) {
    if (!data_) throw std::runtime_error("its data could not be made");
    // The compiler replaces a negative length by that of the initial position; the model accepts
    // any.
    for (std::size_t s = 0; s < system.forces.Of<SpringDamper>().size(); ++s)
      std::fill_n(model_->tendon_lengthspring + kRestLengths * s, kRestLengths,
                  system.forces.Of<SpringDamper>()[s].free_length);
    mjtNum* points = model_->eq_data;
    for (const ConnectedPoints& connected : ConnectedPointsOf(system)) {
      Put(connected.on_a, points);
      Put(connected.on_b, points + 3);
      points += mjNEQDATA;
    }
    loads_.bodies = system.bodies;
    loads_.forces.Of<AppliedForce>() = system.forces.Of<AppliedForce>();
    loads_.forces.Of<GroundSpring>() = system.forces.Of<GroundSpring>();
  }

  std::size_t state_size() const override { return coordinates_.size(); }
  std::vector<Dimension> Dimensions() const override { return coordinates_.Dimensions(); }

  Status Initialise(double, const SystemState& state, std::span<double> y) override {
    coordinates_.Put(state, y);
    return {};
  }

  Status Evaluate(double, std::span<const double> y, std::span<double> ydot) override {
    if (Status s = Forward(y); !s.ok()) {
      std::ranges::fill(ydot, NAN);
      return s;
    }
    coordinates_.PutRates(y, data_->qacc, ydot);
    return {};
  }

  Status Observe(double, std::span<const double> y, Detail detail,
                 Observation& observation) override {
    observation.accelerations.clear();
    observation.reactions.clear();
    if (Status s = Forward(y); !s.ok()) return s;
    ReadBodies(observation.bodies);
    if (detail == Detail::kMotion) return {};
    ApplyLoads(observation.bodies);
    mj_rnePostConstraint(model_.get(), data_.get());
    std::fill_n(data_->xfrc_applied, 6 * model_->nbody, 0.);
    for (const MujocoPlace& place : coordinates_.places()) {
      // At the origin of the body's axes, our mass centre. For a massless body MuJoCo's mass centre is
      // elsewhere.
      mjtNum a[6];
      mj_objectAcceleration(model_.get(), data_.get(), mjOBJ_XBODY, place.body, a, 0);
      // MuJoCo's accelerations are relative to free fall.
      observation.accelerations.push_back({VectorAt(a + 3) + system_.gravity, VectorAt(a)});
    }
    // MuJoCo's interaction forces do not include the tendons.
    if (detail == Detail::kReactions && system_.forces.Of<SpringDamper>().empty() &&
        system_.loop_joints.empty())
      ReadReactions(observation);
    return {};
  }

  Projects* projection() override { return this; }
  Status Project(double, std::span<double> y) override {
    mj_normalizeQuat(model_.get(), y.data());
    return {};
  }

  HasPower* power() override { return HasNonConservativeForces(system_) ? this : nullptr; }
  double Power(double t, std::span<const double> y) override {
    if (!Forward(y).ok()) return NAN;
    ReadBodies(power_bodies_);
    const JointState joints = JointStateOf(system_, power_bodies_);
    return NonConservativePower(system_, t, power_bodies_, &joints);
  }

  TimeStepper* time_stepper() override { return this; }
  Status Advance(double t, std::span<const double> y, double h, std::span<double> out) override {
    counters_.evaluations += 4;
    SetState(y);
    data_->time = t;
    // Constraints are softened to the step, in evaluations to the usual one.
    const mjtNum usual = std::exchange(model_->opt.timestep, h);
    try {
      mj_step(model_.get(), data_.get());
      model_->opt.timestep = usual;
    } catch (const std::exception&) {
      return {Status::Code::kSingular, -1, -1, kThrew};
    }
    if (Status s = Sound(); !s.ok()) return s;
    std::copy(data_->qpos, data_->qpos + nq_, out.begin());
    std::copy(data_->qvel, data_->qvel + nv_, out.begin() + static_cast<std::ptrdiff_t>(nq_));
    return {};
  }

 private:
  void SetState(std::span<const double> y) {
    std::copy_n(y.begin(), nq_, data_->qpos);
    std::copy_n(y.begin() + static_cast<std::ptrdiff_t>(nq_), nv_, data_->qvel);
  }

  Status Forward(std::span<const double> y) {
    SetState(y);
    try {
      mj_forwardSkip(model_.get(), data_.get(), mjSTAGE_NONE, 1);
    } catch (const std::exception&) {
      return {Status::Code::kSingular, -1, -1, kThrew};
    }
    return Sound();
  }

  // MuJoCo replaces singular matrices, and resets if a number is not finite; it counts both.
  Status Sound() {
    bool sound = true;
    for (int warning : {mjWARN_INERTIA, mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC}) {
      if (data_->warning[warning].number > 0) sound = false;
      data_->warning[warning].number = 0;
    }
    double sum = 0;
    for (std::size_t v = 0; v < nv_; ++v) sum += data_->qacc[v];
    if (sound && std::isfinite(sum)) return {};
    return {Status::Code::kSingular, -1, -1, kSingular};
  }

  void ReadBodies(std::vector<BodyState>& bodies) const {
    bodies.clear();
    for (const MujocoPlace& place : coordinates_.places()) {
      mjtNum v[6];  // angular, linear
      mj_objectVelocity(model_.get(), data_.get(), mjOBJ_XBODY, place.body, v, 0);
      bodies.push_back({VectorAt(data_->xpos + 3 * place.body),
                        QuaternionAt(data_->xquat + 4 * place.body), VectorAt(v + 3), VectorAt(v)});
    }
  }

  // MuJoCo's interaction forces include applied forces and not those of actuators.
  void ApplyLoads(std::span<const BodyState> bodies) {
    if (!loads_.forces.AnyOnBodies()) return;
    std::vector<Wrench> wrenches(bodies.size());
    AddForceElements(loads_, bodies, wrenches);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      mjtNum* const applied = data_->xfrc_applied + 6 * coordinates_.places()[b].body;
      Put(wrenches[b].force, applied);
      Put(wrenches[b].moment, applied + 3);
    }
  }

  void ReadReactions(Observation& observation) const {
    for (const Joint& joint : system_.joints) {
      const BodyState& body = observation.bodies[static_cast<std::size_t>(joint.child)];
      const int id = coordinates_.places()[static_cast<std::size_t>(joint.child)].body;
      const mjtNum* const moment_force = data_->cfrc_int + 6 * id;
      const Vector3 centre = VectorAt(data_->subtree_com + 3 * model_->body_rootid[id]);
      const Vector3 joint_at = body.position + Rotate(body.orientation, joint.child_frame.position);
      JointReaction r{VectorAt(moment_force + 3), VectorAt(moment_force)};
      r.torque = r.torque + Cross(centre - joint_at, r.force);
      const Vector3 z = Rotate(body.orientation * joint.child_frame.orientation, Vector3{0, 0, 1});
      observation.reactions.push_back(ConstraintPart(joint.type, z, r));
    }
  }

  const System system_;
  System loads_;  // the elements that are actuators
  ModelPointer model_;
  DataPointer data_;
  const MujocoCoordinates coordinates_;
  const std::size_t nq_, nv_;
  std::vector<BodyState> power_bodies_;
};

}  // namespace

std::unique_ptr<OdeFormulation> MakeMujocoFormulation(const System& system,
                                                      const std::string& softness) {
  mju_user_error = ThrowError;
  mju_user_warning = IgnoreWarning;
  try {
    return std::make_unique<MujocoFormulation>(system, softness);
  } catch (const std::exception& error) {
    throw ModelError(std::string("MuJoCo does not take this system: ") + error.what());
  }
}

}  // namespace mbsbench
