#include "reference/rope_flight/rope_flight_angles.h"

#include <type_traits>

namespace mbsbench::extended {

namespace {

template <class S>
S Along(Point2<S> a, Point2<S> b) {
  return a.x * b.x + a.y * b.y;
}
template <class S>
Point2<S> Turned(Point2<S> a) {
  return {-a.y, a.x};
}
template <class S>
void Add(std::type_identity_t<S> s, Point2<S> a, Point2<S>& to) {
  to.x += s * a.x;
  to.y += s * a.y;
}

template <class S>
struct Symmetric2 {
  S xx, xy, yy;
  Point2<S> operator*(Point2<S> a) const { return {xx * a.x + xy * a.y, xy * a.x + yy * a.y}; }
};

}  // namespace

template <class Scalar>
RopeFlightAnglesIn<Scalar>::RopeFlightAnglesIn(const System& system)
    : on_rail(system.rope_flight->rail_length > 0 && system.bodies.size() == 1),
      burning(system.rope_flight->burn_time > 0),
      flight_(*system.rope_flight),
      gravity_{system.gravity.x, system.gravity.y},
      launch_mass_(system.bodies[0].mass),
      node_mass_(Scalar(flight_.line_density) * Scalar(flight_.link_length)),
      l_(flight_.link_length) {}

template <class Scalar>
Scalar RopeFlightAnglesIn<Scalar>::Mass(std::size_t i, Scalar t) const {
  if (i > 0) return node_mass_;
  const Scalar gone = burning ? t / Scalar(flight_.burn_time) : Scalar(1);
  return launch_mass_ - gone * Scalar(flight_.propellant_mass);
}

template <class Scalar>
void RopeFlightAnglesIn<Scalar>::Walk(const std::vector<Scalar>& y) {
  const std::size_t n = LinksIn(y);
  const Scalar *phi = y.data() + 2, *v = y.data() + n + 2;
  position_.assign(1, {y[0], y[1]});
  velocity_.assign(1, {v[0], v[1]});
  tangent_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    tangent_.push_back({Cos(phi[i]), Sin(phi[i])});
    Point2<Scalar> r = position_[i], rate = velocity_[i];
    Add(l_, tangent_[i], r);
    Add(l_ * v[2 + i], Turned(tangent_[i]), rate);
    position_.push_back(r);
    velocity_.push_back(rate);
  }
}

template <class Scalar>
void RopeFlightAnglesIn<Scalar>::Solve(Scalar t, const Scalar* rates, Scalar* solution) {
  const std::size_t n = tangent_.size();
  passed_.resize(n);
  Symmetric2<Scalar> a{Mass(n, t), 0, Mass(n, t)};
  Point2<Scalar> p{-force_[n].x, -force_[n].y};
  for (std::size_t i = n; i-- > 0;) {
    const Point2<Scalar> tangent = tangent_[i], normal = Turned(tangent), a_t = a * tangent;
    Passed& link = passed_[i];
    link.a_n = a * normal;
    link.n_a_n = Along(normal, link.a_n);
    link.w = p;
    if (rates != nullptr) Add(-l_ * rates[i] * rates[i], a_t, link.w);
    const Scalar t_a_n = Along(tangent, link.a_n);
    const Scalar alpha = Along(tangent, a_t) - t_a_n * t_a_n / link.n_a_n;
    const Scalar beta = Along(tangent, link.w) - t_a_n * Along(normal, link.w) / link.n_a_n;
    const Scalar m = Mass(i, t);
    a = {m + alpha * tangent.x * tangent.x, alpha * tangent.x * tangent.y,
         m + alpha * tangent.y * tangent.y};
    p = {beta * tangent.x - force_[i].x, beta * tangent.y - force_[i].y};
  }
  Point2<Scalar> here;
  if (on_rail) {
    const Point2<Scalar> rail{flight_.rail_direction.x, flight_.rail_direction.y};
    Add(-Along(rail, p) / Along(rail, a * rail), rail, here);
  } else {
    const Scalar determinant = a.xx * a.yy - a.xy * a.xy;
    here = {(a.xy * p.y - a.yy * p.x) / determinant, (a.xy * p.x - a.xx * p.y) / determinant};
  }
  solution[0] = here.x;
  solution[1] = here.y;
  for (std::size_t i = 0; i < n; ++i) {
    const Point2<Scalar> normal = Turned(tangent_[i]);
    const Passed& link = passed_[i];
    const Scalar second = -(Along(link.a_n, here) + Along(normal, link.w)) / (l_ * link.n_a_n);
    solution[2 + i] = second;
    Add(l_ * second, normal, here);
    if (rates != nullptr) Add(-l_ * rates[i] * rates[i], tangent_[i], here);
  }
}

template <class Scalar>
void RopeFlightAnglesIn<Scalar>::Evaluate(Scalar t, const std::vector<Scalar>& y,
                                          std::vector<Scalar>& ydot) {
  Walk(y);
  const std::size_t n = LinksIn(y), half = n + 2;
  ydot.assign(y.size(), Scalar(0));
  for (std::size_t i = 0; i < half; ++i) ydot[i] = y[half + i];
  force_.clear();
  for (std::size_t i = 0; i <= n; ++i) {
    const Scalar m = Mass(i, t);
    force_.push_back({m * gravity_.x, m * gravity_.y});
  }
  const Scalar speed = Sqrt(Along(velocity_[0], velocity_[0]));
  if (burning) {
    if (on_rail || IsZero(speed)) {
      Add(flight_.thrust, {flight_.rail_direction.x, flight_.rail_direction.y}, force_[0]);
    } else {
      Add(Scalar(flight_.thrust) / speed, velocity_[0], force_[0]);
    }
  }
  const Scalar d = flight_.body_diameter, dynamic = Scalar(flight_.air_density) / 2;
  Add(-dynamic * Scalar(flight_.body_drag) * (Scalar(Pi()) / 4) * d * d * speed, velocity_[0],
      force_[0]);
  const Scalar section = Scalar(flight_.rope_diameter) * l_;
  for (std::size_t i = 0; i < n; ++i) {
    // Half of a link's drag on each of its ends.
    const Point2<Scalar> tangent = tangent_[i], normal = Turned(tangent);
    const Scalar along = (Along(velocity_[i], tangent) + Along(velocity_[i + 1], tangent)) / 2;
    const Scalar across = (Along(velocity_[i], normal) + Along(velocity_[i + 1], normal)) / 2;
    const Scalar skin =
        -dynamic * Scalar(flight_.tangential_drag) * Scalar(Pi()) * section * Abs(along) * along;
    const Scalar side = -dynamic * Scalar(flight_.normal_drag) * section * Abs(across) * across;
    for (std::size_t end : {i, i + 1}) {
      Add(skin / 2, tangent, force_[end]);
      Add(side / 2, normal, force_[end]);
    }
  }
  Solve(t, y.data() + half + 2, ydot.data() + half);
}

template <class Scalar>
Scalar RopeFlightAnglesIn<Scalar>::Capture(Scalar t, std::vector<Scalar>& y) {
  const std::size_t n = LinksIn(y);
  Walk(y);
  const Point2<Scalar> last = position_[n];
  const Scalar phi = Atan2(Scalar(flight_.box.y) - last.y, Scalar(flight_.box.x) - last.x);
  y.insert(y.begin() + static_cast<std::ptrdiff_t>(n + 2), phi);
  y.push_back(0);
  std::vector<Point2<Scalar>> before = velocity_;
  before.push_back({0, 0});
  Walk(y);
  force_.clear();
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Scalar m = Mass(i, t);
    force_.push_back({m * before[i].x, m * before[i].y});
  }
  Solve(t, nullptr, y.data() + n + 3);
  Walk(y);
  Scalar lost = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Point2<Scalar> change{velocity_[i].x - before[i].x, velocity_[i].y - before[i].y};
    lost += Mass(i, t) * Along(change, change) / 2;
  }
  return lost;
}

template <class Scalar>
NodeMotion<Scalar> RopeFlightAnglesIn<Scalar>::Body(const std::vector<Scalar>& y) const {
  const std::size_t half = y.size() / 2;
  return {{y[0], y[1]}, {y[half], y[half + 1]}};
}

template <class Scalar>
NodeMotion<Scalar> RopeFlightAnglesIn<Scalar>::LastNode(const std::vector<Scalar>& y) const {
  NodeMotion<Scalar> node = Body(y);
  const std::size_t half = y.size() / 2;
  for (std::size_t i = 2; i < half; ++i) {
    const Point2<Scalar> tangent{Cos(y[i]), Sin(y[i])};
    Add(l_, tangent, node.position);
    Add(l_ * y[half + i], Turned(tangent), node.velocity);
  }
  return node;
}

template <class Scalar>
double RopeFlightAnglesIn<Scalar>::ScaleOf(std::size_t entry, const std::vector<Scalar>& y,
                                           double length, double time) const {
  const std::size_t half = y.size() / 2, of_half = entry % half;
  const double scale = of_half < 2 ? length : length / flight_.link_length;
  return entry < half ? scale : scale / time;
}

template class RopeFlightAnglesIn<Real>;
template class RopeFlightAnglesIn<Real64>;

}  // namespace mbsbench::extended
