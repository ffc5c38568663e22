// slidercrank3d: spatial slider-crank (IFToMM Library of Computational Benchmark Problems; Haug 1989).
//
//            B                 crank of 0.08 m on a revolute about x at A (0, 0.1, 0.12), upright at
//            |  .              the start: B (0, 0.1, 0.2); rod BC of 0.3 m, spherical in B and
//            A     .           universal in C (0.2, 0, 0); slider along x through the origin; g
//                     .        along -z; the crank starts with 6 rad/s about +x
//      ------------- [C] ---> x
//
// The universal joint closes the loop. The arms of its cross are along the slider's x axis and
// along the rod-fixed direction that is perpendicular to it and to the rod at the start.
#include <cmath>

#include "problems/catalog/families.h"
#include "problems/catalog/rods.h"

namespace mbsbench {

namespace {

// The quaternion of a body with the orthonormal axes x, y, z, rotated by less than half a turn.
Quaternion AttitudeOf(const Vector3& x, const Vector3& y, const Vector3& z) {
  const double w = std::sqrt(1 + x.x + y.y + z.z) / 2;
  return Normalised({w, (y.z - z.y) / (4 * w), (z.x - x.z) / (4 * w), (x.y - y.x) / (4 * w)});
}

void AddSliderCrank(Problem& p) {
  constexpr double kCrank = 0.08, kRod = 0.3;  // [m]
  System& s = p.system;
  s.gravity = {0, 0, -9.81};
  Body crank;
  crank.name = "crank";
  crank.mass = 0.12;
  crank.inertia = Diagonal(1e-4, 1e-4, 1e-5);
  crank.shape = {Shape::Kind::kRod, {0, 0, -kCrank / 2}, {0, 0, kCrank / 2}, 0.01};
  Body rod;
  rod.name = "rod";
  rod.mass = 0.5;
  rod.inertia = Diagonal(4e-4, 4e-3, 4e-3);
  rod.shape = {Shape::Kind::kRod, {-kRod / 2, 0, 0}, {kRod / 2, 0, 0}, 0.005};
  Body slider;
  slider.name = "slider";
  slider.mass = 2;
  slider.inertia = Diagonal(1e-4, 1e-4, 1e-4);
  slider.shape = {Shape::Kind::kBox, {0.04, 0.03, 0.03}, {}, 0};
  s.bodies = {crank, rod, slider};

  Joint rail;
  rail.name = "rail";
  rail.type = JointType::kPrismatic;
  rail.child = 2;
  rail.parent_frame.orientation = rail.child_frame.orientation = kZAlongX;
  s.joints = {
      Revolute("A", kGround, {{0, 0.1, 0.12}, kZAlongX}, 0, {{0, 0, -kCrank / 2}, kZAlongX}),
      Ball("B", 0, {0, 0, kCrank / 2}, 1, {-kRod / 2, 0, 0}), rail};
  Joint universal;
  universal.name = "C";
  universal.type = JointType::kUniversal;
  universal.parent = 2;
  universal.child = 1;
  universal.parent_frame.orientation = kZAlongX;
  universal.child_frame = {{kRod / 2, 0, 0}, kQuarterTurn};  // its x is the rod's y
  s.loop_joints = {universal};

  // The rod's x points from B to C, its y is the arm of the cross.
  const double five = std::sqrt(5.);
  const Vector3 x{2. / 3, -1. / 3, -2. / 3}, y{0, 2 / five, -1 / five};
  const Quaternion attitude = AttitudeOf(x, y, Cross(x, y));
  const Vector3 rate = Rotate(Conjugate(attitude), Vector3{1.92, -0.96, 0.48} - Vector3{6, 0, 0});
  p.initial.joints.q = {0, attitude.w, attitude.x, attitude.y, attitude.z, 0.2};
  p.initial.joints.u = {6, rate.x, rate.y, rate.z, 0.24};
  p.initial.dependent_joints = {1, 2};
}

Problem BuildSlidercrank3d(const ProblemOptions&) {
  Problem p;
  p.name = "slidercrank3d";
  p.title = "Spatial slider-crank";
  p.description =
      "A crank, a rod and a slider in space, joined by a revolute, a spherical, a universal and a "
      "prismatic joint. It stresses a spatial loop without redundancy, and strongly varying speed.";
  p.source = "IFToMM Library of Computational Benchmark Problems; Haug 1989; data as in Exudyn";
  AddSliderCrank(p);
  p.end_time = 5;
  p.length = 0.3;
  p.time = 0.17;
  p.energy_reference = 1;
  using Kind = Observable::Kind;
  p.observables = {{"slider_x", Kind::kPositionX, 2},
                   {"slider_v", Kind::kVelocityX, 2},
                   {"crank_rate", Kind::kBodyRateX, 0}};
  const auto computed = [&p](double t, std::initializer_list<std::pair<double, double>> values) {
    int observable = 0;
    for (const auto& [value, last_digit] : values) {
      p.published.push_back({observable++, t, value, last_digit, PublishedValue::Kind::kComputed,
                             "maximal coordinates, DOP853 at 1e-10/1e-12"});
    }
  };
  computed(0.1, {{0.226787188553, 1e-12}, {0.305277006935, 1e-12}, {5.82888813465, 1e-11}});
  computed(0.5, {{0.184952629778, 1e-12}, {-0.00456029063, 1e-11}, {14.40816081, 1e-8}});
  computed(1, {{0.2117216614, 1e-10}, {-0.50349186493, 1e-11}, {10.427593000, 1e-9}});
  computed(2, {{0.28908519707, 1e-11}, {0.2165394236, 1e-10}, {22.58424003, 1e-8}});
  computed(5, {{0.24071957, 1e-8}, {-0.59598441, 1e-8}, {11.49499627, 1e-8}});
  p.library_measures = {
      {"largest error of the slider [m]", LibraryMeasure::Formula::kLargestDifference, {0}, {}, 0}};
  p.papers_step = 0.001;
  p.fixed_steps = {1. / 128, 1. / 256, 1. / 512, 0.001, 1. / 2048, 1. / 4096};
  // Errors grow a hundredfold in 5 s: IDA at 1e-12 leaves 4e-7, at 1e-14 2e-9.
  p.accuracy_required_ode = p.accuracy_required_dae = 1e-8;
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily Slidercrank3dFamily() {
  return {"slidercrank3d", "Spatial slider-crank", {}, {"slidercrank3d"}, BuildSlidercrank3d};
}

}  // namespace mbsbench
