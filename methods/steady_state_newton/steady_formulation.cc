#include "methods/steady_state_newton/steady_formulation.h"

#include <cmath>

#include "methods/kinematics/joint_reactions.h"
#include "methods/kinematics/loop_joint.h"
#include "methods/kinematics/tree_joint.h"
#include "problems/model/eigen.h"

namespace mbsbench::steady {

using Eigen::Matrix3d;
using Eigen::Vector3d;

SteadyFormulation::SteadyFormulation(const System& system) : system_(system), tree_(system) {
  springs_of_.resize(system_.joints.size());
  for (std::size_t e = 0; e < system_.joint_spring_dampers.size(); ++e) {
    springs_of_[static_cast<std::size_t>(system_.joint_spring_dampers[e].joint)].push_back(
        static_cast<int>(e));
  }
  for (std::size_t j = 0; j < system_.loop_joints.size(); ++j) {
    row_joint_.insert(row_joint_.end(),
                      static_cast<std::size_t>(ConstraintCount(system_.loop_joints[j].type)),
                      static_cast<int>(j));
  }
  size_ = tree_.coordinates() + row_joint_.size();
  lambda_.resize(row_joint_.size());
  wrenches_.resize(system_.bodies.size());
  speed_ = system_.drivers.empty() ? 0 : system_.drivers.front().motion.rate;
  for (const Driver& d : system_.drivers)
    ratios_.push_back(speed_ == 0 ? 1 : d.motion.rate / speed_);

  const int bodies = static_cast<int>(system_.bodies.size());
  first_x_ = static_cast<int>(size_);
  int next = first_x_ + 6 * bodies;
  group_.assign(system_.bodies.size(), -1);
  for (const RelativeJoint& j : tree_.joints()) {
    int& group = group_[static_cast<std::size_t>(j.body)];
    group = Group(j.parent);
    if (j.driven && j.parent != kGround) {
      group = next;
      next += 12;
    }
  }
  first_w_ = next;
  matrix_size_ = first_w_ + 6 * bodies;

  std::vector<double> z(size_, 0.0);
  Sweep(z, {});
  blocks_.Begin({});
  AddJacobianBlocks();
  blocks_.FindPattern(matrix_size_);
}

Status SteadyFormulation::Initialise(double, const SystemState& state, std::span<double> z) {
  std::fill(z.begin(), z.end(), 0.0);
  tree_.StartAt(state.joints, z);
  return {};
}

void SteadyFormulation::SetSpeed(double speed) {
  speed_ = speed;
  for (std::size_t d = 0; d < ratios_.size(); ++d) tree_.SetSpeed(d, speed * ratios_[d]);
}

void SteadyFormulation::Sweep(std::span<const double> z, std::span<const double> rates) {
  tree_.Place(z.first(tree_.coordinates()));
  tree_.Move(rates);
  PlacePairs(z);
  BalanceWrenches();
}

void SteadyFormulation::PlacePairs(std::span<const double> z) {
  std::copy(z.begin() + static_cast<std::ptrdiff_t>(tree_.coordinates()), z.end(), lambda_.begin());
  cut_rows_.clear();
  for (const Joint& joint : system_.loop_joints) CutJointRows(tree_, joint, cut_rows_);
  pulls_.clear();
  for (const SpringDamper& e : system_.spring_dampers) pulls_.push_back(PullOf(tree_, e));
}

Vector6 SteadyFormulation::NetWrench(int b) const {
  const Body& body = system_.bodies[static_cast<std::size_t>(b)];
  const BodyPlace& place = tree_.place(b);
  const Vector6 v = tree_.velocity(b), a = tree_.acceleration(b);
  const Vector3d omega = v.head<3>(), alpha = a.head<3>(), r = place.centre;
  const Vector3d velocity = v.tail<3>() + omega.cross(r);
  const Vector3d acceleration = a.tail<3>() + alpha.cross(r) + omega.cross(velocity);
  const Vector3d force = body.mass * (acceleration - ToEigen(system_.gravity));
  // The gyroscopic moment omega x J omega belongs to Q in the paper's form.
  const Vector3d moment = place.inertia * alpha + omega.cross(place.inertia * omega);
  return ForceAt(r, force) + Stack(moment, Vector3d::Zero());
}

void SteadyFormulation::BalanceWrenches() {
  for (std::size_t b = 0; b < wrenches_.size(); ++b) wrenches_[b] = NetWrench(static_cast<int>(b));
  const auto add = [this](int body, const Vector6& wrench) {
    if (body != kGround) wrenches_[static_cast<std::size_t>(body)] += wrench;
  };
  for (const AppliedForce& e : system_.applied_forces) {
    const Matrix3d axes = e.in_body_axes ? tree_.AxesOf(e.body) : Matrix3d::Identity();
    add(e.body, -ForceAt(tree_.PointOn(e.body, ToEigen(e.point)), axes * ToEigen(e.force)) -
                    Stack(axes * ToEigen(e.moment), Vector3d::Zero()));
  }
  for (std::size_t i = 0; i < pulls_.size(); ++i) {
    const SpringDamper& e = system_.spring_dampers[i];
    add(e.body_b, pulls_[i].force * pulls_[i].line.l);
    add(e.body_a, -pulls_[i].force * pulls_[i].line.l);
  }
  for (std::size_t i = 0; i < cut_rows_.size(); ++i) {
    const Joint& joint = system_.loop_joints[static_cast<std::size_t>(row_joint_[i])];
    add(joint.child, lambda_[i] * cut_rows_[i].l);
    add(joint.parent, -lambda_[i] * cut_rows_[i].l);
  }
  for (auto j = tree_.joints().rbegin(); j != tree_.joints().rend(); ++j) {
    add(j->parent, wrenches_[static_cast<std::size_t>(j->body)]);
  }
}

void SteadyFormulation::ForceRows(std::span<const double> z, std::span<const double> rates,
                                  std::span<double> f) {
  for (std::size_t i = 0; i < tree_.joints().size(); ++i) {
    const RelativeJoint& j = tree_.joints()[i];
    if (j.freedoms == 0) continue;
    const Vector6& w = wrenches_[static_cast<std::size_t>(j.body)];
    for (std::size_t k = 0; k < static_cast<std::size_t>(j.freedoms); ++k) {
      f[static_cast<std::size_t>(j.first) + k] = tree_.columns(i).s[k].dot(w);
    }
    for (int e : springs_of_[static_cast<std::size_t>(j.index)]) {
      const JointSpringDamper& spring = system_.joint_spring_dampers[static_cast<std::size_t>(e)];
      const auto k = static_cast<std::size_t>(j.first);
      f[k] += spring.stiffness * (z[k] - spring.free_coordinate);
      if (!rates.empty()) f[k] += spring.damping * rates[k];
    }
  }
}

Status SteadyFormulation::Residual(std::span<const double> z, std::span<double> f) {
  Sweep(z, {});
  ForceRows(z, {}, f);
  for (std::size_t i = 0; i < cut_rows_.size(); ++i)
    f[tree_.coordinates() + i] = cut_rows_[i].value;
  return {};
}

// Magnitudes through the same two sweeps: |S_k| . (sum of |wrenches| over the subtree), the springs'
// stiffness times the coordinates. What closes loops has the size of a metre or a radian.
void SteadyFormulation::ResidualScale(std::span<const double> z, std::span<double> scale) {
  Sweep(z, {});
  std::vector<Vector6> sizes(wrenches_.size());
  for (std::size_t b = 0; b < sizes.size(); ++b)
    sizes[b] = NetWrench(static_cast<int>(b)).cwiseAbs();
  const auto add = [&sizes](int body, const Vector6& wrench) {
    if (body != kGround) sizes[static_cast<std::size_t>(body)] += wrench.cwiseAbs();
  };
  for (std::size_t i = 0; i < pulls_.size(); ++i) {
    const SpringDamper& e = system_.spring_dampers[i];
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
        const JointSpringDamper& spring = system_.joint_spring_dampers[static_cast<std::size_t>(e)];
        sum += spring.stiffness * (std::abs(z[row]) + std::abs(spring.free_coordinate));
      }
      if (!(sum > 0)) sum = 1;
    }
  }
  std::fill(scale.begin() + static_cast<std::ptrdiff_t>(tree_.coordinates()), scale.end(), 1.0);
}

Status SteadyFormulation::Jacobian(std::span<const double> z, std::span<double> values) {
  Sweep(z, {});
  blocks_.Begin(values);
  AddJacobianBlocks();
  return {};
}

void SteadyFormulation::AddJacobianBlocks() {
  const Matrix6 one = Matrix6::Identity();
  const auto identity = [this](int at) {
    for (int k = 0; k < 6; ++k) blocks_.Add(at + k, at + k, 1);
  };
  for (std::size_t i = 0; i < tree_.joints().size(); ++i) {
    const RelativeJoint& j = tree_.joints()[i];
    const JointColumns& columns = tree_.columns(i);
    const Vector6& w = wrenches_[static_cast<std::size_t>(j.body)];
    const int x = X(j.body);
    // X_b - X_p - S dq = 0
    identity(x);
    if (j.parent != kGround) {
      for (int k = 0; k < 6; ++k) blocks_.Add(x + k, X(j.parent) + k, -1);
    }
    for (int k = 0; k < j.freedoms; ++k) {
      blocks_.AddBlock(x, j.first + k, -columns.s[static_cast<std::size_t>(k)]);
    }
    // df_k = S_k . dW_b + W_b . (X_p x S_k + dS_k/dq dq)
    for (int k = 0; k < j.freedoms; ++k) {
      const Vector6& s = columns.s[static_cast<std::size_t>(k)];
      const int row = j.first + k;
      blocks_.AddBlock(row, W(j.body), s.transpose());
      if (j.parent != kGround) {
        blocks_.AddBlock(row, X(j.parent), -(CrossMatrix(s).transpose() * w).transpose());
      }
      for (int l = 0; l < j.freedoms; ++l) {
        const auto& ds = columns.ds[static_cast<std::size_t>(k)][static_cast<std::size_t>(l)];
        blocks_.Add(row, j.first + l, w.dot(ds));
      }
    }
    if (j.freedoms == 1) {
      for (int e : springs_of_[static_cast<std::size_t>(j.index)]) {
        blocks_.Add(j.first, j.first,
                    system_.joint_spring_dampers[static_cast<std::size_t>(e)].stiffness);
      }
    }
    // A driver on a moving body: V = V_p + S u, A = A_p + V_p x S u, with dS = X_p x S.
    if (j.driven && j.parent != kGround) {
      const int group = Group(j.body), parent_group = Group(j.parent);
      const Matrix6 s = j.speed * CrossMatrix(columns.s[0]);
      const Matrix6 v = CrossMatrix(tree_.velocity(j.parent));
      identity(group);
      identity(group + 6);
      blocks_.AddBlock(group, X(j.parent), s);
      blocks_.AddBlock(group + 6, X(j.parent), v * s);
      if (parent_group >= 0) {
        blocks_.AddBlock(group, parent_group, -one);
        blocks_.AddBlock(group + 6, parent_group, s);
        blocks_.AddBlock(group + 6, parent_group + 6, -one);
      }
    }
    // dW_b - sum over children dW_c - d(net wrench, forces, pairs) = 0
    identity(W(j.body));
    if (j.parent != kGround) {
      for (int k = 0; k < 6; ++k) blocks_.Add(W(j.parent) + k, W(j.body) + k, -1);
    }
    AddNetWrenchBlocks(j.body);
  }
  for (const AppliedForce& e : system_.applied_forces) {
    const Matrix3d axes = e.in_body_axes ? tree_.AxesOf(e.body) : Matrix3d::Identity();
    const Vector3d point = tree_.PointOn(e.body, ToEigen(e.point)), force = axes * ToEigen(e.force);
    Matrix6 change = Matrix6::Zero();  // of the wrench
    change.topRows<3>() = -Skew(force) * PointOf(point);
    if (e.in_body_axes) {
      change.topLeftCorner<3, 3>() -= Skew(point) * Skew(force) + Skew(axes * ToEigen(e.moment));
      change.bottomLeftCorner<3, 3>() -= Skew(force);
    }
    blocks_.AddBlock(W(e.body), X(e.body), change);
  }
  for (std::size_t i = 0; i < pulls_.size(); ++i)
    AddSpringBlocks(system_.spring_dampers[i], pulls_[i]);
  for (std::size_t i = 0; i < cut_rows_.size(); ++i) {
    const Joint& joint = system_.loop_joints[static_cast<std::size_t>(row_joint_[i])];
    const UnitWrench& row = cut_rows_[i];
    const int at = static_cast<int>(tree_.coordinates() + i);
    AddPairBlocks(joint.parent, joint.child, lambda_[i], row);
    blocks_.AddBlock(W(joint.child), at, -row.l);
    blocks_.AddBlock(at, X(joint.child), row.l.transpose());
    if (joint.parent != kGround) {
      blocks_.AddBlock(W(joint.parent), at, row.l);
      blocks_.AddBlock(at, X(joint.parent), -row.l.transpose());
    }
  }
}

void SteadyFormulation::AddNetWrenchBlocks(int b) {
  const Body& body = system_.bodies[static_cast<std::size_t>(b)];
  const BodyPlace& place = tree_.place(b);
  const Vector6 v = tree_.velocity(b), a = tree_.acceleration(b);
  const Vector3d omega = v.head<3>(), alpha = a.head<3>(), r = place.centre;
  const Vector3d velocity = v.tail<3>() + omega.cross(r);
  const Vector3d force =
      body.mass * (a.tail<3>() + alpha.cross(r) + omega.cross(velocity) - ToEigen(system_.gravity));
  const Matrix3d spin = Skew(omega), turn = Skew(alpha), arm = body.mass * Skew(r);
  const Matrix3d& inertia = place.inertia;
  const Matrix36 point = PointOf(r);
  // With the motion held: dr, da = alpha x dr + omega x (omega x dr), dJ = [phi] J - J [phi].
  const Matrix36 da = (turn + spin * spin) * point;
  Matrix6 by_place;
  by_place.topRows<3>() = -Skew(force) * point + arm * da;
  by_place.bottomRows<3>() = body.mass * da;
  by_place.topLeftCorner<3, 3>() +=
      -Skew(inertia * alpha) + inertia * turn + spin * (-Skew(inertia * omega) + inertia * spin);
  blocks_.AddBlock(W(b), X(b), -by_place);
  if (Group(b) < 0) return;
  Matrix36 da_by_velocity;
  da_by_velocity << -Skew(velocity) - spin * Skew(r), spin;
  Matrix6 by_velocity, by_acceleration;
  by_velocity << arm * da_by_velocity, body.mass * da_by_velocity;
  by_velocity.topLeftCorner<3, 3>() += -Skew(inertia * omega) + spin * inertia;
  by_acceleration << arm * point, body.mass * point;
  by_acceleration.topLeftCorner<3, 3>() += inertia;
  blocks_.AddBlock(W(b), Group(b), -by_velocity);
  blocks_.AddBlock(W(b), Group(b) + 6, -by_acceleration);
}

// The wrench `force` l on the child and -`force` l on the parent, by the change of l.
void SteadyFormulation::AddPairBlocks(int body_p, int body_c, double force,
                                      const UnitWrench& line) {
  for (int on : {body_c, body_p}) {
    if (on == kGround) continue;
    const double sign = on == body_c ? -force : force;
    if (body_c != kGround) blocks_.AddBlock(W(on), X(body_c), sign * line.by_child);
    if (body_p != kGround) blocks_.AddBlock(W(on), X(body_p), sign * line.by_parent);
  }
}

void SteadyFormulation::AddSpringBlocks(const SpringDamper& e, const Pull& pull) {
  AddPairBlocks(e.body_a, e.body_b, pull.force, pull.line);
  for (int on : {e.body_b, e.body_a}) {
    if (on == kGround) continue;
    const double sign = on == e.body_b ? -1 : 1;
    const Vector6 l = sign * pull.line.l;
    if (e.body_b != kGround) {
      blocks_.AddBlock(W(on), X(e.body_b), l * pull.by_b.transpose());
      AddByVelocity(W(on), e.body_b, l * pull.by_velocity_b.transpose());
    }
    if (e.body_a != kGround) {
      blocks_.AddBlock(W(on), X(e.body_a), l * pull.by_a.transpose());
      AddByVelocity(W(on), e.body_a, l * pull.by_velocity_a.transpose());
    }
  }
}

void SteadyFormulation::AddByVelocity(int row, int body, const Matrix6& by_velocity) {
  if (Group(body) >= 0) blocks_.AddBlock(row, Group(body), by_velocity);
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
    const BodyPlace& place = tree_.place(static_cast<int>(b));
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
    names.push_back({"lambda " + joint.name + (single ? "" : " " + std::to_string(i - first + 1)),
                     static_cast<int>(i - first) < lengths ? "N" : "N m"});
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
    const BodyPlace& place = tree_.place(body);
    const Vector6 v = tree_.velocity(body), a = tree_.acceleration(body);
    const Vector3d omega = v.head<3>();
    const Vector3d velocity = v.tail<3>() + omega.cross(place.centre);
    observation.bodies.push_back({FromEigen(place.centre),
                                  FromEigen(Eigen::Quaterniond(place.rotation).normalized()),
                                  FromEigen(velocity), FromEigen(omega)});
    if (detail == Detail::kMotion) continue;
    const Vector3d alpha = a.head<3>();
    observation.accelerations.push_back(
        {FromEigen(a.tail<3>() + alpha.cross(place.centre) + omega.cross(velocity)),
         FromEigen(alpha)});
  }
  if (detail != Detail::kReactions) return {};
  observation.reactions.resize(system_.joints.size() + system_.loop_joints.size());
  for (std::size_t i = 0; i < tree_.joints().size(); ++i) {
    const RelativeJoint& j = tree_.joints()[i];
    const Vector6& w = wrenches_[static_cast<std::size_t>(j.body)];
    const Vector3d at = tree_.place(j.body).joint;
    const Vector3d force = w.tail<3>(), moment = w.head<3>() - at.cross(force);
    observation.reactions[static_cast<std::size_t>(j.index)] = {FromEigen(force),
                                                                FromEigen(moment)};
  }
  TakeOutFreeDirections(system_, observation.bodies, observation.reactions);
  for (std::size_t i = 0; i < cut_rows_.size(); ++i) {
    const auto j = static_cast<std::size_t>(row_joint_[i]);
    const Joint& joint = system_.loop_joints[j];
    const Vector3d at = tree_.PointOn(joint.child, ToEigen(joint.child_frame.position));
    const Vector6 w = -lambda_[i] * cut_rows_[i].l;
    JointReaction& reaction = observation.reactions[system_.joints.size() + j];
    reaction.force = reaction.force + FromEigen(w.tail<3>());
    reaction.torque = reaction.torque + FromEigen(w.head<3>() - at.cross(w.tail<3>()));
  }
  return {};
}

}  // namespace mbsbench::steady
