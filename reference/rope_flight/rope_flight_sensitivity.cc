#include "reference/rope_flight/rope_flight_sensitivity.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "problems/model/error.h"
#include "reference/data_parameters.h"
#include "reference/rope_flight/rope_flight.h"

namespace mbsbench::extended {

namespace {

constexpr double kChange = 1e-7;  // of scaled coordinates and rates, of data relative
constexpr ExtrapolationSettings kSteps{.columns = 4, .tolerance = 1e-13};

using Change = std::array<double, 4>;  // of (r / L, v T / L)

// Per sample the difference of two flights, divided by `by`.
std::vector<Change> ChangesBetween(const Problem& problem, const Flight& from, const Flight& to,
                                   double by) {
  if (from.trajectory.samples.size() != problem.sample_times.size() ||
      to.trajectory.samples.size() != problem.sample_times.size())
    throw ModelError("a rope flight ends before its last sample.");
  std::vector<Change> changes;
  for (std::size_t k = 0; k < problem.sample_times.size(); ++k) {
    const BodyMotion &a = from.trajectory.samples[k][0], &b = to.trajectory.samples[k][0];
    const Vec3 r = b.position - a.position, v = b.velocity - a.velocity;
    const double of_r = 1 / (problem.length * by), of_v = problem.time / (problem.length * by);
    changes.push_back({static_cast<double>(r.x) * of_r, static_cast<double>(r.y) * of_r,
                       static_cast<double>(v.x) * of_v, static_cast<double>(v.y) * of_v});
  }
  return changes;
}

double Dot(const Change& a, const Change& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// The 2-norm of the matrix with these two columns: the root of the largest eigenvalue of its 2 x 2 Gram matrix.
double NormOf(const Change& a, const Change& b) {
  const double p = Dot(a, a), q = Dot(b, b), mixed = Dot(a, b);
  return std::sqrt((p + q) / 2 + std::hypot((p - q) / 2, mixed));
}

}  // namespace

Sensitivity SensitivityOfFlight(const Problem& problem, const Progress& progress) {
  System counted = problem.system;
  const std::vector<DataParameter> parameters = DataParametersOf(counted, problem.planar);
  const std::size_t flights = 3 + parameters.size();
  std::size_t done = 0;
  const auto fly = [&](const Problem& changed, const FlightStart& start) {
    const Flight flight = SolveFlight<Real64>(changed, kSteps, start);
    if (progress) progress(static_cast<double>(++done) / static_cast<double>(flights));
    return flight;
  };
  const Flight first = fly(problem, {});
  const auto changes_from = [&](const Problem& changed, const FlightStart& start, double by) {
    return ChangesBetween(problem, first, fly(changed, start), by);
  };
  const std::vector<Change> of_way = changes_from(problem, {kChange * problem.length, 0}, kChange),
                            of_speed = changes_from(
                                problem, {0, kChange * problem.length / problem.time}, kChange);
  Sensitivity s;
  s.how =
      "2-norm of the tangent flow from the way and the speed along the rail to the flying body, by "
      "differences of flights";
  for (std::size_t k = 0; k < problem.sample_times.size(); ++k)
    s.of_state.push_back(NormOf(of_way[k], of_speed[k]));
  s.of_data.resize(problem.sample_times.size());
  s.per_parameter.resize(problem.sample_times.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Problem changed = problem;
    const DataParameter parameter = DataParametersOf(changed.system, problem.planar)[i];
    const double before = *parameter.places[0];
    for (double* place : parameter.places) *place *= 1 + kChange;
    const std::vector<Change> of_datum =
        changes_from(changed, {}, (*parameter.places[0] - before) / before);
    s.parameters.push_back(parameter.name);
    for (std::size_t k = 0; k < of_datum.size(); ++k) {
      s.of_data[k] += std::sqrt(Dot(of_datum[k], of_datum[k]));
      s.per_parameter[k].emplace_back(of_datum[k].begin(), of_datum[k].end());
    }
  }
  return s;
}

}  // namespace mbsbench::extended
