// MJCF and URDF as MuJoCo's own compiler reads them.
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <memory>
#include <stdexcept>

#include "problems/model/model_reading.h"

namespace mbsbench {

namespace {

using Model = std::unique_ptr<mjModel, void (*)(mjModel*)>;
using Data = std::unique_ptr<mjData, void (*)(mjData*)>;

Vector3 Triple(const mjtNum* v) { return {v[0], v[1], v[2]}; }

// Our reader of MJCF gives the same names to those that have none.
std::string NameOf(const mjModel& model, mjtObj kind, int id, const char* word) {
  const char* const name = mj_id2name(&model, kind, id);
  return name != nullptr && *name != 0 ? name : fmt::format("{}_{}", word, id);
}

void SetCoordinates(const mjModel& m, mjData& d) {
  for (int j = 0; j < m.njnt; ++j) {
    const int at = m.jnt_qposadr[j];
    if (m.jnt_type[j] == mjJNT_FREE) {
      mju_copy(d.qpos + at, (m.nkey > 0 ? m.key_qpos : m.qpos0) + at, 7);
    } else {
      const bool is_ball = m.jnt_type[j] == mjJNT_BALL;
      mju_zero(d.qpos + at, is_ball ? 4 : 1);
      if (is_ball) d.qpos[at] = 1;
    }
  }
}

// R diag(principal) R^T.
SymmetricMatrix3 InertiaOf(const mjtNum* r, const mjtNum* principal) {
  SymmetricMatrix3 inertia;
  for (int i = 0; i < 3; ++i) {
    for (int k = i; k < 3; ++k) {
      for (int p = 0; p < 3; ++p) inertia(i, k) += r[3 * i + p] * principal[p] * r[3 * k + p];
    }
  }
  return inertia;
}

// Whether a servo damps the joint: our reader adds it to the damping of the joint.
bool IsDampedByServo(const mjModel& m, int joint) {
  for (int a = 0; a < m.nu; ++a) {
    const bool is_on_joint =
        m.actuator_trntype[a] == mjTRN_JOINT && m.actuator_trnid[2 * a] == joint;
    if (is_on_joint &&
        (m.actuator_biasprm[mjNBIAS * a + 2] != 0 || m.actuator_gainprm[mjNGAIN * a + 2] != 0))
      return true;
  }
  return false;
}

void ReadModel(const char* file, ModelReading& reading) {
  char error[1000] = "";
  const Model model(mj_loadXML(file, nullptr, error, sizeof error), mj_deleteModel);
  if (!model) throw std::runtime_error(error);
  const Data data(mj_makeData(model.get()), mj_deleteData);
  if (!data) throw std::runtime_error("its data could not be made");
  const mjModel& m = *model;
  SetCoordinates(m, *data);
  mj_kinematics(&m, data.get());
  for (int b = 1; b < m.nbody; ++b) {
    reading.bodies.push_back({.name = NameOf(m, mjOBJ_BODY, b, "body"),
                              .mass = m.body_mass[b],
                              .centre = Triple(data->xipos + 3 * b),
                              .inertia = InertiaOf(data->ximat + 9 * b, m.body_inertia + 3 * b)});
  }
  for (int j = 0; j < m.njnt; ++j) {
    if (m.jnt_type[j] != mjJNT_HINGE && m.jnt_type[j] != mjJNT_SLIDE) continue;
    const int dof = m.jnt_dofadr[j];
    reading.joints.push_back({.name = NameOf(m, mjOBJ_JOINT, j, "joint"),
                              .axis = Triple(data->xaxis + 3 * j),
                              .damping = IsDampedByServo(m, j) ? NAN : m.dof_damping[dof],
                              .armature = m.dof_armature[dof]});
  }
}

}  // namespace

}  // namespace mbsbench

void mbsbench_read_model_1(const char* file, mbsbench::ModelReading* reading) {
  // MuJoCo ends the process on an error and writes a log file on a warning, unless stated otherwise.
  mju_user_error = [](const char* what) { throw std::runtime_error(what); };
  mju_user_warning = [](const char*) {};
  try {
    mbsbench::ReadModel(file, *reading);
  } catch (const std::exception& error) {
    *reading = {};
    reading->refused = error.what();
  }
}
