#include "reference/rope_flight_angles.h"

namespace mbsbench::extended {

namespace {

Real Along(Point2 a, Point2 b) { return a.x * b.x + a.y * b.y; }
Point2 Turned(Point2 a) { return {-a.y, a.x}; }
void Add(Real s, Point2 a, Point2& to) {
  to.x += s * a.x;
  to.y += s * a.y;
}

struct Symmetric2 {
  Real xx, xy, yy;
  Point2 operator*(Point2 a) const { return {xx * a.x + xy * a.y, xy * a.x + yy * a.y}; }
};

}  // namespace

RopeFlightAngles::RopeFlightAngles(const System& system)
    : on_rail(system.rope_flight->rail_length > 0 && system.bodies.size() == 1),
      burning(system.rope_flight->burn_time > 0),
      flight_(*system.rope_flight),
      gravity_{system.gravity.x, system.gravity.y},
      launch_mass_(system.bodies[0].mass),
      node_mass_(Real(flight_.line_density) * Real(flight_.link_length)),
      l_(flight_.link_length) {}

Real RopeFlightAngles::Mass(std::size_t i, Real t) const {
  if (i > 0) return node_mass_;
  const Real gone = burning ? t / Real(flight_.burn_time) : Real(1);
  return launch_mass_ - gone * Real(flight_.propellant_mass);
}

void RopeFlightAngles::Walk(const std::vector<Real>& y) {
  const std::size_t n = LinksIn(y);
  const Real *phi = y.data() + 2, *v = y.data() + n + 2;
  position_.assign(1, {y[0], y[1]});
  velocity_.assign(1, {v[0], v[1]});
  tangent_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    tangent_.push_back({Cos(phi[i]), Sin(phi[i])});
    Point2 r = position_[i], rate = velocity_[i];
    Add(l_, tangent_[i], r);
    Add(l_ * v[2 + i], Turned(tangent_[i]), rate);
    position_.push_back(r);
    velocity_.push_back(rate);
  }
}

void RopeFlightAngles::Solve(Real t, const Real* rates, Real* solution) {
  const std::size_t n = tangent_.size();
  passed_.resize(n);
  Symmetric2 a{Mass(n, t), 0, Mass(n, t)};
  Point2 p{-force_[n].x, -force_[n].y};
  for (std::size_t i = n; i-- > 0;) {
    const Point2 tangent = tangent_[i], normal = Turned(tangent), a_t = a * tangent;
    Passed& link = passed_[i];
    link.a_n = a * normal;
    link.n_a_n = Along(normal, link.a_n);
    link.w = p;
    if (rates != nullptr) Add(-l_ * rates[i] * rates[i], a_t, link.w);
    const Real t_a_n = Along(tangent, link.a_n);
    const Real alpha = Along(tangent, a_t) - t_a_n * t_a_n / link.n_a_n;
    const Real beta = Along(tangent, link.w) - t_a_n * Along(normal, link.w) / link.n_a_n;
    const Real m = Mass(i, t);
    a = {m + alpha * tangent.x * tangent.x, alpha * tangent.x * tangent.y,
         m + alpha * tangent.y * tangent.y};
    p = {beta * tangent.x - force_[i].x, beta * tangent.y - force_[i].y};
  }
  Point2 here;
  if (on_rail) {
    const Point2 rail{flight_.rail_direction.x, flight_.rail_direction.y};
    Add(-Along(rail, p) / Along(rail, a * rail), rail, here);
  } else {
    const Real determinant = a.xx * a.yy - a.xy * a.xy;
    here = {(a.xy * p.y - a.yy * p.x) / determinant, (a.xy * p.x - a.xx * p.y) / determinant};
  }
  solution[0] = here.x;
  solution[1] = here.y;
  for (std::size_t i = 0; i < n; ++i) {
    const Point2 normal = Turned(tangent_[i]);
    const Passed& link = passed_[i];
    const Real second = -(Along(link.a_n, here) + Along(normal, link.w)) / (l_ * link.n_a_n);
    solution[2 + i] = second;
    Add(l_ * second, normal, here);
    if (rates != nullptr) Add(-l_ * rates[i] * rates[i], tangent_[i], here);
  }
}

void RopeFlightAngles::Evaluate(Real t, const std::vector<Real>& y, std::vector<Real>& ydot) {
  Walk(y);
  const std::size_t n = LinksIn(y), half = n + 2;
  ydot.assign(y.size(), Real(0));
  for (std::size_t i = 0; i < half; ++i) ydot[i] = y[half + i];
  force_.clear();
  for (std::size_t i = 0; i <= n; ++i) {
    const Real m = Mass(i, t);
    force_.push_back({m * gravity_.x, m * gravity_.y});
  }
  const Real speed = Sqrt(Along(velocity_[0], velocity_[0]));
  if (burning) {
    if (on_rail || IsZero(speed)) {
      Add(flight_.thrust, {flight_.rail_direction.x, flight_.rail_direction.y}, force_[0]);
    } else {
      Add(Real(flight_.thrust) / speed, velocity_[0], force_[0]);
    }
  }
  const Real d = flight_.body_diameter, dynamic = Real(flight_.air_density) / 2;
  Add(-dynamic * Real(flight_.body_drag) * (Pi() / 4) * d * d * speed, velocity_[0], force_[0]);
  const Real section = Real(flight_.rope_diameter) * l_;
  for (std::size_t i = 0; i < n; ++i) {
    // Half of a link's drag on each of its ends.
    const Point2 tangent = tangent_[i], normal = Turned(tangent);
    const Real along = (Along(velocity_[i], tangent) + Along(velocity_[i + 1], tangent)) / 2;
    const Real across = (Along(velocity_[i], normal) + Along(velocity_[i + 1], normal)) / 2;
    const Real skin =
        -dynamic * Real(flight_.tangential_drag) * Pi() * section * Abs(along) * along;
    const Real side = -dynamic * Real(flight_.normal_drag) * section * Abs(across) * across;
    for (std::size_t end : {i, i + 1}) {
      Add(skin / 2, tangent, force_[end]);
      Add(side / 2, normal, force_[end]);
    }
  }
  Solve(t, y.data() + half + 2, ydot.data() + half);
}

Real RopeFlightAngles::Capture(Real t, std::vector<Real>& y) {
  const std::size_t n = LinksIn(y);
  Walk(y);
  const Point2 last = position_[n];
  const Real phi = Atan2(Real(flight_.box.y) - last.y, Real(flight_.box.x) - last.x);
  y.insert(y.begin() + static_cast<std::ptrdiff_t>(n + 2), phi);
  y.push_back(0);
  std::vector<Point2> before = velocity_;
  before.push_back({0, 0});
  Walk(y);
  force_.clear();
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Real m = Mass(i, t);
    force_.push_back({m * before[i].x, m * before[i].y});
  }
  Solve(t, nullptr, y.data() + n + 3);
  Walk(y);
  Real lost = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Point2 change{velocity_[i].x - before[i].x, velocity_[i].y - before[i].y};
    lost += Mass(i, t) * Along(change, change) / 2;
  }
  return lost;
}

NodeMotion RopeFlightAngles::Body(const std::vector<Real>& y) const {
  const std::size_t half = y.size() / 2;
  return {{y[0], y[1]}, {y[half], y[half + 1]}};
}

NodeMotion RopeFlightAngles::LastNode(const std::vector<Real>& y) const {
  NodeMotion node = Body(y);
  const std::size_t half = y.size() / 2;
  for (std::size_t i = 2; i < half; ++i) {
    const Point2 tangent{Cos(y[i]), Sin(y[i])};
    Add(l_, tangent, node.position);
    Add(l_ * y[half + i], Turned(tangent), node.velocity);
  }
  return node;
}

double RopeFlightAngles::ScaleOf(std::size_t entry, const std::vector<Real>& y, double length,
                                 double time) const {
  const std::size_t half = y.size() / 2, of_half = entry % half;
  const double scale = of_half < 2 ? length : length / flight_.link_length;
  return entry < half ? scale : scale / time;
}

}  // namespace mbsbench::extended
