#include "methods/equivalent_particles/cut_joints.h"

#include "methods/kinematics/blocked_rows.h"

namespace mbsbench::equivalent_particles {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

LinearVector::Part PointOf(const ParticleTree& tree, int node, const Vector3d& point, double sign) {
  const Weights w = ToWeights(sign * tree.frames[At(node)].OfPoint(point));
  return {node, w, sign};
}

// Of the ground too: what a joint exerts there is a reaction as any other.
LinearVector DirectionOf(const ParticleTree& tree, int node, const Vector3d& direction) {
  LinearVector vector;
  vector.parts[0] = {node, ToWeights(tree.frames[At(node)].OfDirection(direction)), 0};
  vector.count = 1;
  return vector;
}

LinearVector InertialDirection(const Vector3d& direction) {
  LinearVector vector;
  vector.constant = direction;
  return vector;
}

}  // namespace

CutJoints::CutJoints(const System& system, const ParticleTree& tree) : tree_(tree) {
  for (const Joint& joint : system.loop_joints) {
    const RigidGroups& groups = tree.groups;
    const int p = groups.GroupOf(joint.parent), c = groups.GroupOf(joint.child);
    const JointFrame parent = AxesOf(groups.FrameOnGroup(joint.parent, joint.parent_frame));
    const JointFrame child = AxesOf(groups.FrameOnGroup(joint.child, joint.child_frame));
    CutJoint cut;
    cut.parent_node = p;
    cut.child_node = c;
    cut.child_point = ToWeights(tree.frames[At(c)].OfPoint(child.origin));
    cut.first_row = static_cast<int>(rows_.size());

    LinearVector gap;  // X_c - X_p
    gap.parts[gap.count++] = PointOf(tree, c, child.origin, 1);
    gap.parts[gap.count++] = PointOf(tree, p, parent.origin, -1);
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
  return ValueOf(row.u, v, false).dot(ValueOf(row.w, x, true)) +
         ValueOf(row.u, x, true).dot(ValueOf(row.w, v, false));
}

double CutJoints::Acceleration(const CutRow& row, const Vector3d* x, const Vector3d* v,
                               const Vector3d* a) const {
  return ValueOf(row.u, a, false).dot(ValueOf(row.w, x, true)) +
         2 * ValueOf(row.u, v, false).dot(ValueOf(row.w, v, false)) +
         ValueOf(row.u, x, true).dot(ValueOf(row.w, a, false));
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
