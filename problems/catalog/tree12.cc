// tree12: the tree of three branch subsystems of Rui et al. 2018 (drawing in three_branches.h).
#include "problems/catalog/families.h"
#include "problems/catalog/printed.h"
#include "problems/catalog/three_branches.h"

namespace mbsbench {

namespace {

Problem BuildTree12(const ProblemOptions&) {
  Problem p = ThreeBranches(0, false);
  p.name = "tree12";
  p.title = "Tree of three branch subsystems";
  p.description =
      "Twelve rods with ball joints in three branchings, turning in space about the ceiling point. "
      "It stresses the automatic assembly of any topology.";
  p.source =
      "Rui et al. 2018, automatic deduction of the overall transfer equation, Fig. 2; body data "
      "and "
      "initial state of this catalogue";
  p.end_time = 2;
  const char* const source = "maximal coordinates, DOP853 with projection";
  AppendPrintedRow(
      p, 0.5, source,
      {"-1.288973061", "-2.628614133", "0.0637411937", "-0.24996570856", "-2.477275228",
       "-0.21835831496", "0.0670634876", "-0.9926139460", "-0.1010942274"});
  AppendPrintedRow(
      p, 1, source,
      {"-1.218799823", "-2.767982457", "0.44667992722", "-0.4975966698", "-2.538897629",
       "-0.0229490861", "0.0466663517", "-0.9965149275", "-0.0691393583"});
  AppendPrintedRow(
      p, 2, source,
      {"-0.93458304190", "-2.952749568", "1.5676780395", "-0.574752447", "-2.549616873",
       "0.502164015", "-0.0668719070", "-0.9923479415", "0.1037964883"});
  p.fixed_steps = {1. / 64, 1. / 128, 1. / 256, 1. / 512, 0.001, 1. / 2048};
  p.accuracy_required_ode = 1e-8;
  p.accuracy_required_dae = 1e-8;
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily Tree12Family() {
  return {"tree12", "Tree of three branch subsystems", {}, {"tree12"}, BuildTree12};
}

}  // namespace mbsbench
