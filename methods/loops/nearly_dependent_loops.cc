#include "methods/loops/nearly_dependent_loops.h"

namespace mbsbench {

Status NearlyDependentLoops() {
  return {Status::Code::kSingular, -1, -1,
          "constraints of the loops are so nearly dependent here, or move so little, that the "
          "squares of their rows, which this method solves, do not distinguish them from "
          "round-off; if their frames are "
          "rounded, state loop_precision"};
}

}  // namespace mbsbench
