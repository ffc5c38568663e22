#include "methods/equivalent_particles/rigidity_projection.h"

namespace mbsbench::equivalent_particles {

namespace {

constexpr int kMostDistances = 6;
using Gradient =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostDistances, 3 * kMostParticles>;
using Values = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostDistances, 1>;
using OwnVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3 * kMostParticles, 1>;

// Distances and their rates r.r' / d, and the gradient by the own particles.
struct Distances {
  Values value, rate;
  Gradient gradient;
};

Distances DistancesOf(const Node& node, const Vector3d* x, const Vector3d* v) {
  const int given = node.given;
  int rows = 0;
  for (int j = std::max(given, 1); j < node.count; ++j) rows += j;
  Distances d{Values(rows), Values(rows), Gradient::Zero(rows, 3 * node.own)};
  int row = 0;
  for (int j = std::max(given, 1); j < node.count; ++j) {
    for (int i = 0; i < j; ++i, ++row) {
      const double length = node.distance[i][j];
      const Vector3d r = (x[j] - x[i]) / length;
      // Half the excess of the squared length: its gradient is r even if the condition is violated.
      d.value[row] = 0.5 * length * (r.squaredNorm() - 1);
      d.rate[row] = r.dot(v[j] - v[i]);
      d.gradient.block<1, 3>(row, 3 * (j - given)) = r.transpose();
      if (i >= given) d.gradient.block<1, 3>(row, 3 * (i - given)) = -r.transpose();
    }
  }
  return d;
}

// The least motion that removes `value`.
OwnVector LeastMotion(const Gradient& gradient, const Values& value) {
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostDistances, kMostDistances>
      square = gradient * gradient.transpose();
  const Values multipliers = square.llt().solve(value);
  return gradient.transpose() * multipliers;
}

void Move(const OwnVector& by, int own, Vector3d* particles) {
  for (int i = 0; i < own; ++i) particles[i] -= by.segment<3>(3 * i);
}

}  // namespace

void RigidityProjection::Apply(Vector3d* x, Vector3d* v) const {
  constexpr int kIterations = 3;       // Newton from a step's error: 1e-4, 1e-8, 1e-16
  constexpr double kRoundOff = 1e-15;  // relative
  for (std::size_t n = 1; n < tree_.nodes.size(); ++n) {
    const Node& node = tree_.nodes[n];
    const Node& parent = tree_.nodes[At(node.parent)];
    const Vector3d *from = x + parent.first_slot, *from_rate = v + parent.first_slot;
    Vector3d *r = x + node.first_slot, *r_rate = v + node.first_slot;
    if (node.slides) {
      for (const Weights& across : node.rail_across) {
        const Vector3d t = Combine(across, from, parent.count);
        r[0] -= t.dot(r[0] - Combine(node.rail_point, from, parent.count)) * t;
      }
      const Vector3d d = r[0] - Combine(node.rail_point, from, parent.count);
      for (const Weights& across : node.rail_across) {
        const Vector3d t = Combine(across, from, parent.count);
        const Vector3d d_rate = r_rate[0] - Combine(node.rail_point, from_rate, parent.count);
        r_rate[0] -= (t.dot(d_rate) + d.dot(Combine(across, from_rate, parent.count))) * t;
      }
      for (int i = 1; i < node.count; ++i) {
        r[i] = r[0] + Combine(node.from_parent[At(i)], from, parent.count);
        r_rate[i] = r_rate[0] + Combine(node.from_parent[At(i)], from_rate, parent.count);
      }
      continue;
    }
    for (int i = 0; i < node.given; ++i) {
      r[i] = Combine(node.from_parent[At(i)], from, parent.count);
      r_rate[i] = Combine(node.from_parent[At(i)], from_rate, parent.count);
    }
    if (node.own == 0 || node.count == 1) continue;
    for (int iteration = 0; iteration < kIterations; ++iteration) {
      const Distances d = DistancesOf(node, r, r_rate);
      if (d.value.cwiseAbs().maxCoeff() < kRoundOff * node.size) break;
      Move(LeastMotion(d.gradient, d.value), node.own, r + node.given);
    }
    const Distances d = DistancesOf(node, r, r_rate);
    Move(LeastMotion(d.gradient, d.rate), node.own, r_rate + node.given);
  }
}

}  // namespace mbsbench::equivalent_particles
