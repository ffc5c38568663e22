#include "methods/equivalent_particles/loops.h"

#include <algorithm>
#include <cmath>

#include "methods/equivalent_particles/particle_passages.h"
#include "methods/kinematics/loop_reactions.h"
#include "methods/kinematics/reach.h"
#include "methods/numerics/coarse_unit.h"
#include "methods/thresholds/thresholds.h"
#include "problems/model/eigen.h"

namespace mbsbench::equivalent_particles {

namespace {

constexpr double kFarApart = 1;    // a gap
constexpr double kNothing = 1e-9;  // a displacement, beside the largest

}  // namespace

Loops::Loops(const System& system, const ParticleTree& tree, LoopElimination::Use elimination)
    : tree_(tree),
      cuts_(system, tree),
      closure_(static_cast<int>(cuts_.rows().size()), RowAccuracy(system)),
      gaps_(cuts_.rows().size()),
      wrenches_(tree.nodes.size()),
      response_(At(tree.slots), Vector3d::Zero()) {
  const WholeResponse whole(system);
  const std::vector<double> reach = ReachOf(system);
  const auto size_of = [&](const Joint& joint) {
    const double size = reach[At(joint.child)];
    return joint.parent == kGround ? size : std::min(size, reach[At(joint.parent)]);
  };
  for (std::size_t j = 0; j < cuts_.joints().size(); ++j) {
    const CutJoint& cut = cuts_.joints()[j];
    const Joint& joint =
        cut.tree_joint >= 0 ? system.joints[At(cut.tree_joint)] : system.loop_joints[j];
    for (int r = cut.first_row; r < cut.end_row; ++r) {
      const bool is_of_points = cuts_.rows()[At(r)].u.parts[0].total != 0;
      // All multipliers exert a unit force or moment.
      closure_.units()[At(r)] = is_of_points ? whole.OfForce() : whole.OfMoment();
      per_length_.push_back(is_of_points ? 1 / size_of(joint) : 1);
    }
  }
  is_carried_.assign(cuts_.rows().size(), 0);
  efforts_.resize(cuts_.carried().size());
  for (const DriverRow& d : cuts_.drivers()) {
    is_carried_[At(d.row)] = d.carried >= 0;
    if (d.carried < 0) ++drivers_with_rows_;
  }
  std::vector<char> on_path(tree.nodes.size(), 0);
  for (const CutJoint& joint : cuts_.joints()) {
    for (int n : {joint.parent_node, joint.child_node}) {
      for (; n != 0; n = tree.nodes[At(n)].parent) on_path[At(n)] = 1;
    }
  }
  for (std::size_t n = 1; n < on_path.size(); ++n) {
    if (on_path[n] != 0) paths_.push_back(static_cast<int>(n));
  }
  if (!system.drivers.empty()) return;
  std::vector<int> parents, child, parent;
  for (const Node& node : tree.nodes) parents.push_back(node.parent);
  for (const CutJoint& joint : cuts_.joints()) {
    child.push_back(joint.child_node);
    parent.push_back(joint.parent_node);
  }
  loop_paths_ = std::make_unique<LoopPaths>(system, parents, child, parent);
  std::vector<JointType> types;
  for (std::size_t k = 0; k + 1 < loop_paths_->stops().size(); ++k)
    types.push_back(tree.groups.groups[At(loop_paths_->stops()[k].element)].type);
  elimination_ =
      std::make_unique<LoopElimination>(system, *loop_paths_, std::move(types), elimination);
  pulls_.resize(2 * cuts_.rows().size());
  multipliers_.reserve(cuts_.rows().size());
}

// Passages and rows at the positions of the last sums.Solve().
bool Loops::Eliminate(const MomentSums& sums) {
  if (!elimination_ || !elimination_->IsChosen(is_starting_)) return false;
  for (std::size_t k = 0; k + 1 < loop_paths_->stops().size(); ++k)
    SetPassage(tree_, sums, loop_paths_->stops()[k].element,
               elimination_->passage(static_cast<int>(k)));
  for (const CutJoint& joint : cuts_.joints()) {
    for (int r = joint.first_row; r < joint.end_row; ++r) {
      const int nodes[2] = {joint.child_node, joint.parent_node};
      for (int n : nodes) wrenches_[At(n)] = {};
      cuts_.Pull(cuts_.rows()[At(r)], 1, sums.positions(), wrenches_);
      for (int side : {0, 1}) {
        Load& w = wrenches_[At(nodes[side])];
        pulls_[At(2 * r + side)] = {{w.force[0], w.force[1], w.force[2]},
                                    {w.moment[0], w.moment[1], w.moment[2]}};
        w = {};  // of one node it counts once
      }
    }
  }
  return elimination_->Solve(pulls_, gaps_.data(), {}, is_starting_);
}

void Loops::SetAccelerationsOfRows(MomentSums& sums) {
  for (std::size_t r = 0; r < gaps_.size(); ++r)
    gaps_[r] = is_carried_[r] != 0 ? 0
                                   : cuts_.Acceleration(cuts_.rows()[r], sums.positions(),
                                                        sums.velocities(), sums.accelerations());
}

// A second pass removes the round-off of the passages.
bool Loops::CloseByElimination(MomentSums& sums) {
  constexpr double kRoundOff = 1e-13;
  const auto largest = [this] {
    double size = 0;
    for (double gap : gaps_) size = std::max(size, std::abs(gap));
    return size;
  };
  has_eliminated_ = Eliminate(sums);
  if (!has_eliminated_) return false;
  const double before = largest();
  multipliers_.assign(elimination_->multipliers().begin(), elimination_->multipliers().end());
  Combine(multipliers_, sums, sums.accelerations());
  SetAccelerationsOfRows(sums);
  if (largest() > kRoundOff * before &&
      elimination_->Solve(pulls_, gaps_.data(), {}, is_starting_)) {
    Combine(elimination_->multipliers(), sums, sums.accelerations());
    for (std::size_t r = 0; r < multipliers_.size(); ++r)
      multipliers_[r] += elimination_->multipliers()[r];
  }
  closure_.Take(multipliers_);
  return true;
}

std::vector<double> Loops::IndependentMultipliers(std::vector<char>& is_independent) {
  if (!has_eliminated_) {
    std::vector<double> multipliers = closure_.BasicSolution(is_independent);
    for (const DriverRow& d : cuts_.drivers()) {
      if (d.carried < 0) continue;
      multipliers[At(d.row)] = efforts_[At(d.carried)];
      is_independent[At(d.row)] = 1;
    }
    return multipliers;
  }
  std::fill(is_independent.begin(), is_independent.end(), 1);
  return multipliers_;
}

double Loops::Gap(const Vector3d* x) const {
  double gap = 0;
  for (std::size_t r = 0; r < per_length_.size(); ++r)
    gap = std::max(gap, per_length_[r] * std::abs(cuts_.Value(cuts_.rows()[r], x)));
  return gap;
}

void Loops::SetResponses(MomentSums& sums, double gap) {
  closure_.ClearMatrix();
  const Vector3d* x = sums.positions();
  const int rows = closure_.size();
  for (int c = 0; c < rows; ++c) {
    if (is_carried_[At(c)] != 0) continue;
    for (int n : paths_) wrenches_[At(n)] = {};
    cuts_.Pull(cuts_.rows()[At(c)], 1, x, wrenches_);
    sums.Respond(paths_, wrenches_, false, response_.data());
    for (int r = c; r < rows; ++r) {
      if (is_carried_[At(r)] != 0) continue;
      const CutRow& row = cuts_.rows()[At(r)];
      closure_.matrix()[At(r * rows + c)] = cuts_.Response(row, x, response_.data());
    }
  }
  closure_.Factorise(gap);
}

void Loops::Combine(std::span<const double> factors, MomentSums& sums, Vector3d* by) {
  std::fill(wrenches_.begin(), wrenches_.end(), Load{});
  for (std::size_t c = 0; c < factors.size(); ++c) {
    cuts_.Pull(cuts_.rows()[c], factors[c], sums.positions(), wrenches_);
  }
  sums.Respond(paths_, wrenches_, true, response_.data());
  for (std::size_t i = 0; i < response_.size(); ++i) by[i] += response_[i];
}

double Loops::TypicalAcceleration(MomentSums& sums) const {
  double typical = 0;
  for (int n : paths_) {
    const Node& node = tree_.nodes[At(n)];
    const Vector3d *x = sums.positions() + node.first_slot,
                   *v = sums.velocities() + node.first_slot;
    typical = std::max(
        {typical, sums.accelerations()[node.first_slot].norm(), v[0].squaredNorm() / node.size});
    for (int i = 1; i < node.count; ++i)
      typical = std::max(typical, (v[i] - v[0]).squaredNorm() / (x[i] - x[0]).norm());
  }
  return typical;
}

Status Loops::Close(MomentSums& sums) {
  const Status status = CloseRows(sums);
  if (cuts_.carried().empty() || !status.ok()) return status;
  sums.AccelerateCarried();
  for (std::size_t k = 0; k < efforts_.size(); ++k) efforts_[k] = sums.EffortOf(cuts_.carried()[k]);
  return {};
}

Status Loops::CloseRows(MomentSums& sums) {
  SetAccelerationsOfRows(sums);
  if (CloseByElimination(sums)) return {};
  SetResponses(sums, compares_closely_ ? Gap(sums.positions()) : kFarApart);
  for (std::size_t r = 0; r < gaps_.size(); ++r) closure_.right_side()[r] = -gaps_[r];
  const double scale = closure_.rank() < closure_.size() ? TypicalAcceleration(sums) : 0;
  if (const int row = closure_.Solve(scale); row >= 0) {
    int loop = 0;
    while (cuts_.joints()[At(loop)].end_row <= row) ++loop;
    const int tree_joint = cuts_.joints()[At(loop)].tree_joint;
    return {Status::Code::kSingular,
            tree_joint >= 0 ? tree_joint : static_cast<int>(tree_.placements.size()) + loop, -1,
            "the joint's constraints contradict those of the other joints in this position"};
  }
  Combine(closure_.solution(), sums, sums.accelerations());
  return {};
}

Status Loops::Project(const RigidityProjection& projection, MomentSums& sums) {
  constexpr int kIterations = 3;
  constexpr double kClosed = 1e-14;
  Vector3d *x = sums.positions(), *v = sums.velocities();
  const auto correct = [&](bool rates, Vector3d* moved) {
    double largest = 0;
    for (std::size_t r = 0; r < cuts_.rows().size(); ++r) {
      const CutRow& row = cuts_.rows()[r];
      const double value = is_carried_[r] != 0 ? 0
                           : rates             ? cuts_.Rate(row, x, v)
                                               : cuts_.Value(row, x);
      gaps_[r] = value;
      largest = std::max(largest, CoarseUnit(per_length_[r]) * std::abs(value));
    }
    if (largest < kClosed) return true;
    if (Eliminate(sums)) {
      Combine(elimination_->multipliers(), sums, moved);
      return false;
    }
    SetResponses(sums, kFarApart);
    for (std::size_t r = 0; r < gaps_.size(); ++r) closure_.right_side()[r] = -gaps_[r];
    // If the conditions are dependent, contradictions are ignored: they are of second order in the
    // correction.
    closure_.Solve(1e300);
    Combine(closure_.solution(), sums, moved);
    return false;
  };
  projection.Apply(x, v);
  for (int i = 0; i < kIterations; ++i) {
    if (const Status status = sums.Solve(); !status.ok()) return status;
    if (correct(false, x)) break;
    projection.Apply(x, v);
  }
  if (const Status status = sums.Solve(); !status.ok()) return status;
  correct(true, v);
  sums.PlaceCarried();
  return {};
}

std::vector<JointReaction> Loops::CutReactions(std::span<const double> multipliers,
                                               const Vector3d* x) const {
  std::vector<JointReaction> reactions;
  std::vector<Load> wrenches(tree_.nodes.size());
  for (const CutJoint& joint : cuts_.joints()) {
    if (joint.tree_joint >= 0) continue;
    for (int n : {joint.child_node, joint.parent_node}) wrenches[At(n)] = {};
    for (int r = joint.first_row; r < joint.end_row; ++r)
      cuts_.Pull(cuts_.rows()[At(r)], multipliers[At(r)], x, wrenches);
    const Node& node = tree_.nodes[At(joint.child_node)];
    const Load& w = wrenches[At(joint.child_node)];
    const Vector3d* slots = x + node.first_slot;
    const Vector3d arm =
        equivalent_particles::Combine(joint.child_point, slots, node.count) - slots[0];
    reactions.push_back({FromEigen(w.force), FromEigen(w.moment - arm.cross(w.force))});
  }
  return reactions;
}

std::vector<DriverObservation> Loops::Drivers() const {
  std::vector<DriverObservation> drivers;
  for (const DriverRow& d : cuts_.drivers()) {
    drivers.push_back({d.now.position, d.now.rate, d.now.acceleration,
                       d.carried < 0 ? closure_.solution()[At(d.row)] : efforts_[At(d.carried)]});
  }
  return drivers;
}

std::vector<std::vector<JointReaction>> Loops::WithinNodes(std::size_t loops,
                                                           const Vector3d* x) const {
  std::vector<std::vector<JointReaction>> changes;
  for (std::size_t loop = 0; loop < loops; ++loop) {
    const CutJoint& joint = cuts_.joints()[loop];
    if (joint.child_node != joint.parent_node) continue;
    for (int r = joint.first_row; r < joint.end_row; ++r) {
      const CutRow& row = cuts_.rows()[At(r)];
      const Vector3d u = cuts_.ValueOf(row.u, x, true), w = cuts_.ValueOf(row.w, x, true);
      JointReaction& change = changes.emplace_back(loops)[loop];
      // A row of a displacement, which is 0 or along w, holds a force; one of two directions a moment.
      const double least = kNothing * std::max(u.norm(), w.norm());
      if (u.cross(w).norm() > least * std::max(u.norm(), w.norm()))
        change.torque = FromEigen(u.cross(w).normalized());
      else
        change.force = FromEigen((u.norm() > least ? u : w).normalized());
    }
  }
  return changes;
}

void Loops::MarkUndetermined(const System& system, const std::vector<BodyState>& bodies,
                             const Vector3d* x, std::vector<JointReaction>& reactions) const {
  std::vector<std::vector<JointReaction>> changes = WithinNodes(system.loop_joints.size(), x);
  for (int k = 0; k < closure_.size() - closure_.rank(); ++k) {
    std::vector<JointReaction> change = CutReactions(closure_.NullVector(k), x);
    const auto is_felt = [](const JointReaction& r) {
      return Norm(r.force) + Norm(r.torque) > kThresholds.no_reaction;
    };
    if (std::ranges::any_of(change, is_felt)) changes.push_back(std::move(change));
  }
  for (const std::vector<JointReaction>& change : changes)
    mbsbench::MarkUndetermined(system, system.loop_joints, bodies, change,
                               kThresholds.unique_reaction, reactions);
}

}  // namespace mbsbench::equivalent_particles
