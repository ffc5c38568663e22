#include "methods/loops/loop_closure.h"

#include <algorithm>
#include <cmath>

#include "methods/kinematics/loop_reactions.h"
#include "methods/kinematics/reach.h"
#include "methods/loops/whole_response.h"
#include "methods/thresholds/thresholds.h"

namespace mbsbench {

std::vector<MethodOption> StabilisationOptions(std::vector<MethodOption> variants) {
  variants.insert(
      variants.end(),
      {{"projected", "loops: after each step onto the position and velocity constraints",
        "stabilisation", true},
       {"baumgarte", "loops: g'' + 2 alpha g' + beta^2 g = 0, alpha = beta = rate", "stabilisation",
        false},
       {"none", "loops: g'' = 0 alone, drift is not corrected", "stabilisation", false}});
  return variants;
}

Stabilisation StabilisationOf(const MethodOptions& options) {
  if (Has(options, "none")) return Stabilisation::kNone;
  if (!Has(options, "baumgarte")) return Stabilisation::kProjected;
  return {Stabilisation::kBaumgarte, Number(options, kBaumgarteRate)};
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
      system_(LoopRowCount(system), RowAccuracy(system)) {
  tree_.bodies = system.bodies;
  tree_.joints = system.joints;
  tree_.loop_joints = system.loop_joints;
  tree_.drivers = system.drivers;
  tree_.loop_precision = system.loop_precision;
  const WholeResponse whole(system);
  const std::vector<double> reach = ReachOf(system);
  int first = 0;
  for (const Joint& joint : system.loop_joints) {
    const LoopJoint rows(joint);
    double size = reach[At(joint.child)];
    if (joint.parent != kGround) size = std::min(size, reach[At(joint.parent)]);
    loops_.push_back({rows, joint.parent, joint.child, first, 1 / size});
    for (int i = 0; i < rows.size(); ++i)
      system_.units()[At(first + i)] = i < rows.force_rows() ? whole.OfForce() : whole.OfMoment();
    first += rows.size();
  }
}

void LoopClosure::CalcRowsAt(std::span<const BodyState> bodies) {
  const auto state_of = [bodies](int body) {
    return body == kGround ? BodyState{} : bodies[At(body)];
  };
  CalcRows([&](int l, LoopRow* rows) {
    const Loop& loop = loops_[At(l)];
    loop.joint.CalcRows(state_of(loop.parent), state_of(loop.child), rows);
  });
}

void LoopClosure::SetRightSide() {
  const bool baumgarte = stabilisation_ == Stabilisation::kBaumgarte;
  const double rate = stabilisation_.rate;
  double* const b = right_side();
  for (int i = 0; i < row_count(); ++i) {
    const LoopRow& r = rows_[At(i)];
    b[i] = r.bias;
    if (baumgarte) b[i] += rate * (2 * r.velocity + rate * r.position);
  }
}

double LoopClosure::Gap() const {
  double gap = 0;
  for (const Loop& loop : loops_) {
    for (int i = 0; i < loop.joint.size(); ++i) {
      const double open = std::abs(rows_[At(loop.first_row + i)].position);
      gap = std::max(gap, i < loop.joint.force_rows() ? loop.per_length * open : open);
    }
  }
  return gap;
}

void LoopClosure::Factorise() {
  for (double& b : system_.right_side()) b = -b;
  compares_closely_ ? system_.Factorise(Gap()) : system_.Factorise();
}

Status LoopClosure::SolveFactorised(double scale) {
  const int row = system_.Solve(scale);
  if (row < 0) return {};
  const auto after = std::upper_bound(loops_.begin(), loops_.end(), row,
                                      [](int r, const Loop& loop) { return r < loop.first_row; });
  return {Status::Code::kSingular,
          static_cast<int>(tree_.joints.size()) + static_cast<int>(after - loops_.begin()) - 1, -1,
          "the joint's constraints contradict those of the other joints in this position"};
}

JointReaction LoopClosure::ReactionOf(int loop, std::span<const double> multipliers) const {
  JointReaction reaction;
  for (int i = first_row(loop); i < end_row(loop); ++i) {
    const double x = multipliers[At(i)];
    reaction.force = reaction.force + x * rows_[At(i)].force;
    reaction.torque = reaction.torque + x * rows_[At(i)].moment;
  }
  return reaction;
}

void LoopClosure::CompleteReactions(const std::vector<BodyState>& bodies,
                                    std::vector<JointReaction>& reactions) const {
  for (int l = 0; l < loop_count(); ++l) reactions.push_back(ReactionOf(l, system_.solution()));
  const double no_change =
      std::max(kThresholds.unique_reaction, kDependentPerPrecision * tree_.loop_precision);
  for (int k = 0; k < row_count() - system_.rank(); ++k) {
    const std::vector<double> x = system_.NullVector(k);
    std::vector<JointReaction> null_vector;
    for (int l = 0; l < loop_count(); ++l) null_vector.push_back(ReactionOf(l, x));
    MarkUndetermined(tree_, tree_.loop_joints, bodies, null_vector, no_change, reactions);
  }
}

}  // namespace mbsbench
