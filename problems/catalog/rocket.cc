// rocket: a line-throwing rocket with a rope that grows while it flies (Lu et al. 2014, Example 2).
//
//   y            __o==>  rocket, a point of 20 kg, 11 kN for 0.43 s
//   |        _o-'        links of 4 (2, 1) m with the rope's mass in nodes
//   |    _o-'
//   [ ]-' . . . . . . x  launch at 30 degrees; box and launch point in the origin
//
// Model R0 adds assumptions where the paper is silent (drag, launcher, feeding of the rope); R1 and
// R2 are R0 with parameters fitted to the paper's table and to its speeds.
#include <algorithm>
#include <cmath>

#include "problems/catalog/families.h"
#include "problems/model/error.h"
#include "problems/model/problem_options.h"
#include "problems/model/rope_flight.h"

namespace mbsbench {

namespace {

enum class Variant { kR0, kR1, kR2 };

// Our own results for a variant, computed in node coordinates with a tridiagonal tension solve, RK4
// and projection; equal to the digits given at steps of 5e-4, 2.5e-4 and 1e-4 s.
struct Computed {
  double range, range_digit;                           // [m]
  double top_speed;                                    // [m/s]
  double time, time_digit;                             // [s]
  std::vector<double> after_ignition, after_burn_out;  // speeds at 1, 2, 3, 4 s [m/s]
};

Computed ComputedFor(Variant variant, int link_length) {
  if (variant == Variant::kR1) return {639, 1, 212.8, 8.3, 0.1, {161.4, 110.3, 82.8, 66.6}, {}};
  if (variant == Variant::kR2) return {579, 1, 211.7, 8.3, 0.1, {156.1, 101.5, 73.8, 58.4}, {}};
  if (link_length == 4) return {659.7, 0.1, 223.5, 11.02, 0.01, {}, {}};
  if (link_length == 2) return {658.8, 0.1, 223.4, 11.01, 0.01, {}, {}};
  return {658.4, 0.1, 222.9, 11.00, 0.01, {162.9, 107.7, 79.1, 62.5}, {134.1, 93.4, 70.9, 57.5}};
}

RopeFlight FlightFor(Variant variant, double link_length) {
  RopeFlight flight;
  flight.name = "rope";
  flight.rail_length = 1;  // assumed: the rocket's own length
  flight.burn_time = 0.43;
  flight.thrust = 4770 / 0.43;  // from the impulse of 4770 N s; constant: assumed
  flight.link_length = link_length;
  flight.line_density = 0.043;
  flight.air_density = 1.225;
  flight.body_diameter = 0.122;
  flight.body_drag = 0.30;       // assumed: slender body with fins, subsonic
  flight.rope_diameter = 0.008;  // assumed: synthetic rope of that mass
  flight.tangential_drag = 0.010;
  flight.normal_drag = 1.1;
  double elevation = 30;  // [deg]
  switch (variant) {
    case Variant::kR0: flight.propellant_mass = 2.33; break;
    case Variant::kR1:
      elevation = 21;
      flight.tangential_drag = 0.0105;
      break;
    case Variant::kR2:
      elevation = 22.3;
      flight.body_drag = 0.52;
      flight.tangential_drag = 0.0148;
      break;
  }
  const double angle = elevation * M_PI / 180;
  flight.rail_direction = {std::cos(angle), std::sin(angle), 0};
  return flight;
}

void Publish(const Computed& computed, Problem& p) {
  constexpr int kRange = 0, kSpeed = 1, kTime = 2;
  using Kind = PublishedValue::Kind;
  const auto at_event = [&p](const char* event, int observable, double value, double digit,
                             Kind kind, const std::string& source) {
    p.published.push_back({observable, 0, value, digit, kind, source, event});
  };
  const auto speeds = [&p](double from, const std::vector<double>& values, Kind kind,
                           const std::string& source) {
    for (std::size_t k = 0; k < values.size(); ++k)
      p.published.push_back(
          {kSpeed, from + static_cast<double>(k) + 1, values[k], 0.1, kind, source, ""});
  };
  const auto flight = [&](Kind kind, const std::string& source, const Computed& c) {
    at_event("landing", kRange, c.range, c.range_digit, kind, source);
    at_event("landing", kTime, c.time, c.time_digit, kind, source);
    at_event("burn-out", kSpeed, c.top_speed, 0.1, kind, source);
    speeds(0, c.after_ignition, kind, source);
    speeds(p.system.rope_flight->burn_time, c.after_burn_out, kind, source);
  };
  flight(Kind::kComputed, "node coordinates, tridiagonal tensions, RK4 with projection", computed);
  flight(Kind::kPublished, "Lu et al. 2014, table 1, simulation",
         {637.1, 0.1, 206.6, 8.1, 0.1, {158.7, 98.9, 70.3, 58.5}, {}});
  flight(Kind::kPublished, "Lu et al. 2014, table 1, test",
         {629.9, 0.1, 199.5, 8.6, 0.1, {154.3, 99.3, 73.8, 60.5}, {}});
}

// R0 with one assumption changed, to show its effect on the flight.
struct Assumption {
  const char* option;
  double least, most;
  const char* what;  // including the value of R0
  void (*set)(double value, RopeFlight& flight);
};
constexpr double kDegree = M_PI / 180;
const Assumption kAssumptions[] = {
    {"elevation", 1, 89, "elevation in degrees, 30 in the paper",
     [](double v, RopeFlight& f) {
       f.rail_direction = {std::cos(v * kDegree), std::sin(v * kDegree), 0};
     }},
    {"propellant", 0, 10, "propellant that leaves while it burns, 2.33 kg in R0",
     [](double v, RopeFlight& f) { f.propellant_mass = v; }},
    {"burn", 0.01, 10, "burning time for the same impulse, 0.43 s in the paper",
     [](double v, RopeFlight& f) { f.thrust *= f.burn_time / v, f.burn_time = v; }},
    {"rail", 0.1, 4, "length of the rail in m, 1 in R0",
     [](double v, RopeFlight& f) { f.rail_length = v; }},
    {"Cd", 0, 10, "drag coefficient of the rocket, 0.30 in R0",
     [](double v, RopeFlight& f) { f.body_drag = v; }},
    {"Ct", 0, 10, "drag coefficient along the rope, 0.010 in R0",
     [](double v, RopeFlight& f) { f.tangential_drag = v; }},
    {"Cn", 0, 10, "drag coefficient across the rope, 1.1 in R0",
     [](double v, RopeFlight& f) { f.normal_drag = v; }},
    {"rope", 0.1, 100, "diameter of the rope in mm, 8 in R0",
     [](double v, RopeFlight& f) { f.rope_diameter = v / 1000; }},
    {"air", 0, 10, "density of the air in kg/m^3, 1.225 in R0",
     [](double v, RopeFlight& f) { f.air_density = v; }}};

// The changed assumption among a problem's options, if any.
const Assumption* Changed(const ProblemOptions& options) {
  for (const Assumption& one : kAssumptions) {
    if (options.count(one.option) == 0) continue;
    if (options.size() > 1) {
      throw ModelError(std::string("option '") + one.option +
                       "' of problem 'rocket' stands alone: links of 4 m, model R0.");
    }
    return &one;
  }
  return nullptr;
}

void Change(const Assumption& assumption, double value, Problem& p) {
  assumption.set(value, *p.system.rope_flight);
  p.name = NameWith("rocket", {NumberText(assumption.option, value)});
  p.title = "Rocket, changed: " + std::string(assumption.what);
  // Our computed results are for R0 only; the paper's values are kept for comparison.
  std::erase_if(p.published, [](const PublishedValue& other) {
    return other.kind == PublishedValue::Kind::kComputed;
  });
  p.end_time = 60;  // the run ends at landing, and the samples well before it
  std::erase_if(p.sample_times, [](double t) { return t > 4.5; });
  p.fixed_steps = {0.002};  // one flight: its error is far below the effect of the assumption
  p.papers_step = 0.002;
  p.accuracy_required_ode = 0;
}

// A straight rope of that many links towed by the rocket in flight, for the cost of an evaluation.
void PayOut(int links, Problem& p) {
  constexpr double kSpeed = 100, kDuration = 0.02;  // [m/s], [s]
  const RopeFlight& rope = *p.system.rope_flight;
  const double reach = links * rope.link_length;
  const Vector3 at = reach * rope.rail_direction, v = kSpeed * rope.rail_direction;
  p.initial.joints = {{at.x, at.y, 0, 1, 0, 0, 0}, {v.x, v.y, 0, 0, 0, 0}};
  p.initial.joints.q.resize(static_cast<std::size_t>(7 + links), 0.0);
  p.initial.joints.u.resize(static_cast<std::size_t>(6 + links), 0.0);
  p.initial.joints.q[7] = std::atan2(-at.y, -at.x);  // the first link points back to the box
  p.system = GrownSystem(p.system, links);
  p.name = "rocket:out=" + std::to_string(links);
  p.title = "Line-throwing rocket with " + std::to_string(links) + " links of 4 m out";
  p.published.clear();
  p.end_time = kDuration;
  SetSampleTimes(p);
  p.papers_step = 0.001;
  p.fixed_steps = {0.001};
  p.accuracy_required_ode = 0;
}

Problem BuildRocket(const ProblemOptions& options) {
  const bool r1 = options.count("R1") > 0, r2 = options.count("R2") > 0;
  if (r1 && r2) throw ModelError("problem 'rocket' takes either R1 or R2, not both.");
  const Variant variant = r1 ? Variant::kR1 : r2 ? Variant::kR2 : Variant::kR0;
  const int link_length = IntegerOption(options, "links", variant == Variant::kR0 ? 4 : 2, 1, 4);
  if (link_length == 3) throw ModelError("option 'links' is '3': 4, 2 or 1 is needed.");
  if (variant != Variant::kR0 && link_length != 2)
    throw ModelError("problem 'rocket' has its variants R1 and R2 with links of 2 m only.");

  Problem p;
  p.name = variant == Variant::kR1   ? "rocket:R1"
           : variant == Variant::kR2 ? "rocket:R2"
                                     : "rocket:links=" + std::to_string(link_length);
  p.title = "Line-throwing rocket, links of " + std::to_string(link_length) + " m" +
            (r1   ? ", fitted to the paper's table"
             : r2 ? ", fitted to the paper's speeds"
                  : "");
  p.description =
      "A rocket of 20 kg, launched at " +
      std::string(r1   ? "21"
                  : r2 ? "22.3"
                       : "30") +
      " degrees, pulls a rope out of its box: whenever the last node is a link's length away, "
      "another one joins at rest and takes its share of the momentum. It stresses a topology that "
      "grows at events, inelastic capture and a chain of hundreds of links in the air.";
  p.source = "Lu et al. 2014, Example 2, completed as model R0 of this catalogue";
  Body rocket;
  rocket.name = "rocket";
  rocket.mass = 20;
  rocket.is_point = true;
  rocket.shape = {Shape::Kind::kSphere, {}, {}, 0.5};
  Joint flight;
  flight.name = "flight";
  flight.type = JointType::kFree;
  p.system.bodies = {rocket};
  p.system.joints = {flight};
  p.system.rope_flight = FlightFor(variant, link_length);
  p.initial.joints = {{0, 0, 0, 1, 0, 0, 0}, std::vector<double>(6, 0.0)};

  // The run ends at landing; samples end shortly before it.
  const double last_sample = variant == Variant::kR0 ? 10.9 : 8.1;
  p.end_time = variant == Variant::kR0 ? 12 : 9;
  p.length = 100;
  p.time = 1;
  p.energy_reference = 4.4e5;  // kinetic energy at burn-out
  p.conservative = false;
  p.planar = true;
  p.reference_bodies = {0};
  p.observables = {{"range", Observable::Kind::kPositionX, 0},
                   {"speed", Observable::Kind::kSpeed, 0},
                   {"flight time", Observable::Kind::kTime, 0},
                   {"height", Observable::Kind::kPositionY, 0}};
  Publish(ComputedFor(variant, link_length), p);
  for (int k = 0; k <= 100; ++k) p.sample_times.push_back(last_sample * k / 100);
  for (const PublishedValue& value : p.published) {
    if (value.event.empty()) p.sample_times.push_back(value.time);
  }
  std::sort(p.sample_times.begin(), p.sample_times.end());
  p.sample_times.erase(std::unique(p.sample_times.begin(), p.sample_times.end(),
                                   [](double a, double b) { return b - a < 1e-9; }),
                       p.sample_times.end());
  p.papers_step = 0.001;
  p.fixed_steps = {0.004, 0.002, 0.001, 0.0005};
  if (link_length == 4) p.accuracy_required_ode = 1e-6;
  if (options.count("out") > 0) {
    if (options.size() > 1)
      throw ModelError("option 'out' of problem 'rocket' stands alone: links of 4 m, model R0.");
    PayOut(IntegerOption(options, "out", 1, 1, 10'000), p);
  }
  if (const Assumption* changed = Changed(options)) {
    const double value = NumberOption(options, changed->option, 0, changed->least, changed->most);
    Change(*changed, value, p);
  }
  return p;
}

}  // namespace

ProblemFamily RocketFamily() {
  ProblemFamily family{
      "rocket",
      "Line-throwing rocket with a growing rope",
      {{"links", "length of the links: 4 (default), 2 or 1 m"},
       {"R1", "mass kept, parameters fitted to the paper's table; links of 2 m"},
       {"R2", "mass kept, parameters fitted to the paper's speeds; links of 2 m"},
       {"out", "starts in flight with this number of links out, for the cost of an evaluation"}},
      {"rocket:links=4", "rocket:links=2", "rocket:links=1", "rocket:R1", "rocket:R2",
       "rocket:out=10", "rocket:out=40", "rocket:out=160", "rocket:out=640"},
      BuildRocket};
  for (const Assumption& one : kAssumptions) family.options.push_back({one.option, one.what});
  for (const char* changed :
       {"elevation=22", "propellant=0", "burn=0.3", "rail=2", "Cd=0.15", "Cd=0.45", "Ct=0.005",
        "Ct=0.015", "Cn=0", "Cn=0.55", "Cn=1.65", "rope=6", "rope=10", "air=0"})
    family.instances.push_back(std::string("rocket:") + changed);
  return family;
}

}  // namespace mbsbench
