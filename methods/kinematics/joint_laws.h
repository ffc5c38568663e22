// All force elements on coordinates of joints in one form: e(t) - k (q - q_0) - c q'.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "methods/kinematics/spring_law.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

struct JointLaw {
  int joint, coordinate;  // the place of the coordinate among those of its joint
  bool turns;
  double stiffness = 0, damping = 0, free_coordinate = 0;  // k, c, q_0
  std::shared_ptr<const EffortOverTime> effort = {};       // e; null: none

  // The generalised force, of any scalar.
  template <class T>
  T At(double t, const T& q, const T& u) const {
    T force = SpringForce(stiffness, damping, free_coordinate, q, u);
    if (effort != nullptr) force = force + T(effort->At(t));
    return force;
  }
  // The power of the damper and the effort [W].
  double PowerAt(double t, double u) const {
    return (effort == nullptr ? -damping * u : effort->At(t) - damping * u) * u;
  }
};

// Law after law in the order of System::forces.
std::vector<JointLaw> JointLawsOf(const System& system);

// The generalised forces for sweeps that read them from their own array.
class JointForces {
 public:
  // `place_of_joint`: index of the first force on a joint. Driven joints, whose motion is given, have none.
  JointForces(const System& system, std::span<const int> place_of_joint);

  // At time t and y = [q; u], of any scalar. Sets the forces on coordinates that have laws; leaves the others unchanged.
  template <class T>
  void Put(double t, const T* y, std::span<T> forces) const {
    for (const Placed& p : laws_) forces[p.place] = T(0);
    for (const Placed& p : laws_) forces[p.place] = forces[p.place] + p.law.At(t, y[p.q], y[p.u]);
  }

 private:
  struct Placed {
    JointLaw law;
    std::size_t place, q, u;
  };
  std::vector<Placed> laws_;
};

}  // namespace mbsbench
