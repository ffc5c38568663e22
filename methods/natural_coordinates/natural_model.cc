#include "methods/natural_coordinates/natural_model.h"

#include <cmath>

#include "methods/kinematics/blocked_rows.h"
#include "methods/kinematics/reach.h"
#include "problems/model/eigen.h"
#include "problems/model/topology.h"

namespace mbsbench::natural {

namespace {

using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::Vector3d;
using Eigen::Vector4d;

constexpr double kLeastPivot = 0.3;  // of C, relative to its column
constexpr int kX = 0, kY = 1, kZ = 2;

Matrix3d AxesOf(const Frame& frame) {
  return ToEigen(DirectionCosineMatrix(Normalised(frame.orientation)));
}
Vector4d Place(double is_point, const Vector3d& xi) { return {is_point, xi.x(), xi.y(), xi.z()}; }
Vector4d PlaceOf(const Frame& frame) { return Place(1, ToEigen(frame.position)); }
Vector4d AxisIn(const Frame& frame, int axis) { return Place(0, AxesOf(frame).col(axis)); }

bool KeepsAxes(const BlockedRows& rows) {
  return rows.product_count >= 2 && rows.product[0].on_child == kZ;
}

// Columns of C, each of which adds enough to those before.
class Columns {
 public:
  explicit Columns(double length) : length_(length) {}
  std::size_t size() const { return size_; }
  const Matrix4d& places() const { return places_; }

  // The part of a place that the columns do not span, relative to it.
  double Pivot(const Vector4d& place) const { return Left(place).norm() / Scaled(place).norm(); }
  void Add(const Vector4d& place) {
    const auto at = AsIndex(size_);
    places_.col(at) = place;
    spanned_.col(at) = Left(place).normalized();
    ++size_;
  }
  // The candidate with the largest pivot, while there are any and columns are missing. Directions get the length of the body.
  void Fill(std::vector<Vector4d> candidates) {
    while (size_ < kColumns && !candidates.empty()) {
      const auto best = std::ranges::max_element(
          candidates, {}, [this](const Vector4d& place) { return Pivot(place); });
      if (Pivot(*best) < kLeastPivot) return;
      Add(((*best)[0] != 0 ? 1 : length_) * *best);
      candidates.erase(best);
    }
  }

 private:
  Vector4d Scaled(const Vector4d& place) const {
    return Place(place[0], place.tail<3>() / length_);
  }
  Vector4d Left(const Vector4d& place) const {
    const auto spanned = spanned_.leftCols(AsIndex(size_));
    const Vector4d scaled = Scaled(place);
    return scaled - spanned * (spanned.transpose() * scaled);
  }

  double length_;
  std::size_t size_ = 0;
  Matrix4d places_, spanned_;
};

}  // namespace

AffineForm Basis::FormOf(std::size_t a) const {
  AffineForm form;
  if (unknown[a] >= 0)
    form.terms = {{unknown[a], 1}};
  else
    form.constant = fixed.col(AsIndex(a));
  return form;
}

NaturalModel::NaturalModel(const System& system) : bases_(system.bodies.size() + 1) {
  bases_.front().fixed.rightCols<3>().setIdentity();  // the ground
  const std::vector<double> reach = ReachOf(system);
  std::vector<std::vector<Vector4d>> at_joints(bases_.size());
  for (const std::vector<Joint>* joints : {&system.joints, &system.loop_joints}) {
    for (const Joint& joint : *joints) {
      for (const auto& [body, frame] : {std::pair{joint.parent, &joint.parent_frame},
                                        std::pair{joint.child, &joint.child_frame}}) {
        at_joints[At(body + 1)].push_back(PlaceOf(*frame));
        at_joints[At(body + 1)].push_back(AxisIn(*frame, kZ));
      }
    }
  }
  const Topology tree = TopologyOf(system);
  for (const int body : tree.order)
    AddBody(system, tree.joint[At(body)], at_joints[At(body + 1)], reach[At(body)]);
  for (std::size_t b = 0; b < reach.size(); ++b)
    mean_mass_ +=
        system.bodies[b].mass + ToEigen(system.bodies[b].inertia).trace() / (reach[b] * reach[b]);
  mean_mass_ = mean_mass_ > 0 ? mean_mass_ / static_cast<double>(reach.size()) : 1;
  int index = static_cast<int>(system.joints.size());
  for (const Joint& joint : system.loop_joints) AddJoint(joint, index++, -1);
  for (const Driver& driver : system.drivers) AddDriver(system, driver);
}

void NaturalModel::AddBody(const System& system, int index, const std::vector<Vector4d>& at_joints,
                           double length) {
  const Joint& joint = system.joints[At(index)];
  const int body = joint.child;
  const BlockedRows rows = BlockedRowsOf(joint.type);
  const Frame &on_parent = joint.parent_frame, &on_child = joint.child_frame;
  const Basis& parent = bases_[At(joint.parent + 1)];
  Basis& basis = bases_[At(body + 1)];
  Columns columns(length);
  // A column of the parent, or one that is fixed, at `place` on this body.
  const auto share = [&](const Vector4d& place, int unknown, const Vector3d& fixed) {
    basis.unknown[columns.size()] = unknown;
    basis.fixed.col(AsIndex(columns.size())) = fixed;
    columns.Add(place);
  };
  // What the joint holds together, a point or an axis, if it is a column of the parent or fixed.
  const auto share_held = [&](const Vector4d& held, const Vector4d& place) {
    const AffineForm form = FormOf(joint.parent, held);
    const bool is_fixed = form.terms.empty();
    if (!is_fixed && (form.terms.size() > 1 || !form.constant.isZero(0))) return;
    double factor = 1;  // of the column
    if (place[0] == 0) factor = is_fixed ? length : 1 / form.terms.front().second;
    share(factor * place, is_fixed ? -1 : form.terms.front().first, factor * form.constant);
  };
  if (joint.type == JointType::kFixed) {
    const Matrix3d turn = AxesOf(on_child) * AxesOf(on_parent).transpose();
    for (std::size_t a = 0; a < kColumns; ++a) {
      const Vector4d place = parent.places.col(AsIndex(a));
      const Vector3d arm = place.tail<3>() - place[0] * ToEigen(on_parent.position);
      share(Place(place[0], turn * arm + place[0] * ToEigen(on_child.position)), parent.unknown[a],
            parent.fixed.col(AsIndex(a)));
    }
  } else {
    if (rows.lengths == 3) share_held(PlaceOf(on_parent), PlaceOf(on_child));
    if (KeepsAxes(rows)) share_held(AxisIn(on_parent, kZ), AxisIn(on_child, kZ));
  }
  const std::size_t shared = columns.size();
  columns.Fill(at_joints);
  columns.Fill({Place(1, Vector3d::Zero()), Place(0, Vector3d::UnitX()),
                Place(0, Vector3d::UnitY()), Place(0, Vector3d::UnitZ())});
  basis.places = columns.places();
  for (std::size_t a = shared; a < kColumns; ++a) {
    basis.unknown[a] = static_cast<int>(unknowns_.size());
    unknowns_.push_back({body, basis.places.col(AsIndex(a))});
  }
  basis.inverse = basis.places.inverse();
  const Matrix3d J = ToEigen(system.bodies[At(body)].inertia);
  Matrix4d of_frame = Matrix4d::Zero();
  of_frame(0, 0) = system.bodies[At(body)].mass;
  of_frame.bottomRightCorner<3, 3>() = 0.5 * J.trace() * Matrix3d::Identity() - J;  // E
  basis.mass = basis.inverse * of_frame * basis.inverse.transpose();
  AddRigidity(body);
  AddJoint(joint, index, body);
}

void NaturalModel::AddRigidity(int body) {
  const Basis& basis = bases_[At(body + 1)];
  std::size_t first = 0;  // a point
  while (basis.places(0, AsIndex(first)) == 0) ++first;
  struct Edge {
    AffineForm form;
    Vector3d in_body;
  };
  std::vector<Edge> edges;
  for (std::size_t a = 0; a < kColumns; ++a) {
    if (a == first) continue;
    Edge edge{basis.FormOf(a), basis.places.col(AsIndex(a)).tail<3>()};
    if (basis.places(0, AsIndex(a)) != 0) {
      edge.form.Add(-1, basis.FormOf(first));
      edge.in_body -= basis.places.col(AsIndex(first)).tail<3>();
    }
    edges.push_back(std::move(edge));
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (std::size_t j = i; j < edges.size(); ++j) {
      NaturalRow row;
      row.body = body;
      row.AddProduct(edges[i].form, edges[j].form);
      row.target = edges[i].in_body.dot(edges[j].in_body);
      AddRow(std::move(row));
    }
  }
}

// A row of a body that depends on what it shares alone is satisfied by the parent.
void NaturalModel::AddRow(NaturalRow row) {
  const auto is_own = [&](int k) { return row.body < 0 || unknowns_[At(k)].body == row.body; };
  if (std::ranges::any_of(row.unknowns(), is_own)) rows_.push_back(std::move(row));
}

AffineForm NaturalModel::FormOf(int body, const Vector4d& place) const {
  constexpr double kNone = 1e-12;  // of the largest part: round-off of C^-1
  const Basis& basis = bases_[At(body + 1)];
  const Vector4d parts = basis.inverse * place;
  AffineForm form;
  for (std::size_t a = 0; a < kColumns; ++a)
    if (const double part = parts[AsIndex(a)]; std::abs(part) > kNone * parts.cwiseAbs().maxCoeff())
      form.Add(part, basis.FormOf(a));
  return form;
}

AffineForm NaturalModel::PointOf(int body, const Vector3& point) const {
  return FormOf(body, Place(1, ToEigen(point)));
}
AffineForm NaturalModel::AxisOf(int body, const Frame& frame, int axis) const {
  return FormOf(body, AxisIn(frame, axis));
}
AffineForm NaturalModel::LineOf(const Joint& joint) const {
  AffineForm line = PointOf(joint.child, joint.child_frame.position);
  line.Add(-1, PointOf(joint.parent, joint.parent_frame.position));
  return line;
}

void NaturalModel::AddJoint(const Joint& joint, int index, int body) {
  const BlockedRows rows = BlockedRowsOf(joint.type);
  const auto on_parent = [&](int axis) { return AxisOf(joint.parent, joint.parent_frame, axis); };
  const AffineForm d = LineOf(joint);
  int of_joint = 0;
  const auto add = [&](const AffineForm& left, const AffineForm& right) {
    NaturalRow row;
    row.body = body, row.joint = index, row.of_joint = of_joint++;
    row.AddProduct(left, right);
    if (rows.keeps_distance) row.SetFactor(0, 0.5 / joint.length), row.target = 0.5 * joint.length;
    AddRow(std::move(row));
  };
  if (rows.keeps_distance) add(d, d);
  for (const int axis : {kX, kY, kZ}) {
    if (rows.lengths == 3) {
      AffineForm along;
      along.constant = Vector3d::Unit(axis);
      add(d, along);
    } else if (axis == kZ ? rows.lengths == 1 : rows.lengths == 2) {
      add(on_parent(axis), d);
    }
  }
  for (const BlockedRows::Product& of : rows.products())
    add(on_parent(of.on_parent), AxisOf(joint.child, joint.child_frame, of.on_child));
}

void NaturalModel::AddDriver(const System& system, const Driver& driver) {
  const Joint& joint = system.joints[At(driver.joint)];
  const bool turns = joint.type == JointType::kRevolute;
  NaturalRow row;
  row.body = joint.child, row.joint = driver.joint, row.of_joint = BlockedRowsOf(joint.type).size();
  const auto on_parent = [&](int axis) { return AxisOf(joint.parent, joint.parent_frame, axis); };
  if (turns) {
    const AffineForm x_c = AxisOf(joint.child, joint.child_frame, kX);
    row.AddProduct(on_parent(kY), x_c);
    row.AddProduct(on_parent(kX), x_c);
  } else {
    row.AddProduct(on_parent(kZ), LineOf(joint));
  }
  driven_.push_back({rows_.size(), turns});
  rows_.push_back(std::move(row));
}

void NaturalModel::Drive(std::span<const DriverObservation> drivers) {
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    NaturalRow& row = rows_[driven_[k].row];
    const DriverObservation& to = drivers[k];
    if (!driven_[k].turns) {
      row.target = to.position, row.target_rate = to.rate;
      row.target_acceleration = to.acceleration;
      continue;
    }
    const double cosine = std::cos(to.position), sine = std::sin(to.position);
    const double square = to.rate * to.rate;
    row.SetFactor(0, cosine, -to.rate * sine, -to.acceleration * sine - square * cosine);
    row.SetFactor(1, -sine, -to.rate * cosine, -to.acceleration * cosine + square * sine);
  }
}

void NaturalModel::ScaleRows(const Column<double>& q) {
  const Column<double> none = Column<double>::Zero(q.size());
  RowValues<double> at;
  for (NaturalRow& row : rows_) {
    row.scale = 1;
    row.Evaluate(q, none, at);
    double square = 0;
    for (const Vector3d& gradient : at.gradient) square += gradient.squaredNorm();
    if (square > 0) row.scale = 1 / std::sqrt(square);
  }
}

}  // namespace mbsbench::natural
