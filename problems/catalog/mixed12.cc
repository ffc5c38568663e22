// mixed12: tree12 with the tips of rods 2 and 3 joined, a closed-loop-and-branch-mixed system of Rui
// et al. 2018 (drawing in three_branches.h).
#include "problems/catalog/families.h"
#include "problems/catalog/printed.h"
#include "problems/catalog/three_branches.h"

namespace mbsbench {

namespace {

Problem BuildMixed12(const ProblemOptions&) {
  Problem p = ThreeBranches(0, true);
  p.name = "mixed12";
  p.title = "Tree of twelve rods with one loop";
  p.description =
      "The tree of three branch subsystems with the tips of rods 2 and 3 joined by a ball. It "
      "stresses one spatial loop in a tree.";
  p.source =
      "Rui et al. 2018, automatic deduction of the overall transfer equation, Fig. 4; body data "
      "and "
      "initial state of this catalogue";
  p.end_time = 2;
  const char* const source = "maximal coordinates, DOP853 with projection";
  AppendPrintedRow(p, 0.5, source,
                   {"-1.288900103", "-2.622026200", "0.0634192382", "0.079446452", "-2.4419980395",
                    "-0.254368111", "0.0681184826", "-0.9925224742", "-0.1012867738"});
  AppendPrintedRow(p, 1, source,
                   {"-1.217931102", "-2.767719168", "0.441866986", "-0.0111882090", "-2.464755957",
                    "-0.1561505699", "0.0457224726", "-0.9965104881", "-0.0698305275"});
  AppendPrintedRow(p, 2, source,
                   {"-0.966277503", "-2.932026546", "1.561357668", "-0.279600491", "-2.376993669",
                    "0.442653438", "-0.0547204452", "-0.9933846970", "0.1009579948"});
  p.fixed_steps = {1. / 64, 1. / 128, 1. / 256, 1. / 512, 0.001, 1. / 2048};
  p.accuracy_required_ode = 1e-8;
  p.accuracy_required_dae = 1e-8;
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily Mixed12Family() {
  return {"mixed12", "Tree of twelve rods with one loop", {}, {"mixed12"}, BuildMixed12};
}

}  // namespace mbsbench
