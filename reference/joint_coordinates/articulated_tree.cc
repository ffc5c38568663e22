#include "reference/joint_coordinates/articulated_tree.h"

#include "problems/model/error.h"

namespace mbsbench::extended {

namespace {

constexpr double kSingularJoint = 1e-24;

using Block = std::array<std::array<Real, 3>, 3>;

// [r]x times b, and b times [r]x.
Block CrossTimes(const Vec3& r, const Block& b) {
  Block c{};
  for (std::size_t k = 0; k < 3; ++k) {
    c[0][k] = r.y * b[2][k] - r.z * b[1][k];
    c[1][k] = r.z * b[0][k] - r.x * b[2][k];
    c[2][k] = r.x * b[1][k] - r.y * b[0][k];
  }
  return c;
}
Block TimesCross(const Block& b, const Vec3& r) {
  Block c{};
  for (std::size_t k = 0; k < 3; ++k) {
    c[k][0] = b[k][1] * r.z - b[k][2] * r.y;
    c[k][1] = b[k][2] * r.x - b[k][0] * r.z;
    c[k][2] = b[k][0] * r.y - b[k][1] * r.x;
  }
  return c;
}

// moment = a alpha + b acceleration, force = b' alpha + c acceleration; a and c symmetric.
struct Inertia {
  Block a{}, b{}, c{};
};

Inertia InertiaOf(const BodyData& data, const MovingBody& body) {
  Inertia i;
  const Vec3 r = body.centre - body.joint_point;
  const Real m = data.mass;
  for (std::size_t k = 0; k < 3; ++k) i.c[k][k] = m;
  i.b = CrossTimes(r, i.c);
  // J + m (|r|^2 - r r') = J - [r]x m [r]x
  i.a = TimesCross(i.b, r);
  for (auto& row : i.a) {
    for (Real& x : row) x = -x;
  }
  for (int p = 0; p < 3; ++p) {
    for (int q = 0; q <= p; ++q) {
      Real sum = 0;
      for (int s = 0; s < 3; ++s) {
        for (int t = 0; t < 3; ++t) {
          if (!IsZero(data.inertia(s, t)))
            sum += body.rotation(p, s) * data.inertia(s, t) * body.rotation(q, t);
        }
      }
      const auto row = static_cast<std::size_t>(p), column = static_cast<std::size_t>(q);
      i.a[row][column] += sum;
      if (row != column) i.a[column][row] += sum;
    }
  }
  return i;
}

// The antisymmetric part of a and c must be removed: along a chain it grows by a factor per body, from
// round-off to 1 in about 130.
void Symmetrise(Block& block) {
  for (std::size_t p = 0; p < 3; ++p) {
    for (std::size_t q = 0; q < p; ++q) block[p][q] = block[q][p] = (block[p][q] + block[q][p]) / 2;
  }
}

// Adds i, which is about the end of `arm`, shifted to the start of the arm.
void AddMoved(const Inertia& i, const Vec3& arm, Inertia& to) {
  Block b = CrossTimes(arm, i.c), transposed{};
  for (std::size_t p = 0; p < 3; ++p) {
    for (std::size_t q = 0; q < 3; ++q) {
      b[p][q] += i.b[p][q];
      transposed[q][p] = i.b[p][q];
    }
  }
  const Block left = CrossTimes(arm, transposed), right = TimesCross(b, arm);
  for (std::size_t p = 0; p < 3; ++p) {
    for (std::size_t q = 0; q < 3; ++q) {
      to.a[p][q] += i.a[p][q] + left[p][q] - right[p][q];
      to.b[p][q] += b[p][q];
      to.c[p][q] += i.c[p][q];
    }
  }
}

}  // namespace

ArticulatedTree::ArticulatedTree(const JointMotion& motion)
    : motion_(&motion), nodes_(motion.system().bodies.size()) {
  const SystemData& system = motion.system();
  std::vector<Inertia> inertias(nodes_.size());
  for (std::size_t b = 0; b < nodes_.size(); ++b)
    inertias[b] = InertiaOf(system.bodies[b], motion.body(static_cast<int>(b)));
  for (auto at = system.tree.order.rbegin(); at != system.tree.order.rend(); ++at) {
    const auto b = static_cast<std::size_t>(*at);
    Node& node = nodes_[b];
    Inertia& inertia = inertias[b];
    Symmetrise(inertia.a);
    Symmetrise(inertia.c);
    const int j = motion.JointOf(*at);
    for (std::size_t k = motion.RateOf(j); k < motion.RateOf(j + 1); ++k) {
      if (!motion.screws()[k].driven) node.rates.push_back(k);
    }
    const std::size_t m = node.rates.size();
    Matrix d(m, m);
    for (std::size_t i = 0; i < m; ++i) {
      const Screw& screw = motion.screws()[node.rates[i]];
      const std::array<Real, 3> e{screw.axis.x, screw.axis.y, screw.axis.z};
      for (std::size_t p = 0; p < 3; ++p) {
        for (std::size_t q = 0; q < 3; ++q) {
          node.u[i][p] += (screw.turns ? inertia.a[p][q] : inertia.b[p][q]) * e[q];
          node.u[i][3 + p] += (screw.turns ? inertia.b[q][p] : inertia.c[p][q]) * e[q];
        }
      }
    }
    for (std::size_t i = 0; i < m; ++i) {
      const Screw& screw = motion.screws()[node.rates[i]];
      const std::size_t first = screw.turns ? 0 : 3;
      for (std::size_t k = 0; k < m; ++k) {
        d(i, k) = screw.axis.x * node.u[k][first] + screw.axis.y * node.u[k][first + 1] +
                  screw.axis.z * node.u[k][first + 2];
      }
    }
    const Elimination factor(d, kSingularJoint);
    if (factor.rank() < m) {
      throw ModelError("joint '" + system.model.joints[static_cast<std::size_t>(j)].name +
                       "' carries a subtree without inertia about the joint's free directions.");
    }
    for (std::size_t k = 0; k < m; ++k) {
      std::vector<Real> unit(m);
      unit[k] = 1;
      const std::vector<Real> column = factor.Solve(unit);
      for (std::size_t i = 0; i < m; ++i) node.inverse[i][k] = column[i];
    }
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t k = 0; k < m; ++k) {
        for (std::size_t p = 0; p < 6; ++p) node.u_by_d[i][p] += node.inverse[i][k] * node.u[k][p];
      }
    }
    const int parent = motion.ParentOf(*at);
    if (parent == kGround) continue;
    node.arm = motion.body(*at).joint_point - motion.body(parent).joint_point;
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t p = 0; p < 3; ++p) {
        for (std::size_t q = 0; q < 3; ++q) {
          inertia.a[p][q] -= node.u[i][p] * node.u_by_d[i][q];
          inertia.b[p][q] -= node.u[i][p] * node.u_by_d[i][3 + q];
          inertia.c[p][q] -= node.u[i][3 + p] * node.u_by_d[i][3 + q];
        }
      }
    }
    AddMoved(inertia, node.arm, inertias[static_cast<std::size_t>(parent)]);
  }
}

std::vector<Real> ArticulatedTree::Solve(const std::vector<Real>& tau) const {
  const std::vector<int>& order = motion_->system().tree.order;
  std::vector<Spatial> p(nodes_.size());  // moment, force; later the accelerations
  std::vector<Real> u_rates(tau.size());
  const auto along = [this](std::size_t k, const Spatial& s) {
    const Screw& screw = motion_->screws()[k];
    const std::size_t first = screw.turns ? 0 : 3;
    return screw.axis.x * s[first] + screw.axis.y * s[first + 1] + screw.axis.z * s[first + 2];
  };
  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    const auto b = static_cast<std::size_t>(*at);
    const Node& node = nodes_[b];
    const std::size_t m = node.rates.size();
    std::array<Real, 6> left{};
    bool nothing = true;
    for (std::size_t i = 0; i < m; ++i) {
      left[i] = tau[node.rates[i]] - along(node.rates[i], p[b]);
      nothing = nothing && IsZero(left[i]);
    }
    Spatial passed = p[b];
    for (std::size_t i = 0; i < m && !nothing; ++i) {
      Real z = 0;
      for (std::size_t k = 0; k < m; ++k) z += node.inverse[i][k] * left[k];
      u_rates[node.rates[i]] = z;
      for (std::size_t r = 0; r < 6; ++r) passed[r] += node.u[i][r] * z;
    }
    const int parent = motion_->ParentOf(*at);
    if (parent == kGround) continue;
    Spatial& to = p[static_cast<std::size_t>(parent)];
    const Vec3 force{passed[3], passed[4], passed[5]}, turning = Cross(node.arm, force);
    to[0] += passed[0] + turning.x;
    to[1] += passed[1] + turning.y;
    to[2] += passed[2] + turning.z;
    for (std::size_t r = 3; r < 6; ++r) to[r] += passed[r];
  }
  std::vector<Spatial>& a = p;
  for (int body : order) {
    const auto b = static_cast<std::size_t>(body);
    const Node& node = nodes_[b];
    const int parent = motion_->ParentOf(body);
    Spatial here{};
    if (parent != kGround) {
      here = a[static_cast<std::size_t>(parent)];
      const Vec3 turning = Cross(Vec3{here[0], here[1], here[2]}, node.arm);
      here[3] += turning.x;
      here[4] += turning.y;
      here[5] += turning.z;
    }
    for (std::size_t i = 0; i < node.rates.size(); ++i) {
      Real& rate = u_rates[node.rates[i]];
      for (std::size_t r = 0; r < 6 && parent != kGround; ++r) rate -= node.u_by_d[i][r] * here[r];
    }
    for (std::size_t k : node.rates) {
      const Screw& screw = motion_->screws()[k];
      const std::size_t first = screw.turns ? 0 : 3;
      here[first] += screw.axis.x * u_rates[k];
      here[first + 1] += screw.axis.y * u_rates[k];
      here[first + 2] += screw.axis.z * u_rates[k];
    }
    a[b] = here;
  }
  return u_rates;
}

JointAccelerations SolveRecursively(const JointMotion& motion, const std::vector<Real>& forces,
                                    const Matrix& rows, const DependentRates& dependent,
                                    const std::vector<Real>& gamma) {
  const ArticulatedTree tree(motion);
  JointAccelerations result{tree.Solve(forces), std::vector<Real>(rows.rows())};
  const std::vector<std::size_t>& kept = dependent.kept_rows();
  const std::size_t n = kept.size();
  if (n == 0) return result;
  const auto along = [&](std::size_t i, const std::vector<Real>& u_rates) {
    Real sum = 0;
    for (std::size_t k = 0; k < u_rates.size(); ++k) {
      if (!IsZero(rows(kept[i], k))) sum += rows(kept[i], k) * u_rates[k];
    }
    return sum;
  };
  Matrix schur(n, n);
  std::vector<std::vector<Real>> responses;
  std::vector<Real> right(n);
  for (std::size_t i = 0; i < n; ++i) {
    right[i] = gamma[kept[i]] - along(i, result.rates);
    std::vector<Real> row(motion.rates());
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = rows(kept[i], k);
    responses.push_back(tree.Solve(row));
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) schur(i, k) = along(i, responses[k]);
  }
  const Elimination factor(std::move(schur), kSingularJoint);
  if (factor.rank() < n) throw ModelError("the loops move nothing that has mass.");
  const std::vector<Real> multipliers = factor.Solve(right);
  for (std::size_t i = 0; i < n; ++i) {
    result.multipliers[kept[i]] = multipliers[i];
    for (std::size_t k = 0; k < motion.rates(); ++k)
      result.rates[k] += multipliers[i] * responses[i][k];
  }
  return result;
}

}  // namespace mbsbench::extended
