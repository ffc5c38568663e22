#include "problems/model/assembly.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "problems/model/validation.h"

namespace mbsbench {

namespace {

constexpr int kNewtonSteps = 50;
constexpr double kClosed = 1e-14;            // of `length`; a few units of round-off
constexpr double kLargestCorrection = 1e-3;  // of `length`, or rad

constexpr double kClosedRates = 1e-9;  // of the largest speed in the system

std::string Text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// Largest residual of the loops and the loop joint that has it; lengths are divided by `length`.
struct Worst {
  double residual = 0;
  const Joint* joint = nullptr;
};
enum class Level { kPosition, kVelocity };
Worst WorstOf(const System& system, const std::vector<BodyState>& bodies, double length,
              Level level) {
  Worst worst;
  for (const Joint& joint : system.loop_joints) {
    ConstraintRows rows;
    AppendConstraintRows(joint, bodies, rows);
    const std::vector<double>& values = level == Level::kPosition ? rows.position : rows.velocity;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double residual = std::abs(values[i]) / (rows.is_length[i] ? length : 1);
      // A residual that is not a number is worse than any.
      if (worst.joint == nullptr || !(residual <= worst.residual)) worst = {residual, &joint};
      if (std::isnan(residual)) return worst;
    }
  }
  return worst;
}

// The rows of a joint that leaves no rotation free vanish at half a turn, too.
void RefuseTurnedJoints(const System& system, const std::vector<BodyState>& bodies) {
  const auto axes_of = [&bodies](const Frame& frame, int body) {
    return body == kGround ? frame.orientation
                           : bodies[static_cast<std::size_t>(body)].orientation * frame.orientation;
  };
  for (const Joint& joint : system.loop_joints) {
    if (joint.type != JointType::kPrismatic && joint.type != JointType::kFixed) continue;
    if (AngleBetween(axes_of(joint.parent_frame, joint.parent),
                     axes_of(joint.child_frame, joint.child)) > M_PI / 2) {
      throw ModelError("the initial state closes loop joint '" + joint.name +
                           "' with its two frames half a turn apart: turn one of them.",
                       ModelError::Subject::kJoint, joint.name);
    }
  }
}

// The largest speed of a body [1/s], lengths divided by `length`.
double LargestRate(const std::vector<BodyState>& bodies, double length) {
  double rate = 0;
  for (const BodyState& b : bodies) {
    rate = std::max({rate, Norm(b.velocity) / length, Norm(b.angular_velocity)});
  }
  return rate;
}

ConstraintRows LoopRows(const System& system, const JointState& joints) {
  const std::vector<BodyState> bodies = ForwardKinematics(system, joints);
  ConstraintRows rows;
  for (const Joint& joint : system.loop_joints) AppendConstraintRows(joint, bodies, rows);
  return rows;
}

Eigen::VectorXd AsVector(const std::vector<double>& v) {
  return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

// Moves joint j by the rotation or displacement that the rates `u` give in unit time.
void Advance(const System& system, const JointOffsets& at, std::size_t j, const double* u,
             std::vector<double>& q) {
  double* const x = q.data() + at.q[j];
  const auto rotate = [](double* quaternion, const double* omega) {
    const Vector3 w{omega[0], omega[1], omega[2]};
    const double angle = Norm(w);
    if (angle == 0) return;
    const Quaternion r =
        Normalised(Quaternion{quaternion[0], quaternion[1], quaternion[2], quaternion[3]} *
                   AxisAngle((1 / angle) * w, angle));
    quaternion[0] = r.w, quaternion[1] = r.x, quaternion[2] = r.y, quaternion[3] = r.z;
  };
  const JointType type = system.joints[j].type;
  const std::size_t plain = AxesOf(type).size();
  for (std::size_t i = 0; i < plain; ++i) x[i] += u[i];
  if (TurnsFreely(type)) rotate(x + plain, u + plain);
}

}  // namespace

Assembly Assemble(const System& system, const InitialCondition& initial, double length) {
  Validate(system, initial.joints);
  Assembly assembly;
  JointState& joints = assembly.state.joints;
  joints = initial.joints;
  const JointOffsets at = OffsetsOf(system);

  if (!system.loop_joints.empty()) {
    std::vector<int> columns;  // dependent rates
    for (int j : initial.dependent_joints) {
      for (int k = at.u[static_cast<std::size_t>(j)]; k < at.u[static_cast<std::size_t>(j) + 1];
           ++k) {
        columns.push_back(k);
      }
    }
    const auto column_count = static_cast<Eigen::Index>(columns.size());
    // The loop rows are linear in the rates: one sweep per unit rate gives their exact Jacobian.
    const auto jacobian = [&](JointState state) {
      Eigen::MatrixXd g;
      for (Eigen::Index c = 0; c < column_count; ++c) {
        std::fill(state.u.begin(), state.u.end(), 0.0);
        state.u[static_cast<std::size_t>(columns[static_cast<std::size_t>(c)])] = 1;
        const Eigen::VectorXd column = AsVector(LoopRows(system, state).velocity);
        if (c == 0) g.resize(column.size(), column_count);
        g.col(c) = column;
      }
      return g;
    };
    const auto residual = [&] {
      return WorstOf(system, ForwardKinematics(system, joints), length, Level::kPosition).residual;
    };
    Eigen::VectorXd moved = Eigen::VectorXd::Zero(column_count);
    double worst = residual();
    for (int step = 0; step < kNewtonSteps && worst > kClosed && column_count > 0; ++step) {
      const Eigen::VectorXd delta = jacobian(joints).completeOrthogonalDecomposition().solve(
          -AsVector(LoopRows(system, joints).position));
      const std::vector<double> before = joints.q;
      std::vector<double> rates(joints.u.size(), 0.0);
      for (Eigen::Index c = 0; c < column_count; ++c) {
        rates[static_cast<std::size_t>(columns[static_cast<std::size_t>(c)])] = delta[c];
      }
      for (int j : initial.dependent_joints) {
        Advance(system, at, static_cast<std::size_t>(j),
                rates.data() + at.u[static_cast<std::size_t>(j)], joints.q);
      }
      const double next = residual();
      if (!(next < worst)) {  // round-off floor, or no progress
        joints.q = before;
        break;
      }
      moved += delta;
      worst = next;
    }
    if (!(worst < 1e-11)) {
      const Worst open =
          WorstOf(system, ForwardKinematics(system, joints), length, Level::kPosition);
      throw ModelError("the initial state does not close loop joint '" + open.joint->name +
                           "': a residual of " + Text(open.residual) +
                           " L remains; move the dependent coordinates nearer, or check the joint.",
                       ModelError::Subject::kJoint, open.joint->name);
    }
    if (column_count > 0) {
      Eigen::Index farthest = 0;
      assembly.largest_position_correction = moved.cwiseAbs().maxCoeff(&farthest);
      if (assembly.largest_position_correction > kLargestCorrection * std::max(length, 1.0)) {
        const int rate = columns[static_cast<std::size_t>(farthest)];
        const auto after = std::upper_bound(at.u.begin(), at.u.end(), rate);
        const std::string& name =
            system.joints[static_cast<std::size_t>(after - at.u.begin() - 1)].name;
        throw ModelError("closing the loops would move joint '" + name + "' by " +
                             Text(assembly.largest_position_correction) +
                             " m or rad (allowed: 1e-3): the initial state is inconsistent.",
                         ModelError::Subject::kJoint, name);
      }
      const Eigen::VectorXd rate_residual = AsVector(LoopRows(system, joints).velocity);
      const Eigen::VectorXd delta =
          jacobian(joints).completeOrthogonalDecomposition().solve(-rate_residual);
      for (Eigen::Index c = 0; c < column_count; ++c) {
        joints.u[static_cast<std::size_t>(columns[static_cast<std::size_t>(c)])] += delta[c];
      }
      assembly.largest_velocity_correction = delta.cwiseAbs().maxCoeff();
    }
    const std::vector<BodyState> bodies = ForwardKinematics(system, joints);
    RefuseTurnedJoints(system, bodies);
    const Worst rate = WorstOf(system, bodies, length, Level::kVelocity);
    if (!(rate.residual <= kClosedRates * LargestRate(bodies, length))) {
      throw ModelError("the initial rates break loop joint '" + rate.joint->name +
                           "', and the dependent joints cannot mend it: a residual of " +
                           Text(rate.residual) + " L/s remains; the initial state is inconsistent.",
                       ModelError::Subject::kJoint, rate.joint->name);
    }
  }
  assembly.state.bodies = ForwardKinematics(system, joints);
  return assembly;
}

}  // namespace mbsbench
