#include "methods/loops/nearly_dependent_loops.h"

namespace mbsbench {

Status NearlyDependentLoops(const RowAccuracy& accuracy) {
  const char* const what =
      accuracy.is_rounded
          ? "constraints of the loops are so nearly dependent here that the stated precision of "
            "the "
            "loops does not decide whether they count; give their frames with more digits, and the "
            "precision that these have"
          : "constraints of the loops are so nearly dependent here, or move so little, that the "
            "squares of their rows, which this method solves, do not distinguish them from "
            "round-off; if their frames are rounded, state their precision (loop_precision, or "
            "loops= of a robot file)";
  return {Status::Code::kSingular, -1, -1, what};
}

}  // namespace mbsbench
