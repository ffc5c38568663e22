// A parallelogram in the plane y = 0, written in axes in which its frames are no short decimals, and rounded to some.
//
//        bar
//     o-------o        two rods of 0.4 m on ground pins 0.6 m apart, 0.5 rad from the vertical; g along -z
//    /       /         left and right turn alike, the bar does not: with the rods' moments of inertia J about their
//   o       o          centres and masses m, and M of the bar,
//                      (2 (J + m 0.2^2) + M 0.4^2) w' = (2 m g 0.2 + M g 0.4) sin 0.5
#pragma once

#include "problems/model/problem.h"

namespace mbsbench {

// `decimals`: of the frames; at least 17 leaves them as doubles. `closing`: the joint between bar and right rod, a ball or a
// revolute; the first of its rows or the last three depend on the others.
Problem RoundedLinkage(int decimals, JointType closing);

// The bar of RoundedLinkage on three rods, whose pins lie on no line: two of them may be flat, but never all, so that no
// position is singular. It turns as one pendulum, which passes the flat position of two rods within 0.6 s.
Problem ThreeRoundedRods(int decimals);

// Angular velocity of the rods at time t [rad/s], by integration of that pendulum.
double RateOfThreeRods(double t);

// With exact frames, but the pin between left rod and bar is tilted by `tilt` [rad], as by rounding, and the closing joint is stated by
// where its bodies are at the start, as MJCF's `connect` states it: the loop closes there to round-off, and only its rows show the
// tilt, which locks it. At rest.
Problem LockedLinkage(double tilt, JointType closing);

// w' [rad/s^2], in closed form.
double AccelerationOfRoundedLinkage();

}  // namespace mbsbench
