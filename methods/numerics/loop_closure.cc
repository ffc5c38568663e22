#include "methods/numerics/loop_closure.h"

#include <algorithm>
#include <cmath>

#include "methods/kinematics/force_elements.h"
#include "methods/numerics/least_response.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace {

// A reaction that changes by less than this part of the largest change is determined.
constexpr double kNoChange = 1e-9;

}  // namespace

std::vector<MethodOption> StabilisationOptions() {
  return {{"projected", "loops: after each step onto the position and velocity constraints",
           "stabilisation", true},
          {"baumgarte", "loops: g'' + 2 alpha g' + beta^2 g = 0, alpha = beta = 10/(0.3 s)",
           "stabilisation", false},
          {"none", "loops: g'' = 0 alone, drift as it comes", "stabilisation", false}};
}

Stabilisation StabilisationOf(const MethodOptions& options) {
  if (Has(options, "none")) return Stabilisation::kNone;
  return Has(options, "baumgarte") ? Stabilisation::kBaumgarte : Stabilisation::kProjected;
}

Verdict StabilisationSupports(const System& system, const MethodOptions& options) {
  if (!system.loop_joints.empty()) return {};
  for (const char* name : {"none", "baumgarte"}) {
    if (Has(options, name)) {
      return Verdict::No(std::string("no loops: nothing to stabilise, '") + name +
                         "' has no meaning here");
    }
  }
  return {};
}

LoopClosure::LoopClosure(const System& system, Stabilisation stabilisation)
    : stabilisation_(stabilisation),
      rows_(At(LoopRowCount(system))),
      system_(LoopRowCount(system)) {
  tree_.bodies = system.bodies;
  tree_.joints = system.joints;
  const LeastResponse least(system);
  int first = 0;
  for (const Joint& joint : system.loop_joints) {
    const LoopJoint rows(joint);
    loops_.push_back({rows, joint.parent, joint.child, first, {}});
    first += rows.size();
    for (int i = 0; i < rows.size(); ++i) {
      least_.push_back(i < rows.force_rows() ? least.OfForce() : least.OfMoment());
    }
  }
}

void LoopClosure::CalcRows(int loop, const BodyState& parent, const BodyState& child) {
  Loop& l = loops_[At(loop)];
  l.point = l.joint.CalcRows(parent, child, rows_.data() + l.first_row);
}

void LoopClosure::Start() {
  system_.Clear();
  const bool baumgarte = stabilisation_ == Stabilisation::kBaumgarte;
  double* const b = right_side();
  for (int i = 0; i < row_count(); ++i) {
    const LoopRow& r = rows_[At(i)];
    b[i] = r.bias;
    if (baumgarte) b[i] += kBaumgarteRate * (2 * r.velocity + kBaumgarteRate * r.position);
  }
}

Status LoopClosure::Solve(double scale) {
  for (double& b : system_.right_side()) b = -b;
  for (int i = 0; i < row_count(); ++i) system_.DropRowBelow(i, least_[At(i)]);
  system_.Factorise();
  const int row = system_.Solve(scale);
  if (row < 0) return {};
  const auto after = std::upper_bound(loops_.begin(), loops_.end(), row,
                                      [](int r, const Loop& loop) { return r < loop.first_row; });
  return {Status::Code::kSingular,
          static_cast<int>(tree_.joints.size()) + static_cast<int>(after - loops_.begin()) - 1, -1,
          "the joint's constraints contradict those of the other joints in this position"};
}

JointReaction LoopClosure::ReactionOf(int loop) const {
  JointReaction reaction;
  for (int i = first_row(loop); i < end_row(loop); ++i) {
    const double x = system_.solution()[At(i)];
    reaction.force = reaction.force + x * rows_[At(i)].force;
    reaction.torque = reaction.torque + x * rows_[At(i)].moment;
  }
  return reaction;
}

void LoopClosure::CompleteReactions(const std::vector<BodyState>& bodies,
                                    std::vector<JointReaction>& reactions) const {
  const std::size_t joints = tree_.joints.size();
  for (int l = 0; l < loop_count(); ++l) reactions.push_back(ReactionOf(l));
  if (system_.rank() == row_count()) return;
  // Multipliers out of the null space move nothing: what they exert passes through the tree as in
  // statics.
  const Topology tree = TopologyOf(tree_);
  for (int k = 0; k < row_count() - system_.rank(); ++k) {
    const std::vector<double> x = system_.NullVector(k);
    std::vector<Wrench> passed(bodies.size());  // moments about the inertial origin
    std::vector<double> change(reactions.size());
    const auto exert = [&](int body, double sign, const Vector3& force, const Vector3& moment) {
      if (body == kGround) return;
      Wrench& w = passed[At(body)];
      w.force = w.force + sign * force;
      w.moment = w.moment + sign * moment;
    };
    const auto size = [&](const Wrench& w, const Vector3& point) {
      return Norm(w.force) + Norm(w.moment - Cross(point, w.force));
    };
    for (std::size_t l = 0; l < loops_.size(); ++l) {
      const Loop& loop = loops_[l];
      Wrench w;
      for (int i = loop.first_row; i < loop.first_row + loop.joint.size(); ++i) {
        w.force = w.force + x[At(i)] * rows_[At(i)].force;
        w.moment = w.moment + x[At(i)] * rows_[At(i)].moment;
      }
      w.moment = w.moment + Cross(loop.point, w.force);
      exert(loop.child, 1, w.force, w.moment);
      exert(loop.parent, -1, w.force, w.moment);
      change[joints + l] = size(w, loop.point);
    }
    for (auto b = tree.order.rbegin(); b != tree.order.rend(); ++b) {
      const Wrench& w = passed[At(*b)];
      const auto j = At(tree.joint[At(*b)]);
      const Joint& joint = tree_.joints[j];
      change[j] = size(w, bodies[At(*b)].position +
                              Rotate(bodies[At(*b)].orientation, joint.child_frame.position));
      exert(joint.parent, 1, w.force, w.moment);
    }
    const double largest = *std::max_element(change.begin(), change.end());
    for (std::size_t j = 0; j < change.size(); ++j) {
      if (change[j] > kNoChange * largest) reactions[j].unique = false;
    }
  }
}

}  // namespace mbsbench
