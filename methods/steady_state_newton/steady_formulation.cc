#include "methods/steady_state_newton/steady_formulation.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>

#include "methods/kinematics/joint_reactions.h"
#include "methods/kinematics/loop_joint.h"
#include "methods/kinematics/loop_reactions.h"
#include "methods/kinematics/tree_joint.h"
#include "methods/loops/nearly_dependent_loops.h"
#include "methods/thresholds/thresholds.h"
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
  left_out_.clear();
  return system_.loop_precision > 0 && !row_joint_.empty() ? LeaveOutDependentRows(z) : Status{};
}

Eigen::MatrixXd SteadyFormulation::ClosureRows(std::span<const double> z) {
  const Vector all = DenseJacobian(z);
  const auto n = static_cast<Eigen::Index>(tree_.coordinates()),
             size = static_cast<Eigen::Index>(size_);
  return Eigen::Map<const Eigen::MatrixXd>(all.data(), size, size)
      .block(n, 0, size - n, n)
      .transpose();
}

Status SteadyFormulation::LeaveOutDependentRows(std::span<const double> z) {
  const RowAccuracy accuracy(system_);
  const double dependent = accuracy.entry_known_to;
  Eigen::MatrixXd rows = ClosureRows(z);
  const Eigen::Index n = rows.rows(), m = rows.cols();
  const double largest = rows.colwise().norm().maxCoeff();
  for (Eigen::Index r = 0; r < m; ++r) {
    const double length = rows.col(r).norm();
    rows.col(r) *= length > dependent * largest ? 1 / length : 0;
  }
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rows);
  for (Eigen::Index k = 0; k < m; ++k) {
    const double remainder = k < n ? std::abs(qr.matrixR()(k, k)) : 0;
    if (remainder > accuracy.least_known * dependent) continue;
    if (remainder > dependent) return NearlyDependentLoops(accuracy);
    left_out_.push_back(static_cast<int>(qr.colsPermutation().indices()[k]));
  }
  return {};
}

Status SteadyFormulation::Residual(std::span<const double> z, std::span<double> f) {
  CalcResidual(z, f);
  for (const int row : left_out_) {
    const std::size_t at = tree_.coordinates() + static_cast<std::size_t>(row);
    f[at] = z[at];
  }
  return {};
}

Status SteadyFormulation::Jacobian(std::span<const double> z, std::span<double> values) {
  CalcJacobian(z, values);
  if (left_out_.empty()) return {};
  const int closures = static_cast<int>(tree_.coordinates());
  for (std::size_t column = 0; column + 1 < pattern().column_start.size(); ++column) {
    for (int e = pattern().column_start[column]; e < pattern().column_start[column + 1]; ++e) {
      const int row = pattern().row[static_cast<std::size_t>(e)];
      if (std::ranges::find(left_out_, row - closures) != left_out_.end())
        values[static_cast<std::size_t>(e)] = row == static_cast<int>(column) ? 1 : 0;
    }
  }
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
  CalcJacobian(z, values);
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
  const std::size_t trees = system_.joints.size();
  std::ranges::copy(ReactionsOf(lambda_),
                    observation.reactions.begin() + static_cast<std::ptrdiff_t>(trees));
  if (left_out_.empty()) return {};
  const Eigen::MatrixXd rows = ClosureRows(z);
  std::vector<int> kept;
  for (int r = 0; r < static_cast<int>(row_joint_.size()); ++r) {
    if (std::ranges::find(left_out_, r) == left_out_.end()) kept.push_back(r);
  }
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rows(Eigen::all, kept));
  const double no_change =
      std::max(kThresholds.unique_reaction, kDependentPerPrecision * system_.loop_precision);
  for (const int row : left_out_) {
    const Eigen::VectorXd implied = qr.solve(rows.col(row));
    Vector null_vector(row_joint_.size(), 0.0);
    null_vector[static_cast<std::size_t>(row)] = -1;
    for (std::size_t k = 0; k < kept.size(); ++k)
      null_vector[static_cast<std::size_t>(kept[k])] = implied[static_cast<Eigen::Index>(k)];
    MarkUndetermined(system_, system_.loop_joints, observation.bodies, ReactionsOf(null_vector),
                     no_change, observation.reactions);
  }
  return {};
}

std::vector<JointReaction> SteadyFormulation::ReactionsOf(const Vector& lambda) const {
  std::vector<JointReaction> reactions(system_.loop_joints.size());
  for (std::size_t i = 0; i < cut_rows_.size(); ++i) {
    const auto j = static_cast<std::size_t>(row_joint_[i]);
    const Joint& joint = system_.loop_joints[j];
    const Vector3 at = tree_.PointOn(joint.child, ToEigen(joint.child_frame.position));
    const Vector6 w = -lambda[i] * cut_rows_[i].l;
    reactions[j].force = reactions[j].force + FromEigen(w.tail<3>());
    reactions[j].torque = reactions[j].torque + FromEigen(w.head<3>() - at.cross(w.tail<3>()));
  }
  return reactions;
}

}  // namespace mbsbench::steady
