// The measures by which a library judges solutions of its own problems, in addition to those of the suite.
#pragma once

#include <optional>
#include <vector>

#include "harness/records/accuracy_record.h"
#include "methods/interface/observation.h"
#include "problems/model/problem.h"
#include "reference/printed_multipliers.h"
#include "reference/reference.h"

namespace mbsbench {

class LibraryMeasures {
 public:
  // Both must outlive this object; `reference` may be null. `start` is the state at time 0.
  LibraryMeasures(const Problem& problem, const Reference* reference,
                  const std::vector<BodyState>& start);

  // Adds samples in the order of time. Reactions are those of all joints, or empty.
  void Add(double time, const std::vector<BodyState>& bodies,
           const std::vector<JointReaction>& reactions = {});

  const std::vector<LibraryResult>& results() const { return results_; }
  // The multipliers that others print of the problem. They have the measure mescd at the end, from our reference.
  const PrintedMultipliers& multipliers() const { return multipliers_; }

 private:
  std::optional<double> Value(const LibraryMeasure& measure, double time,
                              const std::vector<BodyState>& bodies) const;
  std::optional<double> DigitsOfMultipliers(double time, const std::vector<BodyState>& bodies,
                                            const std::vector<JointReaction>& reactions) const;

  const Problem& problem_;
  const Reference* reference_;
  PrintedMultipliers multipliers_;
  double angular_momentum_start_ = 0;
  std::vector<LibraryResult> results_;
};

}  // namespace mbsbench
