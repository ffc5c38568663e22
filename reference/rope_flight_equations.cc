#include "reference/rope_flight_equations.h"

namespace mbsbench::extended {

namespace {

Point2 operator+(Point2 a, Point2 b) { return {a.x + b.x, a.y + b.y}; }
Point2 operator-(Point2 a, Point2 b) { return {a.x - b.x, a.y - b.y}; }
Point2 operator*(Real s, Point2 a) { return {s * a.x, s * a.y}; }
Real Dot(Point2 a, Point2 b) { return a.x * b.x + a.y * b.y; }
Real Length(Point2 a) { return Sqrt(Dot(a, a)); }
Point2 At(const Real* points, std::size_t i) { return {points[2 * i], points[2 * i + 1]}; }

}  // namespace

RopeFlightEquations::RopeFlightEquations(const System& system) {
  const RopeFlight& f = *system.rope_flight;
  box_ = {f.box.x, f.box.y};
  rail_ = {f.rail_direction.x, f.rail_direction.y};
  gravity_ = {system.gravity.x, system.gravity.y};
  l_ = f.link_length;
  launch_mass_ = system.bodies[0].mass;
  propellant_mass_ = f.propellant_mass;
  burn_time_ = f.burn_time;
  thrust_ = f.thrust;
  node_mass_ = Real(f.line_density) * l_;
  burning = f.burn_time > 0;
  on_rail = f.rail_length > 0 && system.bodies.size() == 1;
  const Real half_density = Real(f.air_density) / 2, d = f.body_diameter;
  body_drag_ = half_density * f.body_drag * (Pi() * d * d / 4);
  tangential_drag_ = half_density * f.tangential_drag * (Pi() * f.rope_diameter * l_);
  normal_drag_ = half_density * f.normal_drag * (Real(f.rope_diameter) * l_);
}

Real RopeFlightEquations::BodyMass(Real t) const {
  return launch_mass_ - (burning ? propellant_mass_ * t / burn_time_ : propellant_mass_);
}

void RopeFlightEquations::SetLinks(Real t, const std::vector<Real>& y) {
  const std::size_t n = NodesIn(y) - 1;
  d_.resize(n);
  diagonal_.resize(n);
  beside_.resize(n);
  right_.resize(n);
  inverse_mass_.resize(n + 1);
  for (std::size_t i = 0; i <= n; ++i) inverse_mass_[i] = i < 2 ? 1 / Mass(i, t) : inverse_mass_[1];
  for (std::size_t i = 0; i < n; ++i) {
    d_[i] = At(y.data(), i + 1) - At(y.data(), i);
    diagonal_[i] = Dot(d_[i], d_[i]) * (inverse_mass_[i] + inverse_mass_[i + 1]);
    if (i > 0) beside_[i] = -Dot(d_[i - 1], d_[i]) * inverse_mass_[i];
  }
}

void RopeFlightEquations::SolveTensions() {
  const std::size_t n = d_.size();
  for (std::size_t i = 1; i < n; ++i) {
    const Real factor = beside_[i] / diagonal_[i - 1];
    diagonal_[i] -= factor * beside_[i];
    right_[i] -= factor * right_[i - 1];
  }
  for (std::size_t i = n; i-- > 0;) {
    if (i + 1 < n) right_[i] -= beside_[i + 1] * right_[i + 1];
    right_[i] /= diagonal_[i];
  }
}

void RopeFlightEquations::AddPulls(Real* points) const {
  for (std::size_t i = 0; i < d_.size(); ++i) {
    const Point2 pull = right_[i] * d_[i];
    points[2 * i] += inverse_mass_[i] * pull.x;
    points[2 * i + 1] += inverse_mass_[i] * pull.y;
    points[2 * i + 2] -= inverse_mass_[i + 1] * pull.x;
    points[2 * i + 3] -= inverse_mass_[i + 1] * pull.y;
  }
}

void RopeFlightEquations::Evaluate(Real t, const std::vector<Real>& y, std::vector<Real>& ydot) {
  const std::size_t nodes = NodesIn(y), half = 2 * nodes;
  const Real* const v = y.data() + half;
  SetLinks(t, y);
  ydot.resize(y.size());
  for (std::size_t i = 0; i < half; ++i) ydot[i] = v[i];

  force_.assign(nodes, {});
  const Point2 v_0 = At(v, 0);
  const Real speed = Length(v_0);
  force_[0] = -(body_drag_ * speed) * v_0;
  if (burning) {
    const Point2 direction = on_rail || IsZero(speed) ? rail_ : (1 / speed) * v_0;
    force_[0] = force_[0] + thrust_ * direction;
  }
  for (std::size_t i = 0; i + 1 < nodes; ++i) {
    const Point2 tangent = (1 / l_) * d_[i], normal{-tangent.y, tangent.x};
    const Point2 mean = Real(0.5) * (At(v, i) + At(v, i + 1));
    const Real along = Dot(mean, tangent), across = Dot(mean, normal);
    const Point2 drag = (-tangential_drag_ * Abs(along) * along) * tangent -
                        (normal_drag_ * Abs(across) * across) * normal;
    force_[i] = force_[i] + Real(0.5) * drag;
    force_[i + 1] = force_[i + 1] + Real(0.5) * drag;
  }
  Real* const a = ydot.data() + half;
  for (std::size_t i = 0; i < nodes; ++i) {
    const Point2 free = gravity_ + inverse_mass_[i] * force_[i];
    a[2 * i] = free.x;
    a[2 * i + 1] = free.y;
  }
  if (on_rail) {
    const Point2 along = Dot(At(a, 0), rail_) * rail_;
    a[0] = along.x;
    a[1] = along.y;
  }
  for (std::size_t i = 0; i < d_.size(); ++i) {
    const Point2 rate = At(v, i + 1) - At(v, i);
    right_[i] = Dot(rate, rate) + Dot(d_[i], At(a, i + 1) - At(a, i));
  }
  SolveTensions();
  AddPulls(a);
}

void RopeFlightEquations::Project(Real t, std::vector<Real>& y) {
  constexpr int kCorrections = 2;  // what a step leaves is tiny, and Newton squares it
  for (int k = 0; k < kCorrections; ++k) {
    SetLinks(t, y);
    for (std::size_t i = 0; i < d_.size(); ++i) right_[i] = (Dot(d_[i], d_[i]) - l_ * l_) / 2;
    SolveTensions();
    AddPulls(y.data());
  }
  SetLinks(t, y);
  Real* const v = y.data() + y.size() / 2;
  for (std::size_t i = 0; i < d_.size(); ++i) right_[i] = Dot(d_[i], At(v, i + 1) - At(v, i));
  SolveTensions();
  AddPulls(v);
}

Real RopeFlightEquations::Capture(Real t, std::vector<Real>& y) {
  const std::size_t half = y.size() / 2;
  std::vector<Real> grown(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(half));
  grown.push_back(box_.x);
  grown.push_back(box_.y);
  grown.insert(grown.end(), y.begin() + static_cast<std::ptrdiff_t>(half), y.end());
  grown.push_back(0);
  grown.push_back(0);
  y = grown;
  Project(t, y);
  Real lost = 0;
  const Real *const before = grown.data() + grown.size() / 2, *const after =
                                                                  y.data() + y.size() / 2;
  for (std::size_t i = 0; i < NodesIn(y); ++i) {
    const Point2 change = At(after, i) - At(before, i);
    lost += Mass(i, t) * Dot(change, change) / 2;
  }
  return lost;
}

}  // namespace mbsbench::extended
