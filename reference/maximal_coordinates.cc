#include "reference/maximal_coordinates.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstdio>

#include "problems/model/error.h"
#include "reference/dense.h"
#include "reference/forces.h"

namespace mbsbench::extended {

namespace {

// What is left of a kept row's answer where nothing but bodies without inertia answers it: round-off of 113 bits after a long path.
constexpr double kImmovable = 1e-30;
constexpr double kSingularPivot = 1e-24;  // of its column's largest entry
// Sign-free exponent and leading bits: enough to choose a pivot by.
std::uint64_t Size(Real x) {
  struct Words {
    std::uint64_t low, high;
  };
  return std::bit_cast<Words>(x).high << 1;
}

Mat3 InInertialAxes(const Mat3& r, const Mat3& inertia) {
  Mat3 rj{{}}, result{{}};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      const Real jk = r(i, k);
      if (IsZero(jk)) continue;
      for (int j = 0; j < 3; ++j) {
        if (!IsZero(inertia(k, j))) rj(i, j) += jk * inertia(k, j);
      }
    }
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) {
      for (int k = 0; k < 3; ++k) {
        if (!IsZero(rj(i, k)) && !IsZero(r(j, k))) result(i, j) += rj(i, k) * r(j, k);
      }
      result(j, i) = result(i, j);
    }
  }
  return result;
}

Real Product(const Vec6& a, const Vec6& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    if (!IsZero(a[i]) && !IsZero(b[i])) sum += a[i] * b[i];
  }
  return sum;
}

// to -= s a
void Subtract(Real s, const Vec6& a, Vec6& to) {
  if (IsZero(s)) return;
  for (std::size_t i = 0; i < 6; ++i) {
    if (!IsZero(a[i])) to[i] -= s * a[i];
  }
}

}  // namespace

MaximalCoordinates::MaximalCoordinates(const System& system)
    : system_(system),
      rows_(system_.joints.size()),
      loop_rows_(system_.loop_joints.size()),
      masses_(system_.bodies.size()),
      eliminated_(system_.bodies.size()) {
  for (const JointSpringDamper& e : system.joint_spring_dampers)
    spring_angles_.push_back(e.free_coordinate);
  undetermined_.assign(system_.joints.size() + system_.loop_joints.size(), false);
}

void MaximalCoordinates::StartSpringsAt(const JointState& joints) {
  const JointOffsets at = OffsetsOf(system_.model);
  for (std::size_t i = 0; i < spring_angles_.size(); ++i) {
    const auto joint = static_cast<std::size_t>(system_.model.joint_spring_dampers[i].joint);
    spring_angles_[i] = joints.q[static_cast<std::size_t>(at.q[joint])];
  }
}

void MaximalCoordinates::FollowSprings(const Motion& motion) {
  spring_angles_ = SpringCoordinates(system_, motion, spring_angles_);
}

void MaximalCoordinates::Linearise(const Motion& motion) {
  rotations_ = RotationsOf(motion);
  inertias_.resize(motion.size());
  for (std::size_t b = 0; b < motion.size(); ++b) {
    inertias_[b] = InInertialAxes(rotations_[b], system_.bodies[b].inertia);
  }
  for (std::size_t j = 0; j < rows_.size(); ++j)
    rows_[j] = RowsOf(system_.joints[j], motion, rotations_);
  for (std::size_t j = 0; j < loop_rows_.size(); ++j) {
    loop_rows_[j] = RowsOf(system_.loop_joints[j], motion, rotations_);
  }
}

// One pivot block: Gauss elimination with row pivoting of [K | columns of lambda | right sides].
void MaximalCoordinates::EliminateBody(int body, std::vector<Column>& columns) {
  const auto b = static_cast<std::size_t>(body);
  const auto j = static_cast<std::size_t>(system_.tree.joint[b]);
  const JointRows& rows = rows_[j];
  const std::size_t m = rows.count, size = 6 + m, width = size + m + columns.size();
  scratch_.assign(size * width, Real(0));
  std::array<Real*, 12> a{};
  for (std::size_t i = 0; i < size; ++i) a[i] = scratch_.data() + i * width;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < 6; ++k) a[i][k] = masses_[b][i][k];
    for (std::size_t c = 0; c < columns.size(); ++c) a[i][size + m + c] = columns[c].bodies[b][i];
  }
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k < 6; ++k) a[6 + i][k] = a[k][6 + i] = rows.on_child[i][k];
    a[6 + i][size + i] = 1;
    for (std::size_t c = 0; c < columns.size(); ++c)
      a[6 + i][size + m + c] = columns[c].joints[j][i];
  }
  std::array<Real, 12> scale{};
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t i = 0; i < size; ++i) {
      if (Size(a[i][k]) > Size(scale[k])) scale[k] = a[i][k];
    }
  }
  std::array<Real, 12> reciprocal{};
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < size; ++i) {
      if (Size(a[i][k]) > Size(a[pivot][k])) pivot = i;
    }
    std::swap(a[k], a[pivot]);
    if (!(Abs(a[k][k]) > Real(kSingularPivot) * Abs(scale[k]))) {
      throw ModelError(
          "joint '" + system_.model.joints[j].name +
          "' carries a subtree without inertia about the joint's free directions: give body '" +
          system_.model.bodies[b].name + "' mass or inertia there, or lock the joint.");
    }
    reciprocal[k] = 1 / a[k][k];
    for (std::size_t i = k + 1; i < size; ++i) {
      if (IsZero(a[i][k])) continue;
      const Real factor = a[i][k] * reciprocal[k];
      for (std::size_t c = k + 1; c < width; ++c) {
        if (!IsZero(a[k][c])) a[i][c] -= factor * a[k][c];
      }
    }
  }
  for (std::size_t k = size; k-- > 0;) {
    for (std::size_t c = size; c < width; ++c) {
      if (IsZero(a[k][c])) continue;
      a[k][c] *= reciprocal[k];
      for (std::size_t i = 0; i < k; ++i) {
        if (!IsZero(a[i][k])) a[i][c] -= a[i][k] * a[k][c];
      }
    }
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t i = 0; i < 6; ++i) columns[c].bodies[b][i] = a[i][size + m + c];
    for (std::size_t i = 0; i < m; ++i) columns[c].joints[j][i] = a[6 + i][size + m + c];
  }
  if (system_.joints[j].parent == kGround) return;

  const auto p = static_cast<std::size_t>(system_.joints[j].parent);
  auto& inverse = eliminated_[b].inverse;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < m; ++k) inverse[i][k] = a[i][size + k];
  }
  for (std::size_t i = 0; i < m; ++i) {
    Vec6 y_g{};  // row i of Y G_p
    for (std::size_t k = 0; k < m; ++k) Subtract(-inverse[6 + i][k], rows.on_parent[k], y_g);
    for (std::size_t r = 0; r < 6; ++r) {
      const Real g = rows.on_parent[i][r];
      if (IsZero(g)) continue;
      for (std::size_t c = 0; c <= r; ++c) {
        if (!IsZero(y_g[c])) masses_[p][r][c] -= g * y_g[c];
      }
    }
    for (Column& column : columns)
      Subtract(column.joints[j][i], rows.on_parent[i], column.bodies[p]);
  }
  for (std::size_t r = 0; r < 6; ++r) {
    for (std::size_t c = 0; c < r; ++c) masses_[p][c][r] = masses_[p][r][c];
  }
}

void MaximalCoordinates::SolveTree(std::vector<Column>& columns) {
  for (std::size_t b = 0; b < masses_.size(); ++b) {
    Block6& m = masses_[b];
    m = {};
    for (std::size_t i = 0; i < 3; ++i) {
      m[i][i] = system_.bodies[b].mass;
      for (std::size_t k = 0; k < 3; ++k) m[3 + i][3 + k] = inertias_[b].m[3 * i + k];
    }
  }
  const std::vector<int>& order = system_.tree.order;
  for (auto b = order.rbegin(); b != order.rend(); ++b) EliminateBody(*b, columns);
  for (int body : order) {
    const auto b = static_cast<std::size_t>(body);
    const auto j = static_cast<std::size_t>(system_.tree.joint[b]);
    if (system_.joints[j].parent == kGround) continue;
    const auto p = static_cast<std::size_t>(system_.joints[j].parent);
    const JointRows& rows = rows_[j];
    for (Column& column : columns) {
      for (std::size_t k = 0; k < rows.count; ++k) {
        const Real parents = Product(rows.on_parent[k], column.bodies[p]);
        if (IsZero(parents)) continue;
        const auto& inverse = eliminated_[b].inverse;
        for (std::size_t i = 0; i < 6; ++i) {
          if (!IsZero(inverse[i][k])) column.bodies[b][i] -= inverse[i][k] * parents;
        }
        for (std::size_t i = 0; i < rows.count; ++i)
          column.joints[j][i] -= inverse[6 + i][k] * parents;
      }
    }
  }
}

std::vector<LoopRow> MaximalCoordinates::AllLoopRows() const {
  std::vector<LoopRow> rows;
  for (std::size_t j = 0; j < loop_rows_.size(); ++j) {
    for (std::size_t i = 0; i < loop_rows_[j].count; ++i) rows.push_back({j, i});
  }
  return rows;
}

void MaximalCoordinates::AppendLoopColumns(const std::vector<LoopRow>& rows,
                                           std::vector<Column>& columns) const {
  const auto put = [](int body, const Vec6& g, Column& c) {
    if (body == kGround) return;
    Vec6& to = c.bodies[static_cast<std::size_t>(body)];
    for (std::size_t k = 0; k < 6; ++k) to[k] += g[k];
  };
  for (const LoopRow& at : rows) {
    const JointData& joint = system_.loop_joints[at.joint];
    Column c{std::vector<Vec6>(system_.bodies.size()), std::vector<Vec6>(system_.joints.size())};
    put(joint.parent, loop_rows_[at.joint].on_parent[at.row], c);
    put(joint.child, loop_rows_[at.joint].on_child[at.row], c);
    columns.push_back(std::move(c));
  }
}

Real MaximalCoordinates::Along(const LoopRow& row, const Column& column) const {
  const JointData& joint = system_.loop_joints[row.joint];
  const JointRows& rows = loop_rows_[row.joint];
  Real sum = Product(rows.on_child[row.row], column.bodies[static_cast<std::size_t>(joint.child)]);
  if (joint.parent != kGround) {
    sum += Product(rows.on_parent[row.row], column.bodies[static_cast<std::size_t>(joint.parent)]);
  }
  return sum;
}

void MaximalCoordinates::SelectLoopRows(const Motion& motion) {
  if (system_.loop_joints.empty()) return;
  Linearise(motion);
  selected_ = SelectIndependentRows(system_, motion, rotations_, loop_rows_).rows;
}

void MaximalCoordinates::Solve(const Motion& motion, Column& column, std::vector<Vec6>& loop) {
  std::vector<Column> columns{std::move(column)};
  // Rows kept come first; the others are carried where nobody has selected any, to learn which reactions are unique.
  std::vector<LoopRow> rows;
  std::size_t kept = 0;
  if (selected_) {
    rows = *selected_;
    kept = rows.size();
  } else if (!system_.loop_joints.empty()) {
    const IndependentRows r = SelectIndependentRows(system_, motion, rotations_, loop_rows_); rows=r.rows; if(getenv("SHOW")) printf("ROWS kept %zu of %zu least %.2g dropped %.2g\n", r.rows.size(), AllLoopRows().size(), r.least_kept, r.most_dropped);
    kept = rows.size();
    for (const LoopRow& row : AllLoopRows()) {
      const auto is_row = [&](const LoopRow& other) {
        return other.joint == row.joint && other.row == row.row;
      };
      if (std::none_of(rows.begin(), rows.end(), is_row)) rows.push_back(row);
    }
  }
  AppendLoopColumns(rows, columns);
  SolveTree(columns);
  if (!rows.empty()) {
    Matrix schur(kept, kept);
    std::vector<Real> right(kept);
    for (std::size_t i = 0; i < kept; ++i) {
      right[i] = Along(rows[i], columns[0]) - loop[rows[i].joint][rows[i].row];
      for (std::size_t k = 0; k < kept; ++k) schur(i, k) = Along(rows[i], columns[1 + k]);
    }
    const PivotedCholesky factor(std::move(schur), kImmovable, 0);
    if (factor.rank() < kept) {
      throw ModelError("constraints of loops act on bodies that no inertia holds: give these mass or inertia.");
    }
    const std::vector<Real> nu = factor.Solve(right);
    for (Vec6& multipliers : loop) multipliers = {};
    for (std::size_t i = 0; i < kept; ++i) {
      loop[rows[i].joint][rows[i].row] = nu[i];
      const Column& c = columns[1 + i];
      for (std::size_t b = 0; b < c.bodies.size(); ++b)
        Subtract(nu[i], c.bodies[b], columns[0].bodies[b]);
      for (std::size_t j = 0; j < c.joints.size(); ++j)
        Subtract(nu[i], c.joints[j], columns[0].joints[j]);
    }
    if (!selected_) MarkUndetermined(rows, factor, columns);
  }
  column = std::move(columns[0]);
}

// Loop multipliers may change by any vector of the null space; the tree's follow by the carried
// columns.
void MaximalCoordinates::MarkUndetermined(const std::vector<LoopRow>& rows,
                                          const PivotedCholesky& kept,
                                          const std::vector<Column>& columns) {
  std::fill(undetermined_.begin(), undetermined_.end(), false);
  const Real negligible = 1e-12;
  const auto changes = [&](const Vec6& v) {
    return std::any_of(v.begin(), v.end(), [&](Real x) { return Abs(x) > negligible; });
  };
  const std::size_t independent = kept.rows();
  for (std::size_t d = independent; d < rows.size(); ++d) {
    // A row dropped less the rows kept that say the same.
    std::vector<Real> nu(independent);
    for (std::size_t i = 0; i < independent; ++i) nu[i] = -Along(rows[i], columns[1 + d]);
    nu = kept.Solve(nu);
    nu.resize(rows.size());
    nu[d] = 1;
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      Vec6 change{};
      for (std::size_t i = 0; i < nu.size(); ++i) Subtract(nu[i], columns[1 + i].joints[j], change);
      if (changes(change)) undetermined_[j] = true;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (Abs(nu[i]) > negligible) undetermined_[system_.joints.size() + rows[i].joint] = true;
    }
  }
}

Dynamics MaximalCoordinates::Accelerate(const Motion& motion) {
  Linearise(motion);
  const std::vector<Wrench> wrenches = ForcesOn(system_, motion, rotations_, spring_angles_);
  Column column;
  std::vector<Vec6> loop;
  for (std::size_t b = 0; b < motion.size(); ++b) {
    const Vec3& omega = motion[b].angular_velocity;
    const Vec3& f = wrenches[b].force;
    const Vec3 n = wrenches[b].moment - Cross(omega, inertias_[b] * omega);
    column.bodies.push_back({f.x, f.y, f.z, n.x, n.y, n.z});
  }
  for (const JointRows& rows : rows_) column.joints.push_back(rows.gamma);
  for (const JointRows& rows : loop_rows_) loop.push_back(rows.gamma);
  Solve(motion, column, loop);
  return {std::move(column.bodies), std::move(column.joints), std::move(loop)};
}

void MaximalCoordinates::Evaluate(const std::vector<Real>& y, std::vector<Real>& ydot) {
  Unpack(y, motion_);
  const Dynamics dynamics = Accelerate(motion_);
  ydot.resize(y.size());
  Real* out = ydot.data();
  for (std::size_t b = 0; b < motion_.size(); ++b) {
    const BodyMotion& body = motion_[b];
    const Vec3& w = body.angular_velocity;
    const Quat q = Quat{0, w.x / 2, w.y / 2, w.z / 2} * body.orientation;
    const Vec6& a = dynamics.accelerations[b];
    for (Real value : {body.velocity.x, body.velocity.y, body.velocity.z, q.w, q.x, q.y, q.z, a[0],
                       a[1], a[2], a[3], a[4], a[5]}) {
      *out++ = value;
    }
  }
}

Real MaximalCoordinates::Drift(const Motion& motion) const {
  const std::vector<Mat3> rotations = RotationsOf(motion);
  Real worst = 0;
  const auto look = [&](const JointData& joint) {
    const JointRows rows = RowsOf(joint, motion, rotations);
    for (std::size_t i = 0; i < rows.count; ++i) {
      worst = Max(worst, Max(Abs(rows.position[i]), Abs(rows.velocity[i])));
    }
  };
  for (const JointData& joint : system_.joints) look(joint);
  for (const JointData& joint : system_.loop_joints) look(joint);
  return worst;
}

// The least mass-weighted change of all bodies that takes the rows' `residual` away.
template <class Member>
void MaximalCoordinates::Correct(const Motion& motion, Member residual, Column& column) {
  Linearise(motion);
  column.bodies.assign(motion.size(), Vec6{});
  column.joints.clear();
  std::vector<Vec6> loop;
  const auto negative = [&](const JointRows& rows) {
    Vec6 r{};
    for (std::size_t i = 0; i < rows.count; ++i) r[i] = -(rows.*residual)[i];
    return r;
  };
  for (const JointRows& rows : rows_) column.joints.push_back(negative(rows));
  for (const JointRows& rows : loop_rows_) loop.push_back(negative(rows));
  Solve(motion, column, loop);
}

void MaximalCoordinates::Project(Motion& motion) {
  for (BodyMotion& body : motion) body.orientation = Normalised(body.orientation);
  Column change;
  Correct(motion, &JointRows::position, change);
  for (std::size_t b = 0; b < motion.size(); ++b) {
    const Vec6& d = change.bodies[b];
    motion[b].position = motion[b].position + Vec3{d[0], d[1], d[2]};
    motion[b].orientation =
        Normalised(Quat{1, d[3] / 2, d[4] / 2, d[5] / 2} * motion[b].orientation);
  }
  Correct(motion, &JointRows::velocity, change);
  for (std::size_t b = 0; b < motion.size(); ++b) {
    const Vec6& d = change.bodies[b];
    motion[b].velocity = motion[b].velocity + Vec3{d[0], d[1], d[2]};
    motion[b].angular_velocity = motion[b].angular_velocity + Vec3{d[3], d[4], d[5]};
  }
}

}  // namespace mbsbench::extended
