// A system in MuJoCo's own modelling language. Each body's frame is ours (origin in the mass centre), its
// pose that for zero joint coordinates:
//   ball        quaternion and rates in axes of the child body, ours of the child's joint frame
//   free        on the ground a free joint; elsewhere three slides and a ball, because MuJoCo has free
//               joints on the world only
// Loops become equality constraints, which are soft: `connect` holds a ball, and a revolute at two points of its axis; `weld`
// holds a fixed joint. Spring-dampers become tendons, in their order and without their free lengths, which are set by the
// caller; springs of joints become the joints' stiffness, loads and ground springs actuators without control.
#pragma once

#include <string>
#include <vector>

#include "methods/interface/method.h"
#include "problems/model/system.h"

namespace mbsbench {

// In several files, the first of which is the model and includes the others: the parser refuses elements
// that are nested more than a hundred deep, such as the bodies of a chain. Bodies are named "b<index>".
struct MjcfFile {
  std::string name, text;
};
// `softness`: attributes of all equality constraints, "solref='0.02 1'"; empty: MuJoCo's defaults.
std::vector<MjcfFile> MjcfOf(const System& system, const std::string& softness = "");

// Two points that a `connect` holds together, on bodies or the ground, each in the axes of its body. The compiler reads the first
// one and takes the second from the initial position, in which a loop may be open: it is set by the caller.
struct ConnectedPoints {
  int body_a = kGround, body_b = kGround;  // the first one is no ground
  Vector3 on_a, on_b;
};
// In the order of the file's constraints, which begin with these.
std::vector<ConnectedPoints> ConnectedPointsOf(const System& system);

// Whether MuJoCo's compiler accepts the masses; if not, the reason as a sentence.
Verdict TakesMasses(const System& system);

}  // namespace mbsbench
