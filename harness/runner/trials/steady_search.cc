#include "harness/runner/trials/steady_search.h"

#include <algorithm>
#include <cmath>

#include "problems/model/random_numbers.h"

namespace mbsbench {

namespace {

// In units of L, or rad. Newton's error is far smaller, except at singular positions, where it is 1e-6.
constexpr double kSame = 1e-5;

// Indices of the unknowns with a joint spring: a full turn of these is another state.
std::vector<std::size_t> SprungUnknowns(const System& system,
                                        const AlgebraicFormulation& formulation) {
  const auto names = formulation.unknowns();
  std::vector<std::size_t> sprung;
  for (std::size_t i = 0; i < formulation.coordinate_count(); ++i) {
    for (const JointSpringDamper& e : system.forces.Of<JointSpringDamper>()) {
      if (e.stiffness != 0 &&
          system.joints[static_cast<std::size_t>(e.joint)].name == names[i].name) {
        sprung.push_back(i);
      }
    }
  }
  return sprung;
}

// Reduces angles without a spring to within half a turn.
void Wrap(const System& system, const AlgebraicFormulation& formulation, std::vector<double>& z) {
  const std::vector<std::size_t> sprung = SprungUnknowns(system, formulation);
  const auto names = formulation.unknowns();
  for (std::size_t i = 0; i < formulation.coordinate_count(); ++i) {
    const bool is_angle =
        std::any_of(system.joints.begin(), system.joints.end(), [&](const Joint& j) {
          return j.name == names[i].name && CoordinateCount(j.type) == 1 && !IsLength(j.type, 0);
        });
    if (!is_angle || std::find(sprung.begin(), sprung.end(), i) != sprung.end()) continue;
    z[i] = std::remainder(z[i], 2 * M_PI);
  }
}

// The same positions of the bodies, and the same turns of joint springs.
bool SameState(const System& system, const AlgebraicFormulation& formulation, const FoundState& a,
               const FoundState& b, double length) {
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    if (Norm(a.bodies[i].position - b.bodies[i].position) > kSame * length) return false;
    if (AngleBetween(a.bodies[i].orientation, b.bodies[i].orientation) > kSame) return false;
  }
  for (std::size_t i : SprungUnknowns(system, formulation)) {
    if (std::abs(a.z[i] - b.z[i]) > 10 * kSame) return false;
  }
  return true;
}

}  // namespace

SteadySearch SearchSteadyStates(const PreparedCell& prepared, AlgebraicFormulation& formulation,
                                double speed, int starts, std::uint64_t seed) {
  const System& system = prepared.problem.system;
  const double length = prepared.problem.length;
  SteadySearch search;
  search.speed = speed;
  search.starts = starts;
  formulation.SetSpeed(speed);
  std::vector<double> own(formulation.state_size());
  formulation.Initialise(0, prepared.initial, own);
  const auto names = formulation.unknowns();
  RandomNumbers random(seed);
  for (int k = 0; k < starts; ++k) {
    std::vector<double> guess = own;
    for (std::size_t i = 0; k > 0 && i < formulation.coordinate_count(); ++i) {
      if (names[i].unit == "m") {
        guess[i] += random.Between(-length, length);
      } else {
        guess[i] = random.Between(-2 * M_PI, 2 * M_PI);
      }
    }
    IntegrationReport report = SolveSteadyState(formulation, guess);
    if (!report.ok()) {
      ++search.failed[std::string(Name(Classify(report, prepared.problem.system).outcome))];
      continue;
    }
    FoundState state;
    state.z = std::move(report.end_state);
    Wrap(system, formulation, state.z);
    state.residual = std::move(report.residual);
    Observation observation;
    formulation.Observe(0, state.z, Detail::kMotion, observation);
    state.bodies = std::move(observation.bodies);
    auto known = std::find_if(search.found.begin(), search.found.end(), [&](const FoundState& f) {
      return SameState(system, formulation, f, state, length);
    });
    if (known == search.found.end()) {
      state.stability = StabilityAt(formulation, state.z);
      known = search.found.insert(search.found.end(), std::move(state));
    }
    ++known->reached_by;
    known->from_problem |= k == 0;
  }
  const std::size_t n = formulation.coordinate_count();
  std::sort(search.found.begin(), search.found.end(),
            [n](const FoundState& a, const FoundState& b) {
              for (std::size_t i = 0; i < n; ++i) {
                if (std::abs(a.z[i] - b.z[i]) > kSame) return a.z[i] < b.z[i];
              }
              return false;
            });
  return search;
}

}  // namespace mbsbench
