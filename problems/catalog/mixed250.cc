// mixed250: mixed12 on a trunk of 238 upright rods, the large closed-loop-and-branch-mixed system of
// Rui et al. 2018 (drawing in three_branches.h).
#include "problems/catalog/families.h"
#include "problems/catalog/three_branches.h"

namespace mbsbench {

namespace {

Problem BuildMixed250(const ProblemOptions&) {
  constexpr int kTrunk = 238, kBodies = 12 + kTrunk;
  Problem p = ThreeBranches(kTrunk, true);
  p.name = "mixed250";
  p.title = "Tree of 250 rods with one loop";
  p.description =
      "The mixed system of twelve rods on a trunk of 238 upright ones. It stresses a loop at the "
      "end "
      "of a long chain; the paper's 6.52 s against 238 s were taken on it.";
  p.source =
      "Rui et al. 2018, automatic deduction of the overall transfer equation, Fig. 9; body data "
      "and "
      "initial state of this catalogue";
  p.end_time = 0.5;                    // of the reference; the paper's own end time is not known
  for (int b = 0; b < kBodies; ++b) {  // the bottom group, the trunk's lower end and its upper one
    if (b < 16 || b >= kBodies - 4) p.reference_bodies.push_back(b);
  }
  p.fixed_steps = {0.002, 0.001, 0.0005};
  p.accuracy_required_ode = 1e-7;
  p.accuracy_required_dae = 1e-7;
  // Each sample ends a step of the reference; with 101 samples it would take hours at 113 bits.
  constexpr int kIntervals = 20;
  for (int k = 0; k <= kIntervals; ++k) p.sample_times.push_back(p.end_time * k / kIntervals);
  return p;
}

}  // namespace

ProblemFamily Mixed250Family() {
  return {"mixed250", "Tree of 250 rods with one loop", {}, {"mixed250"}, BuildMixed250};
}

}  // namespace mbsbench
