// The systems on which methods are tried. Their truth is computed once per process.
#pragma once

#include <vector>

#include "harness/conform/tried_system.h"

namespace mbsbench {

using TriedSystems = std::vector<TriedSystem>;

// 100 trees of 1 to 40 bodies, every second one with all types of tree joints; force elements of all kinds.
const TriedSystems& Trees();
// Joints at right angles, as in real mechanisms: axes parallel or antiparallel to the axes of the bodies, frames
// turned about the axis by any angle, diagonal inertias.
const TriedSystems& TreesAtRightAngles();
// 50 systems of 4 to 40 bodies with one to three loops, none of which is redundant.
const TriedSystems& Loops();
// The redundant mechanisms as published, turned in space, and turned without turning gravity.
const TriedSystems& RedundantOnes();
// Trees with braces between two welded bodies, which cannot move relative to each other anyway.
const TriedSystems& BracedOnes();

// One to eight bodies, gravity, and joints of this type; with more than one body also revolutes.
TriedSystems TreesWith(JointType type);
// One loop, closed by a joint of this type, on trees of five simple joint types.
TriedSystems LoopsWith(JointType type);
// One to eight bodies on revolutes, then on simple joints, with force elements of this kind only.
TriedSystems TreesWith(ForceElement kind);
// Trees of revolutes and fixed joints that stay in the plane z = 0, for methods that support only these.
const TriedSystems& PlanarTrees();
// Conservative trees of up to 10 bodies, for methods without dampers: half of them with gravity alone, the others with
// springs too; half of them on balls and revolutes.
const TriedSystems& TreesWithoutDampers();
// Trees with each type of joint, of bodies of a gram, and on ground 50 m from the origin.
const TriedSystems& LightAndFarTrees();
// A wheel on a torsion spring, wound up by up to 16 turns.
const TriedSystems& WoundWheels();
// Random trees with some revolute and prismatic joints driven at constant rates.
const TriedSystems& DrivenTrees();
// Random systems with loops and driven joints; the other joints keep the loops closed.
const TriedSystems& DrivenLoops();
// Trees on a free joint with gravity and internal springs only.
const TriedSystems& FreeTrees();

// A few of each of the above, of up to a dozen bodies, for promises that depend little on the system.
const TriedSystems& Samples();
// Trees of 25 bodies whose only force elements are joint springs, half of them with driven joints.
const TriedSystems& TreesWithJointSprings();

}  // namespace mbsbench
