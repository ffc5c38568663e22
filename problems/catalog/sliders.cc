// sliders: prismatic and ball joints in a tree, with springs.
//
//   ground ~~200 N/m~~[ 1 ]        block 1 slides on x; rod 2 hangs from its centre on a ball;
//                        \ 2       block 3 slides along the rod, held by a spring of 400 N/m
//                         [3]      from the rod's upper end;
//                          \       gravity along -y
#include "problems/catalog/families.h"
#include "problems/catalog/rods.h"

namespace mbsbench {

namespace {

Problem BuildSliders(const ProblemOptions&) {
  Problem p;
  p.name = "sliders";
  p.title = "Sliders on a ground rail and on a swinging rod";
  p.description =
      "A block slides along a rail, a rod swings on it by a ball joint, and a second block slides "
      "along the rod, both held by "
      "springs. It stresses prismatic joints in a tree.";
  p.source = "made for this catalogue";
  Body block;
  block.name = "1";
  block.mass = 2;
  block.inertia = Diagonal(0.02, 0.02, 0.02);
  block.shape = {Shape::Kind::kBox, {0.2, 0.1, 0.1}, {}, 0};
  Body slider;
  slider.name = "3";
  slider.mass = 0.5;
  slider.inertia = Diagonal(0.005, 0.005, 0.005);
  slider.shape = {Shape::Kind::kBox, {0.1, 0.1, 0.1}, {}, 0};
  p.system.bodies = {block, Rod("2", 1, 1, 0.01), slider};

  const Quaternion along_x{M_SQRT1_2, 0, M_SQRT1_2, 0};  // turns the joint's z axis into x
  const Vector3 upper{-0.5, 0, 0};                       // of the rod, whose x axis runs downwards
  Joint rail;
  rail.name = "rail";
  rail.type = JointType::kPrismatic;
  rail.child = 0;
  rail.parent_frame.orientation = along_x;
  rail.child_frame.orientation = along_x;
  Joint sleeve;
  sleeve.name = "sleeve";
  sleeve.type = JointType::kPrismatic;
  sleeve.parent = 1;
  sleeve.child = 2;
  sleeve.parent_frame = {upper, along_x};
  sleeve.child_frame.orientation = along_x;
  p.system.joints = {rail, Ball("hinge", 0, {}, 1, upper), sleeve};
  p.system.forces.Of<JointSpringDamper>() = {{"rail spring", 0, 200, 0, 0},
                                             {"sleeve spring", 2, 400, 0, 0.5}};

  const Quaternion attitude = AxisAngle({0, 0, 1}, -M_PI / 2 + 0.5);
  const Vector3 rate = Rotate(Conjugate(attitude), {0.2, 1, 0.3});
  p.initial.joints.q = {0.1, attitude.w, attitude.x, attitude.y, attitude.z, 0.5};
  p.initial.joints.u = {0, rate.x, rate.y, rate.z, 0};

  p.end_time = 5;
  // Largest kinetic energy plus the range of the springs' potential, rounded.
  p.energy_reference = 3;
  using Kind = Observable::Kind;
  p.observables = {{"x_1", Kind::kPositionX, 0},
                   {"x_3", Kind::kPositionX, 2},
                   {"y_3", Kind::kPositionY, 2},
                   {"z_3", Kind::kPositionZ, 2}};
  p.papers_step = 0.001;
  p.fixed_steps = {1. / 64, 1. / 128, 1. / 256, 1. / 512, 0.001, 1. / 2048};
  p.accuracy_required_ode = 1e-8;
  p.accuracy_required_dae = 1e-8;
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily SlidersFamily() {
  return {
      "sliders", "Sliders on a ground rail and on a swinging rod", {}, {"sliders"}, BuildSliders};
}

}  // namespace mbsbench
