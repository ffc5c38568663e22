// caraxis: the car axis of the test set for initial value problem solvers (Bari), in its own numbers.
//
//      [left]- - - - 1 m - - - -[right]      two point masses on springs (1 N/m, free length 0.5 m)
//         \                     \            from the ends of the bar; a massless rod keeps them 1 m
//          \                     \           apart; the left one stays above the bar's left end, at
//   (0, 0) o=========bar=========o           right angles to the bar; gravity 1 m/s^2 along -y
//
// The road shakes the bar: it points along (sqrt(1 - y^2), y) with y = 0.1 sin(10 t), so that its angle
// is the arcsine of a harmonic. As a tree, `left` slides on the bar and `right` turns on `left`; of
// `caraxis:loop` the right mass has two coordinates of its own, and a distance joint closes a loop.
#include "problems/catalog/families.h"
#include "problems/catalog/printed.h"
#include "problems/catalog/rods.h"
#include "problems/model/problem_options.h"

namespace mbsbench {

namespace {

constexpr double kPointMass = 10 * 0.01 * 0.01 / 2;  // M eps^2 / 2 [kg]
constexpr double kSpringLength = 0.5;                // free [m]
constexpr int kLeft = 1;

Body PointMass(const std::string& name) {
  Body point;
  point.name = name;
  point.mass = kPointMass;
  point.is_point = true;
  point.shape = {Shape::Kind::kSphere, {}, {}, 0.03};
  return point;
}

Joint SlideAlong(const std::string& name, int parent, int child, const Quaternion& along) {
  Joint joint;
  joint.name = name;
  joint.type = JointType::kPrismatic;
  joint.parent = parent;
  joint.child = child;
  joint.parent_frame.orientation = joint.child_frame.orientation = along;
  return joint;
}

// Index of the right mass.
int AddCarAxis(bool loop, Problem& p) {
  System& s = p.system;
  s.gravity = {0, -1, 0};
  Body bar;
  bar.name = "bar";
  bar.shape = {Shape::Kind::kRod, {0, 0, 0}, {1, 0, 0}, 0.02};
  s.bodies = {bar, PointMass("left")};
  s.joints = {Revolute("road", kGround, {}, 0, {}), SlideAlong("across", 0, kLeft, kZAlongY)};
  DriverMotion height;  // of the bar's end, by its length
  height.kind = MotionKind::kHarmonic;
  height.amplitude = 0.1;
  height.angular_frequency = 10;
  DriverMotion angle;
  angle.kind = MotionKind::kArcsine;
  angle.terms = {height};
  s.drivers = {{"wheel", 0, angle}};
  int right = 2;
  if (loop) {
    Body carriage;
    carriage.name = "carriage";
    right = 3;
    s.bodies.insert(s.bodies.end(), {carriage, PointMass("right")});
    s.joints.push_back(SlideAlong("right_x", kGround, 2, kZAlongX));
    s.joints.push_back(SlideAlong("right_y", 2, right, kZAlongY));
    Joint rod;
    rod.name = "rod";
    rod.type = JointType::kDistance;
    rod.parent = kLeft;
    rod.child = right;
    rod.length = 1;
    s.loop_joints = {rod};
    p.initial.joints = {{0, 0.5, 1, 0.5}, {1, 0, -0.5, 0}};
    p.initial.dependent_joints = {2};
  } else {
    s.bodies.push_back(PointMass("right"));
    s.joints.push_back(Revolute("rod", kLeft, {}, right, {{-1, 0, 0}, {}}));
    // The bar turns, and the mass on it; the rod does not.
    p.initial.joints = {{0, 0.5, 0}, {1, 0, -1}};
  }
  s.forces.Of<SpringDamper>() = {{"left spring", kGround, kLeft, {}, {}, 1, 0, kSpringLength},
                                 {"right spring", 0, right, {1, 0, 0}, {}, 1, 0, kSpringLength}};
  return right;
}

void AddCarAxisValues(int right, Problem& p) {
  using Kind = Observable::Kind;
  p.observables = {{"x_l", Kind::kPositionX, kLeft},  {"y_l", Kind::kPositionY, kLeft},
                   {"x_r", Kind::kPositionX, right},  {"y_r", Kind::kPositionY, right},
                   {"x_l'", Kind::kVelocityX, kLeft}, {"y_l'", Kind::kVelocityY, kLeft},
                   {"x_r'", Kind::kVelocityX, right}, {"y_r'", Kind::kVelocityY, right}};
  const std::string computed =
      "Cartesian points with two multipliers, and two coordinates, which agree to 4e-38";
  AppendPrintedRow(p, 0.1, computed, {"-0.0420315", "0.4977287", "0.9517549", "0.6090324"});
  AppendPrintedRow(p, 0.3, computed, {"-0.0070523", "0.4996913", "0.9929447", "0.4972533"});
  AppendPrintedRow(p, 1, computed, {"0.0271821", "0.4989116", "1.0245488", "0.4263880"});
  // Printed to 21 digits; the error along the motion, which closes the constraints to 1e-20, is known
  // from the computations above.
  struct Published {
    double value, error;
  };
  const Published at_end[] = {
      {4.93455784275402809122e-2, 2e-14},  {4.96989460230171153861e-1, 2e-13},
      {1.04174252488542151681, 1e-14},     {3.73911027265361256927e-1, 1e-14},
      {-7.70583684040972357970e-2, 1e-12}, {7.44686658723778553466e-3, 1e-11},
      {1.75568157537232222276e-2, 5e-13},  {7.70341043779251976443e-1, 1e-12}};
  LibraryMeasure positions, velocities;
  positions.name = "mescd of the positions";
  velocities.name = "mescd of the velocities";
  for (int k = 0; k < 8; ++k) {
    p.published.push_back({k, 3, at_end[k].value, at_end[k].error, PublishedValue::Kind::kPublished,
                           "IVP test set, GAMD in quadruple precision"});
    LibraryMeasure& measure = k < 4 ? positions : velocities;
    measure.observables.push_back(k);
    measure.values.push_back(at_end[k].value);
  }
  for (LibraryMeasure* measure : {&positions, &velocities}) {
    measure->formula = LibraryMeasure::Formula::kSignificantDigits;
    measure->time = 3;
    p.library_measures.push_back(*measure);
  }
}

Problem BuildCaraxis(const ProblemOptions& options) {
  const bool loop = options.count("loop") > 0;
  Problem p;
  p.name = NameWith("caraxis", {loop ? "loop" : ""});
  p.title = std::string("Car axis on a bumpy road") + (loop ? ", with a loop" : "");
  p.description =
      "Two small masses on springs, one held at right angles to a bar whose end a bumpy road "
      "lifts, "
      "both held apart by a rod. It stresses a motion that is given in time, light masses and "
      "constraint forces, and is the community's test of index 3.";
  p.source = "Schneider 1992; IVP test set (Bari), caraxis";
  AddCarAxisValues(AddCarAxis(loop, p), p);
  p.end_time = 3;
  p.time = 0.1;
  p.energy_reference = 5e-3;  // range of the springs' potential, rounded
  p.conservative = false;     // the road does work
  p.planar = true;
  p.papers_step = 0.001;
  p.fixed_steps = {0.006, 0.003, 0.0015, 0.001, 0.0005, 0.00025};
  // dopri5 leaves 2e-8 at 1e-8 and 3e-12 at 1e-12, IDA 9e-7 and 4e-10.
  p.accuracy_required_ode = 1e-9;
  p.accuracy_required_dae = 1e-8;
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily CaraxisFamily() {
  return {"caraxis",
          "Car axis on a bumpy road",
          {{"loop", "the right mass on two coordinates of its own, the rod as a loop joint"}},
          {"caraxis", "caraxis:loop"},
          BuildCaraxis};
}

}  // namespace mbsbench
