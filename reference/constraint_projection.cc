#include "reference/constraint_projection.h"

#include "problems/model/error.h"
#include "reference/certificate.h"
#include "reference/maximal_coordinates/maximal_coordinates.h"
#include "reference/system/initial_motion.h"

namespace mbsbench {

struct ConstraintProjection::Equations {
  explicit Equations(const Problem& problem)
      : maximal(problem.system), scales(extended::ScalesOf(problem)) {}
  extended::MaximalCoordinates maximal;
  extended::Scales scales;
};

ConstraintProjection::ConstraintProjection(const Problem& problem)
    : equations_(std::make_unique<Equations>(problem)) {
  extended::MaximalCoordinates& equations = equations_->maximal;
  equations.StartSpringsAt(problem.initial.joints);
  equations.KeepLoopRows(
      CloseAtStart(equations.system(), problem.initial, equations_->scales).independent);
}

ConstraintProjection::~ConstraintProjection() = default;
ConstraintProjection& ConstraintProjection::operator=(ConstraintProjection&&) noexcept = default;

std::vector<BodyState> ConstraintProjection::Project(double time,
                                                     const std::vector<BodyState>& bodies) {
  constexpr int kMostSteps = 20;
  constexpr double kClosed = 1e-24;
  extended::MaximalCoordinates& equations = equations_->maximal;
  equations.SetTime(time);
  extended::Motion motion = Join({time, bodies, {}});
  extended::Real drift = 1;
  for (int step = 0; step < kMostSteps && !(drift < extended::Real(kClosed)); ++step) {
    equations.Project(motion);
    drift = equations.Drift(motion, equations_->scales);
  }
  if (!(drift < extended::Real(kClosed))) {
    throw ModelError("a state at " + extended::ToText(time, 6) +
                     " s is too far from the joints to be moved onto them: a residual of " +
                     extended::ToText(drift, 3) + " remains.");
  }
  equations.SelectLoopRows(motion);
  return extended::Round(motion);
}

}  // namespace mbsbench
