#include "methods/equivalent_particles/particle_choice.h"

#include <algorithm>
#include <cmath>

#include "methods/kinematics/joint_laws.h"
#include "methods/kinematics/pair_law.h"
#include "methods/thresholds/thresholds.h"
#include "problems/model/eigen.h"

namespace mbsbench::equivalent_particles {

namespace {

// A joint gets its own particle if its distance from the hull of those that have one is at least
// this fraction of the group's size; the conditioning of the tetrahedron is then of this order.
constexpr double kApart = 0.2;
// A particle this many sizes of its group away would leave the others nearly in one plane.
constexpr double kFar = 100;

// Points and directions that a group's hull must contain.
struct Content {
  std::vector<Vector3d> points;      // joints, forces, mass
  std::vector<Vector3d> directions;  // axes and similar: their length does not matter
};

void AddAxes(const JointFrame& frame, std::initializer_list<int> axes, Content& content) {
  for (int i : axes) content.directions.push_back(frame.axes.col(i));
}

// The points and directions that the joint needs on the parent's and on the child's side.
void AddJoint(const Joint& joint, bool is_loop, const RigidGroups& tree,
              std::vector<Content>& contents) {
  if (joint.type == JointType::kFree) return;
  for (const bool on_child : {false, true}) {
    const int body = on_child ? joint.child : joint.parent;
    const JointFrame frame =
        AxesOf(tree.FrameOnGroup(body, on_child ? joint.child_frame : joint.parent_frame));
    Content& content = contents[At(tree.GroupOf(body))];
    content.points.push_back(frame.origin);
    switch (joint.type) {
      case JointType::kRevolute:
        AddAxes(frame, {2}, content);
        // A cut needs two directions perpendicular to the axis.
        if (is_loop && !on_child) AddAxes(frame, {0, 1}, content);
        break;
      case JointType::kPrismatic:
      case JointType::kFixed: AddAxes(frame, {0, 1, 2}, content); break;
      case JointType::kUniversal: AddAxes(frame, {on_child ? 0 : 2}, content); break;
      case JointType::kBall:
      case JointType::kDistance:
      case JointType::kFree:
      case JointType::kCylindrical:
      case JointType::kPlanar: break;
    }
  }
}

void AddForcePoints(const System& system, const RigidGroups& tree, std::vector<Content>& contents) {
  const auto add_point = [&](int body, const Vector3& point) {
    contents[At(tree.GroupOf(body))].points.push_back(ToEigen(tree.PointOnGroup(body, point)));
  };
  for (const SpringDamper& e : system.forces.Of<SpringDamper>()) {
    add_point(e.body_a, e.point_a);
    add_point(e.body_b, e.point_b);
  }
  for (const AppliedForce& e : system.forces.Of<AppliedForce>()) {
    add_point(e.body, e.point);
    if (!e.in_body_axes) continue;
    for (const Vector3& v : {e.force, e.moment}) {
      if (Norm(v) == 0) continue;
      const Vector3d direction = ToEigen(tree.DirectionOnGroup(e.body, v)).normalized();
      contents[At(tree.GroupOf(e.body))].directions.push_back(direction);
    }
  }
  for (const GroundSpring& e : system.forces.Of<GroundSpring>()) add_point(e.body, e.point);
  for (const PairLaw& e : PairLawsOf(system.forces)) {
    add_point(e.body_a, e.frame_a.position);
    add_point(e.body_b, e.frame_b.position);
    AddAxes(AxesOf(tree.FrameOnGroup(e.body_a, e.frame_a)), {0, 1, 2},
            contents[At(tree.GroupOf(e.body_a))]);
    if (!e.turns) continue;
    AddAxes(AxesOf(tree.FrameOnGroup(e.body_b, e.frame_b)), {0, 1, 2},
            contents[At(tree.GroupOf(e.body_b))]);
  }
  const auto add_angle = [&](const Joint& joint) {
    if (joint.type != JointType::kRevolute) return;
    // The angle is that of the child's x axis relative to the parent's x and y axes.
    AddAxes(AxesOf(tree.FrameOnGroup(joint.parent, joint.parent_frame)), {0, 1},
            contents[At(tree.GroupOf(joint.parent))]);
    AddAxes(AxesOf(tree.FrameOnGroup(joint.child, joint.child_frame)), {0},
            contents[At(tree.GroupOf(joint.child))]);
  };
  for (const JointLaw& law : JointLawsOf(system)) add_angle(system.joints[At(law.joint)]);
  for (const Driver& driver : system.drivers) add_angle(system.joints[At(driver.joint)]);
}

// The mass centre, whose motion is observed even where there is no mass, and the ends of the principal radii of gyration,
// which span the same space as the mass.
void AddMass(const Body& body, const Frame& placement, Content& content) {
  const auto [centre, axes] = AxesOf(placement);
  const Eigen::SelfAdjointEigenSolver<Matrix3d> euler(EulerTensor(body.inertia));
  const double largest = euler.eigenvalues()[2];
  content.points.push_back(centre);
  for (int i = 0; i < 3; ++i) {
    const double moment = euler.eigenvalues()[i];
    if (!(moment > kThresholds.no_moment * largest)) continue;
    const Vector3d axis = axes * euler.eigenvectors().col(i);
    if (body.mass > 0) {
      const double radius = std::sqrt(moment / body.mass);
      content.points.push_back(centre + radius * axis);
      content.points.push_back(centre - radius * axis);
    } else {
      content.directions.push_back(axis);
    }
  }
}

double SizeOf(const Content& content) {
  double size = 0;
  for (const Vector3d& a : content.points) size = std::max(size, (a - content.points[0]).norm());
  return size;
}

// Orthonormal basis of the directions in which the hull extends.
Eigen::MatrixXd HullBasis(const Content& content, double size) {
  Eigen::MatrixXd edges = Eigen::MatrixXd::Zero(
      3, static_cast<Eigen::Index>(content.points.size() + content.directions.size()) + 1);
  Eigen::Index column = 0;
  for (const Vector3d& p : content.points) {
    if (size > 0) edges.col(column++) = (p - content.points[0]) / size;
  }
  for (const Vector3d& d : content.directions) edges.col(column++) = d;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(edges, Eigen::ComputeThinU);
  const auto& extents = svd.singularValues();
  int dimension = 0;
  while (dimension < 3 && extents[dimension] > kThresholds.flat * std::max(1.0, extents[0]))
    ++dimension;
  return svd.matrixU().leftCols(dimension);
}

// Points chosen so far with an orthonormal basis of their edges.
class Chosen {
 public:
  explicit Chosen(int most) : most_(most) {}
  const std::vector<Vector3d>& points() const { return points_; }
  bool full() const { return static_cast<int>(points_.size()) >= most_; }

  // Adds the point if it is further than `apart` from the hull of the others.
  void Offer(const Vector3d& point, double apart) {
    if (full()) return;
    if (points_.empty()) {
      points_.push_back(point);
      return;
    }
    Vector3d off = point - points_[0];
    for (int repeat = 0; repeat < 2; ++repeat) off = Across(off);
    if (!(off.norm() > apart)) return;
    points_.push_back(point);
    basis_.push_back(off.normalized());
  }
  // Fills up at right angles, within the span of `hull`.
  void FillUp(const Eigen::MatrixXd& hull, double length) {
    while (!full()) {
      Vector3d best = Vector3d::Zero();
      for (Eigen::Index i = 0; i < hull.cols(); ++i) {
        const Vector3d off = Across(Across(hull.col(i)));
        if (off.norm() > best.norm() + kThresholds.flat) best = off;
      }
      Offer(points_[0] + length * best.normalized(), 0);
    }
  }

 private:
  Vector3d Across(Vector3d v) const {
    for (const Vector3d& b : basis_) v -= b.dot(v) * b;
    return v;
  }
  int most_;
  std::vector<Vector3d> points_, basis_;
};

}  // namespace

std::vector<ParticleChoice> ChooseParticles(const System& system, const RigidGroups& tree) {
  const std::size_t n = tree.groups.size();
  std::vector<Content> contents(n);
  for (const Joint& joint : system.joints) {
    // A joint inside a group moves nothing.
    if (joint.type != JointType::kFixed) AddJoint(joint, false, tree, contents);
  }
  for (const Joint& joint : system.loop_joints) AddJoint(joint, true, tree, contents);
  AddForcePoints(system, tree, contents);
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    AddMass(system.bodies[b], tree.FrameOf(static_cast<int>(b)),
            contents[At(tree.placements[b].group)]);
  }

  std::vector<ParticleChoice> choices(n);
  std::vector<double> sizes(n);
  for (std::size_t g = 1; g < n; ++g) {
    sizes[g] = SizeOf(contents[g]);
    const double parent = tree.groups[g].parent == 0 ? 0 : sizes[At(tree.groups[g].parent)];
    choices[g].size = sizes[g] > 0 ? sizes[g] : parent > 0 ? parent : 1;
    choices[g].axis_length = choices[g].size;
  }
  choices[0].points = {Vector3d::Zero(), Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitZ()};
  for (std::size_t g = 1; g < n; ++g) {
    const RigidGroup& group = tree.groups[g];
    const JointFrame on_child = AxesOf(system.joints[At(group.joint)].child_frame);
    ParticleChoice& choice = choices[g];
    const Eigen::MatrixXd hull = HullBasis(contents[g], sizes[g]);
    Chosen chosen(1 + static_cast<int>(hull.cols()));
    const bool is_free = group.type == JointType::kFree;
    chosen.Offer(is_free ? Vector3d(Vector3d::Zero()) : on_child.origin, 0);
    if (group.type == JointType::kRevolute) {
      chosen.Offer(on_child.origin + choice.axis_length * on_child.z(), 0);
    }
    for (int child : tree.children[g]) {
      const RigidGroup& outboard = tree.groups[At(child)];
      const JointFrame on_parent = AxesOf(tree.FrameOnParent(system.joints[At(outboard.joint)]));
      if (outboard.type != JointType::kBall && outboard.type != JointType::kRevolute) continue;
      chosen.Offer(on_parent.origin, kApart * choice.size);
      if (outboard.type == JointType::kRevolute &&
          choices[At(child)].axis_length < kFar * choice.size) {
        chosen.Offer(on_parent.origin + choices[At(child)].axis_length * on_parent.z(),
                     kApart * choice.size);
      }
    }
    chosen.FillUp(hull, choice.size);
    choice.points = chosen.points();
  }
  return choices;
}

}  // namespace mbsbench::equivalent_particles
