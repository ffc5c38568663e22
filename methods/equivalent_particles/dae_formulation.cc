// Variants `ggl` and `index1-dae`: the equations as a DAE in the particles' x and v.
//
//   ggl          x' = v + Phi_x' mu      Phi = 0      moment and force rows A v' = b, Phi_x v = 0
//   index1-dae   x' = v                               moment and force rows A v' = b, (37) to (42)
//
// (Gear, Gupta, Leimkuhler 1985 for the first.) The moment sum of a joint (36) extends to the tips,
// so its row has an entry for every outboard particle: on a chain the Jacobian has O(n^2) entries
// and its factors cost O(n^3). This is the cost of equations without reactions among the unknowns if
// an integrator solves them unchanged. Multipliers lambda exist only at cut joints and drivers,
// whose conditions the choice of particles cannot satisfy.
#include "methods/equivalent_particles/dae_formulation.h"

#include <algorithm>
#include <array>
#include <functional>

#include "methods/equivalent_particles/conditions.h"
#include "methods/equivalent_particles/force_derivatives.h"
#include "methods/equivalent_particles/particle_dynamics.h"
#include "methods/kinematics/force_elements.h"
#include "methods/numerics/blocks_in_eigen.h"
#include "methods/numerics/sparse_pattern.h"
#include "problems/model/eigen.h"
#include "problems/model/topology.h"

namespace mbsbench::equivalent_particles {

namespace {

using Row3 = Eigen::RowVector3d;

class DaeParticles final : public DaeFormulation, public HasPower {
 public:
  DaeParticles(const System& system, DaeVariant variant);

  std::size_t state_size() const override { return differential_.size(); }
  Status InitialiseDae(double t, const SystemState& state, std::span<double> y,
                       std::span<double> yp) override;
  Status Residual(double t, std::span<const double> y, std::span<const double> yp,
                  std::span<double> r) override;
  const SparsityPattern& pattern() const override { return visited_.pattern; }
  Status Jacobian(double t, double c, std::span<const double> y, std::span<const double> yp,
                  std::span<double> values) override;
  std::span<const double> differential() const override { return differential_; }
  std::vector<Dimension> Dimensions() const override { return dimensions_; }
  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) override {
    Gather(y, {});
    dynamics_.Set(t, x_.data(), v_.data());
    return dynamics_.Observe(detail, observation);
  }
  HasPower* power() override {
    return HasNonConservativeForces(dynamics_.system()) ? this : nullptr;
  }
  double Power(double t, std::span<const double> y) override {
    Gather(y, {});
    dynamics_.Set(t, x_.data(), v_.data());
    return dynamics_.Power();
  }

 private:
  struct NodeRows {
    std::vector<Condition> conditions;
    int first = 0;  // of its rows: x, v, mu
    int mu = 0;
    std::vector<int> particles;  // all that its slots depend on
    ParticleWeights rail_axis;   // prismatic: the parent's axis
  };

  bool is_ggl() const { return variant_ == DaeVariant::kGgl; }
  const std::vector<Node>& nodes() const { return dynamics_.tree().nodes; }
  bool IsLine(const Node& node) const { return node.count == 2 && node.own > 0 && !node.slides; }
  // First row of force and moment of a node, after those of its conditions; a line's condition has no separate row.
  int SumRow(int n) const {
    const Node& node = nodes()[At(n)];
    return rows_[At(n)].first + 3 * node.own +
           (IsLine(node) ? 0 : static_cast<int>(rows_[At(n)].conditions.size()));
  }
  int MomentRow(int n) const { return SumRow(n) + (nodes()[At(n)].given == 0 ? 3 : 0); }
  int XAt(int particle) const { return x_at_[At(particle)]; }
  int VAt(int particle) const { return v_at_[At(particle)]; }

  void LayOut();
  void Gather(std::span<const double> y, std::span<const double> yp);
  // Slots, loads and sums at (t, y, y').
  void Load(double t, std::span<const double> y, std::span<const double> yp);
  void CalcSums();
  // Unit vector of a revolute or prismatic axis, or of a line.
  Vector3d AxisOf(const Node& node) const;

  // Visits the entries of dF/dy + c dF/dy' in one fixed order: put(row, column, value).
  template <typename Put>
  void Assemble(double c, std::span<const double> y, Put&& put);
  // A node's rows of the sums of forces and moments: the first row, and the divisors of the sums.
  struct SumRows {
    const Node& node;
    int first;
    double per_force, per_moment;
    bool is_line;
  };
  SumRows SumRowsOf(int n) const {
    const Node& node = nodes()[At(n)];
    const double per_force = 1 / node.subtree_inertia;
    return {node, SumRow(n), per_force, per_force / node.size, IsLine(node)};
  }
  // The rows for a force and a moment: put(row, value).
  template <typename PutRow>
  static void ProjectSums(const SumRows& rows, const Vector3d& axis, const Vector3d& force,
                          const Vector3d& moment, PutRow&& put);
  template <typename Put>
  void AssembleCondition(double c, const Condition& condition, int mu, double mu_value,
                         std::array<int, 3> rate_rows, const Row3& rate_factors, int rate_count,
                         Put&& put);
  // Derivative of a node's sums in the rows of all joints between it and the ground.
  template <typename Put>
  void AssembleSums(int node, const SumsBlock& block, int column, int columns, Put&& put);
  template <typename Put>
  void AssembleInertia(int node, double c, Put&& put);
  template <typename Put>
  void AssembleGeometry(int node, Put&& put);

  double ConditionRate(const Condition& condition) const;

  ParticleDynamics dynamics_;
  const DaeVariant variant_;
  CutJoints cuts_;
  std::vector<ParticleWeights> slot_weights_;
  std::vector<NodeRows> rows_;
  std::vector<Condition> cut_conditions_;
  std::vector<int> x_at_, v_at_;  // per particle
  int lambda_at_ = 0, cut_mu_at_ = 0;
  std::vector<char> cut_is_active_;  // dependent ones have no multipliers
  std::vector<double> differential_;
  std::vector<Dimension> dimensions_;
  CompressedPattern visited_;  // the entries that Assemble visits

  std::vector<double> x_, v_, a_;  // of the particles
  std::vector<Vector3d> slot_a_;   // less gravity
  // The loads of force elements and of the cut joints' multipliers. The loads of the sums do not contain
  // multipliers.
  std::vector<equivalent_particles::Load> loads_;
  struct Sums {
    Vector3d force, moment;  // of the outboard subsystem about slot 1
    Vector3d own_inertia[kMostParticles];
  };
  std::vector<Sums> sums_;
};

DaeParticles::DaeParticles(const System& system, DaeVariant variant)
    : dynamics_(system),
      variant_(variant),
      cuts_(dynamics_.system(), dynamics_.tree()),
      slot_weights_(WeightsOfSlots(dynamics_.tree())),
      cut_conditions_(ConditionsOf(dynamics_.tree(), slot_weights_, cuts_)),
      cut_is_active_(cut_conditions_.size(), 1) {
  const ParticleTree& tree = dynamics_.tree();
  const std::size_t coordinates = At(3 * tree.particles);
  x_.resize(coordinates);
  v_.resize(coordinates);
  a_.resize(coordinates);
  slot_a_.assign(At(tree.slots), Vector3d::Zero());
  for (int i = 0; i < nodes()[0].count; ++i) slot_a_[At(i)] = -ToEigen(dynamics_.system().gravity);
  loads_.resize(nodes().size());
  sums_.resize(nodes().size());
  rows_.resize(nodes().size());
  for (std::size_t n = 1; n < nodes().size(); ++n) {
    if (nodes()[n].slides) {
      rows_[n].rail_axis = Expand(tree, slot_weights_, nodes()[n].parent, nodes()[n].rail_axis);
    }
    rows_[n].conditions = ConditionsOf(tree, slot_weights_, static_cast<int>(n));
    std::vector<int>& particles = rows_[n].particles;
    for (int i = 0; i < nodes()[n].count; ++i) {
      for (const ParticleWeight& p : slot_weights_[At(nodes()[n].first_slot + i)]) {
        particles.push_back(p.particle);
      }
    }
    std::sort(particles.begin(), particles.end());
    particles.erase(std::unique(particles.begin(), particles.end()), particles.end());
  }
  LayOut();
  const std::vector<double> zero(state_size());
  Load(0, zero, zero);
  std::vector<MatrixEntry> entries;
  Assemble(1, zero, [&](int row, int column, double) { entries.push_back({row, column}); });
  visited_ = Compress(static_cast<int>(state_size()), entries);
}

void DaeParticles::LayOut() {
  x_at_.resize(At(dynamics_.tree().particles));
  v_at_ = x_at_;
  const auto append = [this](int count, double differential, Dimension dimension) {
    differential_.insert(differential_.end(), At(count), differential);
    dimensions_.insert(dimensions_.end(), At(count), dimension);
  };
  for (std::size_t n = 1; n < nodes().size(); ++n) {
    const Node& node = nodes()[n];
    const int first = static_cast<int>(state_size());
    rows_[n].first = first;
    for (int i = 0; i < node.own; ++i) {
      x_at_[At(node.first_particle + i)] = first + 3 * i;
      v_at_[At(node.first_particle + i)] = first + 3 * (node.own + i);
    }
    append(3 * node.own, 1, Dimension::kLength);
    append(3 * node.own, 1, Dimension::kSpeed);
    rows_[n].mu = static_cast<int>(state_size());
    if (is_ggl()) append(static_cast<int>(rows_[n].conditions.size()), 0, Dimension::kMultiplier);
  }
  const int cut_rows = static_cast<int>(cut_conditions_.size());
  lambda_at_ = static_cast<int>(state_size());
  cut_mu_at_ = lambda_at_ + cut_rows;
  append(is_ggl() ? 2 * cut_rows : cut_rows, 0, Dimension::kMultiplier);
}

void DaeParticles::Gather(std::span<const double> y, std::span<const double> yp) {
  for (std::size_t p = 0; p < x_at_.size(); ++p) {
    std::copy_n(y.data() + x_at_[p], 3, x_.data() + 3 * p);
    std::copy_n(y.data() + v_at_[p], 3, v_.data() + 3 * p);
    if (!yp.empty()) {
      for (int k = 0; k < 3; ++k) {
        a_[3 * p + At(k)] = yp[At(v_at_[p] + k)];
      }
    }
  }
}

void DaeParticles::Load(double t, std::span<const double> y, std::span<const double> yp) {
  Gather(y, yp);
  dynamics_.Set(t, x_.data(), v_.data());
  cuts_.SetTime(t);
  SetDrivers(cuts_, cut_conditions_);
  const Vector3d gravity = ToEigen(dynamics_.system().gravity);
  for (std::size_t i = 0; i < a_.size(); ++i) a_[i] -= gravity[static_cast<Eigen::Index>(i % 3)];
  SpreadOverSlots(dynamics_.tree(), a_.data(), slot_a_.data());
  std::fill(loads_.begin(), loads_.end(), equivalent_particles::Load{});
  dynamics_.ApplyLoads(loads_);
  for (std::size_t k = 0; k < cut_conditions_.size(); ++k) {
    cuts_.Pull(cut_conditions_[k].row, y[At(lambda_at_) + k], dynamics_.sums().positions(), loads_);
  }
  CalcSums();
}

// Eqs 23, 24 and 36.
void DaeParticles::CalcSums() {
  const Vector3d* x = dynamics_.sums().positions();
  for (std::size_t n = nodes().size(); n-- > 1;) {
    const Node& node = nodes()[n];
    Sums& sums = sums_[n];
    const equivalent_particles::Load& load = loads_[n];
    sums.force = -load.force;
    sums.moment = -load.moment;
    for (int i = 0; i < node.count; ++i) {
      sums.own_inertia[i] =
          Combine(node.second_moments[At(i)], slot_a_.data() + node.first_slot, node.count);
      sums.force += sums.own_inertia[i];
      sums.moment += (x[node.first_slot + i] - x[node.first_slot]).cross(sums.own_inertia[i]);
    }
  }
  for (std::size_t n = nodes().size(); n-- > 1;) {
    const Node& node = nodes()[n];
    if (node.parent == 0) continue;
    Sums& parent = sums_[At(node.parent)];
    const Vector3d rho = x[node.first_slot] - x[nodes()[At(node.parent)].first_slot];
    parent.force += sums_[n].force;
    parent.moment += sums_[n].moment + rho.cross(sums_[n].force);
  }
}

Vector3d DaeParticles::AxisOf(const Node& node) const {
  const Vector3d* x = dynamics_.sums().positions();
  if (node.slides) {
    const Node& parent = nodes()[At(node.parent)];
    return Combine(node.rail_axis, x + parent.first_slot, parent.count);
  }
  if (node.given == 2 || IsLine(node)) {
    return (x[node.first_slot + 1] - x[node.first_slot]) / node.distance[0][1];
  }
  return Vector3d::Zero();
}

double DaeParticles::ConditionRate(const Condition& condition) const {
  const MomentSums& sums = dynamics_.sums();
  return is_ggl() ? cuts_.Rate(condition.row, sums.positions(), sums.velocities())
                  : cuts_.Acceleration(condition.row, sums.positions(), sums.velocities(),
                                       slot_a_.data());
}

Status DaeParticles::Residual(double t, std::span<const double> y, std::span<const double> yp,
                              std::span<double> r) {
  Load(t, y, yp);
  const Vector3d* x = dynamics_.sums().positions();
  for (std::size_t p = 0; p < x_at_.size(); ++p) {
    for (int k = 0; k < 3; ++k) {
      r[At(x_at_[p] + k)] = yp[At(x_at_[p] + k)] - y[At(v_at_[p] + k)];
    }
  }
  const auto add_gradient = [&](const Condition& condition, double mu) {
    const Vector3d u = cuts_.ValueOf(condition.row.u, x, true);
    const Vector3d w = cuts_.ValueOf(condition.row.w, x, true);
    for (const Condition::Term& term : condition.terms) {
      const Vector3d gradient = term.u * w + term.w * u;
      for (int k = 0; k < 3; ++k) r[At(XAt(term.particle) + k)] -= mu * gradient[k];
    }
  };
  for (std::size_t n = 1; n < nodes().size(); ++n) {
    const Node& node = nodes()[n];
    if (node.own == 0) continue;
    const NodeRows& rows = rows_[n];
    const Vector3d axis = AxisOf(node);
    const int at = static_cast<int>(n);
    ProjectSums(SumRowsOf(at), axis, sums_[n].force, sums_[n].moment,
                [&r](int row, double value) { r[At(row)] = value; });
    if (IsLine(node)) {
      const Vector3d along = ConditionRate(rows.conditions[0]) * axis;
      for (int k = 0; k < 3; ++k) r[At(MomentRow(at) + k)] += along[k];
    } else {
      double* out = r.data() + rows.first + 3 * node.own;
      for (const Condition& condition : rows.conditions) *out++ = ConditionRate(condition);
    }
    if (!is_ggl()) continue;
    for (std::size_t i = 0; i < rows.conditions.size(); ++i) {
      r[At(rows.mu) + i] = cuts_.Value(rows.conditions[i].row, x);
      add_gradient(rows.conditions[i], y[At(rows.mu) + i]);
    }
  }
  for (std::size_t k = 0; k < cut_conditions_.size(); ++k) {
    const std::size_t lambda = At(lambda_at_) + k, mu = At(cut_mu_at_) + k;
    r[lambda] = cut_is_active_[k] != 0 ? ConditionRate(cut_conditions_[k]) : y[lambda];
    if (!is_ggl()) continue;
    r[mu] = cut_is_active_[k] != 0 ? cuts_.Value(cut_conditions_[k].row, x) : y[mu];
    if (cut_is_active_[k] != 0) add_gradient(cut_conditions_[k], y[mu]);
  }
  return {};
}

template <typename Put>
void DaeParticles::AssembleCondition(double c, const Condition& condition, int mu, double mu_value,
                                     std::array<int, 3> rate_rows, const Row3& rate_factors,
                                     int rate_count, Put&& put) {
  const Vector3d *x = dynamics_.sums().positions(), *v = dynamics_.sums().velocities();
  const Vector3d u = cuts_.ValueOf(condition.row.u, x, true);
  const Vector3d w = cuts_.ValueOf(condition.row.w, x, true);
  Vector3d u_rate = cuts_.ValueOf(condition.row.u, v, false);
  const Vector3d w_rate = cuts_.ValueOf(condition.row.w, v, false);
  Vector3d u_second = cuts_.ValueOf(condition.row.u, slot_a_.data(), false);
  const Vector3d w_second = cuts_.ValueOf(condition.row.w, slot_a_.data(), false);
  if (condition.row.moves) {
    u_second += 2 * cuts_.ValueOf(condition.row.u_rate, v, false) +
                cuts_.ValueOf(condition.row.u_acceleration, x, true);
    u_rate += cuts_.ValueOf(condition.row.u_rate, x, true);
  }
  for (const Condition::Term& t : condition.terms) {
    const Vector3d gradient = t.u * w + t.w * u;
    Vector3d by_x = is_ggl() ? t.u * w_rate + t.w * u_rate : t.u * w_second + t.w * u_second;
    Vector3d by_v =
        is_ggl() ? gradient : Vector3d(2 * (t.u * w_rate + t.w * u_rate) + c * gradient);
    if (condition.row.moves && is_ggl()) {
      by_x += t.u_rate * w;
    } else if (condition.row.moves) {
      by_x += t.u_acceleration * w + 2 * t.u_rate * w_rate;
      by_v += 2 * t.u_rate * w;
    }
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < rate_count; ++i) {
        put(rate_rows[At(i)], XAt(t.particle) + k, rate_factors[i] * by_x[k]);
        put(rate_rows[At(i)], VAt(t.particle) + k, rate_factors[i] * by_v[k]);
      }
      if (!is_ggl()) continue;
      put(mu, XAt(t.particle) + k, gradient[k]);
      put(XAt(t.particle) + k, mu, -gradient[k]);
      for (const Condition::Term& other : condition.terms) {
        put(XAt(t.particle) + k, XAt(other.particle) + k,
            -mu_value * (t.u * other.w + t.w * other.u));
      }
    }
  }
}

template <typename PutRow>
[[gnu::always_inline]] inline void DaeParticles::ProjectSums(const SumRows& rows,
                                                             const Vector3d& axis,
                                                             const Vector3d& force,
                                                             const Vector3d& moment, PutRow&& put) {
  const Node& node = rows.node;
  int row = rows.first;
  if (node.slides) return put(row, rows.per_force * axis.dot(force));
  if (node.given == 2) return put(row, rows.per_moment * axis.dot(moment));
  if (node.given == 0) {
    for (int i = 0; i < 3; ++i) put(row++, rows.per_force * force[i]);
  }
  if (node.count == 1) return;
  const Vector3d shown = rows.is_line ? Vector3d(moment.cross(axis)) : moment;
  for (int i = 0; i < 3; ++i) put(row++, rows.per_moment * shown[i]);
}

template <typename Put>
void DaeParticles::AssembleSums(int from, const SumsBlock& block, int column, int columns,
                                Put&& put) {
  const Vector3d* x = dynamics_.sums().positions();
  const Vector3d& origin = x[nodes()[At(from)].first_slot];
  for (int n = from; n != 0; n = nodes()[At(n)].parent) {
    const Node& node = nodes()[At(n)];
    if (node.own == 0) continue;
    const Vector3d rho = origin - x[node.first_slot];
    const Vector3d axis = AxisOf(node);
    const SumRows rows = SumRowsOf(n);
    for (int k = 0; k < columns; ++k) {
      const Vector3d force = block.col(k).head<3>();
      const Vector3d moment = Vector3d(block.col(k).tail<3>()) + rho.cross(force);
      ProjectSums(rows, axis, force, moment,
                  [&](int row, double value) { put(row, column + k, value); });
    }
  }
}

template <typename Put>
void DaeParticles::AssembleInertia(int n, double c, Put&& put) {
  const Node& node = nodes()[At(n)];
  const Vector3d* x = dynamics_.sums().positions() + node.first_slot;
  for (int particle : rows_[At(n)].particles) {
    double share[kMostParticles] = {};  // of the particle in each slot
    for (int i = 0; i < node.count; ++i) {
      for (const ParticleWeight& p : slot_weights_[At(node.first_slot + i)]) {
        if (p.particle == particle) share[i] = p.weight;
      }
    }
    SumsBlock by_x = SumsBlock::Zero(), by_v = SumsBlock::Zero();
    double mass = 0;
    Vector3d lever = Vector3d::Zero(), inertia = Vector3d::Zero();
    for (int i = 0; i < node.count; ++i) {
      double b = 0;
      for (int j = 0; j < node.count; ++j) b += node.second_moments[At(i)][At(j)] * share[j];
      mass += b;
      lever += b * (x[i] - x[0]);
      inertia += share[i] * sums_[At(n)].own_inertia[i];
    }
    by_v.topRows<3>() = c * mass * Matrix3d::Identity();
    by_v.bottomRows<3>() = c * CrossMatrix(lever);
    by_x.bottomRows<3>() = -CrossMatrix(inertia);
    AssembleSums(n, by_x, XAt(particle), 3, put);
    AssembleSums(n, by_v, VAt(particle), 3, put);
  }
}

// The point about which a joint's moments are taken and its axis move with the particles.
template <typename Put>
void DaeParticles::AssembleGeometry(int n, Put&& put) {
  const Node& node = nodes()[At(n)];
  if (node.own == 0) return;
  const Sums& sums = sums_[At(n)];
  const double per_force = 1 / node.subtree_inertia, per_moment = per_force / node.size;
  const auto put_rows = [&](int first, int rows, const Matrix3d& block, const ParticleWeights& by) {
    for (const ParticleWeight& p : by) {
      for (int i = 0; i < rows; ++i) {
        for (int k = 0; k < 3; ++k) put(first + i, XAt(p.particle) + k, p.weight * block(i, k));
      }
    }
  };
  if (node.slides) {
    Matrix3d block = Matrix3d::Zero();
    block.row(0) = per_force * sums.force.transpose();
    put_rows(SumRow(n), 1, block, rows_[At(n)].rail_axis);
    return;
  }
  if (node.count == 1) return;
  const ParticleWeights& first = slot_weights_[At(node.first_slot)];
  const ParticleWeights& second = slot_weights_[At(node.first_slot + 1)];
  const Matrix3d by_point = per_moment * CrossMatrix(sums.force);  // -dp x F
  const Vector3d axis = AxisOf(node);
  if (node.given == 2) {
    const Row3 by_axis = per_moment / node.distance[0][1] * sums.moment.transpose();
    Matrix3d block = Matrix3d::Zero();
    block.row(0) = axis.transpose() * by_point - by_axis;
    put_rows(SumRow(n), 1, block, first);
    block.row(0) = by_axis;
    put_rows(SumRow(n), 1, block, second);
    return;
  }
  if (!IsLine(node)) {
    put_rows(MomentRow(n), 3, by_point, first);
    return;
  }
  // (M x r) + r phi': M x dr and dr phi', in addition to dM x r.
  const Matrix3d by_axis = (per_moment * CrossMatrix(sums.moment) +
                            ConditionRate(rows_[At(n)].conditions[0]) * Matrix3d::Identity()) /
                           node.distance[0][1];
  put_rows(MomentRow(n), 3, -CrossMatrix(axis) * by_point - by_axis, first);
  put_rows(MomentRow(n), 3, by_axis, second);
}

template <typename Put>
void DaeParticles::Assemble(double c, std::span<const double> y, Put&& put) {
  for (std::size_t p = 0; p < x_at_.size(); ++p) {
    for (int k = 0; k < 3; ++k) {
      put(x_at_[p] + k, x_at_[p] + k, c);
      put(x_at_[p] + k, v_at_[p] + k, -1.0);
    }
  }
  for (std::size_t n = 1; n < nodes().size(); ++n) {
    const Node& node = nodes()[n];
    const NodeRows& rows = rows_[n];
    const int v_rows = rows.first + 3 * node.own;
    for (std::size_t i = 0; i < rows.conditions.size(); ++i) {
      const int k = static_cast<int>(i);
      const double mu = is_ggl() ? y[At(rows.mu) + i] : 0;
      if (IsLine(node)) {
        const int at = MomentRow(static_cast<int>(n));
        AssembleCondition(c, rows.conditions[i], rows.mu + k, mu, {at, at + 1, at + 2},
                          AxisOf(node).transpose(), 3, put);
      } else {
        AssembleCondition(c, rows.conditions[i], rows.mu + k, mu, {v_rows + k, 0, 0}, {1, 0, 0}, 1,
                          put);
      }
    }
    AssembleInertia(static_cast<int>(n), c, put);
    AssembleGeometry(static_cast<int>(n), put);
  }

  const Vector3d *x = dynamics_.sums().positions(), *v = dynamics_.sums().velocities();
  bool weights_move = false;  // a weight that is zero now is part of the pattern
  const auto deliver = [&](int node, const Argument& by, const SumsBlock& block) {
    const Node& of = nodes()[At(by.of.node)];
    for (int i = 0; i < of.count; ++i) {
      const double slot_weight = by.of.weights[At(i)];
      if (slot_weight == 0 && !weights_move) continue;
      for (const ParticleWeight& p : slot_weights_[At(of.first_slot + i)]) {
        AssembleSums(node, slot_weight * p.weight * block,
                     by.is_velocity ? VAt(p.particle) : XAt(p.particle), 3, put);
      }
    }
  };
  const SumsSink sink = std::ref(deliver);  // a reference needs no memory
  DifferentiateLoads(dynamics_.time(), dynamics_.tree(), dynamics_.loads(), x, v, sink);
  for (std::size_t k = 0; k < cut_conditions_.size(); ++k) {
    const int lambda = lambda_at_ + static_cast<int>(k), mu = cut_mu_at_ + static_cast<int>(k);
    const CutRow& row = cut_conditions_[k].row;
    const double on = cut_is_active_[k] != 0 ? 1 : 0;
    weights_move = row.moves;
    put(lambda, lambda, 1 - on);
    if (is_ggl()) put(mu, mu, 1 - on);
    const auto active = [&](int i, int j, double value) { put(i, j, on * value); };
    AssembleCondition(c, cut_conditions_[k], mu, is_ggl() ? y[At(mu)] : 0, {lambda, 0, 0},
                      {1, 0, 0}, 1, active);
    DifferentiatePull(dynamics_.tree(), cuts_, row, y[At(lambda)], x, sink);
    for (const auto& [vector, along] : {std::pair{&row.u, &row.w}, std::pair{&row.w, &row.u}}) {
      const Vector3d pull = cuts_.ValueOf(*along, x, true);
      for (int i = 0; i < vector->count; ++i) {
        const LinearVector::Part& part = vector->parts[At(i)];
        const Node& node = nodes()[At(part.node)];
        const Vector3d* slots = x + node.first_slot;
        const Vector3d arm = Combine(part.weights, slots, node.count) - part.total * slots[0];
        SumsBlock block = SumsBlock::Zero();
        block.col(0).head<3>() = -part.total * pull;
        block.col(0).tail<3>() = -arm.cross(pull);
        AssembleSums(part.node, block, lambda, 1, put);
      }
    }
  }
}

Status DaeParticles::Jacobian(double t, double c, std::span<const double> y,
                              std::span<const double> yp, std::span<double> values) {
  Load(t, y, yp);
  std::fill(values.begin(), values.end(), 0.0);
  std::size_t entry = 0;
  Assemble(c, y, [&](int, int, double value) { values[At(visited_.place[entry++])] += value; });
  return {};
}

Status DaeParticles::InitialiseDae(double t, const SystemState& state, std::span<double> y,
                                   std::span<double> yp) {
  std::fill(y.begin(), y.end(), 0.0);
  std::fill(yp.begin(), yp.end(), 0.0);
  cuts_.Start(t, state.joints);
  if (const Status status = dynamics_.Start(t, state, x_.data(), v_.data()); !status.ok())
    return status;
  dynamics_.Set(t, x_.data(), v_.data());
  if (const Status status = dynamics_.Accelerate(); !status.ok()) return status;
  dynamics_.sums().ParticleAccelerations(a_.data());
  for (std::size_t p = 0; p < x_at_.size(); ++p) {
    std::copy_n(x_.data() + 3 * p, 3, y.data() + x_at_[p]);
    std::copy_n(v_.data() + 3 * p, 3, y.data() + v_at_[p]);
    std::copy_n(v_.data() + 3 * p, 3, yp.data() + x_at_[p]);
    std::copy_n(a_.data() + 3 * p, 3, yp.data() + v_at_[p]);
  }
  if (!cut_conditions_.empty()) {
    const std::vector<double> lambda = dynamics_.loops()->IndependentMultipliers(cut_is_active_);
    std::copy(lambda.begin(), lambda.end(), y.data() + lambda_at_);
  }
  return {};
}

}  // namespace

std::unique_ptr<Formulation> MakeDaeFormulation(const System& system, DaeVariant variant) {
  return std::make_unique<DaeParticles>(system, variant);
}

double PathEntries(const System& system) {
  const Topology tree = TopologyOf(system);
  std::vector<double> depth(system.bodies.size());  // moving joints between a body and the ground
  double sum = 0;
  for (const int b : tree.order) {
    const int parent = tree.parent[At(b)];
    const bool moves = RateCount(system.joints[At(tree.joint[At(b)])].type) > 0;
    depth[At(b)] = (parent == kGround ? 0 : depth[At(parent)]) + (moves ? 1 : 0);
    if (moves) sum += depth[At(b)];
  }
  return 3 * 6 * kMostParticles * sum;
}

}  // namespace mbsbench::equivalent_particles
