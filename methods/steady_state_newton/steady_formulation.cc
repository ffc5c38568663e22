#include "methods/steady_state_newton/steady_formulation.h"

#include <cmath>
#include <utility>

#include "methods/kinematics/joint_reactions.h"
#include "methods/kinematics/loop_joint.h"
#include "methods/kinematics/tree_joint.h"
#include "problems/model/eigen.h"

namespace mbsbench::steady {

SteadyFormulation::SteadyFormulation(const System& system) : SteadyEquations(system) {
  speed_ = system_.drivers.empty() ? 0 : system_.drivers.front().motion.rate;
  for (const Driver& d : system_.drivers)
    ratios_.push_back(speed_ == 0 ? 1 : d.motion.rate / speed_);
}

Status SteadyFormulation::Initialise(double, const SystemState& state, std::span<double> z) {
  std::fill(z.begin(), z.end(), 0.0);
  StartAt(state.joints, z);
  return {};
}

void SteadyFormulation::SetSpeed(double speed) {
  speed_ = speed;
  for (std::size_t d = 0; d < ratios_.size(); ++d) tree_.SetSpeed(d, speed * ratios_[d]);
}

// Magnitudes through the same two sweeps: |S_k| . (sum of |wrenches| over the subtree), the springs'
// stiffness times the coordinates. Loop closures have the scale of a metre or a radian.
void SteadyFormulation::ResidualScale(std::span<const double> z, std::span<double> scale) {
  Sweep(z, {});
  std::vector<Vector6> sizes(wrenches_.size());
  for (std::size_t b = 0; b < sizes.size(); ++b)
    sizes[b] = NetWrench(static_cast<int>(b)).cwiseAbs();
  const auto add = [&sizes](int body, const Vector6& wrench) {
    if (body != kGround) sizes[static_cast<std::size_t>(body)] += wrench.cwiseAbs();
  };
  for (std::size_t i = 0; i < pulls_.size(); ++i) {
    const SpringDamper& e = system_.forces.Of<SpringDamper>()[i];
    const double force = e.stiffness * (pulls_[i].line.value + std::abs(e.free_length));
    add(e.body_a, force * pulls_[i].line.l);
    add(e.body_b, force * pulls_[i].line.l);
  }
  for (std::size_t i = tree_.joints().size(); i-- > 0;) {
    const RelativeJoint& j = tree_.joints()[i];
    const Vector6& size = sizes[static_cast<std::size_t>(j.body)];
    add(j.parent, size);
    for (int k = 0; k < j.freedoms; ++k) {
      const auto row = static_cast<std::size_t>(j.first + k);
      double& sum = scale[row];
      sum = tree_.columns(i).s[static_cast<std::size_t>(k)].cwiseAbs().dot(size);
      for (int e : springs_of_[static_cast<std::size_t>(j.index)]) {
        const JointSpringDamper& spring =
            system_.forces.Of<JointSpringDamper>()[static_cast<std::size_t>(e)];
        sum += spring.stiffness * (std::abs(z[row]) + std::abs(spring.free_coordinate));
      }
      if (!(sum > 0)) sum = 1;
    }
  }
  std::fill(scale.begin() + static_cast<std::ptrdiff_t>(tree_.coordinates()), scale.end(), 1.0);
}

std::vector<double> SteadyFormulation::DenseJacobian(std::span<const double> z) {
  const SparsityPattern& p = pattern();
  std::vector<double> values(p.row.size());
  Jacobian(z, values);
  const std::size_t n = size_;
  std::vector<double> dense(n * n), w(static_cast<std::size_t>(matrix_size_));
  for (std::size_t c = 0; c < n; ++c) {
    // Forward substitution with unit lower triangular D; what remains in the rows of f is the column.
    std::fill(w.begin(), w.end(), 0.0);
    const auto spread = [&](std::size_t column, double factor) {
      for (int e = p.column_start[column]; e < p.column_start[column + 1]; ++e) {
        const auto i = static_cast<std::size_t>(e);
        w[static_cast<std::size_t>(p.row[i])] += factor * values[i];
      }
    };
    spread(c, 1);
    for (std::size_t a = n; a < w.size(); ++a) {
      const double negative = w[a];
      if (negative != 0) spread(a, -negative);
    }
    std::copy_n(w.begin(), n, dense.begin() + static_cast<std::ptrdiff_t>(c * n));
  }
  return dense;
}

Status SteadyFormulation::Linearise(std::span<const double> z, Linearisation& out) {
  const std::size_t n = tree_.coordinates(), m = row_joint_.size();
  out = {n, m, Vector(n * n), Vector(n * n), Vector(n * n), Vector(m * n)};
  const Vector dense = DenseJacobian(z);
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t r = 0; r < n; ++r) out.stiffness[r * n + c] = dense[c * size_ + r];
    for (std::size_t r = 0; r < m; ++r) out.closure[r * n + c] = dense[c * size_ + n + r];
  }
  // f is a quadratic polynomial in the rates of q_R, so that central differences are exact.
  const double h = std::max(1.0, std::abs(speed_));
  Vector rates(n, 0.0), plus(size_), minus(size_);
  for (std::size_t c = 0; c < n; ++c) {
    rates[c] = h;
    Sweep(z, rates);
    ForceRows(z, rates, plus);
    rates[c] = -h;
    Sweep(z, rates);
    ForceRows(z, rates, minus);
    rates[c] = 0;
    for (std::size_t r = 0; r < n; ++r) out.damping[r * n + c] = (plus[r] - minus[r]) / (2 * h);
  }
  // M = B_R' M B_R (eq. 15): composite inertias of the subtrees, projected along the paths.
  std::vector<Matrix6> composite(system_.bodies.size());
  for (std::size_t b = 0; b < composite.size(); ++b) {
    const double mass = system_.bodies[b].mass;
    const BodyPlace<double>& place = tree_.place(static_cast<int>(b));
    const Matrix36 point = PointOf(place.centre);
    composite[b] = mass * point.transpose() * point;
    composite[b].topLeftCorner<3, 3>() += place.inertia;
  }
  for (std::size_t i = tree_.joints().size(); i-- > 0;) {
    const RelativeJoint& j = tree_.joints()[i];
    const Matrix6& inertia = composite[static_cast<std::size_t>(j.body)];
    for (int k = 0; k < j.freedoms; ++k) {
      const Vector6 momentum = inertia * tree_.columns(i).s[static_cast<std::size_t>(k)];
      for (std::size_t a = i;;) {
        const RelativeJoint& on_path = tree_.joints()[a];
        for (int l = 0; l < on_path.freedoms; ++l) {
          const auto r = static_cast<std::size_t>(on_path.first + l);
          const auto c = static_cast<std::size_t>(j.first + k);
          out.mass[r * n + c] = out.mass[c * n + r] =
              momentum.dot(tree_.columns(a).s[static_cast<std::size_t>(l)]);
        }
        if (on_path.parent == kGround) break;
        a = static_cast<std::size_t>(tree_.PositionOf(on_path.parent));
      }
    }
    if (j.parent != kGround) composite[static_cast<std::size_t>(j.parent)] += inertia;
  }
  return {};
}

std::vector<AlgebraicFormulation::Quantity> SteadyFormulation::unknowns() const {
  std::vector<Quantity> names;
  for (const RelativeJoint& j : tree_.joints()) {
    const std::string& name = system_.joints[static_cast<std::size_t>(j.index)].name;
    if (j.freedoms == 1) names.push_back({name, TurnsAboutZ(j.type) ? "rad" : "m"});
    if (j.freedoms == 6) {
      for (const char* axis : {" x", " y", " z"}) names.push_back({name + axis, "m"});
    }
    if (j.freedoms >= 3) {
      for (const char* axis : {" turn x", " turn y", " turn z"})
        names.push_back({name + axis, "rad"});
    }
  }
  for (std::size_t i = 0; i < row_joint_.size(); ++i) {
    const Joint& joint = system_.loop_joints[static_cast<std::size_t>(row_joint_[i])];
    std::size_t first = i;
    while (first > 0 && row_joint_[first - 1] == row_joint_[i]) --first;
    const bool single = ConstraintCount(joint.type) == 1;
    const int lengths = LoopJoint(joint).force_rows();
    std::string name = "lambda " + joint.name;
    if (!single) name.append(" ").append(std::to_string(i - first + 1));
    names.push_back({std::move(name), static_cast<int>(i - first) < lengths ? "N" : "N m"});
  }
  return names;
}

std::vector<AlgebraicFormulation::Quantity> SteadyFormulation::residuals() const {
  std::vector<Quantity> names = unknowns();
  const std::size_t n = tree_.coordinates();
  for (std::size_t i = 0; i < names.size(); ++i) {
    Quantity& q = names[i];
    if (i < n) {
      q.name = "force along " + q.name;
      q.unit = q.unit == "m" ? "N" : "N m";
    } else {
      q.name = "closure of " + q.name.substr(std::string("lambda ").size());
      q.unit = q.unit == "N" ? "m" : "rad";
    }
  }
  return names;
}

Status SteadyFormulation::Observe(double, std::span<const double> z, Detail detail,
                                  Observation& observation) {
  Sweep(z, {});
  observation = {};
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    const int body = static_cast<int>(b);
    const BodyPlace<double>& place = tree_.place(body);
    const Vector6 v = tree_.velocity(body), a = tree_.acceleration(body);
    const Vector3 omega = v.head<3>();
    const Vector3 velocity = v.tail<3>() + omega.cross(place.centre);
    observation.bodies.push_back({FromEigen(place.centre),
                                  FromEigen(Eigen::Quaterniond(place.rotation).normalized()),
                                  FromEigen(velocity), FromEigen(omega)});
    if (detail == Detail::kMotion) continue;
    const Vector3 alpha = a.head<3>();
    observation.accelerations.push_back(
        {FromEigen(a.tail<3>() + alpha.cross(place.centre) + omega.cross(velocity)),
         FromEigen(alpha)});
  }
  if (detail != Detail::kReactions) return {};
  observation.reactions.resize(system_.joints.size() + system_.loop_joints.size());
  for (std::size_t i = 0; i < tree_.joints().size(); ++i) {
    const RelativeJoint& j = tree_.joints()[i];
    const Vector6& w = wrenches_[static_cast<std::size_t>(j.body)];
    const Vector3 at = tree_.place(j.body).joint;
    const Vector3 force = w.tail<3>(), moment = w.head<3>() - at.cross(force);
    observation.reactions[static_cast<std::size_t>(j.index)] = {FromEigen(force),
                                                                FromEigen(moment)};
  }
  RemoveFreeDirections(system_, observation.bodies, observation.reactions);
  for (std::size_t i = 0; i < cut_rows_.size(); ++i) {
    const auto j = static_cast<std::size_t>(row_joint_[i]);
    const Joint& joint = system_.loop_joints[j];
    const Vector3 at = tree_.PointOn(joint.child, ToEigen(joint.child_frame.position));
    const Vector6 w = -lambda_[i] * cut_rows_[i].l;
    JointReaction& reaction = observation.reactions[system_.joints.size() + j];
    reaction.force = reaction.force + FromEigen(w.tail<3>());
    reaction.torque = reaction.torque + FromEigen(w.head<3>() - at.cross(w.tail<3>()));
  }
  return {};
}

}  // namespace mbsbench::steady
