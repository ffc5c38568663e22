#include "reference/closed_form.h"

#include "reference/certificate.h"
#include "reference/plane_pendulum.h"

namespace mbsbench::extended {

namespace {
constexpr double kRoundOffOfClosedForms =
    1e-29;  // 113 bits, and some digits for phases that grow with time
}  // namespace

std::optional<Reference> ClosedForm(const Problem& problem) {
  const std::optional<PlanePendulum> pendulum = PlanePendulum::Of(problem);
  if (!pendulum) return {};
  Reference r;
  r.problem = problem.name;
  r.how =
      "closed form: Jacobi's elliptic functions by the arithmetic-geometric mean, IEEE binary128 "
      "(113 bits)";
  r.certified_by = "the extended-precision solution in maximal coordinates (tests/reference)";
  r.error_estimate = r.velocity_error_estimate = kRoundOffOfClosedForms;
  r.bodies = {0};
  for (double t : problem.sample_times) {
    ReferenceSample sample;
    sample.time = t;
    Split({pendulum->At(t)}, sample);
    r.samples.push_back(std::move(sample));
  }
  return r;
}

}  // namespace mbsbench::extended
