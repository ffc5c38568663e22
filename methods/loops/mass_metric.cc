#include "methods/loops/mass_metric.h"

#include <algorithm>
#include <cmath>

#include "methods/kinematics/joint_placement.h"
#include "methods/loops/passage_in_eigen.h"
#include "methods/loops/whole_response.h"
#include "methods/thresholds/thresholds.h"
#include "problems/model/eigen.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace {

// Lower bound of a joint-space inertia, relative to that of the whole system; that of the subtree gives another (Thresholds).
// Directions without inertia then move most easily.
constexpr double kLeastOfWhole = 1e-20;

}  // namespace

MassMetric::MassMetric(const System& system) {
  const Topology tree = TopologyOf(system);
  const JointOffsets at = OffsetsOf(system);
  const std::vector<bool> driven = DrivenJoints(system);
  order_ = tree.order;
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const auto j = At(tree.joint[b]);
    const Joint& joint = system.joints[j];
    Node& node = nodes_.emplace_back();
    node.type = joint.type;
    node.parent_frame = joint.parent_frame, node.child_frame = joint.child_frame;
    node.parent = tree.parent[b];
    node.q = at.q[j], node.u = at.u[j];
    node.rates = driven[j] ? 0 : RateCount(joint.type);
    node.mass = system.bodies[b].mass;
    node.inertia = ToEigen(system.bodies[b].inertia);
  }
  const WholeResponse whole(system);
  least_of_turn_ = kLeastOfWhole / whole.OfMoment();
  least_of_slide_ = kLeastOfWhole / whole.OfForce();
}

void MassMetric::Place(Node& node, const double* y) {
  static const Node ground;
  const Node& parent = node.parent == kGround ? ground : nodes_[At(node.parent)];
  const PlacedChild placed = PlaceChild(
      node.type, node.parent_frame, node.child_frame, parent.position, parent.orientation,
      y + node.q, [&node](int k, const Vector3& axis, bool turns, const Vector3&) {
        node.S.col(k).head<3>() = turns ? ToEigen(axis) : Eigen::Vector3d::Zero();
        node.S.col(k).tail<3>() = turns ? Eigen::Vector3d::Zero() : ToEigen(axis);
      });
  node.point = placed.point, node.position = placed.position, node.orientation = placed.orientation;
  node.r = ToEigen(placed.point - parent.point);
  const Eigen::Vector3d c = ToEigen(placed.position - placed.point);
  const Eigen::Matrix3d R = ToEigen(DirectionCosineMatrix(placed.orientation)),
                        H = node.mass * CrossMatrix(c);
  node.I.topLeftCorner<3, 3>() = R * node.inertia * R.transpose() - H * CrossMatrix(c);
  node.I.topRightCorner<3, 3>() = H;
  node.I.bottomLeftCorner<3, 3>() = H.transpose();
  node.I.bottomRightCorner<3, 3>() = node.mass * Eigen::Matrix3d::Identity();
}

template <int kRates>
void MassMetric::Eliminate(Node& node) const {
  const auto S = node.S.leftCols<kRates>();
  auto U = node.U.leftCols<kRates>();
  U.noalias() = node.I.lazyProduct(S);
  const double of_turn = std::max(kThresholds.no_inertia * node.I.topLeftCorner<3, 3>().trace(),
                                  least_of_turn_),
               of_slide =
                   std::max(kThresholds.no_inertia * node.I.bottomRightCorner<3, 3>().trace(),
                            least_of_slide_);
  for (int k = 0; k < kRates; ++k) {
    // The columns before this one are in U_k = I S L^-T already.
    for (int i = 0; i < k; ++i) {
      node.L(k, i) = S.col(k).dot(U.col(i));
      U.col(k) -= node.L(k, i) * U.col(i);
    }
    const bool turns = S.col(k).template tail<3>().isZero(0);
    const double pivot = std::max(S.col(k).dot(U.col(k)), turns ? of_turn : of_slide);
    node.inverse_diagonal[k] = 1 / std::sqrt(pivot);
    U.col(k) *= node.inverse_diagonal[k];
  }
  for (int k = 0; k < kRates; ++k) node.I.noalias() -= U.col(k) * U.col(k).transpose();
}

void MassMetric::Set(const double* y) {
  for (int body : order_) Place(nodes_[At(body)], y);
  for (auto body = order_.rbegin(); body != order_.rend(); ++body) {
    Node& node = nodes_[At(*body)];
    if (node.rates == 1) Eliminate<1>(node);
    if (node.rates == 3) Eliminate<3>(node);
    if (node.rates == 6) Eliminate<6>(node);
    if (node.parent == kGround) continue;
    const Eigen::Matrix3d r = CrossMatrix(node.r);
    const Eigen::Matrix3d M = node.I.bottomRightCorner<3, 3>();
    const Eigen::Matrix3d H = node.I.topRightCorner<3, 3>() + r * M;
    Matrix6& to = nodes_[At(node.parent)].I;
    to.topLeftCorner<3, 3>() +=
        node.I.topLeftCorner<3, 3>() + r * node.I.bottomLeftCorner<3, 3>() - H * r;
    to.topRightCorner<3, 3>() += H;
    to.bottomLeftCorner<3, 3>() += H.transpose();
    to.bottomRightCorner<3, 3>() += M;
  }
}

void MassMetric::Return(std::span<const double> w, std::span<double> u) {
  std::fill(u.begin(), u.end(), 0.0);
  for (int body : order_) {
    Node& node = nodes_[At(body)];
    if (node.parent == kGround) {
      node.a.setZero();
    } else {
      const Vector6& carrier = nodes_[At(node.parent)].a;
      node.a = carrier;
      node.a.tail<3>() += carrier.head<3>().cross(node.r);
    }
    const Vector6 a = node.a;
    for (int k = node.rates - 1; k >= 0; --k) {
      double rate = w[At(node.u + k)] - node.U.col(k).dot(a);
      for (int i = k + 1; i < node.rates; ++i) rate -= node.L(i, k) * u[At(node.u + i)];
      rate *= node.inverse_diagonal[k];
      u[At(node.u + k)] = rate;
      node.a += rate * node.S.col(k);
    }
  }
}

void MassMetric::SetPassage(int body, LoopElimination::Passage& passage) const {
  const Node& node = nodes_[At(body)];
  const auto vector = [](const Eigen::Vector3d& v) { return FromEigenVector(v); };
  passage.r = vector(node.r);
  if (node.rates < 3) {
    passage.s = passage.V_n = passage.V_f = {};
    passage.inverse_D = 0;
    if (node.rates == 0) return;
    const Vector6 S = node.S.col(0), V = node.inverse_diagonal[0] * node.U.col(0);
    passage.s = vector(S.head<3>().isZero(0) ? S.tail<3>() : S.head<3>());
    passage.V_n = vector(V.head<3>()), passage.V_f = vector(V.tail<3>());
    passage.inverse_D = node.inverse_diagonal[0] * node.inverse_diagonal[0];
    return;
  }
  // D of the joint along inertial axes.
  const auto axes = node.S.leftCols(node.rates);
  Matrix6 L = node.L;
  for (int k = 0; k < node.rates; ++k) L(k, k) = 1 / node.inverse_diagonal[k];
  const Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6> root =
      axes * L.topLeftCorner(node.rates, node.rates).triangularView<Eigen::Lower>();
  const Matrix6 D = root * root.transpose();
  if (node.rates == 6) return SetFreePassage(D, passage);
  // K = D^-1 S' I, of forces
  const Eigen::Matrix3d J = D.topLeftCorner<3, 3>(),
                        H = root.topRows<3>() * node.U.leftCols<3>().bottomRows<3>().transpose(),
                        K = J.ldlt().solve(H);
  passage.J = FactorsOf(J);
  passage.SetK(FromEigenMatrix(K));
}

void MassMetric::Weigh(int body, const double* change, std::span<double> w) const {
  const Node& node = nodes_[At(body)];
  Vector6 d = Vector6::Zero();
  if (node.rates == 1) d[0] = change[0];
  if (node.rates >= 3) {
    Vector6 motion = Vector6::Zero();
    std::copy_n(change, node.rates, motion.data());
    d.head(node.rates) = node.S.leftCols(node.rates).transpose() * motion;
  }
  for (int k = 0; k < node.rates; ++k) {
    double sum = d[k] / node.inverse_diagonal[k];
    for (int i = k + 1; i < node.rates; ++i) sum += node.L(i, k) * d[i];
    w[At(node.u + k)] = sum;
  }
}

}  // namespace mbsbench
