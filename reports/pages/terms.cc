// Explains the technical terms of the report.
#include "reports/analysis/time_at_target.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

Section ReadingSection(const Comparison&, Document&) {
  List list{
      {"A cell is one problem solved by one method with one integrator at one tolerance or step. "
       "The outcome matrix holds every cell of the plan.",
       "The CPU time of a cell is that of the integration alone, the minimum over its rounds; the "
       "set-up before it has a column of its own. "
       "Error bars reach from this minimum to the upper quartile of the rounds. Accuracy is "
       "measured in a separate run.",
       std::string("The time at an error is that of the coarsest cell that holds it and whose "
                   "next finer cell holds it too; nothing is interpolated. The least over "
                   "integrators, and of a family over variants, counts. `not reached`: the finest "
                   "settings miss it; `not found`: no cell that ran holds it, and finer ones were "
                   "not tried; `too long`: finer cells were stopped by a limit or skipped; "
                   "`not run yet`: cells that may hold it are still to be run; `not timed yet`: a "
                   "cell holds it, and has no time; `cannot be judged`: it is below ten times the "
                   "error that the reference and the data allow. A ratio is the median of the "
                   "paired rounds. Settings lie on a grid, so a cell does a little better than "
                   "asked: between different settings a verdict on ratios below 4 must also hold "
                   "against the next coarser cell of the slower, else it is open. ") +
           kMarksInWords + ".",
       "Times of two machines or two builds are never compared. Each problem is shown from one "
       "machine and one build.",
       "Error of a cell: the largest position error / L or attitude error [rad], over sample times "
       "and judged bodies, against a certified reference. With L = 1 m, 1e-6 is a micrometre.",
       "L and T: characteristic length and time of a problem; its page has both.",
       "Error of the reactions: the largest |F - F*| or |M - M*| / L over the largest reaction of "
       "the reference, over sample times and components that are unique.",
       "Error of one evaluation: the largest difference of accelerations from those of the "
       "reference formulation in 113 bits, over the largest acceleration, at random states. 113 "
       "bits are 34 digits; methods compute in double precision, 53 bits or 16 digits.",
       "Drift: the change of what the mechanism preserves. Position drift is the largest residual "
       "of the joints' constraints over L. Velocity drift is that of their rates over L/T. Energy "
       "drift is the change of energy over the problem's reference energy. The shared model "
       "evaluates all of them, never the method itself.",
       std::string("Verdicts on ratios of times: ") + VerdictRule() + ".",
       "Variants stand after the colon of a method's name; `mbsbench list METHOD` explains them, "
       "`mbsbench list` the integrators."}};
  return {"reading", "How to read it, and the words used here", {std::move(list)}, {}, "", true};
}

}  // namespace mbsbench::reports
