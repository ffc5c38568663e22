#include "methods/engines/mujoco/mujoco_formulation.h"

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "methods/engines/constraint_part.h"
#include "methods/engines/mujoco/mjcf.h"
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
void Put(const Quaternion& q, mjtNum* to) { to[0] = q.w, to[1] = q.x, to[2] = q.y, to[3] = q.z; }

// Rate of a quaternion with the angular velocity `spin` in body axes. (mju_derivQuat takes inertial
// axes.)
void PutRate(const mjtNum* q, const mjtNum* spin, mjtNum* to) {
  const Quaternion rate = QuaternionAt(q) * Quaternion{0, spin[0] / 2, spin[1] / 2, spin[2] / 2};
  Put(rate, to);
}

class MujocoFormulation : public OdeFormulation, public FixedStepper {
 public:
  explicit MujocoFormulation(const System& system)
      : FixedStepper(static_cast<Formulation&>(*this)),
        system_(system),
        model_(Compile(MjcfOf(system))),
        data_(mj_makeData(model_.get())),
        nq_(static_cast<std::size_t>(model_->nq)),
        nv_(static_cast<std::size_t>(model_->nv)),
        bodies_(system.bodies.size()),
        wrenches_(system.bodies.size()) {
    if (!data_) throw std::runtime_error("its data could not be made");
    for (std::size_t b = 0; b < system.bodies.size(); ++b)
      ids_.push_back(mj_name2id(model_.get(), mjOBJ_BODY, fmt::format("b{}", b).c_str()));
    // The compiler replaces a negative length by that of the initial position; the model accepts
    // any.
    for (std::size_t s = 0; s < system.forces.Of<SpringDamper>().size(); ++s)
      std::fill_n(model_->tendon_lengthspring + kRestLengths * s, kRestLengths,
                  system.forces.Of<SpringDamper>()[s].free_length);
    others_.bodies = system.bodies;
    others_.forces.Of<AppliedForce>() = system.forces.Of<AppliedForce>();
    others_.forces.Of<GroundSpring>() = system.forces.Of<GroundSpring>();
    if (!others_.forces.AnyOnBodies()) return;
    const MujocoFormulation* const self = this;
    static_assert(sizeof self == sizeof(mjtNum));
    std::memcpy(data_->userdata, &self, sizeof self);
    mjcb_control = ApplyOthers;  // one for all models; their data distinguishes them
  }

  std::size_t state_size() const override { return nq_ + nv_; }
  std::vector<Dimension> Dimensions() const override {
    std::vector<Dimension> dimensions(nq_, Dimension::kNumber);
    dimensions.resize(nq_ + nv_, Dimension::kRate);
    for (int j = 0; j < model_->njnt; ++j) {
      const int slides = model_->jnt_type[j] == mjJNT_FREE    ? 3
                         : model_->jnt_type[j] == mjJNT_SLIDE ? 1
                                                              : 0;
      const auto at = dimensions.begin();
      std::fill_n(at + model_->jnt_qposadr[j], slides, Dimension::kLength);
      std::fill_n(at + static_cast<std::ptrdiff_t>(nq_) + model_->jnt_dofadr[j], slides,
                  Dimension::kSpeed);
    }
    return dimensions;
  }

  Status Initialise(double, const SystemState& state, std::span<double> y) override {
    const JointOffsets at = OffsetsOf(system_);
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      const Joint& joint = system_.joints[j];
      const double* const q = state.joints.q.data() + at.q[j];
      const double* const u = state.joints.u.data() + at.u[j];
      const Quaternion& frame = joint.child_frame.orientation;
      const auto put_ball = [&](const double* turn, const double* spin, double* qpos,
                                double* qvel) {
        Put(frame * QuaternionAt(turn) * Conjugate(frame), qpos);
        Put(Rotate(frame, VectorAt(spin)), qvel);
      };
      if (joint.type == JointType::kFixed) continue;
      double* const qpos = y.data() + PositionAt(joint.child);
      double* const qvel = y.data() + nq_ + VelocityAt(joint.child);
      const BodyState& body = state.bodies[static_cast<std::size_t>(joint.child)];
      if (joint.type == JointType::kBall) {
        put_ball(q, u, qpos, qvel);
      } else if (joint.type == JointType::kFree && joint.parent == kGround) {
        Put(body.position, qpos);
        Put(body.orientation, qpos + 3);
        Put(body.velocity, qvel);
        Put(Rotate(Conjugate(body.orientation), body.angular_velocity), qvel + 3);
      } else if (joint.type == JointType::kFree) {
        std::copy(q, q + 3, qpos);
        std::copy(u, u + 3, qvel);
        put_ball(q + 3, u + 3, qpos + 3, qvel + 3);
      } else {
        std::copy_n(q, CoordinateCount(joint.type), qpos);
        std::copy_n(u, RateCount(joint.type), qvel);
      }
    }
    return {};
  }

  Status Evaluate(double, std::span<const double> y, std::span<double> ydot) override {
    if (Status s = Forward(y); !s.ok()) {
      std::ranges::fill(ydot, NAN);
      return s;
    }
    const mjtNum* const qvel = y.data() + nq_;
    for (int j = 0; j < model_->njnt; ++j) {
      const int q = model_->jnt_qposadr[j], v = model_->jnt_dofadr[j];
      switch (model_->jnt_type[j]) {
        case mjJNT_FREE:
          std::copy(qvel + v, qvel + v + 3, ydot.data() + q);
          PutRate(y.data() + q + 3, qvel + v + 3, ydot.data() + q + 3);
          break;
        case mjJNT_BALL: PutRate(y.data() + q, qvel + v, ydot.data() + q); break;
        default: ydot[static_cast<std::size_t>(q)] = qvel[v];
      }
    }
    std::copy(data_->qacc, data_->qacc + nv_, ydot.begin() + static_cast<std::ptrdiff_t>(nq_));
    return {};
  }

  Status Observe(double, std::span<const double> y, Detail detail,
                 Observation& observation) override {
    observation.accelerations.clear();
    observation.reactions.clear();
    if (Status s = Forward(y); !s.ok()) return s;
    ReadBodies(observation.bodies);
    if (detail == Detail::kMotion) return {};
    mj_rnePostConstraint(model_.get(), data_.get());
    for (int id : ids_) {
      // At the origin of the body's axes, our mass centre. For a massless body MuJoCo's mass centre is
      // elsewhere.
      mjtNum a[6];
      mj_objectAcceleration(model_.get(), data_.get(), mjOBJ_XBODY, id, a, 0);
      // MuJoCo's accelerations are relative to free fall.
      observation.accelerations.push_back({VectorAt(a + 3) + system_.gravity, VectorAt(a)});
    }
    // MuJoCo's interaction forces do not include the tendons.
    if (detail == Detail::kReactions && system_.forces.Of<SpringDamper>().empty())
      ReadReactions(observation);
    return {};
  }

  bool has_projection() const override { return true; }
  Status Project(double, std::span<double> y) override {
    mj_normalizeQuat(model_.get(), y.data());
    return {};
  }

  bool has_power() const override { return HasNonConservativeForces(system_); }
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
    model_->opt.timestep = h;
    try {
      mj_step(model_.get(), data_.get());
    } catch (const std::exception&) {
      return {Status::Code::kSingular, -1, -1, kThrew};
    }
    if (Status s = Sound(); !s.ok()) return s;
    std::copy(data_->qpos, data_->qpos + nq_, out.begin());
    std::copy(data_->qvel, data_->qvel + nv_, out.begin() + static_cast<std::ptrdiff_t>(nq_));
    return {};
  }

 private:
  std::size_t JointOf(int body) const {
    return static_cast<std::size_t>(model_->body_jntadr[ids_[static_cast<std::size_t>(body)]]);
  }
  int PositionAt(int body) const { return model_->jnt_qposadr[JointOf(body)]; }
  int VelocityAt(int body) const { return model_->jnt_dofadr[JointOf(body)]; }

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
    bodies.resize(ids_.size());
    for (std::size_t b = 0; b < ids_.size(); ++b) {
      mjtNum v[6];  // angular, linear
      mj_objectVelocity(model_.get(), data_.get(), mjOBJ_XBODY, ids_[b], v, 0);
      bodies[b] = {VectorAt(data_->xpos + 3 * ids_[b]), QuaternionAt(data_->xquat + 4 * ids_[b]),
                   VectorAt(v + 3), VectorAt(v)};
    }
  }

  void ReadReactions(Observation& observation) const {
    for (const Joint& joint : system_.joints) {
      const BodyState& body = observation.bodies[static_cast<std::size_t>(joint.child)];
      const int id = ids_[static_cast<std::size_t>(joint.child)];
      const mjtNum* const moment_force = data_->cfrc_int + 6 * id;
      const Vector3 centre = VectorAt(data_->subtree_com + 3 * model_->body_rootid[id]);
      const Vector3 joint_at = body.position + Rotate(body.orientation, joint.child_frame.position);
      JointReaction r{VectorAt(moment_force + 3), VectorAt(moment_force)};
      r.torque = r.torque + Cross(centre - joint_at, r.force);
      const Vector3 z = Rotate(body.orientation * joint.child_frame.orientation, Vector3{0, 0, 1});
      observation.reactions.push_back(ConstraintPart(joint.type, z, r));
    }
  }

  // Applies loads and ground springs after MuJoCo has computed positions and velocities of its
  // bodies.
  static void ApplyOthers(const mjModel* model, mjData* data) {
    if (model->nuserdata == 0) return;
    MujocoFormulation* self = nullptr;
    std::memcpy(&self, data->userdata, sizeof self);
    if (self == nullptr) return;
    self->ReadBodies(self->bodies_);
    std::ranges::fill(self->wrenches_, Wrench{});
    AddForceElements(self->others_, self->bodies_, self->wrenches_);
    for (std::size_t b = 0; b < self->ids_.size(); ++b) {
      mjtNum* const applied = data->xfrc_applied + 6 * self->ids_[b];
      Put(self->wrenches_[b].force, applied);
      Put(self->wrenches_[b].moment, applied + 3);
    }
  }

  System system_, others_;
  ModelPointer model_;
  DataPointer data_;
  std::size_t nq_, nv_;
  std::vector<int> ids_;  // MuJoCo's, per body
  std::vector<BodyState> bodies_, power_bodies_;
  std::vector<Wrench> wrenches_;
};

}  // namespace

std::unique_ptr<OdeFormulation> MakeMujocoFormulation(const System& system) {
  mju_user_error = ThrowError;
  mju_user_warning = IgnoreWarning;
  try {
    return std::make_unique<MujocoFormulation>(system);
  } catch (const std::exception& error) {
    throw ModelError(std::string("MuJoCo does not take this system: ") + error.what());
  }
}

}  // namespace mbsbench
