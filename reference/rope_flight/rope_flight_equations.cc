#include "reference/rope_flight/rope_flight_equations.h"

namespace mbsbench::extended {

namespace {

template <class S>
Point2<S> operator+(Point2<S> a, Point2<S> b) {
  return {a.x + b.x, a.y + b.y};
}
template <class S>
Point2<S> operator-(Point2<S> a, Point2<S> b) {
  return {a.x - b.x, a.y - b.y};
}
template <class S>
Point2<S> operator*(S s, Point2<S> a) {
  return {s * a.x, s * a.y};
}
template <class S>
S Dot(Point2<S> a, Point2<S> b) {
  return a.x * b.x + a.y * b.y;
}
template <class S>
S Length(Point2<S> a) {
  return Sqrt(Dot(a, a));
}
template <class S>
Point2<S> At(const S* points, std::size_t i) {
  return {points[2 * i], points[2 * i + 1]};
}

}  // namespace

template <class Scalar>
RopeFlightEquationsIn<Scalar>::RopeFlightEquationsIn(const System& system) {
  const RopeFlight& f = *system.rope_flight;
  box_ = {f.box.x, f.box.y};
  rail_ = {f.rail_direction.x, f.rail_direction.y};
  gravity_ = {system.gravity.x, system.gravity.y};
  l_ = f.link_length;
  launch_mass_ = system.bodies[0].mass;
  propellant_mass_ = f.propellant_mass;
  burn_time_ = f.burn_time;
  thrust_ = f.thrust;
  node_mass_ = Scalar(f.line_density) * l_;
  burning = f.burn_time > 0;
  on_rail = f.rail_length > 0 && system.bodies.size() == 1;
  const Scalar half_density = Scalar(f.air_density) / 2, d = f.body_diameter;
  body_drag_ = half_density * f.body_drag * (Scalar(Pi()) * d * d / 4);
  tangential_drag_ = half_density * f.tangential_drag * (Scalar(Pi()) * f.rope_diameter * l_);
  normal_drag_ = half_density * f.normal_drag * (Scalar(f.rope_diameter) * l_);
}

template <class Scalar>
Scalar RopeFlightEquationsIn<Scalar>::BodyMass(Scalar t) const {
  return launch_mass_ - (burning ? propellant_mass_ * t / burn_time_ : propellant_mass_);
}

template <class Scalar>
void RopeFlightEquationsIn<Scalar>::SetLinks(Scalar t, const std::vector<Scalar>& y) {
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

template <class Scalar>
void RopeFlightEquationsIn<Scalar>::SolveTensions() {
  const std::size_t n = d_.size();
  for (std::size_t i = 1; i < n; ++i) {
    const Scalar factor = beside_[i] / diagonal_[i - 1];
    diagonal_[i] -= factor * beside_[i];
    right_[i] -= factor * right_[i - 1];
  }
  for (std::size_t i = n; i-- > 0;) {
    if (i + 1 < n) right_[i] -= beside_[i + 1] * right_[i + 1];
    right_[i] /= diagonal_[i];
  }
}

template <class Scalar>
void RopeFlightEquationsIn<Scalar>::AddPulls(Scalar* points) const {
  for (std::size_t i = 0; i < d_.size(); ++i) {
    const Point2<Scalar> pull = right_[i] * d_[i];
    points[2 * i] += inverse_mass_[i] * pull.x;
    points[2 * i + 1] += inverse_mass_[i] * pull.y;
    points[2 * i + 2] -= inverse_mass_[i + 1] * pull.x;
    points[2 * i + 3] -= inverse_mass_[i + 1] * pull.y;
  }
}

template <class Scalar>
void RopeFlightEquationsIn<Scalar>::Evaluate(Scalar t, const std::vector<Scalar>& y,
                                             std::vector<Scalar>& ydot) {
  const std::size_t nodes = NodesIn(y), half = 2 * nodes;
  const Scalar* const v = y.data() + half;
  SetLinks(t, y);
  ydot.resize(y.size());
  for (std::size_t i = 0; i < half; ++i) ydot[i] = v[i];

  force_.assign(nodes, {});
  const Point2<Scalar> v_0 = At(v, 0);
  const Scalar speed = Length(v_0);
  force_[0] = -(body_drag_ * speed) * v_0;
  if (burning) {
    const Point2<Scalar> direction = on_rail || IsZero(speed) ? rail_ : (1 / speed) * v_0;
    force_[0] = force_[0] + thrust_ * direction;
  }
  for (std::size_t i = 0; i + 1 < nodes; ++i) {
    const Point2<Scalar> tangent = (1 / l_) * d_[i], normal{-tangent.y, tangent.x};
    const Point2<Scalar> mean = Scalar(0.5) * (At(v, i) + At(v, i + 1));
    const Scalar along = Dot(mean, tangent), across = Dot(mean, normal);
    const Point2<Scalar> drag = (-tangential_drag_ * Abs(along) * along) * tangent -
                                (normal_drag_ * Abs(across) * across) * normal;
    force_[i] = force_[i] + Scalar(0.5) * drag;
    force_[i + 1] = force_[i + 1] + Scalar(0.5) * drag;
  }
  Scalar* const a = ydot.data() + half;
  for (std::size_t i = 0; i < nodes; ++i) {
    const Point2<Scalar> free = gravity_ + inverse_mass_[i] * force_[i];
    a[2 * i] = free.x;
    a[2 * i + 1] = free.y;
  }
  if (on_rail) {
    const Point2<Scalar> along = Dot(At(a, 0), rail_) * rail_;
    a[0] = along.x;
    a[1] = along.y;
  }
  for (std::size_t i = 0; i < d_.size(); ++i) {
    const Point2<Scalar> rate = At(v, i + 1) - At(v, i);
    right_[i] = Dot(rate, rate) + Dot(d_[i], At(a, i + 1) - At(a, i));
  }
  SolveTensions();
  AddPulls(a);
}

template <class Scalar>
void RopeFlightEquationsIn<Scalar>::Project(Scalar t, std::vector<Scalar>& y) {
  constexpr int kCorrections = 2;  // the residual of a step is tiny, and Newton squares it
  for (int k = 0; k < kCorrections; ++k) {
    SetLinks(t, y);
    for (std::size_t i = 0; i < d_.size(); ++i) right_[i] = (Dot(d_[i], d_[i]) - l_ * l_) / 2;
    SolveTensions();
    AddPulls(y.data());
  }
  SetLinks(t, y);
  Scalar* const v = y.data() + y.size() / 2;
  for (std::size_t i = 0; i < d_.size(); ++i) right_[i] = Dot(d_[i], At(v, i + 1) - At(v, i));
  SolveTensions();
  AddPulls(v);
}

template <class Scalar>
Scalar RopeFlightEquationsIn<Scalar>::Capture(Scalar t, std::vector<Scalar>& y) {
  const std::size_t half = y.size() / 2;
  std::vector<Scalar> grown(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(half));
  grown.push_back(box_.x);
  grown.push_back(box_.y);
  grown.insert(grown.end(), y.begin() + static_cast<std::ptrdiff_t>(half), y.end());
  grown.push_back(0);
  grown.push_back(0);
  y = grown;
  Project(t, y);
  Scalar lost = 0;
  const Scalar *const before = grown.data() + grown.size() / 2, *const after =
                                                                    y.data() + y.size() / 2;
  for (std::size_t i = 0; i < NodesIn(y); ++i) {
    const Point2<Scalar> change = At(after, i) - At(before, i);
    lost += Mass(i, t) * Dot(change, change) / 2;
  }
  return lost;
}

template class RopeFlightEquationsIn<Real>;
template class RopeFlightEquationsIn<Real64>;

}  // namespace mbsbench::extended
