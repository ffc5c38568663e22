#include "methods/equivalent_particles/cut_joints.h"

#include <cmath>

#include "methods/kinematics/blocked_rows.h"
#include "methods/thresholds/thresholds.h"

namespace mbsbench::equivalent_particles {

namespace {

LinearVector::Part PointOf(const ParticleTree& tree, int node, const Vector3d& point, double sign) {
  const Weights w = ToWeights(sign * tree.frames[At(node)].OfPoint(point));
  return {node, w, sign};
}

// For the ground too: the force of a joint there is a reaction like any other.
LinearVector DirectionOf(const ParticleTree& tree, int node, const Vector3d& direction) {
  LinearVector vector;
  vector.parts[0] = {node, ToWeights(tree.frames[At(node)].OfDirection(direction)), 0};
  vector.count = 1;
  return vector;
}

// X_c - X_p of a joint.
LinearVector GapOf(const ParticleTree& tree, const CutJoint& cut, const JointFrame& parent,
                   const JointFrame& child) {
  LinearVector gap;
  gap.parts[gap.count++] = PointOf(tree, cut.child_node, child.origin, 1);
  gap.parts[gap.count++] = PointOf(tree, cut.parent_node, parent.origin, -1);
  return gap;
}

LinearVector InertialDirection(const Vector3d& direction) {
  LinearVector vector;
  vector.constant = direction;
  return vector;
}

// Combination of two vectors with the same parts.
LinearVector Mixed(const std::array<LinearVector, 2>& basis, const std::array<double, 2>& factors) {
  LinearVector mixed = basis[0];
  for (std::size_t k = 0; k < mixed.parts.size(); ++k) {
    for (std::size_t i = 0; i < mixed.parts[k].weights.size(); ++i) {
      mixed.parts[k].weights[i] =
          factors[0] * basis[0].parts[k].weights[i] + factors[1] * basis[1].parts[k].weights[i];
    }
    mixed.parts[k].total =
        factors[0] * basis[0].parts[k].total + factors[1] * basis[1].parts[k].total;
  }
  return mixed;
}

// Whether a driven group moves no inertia of its own: by turning about its axis or by sliding.
bool MovesNothing(const ParticleTree& tree, int n, bool turns) {
  const Node& node = tree.nodes[At(n)];
  double mass = 0, moved = 0, largest = 0;
  for (double m : node.masses) mass += m;
  if (!turns) return mass == 0;
  const std::vector<Vector3d>& points = tree.choices[At(n)].points;
  const Vector3d axis =
      node.count > 1 ? Vector3d((points[1] - points[0]).normalized()) : Vector3d::Zero();
  for (int i = 1; i < node.count; ++i) {
    for (int j = 1; j < node.count; ++j) {
      const Vector3d a = points[At(i)] - points[0], b = points[At(j)] - points[0];
      const double moment = node.second_moments[At(i)][At(j)];
      moved += moment * (a.dot(b) - a.dot(axis) * b.dot(axis));
      largest += std::abs(moment) * a.norm() * b.norm();
    }
  }
  return moved <= kThresholds.no_moment * largest;
}

}  // namespace

CutJoints::CutJoints(const System& system, const ParticleTree& tree) : tree_(tree) {
  const auto begin = [&](const Joint& joint, int tree_joint) {
    CutJoint cut;
    cut.parent_node = tree.groups.GroupOf(joint.parent);
    cut.child_node = tree.groups.GroupOf(joint.child);
    cut.tree_joint = tree_joint;
    cut.first_row = static_cast<int>(rows_.size());
    return cut;
  };
  const auto frame_on = [&](int body, const Frame& frame) {
    return AxesOf(tree.groups.FrameOnGroup(body, frame));
  };
  for (const Joint& joint : system.loop_joints) {
    const JointFrame parent = frame_on(joint.parent, joint.parent_frame),
                     child = frame_on(joint.child, joint.child_frame);
    CutJoint cut = begin(joint, -1);
    const int p = cut.parent_node, c = cut.child_node;
    cut.child_point = ToWeights(tree.frames[At(c)].OfPoint(child.origin));
    const LinearVector gap = GapOf(tree, cut, parent, child);
    const BlockedRows rows = BlockedRowsOf(joint.type);
    if (rows.keeps_distance) {
      LinearVector scaled = gap;
      for (LinearVector::Part& part : scaled.parts) {
        for (double& w : part.weights) w /= 2 * joint.length;
        part.total /= 2 * joint.length;
      }
      rows_.push_back({gap, scaled, joint.length / 2});
    }
    for (int i = 0; i < rows.lengths; ++i) {
      rows_.push_back({gap,
                       rows.lengths == 3 ? InertialDirection(Vector3d::Unit(i))
                                         : DirectionOf(tree, p, parent.axes.col(i)),
                       0});
    }
    for (const BlockedRows::Product& product : rows.products()) {
      rows_.push_back({DirectionOf(tree, p, parent.axes.col(product.on_parent)),
                       DirectionOf(tree, c, child.axes.col(product.on_child)), 0});
    }
    cut.end_row = static_cast<int>(rows_.size());
    joints_.push_back(cut);
  }
  const JointOffsets offsets = OffsetsOf(system);
  for (const Driver& driver : system.drivers) {
    const Joint& joint = system.joints[At(driver.joint)];
    const JointFrame parent = frame_on(joint.parent, joint.parent_frame),
                     child = frame_on(joint.child, joint.child_frame);
    CutJoint cut = begin(joint, driver.joint);
    const int p = cut.parent_node, c = cut.child_node;
    DriverRow d;
    d.row = cut.first_row;
    d.turns = !IsLength(joint.type, 0);
    d.motion = driver.motion;
    d.coordinate = At(offsets.q[At(driver.joint)]);
    CutRow row;
    row.moves = true;
    if (d.turns) {
      d.basis = {DirectionOf(tree, p, parent.axes.col(1)),
                 DirectionOf(tree, p, parent.axes.col(0))};
      row.w = DirectionOf(tree, c, child.axes.col(0));
    } else {
      d.basis.fill(GapOf(tree, cut, parent, child));
      row.w = DirectionOf(tree, p, parent.axes.col(2));
    }
    row.u = d.basis[0];
    rows_.push_back(row);
    drivers_.push_back(d);
    cut.end_row = d.row + 1;
    joints_.push_back(cut);
  }
  FindCarried(system);
  SetTime(0);
}

// Groups with loops or with joints that are not driven, or that move something, are eliminated.
void CutJoints::FindCarried(const System& system) {
  std::vector<int> driver_of(tree_.nodes.size(), -1);
  for (std::size_t d = 0; d < drivers_.size(); ++d)
    driver_of[At(joints_[system.loop_joints.size() + d].child_node)] = static_cast<int>(d);
  std::vector<char> is_carried(tree_.nodes.size(), 0), holds(tree_.nodes.size(), 0);
  for (const CutJoint& joint : joints_) {
    if (joint.tree_joint < 0) holds[At(joint.child_node)] = holds[At(joint.parent_node)] = 1;
  }
  for (std::size_t n = tree_.nodes.size(); n-- > 1;) {
    const int d = driver_of[n];
    is_carried[n] =
        d >= 0 && holds[n] == 0 && MovesNothing(tree_, static_cast<int>(n), drivers_[At(d)].turns);
    if (is_carried[n] == 0) holds[At(tree_.nodes[n].parent)] = 1;
  }
  for (std::size_t n = 1; n < tree_.nodes.size(); ++n) {
    if (is_carried[n] == 0) continue;
    DriverRow& driver = drivers_[At(driver_of[n])];
    driver.carried = static_cast<int>(carried_.size());
    const Node& node = tree_.nodes[n];
    const Joint& joint = system.joints[At(node.joint)];
    const JointFrame on_parent =
                         AxesOf(tree_.groups.FrameOnGroup(joint.parent, joint.parent_frame)),
                     on_child = AxesOf(tree_.groups.FrameOnGroup(joint.child, joint.child_frame));
    const AffineFrame& parent = tree_.frames[At(node.parent)];
    CarriedNode carried;
    carried.node = static_cast<int>(n);
    carried.slides = !driver.turns;
    carried.axis = ToWeights(parent.OfDirection(on_parent.z()));
    CarriedSlots slots{};
    for (int i = 0; i < node.count; ++i) {
      const Vector3d r =
          on_child.axes.transpose() * (tree_.choices[n].points[At(i)] - on_child.origin);
      const auto direction = [&](double x, double y, double z) {
        return parent.OfDirection(on_parent.axes * Vector3d(x, y, z));
      };
      // Turned by q: (x, y) -> cos q (x, y) + sin q (-y, x).
      if (driver.turns) {
        slots.at_rest[At(i)] = ToWeights(parent.OfPoint(on_parent.origin) + direction(0, 0, r[2]));
        slots.along_x[At(i)] = ToWeights(direction(r[0], r[1], 0));
        slots.along_y[At(i)] = ToWeights(direction(-r[1], r[0], 0));
      } else {
        slots.at_rest[At(i)] =
            ToWeights(parent.OfPoint(on_parent.origin) + direction(r[0], r[1], r[2]));
      }
    }
    carried_.push_back(carried);
    carried_slots_.push_back(slots);
  }
}

void CutJoints::SetCarried(const DriverRow& driver) {
  CarriedNode& carried = carried_[At(driver.carried)];
  const CarriedSlots& slots = carried_slots_[At(driver.carried)];
  const auto [q, rate, acceleration] = driver.now;
  const double cosine = std::cos(q), sine = std::sin(q), square = rate * rate;
  for (std::size_t i = 0; i < kMostParticles; ++i) {
    for (std::size_t l = 0; l < kMostParticles; ++l) {
      const double c = slots.along_x[i][l], s = slots.along_y[i][l], fixed = slots.at_rest[i][l];
      if (driver.turns) {
        carried.weights[i][l] = fixed + cosine * c + sine * s;
        carried.rates[i][l] = rate * (cosine * s - sine * c);
        carried.accelerations[i][l] =
            acceleration * (cosine * s - sine * c) - square * (cosine * c + sine * s);
      } else {
        carried.weights[i][l] = fixed + q * carried.axis[l];
        carried.rates[i][l] = rate * carried.axis[l];
        carried.accelerations[i][l] = acceleration * carried.axis[l];
      }
    }
  }
}

void CutJoints::Start(double t, const JointState& state) {
  for (DriverRow& d : drivers_) d.offset = StartOffset(d.motion, t, state.q[d.coordinate]);
  SetTime(t);
}

void CutJoints::SetTime(double t) {
  for (DriverRow& d : drivers_) {
    d.now = MotionAt(d.motion, t);
    d.now.position += d.offset;
    if (d.carried >= 0) SetCarried(d);
    CutRow& row = rows_[At(d.row)];
    if (!d.turns) {
      row.offset = d.now.position;
      row.offset_rate = d.now.rate;
      row.offset_acceleration = d.now.acceleration;
      continue;
    }
    const double cosine = std::cos(d.now.position), sine = std::sin(d.now.position);
    const double rate = d.now.rate, acceleration = d.now.acceleration, square = rate * rate;
    d.factors = {cosine, -sine};
    d.factor_rates = {-rate * sine, -rate * cosine};
    d.factor_accelerations = {-acceleration * sine - square * cosine,
                              -acceleration * cosine + square * sine};
    row.u = Mixed(d.basis, d.factors);
    row.u_rate = Mixed(d.basis, d.factor_rates);
    row.u_acceleration = Mixed(d.basis, d.factor_accelerations);
  }
}

Vector3d CutJoints::ValueOf(const LinearVector& vector, const Vector3d* x,
                            bool with_constant) const {
  Vector3d sum = with_constant ? vector.constant : Vector3d::Zero();
  for (int k = 0; k < vector.count; ++k) {
    const LinearVector::Part& part = vector.parts[At(k)];
    const Node& node = tree_.nodes[At(part.node)];
    sum += Combine(part.weights, x + node.first_slot, node.count);
  }
  return sum;
}

double CutJoints::Value(const CutRow& row, const Vector3d* x) const {
  return ValueOf(row.u, x, true).dot(ValueOf(row.w, x, true)) - row.offset;
}

double CutJoints::Rate(const CutRow& row, const Vector3d* x, const Vector3d* v) const {
  const double rate = Response(row, x, v);
  if (!row.moves) return rate;
  return rate + ValueOf(row.u_rate, x, true).dot(ValueOf(row.w, x, true)) - row.offset_rate;
}

double CutJoints::Response(const CutRow& row, const Vector3d* x, const Vector3d* v) const {
  return ValueOf(row.u, v, false).dot(ValueOf(row.w, x, true)) +
         ValueOf(row.u, x, true).dot(ValueOf(row.w, v, false));
}

double CutJoints::Acceleration(const CutRow& row, const Vector3d* x, const Vector3d* v,
                               const Vector3d* a) const {
  const double acceleration = ValueOf(row.u, a, false).dot(ValueOf(row.w, x, true)) +
                              2 * ValueOf(row.u, v, false).dot(ValueOf(row.w, v, false)) +
                              ValueOf(row.u, x, true).dot(ValueOf(row.w, a, false));
  if (!row.moves) return acceleration;
  const Vector3d w = ValueOf(row.w, x, true), w_rate = ValueOf(row.w, v, false);
  return acceleration + ValueOf(row.u_acceleration, x, true).dot(w) +
         2 * ValueOf(row.u_rate, v, false).dot(w) + 2 * ValueOf(row.u_rate, x, true).dot(w_rate) -
         row.offset_acceleration;
}

void CutJoints::Pull(const CutRow& row, double multiplier, const Vector3d* x,
                     std::span<Load> wrenches) const {
  const auto pull = [&](const LinearVector& on, const Vector3d& along) {
    for (int k = 0; k < on.count; ++k) {
      const LinearVector::Part& part = on.parts[At(k)];
      const Node& node = tree_.nodes[At(part.node)];
      const Vector3d* slots = x + node.first_slot;
      Load& wrench = wrenches[At(part.node)];
      wrench.force += part.total * along;
      const Vector3d arm = Combine(part.weights, slots, node.count) - part.total * slots[0];
      wrench.moment += arm.cross(along);
    }
  };
  pull(row.u, multiplier * ValueOf(row.w, x, true));
  pull(row.w, multiplier * ValueOf(row.u, x, true));
}

}  // namespace mbsbench::equivalent_particles
