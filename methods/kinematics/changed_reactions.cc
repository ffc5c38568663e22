#include "methods/kinematics/changed_reactions.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "methods/kinematics/reach.h"

namespace mbsbench {

void MarkChanged(const System& system, std::span<const JointReaction> changes, double no_change,
                 std::span<JointReaction> reactions) {
  const double length = std::ranges::max(ReachOf(system));
  const auto components = [length](const JointReaction& r) {
    const Vector3 &f = r.force, m = 1 / length * r.torque;
    return std::array{f.x, f.y, f.z, m.x, m.y, m.z};
  };
  double largest = 0;
  for (const JointReaction& change : changes) {
    for (double c : components(change)) largest = std::max(largest, std::abs(c));
  }
  for (std::size_t j = 0; j < changes.size(); ++j) {
    const std::array change = components(changes[j]);
    for (std::size_t k = 0; k < 6; ++k) {
      if (std::abs(change[k]) > no_change * largest) reactions[j].unique[k] = false;
    }
  }
}

}  // namespace mbsbench
