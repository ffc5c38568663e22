// new-method: a formulation in joint coordinates to start from.
//
// Source: Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 5 and 6. Everything is in inertial axes, for
// each group about its own origin, at its joint. Group i has the parent p, the arm r from the origin of p, and
// mass m, first moment h and inertia J; its joint moves it along columns (w; v) of the motion subspace, one for
// each rate.
//   f = m a + alpha x h + omega x (omega x h) - load           a, alpha: at u' = 0
//   n = J alpha + h x a + omega x J omega - moment of the load                                     (1)
//   M_ij = (w; v)_j . (n; f) the wrench that gives the composite body of i unit acceleration along column i   (2)
//   M u' = springs - (w; v) . (n; f), summed from the tips to the root                              (3)
// Replace (1) to (3) by the equations of your own method; docs/add_a_method.md explains the rest.
#include <Eigen/Dense>
#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "methods/interface/plugin.h"
#include "methods/kinematics/joint_springs.h"
#include "methods/kinematics/single_axes.h"
#include "methods/numerics/force_element_loads.h"
#include "methods/numerics/group_accelerations.h"
#include "methods/numerics/tree_formulation.h"

namespace mbsbench {

namespace {

constexpr char kKey[] = "new-method";
constexpr int kMostRates = 1000;  // the mass matrix is dense

std::size_t At(int i) { return static_cast<std::size_t>(i); }

class Method final : public TreeFormulation {
 public:
  explicit Method(const System& system)
      : TreeFormulation(system, Stabilisation::kNone),
        tree_(MakeGroupTree<double>(system)),
        motion_(tree_),
        element_loads_(system, tree_),
        springs_(system, OffsetsOf(system).u),
        loads_(tree_.groups.size()),
        accelerations_(tree_.groups.size()),
        bodies_(tree_.groups.size()),
        columns_(joints().rate_count()),
        largest_inertia_(columns_.size()),
        joint_of_rate_(columns_.size()),
        rates_in_order_(columns_.size()),
        M_(columns_.size(), columns_.size()),
        right_(columns_.size()),
        solver_(static_cast<Eigen::Index>(columns_.size())),
        y_(state_size()),
        ydot_(state_size()) {
    for (std::size_t i = 1; i < tree_.groups.size(); ++i) {
      const SweepGroup<double>& group = tree_.groups[i];
      for (int k = 0; k < RateCount(group.type); ++k)
        joint_of_rate_[At(FirstRate(group) + k)] = group.joint;
    }
  }

 private:
  struct CompositeBody {
    double m;
    Vec<double> h;
    Sym<double> J;
    Vec<double> f, n;
  };
  struct Column {  // of the motion subspace: one of w and v is zero
    bool turns;
    Vec<double> direction;
    double Along(const Vec<double>& f, const Vec<double>& n) const {
      return Dot(direction, turns ? n : f);
    }
  };

  int FirstRate(const SweepGroup<double>& group) const {
    return group.u - static_cast<int>(joints().count());
  }

  // ydot = [q'; u'] at y = [q; u]. Allocates nothing.
  Status Solve(double, std::span<const double> y, std::span<double> ydot) override {
    motion_.PassMotion(y.data(), ydot.data());
    right_.setZero();
    springs_.Put(y.data(), std::span(right_.data(), columns_.size()));
    if (!element_loads_.empty()) element_loads_.Apply(y.data(), motion_, loads_);
    PassAccelerations(tree_, motion_, y.data(), nullptr, system().gravity, accelerations_);

    for (std::size_t i = 1; i < tree_.groups.size(); ++i) SetBody(i, y.data());
    M_.setZero();
    for (std::size_t i = tree_.groups.size() - 1; i > 0; --i) {
      SetRows(i);
      if (tree_.groups[i].parent != 0) HandOver(i);
    }

    if (right_.size() > 0) {
      solver_.compute(M_);
      if (const int rate = SingularRate(); rate >= 0) return Singular(joint_of_rate_[At(rate)]);
      solver_.solveInPlace(right_);
    }
    for (std::size_t k = 0; k < columns_.size(); ++k)
      ydot[joints().count() + k] = right_[static_cast<Eigen::Index>(k)];
    std::copy(y.begin(), y.end(), y_.begin());
    std::copy(ydot.begin(), ydot.end(), ydot_.begin());
    return {};
  }

  // Of the mass centres, after Solve. Reactions follow from them by the equations of Newton and Euler; a method
  // whose unknowns are the reactions overrides Passed.
  std::vector<BodyAcceleration> Accelerations() const override {
    std::vector<GroupAcceleration> of_groups(tree_.groups.size());
    PassAccelerations(tree_, motion_, y_.data(), ydot_.data(), system().gravity, of_groups);
    return AccelerationsOfBodies(tree_.seats, motion_, system().gravity,
                                 [&](int group) { return of_groups[At(group)]; });
  }

  // Columns of the joint, and (1).
  void SetBody(std::size_t i, const double* y) {
    const SweepGroup<double>& group = tree_.groups[i];
    const GroupMotion<double>& motion = motion_.motion(static_cast<int>(i));
    ForMovingJoint(group.type, [&](auto joint) {
      ForEachColumn<decltype(joint)>(motion.R, y + group.q,
                                     [&](int k, bool turns, const Vec<double>& direction) {
                                       columns_[At(FirstRate(group) + k)] = {turns, direction};
                                     });
    });
    const auto& [alpha, a] = accelerations_[i];
    const Vec<double>& omega = motion.omega;
    CompositeBody& body = bodies_[i];
    body.m = group.mass;
    body.h = motion.R * group.moment;
    body.J = Turned(motion.R, group.inertia);
    body.f = AddDoubleCross(AddCross(body.m * a - loads_[i].force, alpha, body.h), omega, body.h);
    body.n =
        AddCross(AddCross(body.J * alpha - loads_[i].moment, body.h, a), omega, body.J * omega);
  }

  // (2) and (3)
  void SetRows(std::size_t i) {
    const CompositeBody& body = bodies_[i];
    const int first = FirstRate(tree_.groups[i]);
    for (int row = first; row < first + RateCount(tree_.groups[i].type); ++row) {
      const Column& column = columns_[At(row)];
      right_[row] -= column.Along(body.f, body.n);
      largest_inertia_[At(row)] = column.turns ? Trace(body.J) : body.m;
      const Vec<double>& s = column.direction;
      Vec<double> f = column.turns ? Cross(s, body.h) : body.m * s;
      Vec<double> n = column.turns ? body.J * s : Cross(body.h, s);
      for (int j = static_cast<int>(i); j != 0; j = tree_.groups[At(j)].parent) {
        const SweepGroup<double>& above = tree_.groups[At(j)];
        for (int k = FirstRate(above); k < FirstRate(above) + RateCount(above.type); ++k)
          M_(row, k) = M_(k, row) = columns_[At(k)].Along(f, n);
        n = AddCross(n, motion_.motion(j).r, f);
      }
    }
  }

  // The composite body and its wrench about the origin of the parent.
  void HandOver(std::size_t i) {
    const CompositeBody& body = bodies_[i];
    CompositeBody& parent = bodies_[At(tree_.groups[i].parent)];
    const Vec<double>& r = motion_.motion(static_cast<int>(i)).r;
    const Vec<double> g = AddScaled(body.h, 0.5 * body.m, r);
    const double xx = g.x * r.x, yy = g.y * r.y, zz = g.z * r.z;
    parent.J = parent.J + body.J +
               Sym<double>{2 * (yy + zz), -(g.x * r.y + g.y * r.x), -(g.x * r.z + g.z * r.x),
                           2 * (xx + zz), -(g.y * r.z + g.z * r.y), 2 * (xx + yy)};
    parent.h = AddScaled(parent.h + body.h, body.m, r);
    parent.m += body.m;
    parent.f = parent.f + body.f;
    parent.n = AddCross(parent.n + body.n, r, body.f);
  }

  // The rate without inertia, from M = P' L D L' P; -1: none. A diagonal entry may be round-off itself, so a pivot is compared with
  // the largest inertia that its joint could have.
  int SingularRate() {
    for (std::size_t k = 0; k < columns_.size(); ++k) rates_in_order_[k] = static_cast<int>(k);
    const auto& swaps = solver_.transpositionsP().indices();
    for (Eigen::Index k = 0; k < swaps.size(); ++k) {
      std::swap(rates_in_order_[static_cast<std::size_t>(k)], rates_in_order_[At(swaps[k])]);
      const int rate = rates_in_order_[static_cast<std::size_t>(k)];
      if (!(solver_.vectorD()[k] > 1e-14 * largest_inertia_[At(rate)]))
        return rate;  // or no number
    }
    return -1;
  }

  const GroupTree<double> tree_;
  TreeMotion<double> motion_;
  ForceElementLoads element_loads_;
  JointSprings springs_;
  std::vector<Load<double>> loads_;               // per group
  std::vector<GroupAcceleration> accelerations_;  // per group, at u' = 0
  std::vector<CompositeBody> bodies_;             // per group
  std::vector<Column> columns_;                   // per rate
  std::vector<double> largest_inertia_;           // per rate
  std::vector<int> joint_of_rate_, rates_in_order_;
  Eigen::MatrixXd M_;
  Eigen::VectorXd right_;
  Eigen::LDLT<Eigen::MatrixXd> solver_;
  std::vector<double> y_, ydot_;  // of the last evaluation
};

// Conditions that no list of capabilities can express. It is called for systems of 100,000 bodies: prepare
// nothing here.
Verdict Supports(const System& system, const MethodOptions&) {
  int rates = 0;
  for (const Joint& joint : system.joints) {
    rates += RateCount(joint.type);
    if (rates > kMostRates) {
      return Verdict::No("joint '" + joint.name + "' is beyond the " + std::to_string(kMostRates) +
                         " rates that " + kKey + " takes.");
    }
  }
  return {};
}

Capabilities WhatItTakes() {
  using enum UnusualBody;
  return {.tree_joints = AllTreeJoints(),
          .force_elements = AllForceElements(),
          .bodies = {{kPoint, kInertiaWithoutMass, kWithoutMassOrInertia}},
          .motion_in_space = true};
}

MethodEntry Entry() {
  MethodEntry entry;
  entry.key = kKey;
  entry.title = "Mass matrix";
  entry.source = "Featherstone 2008, ch. 5 and 6";
  entry.description = "Joint coordinates; the mass matrix from composite bodies, solved dense.";
  entry.cost_exponent = 3;
  entry.shared_parts = {"tree joints", "tree motion", "force elements", "joint reactions"};
  entry.capabilities = WhatItTakes();
  entry.supports = Supports;
  entry.prepare = [](const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
    return std::make_unique<Method>(system);
  };
  return OnSingleAxes(std::move(entry));
}

}  // namespace

}  // namespace mbsbench

MBSBENCH_PLUGIN("new-method", mbsbench::Entry());
