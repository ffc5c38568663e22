// The law of every spring with a damper in the methods, on any scalar. Its coordinate x is the length of a line, a place along a
// direction, a coordinate of a joint or a displacement in a bushing; the force along x is
//
//   f = -k (x - x_0) - c x',     df/dx = -k,     df/dx' = -c
//
// The reference and what is shown of a solution (problems/model/force_outputs.h) have laws of their own, so that they differ where one
// is wrong.
#pragma once

#include "problems/model/force_elements.h"

namespace mbsbench {

template <class T>
T SpringForce(double stiffness, double free, const T& x) {
  return T(-stiffness) * (x - T(free));
}
template <class T>
T SpringForce(double stiffness, double damping, double free, const T& x, const T& rate) {
  return SpringForce(stiffness, free, x) - T(damping) * rate;
}

// On the second point, along the line from the first.
template <class T>
T SpringForce(const SpringDamper& e, const T& length, const T& rate) {
  return SpringForce(e.stiffness, e.damping, e.free_length, length, rate);
}
// On the point, along the direction.
template <class T>
T SpringForce(const GroundSpring& e, const T& place, const T& rate) {
  return SpringForce(e.stiffness, e.damping, e.free_position, place, rate);
}

}  // namespace mbsbench
