#include "reference/rope_flight/rope_flight.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "problems/model/error.h"
#include "reference/certificate.h"
#include "reference/rope_flight/rope_flight_angles.h"
#include "reference/rope_flight/rope_flight_equations.h"

namespace mbsbench::extended {

namespace {

// The kinks of |v| v in the drag, where a link's velocity changes sign, cost many short steps at a tight tolerance and a high
// order, and leave 1e-12 to 1e-11 of a flight in any arithmetic: 64 bits, whose round-off is a thousand times smaller, take
// minutes where 113 bits take an hour. The stored certificates for links of 2 and 4 m are in 113 bits. The second formulation, in
// 64 bits, lies within their error estimates: by 3.4e-13 with links of 4 m (estimate 2.9e-11), 4e-12 with links of 2 m (3.9e-11),
// 1.6e-12 in R1 (7.0e-12) and 5.4e-13 in R2 (1.7e-11).
constexpr ExtrapolationSettings kReference{.columns = 7, .tolerance = 1e-17};
constexpr ExtrapolationSettings kSecondOrder{.columns = 5, .tolerance = 1e-15};
constexpr ExtrapolationSettings kSecondFormulation{.columns = 6, .tolerance = 1e-16};
// On the largest difference. Kinks make errors irregular: flights with links of 4 m at tolerances of 1e-17 to 1e-20 lie up to
// 1.3e-11 apart, and the three of its certificate 5.8e-12.
constexpr double kMargin = 5;

template <class Equations>
class FlightRun {
  using Scalar = typename Equations::Number;

 public:
  FlightRun(const Problem& problem, const ExtrapolationSettings& settings, const FlightStart& start,
            const Progress& progress)
      : problem_(problem),
        settings_(settings),
        progress_(progress),
        equations_(problem.system),
        f_([this](Scalar t, const std::vector<Scalar>& y, std::vector<Scalar>& ydot) {
          ++flight_.trajectory.counters.evaluations;
          equations_.Evaluate(t, y, ydot);
        }) {
    if (StoredBodies(problem) != std::vector<int>{0} || problem.system.bodies.size() != 1)
      throw ModelError(
          "the reference of a rope flight contains only the flying body, which starts on its "
          "rail.");
    const RopeFlight& flight = *problem.system.rope_flight;
    box_ = {flight.box.x, flight.box.y};
    const Point2<Scalar> rail{flight.rail_direction.x, flight.rail_direction.y}, box = box_;
    y_ = {box.x + start.distance * rail.x, box.y + start.distance * rail.y, start.speed * rail.x,
          start.speed * rail.y};
  }

  Flight Run() {
    const std::vector<double>& times = problem_.sample_times;
    wanted_ = Scalar(1e-3);
    while (!landed_ && t_ < Scalar(problem_.end_time)) {
      while (next_ < times.size() && !(t_ < Scalar(times[next_]))) Sample();
      Advance();
    }
    return std::move(flight_);
  }

 private:
  enum Event { kRailExit, kCapture, kLanding };
  // A difference of orders below this fraction of an entry or its scale is round-off: a shorter step does not lower it, and it would keep
  // steps short.
  static constexpr double kRoundOff = 32 * (std::is_same_v<Scalar, Real> ? 1.9e-34 : 1.1e-19);
  // [m] two events of one instant
  static constexpr double kAtOnce = std::is_same_v<Scalar, Real> ? 1e-26 : 1e-15;

  // The function whose zero is the event, and its rate.
  void Distance(Event event, const std::vector<Scalar>& y, Scalar& g, Scalar& rate) const {
    const auto node = event == kCapture ? equations_.LastNode(y) : equations_.Body(y);
    const Point2<Scalar> r{node.position.x - box_.x, node.position.y - box_.y};
    const Point2<Scalar> v = node.velocity;
    if (event == kLanding) {
      g = -r.y;
      rate = -v.y;
      return;
    }
    const Scalar distance = Sqrt(r.x * r.x + r.y * r.y);
    const RopeFlight& flight = *problem_.system.rope_flight;
    g = distance - Scalar(event == kCapture ? flight.link_length : flight.rail_length);
    rate = (r.x * v.x + r.y * v.y) / distance;
  }
  bool InForce(Event event) const {
    return event == kCapture || (event == kRailExit) == equations_.on_rail;
  }

  void Sample() {
    flight_.trajectory.samples.push_back({Body()});
    ++next_;
    if (progress_) progress_(static_cast<double>(t_) / problem_.end_time);
  }

  BodyMotion Body() const {
    const auto node = equations_.Body(y_);
    BodyMotion body;
    body.position = {node.position.x, node.position.y, 0};
    body.orientation = {1, 0, 0, 0};
    body.velocity = {node.velocity.x, node.velocity.y, 0};
    return body;
  }

  void Record(const char* name, Scalar lost = 0) {
    flight_.events.push_back({name, t_, Body(), lost});
  }

  // One step, up to an event, to the burn-out or to a sample.
  void Advance() {
    const std::vector<double>& times = problem_.sample_times;
    Scalar end = next_ < times.size() ? Scalar(times[next_]) : Scalar(problem_.end_time);
    const Scalar burn_out = problem_.system.rope_flight->burn_time;
    if (equations_.burning && burn_out < end) end = burn_out;
    Scalar h = wanted_;
    bool to_end = !(h < end - t_);
    if (to_end) h = end - t_;
    ExtrapolationStepIn<Scalar> step = Step(f_, t_, y_, h, settings_.columns);
    double error = 0;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      const double difference = std::abs(static_cast<double>(step.difference[i]));
      const double scale = equations_.ScaleOf(i, y_, problem_.length, problem_.time);
      const double round_off = kRoundOff * Max(scale, std::abs(static_cast<double>(y_[i])));
      if (!(difference <= round_off)) error = Max(error, difference / scale);
    }
    // If the orders differ by round-off alone, nothing is known about longer steps: steps grow slowly, so that they do
    // not jump over a kink.
    constexpr double kLeastFactor = 0.2, kMostFactor = 3, kBlindFactor = 1.25;
    double factor = std::isnan(error) ? kLeastFactor : kBlindFactor;
    if (error > 0) {
      factor =
          std::clamp(0.8 * std::pow(settings_.tolerance / error, 1. / (2 * settings_.columns - 1)),
                     kLeastFactor, kMostFactor);
    }
    const Scalar proposed = factor * h;
    if (!(error <= settings_.tolerance)) {
      wanted_ = proposed;
      ++flight_.trajectory.counters.rejected_steps;
      if (wanted_ < Scalar(1e-12))
        throw ModelError("the step of the rope flight's reference collapsed.");
      return;
    }
    if (!to_end || factor < 1) wanted_ = proposed;
    wanted_ = wanted_ < Scalar(0.1) ? wanted_ : Scalar(0.1);
    ++flight_.trajectory.counters.steps;
    Count(h);

    // The first event within the step.
    Scalar first = h;
    bool found = false;
    Event what = kRailExit;
    std::vector<Scalar> y = step.y;
    for (Event event : {kRailExit, kCapture, kLanding}) {
      Scalar before = 0, g = 0, rate = 0;
      if (!InForce(event)) continue;
      Distance(event, y_, before, rate);
      Distance(event, step.y, g, rate);
      if (!(before < Scalar(-kAtOnce) && !(g < 0))) continue;
      std::vector<Scalar> there = step.y;
      const Scalar length = Locate(event, h, there);
      if (found && !(length < first)) continue;
      found = true;
      first = length;
      what = event;
      y = std::move(there);
    }
    t_ = found ? t_ + first : to_end ? end : t_ + h;
    y_ = std::move(y);
    equations_.Project(t_, y_);
    if (found) {
      Apply(what);
    } else if (equations_.burning && to_end && end == burn_out) {
      equations_.burning = false;
      Record("burn-out");
    }
  }

  // Newton's iteration on the length of the step; `y` is the state at its end.
  Scalar Locate(Event event, Scalar h, std::vector<Scalar>& y) {
    constexpr int kMostIterations = 30;
    constexpr double kSmallest = 1e-29;  // [s] Newton squares the error: the next one is round-off
    for (int k = 0; k < kMostIterations; ++k) {
      Scalar g = 0, rate = 0;
      Distance(event, y, g, rate);
      const Scalar correction = g / rate;
      h -= correction;
      y = Step(f_, t_, y_, h, settings_.columns).y;
      if (Abs(correction) < Scalar(std::sqrt(kSmallest))) break;
    }
    return h;
  }

  void Apply(Event event) {
    if (event == kRailExit) {
      equations_.on_rail = false;
      Record("rail exit");
      Scalar g = 0, rate = 0;
      Distance(kCapture, y_, g, rate);
      if (Abs(g) > Scalar(kAtOnce)) return;
      event = kCapture;
    }
    if (event == kCapture) {
      const Scalar lost = equations_.Capture(t_, y_);
      Record("capture", lost);
    } else {
      landed_ = true;
      Record("landing");
    }
  }

  void Count(Scalar h) {
    ExtrapolationCounters& counters = flight_.trajectory.counters;
    if (counters.steps == 1 || h < counters.smallest_step) counters.smallest_step = h;
    counters.largest_step = Max(counters.largest_step, h);
  }

  const Problem& problem_;
  ExtrapolationSettings settings_;
  Progress progress_;
  Equations equations_;
  Point2<Scalar> box_;
  RightHandSideIn<Scalar> f_;
  Flight flight_;
  std::vector<Scalar> y_;
  Scalar t_ = 0, wanted_ = 0;
  std::size_t next_ = 0;
  bool landed_ = false;
};

}  // namespace

template <class Scalar>
Flight SolveFlight(const Problem& problem, const ExtrapolationSettings& settings,
                   const FlightStart& start, const Progress& progress) {
  return FlightRun<RopeFlightEquationsIn<Scalar>>(problem, settings, start, progress).Run();
}

template <class Scalar>
Flight SolveFlightInAngles(const Problem& problem, const ExtrapolationSettings& settings,
                           const Progress& progress) {
  return FlightRun<RopeFlightAnglesIn<Scalar>>(problem, settings, {}, progress).Run();
}

template Flight SolveFlight<Real>(const Problem&, const ExtrapolationSettings&, const FlightStart&,
                                  const Progress&);
template Flight SolveFlight<Real64>(const Problem&, const ExtrapolationSettings&,
                                    const FlightStart&, const Progress&);
template Flight SolveFlightInAngles<Real>(const Problem&, const ExtrapolationSettings&,
                                          const Progress&);
template Flight SolveFlightInAngles<Real64>(const Problem&, const ExtrapolationSettings&,
                                            const Progress&);

namespace {

Progress Part(const Progress& progress, double from, double to) {
  if (!progress) return {};
  return [=](double done) { progress(from + done * (to - from)); };
}

// Samples and, by the same measure, the events; infinite if the events differ.
Distance DistanceBetweenFlights(const Problem& problem, const Flight& a, const Flight& b) {
  if (a.events.size() != b.events.size() ||
      a.trajectory.samples.size() != b.trajectory.samples.size())
    return {INFINITY, INFINITY};
  Distance distance = DistanceBetween(problem, a.trajectory, b.trajectory);
  for (std::size_t k = 0; k < a.events.size(); ++k) {
    const FlightEvent &p = a.events[k], &q = b.events[k];
    if (p.name != q.name) return {INFINITY, INFINITY};
    const double length = problem.length, time = problem.time;
    distance.position =
        Max(distance.position,
            Max(static_cast<double>(Norm(p.body.position - q.body.position)) / length,
                static_cast<double>(Abs(p.time - q.time)) / time));
    distance.velocity =
        Max(distance.velocity,
            static_cast<double>(Norm(p.body.velocity - q.body.velocity)) * time / length);
  }
  return distance;
}

std::string Describe(const ExtrapolationSettings& settings, const Flight& flight) {
  const ExtrapolationCounters& counters = flight.trajectory.counters;
  return fmt::format("order {}, step tolerance {:.0e}, {} steps of {:.2g} to {:.2g} s",
                     2 * settings.columns, settings.tolerance, counters.steps,
                     static_cast<double>(counters.smallest_step),
                     static_cast<double>(counters.largest_step));
}

std::string DescribeAngles(const Flight& flight) {
  return std::string(RopeFlightAnglesIn<Real64>::kDescription) + ", by " +
         Describe(kSecondFormulation, flight);
}

}  // namespace

Distance DifferenceInAngles(const Problem& problem, const Reference& held, std::string& by,
                            const Progress& progress) {
  const Flight other = SolveFlightInAngles<Real64>(problem, kSecondFormulation, progress);
  Flight flight;
  for (const ReferenceSample& sample : held.samples)
    flight.trajectory.samples.push_back(Join(sample));
  for (const ReferenceEvent& event : held.events) {
    flight.events.push_back(
        {event.name, event.time, Join({event.time, event.bodies, {}})[0], event.energy_lost});
  }
  by = DescribeAngles(other);
  return DistanceBetweenFlights(problem, flight, other);
}

Reference CertifyFlight(const Problem& problem, const Progress& progress) {
  const Flight truth = SolveFlight<Real64>(problem, kReference, {}, Part(progress, 0, 0.45));
  const Flight second = SolveFlight<Real64>(problem, kSecondOrder, {}, Part(progress, 0.45, 0.7));
  const Flight other =
      SolveFlightInAngles<Real64>(problem, kSecondFormulation, Part(progress, 0.7, 1));
  const Distance of_orders = DistanceBetweenFlights(problem, truth, second),
                 of_formulations = DistanceBetweenFlights(problem, truth, other);
  Reference r;
  r.problem = problem.name;
  r.how = fmt::format(
      "{}, 64 bits; extrapolated midpoint rule of {}; {} events located to "
      "round-off; projected onto the links after each step",
      RopeFlightEquations::kDescription, Describe(kReference, truth), truth.events.size());
  r.certified_by = fmt::format("the same by {}: differs by {:.1e}; {}: differs by {:.1e}",
                               Describe(kSecondOrder, second), of_orders.position,
                               DescribeAngles(other), of_formulations.position);
  r.error_estimate = kMargin * Max(of_orders.position, of_formulations.position);
  r.velocity_error_estimate = kMargin * Max(of_orders.velocity, of_formulations.velocity);
  r.bodies = {0};
  for (std::size_t k = 0; k < truth.trajectory.samples.size(); ++k) {
    ReferenceSample sample;
    sample.time = problem.sample_times[k];
    Split(truth.trajectory.samples[k], sample);
    r.samples.push_back(std::move(sample));
  }
  for (const FlightEvent& event : truth.events)
    r.events.push_back({event.name, static_cast<double>(event.time), Round(Motion{event.body}),
                        static_cast<double>(event.energy_lost)});
  return r;
}

}  // namespace mbsbench::extended
