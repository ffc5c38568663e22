// The systems that methods are tried on. Their truth is computed once in a process, however many methods ask
// for it.
#pragma once

#include <vector>

#include "harness/conform/tried_system.h"
#include "methods/interface/capabilities.h"

namespace mbsbench {

using TriedSystems = std::vector<TriedSystem>;

// 100 trees of 1 to 40 bodies, every second one with all types of tree joints; force elements of all kinds.
const TriedSystems& Trees();
// Joints at right angles, as people build mechanisms: axes along the axes of bodies or against them, frames
// turned about the axis by any angle, diagonal inertias.
const TriedSystems& TreesAtRightAngles();
// 50 systems of 4 to 40 bodies with one to three loops, none of which is redundant.
const TriedSystems& Loops();
// The redundant mechanisms as printed, turned in space, and turned while gravity stays.
const TriedSystems& RedundantOnes();
// A drawn bow of two welded bodies: braces between bodies that cannot move against each other anyway.
const TriedSystems& BracedOnes();

// One to eight bodies, gravity, and joints of this type, for more bodies than one among revolutes.
TriedSystems TreesWith(JointType type);
// One loop that a joint of this type closes, on trees of five simple types.
TriedSystems LoopsWith(JointType type);
// One to eight bodies on revolutes, then on simple joints, with elements of this kind and no other.
TriedSystems TreesWith(ForceElement kind);
// Trees of revolutes and fixed joints that stay in the plane z = 0, for methods that take no others.
const TriedSystems& PlanarTrees();
// A wheel on a torsion spring, wound up by up to 16 turns.
const TriedSystems& WoundWheels();
// Some revolutes and prismatic joints of random trees run at constant rates.
const TriedSystems& DrivenTrees();
// The same in loops, which the other joints keep closed.
const TriedSystems& DrivenLoops();
// Trees on a free joint that nothing but gravity and springs among their own bodies acts on.
const TriedSystems& FreeTrees();

// A few of each of the above, of up to a dozen bodies: for what depends on the method more than on the system.
const TriedSystems& Samples();
// Trees of 25 bodies whose only force elements are joint springs, half of them with driven joints.
const TriedSystems& TreesWithJointSprings();

}  // namespace mbsbench
