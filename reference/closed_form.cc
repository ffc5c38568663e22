#include "reference/closed_form.h"

#include "reference/certificate.h"
#include "reference/parallelogram.h"
#include "reference/plane_pendulum.h"
#include "reference/trajectory.h"

namespace mbsbench::extended {

namespace {
constexpr double kRoundOffOfClosedForms =
    1e-29;  // 113 bits, and some digits for phases that grow with time
}  // namespace

std::optional<Reference> ClosedForm(const Problem& problem) {
  const std::optional<PlanePendulum> pendulum = PlanePendulum::Of(problem);
  const std::optional<Parallelogram> linkage = pendulum ? std::nullopt : Parallelogram::Of(problem);
  if (!pendulum && !linkage) return {};
  Reference r;
  r.problem = problem.name;
  r.how =
      "closed form: Jacobi's elliptic functions by the arithmetic-geometric mean, IEEE binary128 "
      "(113 bits)";
  r.certified_by = "the extended-precision solution in maximal coordinates (tests/reference)";
  r.error_estimate = r.velocity_error_estimate = kRoundOffOfClosedForms;
  r.bodies = StoredBodies(problem);
  for (double t : problem.sample_times) {
    const Motion all = pendulum ? Motion{pendulum->At(t)} : linkage->At(t);
    ReferenceSample sample;
    sample.time = t;
    Split(Stored(r.bodies, all), sample);
    r.samples.push_back(std::move(sample));
  }
  return r;
}

}  // namespace mbsbench::extended
