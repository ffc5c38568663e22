#include "reference/joint_coordinates/kane_equations.h"

#include "problems/model/error.h"

namespace mbsbench::extended {

namespace {

constexpr double kSingular = 1e-24;

struct PartialVelocity {
  std::size_t rate;
  Vec3 linear, angular;
};

Matrix MassMatrix(const JointMotion& motion) {
  Matrix mass(motion.rates(), motion.rates());
  std::vector<PartialVelocity> partial;
  for (std::size_t b = 0; b < motion.system().bodies.size(); ++b) {
    const BodyData& data = motion.system().bodies[b];
    const MovingBody& body = motion.body(static_cast<int>(b));
    partial.clear();
    motion.ForRatesOf(static_cast<int>(b), [&](std::size_t k) {
      const Screw& screw = motion.screws()[k];
      partial.push_back({k, screw.VelocityAt(body.centre), screw.AngularVelocity()});
    });
    for (const PartialVelocity& i : partial) {
      const Vec3 momentum = data.mass * i.linear;
      const bool turns = motion.screws()[i.rate].turns;
      const Vec3 spin =
          turns ? body.rotation * (data.inertia * TransposeTimes(body.rotation, i.angular))
                : Vec3{};
      for (const PartialVelocity& k : partial) {
        if (k.rate > i.rate) continue;
        Real product = Dot(momentum, k.linear);
        if (turns && motion.screws()[k.rate].turns) product += Dot(spin, k.angular);
        mass(i.rate, k.rate) += product;
      }
    }
  }
  for (std::size_t i = 0; i < mass.rows(); ++i) {
    for (std::size_t k = i + 1; k < mass.rows(); ++k) mass(i, k) = mass(k, i);
  }
  return mass;
}

}  // namespace

std::vector<Real> InertiaForces(const JointMotion& motion) {
  const SystemData& system = motion.system();
  struct Sum {  // of a body and all beyond it; the moment about its joint point
    Vec3 force, moment;
  };
  std::vector<Sum> sums(system.bodies.size());
  std::vector<Real> forces(motion.rates());
  for (auto at = system.tree.order.rbegin(); at != system.tree.order.rend(); ++at) {
    const BodyData& data = system.bodies[static_cast<std::size_t>(*at)];
    const MovingBody& body = motion.body(*at);
    Sum& sum = sums[static_cast<std::size_t>(*at)];
    const Vec3 f = data.mass * (body.acceleration - system.gravity);
    const Vec3 omega = TransposeTimes(body.rotation, body.angular_velocity);
    const Vec3 alpha = TransposeTimes(body.rotation, body.angular_acceleration);
    const Vec3 n = body.rotation * (data.inertia * alpha + Cross(omega, data.inertia * omega));
    sum.force = sum.force + f;
    sum.moment = sum.moment + n + Cross(body.centre - body.joint_point, f);
    const int j = motion.JointOf(*at);
    for (std::size_t k = motion.RateOf(j); k < motion.RateOf(j + 1); ++k) {
      const Screw& screw = motion.screws()[k];
      forces[k] = Dot(screw.axis, screw.turns ? sum.moment : sum.force);
    }
    const int parent = motion.ParentOf(*at);
    if (parent == kGround) continue;
    Sum& of_parent = sums[static_cast<std::size_t>(parent)];
    of_parent.force = of_parent.force + sum.force;
    of_parent.moment = of_parent.moment + sum.moment +
                       Cross(body.joint_point - motion.body(parent).joint_point, sum.force);
  }
  return forces;
}

JointAccelerations SolveDense(const JointMotion& motion, const std::vector<Real>& forces,
                              const DependentRates& dependent, const std::vector<Real>& gamma) {
  const Matrix mass = MassMatrix(motion);
  const std::vector<std::size_t>&i_rates = dependent.independent(),
        &d_rates = dependent.dependent();
  const std::size_t n = motion.rates(), f = i_rates.size(), r = d_rates.size();
  std::vector<std::vector<Real>> d;  // per independent rate: the dependent ones
  for (std::size_t k : i_rates) d.push_back(r == 0 ? std::vector<Real>{} : dependent.PerRate(k));
  const auto times_k = [&](const std::vector<Real>& row, std::size_t i) {  // (row K)_i
    Real sum = row[i_rates[i]];
    for (std::size_t j = 0; j < r; ++j) sum += row[d_rates[j]] * d[i][j];
    return sum;
  };
  std::vector<Real> u_rates(n);  // c of (5)
  if (r > 0) dependent.Complete(u_rates, gamma);
  const auto inertia_of = [&](const std::vector<Real>& a, std::size_t row) {
    Real sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
      if (!IsZero(a[k])) sum += mass(row, k) * a[k];
    }
    return sum;
  };
  std::vector<Real> left(n);  // Q - C - M c
  for (std::size_t k = 0; k < n; ++k) left[k] = forces[k] - inertia_of(u_rates, k);
  // K' M K: first M K, row by row.
  Matrix reduced(f, f);
  std::vector<std::vector<Real>> columns(f, std::vector<Real>(n));
  std::vector<Real> row(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t c = 0; c < n; ++c) row[c] = mass(k, c);
    for (std::size_t i = 0; i < f; ++i) columns[i][k] = times_k(row, i);
  }
  std::vector<Real> right(f);
  for (std::size_t i = 0; i < f; ++i) {
    right[i] = times_k(left, i);
    for (std::size_t k = 0; k <= i; ++k) reduced(i, k) = reduced(k, i) = times_k(columns[i], k);
  }
  const Elimination factor(std::move(reduced), kSingular);
  if (factor.rank() < f)
    throw ModelError("the mass matrix of the independent joint rates is singular.");
  const std::vector<Real> solved = factor.Solve(right);
  for (std::size_t i = 0; i < f; ++i) {
    u_rates[i_rates[i]] = solved[i];
    for (std::size_t j = 0; j < r; ++j) u_rates[d_rates[j]] += d[i][j] * solved[i];
  }
  for (std::size_t k : d_rates) left[k] = inertia_of(u_rates, k) - forces[k];
  return {u_rates, dependent.Multipliers(left)};
}

}  // namespace mbsbench::extended
