// A problem: a system, its initial state, its end time, the quantities to compute and the known
// results.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "problems/model/assembly.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// A scalar function of an absolute state, printed in tables.
struct Observable {
  enum class Kind {
    kPositionX,  // of `point` [m]
    kPositionY,
    kPositionZ,
    kVelocityX,  // of `point` [m/s]
    kVelocityY,
    kVelocityZ,
    kSpeed,       // of `point` [m/s]
    kTime,        // of the state [s]
    kPlaneAngle,  // of the body's x axis from +x in the x-y plane, plus offset, in (-pi, pi] [rad]
    kPlaneRate,   // angular velocity about inertial z [rad/s]
    kElevation,   // of the body's x axis above the x-y plane, plus offset [rad]
    kBodyRateX,   // angular velocity in body axes [rad/s]
    kBodyRateY,
    kBodyRateZ,
    kQuaternionW,  // of the orientation, with the sign that makes w >= 0
    kQuaternionX,
    kQuaternionY,
    kQuaternionZ,
  };
  std::string name;  // as printed by the source
  Kind kind = Kind::kPositionX;
  int body = 0;
  double offset = 0;
  Vector3 point = {};         // body axes, from the mass centre [m]
  int relative_to = kGround;  // kPlaneAngle, kPlaneRate: relative to those of this body
};
double Evaluate(const Observable& observable, const std::vector<BodyState>& bodies,
                double time = NAN);
// Difference of two values of an observable; angles modulo 2 pi.
double Difference(const Observable& observable, double a, double b);

// A published value.
struct PublishedValue {
  enum class Kind { kExact, kPublished, kComputed };  // marks of the catalogue
  int observable = 0;                                 // index into Problem::observables
  double time = 0;                                    // [s]
  double value = 0;
  // Its uncertainty: the error that its source states, else one unit of its last printed digit. Of a value that is
  // computed from printed ones, what their last digits leave open.
  double last_digit = 0;
  Kind kind = Kind::kComputed;
  std::string source;
  std::string event = "";  // at the first event of this name, instead of at `time`
};

// A quantity that is constant on the branch of the motion that the reference follows through
// singular positions. A solution further from `value` than `bound` has left the branch: it is a
// different motion, not merely an inaccurate one.
struct BranchCondition {
  Observable observable;
  double value = 0, bound = 0;
  // The motion that it then is, where that has a closed form: "crank 1 rests, the rod turns with crank 2".
  std::string otherwise = "";
};

// The error measure of the library that a problem comes from, in addition to the suite's own.
struct LibraryMeasure {
  enum class Formula {
    kSignificantDigits,  // mescd = -log10 max_j |y_j - yhat_j| / (1 + |yhat_j|) at `time`
    kLargestDifference,  // from the reference, over all samples and observables [their unit]
    kAngularMomentumZ,   // max_k |H_z(t_k) - H_z(0)| / |H_z(0)|
  };
  std::string name;
  Formula formula = Formula::kLargestDifference;
  std::vector<int> observables = {};  // y_j: indices into Problem::observables
  std::vector<double> values = {};    // yhat_j, angles unwrapped; kSignificantDigits only
  double time = 0;                    // [s]; kSignificantDigits only
};

// A published steady state: the joint coordinates while the drivers run and nothing else moves.
struct Equilibrium {
  struct Coordinate {
    int joint = 0;          // revolute or prismatic, index into System::joints
    double value = 0;       // [rad] or [m]
    double last_digit = 0;  // unit of the last printed digit
  };
  double speed = 0;  // of the first driver; others run in proportion [rad/s] or [m/s]
  std::vector<Coordinate> coordinates;
  bool stable = true;
  PublishedValue::Kind kind = PublishedValue::Kind::kExact;
  std::string source;
};

struct Problem {
  std::string name;  // registry name with options, "branchN:bodies=500"
  std::string title;
  std::string description;  // what the problem is and stresses, in two or three sentences
  std::string source;       // citation
  System system;
  InitialCondition initial;
  double end_time = 0;  // [s]
  std::vector<double>
      sample_times;             // 101 equidistant ones on [0, end], united with the printed times
  double length = 1;            // characteristic length L [m]
  double time = 0.3;            // characteristic time T [s]
  double energy_reference = 0;  // E_ref [J]
  bool conservative = true;
  bool planar = false;  // every motion from this initial state stays in a plane z = const
  std::vector<int> reference_bodies;  // bodies by which accuracy is judged; all when empty
  std::vector<Observable> observables;
  std::vector<PublishedValue> published;
  std::vector<BranchCondition> branch;  // all of them hold; empty: one branch only
  std::vector<LibraryMeasure> library_measures;
  // Only problems with drivers have these. Newton's guess is the initial state.
  std::vector<Equilibrium> equilibria;
  // Guesses from which the steady states at its own speed are searched; 0: its own alone.
  int steady_guesses = 0;
  double papers_step = 0.001;       // fixed step of the paper's own run, or assumed [s]
  std::vector<double> fixed_steps;  // ladder for fixed-step integrators, coarse to fine [s]
  double accuracy_required_ode =
      0;  // agreement with the reference that explicit methods must reach; 0: none stated
  double accuracy_required_dae = 0;
  // Bodies whose inertia may break the triangle inequality, and be indefinite by 1e-9 of its largest
  // entry, ascending: the equations of motion hold for it all the same.
  std::vector<int> inertias_as_given = {};
  // Sentences on what the file that it was read from holds and the system does not.
  std::vector<std::string> warnings = {};
};

// Fills sample_times from end_time and the printed times; call after `published` is set.
void SetSampleTimes(Problem& problem);

}  // namespace mbsbench
