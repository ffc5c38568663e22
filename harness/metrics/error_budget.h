// What the error of a cell consists of. With y the solution, y_R the same without round-off, y_I with its
// iterations converged besides, and Pi the least mass-weighted move onto the constraints,
//
//   y - y* = (y - y_R) + (y_R - y_I) + (y_I - Pi y_I) + (Pi y_I - y*)                     (1)
//            round-off   iteration     constraint       discretisation
//
// a sum of vectors over samples and judged bodies: (r - r*)/L and the rotation vector of q conj q*, zero for
// points. The norm of each is the suite's error measure.
//
// y_R is estimated, because methods have no further bits: the mean of pairs of solutions from starts on either side of the
// cell's, of which each rounds in its own way, while the changes of the motion cancel. (Rounding modes of IEEE arithmetic would
// not do: their errors add up where others cancel, and a sine that reduces its angle by rounding to nearest is wrong in the
// others.)
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/records/trial_record.h"
#include "methods/interface/observation.h"
#include "problems/model/problem.h"
#include "reference/reference.h"

namespace mbsbench {

// States of all bodies, per sample.
using SampledStates = std::vector<std::vector<BodyState>>;

struct BudgetRuns {
  std::vector<double> times;  // of the samples
  SampledStates solution;     // y
  // From starts on either side; empty: y_R is y.
  std::vector<std::pair<SampledStates, SampledStates>> pairs;
  std::optional<SampledStates> converged;  // y_I; empty where it is y_R
  // Beside y_I with steps of a half and of a quarter, or with tolerances refined twice; as many as ended
  // well.
  std::vector<SampledStates> finer;
  // By how much the error is to fall with each of them: 2^order of halved steps.
  double refinement = 2;
};

// `project` is Pi at a time. Only samples that the reference covers count; there must be one. The caller adds the remarks
// `how`.
BudgetRecord SplitError(
    const Problem& problem, const Reference& reference, const BudgetRuns& runs,
    const std::function<std::vector<BodyState>(double, const std::vector<BodyState>&)>& project);

}  // namespace mbsbench
