#include "methods/interface/plugin.h"

#include <kdl/config.h>

#include <cmath>

#include "methods/engines/kdl/kdl_formulation.h"
#include "methods/engines/turning_inertia.h"
#include "methods/kinematics/single_axes.h"

namespace mbsbench {

namespace {

Capabilities WhatItTakes() {
  using enum JointType;
  using enum ForceElement;
  using enum UnusualBody;
  return {
      .tree_joints = {{kBall, kRevolute, kPrismatic, kFixed, kFree, kUniversal, kCylindrical,
                       kPlanar}},
      .loop_joints = {.because = "KDL knows chains and trees only"},
      .force_elements = {{kSpringDamper, kJointSpringDamper, kAppliedForce, kGroundSpring, kMotor}},
      .drivers = {.because = "KDL's forward dynamics prescribes no motion of joints"},
      .bodies = {{kPoint}, "KDL's solution divides by the inertia about the joint"},
      .motion_in_space = true,
  };
}

MethodEntry KdlEntry() {
  MethodEntry entry;
  entry.key = "kdl";
  entry.title = "Orocos KDL " KDL_VERSION_STRING;
  entry.source = "Smits, Bruyninckx, Aertbelien, KDL: Kinematics and Dynamics Library, orocos.org";
  entry.description =
      "The library Orocos KDL as Debian packages it (generic processor, one thread). Chains: its "
      "forward dynamics ChainFdSolver_RNE, composite rigid bodies and L D L' of the joint-space "
      "inertia. Trees, for which it has no forward dynamics: its inverse dynamics TreeIdSolver_RNE "
      "for each column of the inertia, and L D L' by Eigen. Its joints have one axis; a ball is "
      "three revolutes about its present axes. All force elements are applied from our evaluation.";
  entry.origin = Origin::kEngine;
  entry.form = Form::kOde;
  entry.cost_exponent = 3;
  entry.limits = {{{"no-allocation"},
                   INFINITY,
                   "KDL's solvers of trees keep maps by the names of segments and return by value"},
                  {{"reference-branchN:bodies=100", "reference-branchN:bodies=500"},
                   INFINITY,
                   "an evaluation of a tree calls its inverse dynamics for each rate: a motion "
                   "takes more than 30 "
                   "s of CPU time"}};
  entry.capabilities = WhatItTakes();
  entry.prepare = [](const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
    return MakeKdlFormulation(system);
  };
  entry = OnSingleAxes(std::move(entry));
  entry.supports = [](const System& system, const MethodOptions&) {
    return TurnsWithInertia(system, "KDL");
  };
  return entry;
}

}  // namespace

}  // namespace mbsbench

MBSBENCH_PLUGIN("Orocos KDL", mbsbench::KdlEntry());
