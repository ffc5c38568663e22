#include "methods/natural_coordinates/natural_model.h"

#include <cmath>

#include "methods/kinematics/blocked_rows.h"
#include "methods/kinematics/reach.h"
#include "methods/thresholds/thresholds.h"
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
  // The candidate with the largest pivot, while there are any and columns are missing.
  void Fill(std::vector<Vector4d> candidates) {
    while (size_ < kColumns && !candidates.empty()) {
      const auto best = std::ranges::max_element(
          candidates, {}, [this](const Vector4d& place) { return Pivot(place); });
      if (Pivot(*best) < kLeastPivot) return;
      Add(*best);
      candidates.erase(best);
    }
  }

 private:
  Vector4d Scaled(const Vector4d& place) const {
    return Place(place[0], place.tail<3>() / length_);
  }
  Vector4d Left(const Vector4d& place) const {
    Vector4d left = Scaled(place);
    for (Eigen::Index i = 0; i < AsIndex(size_); ++i)
      left -= left.dot(spanned_.col(i)) * spanned_.col(i);
    return left;
  }

  double length_;
  std::size_t size_ = 0;
  Matrix4d places_, spanned_;
};

}  // namespace

NaturalModel::NaturalModel(const System& system) : bases_(system.bodies.size()) {
  const std::vector<double> reach = ReachOf(system);
  const Topology tree = TopologyOf(system);
  std::vector<std::vector<const Frame*>> frames(bases_.size());  // of joints on each body
  for (const std::vector<Joint>* joints : {&system.joints, &system.loop_joints}) {
    for (const Joint& joint : *joints) {
      if (joint.parent != kGround) frames[At(joint.parent)].push_back(&joint.parent_frame);
      frames[At(joint.child)].push_back(&joint.child_frame);
    }
  }
  for (const int body : tree.order)
    ChooseBasis(system, At(body), system.joints[At(tree.joint[At(body)])], frames[At(body)],
                reach[At(body)]);
  for (std::size_t b = 0; b < reach.size(); ++b)
    mean_mass_ +=
        system.bodies[b].mass + ToEigen(system.bodies[b].inertia).trace() / (reach[b] * reach[b]);
  mean_mass_ = mean_mass_ > 0 ? mean_mass_ / static_cast<double>(reach.size()) : 1;
  int index = static_cast<int>(system.joints.size());
  for (const Joint& joint : system.loop_joints) AddJoint(joint, index++, false, false);
  for (const Driver& driver : system.drivers) AddDriver(system, driver);
}

NaturalModel::Found NaturalModel::Find(int body, const Vector4d& place, double length) const {
  const bool is_point = place[0] != 0;
  if (body == kGround)
    return {-1, is_point ? 1 : length, (is_point ? 1 : length) * place.tail<3>()};
  const Basis& basis = bases_[At(body)];
  for (Eigen::Index a = 0; a < AsIndex(kColumns); ++a) {
    if ((basis.places(0, a) != 0) != is_point) continue;
    const Vector3d column = basis.places.col(a).tail<3>();
    const double size = is_point ? 1 : column.norm();
    for (const double factor : {size, -size}) {
      if (is_point && factor < 0) continue;
      if ((column / factor - place.tail<3>()).norm() <=
          kThresholds.same_place * (is_point ? length : 1))
        return {basis.unknown[static_cast<std::size_t>(a)], factor, basis.fixed.col(a)};
    }
  }
  return {};
}

void NaturalModel::ChooseBasis(const System& system, std::size_t body, const Joint& joint,
                               const std::vector<const Frame*>& frames, double length) {
  const BlockedRows rows = BlockedRowsOf(joint.type);
  const Frame &on_parent = joint.parent_frame, &on_child = joint.child_frame;
  Basis& basis = bases_[body];
  Taken shared{};
  Columns columns(length);
  // A column that the parent has, at `place` on this body.
  const auto share = [&](const Vector4d& place, const Found& found) {
    shared[columns.size()] = true;
    basis.unknown[columns.size()] = found.unknown;
    basis.fixed.col(AsIndex(columns.size())) = found.fixed;
    columns.Add(place);
  };
  bool shares_point = false, shares_axis = false;
  if (joint.type == JointType::kFixed) {
    const Matrix3d turn = AxesOf(on_child) * AxesOf(on_parent).transpose();
    for (std::size_t a = 0; a < kColumns; ++a) {
      const auto at = AsIndex(a);
      Vector4d place = PlaceOf(on_parent);  // on the parent
      Found found;
      if (joint.parent == kGround) {
        if (a > 0) place = Place(0, length * Vector3d::Unit(at - 1));
        found.fixed = place.tail<3>();
      } else {
        const Basis& parent = bases_[At(joint.parent)];
        place = parent.places.col(at);
        found = {parent.unknown[a], 1, parent.fixed.col(at)};
      }
      const Vector3d from = place.tail<3>() - place[0] * ToEigen(on_parent.position);
      share(Place(place[0], turn * from + place[0] * ToEigen(on_child.position)), found);
    }
    shares_point = shares_axis = true;
  } else {
    if (rows.lengths == 3) {
      const Found found = Find(joint.parent, PlaceOf(on_parent), length);
      shares_point = found.factor != 0;
      if (shares_point) share(PlaceOf(on_child), found);
    }
    if (KeepsAxes(rows)) {
      const Found found = Find(joint.parent, AxisIn(on_parent, kZ), length);
      shares_axis = found.factor != 0;
      if (shares_axis) share(found.factor * AxisIn(on_child, kZ), found);
    }
    std::vector<Vector4d> at_joints;
    for (const Frame* frame : frames) {
      at_joints.push_back(PlaceOf(*frame));
      at_joints.push_back(length * AxisIn(*frame, kZ));
    }
    columns.Fill(std::move(at_joints));
    columns.Fill({Place(1, Vector3d::Zero()), Place(0, length * Vector3d::UnitX()),
                  Place(0, length * Vector3d::UnitY()), Place(0, length * Vector3d::UnitZ())});
    for (std::size_t a = 0; a < kColumns; ++a) {
      if (shared[a]) continue;
      basis.unknown[a] = static_cast<int>(unknowns_.size());
      unknowns_.push_back({static_cast<int>(body), columns.places().col(AsIndex(a))});
    }
  }
  basis.places = columns.places();
  basis.inverse = basis.places.inverse();
  const Matrix3d J = ToEigen(system.bodies[body].inertia);
  Matrix4d of_frame = Matrix4d::Zero();
  of_frame(0, 0) = system.bodies[body].mass;
  of_frame.bottomRightCorner<3, 3>() = 0.5 * J.trace() * Matrix3d::Identity() - J;  // E
  basis.mass = basis.inverse * of_frame * basis.inverse.transpose();
  AddRigidity(body, shared);
  AddJoint(joint, static_cast<int>(&joint - system.joints.data()), shares_point, shares_axis);
}

void NaturalModel::AddRigidity(std::size_t body, const Taken& shared) {
  const Basis& basis = bases_[body];
  std::size_t first = 0;  // a point
  while (basis.places(0, AsIndex(first)) == 0) ++first;
  struct Edge {
    AffineForm form;
    Vector3d in_body;
    bool is_shared;
  };
  std::vector<Edge> edges;
  const auto column = [&](std::size_t a) {
    AffineForm form;
    if (basis.unknown[a] >= 0)
      form.terms = {{basis.unknown[a], 1}};
    else
      form.constant = basis.fixed.col(AsIndex(a));
    return form;
  };
  for (std::size_t a = 0; a < kColumns; ++a) {
    if (a == first) continue;
    Edge edge{column(a), basis.places.col(AsIndex(a)).tail<3>(), shared[a]};
    if (basis.places(0, AsIndex(a)) != 0) {
      edge.form.Add(-1, column(first));
      edge.in_body -= basis.places.col(AsIndex(first)).tail<3>();
      edge.is_shared = edge.is_shared && shared[first];
    }
    edges.push_back(std::move(edge));
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (std::size_t j = i; j < edges.size(); ++j) {
      if (edges[i].is_shared && edges[j].is_shared) continue;
      NaturalRow row;
      row.body = static_cast<int>(body);
      row.AddProduct(edges[i].form, edges[j].form);
      row.target = edges[i].in_body.dot(edges[j].in_body);
      AddRow(std::move(row));
    }
  }
}

void NaturalModel::AddRow(NaturalRow row) {
  if (!row.unknowns().empty()) rows_.push_back(std::move(row));
}

AffineForm NaturalModel::FormOf(int body, const Vector4d& place) const {
  AffineForm form;
  if (body == kGround) {
    form.constant = place.tail<3>();
    return form;
  }
  constexpr double kNone = 2e-15;  // of the largest part
  const Basis& basis = bases_[At(body)];
  const Vector4d parts = basis.inverse * place;
  for (std::size_t a = 0; a < kColumns; ++a) {
    const auto at = AsIndex(a);
    if (std::abs(parts[at]) <= kNone * parts.cwiseAbs().maxCoeff()) continue;
    AffineForm column;
    if (basis.unknown[a] >= 0)
      column.terms = {{basis.unknown[a], 1}};
    else
      column.constant = basis.fixed.col(at);
    form.Add(parts[at], column);
  }
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

void NaturalModel::AddJoint(const Joint& joint, int index, bool shares_point, bool shares_axis) {
  const BlockedRows rows = BlockedRowsOf(joint.type);
  const bool shares_all = joint.type == JointType::kFixed && shares_point;
  if (rows.size() == 0 || shares_all) return;
  const auto on_parent = [&](int axis) { return AxisOf(joint.parent, joint.parent_frame, axis); };
  const AffineForm d = LineOf(joint);
  int of_joint = 0;
  const auto add = [&](bool is_needed, const AffineForm& left, const AffineForm& right,
                       double target = 0) {
    const int number = of_joint++;
    if (!is_needed) return;
    NaturalRow row;
    row.joint = index, row.of_joint = number;
    row.AddProduct(left, right);
    row.target = target;
    AddRow(std::move(row));
  };
  if (rows.keeps_distance) add(true, d, d, joint.length * joint.length);
  for (const int axis : {kX, kY, kZ}) {
    if (rows.lengths == 3) {
      AffineForm along;
      along.constant = Vector3d::Unit(axis);
      add(!shares_point, d, along);
    } else if (axis == kZ ? rows.lengths == 1 : rows.lengths == 2) {
      add(true, on_parent(axis), d);
    }
  }
  for (const BlockedRows::Product& of : rows.products())
    add(!(shares_axis && of.on_child == kZ), on_parent(of.on_parent),
        AxisOf(joint.child, joint.child_frame, of.on_child));
}

void NaturalModel::AddDriver(const System& system, const Driver& driver) {
  const Joint& joint = system.joints[At(driver.joint)];
  const bool turns = joint.type == JointType::kRevolute;
  NaturalRow row;
  row.joint = driver.joint, row.of_joint = BlockedRowsOf(joint.type).size();
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
