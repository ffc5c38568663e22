// What the error of a cell consists of. With y the solution, y_R the same without round-off, y_I with its
// iterations converged besides, and Pi the least mass-weighted move onto the constraints,
//
//   y - y* = (y - y_R) + (y_R - y_I) + (y_I - Pi y_I) + (Pi y_I - y*)                     (1)
//            round-off   iteration     constraint       discretisation
//
// with vectors over samples and judged bodies: (r - r*)/L and the rotation vector of q conj q*, zero for
// points. The norm of each is the suite's error measure.
//
// y_R is estimated, because methods run in double precision only. It is the mean of pairs of solutions from starts on either
// side of the cell's start: each solution has its own round-off, and the changes of the motion cancel in the mean. (IEEE
// rounding modes are not suitable: their errors add up instead of cancelling, and a sine that reduces its angle by rounding to
// nearest is wrong in the other modes.)
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "harness/records/trial_record.h"
#include "problems/model/problem.h"
#include "reference/reference.h"

namespace mbsbench {

// States of all bodies, per sample.
using SampledStates = std::vector<std::vector<BodyState>>;

struct BudgetRuns {
  std::vector<double> times;  // of the samples
  SampledStates solution;     // y
  // Solutions from starts on either side; empty: y_R is y.
  std::vector<std::pair<SampledStates, SampledStates>> pairs;
  std::optional<SampledStates> converged;  // y_I; empty if it is y_R
  // y_I with half and with quarter steps, or with tolerances refined once and twice; only runs that ended well.
  std::vector<SampledStates> finer;
  // The factor by which each of them is expected to reduce the error: 2^order for halved steps.
  double refinement = 2;
};

// `project` is Pi at a time. Only samples that the reference covers count; there must be one. The caller adds the remarks
// `how`.
BudgetRecord SplitError(
    const Problem& problem, const Reference& reference, const BudgetRuns& runs,
    const std::function<std::vector<BodyState>(double, const std::vector<BodyState>&)>& project);

}  // namespace mbsbench
