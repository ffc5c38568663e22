#include "problems/model/sparse_loop_rows.h"

#include <Eigen/SparseLU>
#include <array>
#include <cmath>
#include <random>
#include <utility>

#include "problems/model/kinematics.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace {

constexpr int kInverseIterations = 8;

std::array<double, 6> Numbers(const Vector3& a, const Vector3& b) {
  return {a.x, a.y, a.z, b.x, b.y, b.z};
}

}  // namespace

// Unknowns: v of all bodies, mu of all bodies, nu.
struct SparseLoopRows::Equations {
  Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> lu;
};

SparseLoopRows::SparseLoopRows(const System& system, const JointState& joints,
                               std::vector<double> rate_units)
    : rate_units_(std::move(rate_units)),
      parent_(system.bodies.size()),
      depth_(system.bodies.size()),
      bodies_(ForwardKinematics(system, joints)),
      motions_(system.bodies.size()),
      arms_(system.bodies.size()) {
  SetMotions(system, joints);
  SetRows(system);
  MeasureRows(system);
}

SparseLoopRows::~SparseLoopRows() = default;

void SparseLoopRows::SetMotions(const System& system, const JointState& joints) {
  const Topology tree = TopologyOf(system);
  const JointOffsets at = OffsetsOf(system);
  for (int b : tree.order) {
    const auto j = At(tree.joint[At(b)]);
    const Joint& joint = system.joints[j];
    parent_[At(b)] = joint.parent;
    depth_[At(b)] = joint.parent == kGround ? 0 : depth_[At(joint.parent)] + 1;
    arms_[At(b)] = Norm(joint.parent_frame.position) + Norm(joint.child_frame.position);
    const BodyState& child = bodies_[At(b)];
    const Vector3 arm = Rotate(child.orientation, joint.child_frame.position);
    auto rate = At(at.u[j]);
    const auto add = [&](const Vector3& axis, bool turns) {
      const Vector3 velocity = turns ? Cross(arm, axis) : axis;
      if (rate_units_[rate] > 0)
        motions_[At(b)].push_back(
            {rate, velocity, turns ? axis : Vector3{}, turns, axis, child.position + arm});
      ++rate;
    };
    Quaternion turned = joint.parent_frame.orientation;  // from the axes of P on
    if (joint.parent != kGround) turned = bodies_[At(joint.parent)].orientation * turned;
    const double* q = joints.q.data() + at.q[j];
    for (const JointAxis& one : AxesOf(joint.type)) {
      const Vector3 along{one.axis == 0 ? 1. : 0., one.axis == 1 ? 1. : 0.,
                          one.axis == 2 ? 1. : 0.};
      add(Rotate(turned, along), one.turns);
      if (one.turns) turned = turned * AxisAngle(along, *q);
      ++q;
    }
    if (TurnsFreely(joint.type)) {
      const Quaternion axes = child.orientation * joint.child_frame.orientation;
      for (const Vector3& along : {Vector3{1, 0, 0}, Vector3{0, 1, 0}, Vector3{0, 0, 1}})
        add(Rotate(axes, along), true);
    }
  }
}

// The rows are linear in the motions of their two bodies: one call per unit motion gives them.
void SparseLoopRows::SetRows(const System& system) {
  for (std::size_t l = 0; l < system.loop_joints.size(); ++l) {
    Joint joint = system.loop_joints[l];
    const std::array<int, 2> bodies{joint.child, joint.parent};
    std::vector<BodyState> pair(2);
    for (std::size_t side : {0, 1}) {
      if (bodies[side] == kGround) continue;
      pair[side] = bodies_[At(bodies[side])];
      pair[side].velocity = pair[side].angular_velocity = {};
      (side == 0 ? joint.child : joint.parent) = static_cast<int>(side);
    }
    const std::size_t first = rows_.size();
    {
      ConstraintRows at_rest;
      AppendConstraintRows(joint, pair, at_rest);
      for (bool is_length : at_rest.is_length) {
        rows_.push_back({l, is_length, 0, 0, 0});
        sides_.push_back({Side{bodies[0], {}, {}}, Side{bodies[1], {}, {}}});
      }
    }
    for (std::size_t side : {0, 1}) {
      if (bodies[side] == kGround) continue;
      for (bool turns : {false, true}) {
        for (double Vector3::*axis : {&Vector3::x, &Vector3::y, &Vector3::z}) {
          Vector3& unit = turns ? pair[side].angular_velocity : pair[side].velocity;
          unit.*axis = 1;
          ConstraintRows moved;
          AppendConstraintRows(joint, pair, moved);
          unit.*axis = 0;
          for (std::size_t i = 0; i < moved.velocity.size(); ++i) {
            Side& row = sides_[first + i][side];
            Vector3& part = turns ? row.moment : row.force;
            part.*axis = moved.velocity[i];
          }
        }
      }
    }
  }
}

template <class OnBody, class OnEntry>
void SparseLoopRows::GoAround(std::size_t first, std::size_t last, OnBody&& on_body,
                              OnEntry&& on_entry) const {
  std::array<int, 2> ends{sides_[first][0].body, sides_[first][1].body};
  while (ends[0] != ends[1]) {  // moves the deeper one a joint towards the ground
    const auto depth = [&](int body) { return body == kGround ? -1 : depth_[At(body)]; };
    const std::size_t side = depth(ends[0]) >= depth(ends[1]) ? 0 : 1;
    const int body = ends[side];
    on_body(body);
    for (const Motion& motion : motions_[At(body)]) {
      for (std::size_t i = first; i < last; ++i) {
        const Side& row = sides_[i][side];
        const Vector3 velocity =
            motion.turns ? Cross(motion.axis, bodies_[At(row.body)].position - motion.point)
                         : motion.axis;
        on_entry(i, motion,
                 rate_units_[motion.rate] *
                     (Dot(row.force, velocity) + Dot(row.moment, motion.angular)));
      }
    }
    ends[side] = parent_[At(body)];
  }
}

void SparseLoopRows::MeasureRows(const System& system) {
  std::size_t r = 0;
  for (std::size_t l = 0; l < system.loop_joints.size(); ++l) {
    const Joint& joint = system.loop_joints[l];
    const std::size_t first = r;
    while (r < rows_.size() && rows_[r].joint == l) ++r;
    double size =
        Norm(joint.parent_frame.position) + Norm(joint.child_frame.position) + joint.length;
    GoAround(
        first, r, [&](int body) { size += arms_[At(body)]; },
        [&](std::size_t i, const Motion& motion, double entry) {
          rows_[i].length += entry * entry;  // squared until the end is reached
          ++(motion.turns ? rows_[i].turns : rows_[i].slides);
        });
    for (std::size_t i = first; i < r; ++i) rows_[i].length = std::sqrt(rows_[i].length);
    sizes_.push_back(size);
  }
}

std::vector<double> SparseLoopRows::Full() const {
  std::vector<double> full(rows_.size() * rate_units_.size());
  for (std::size_t first = 0, last = 0; first < rows_.size(); first = last) {
    while (last < rows_.size() && rows_[last].joint == rows_[first].joint) ++last;
    GoAround(
        first, last, [](int) {},
        [&](std::size_t i, const Motion& motion, double entry) {
          full[motion.rate * rows_.size() + i] += entry;
        });
  }
  return full;
}

bool SparseLoopRows::Factorise(std::span<const double> row_units) {
  row_units_.assign(row_units.begin(), row_units.end());
  const auto n = static_cast<int>(bodies_.size());
  const int mu = 6 * n, nu = 12 * n, size = nu + static_cast<int>(rows_.size());
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(36 * At(n) + 24 * rows_.size());
  const auto put = [&entries](int row, int column, double value) {
    if (value != 0) entries.emplace_back(row, column, value);
  };
  for (int b = 0; b < n; ++b) {
    for (int i = 0; i < 6; ++i)
      put(6 * b + i, 6 * b + i, 1), put(mu + 6 * b + i, mu + 6 * b + i, 1);
    for (const Motion& motion : motions_[At(b)]) {
      const std::array<double, 6> s = Numbers(motion.linear, motion.angular);
      const double square = rate_units_[motion.rate] * rate_units_[motion.rate];
      for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < 6; ++k) put(6 * b + i, mu + 6 * b + k, -square * s[At(i)] * s[At(k)]);
      }
    }
    const int p = parent_[At(b)];
    if (p == kGround) continue;
    const auto passes = [&](int i, int k, double value) {  // an entry of X_b
      put(6 * b + i, 6 * p + k, -value);
      put(mu + 6 * p + k, mu + 6 * b + i, -value);
    };
    const Vector3 arm = bodies_[At(b)].position - bodies_[At(p)].position;
    for (int i = 0; i < 6; ++i) passes(i, i, 1);
    passes(0, 4, arm.z), passes(0, 5, -arm.y);  // angular velocity x arm
    passes(1, 5, arm.x), passes(1, 3, -arm.z);
    passes(2, 3, arm.y), passes(2, 4, -arm.x);
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const int row = nu + static_cast<int>(i);
    for (const Side& side : sides_[i]) {
      if (side.body == kGround) continue;
      const std::array<double, 6> g = Numbers(side.force, side.moment);
      for (int k = 0; k < 6; ++k) {
        put(row, 6 * side.body + k, row_units[i] * g[At(k)]);
        put(mu + 6 * side.body + k, row, -row_units[i] * g[At(k)]);
      }
    }
  }
  Eigen::SparseMatrix<double> matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  equations_ = std::make_unique<Equations>();
  equations_->lu.compute(matrix);
  if (equations_->lu.info() == Eigen::Success) return true;
  equations_.reset();
  return false;
}

std::vector<double> SparseLoopRows::Solve(std::span<const double> g) const {
  const auto nu = static_cast<Eigen::Index>(12 * bodies_.size());
  Eigen::VectorXd right = Eigen::VectorXd::Zero(nu + static_cast<Eigen::Index>(g.size()));
  for (std::size_t i = 0; i < g.size(); ++i) right[nu + static_cast<Eigen::Index>(i)] = g[i];
  const Eigen::VectorXd x = equations_->lu.solve(right);
  return {x.data() + nu / 2, x.data() + x.size()};
}

double SparseLoopRows::LeastSingularValue() const {
  std::mt19937_64 engine(1);
  std::vector<double> g(rows_.size());
  for (double& x : g) x = static_cast<double>(engine() >> 11) * 0x1p-52 - 1;
  const auto normalise = [&g] {
    double square = 0;
    for (double x : g) square += x * x;
    const double norm = std::sqrt(square);
    for (double& x : g) x /= norm;
    return norm;
  };
  normalise();
  double largest = 0;
  for (int k = 0; k < kInverseIterations; ++k) {
    const std::vector<double> x = Solve(g);
    g.assign(x.end() - static_cast<std::ptrdiff_t>(g.size()), x.end());
    largest = normalise();
    if (!std::isfinite(largest)) return 0;
  }
  return 1 / std::sqrt(largest);
}

std::vector<double> SparseLoopRows::LeastRates(std::span<const double> g) const {
  const std::vector<double> mu = Solve(g);
  std::vector<double> rates(rate_units_.size());
  for (std::size_t b = 0; b < motions_.size(); ++b) {
    for (const Motion& motion : motions_[b]) {
      const std::array<double, 6> s = Numbers(motion.linear, motion.angular);
      double sum = 0;
      for (std::size_t i = 0; i < 6; ++i) sum += s[i] * mu[6 * b + i];
      rates[motion.rate] = rate_units_[motion.rate] * rate_units_[motion.rate] * sum;
    }
  }
  return rates;
}

}  // namespace mbsbench
