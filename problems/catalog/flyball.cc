// flyball: stiff flyball governor (IFToMM Library of Computational Benchmark Problems, A05).
//
//            | shaft, turns freely about z, z = 0 to 1
//         .--+--.   hinges at (+-0.05, 0, 1), axes across the plane of the rods
//        /   |   \  rods of 1 m, alpha below the horizontal, a point mass of 5 kg on each end
//       / \  |  / \      spring-dampers from the slider to the rods' mid-points
//      o   \[ ]/   o     slider at height s on the shaft; g along -z
//
// A tree: the springs are forces. Each rod with its point mass is one rigid body.
#include "problems/catalog/families.h"
#include "problems/catalog/rods.h"

namespace mbsbench {

namespace {

constexpr double kDensity = 3000;                                // [kg/m^3]
constexpr double kLength = 1, kWidth = 0.01;                     // of shaft and rods [m]
constexpr double kEdge = 0.1;                                    // of the slider [m]
constexpr double kBall = 5;                                      // [kg]
constexpr double kPrism = kDensity * kLength * kWidth * kWidth;  // [kg]
constexpr double kAxial = kPrism * kWidth * kWidth / 6,
                 kTransverse = kPrism * (kLength * kLength + kWidth * kWidth) / 12;
// Distance from the ball, at the end of the rod, to the common mass centre.
constexpr double kCentre = kPrism * kLength / 2 / (kPrism + kBall);

// x points from the ball to the hinge.
Body LoadedRod(std::string name) {
  Body rod;
  rod.name = std::move(name);
  rod.mass = kPrism + kBall;
  const double arm = kLength / 2 - kCentre;
  const double transverse = kTransverse + kPrism * arm * arm + kBall * kCentre * kCentre;
  rod.inertia = Diagonal(kAxial, transverse, transverse);
  rod.shape = {Shape::Kind::kRod, {-kCentre, 0, 0}, {kLength - kCentre, 0, 0}, 0.02};
  return rod;
}

void AddFlyball(Problem& p) {
  constexpr double kOffset = 0.05;                    // of the hinges from the shaft's axis [m]
  constexpr double kStiffness = 8e5, kDamping = 4e4;  // [N/m], [N s/m]
  constexpr double kFreeLength = 0.5;                 // [m]
  System& s = p.system;
  s.gravity = {0, 0, -9.81};
  Body shaft;
  shaft.name = "shaft";
  shaft.mass = kPrism;
  shaft.inertia = Diagonal(kTransverse, kTransverse, kAxial);
  shaft.shape = {Shape::Kind::kRod, {0, 0, -kLength / 2}, {0, 0, kLength / 2}, kWidth};
  Body slider;
  slider.name = "slider";
  slider.mass = kDensity * kEdge * kEdge * kEdge;
  const double cube = slider.mass * kEdge * kEdge / 6;
  slider.inertia = Diagonal(cube, cube, cube);
  slider.shape = {Shape::Kind::kBox, {kEdge, kEdge, kEdge}, {}, 0};
  s.bodies = {shaft, LoadedRod("rod_1"), LoadedRod("rod_2"), slider};
  // The angle of a hinge is alpha: at 0 the rods are horizontal, rod 1 (its x axis) along -x.
  const Quaternion half_turn_about_y{0, 0, 1, 0};
  const Quaternion kZAgainstY{M_SQRT1_2, M_SQRT1_2, 0, 0};
  const Vector3 hinge{kLength - kCentre, 0, 0}, middle{kLength / 2 - kCentre, 0, 0};
  Joint guide;
  guide.name = "guide";
  guide.type = JointType::kPrismatic;
  guide.parent = 0;
  guide.child = 3;
  guide.parent_frame.position = {0, 0, -kLength / 2};
  s.joints = {
      Revolute("bearing", kGround, {}, 0, {{0, 0, -kLength / 2}, {}}),
      Revolute("hinge_1", 0, {{kOffset, 0, kLength / 2}, half_turn_about_y * kZAlongY}, 1,
               {hinge, kZAlongY}),
      Revolute("hinge_2", 0, {{-kOffset, 0, kLength / 2}, kZAgainstY}, 2, {hinge, kZAgainstY}),
      guide};
  s.forces.Of<SpringDamper>() = {
      {"spring_1", 3, 1, {kOffset, 0, 0}, middle, kStiffness, kDamping, kFreeLength},
      {"spring_2", 3, 2, {-kOffset, 0, 0}, middle, kStiffness, kDamping, kFreeLength}};
  p.initial.joints.q = {0, M_PI / 6, M_PI / 6, 0.5};
  p.initial.joints.u = {2 * M_PI, 0, 0, 0};
}

Problem BuildFlyball(const ProblemOptions&) {
  Problem p;
  p.name = "flyball";
  p.title = "Stiff flyball governor";
  p.description =
      "A freely turning governor whose slider hangs on two springs with strong dampers: their "
      "rate, about 1e4 1/s, compares with a swing of 1 s. It stresses stiffness. The library's "
      "run "
      "lasts 10 s; here it is 2 s, because the reference integrates explicitly.";
  p.source =
      "IFToMM Library of Computational Benchmark Problems, A05; geometry of its OpenSim port";
  AddFlyball(p);
  p.end_time = 2;  // limited by the cost of the explicit extended-precision reference
  // Largest kinetic energy plus the range of the springs' potential, rounded.
  p.energy_reference = 170;
  p.accuracy_required_ode = p.accuracy_required_dae = 1e-8;
  p.conservative = false;
  using Kind = Observable::Kind;
  p.observables = {
      {"s", Kind::kPositionZ, 3}, {"alpha", Kind::kElevation, 1}, {"omega", Kind::kPlaneRate, 0}};
  const auto computed = [&p](double t, double s, double last_digit_of_s, double alpha,
                             double omega) {
    const char* const source = "Lagrange equations in 3 coordinates, Radau at 1e-10/1e-12";
    using PrintedKind = PublishedValue::Kind;
    p.published.push_back({0, t, s, last_digit_of_s, PrintedKind::kComputed, source});
    p.published.push_back({1, t, alpha, 1e-12, PrintedKind::kComputed, source});
    p.published.push_back({2, t, omega, 1e-11, PrintedKind::kComputed, source});
  };
  computed(0.1, 0.52383647557, 1e-11, 0.496173869076, 6.10371780883);
  computed(0.5, 0.743249424786, 1e-12, 0.259491381543, 5.10341542197);
  computed(1, 0.50142092238, 1e-11, 0.521833301626, 6.27112574188);
  computed(2, 0.505909294297, 1e-12, 0.516663797365, 6.23622361444);
  p.library_measures = {
      {"angular momentum about z, relative change",
       LibraryMeasure::Formula::kAngularMomentumZ,
       {},
       {},
       0},
      {"largest error of s [m]", LibraryMeasure::Formula::kLargestDifference, {0}, {}, 0}};
  p.papers_step = 1e-4;
  p.fixed_steps = {1. / 4096, 1. / 8192, 1. / 16384, 1. / 32768};
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily FlyballFamily() {
  return {"flyball", "Stiff flyball governor", {}, {"flyball"}, BuildFlyball};
}

}  // namespace mbsbench
