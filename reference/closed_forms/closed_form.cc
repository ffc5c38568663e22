#include "reference/closed_forms/closed_form.h"

#include <fmt/format.h>

#include "reference/certificate.h"
#include "reference/closed_forms/parallelogram.h"
#include "reference/closed_forms/plane_four_bar.h"
#include "reference/closed_forms/plane_pendulum.h"
#include "reference/reactions.h"
#include "reference/trajectory.h"

namespace mbsbench::extended {

namespace {

constexpr const char* kEllipticFunctions =
    "closed form: Jacobi's elliptic functions by the arithmetic-geometric mean, IEEE binary128 "
    "(113 bits)";

// The largest differences from the solution in maximal coordinates that tests/reference allow. Round-off of the closed
// forms is far below them.
struct ConfirmedTo {
  double position, velocity;
  const char* where;  // of the motion
};

// `motion_at` gives the motion of all bodies.
template <class MotionAt>
Reference Tabulate(const Problem& problem, const char* how, const ConfirmedTo& confirmed,
                   const MotionAt& motion_at) {
  Reference r;
  r.problem = problem.name;
  r.how = how;
  r.certified_by = fmt::format(
      "the extended-precision solution in maximal coordinates, which also gives the reactions: "
      "differs by less than {:.0e}{} (tests/reference)",
      confirmed.position, confirmed.where);
  r.error_estimate = confirmed.position;
  r.velocity_error_estimate = confirmed.velocity;
  r.bodies = StoredBodies(problem);
  r.joints = StoredJoints(problem);
  MaximalCoordinates equations(problem.system);
  for (double t : problem.sample_times) {
    const Motion all = motion_at(t);
    ReferenceSample sample;
    sample.time = t;
    Split(Stored(r.bodies, all), sample);
    const std::vector<Reaction> reactions = ReactionsOf(equations, all, equations.Accelerate(all));
    for (int j : r.joints)
      sample.reactions.push_back(Round(reactions[static_cast<std::size_t>(j)]));
    r.samples.push_back(std::move(sample));
  }
  return r;
}

// The closed form of a problem: at most one of them is known.
struct Known {
  std::optional<PlanePendulum> pendulum;
  std::optional<Parallelogram> linkage;
  std::optional<PlaneFourBar> four_bar;

  explicit Known(const Problem& problem) {
    if (!problem.system.drivers.empty()) return;
    if ((pendulum = PlanePendulum::Of(problem))) return;
    if ((linkage = Parallelogram::Of(problem))) return;
    four_bar = PlaneFourBar::Of(problem);
  }
};

}  // namespace

bool HasClosedForm(const Problem& problem) {
  const Known known(problem);
  return known.pendulum || known.linkage || known.four_bar;
}

Problem WithFewSamples(Problem problem) {
  std::vector<double>& times = problem.sample_times;
  if (HasClosedForm(problem)) times = {times.front(), times.back()};
  return problem;
}

std::optional<Reference> ClosedForm(const Problem& problem) {
  const Known known(problem);
  if (known.pendulum) {
    return Tabulate(problem, kEllipticFunctions, {1e-24, 1e-24, ""},
                    [&](double t) { return Motion{known.pendulum->At(t)}; });
  }
  if (known.linkage) {
    return Tabulate(problem, kEllipticFunctions,
                    {1e-20, 1e-20,
                     " up to the singular position, and through it by less than 1e-25 from the "
                     "equation of the crank angle"},
                    [&](double t) { return known.linkage->At(t); });
  }
  if (known.four_bar) {
    return Tabulate(problem,
                    "quadrature: time over the crank angle from the energy as a Fourier series, "
                    "exactly periodic, IEEE binary128 (113 bits)",
                    {1e-21, 1e-20, " over more than a turn"},
                    [&](double t) { return known.four_bar->At(t); });
  }
  return {};
}

}  // namespace mbsbench::extended
