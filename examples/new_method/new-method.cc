// new-method: a formulation in joint coordinates to start from.
//
// Source: Kane, Levinson, Dynamics (1985), sections 2.14 and 4.11. Everything is in inertial axes, for each group of welded
// bodies about its own origin, at its joint: mass m, first moment h, inertia J. Rate k of a joint on the path from the
// root moves the group by its partial velocity (w; v)_k.
//   f = m a + alpha x h + omega x (omega x h) - load           a, alpha: at u' = 0
//   n = J alpha + h x a + omega x J omega - moment of the load                                     (1)
//   M_kl = sum over the groups (w; v)_l . (J w_k + h x v_k; m v_k + w_k x h)                       (2)
//   M u' = springs - sum over the groups (w; v)_k . (n; f)                                         (3)
// Replace (1) to (3) by the equations of your own method; docs/add_a_method.md explains the rest.
#include <Eigen/Dense>
#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "methods/coordinates/tree_formulation.h"
#include "methods/interface/plugin.h"
#include "methods/kinematics/joint_laws.h"
#include "methods/kinematics/single_axes.h"
#include "methods/tree_motion/force_element_loads.h"
#include "methods/tree_motion/group_accelerations.h"

namespace mbsbench {

namespace {

constexpr int kMostRates = 1000;  // the mass matrix is dense

std::size_t At(int i) { return static_cast<std::size_t>(i); }

class Method final : public TreeFormulation {
 public:
  explicit Method(const System& system)
      : TreeFormulation(system, Stabilisation::kNone),
        tree_(MakeGroupTree<double>(system)),
        motion_(tree_),
        element_loads_(system, tree_),
        forces_in_joints_(system, OffsetsOf(system).u),
        loads_(tree_.groups.size()),
        accelerations_(tree_.groups.size()),
        columns_(joints().rate_count()),
        rates_in_order_(columns_.size()),
        M_(columns_.size(), columns_.size()),
        right_(columns_.size()),
        solver_(static_cast<Eigen::Index>(columns_.size())),
        y_(state_size()),
        ydot_(state_size()) {
    path_.reserve(columns_.size());
  }

 private:
  struct Column {  // of the motion subspace of a joint
    bool turns;
    Vec<double> direction;
    int joint;
    double largest_inertia;  // that the joint could have about or along it
  };
  struct PartialVelocity {
    int rate;
    Vec<double> w, v;
  };

  int FirstRate(const SweepGroup<double>& group) const {
    return group.u - static_cast<int>(joints().count());
  }

  // ydot = [q'; u'] at y = [q; u]. Allocates nothing.
  Status Solve(double t, std::span<const double> y, std::span<double> ydot) override {
    motion_.PassMotion(y.data(), ydot.data());
    right_.setZero();
    forces_in_joints_.Put(t, y.data(), std::span(right_.data(), columns_.size()));
    if (!element_loads_.empty()) element_loads_.Apply(y.data(), motion_, loads_);
    PassAccelerations(tree_, motion_, y.data(), nullptr, system().gravity, accelerations_);

    M_.setZero();
    for (std::size_t i = 1; i < tree_.groups.size(); ++i) AddGroup(i, y.data());
    if (right_.size() > 0) {
      solver_.compute(M_);
      if (const int rate = SingularRate(); rate >= 0) return Singular(columns_[At(rate)].joint);
      solver_.solveInPlace(right_);
    }
    for (std::size_t k = 0; k < columns_.size(); ++k)
      ydot[joints().count() + k] = right_[static_cast<Eigen::Index>(k)];
    std::copy(y.begin(), y.end(), y_.begin());
    std::copy(ydot.begin(), ydot.end(), ydot_.begin());
    return {};
  }

  // The accelerations of the mass centres, after Solve. Reactions follow from them by the equations of Newton and
  // Euler; a method whose unknowns are the reactions overrides Passed.
  std::vector<BodyAcceleration> Accelerations() const override {
    std::vector<GroupAcceleration> of_groups(tree_.groups.size());
    PassAccelerations(tree_, motion_, y_.data(), ydot_.data(), system().gravity, of_groups);
    return AccelerationsOfBodies(tree_.placements, motion_, system().gravity,
                                 [&](int group) { return of_groups[At(group)]; });
  }

  // (1), and its part of (2) and (3)
  void AddGroup(std::size_t i, const double* y) {
    const SweepGroup<double>& group = tree_.groups[i];
    const GroupMotion<double>& motion = motion_.motion(static_cast<int>(i));
    ForMovingJoint(group.type, [&](auto joint) {
      ForEachColumn<decltype(joint)>(
          motion.R, y + group.q, [&](int k, bool turns, const Vec<double>& direction) {
            columns_[At(FirstRate(group) + k)] = {turns, direction, group.joint, 0};
          });
    });
    const auto& [alpha, a] = accelerations_[i];
    const Vec<double>& omega = motion.omega;
    const double m = group.mass;
    const Vec<double> h = motion.R * group.moment;
    const Sym<double> J = Turned(motion.R, group.inertia);
    const Vec<double> f = AddDoubleCross(AddCross(m * a - loads_[i].force, alpha, h), omega, h);
    const Vec<double> n = AddCross(AddCross(J * alpha - loads_[i].moment, h, a), omega, J * omega);

    path_.clear();
    Vec<double> r{0, 0, 0};  // from the origin of a group on the path
    for (int at = static_cast<int>(i); at != 0; at = tree_.groups[At(at)].parent) {
      const SweepGroup<double>& above = tree_.groups[At(at)];
      for (int k = FirstRate(above); k < FirstRate(above) + RateCount(above.type); ++k) {
        auto& [turns, s, joint, largest_inertia] = columns_[At(k)];
        path_.push_back({k, turns ? s : Vec<double>{0, 0, 0}, turns ? Cross(s, r) : s});
        largest_inertia += turns ? Trace(J) + 4 * Dot(h, r) + 2 * m * Dot(r, r) : m;
      }
      r = r + motion_.motion(at).r;
    }
    for (const PartialVelocity& k : path_) {
      right_[k.rate] -= Dot(k.w, n) + Dot(k.v, f);
      const Vec<double> force = AddCross(m * k.v, k.w, h), moment = AddCross(J * k.w, h, k.v);
      for (const PartialVelocity& l : path_)
        M_(k.rate, l.rate) += Dot(l.w, moment) + Dot(l.v, force);
    }
  }

  // The rate without inertia, from M = P' L D L' P; -1: none. A diagonal entry may be round-off itself, so a pivot is compared with
  // the largest inertia that its joint could have.
  int SingularRate() {
    for (std::size_t k = 0; k < columns_.size(); ++k) rates_in_order_[k] = static_cast<int>(k);
    const auto& swaps = solver_.transpositionsP().indices();
    for (Eigen::Index k = 0; k < swaps.size(); ++k) {
      std::swap(rates_in_order_[static_cast<std::size_t>(k)], rates_in_order_[At(swaps[k])]);
      const int rate = rates_in_order_[static_cast<std::size_t>(k)];
      if (!(solver_.vectorD()[k] > 1e-14 * columns_[At(rate)].largest_inertia)) return rate;
    }
    return -1;
  }

  const GroupTree<double> tree_;
  TreeMotion<double> motion_;
  ForceElementLoads element_loads_;
  JointForces forces_in_joints_;
  std::vector<Load<double>> loads_;               // per group
  std::vector<GroupAcceleration> accelerations_;  // per group, at u' = 0
  std::vector<Column> columns_;                   // per rate
  std::vector<PartialVelocity> path_;             // of the rates that move the current group
  std::vector<int> rates_in_order_;               // by pivots
  Eigen::MatrixXd M_;
  Eigen::VectorXd right_;
  Eigen::LDLT<Eigen::MatrixXd> solver_;
  std::vector<double> y_, ydot_;  // of the last evaluation
};

// Conditions that no list of capabilities can express. It is called for 100,000 bodies: prepare nothing here.
Verdict Supports(const System& system, const MethodOptions&) {
  int rates = 0;
  for (const Joint& joint : system.joints) {
    if ((rates += RateCount(joint.type)) > kMostRates)
      return Verdict::No("joint '" + joint.name + "' is beyond the rates that new-method takes.");
  }
  return {};
}

MethodEntry Entry() {
  MethodEntry entry;
  entry.key = "new-method";
  entry.title = "Mass matrix";
  entry.source = "Kane, Levinson 1985, sections 2.14 and 4.11";
  entry.description = "Joint coordinates; the mass matrix from partial velocities, solved dense.";
  entry.cost_exponent = 3;
  entry.shared_parts = {"tree joints", "tree motion", "force elements", "joint reactions"};
  entry.capabilities = {.tree_joints = AllTreeJoints(),
                        .force_elements = AllForceElements(),
                        .bodies = {{UnusualBody::kPoint, UnusualBody::kInertiaWithoutMass,
                                    UnusualBody::kWithoutMassOrInertia}},
                        .motion_in_space = true};
  entry.supports = Supports;
  entry.prepare = [](const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
    return std::make_unique<Method>(system);
  };
  return OnSingleAxes(std::move(entry));
}

}  // namespace

}  // namespace mbsbench

MBSBENCH_PLUGIN("new-method", mbsbench::Entry());
