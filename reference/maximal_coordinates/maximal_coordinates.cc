#include "reference/maximal_coordinates/maximal_coordinates.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "problems/model/error.h"
#include "reference/maximal_coordinates/forces.h"
#include "reference/maximal_coordinates/sparse_equations.h"
#include "reference/numerics/dense.h"
#include "reference/numerics/elimination.h"
#include "reference/system/no_accelerations.h"

namespace mbsbench::extended {

namespace {

// The response of a kept row that acts only on bodies without inertia: round-off of 113 bits after a long path.
constexpr double kImmovable = 1e-30;
// Relative to the largest acceleration: contradictions of redundant rows that the last places of
// the data can cause.
constexpr double kContradiction = 1e-11;
// Relative to the largest change that redundant rows permit: a component of a reaction that changes less is unique.
constexpr double kUnchanged = 1e-12;
constexpr int kMostRefinements = 20;
constexpr double kSettled = 1e-28,
                 kSolved = 1e-14;  // change of the accelerations, of the largest one
constexpr double kSingularPivot =
    1e-24;  // of its column's largest entry, or of the largest inertia
// Rows of loops x rows x bodies above which the sparse equations are tried.
constexpr double kMuchWork = 1e4;
// Convergence of their refinement: change of the accelerations relative to the largest one.
constexpr double kSparselySettled = 1e-26;
// Unknowns that are solved as one dense matrix at most: it takes seconds.
constexpr std::size_t kMostUnknowns = 400;
// Exponent and leading bits without the sign: enough to choose a pivot.
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
  for (const JointSpringDamper& e : system.forces.Of<JointSpringDamper>())
    spring_angles_.push_back(e.free_coordinate);
  ClearUndetermined();
  for (const auto* joints : {&system.joints, &system.loop_joints}) {
    for (const Joint& joint : *joints) {
      longest_arm_ =
          std::max({longest_arm_, mbsbench::Norm(joint.child_frame.position),
                    joint.parent == kGround ? 0 : mbsbench::Norm(joint.parent_frame.position)});
    }
  }
  if (longest_arm_ > 0) return;
  for (const BodyData& body : system_.bodies) {
    for (int i = 0; i < 3 && body.mass > 0; ++i) {
      const Real radius = Sqrt(body.inertia(i, i) / body.mass);
      longest_arm_ = std::max(longest_arm_, static_cast<double>(radius));
    }
  }
  if (longest_arm_ == 0) longest_arm_ = 1;
}

void MaximalCoordinates::ClearUndetermined() {
  undetermined_.assign(system_.joints.size() + system_.loop_joints.size(), {});
  undetermined_efforts_.assign(system_.joints.size(), false);
}

void MaximalCoordinates::StartSpringsAt(const JointState& joints) {
  const JointOffsets at = OffsetsOf(system_.model);
  for (std::size_t i = 0; i < spring_angles_.size(); ++i) {
    const auto joint =
        static_cast<std::size_t>(system_.model.forces.Of<JointSpringDamper>()[i].joint);
    spring_angles_[i] = joints.q[static_cast<std::size_t>(at.q[joint])];
  }
}

void MaximalCoordinates::FollowSprings(const Motion& motion) {
  spring_angles_ = SpringCoordinates(system_, motion, spring_angles_);
}

void MaximalCoordinates::Linearise(const Motion& motion) {
  independent_.reset();
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

// One pivot block: Gaussian elimination with row pivoting of [K | columns of lambda | right sides].
bool MaximalCoordinates::EliminateBody(int body, std::vector<Column>& columns) {
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
  // Rows of constraints are of size 1, whatever the unit of mass. Relative to them light bodies would have no inertia, and the pivots
  // of multipliers of heavy bodies, of the size of 1 / inertia, would vanish.
  Real inertia = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < 6; ++k) inertia = Max(inertia, Abs(a[i][k]));
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
    const Real natural = k < 6 || IsZero(inertia) ? inertia : 1 / inertia;
    if (!(Abs(a[k][k]) > Real(kSingularPivot) * std::min<Real>(Abs(scale[k]), natural)))
      return false;
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
  if (system_.joints[j].parent == kGround) return true;

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
  return true;
}

int MaximalCoordinates::SolveTree(std::vector<Column>& columns) {
  for (std::size_t b = 0; b < masses_.size(); ++b) {
    Block6& m = masses_[b];
    m = {};
    for (std::size_t i = 0; i < 3; ++i) {
      m[i][i] = system_.bodies[b].mass;
      for (std::size_t k = 0; k < 3; ++k) m[3 + i][3 + k] = inertias_[b].m[3 * i + k];
    }
  }
  const std::vector<int>& order = system_.tree.order;
  for (auto b = order.rbegin(); b != order.rend(); ++b) {
    if (!EliminateBody(*b, columns)) return *b;
  }
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
  return kGround;
}

void MaximalCoordinates::RefuseSubtree(int body) const {
  const auto b = static_cast<std::size_t>(body);
  throw NoAccelerations(
      "joint '" + JointOf(body) +
      "' carries a subtree without inertia about the joint's free directions: give body '" +
      system_.model.bodies[b].name + "' mass or inertia there, or lock the joint.");
}

const std::string& MaximalCoordinates::JointOf(int body) const {
  const auto j = static_cast<std::size_t>(system_.tree.joint[static_cast<std::size_t>(body)]);
  return system_.model.joints[j].name;
}

// With a = D a', lambda = m l^2 D lambda' and equations times D, all numbers are near 1: m is the largest mass, l the longest
// arm; D is l for linear accelerations, 1 / l for rows that are lengths, and 1 for the others.
void MaximalCoordinates::SolveWhole(int body, const std::vector<LoopRow>& rows, std::size_t kept,
                                    std::vector<Column>& columns, std::vector<Vec6>& loop,
                                    std::vector<Change>& changes) const {
  const std::size_t bodies = system_.bodies.size();
  std::vector<Real> scale;
  Real inertia = 0;  // m l^2
  const Real l = longest_arm_;
  for (std::size_t b = 0; b < bodies; ++b) {
    scale.insert(scale.end(), {l, l, l, Real(1), Real(1), Real(1)});
    inertia = Max(inertia, system_.bodies[b].mass * l * l);
    for (const Real& entry : inertias_[b].m) inertia = Max(inertia, Abs(entry));
  }
  if (IsZero(inertia)) inertia = 1;
  std::vector<std::size_t> first;  // of the rows of each joint
  const auto append = [&](const JointRows& of_joint, std::size_t row) {
    scale.push_back(IsLength(of_joint, row) ? 1 / l : Real(1));
  };
  for (const JointRows& of_joint : rows_) {
    first.push_back(scale.size());
    for (std::size_t i = 0; i < of_joint.count; ++i) append(of_joint, i);
  }
  const std::size_t first_loop = scale.size();
  for (std::size_t i = 0; i < kept; ++i) append(loop_rows_[rows[i].joint], rows[i].row);
  if (scale.size() > kMostUnknowns) {
    throw ModelError("loops alone hold the subtree of joint '" + JointOf(body) +
                     "', which has no inertia, and there are more than " +
                     std::to_string(kMostUnknowns) +
                     " equations: cut these loops at other joints.");
  }

  Matrix whole(scale.size(), scale.size());
  for (std::size_t b = 0; b < bodies; ++b) {
    for (std::size_t i = 0; i < 3; ++i) {
      whole(6 * b + i, 6 * b + i) = system_.bodies[b].mass * l * l / inertia;
      for (std::size_t k = 0; k < 3; ++k)
        whole(6 * b + 3 + i, 6 * b + 3 + k) = inertias_[b].m[3 * i + k] / inertia;
    }
  }
  const auto put = [&](std::size_t row, int on, const Vec6& g) {
    for (std::size_t k = 0; k < 6 && on != kGround; ++k) {
      const std::size_t at = 6 * static_cast<std::size_t>(on) + k;
      whole(row, at) = whole(at, row) = scale[row] * scale[at] * g[k];
    }
  };
  const auto put_row = [&](std::size_t row, const JointData& joint, const JointRows& of_joint,
                           std::size_t i) {
    put(row, joint.child, of_joint.on_child[i]);
    put(row, joint.parent, of_joint.on_parent[i]);
  };
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    for (std::size_t i = 0; i < rows_[j].count; ++i)
      put_row(first[j] + i, system_.joints[j], rows_[j], i);
  }
  for (std::size_t i = 0; i < kept; ++i) {
    const LoopRow& at = rows[i];
    put_row(first_loop + i, system_.loop_joints[at.joint], loop_rows_[at.joint], at.row);
  }
  const Elimination factor(std::move(whole), kSingularPivot);
  if (factor.rank() < scale.size()) RefuseSubtree(body);

  const auto solve = [&](Column& column, std::vector<Vec6>& of_loops) {
    std::vector<Real> x(scale.size());
    for (std::size_t b = 0; b < bodies; ++b) {
      for (std::size_t i = 0; i < 6; ++i) x[6 * b + i] = column.bodies[b][i] / inertia;
    }
    for (std::size_t j = 0; j < rows_.size(); ++j)
      std::copy_n(column.joints[j].begin(), rows_[j].count,
                  x.begin() + static_cast<std::ptrdiff_t>(first[j]));
    for (std::size_t i = 0; i < kept; ++i) x[first_loop + i] = of_loops[rows[i].joint][rows[i].row];
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= scale[i];
    x = factor.Solve(x);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] *= i < 6 * bodies ? scale[i] : scale[i] * inertia;
    for (std::size_t b = 0; b < bodies; ++b)
      std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(6 * b), 6, column.bodies[b].begin());
    for (std::size_t j = 0; j < rows_.size(); ++j)
      std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(first[j]), rows_[j].count,
                  column.joints[j].begin());
    for (Vec6& multipliers : of_loops) multipliers = {};
    for (std::size_t i = 0; i < kept; ++i) of_loops[rows[i].joint][rows[i].row] = x[first_loop + i];
  };
  solve(columns[0], loop);
  // The combination of the others' multipliers that a unit of a dropped row's one replaces.
  for (std::size_t d = kept; d < rows.size(); ++d) {
    Column column = std::move(columns[1 + d]);
    for (Vec6& on_body : column.bodies) {
      for (Real& x : on_body) x = -x;
    }
    Change change{{}, std::vector<Vec6>(loop.size())};
    solve(column, change.loop_joints);
    change.joints = std::move(column.joints);
    change.loop_joints[rows[d].joint][rows[d].row] = 1;
    changes.push_back(std::move(change));
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

bool MaximalCoordinates::SelectLoopRows(const Motion& motion) {
  if (system_.loop_joints.empty()) return false;
  Linearise(motion);
  if (selected_ && selected_->size() == AllLoopRows().size()) return false;
  std::vector<LoopRow> rows = SelectIndependentRows(system_, motion, rotations_, loop_rows_,
                                                    selected_ ? &*selected_ : nullptr)
                                  .rows;
  const bool changes = selected_ != rows;
  selected_ = std::move(rows);
  return changes;
}

void MaximalCoordinates::Solve(const Motion& motion, Column& column, std::vector<Vec6>& loop) {
  std::vector<Column> columns{std::move(column)};
  // Kept rows come first; if no rows are selected, the first solution at a motion carries the others too, to determine which
  // reactions are unique.
  std::vector<LoopRow> rows;
  std::size_t kept = 0;
  const bool is_first = !selected_ && !independent_;
  if (selected_) {
    rows = *selected_;
    kept = rows.size();
  } else if (!system_.loop_joints.empty()) {
    if (is_first) {
      independent_ =
          SelectIndependentRows(system_, motion, rotations_, loop_rows_, held_ ? &*held_ : nullptr);
      if (!held_) RequireKnownRank(system_, *independent_);
    }
    rows = independent_->rows;
    kept = rows.size();
    for (const LoopRow& row : is_first ? AllLoopRows() : std::vector<LoopRow>{}) {
      const auto is_row = [&](const LoopRow& other) {
        return other.joint == row.joint && other.row == row.row;
      };
      if (std::none_of(rows.begin(), rows.end(), is_row)) rows.push_back(row);
    }
  }
  Column right = rows.empty() ? Column{} : columns[0];
  AppendLoopColumns(rows, columns);
  std::vector<Change> changes;
  if (const int body = SolveTree(columns); body != kGround) {
    if (kept == 0) RefuseSubtree(body);
    columns.resize(1);
    columns[0] = std::move(right);
    AppendLoopColumns(rows, columns);
    SolveWhole(body, rows, kept, columns, loop, changes);
    solved_whole_ = true;
  } else if (!rows.empty()) {
    Matrix schur(kept, kept);
    std::vector<Real> open(kept);
    for (std::size_t i = 0; i < kept; ++i) {
      open[i] = Along(rows[i], columns[0]) - loop[rows[i].joint][rows[i].row];
      for (std::size_t k = 0; k < kept; ++k) schur(i, k) = Along(rows[i], columns[1 + k]);
    }
    const PivotedCholesky factor(std::move(schur), kImmovable, 0);
    if (factor.rank() < kept) {
      throw NoAccelerations(
          "constraints of loops act on bodies that no inertia holds: give these mass or inertia.");
    }
    const std::vector<Real> nu = factor.Solve(open);
    for (Vec6& multipliers : loop) multipliers = {};
    for (std::size_t i = 0; i < kept; ++i) {
      loop[rows[i].joint][rows[i].row] = nu[i];
      const Column& c = columns[1 + i];
      for (std::size_t b = 0; b < c.bodies.size(); ++b)
        Subtract(nu[i], c.bodies[b], columns[0].bodies[b]);
      for (std::size_t j = 0; j < c.joints.size(); ++j)
        Subtract(nu[i], c.joints[j], columns[0].joints[j]);
    }
    if (is_first) changes = ChangesByDroppedRows(rows, factor, columns);
  }
  if (is_first && !rows.empty()) MarkUndetermined(motion, changes);
  column = std::move(columns[0]);
}

// Loop multipliers may change by any vector of the null space; the tree's follow by the carried
// columns.
std::vector<MaximalCoordinates::Change> MaximalCoordinates::ChangesByDroppedRows(
    const std::vector<LoopRow>& rows, const PivotedCholesky& kept,
    const std::vector<Column>& columns) const {
  std::vector<Change> changes;
  const std::size_t independent = kept.rows();
  for (std::size_t d = independent; d < rows.size(); ++d) {
    // A dropped row minus the combination of kept rows that equals it.
    std::vector<Real> nu(independent);
    for (std::size_t i = 0; i < independent; ++i) nu[i] = -Along(rows[i], columns[1 + d]);
    nu = kept.Solve(nu);
    nu.resize(rows.size());
    nu[d] = 1;
    Change& change = changes.emplace_back();
    change.joints.resize(system_.joints.size());
    change.loop_joints.resize(system_.loop_joints.size());
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      for (std::size_t i = 0; i < nu.size(); ++i)
        Subtract(nu[i], columns[1 + i].joints[j], change.joints[j]);
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
      change.loop_joints[rows[i].joint][rows[i].row] = nu[i];
  }
  return changes;
}

void MaximalCoordinates::MarkUndetermined(const Motion& motion,
                                          const std::vector<Change>& changes) {
  ClearUndetermined();
  std::vector<Vec6> wrenches;  // moments divided by the longest arm
  std::vector<Real> efforts;   // of drivers, likewise; 0 for a joint without one
  const auto append = [&](const JointData& joint, const JointRows& of_joint, const Vec6& change) {
    Vec6& wrench =
        wrenches.emplace_back(WrenchOnChild(joint, of_joint, motion, rotations_, change));
    for (std::size_t k = 3; k < 6; ++k) wrench[k] = wrench[k] / longest_arm_;
  };
  const Real unchanged = std::max(kUnchanged, RoundingOf(system_));
  for (const Change& change : changes) {
    wrenches.clear();
    efforts.clear();
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      append(system_.joints[j], rows_[j], change.joints[j]);
      const double arm = IsLength(system_.model.joints[j].type, 0) ? 1 : longest_arm_;
      efforts.push_back(rows_[j].driven ? change.joints[j][rows_[j].count - 1] / arm : Real(0));
    }
    for (std::size_t l = 0; l < loop_rows_.size(); ++l)
      append(system_.loop_joints[l], loop_rows_[l], change.loop_joints[l]);
    Real largest = 0;
    for (const Vec6& wrench : wrenches) {
      for (Real w : wrench) largest = Max(largest, Abs(w));
    }
    for (std::size_t j = 0; j < wrenches.size(); ++j) {
      for (std::size_t k = 0; k < 6; ++k) {
        if (Abs(wrenches[j][k]) > unchanged * largest) undetermined_[j][k] = true;
      }
    }
    for (std::size_t j = 0; j < efforts.size(); ++j) {
      if (Abs(efforts[j]) > unchanged * largest) undetermined_efforts_[j] = true;
    }
  }
}

// At rest accelerations are round-off relative to those of the forces, and without forces relative to those of the rotation: of a
// balanced rotor both vanish.
Real MaximalCoordinates::TypicalAcceleration(const Motion& motion, const Column& right) const {
  Real typical = 0;
  for (std::size_t b = 0; b < right.bodies.size(); ++b) {
    const Real mass = system_.bodies[b].mass;
    if (mass > 0) typical = Max(typical, Sqrt(Product(right.bodies[b], right.bodies[b])) / mass);
    const Vec3& omega = motion[b].angular_velocity;
    typical = Max(typical, Real(longest_arm_) * Dot(omega, omega));
  }
  return typical;
}

template <class Solver>
Real MaximalCoordinates::RefineBy(const Solver& solve, Real typical, const Column& right,
                                  const std::vector<Vec6>& loop_right, Dynamics& sum) const {
  Column change = right;
  std::vector<Vec6> loop_change = loop_right;
  solve(change, loop_change);
  sum = {change.bodies, change.joints, loop_change};
  const auto add = [](const std::vector<Vec6>& more, std::vector<Vec6>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) Subtract(-1, more[i], to[i]);
  };
  Real before = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kMostRefinements && before > Real(kSettled); ++step) {
    SetToResidual(sum, right, loop_right, change, loop_change);
    solve(change, loop_change);
    const Real changed = SizeOf(change.bodies);
    const Real size = IsZero(changed) ? changed : changed / Max(typical, SizeOf(sum.accelerations));
    if (!(size < before / 2)) break;
    before = size;
    add(change.bodies, sum.accelerations);
    add(change.joints, sum.multipliers);
    add(loop_change, sum.loop_multipliers);
  }
  return before;
}

bool MaximalCoordinates::SolveSparsely(const Motion& motion, Real typical, const Column& right,
                                       const std::vector<Vec6>& loop_right, Dynamics& solution) {
  const auto rows = static_cast<double>(AllLoopRows().size());
  if (rows * rows * static_cast<double>(motion.size()) < kMuchWork) return false;
  if (!ArePlainlyIndependent(system_, motion, LeastKnown(system_))) return false;
  SparseEquations equations(system_, inertias_, rows_, loop_rows_);
  if (!equations.Factorise()) return false;
  const auto solve = [&](Column& column, std::vector<Vec6>& loop) {
    equations.Solve(column.bodies, column.joints, loop);
  };
  if (!(RefineBy(solve, typical, right, loop_right, solution) < Real(kSparselySettled)))
    return false;
  ClearUndetermined();
  return true;
}

// Arms of 1e10 m with radii of gyration of 1 cm need 24 digits, because they are squared. The solution is refined
// iteratively until it no longer changes.
Dynamics MaximalCoordinates::Refine(const Motion& motion, const Column& right,
                                    const std::vector<Vec6>& loop_right) {
  Dynamics sum;
  const Real typical = TypicalAcceleration(motion, right);
  if (SolveSparsely(motion, typical, right, loop_right, sum)) return sum;
  const Real before =
      RefineBy([&](Column& column, std::vector<Vec6>& loop) { Solve(motion, column, loop); },
               typical, right, loop_right, sum);
  if (!(before < Real(kSolved)))
    throw ModelError(
        "the sizes, masses and inertias of the bodies differ too much for 113 bits: their "
        "accelerations are not known.");
  // The solution has to satisfy the dropped rows, up to the accuracy of the data. Along a motion whose loops close to a stated precision
  // these may differ by more: where kept rows are nearly dependent, w changes the faster the larger it is. What they are open by is
  // judged instead.
  if (held_ && RoundingOf(system_) > 0) return sum;
  Column change;
  std::vector<Vec6> loop_change;
  SetToResidual(sum, right, loop_right, change, loop_change);
  Real scale = Max(typical, SizeOf(sum.accelerations));
  const auto arm_of = [&](const LoopRow& at) {
    return IsLength(loop_rows_[at.joint], at.row) ? Real(1) : Real(longest_arm_);
  };
  for (const LoopRow& at : AllLoopRows())
    scale = Max(scale, arm_of(at) * Abs(loop_right[at.joint][at.row]));
  for (const IndependentRows::Dropped& row : independent_->dropped) {
    const Real arm = arm_of(row.at), known_to = arm * row.may_open / longest_arm_;
    if (arm * Abs(loop_change[row.at.joint][row.at.row]) >
        Max(Real(kContradiction), known_to) * scale)
      throw NoAccelerations(
          "redundant constraints of the loops contradict each other in this position: the "
          "accelerations depend on which of them hold.");
  }
  return sum;
}

// The residual of the equations for `solution`; zero for dropped loop rows.
void MaximalCoordinates::SetToResidual(const Dynamics& solution, const Column& right,
                                       const std::vector<Vec6>& loop_right, Column& residual,
                                       std::vector<Vec6>& loop_residual) const {
  residual = right;
  loop_residual = loop_right;
  for (std::size_t b = 0; b < residual.bodies.size(); ++b) {
    const Vec6& a = solution.accelerations[b];
    for (std::size_t i = 0; i < 3; ++i) {
      residual.bodies[b][i] -= system_.bodies[b].mass * a[i];
      for (std::size_t k = 0; k < 3; ++k)
        residual.bodies[b][3 + i] -= inertias_[b].m[3 * i + k] * a[3 + k];
    }
  }
  const auto take = [&](const JointData& joint, const JointRows& rows, const Vec6& multipliers,
                        Vec6& left) {
    for (std::size_t i = 0; i < rows.count; ++i) {
      const auto side = [&](int body, const Vec6& g) {
        if (body == kGround) return;
        const auto b = static_cast<std::size_t>(body);
        left[i] -= Product(g, solution.accelerations[b]);
        Subtract(multipliers[i], g, residual.bodies[b]);
      };
      side(joint.child, rows.on_child[i]);
      side(joint.parent, rows.on_parent[i]);
    }
  };
  for (std::size_t j = 0; j < rows_.size(); ++j)
    take(system_.joints[j], rows_[j], solution.multipliers[j], residual.joints[j]);
  for (std::size_t j = 0; j < loop_rows_.size(); ++j)
    take(system_.loop_joints[j], loop_rows_[j], solution.loop_multipliers[j], loop_residual[j]);
}

// The largest linear or angular acceleration, the latter at the end of the longest arm [m/s^2].
Real MaximalCoordinates::SizeOf(const std::vector<Vec6>& accelerations) const {
  Real size = 0;
  for (const Vec6& a : accelerations) {
    for (std::size_t i = 0; i < 3; ++i)
      size = Max(size, Max(Abs(a[i]), Real(longest_arm_) * Abs(a[3 + i])));
  }
  return size;
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
  if (selected_ || loop.empty()) {
    Solve(motion, column, loop);
    return {std::move(column.bodies), std::move(column.joints), std::move(loop)};
  }
  return Refine(motion, column, loop);
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

Real MaximalCoordinates::Drift(const Motion& motion, const Scales& scales) const {
  const std::vector<Mat3> rotations = RotationsOf(motion);
  Real worst = 0;
  const auto look = [&](const JointRows& rows, std::size_t i) {
    const Real unit = IsLength(rows, i) ? scales.length : Real(1);
    worst = Max(worst, Max(Abs(rows.position[i]), Abs(rows.velocity[i]) * scales.time) / unit);
  };
  for (const JointData& joint : system_.joints) {
    const JointRows rows = RowsOf(joint, motion, rotations);
    for (std::size_t i = 0; i < rows.count; ++i) look(rows, i);
  }
  for (std::size_t j = 0; j < system_.loop_joints.size(); ++j) {
    const JointRows rows = RowsOf(system_.loop_joints[j], motion, rotations);
    for (std::size_t i = 0; i < rows.count; ++i) {
      if (!selected_ || std::ranges::count(*selected_, LoopRow{j, i}) > 0) look(rows, i);
    }
  }
  return worst;
}

// The least mass-weighted change of all bodies that removes the rows' `residual`.
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
