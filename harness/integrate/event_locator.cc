#include "harness/integrate/event_locator.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mbsbench {

namespace {

// In units of the round-off of the time: the width of a closed bracket, and the distance within which two events
// happen at the same instant.
constexpr double kClosed = 2, kOneInstant = 16;
constexpr int kMostIterations = 200;  // bisection alone closes any bracket in fewer
constexpr int kHalvings = 40;         // in search of a negative g near the start of the step

double RoundOff(double t, double h) {
  return std::numeric_limits<double>::epsilon() * std::max(std::abs(t), std::abs(h));
}

}  // namespace

EventLocator::EventLocator(HasEvents* events, TakesSideSteps* stepper)
    : events_(events),
      stepper_(stepper),
      before_(events == nullptr ? 0 : events->event_count()),
      after_(before_.size()),
      here_(before_.size()),
      roots_(before_.size()) {}

void EventLocator::Start(double t, std::span<const double> y) {
  if (!active()) return;
  state_.resize(y.size());
  events_->Events(t, y, before_);
}

double EventLocator::ValueAt(std::size_t i, double t0, std::span<const double> y0, double h) {
  if (!stepper_->SideStep(t0, y0, h, state_).ok()) {
    found_.failed = true;
    return 0;
  }
  events_->Events(t0 + h, state_, here_);
  return here_[i];
}

// Chandrupatla 1997, "A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear
// function without using derivatives": inverse quadratic interpolation if it is safe, else bisection.
double EventLocator::Root(std::size_t i, double t0, std::span<const double> y0, double h,
                          double g_end, double low, double g_low) {
  double b = low, g_b = g_low, a = h, g_a = g_end;  // a is the newest but one
  double c = b, g_c = g_b, share = 0.5;
  // The first trial is the secant's.
  if (g_a != g_b) share = std::clamp(g_a / (g_a - g_b), 0.0, 1.0);
  double high = h;
  for (int k = 0; k < kMostIterations; ++k) {
    const double closed = kClosed * RoundOff(t0 + h, h);
    if (high - low <= closed) break;
    double x = a + share * (b - a);
    x = std::clamp(x, low + closed / 2, high - closed / 2);
    const double g_x = ValueAt(i, t0, y0, x);
    if (found_.failed) return h;
    (g_x < 0 ? low : high) = x;
    if (g_x == 0) break;
    if ((g_x < 0) == (g_a < 0)) {
      c = a, g_c = g_a;
    } else {
      c = b, g_c = g_b;
      b = a, g_b = g_a;
    }
    a = x, g_a = g_x;
    const double xi = (a - b) / (c - b), phi = (g_a - g_b) / (g_c - g_b);
    const bool trusted = phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi;
    share = trusted ? g_a / (g_b - g_a) * g_c / (g_b - g_c) +
                          (c - a) / (b - a) * g_a / (g_c - g_a) * g_b / (g_c - g_b)
                    : 0.5;
  }
  return high;
}

const EventLocator::Found& EventLocator::Find(double t0, std::span<const double> y0, double t1,
                                              std::span<const double> y1) {
  found_ = {};
  if (!active()) return found_;
  events_->Events(t1, y1, after_);
  const double h = t1 - t0;
  double first = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < before_.size(); ++i) {
    roots_[i] = std::numeric_limits<double>::infinity();
    if (!(after_[i] >= 0)) continue;
    double low = 0, g_low = before_[i];
    // After an event g may start at zero, as for a ball that leaves the ground; a long step can then contain
    // the next event.
    for (int k = 0; k < kHalvings && !(g_low < 0) && !found_.failed; ++k) {
      low = std::ldexp(h, -(k + 1));
      g_low = ValueAt(i, t0, y0, low);
    }
    if (!(g_low < 0)) continue;
    roots_[i] = Root(i, t0, y0, h, after_[i], low, g_low);
    first = std::min(first, roots_[i]);
  }
  if (found_.failed || std::isinf(first)) {
    if (!found_.failed) before_.swap(after_);
    return found_;
  }
  found_.time = first == h ? t1 : t0 + first;
  const double same = kOneInstant * RoundOff(t1, h);
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    if (roots_[i] <= first + same) found_.events.push_back(i);
  }
  if (first == h) {
    std::copy(y1.begin(), y1.end(), state_.begin());
  } else if (!stepper_->SideStep(t0, y0, first, state_).ok()) {
    found_.failed = true;
  }
  return found_;
}

}  // namespace mbsbench
