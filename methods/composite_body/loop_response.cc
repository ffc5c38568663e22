#include "methods/composite_body/loop_response.h"

#include <algorithm>

namespace mbsbench::composite_body {

LoopResponse::LoopResponse(const System& system, const GroupTree<double>& tree,
                           const FreeRates& rates)
    : rows_(LoopRowCount(system)),
      ends_(system, tree),
      paths_(PathsOfLoops(system, tree)),
      stop_of_rate_(rates.before.size(), -1),
      before_(rates.before) {
  for (const LoopPaths::Stop& stop : paths_.stops()) {
    for (int k = rates.first[At(stop.element + 1)]; k-- > rates.first[At(stop.element)];) {
      stop_of_rate_[At(k)] = static_cast<int>(stops_.size());
      stops_.push_back({k, paths_.runs(stop)});
    }
  }
  y_.resize(stops_.size() * At(rows_));
  for (const Joint& joint : system.loop_joints) {
    std::array<std::vector<int>, 2>& groups = groups_.emplace_back();
    int child = tree.GroupOf(joint.child), parent = tree.GroupOf(joint.parent);
    while (child != parent) {  // a parent has the smaller index
      int& farther = child > parent ? child : parent;
      groups[child > parent ? 0 : 1].push_back(farther);
      farther = tree.groups[At(farther)].parent;
    }
  }
}

// J' of a loop's rows by the rates of one side, and that side's part of the bias.
void LoopResponse::SetRows(int loop, int side, const JointSpaceEquations<double>& equations,
                           LoopClosure& closure) {
  const double sign = side == 0 ? 1 : -1;
  const int group = ends_.group(loop, side);
  const Vec<double>& arm = ends_.arm(loop, side);
  const Acceleration<double>& at_rest = equations.acceleration_at_rest(group);
  const Vec<double> a =
      AddDoubleCross(AddCross(at_rest.a, at_rest.alpha, arm), equations.motion(group).omega, arm);
  for (int i = closure.first_row(loop); i < closure.end_row(loop); ++i) {
    const Vec<double> f = sign * Lift<double>(closure.row(i).force);
    const Vec<double> n = sign * Lift<double>(closure.row(i).moment);
    closure.right_side()[i] += Dot(f, a) + Dot(n, at_rest.alpha);
    for (int g : groups_[At(loop)][At(side)]) {
      const Vec<double> n_g =
          AddCross(n, arm + (equations.position(group) - equations.position(g)), f);
      for (int k = equations.first_rate(g); k < equations.first_rate(g + 1); ++k) {
        y_of(k)[i] = Dot(equations.w(k), n_g) + Dot(equations.v(k), f);
      }
    }
  }
}

Status LoopResponse::Close(const double* y, const JointSpaceEquations<double>& equations,
                           LoopClosure& closure, std::span<double> t) {
  // constraint rows and J'
  ends_.CalcRows(y, equations, closure);
  std::fill(y_.begin(), y_.end(), 0.0);
  for (int l = 0; l < closure.loop_count(); ++l) {
    for (int side : {0, 1}) SetRows(l, side, equations, closure);
  }
  // (1) and (2), tips first
  const PathCholesky<double>& L = equations.inertia();
  double* const matrix = closure.ClearedMatrix();
  for (const Stop& stop : stops_) {
    double* const y_k = y_of(stop.rate);
    for (const RowRun& run : stop.runs) {
      for (int i = run.begin; i < run.end; ++i) {
        y_k[i] *= L.inverse_pivot(stop.rate);
        closure.right_side()[i] += y_k[i] * t[At(stop.rate)];
      }
    }
    AddProducts<1>(stop.runs, y_k, y_k, rows_, matrix);
    const double* entry = L.Row(stop.rate) + L.position(stop.rate);
    for (int j = before_[At(stop.rate)]; j >= 0; j = before_[At(j)]) {
      const double l_kj = *--entry;
      double* const y_j = y_of(j);
      for (const RowRun& run : stop.runs) {
        for (int i = run.begin; i < run.end; ++i) y_j[i] -= l_kj * y_k[i];
      }
    }
  }
  const Status status = closure.Solve([&] { return ends_.TypicalAcceleration(equations); });
  if (!status.ok()) return status;
  // (3)
  for (const Stop& stop : stops_) {
    const double* const y_k = y_of(stop.rate);
    for (const RowRun& run : stop.runs) {
      for (int i = run.begin; i < run.end; ++i) t[At(stop.rate)] += y_k[i] * closure.multiplier(i);
    }
  }
  return {};
}

}  // namespace mbsbench::composite_body
