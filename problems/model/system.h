// The data structures that define every problem: bodies, joints, gravity, drivers (force elements:
// force_elements.h). They hold data only. SI units, radians, right-handed frames.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "problems/model/driver_motion.h"
#include "problems/model/force_elements.h"
#include "problems/model/geometry.h"
#include "problems/model/joint_type.h"

namespace mbsbench {

// The shape with which a body is drawn; no formulation reads it. Points are in body axes from the
// mass centre [m].
struct Shape {
  enum class Kind { kNone, kRod, kBox, kSphere };
  Kind kind = Kind::kNone;
  Vector3 a, b;          // rod: its ends; box: `a` holds the edge lengths
  double radius = 0.02;  // rod, sphere [m]
  bool operator==(const Shape&) const = default;
};

// The shape of a body. Copies of a body share it, and so do bodies that are created one after another with equal
// shapes: a million equal bodies have a single shape.
class BodyShape {
 public:
  BodyShape() = default;          // none
  BodyShape(const Shape& shape);  // implicit: every shape can be passed
  BodyShape(Shape::Kind kind, const Vector3& a, const Vector3& b, double radius)
      : BodyShape(Shape{kind, a, b, radius}) {}

  const Shape& operator*() const;
  const Shape* operator->() const { return &**this; }

 private:
  std::shared_ptr<const Shape> shape_;  // null: none
};

// A rigid body. The origin of its frame is the mass centre; the inertia is about the mass centre,
// in body axes. Zero mass and zero inertia are allowed (massless links, point masses).
struct Body {
  std::string name;
  double mass = 0;           // [kg] >= 0
  SymmetricMatrix3 inertia;  // [kg m^2] positive semidefinite, triangle inequality
  // A point: its orientation is ignored when accuracy is judged.
  bool is_point = false;
  BodyShape shape;
};

struct Joint {
  std::string name;
  JointType type = JointType::kBall;
  int parent = kGround;  // body index or kGround
  int child = 0;         // body index
  Frame parent_frame;    // on the parent
  Frame child_frame;     // on the child
  double length = 0;     // kDistance only [m]
};

// A point that flies off a rail and tows a rope, which a box pays out link by link. This is the
// only element that makes a system grow while it moves. It lies in the plane z = 0; y points up.
//
//   box <- - - o------o------o------> body      links of one length, massless; node masses at their
//              last                  first node far ends; the rope not yet paid out stays at rest
//
// The first body of the system is that point, on a free joint at the box; bodies 1, 2, ... are the
// nodes that are out already, as made by GrownSystem.
//   rail      the body keeps to the line from the box along `rail_direction` until it is
//             `rail_length` away
//   motor     constant thrust until `burn_time`, along the rail on it and along the body's velocity
//             after it; `propellant_mass` leaves the body evenly meanwhile
//   capture   when the last node (the body, where no link is out) is `link_length` from the
//             box, a node at rest in the box joins the chain: the velocities change by impulses in
//             the links so that the rates of all of them vanish (mass-weighted least change)
//   air drag  body  1/2 rho C_d (pi d^2 / 4) v^2 against v
//             link  along it 1/2 rho C_t (pi d l) v_t^2, across it 1/2 rho C_n (d l) v_n^2, from the
//                   mean velocity of its ends, half of it on each
//   end       the body comes down to the height of the box
struct RopeFlight {
  std::string name;
  Vector3 box;                      // [m]
  Vector3 rail_direction{1, 0, 0};  // unit
  double rail_length = 0;           // [m], at most link_length
  double thrust = 0;                // [N]
  double burn_time = 0;             // [s]
  double propellant_mass = 0;       // [kg]
  double link_length = 0;           // [m]
  double line_density = 0;          // [kg/m]
  double air_density = 0;           // rho [kg/m^3]
  double body_diameter = 0;         // d [m]
  double body_drag = 0;             // C_d
  double rope_diameter = 0;         // d [m]
  double tangential_drag = 0;       // C_t
  double normal_drag = 0;           // C_n
};

// Holds the coordinate of a revolute or prismatic tree joint to a function of time.
struct Driver {
  std::string name;
  int joint = 0;  // index into System::joints
  DriverMotion motion = {};
};

// A multibody system: a tree of `joints` (one per body, in any order; the child of joint i is found
// in joint.child) and `loop_joints` that close loops in it.
struct System {
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Joint> loop_joints;
  ForceElements forces;
  Vector3 gravity{0, -9.81, 0};  // [m/s^2]
  std::optional<RopeFlight> rope_flight;
  std::vector<Driver> drivers;
  // How exact the frames of loops are: positions relative to the arms around their loop, directions in rad. 0: to the last
  // places of a double. Rows of loops that differ by less than a hundred times this are one constraint stated twice, and may
  // stay open by it; those that differ by less than ten thousand times are undecided, and refused.
  double loop_precision = 0;
};

inline constexpr double kDependentPerPrecision = 100, kIndependentPerPrecision = 1e4;
// With a larger one no row of unit length is independent with certainty.
inline constexpr double kMostLoopPrecision = 1e-5;

// Per tree joint: whether a driver holds it.
std::vector<bool> DrivenJoints(const System& system);
// Whether there are drivers and all run at constant rates: then there may be steady states.
bool RunsAtConstantRates(const System& system);
// Times in (0, end) at which a driver's motion or a motor's effort has a break point, ascending [s].
std::vector<double> BreakPoints(const System& system, double end);

}  // namespace mbsbench
