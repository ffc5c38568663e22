// Generalised forces of springs and dampers in joints, for sweeps that read them from their own array.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "methods/kinematics/force_elements.h"
#include "problems/model/system.h"

namespace mbsbench {

class JointSprings {
 public:
  // `place_of_joint`: index of the force on a joint. Driven joints, whose motion is given, have none.
  JointSprings(const System& system, std::span<const int> place_of_joint) {
    const JointOffsets at = OffsetsOf(system);
    const std::vector<bool> driven = DrivenJoints(system);
    for (const JointSpringDamper& e : system.joint_spring_dampers) {
      const auto joint = static_cast<std::size_t>(e.joint);
      if (driven[joint]) continue;
      springs_.push_back({e, static_cast<std::size_t>(place_of_joint[joint]),
                          static_cast<std::size_t>(at.q[joint]),
                          static_cast<std::size_t>(at.q.back() + at.u[joint])});
    }
  }

  // At y = [q; u], of any scalar. Sets the forces of joints that have springs; leaves the others unchanged.
  template <class T>
  void Put(const T* y, std::span<T> forces) const {
    for (const Spring& s : springs_) forces[s.place] = T(0);
    for (const Spring& s : springs_) {
      forces[s.place] = forces[s.place] + JointSpringForce(s.law, y[s.q], y[s.u]);
    }
  }

 private:
  struct Spring {
    JointSpringDamper law;
    std::size_t place, q, u;
  };
  std::vector<Spring> springs_;
};

}  // namespace mbsbench
