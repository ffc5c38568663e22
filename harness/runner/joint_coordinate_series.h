// Joint coordinates of a driven system that no driver holds, sample by sample: whether it settles, and
// where.
#pragma once

#include <vector>

#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

class JointCoordinateSeries {
 public:
  // Keeps nothing of systems without drivers, or with others than constant rates. `system` must outlive the series.
  explicit JointCoordinateSeries(const System& system);

  void Add(const std::vector<BodyState>& bodies);

  // Revolute and prismatic joints that no driver holds, indices into System::joints.
  const std::vector<int>& joints() const { return joints_; }
  // Per sample one value per joint; angles go on through full turns.
  const std::vector<std::vector<double>>& values() const { return values_; }

 private:
  const System& system_;
  std::vector<int> joints_;
  std::vector<std::vector<double>> values_;
};

}  // namespace mbsbench
