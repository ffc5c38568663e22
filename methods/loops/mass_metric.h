// The mass metric on the joint rates of a tree, u' M u, without forming M.
//
// In inertial axes and about the joints' points, motions (rotation; translation) and forces (moment; force), with the motion S_k of
// its child by the rates of joint k, and the transfer X_k from the parent's point (Featherstone 2008, ch. 7):
//
//   tips to root   I_k = own body + sum over children c of X_c' (I_c - U_c U_c') X_c
//                  S_k' I_k S_k = L_k L_k',   U_k = I_k S_k L_k^-T                                            (1)
//
// Then M^-1 = B' B, with B tau and B' w by
//
//   tips to root   w_k = L_k^-1 (tau_k - S_k' p_k),   p_parent += X_k' (p_k + U_k w_k)                        (2)
//   root to tips   u_k = L_k^-T (w_k - U_k' X_k a_parent),   a_k = X_k a_parent + S_k u_k                     (3)
//
// Driven joints have no free rates: they transmit everything.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "methods/loops/loop_elimination.h"
#include "methods/loops/loop_paths.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

class MassMetric {
 public:
  explicit MassMetric(const System& system);

  // Reserves space for paths with this number of stops.
  void Reserve(std::size_t stops) { forces_.reserve(stops); }

  // (1) at y = [q; ...]
  void Set(const double* y);

  static constexpr int kMostColumns = 6;
  using Columns = Eigen::Matrix<double, 6, kMostColumns, Eigen::RowMajor>;
  // (2) for up to kMostColumns columns tau that are zero except at the joints of `path`, tips first, up to the ground. tau_of(k)
  // and w_of(k): pointers to the numbers of rate k of the system, one per column.
  template <class TauOf, class ToW>
  void Reduce(std::span<const PathStop> path, int columns, TauOf tau_of, ToW w_of) {
    using Row = Eigen::Matrix<double, 1, kMostColumns>;
    forces_.resize(path.size());
    for (Columns& p : forces_) p.setZero();
    for (std::size_t s = 0; s < path.size(); ++s) {
      const Node& node = nodes_[At(path[s].body)];
      Columns& p = forces_[s];
      std::array<Row, 6> w;
      for (int k = 0; k < node.rates; ++k) {
        Row& row = w[At(k)];
        row = Row::Zero();
        std::copy_n(tau_of(node.u + k), columns, row.data());
        row.noalias() -= node.S.col(k).transpose().lazyProduct(p);
        for (int i = 0; i < k; ++i) row -= node.L(k, i) * w[At(i)];
        row *= node.inverse_diagonal[k];
        std::copy_n(row.data(), columns, w_of(node.u + k));
      }
      if (path[s].parent < 0) continue;
      for (int k = 0; k < node.rates; ++k) p.noalias() += node.U.col(k).lazyProduct(w[At(k)]);
      Columns& outboard = forces_[At(path[s].parent)];
      outboard += p;
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        outboard.row(i) += node.r[j] * p.row(3 + k) - node.r[k] * p.row(3 + j);
      }
    }
  }

  // (3): one number per rate of the system in both. Rates of driven joints are 0.
  void Return(std::span<const double> w, std::span<double> u);

  // After Set. The pose of a body, and the point of its joint; for the ground the origin.
  struct Placed {
    Vector3 point, position;
    Quaternion orientation;
  };
  Placed placed(int body) const {
    if (body == kGround) return {};
    const Node& node = nodes_[At(body)];
    return {node.point, node.position, node.orientation};
  }
  // The passage of changes of rates through a body's joint; a joint without free rates is a rigid axis.
  void SetPassage(int body, LoopElimination::Passage& passage) const;
  // Writes L' d into w of (3), with d in inertial axes from the elimination of loops.
  void Weigh(int body, const double* change, std::span<double> w) const;

 private:
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  struct Node {  // a body and its joint, in the order of bodies
    JointType type = JointType::kFixed;
    Frame parent_frame, child_frame;
    int parent = kGround;  // body
    int q = 0, u = 0;
    int rates = 0;  // free ones
    double mass = 0;
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // body axes
    Vector3 point, position;
    Quaternion orientation;
    Eigen::Vector3d r = Eigen::Vector3d::Zero();  // from the parent's point
    // One column per rate.
    Matrix6 S = Matrix6::Zero(), U = Matrix6::Zero(), L = Matrix6::Zero();
    Vector6 inverse_diagonal = Vector6::Zero();  // of L
    Matrix6 I = Matrix6::Zero();
    Vector6 a = Vector6::Zero();
  };
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }

  void Place(Node& node, const double* y);
  template <int kRates>
  void Eliminate(Node& node) const;

  std::vector<Node> nodes_;
  std::vector<int> order_;  // of bodies, root side first
  double least_of_turn_, least_of_slide_;
  std::vector<Columns> forces_;
};

}  // namespace mbsbench
