// The readable overall transfer equation compared with the timed one, and with itself in 113 bits.

#include "methods/classical_mstmm/dense_lu.h"
#include "methods/classical_mstmm/overall_equations.h"
#include "methods/numerics/counted_in_eigen.h"
#include "problems/catalog/catalog.h"
#include "tests/methods/classical_mstmm/trees.h"
#include "tests/support/quad.h"

namespace mbsbench {
namespace {

template <int Dimension, class Real>
std::vector<Real> Rates(const System& system, const std::vector<double>& y) {
  Plane plane;
  if (Dimension == 2) {
    EXPECT_TRUE(FindPlane(system, TransferTree<double>(system), plane).supported);
  }
  OverallEquations<Dimension, Real> equations(system, plane);
  const std::vector<Real> at(y.begin(), y.end());
  std::vector<Real> ydot(y.size());
  equations.Evaluate(at.data(), ydot.data(),
                     [](const auto& K, const auto& r) { return K.partialPivLu().solve(r).eval(); });
  return ydot;
}

struct Errors {
  double of_formulation = 0, round_off = 0;
};

template <int Dimension>
Errors ErrorsOn(const RandomTree& tree) {
  const auto timed = PrepareClassical(tree.system, {"general"});
  std::vector<double> y(timed->state_size()), ydot(y.size());
  EXPECT_TRUE(timed->Initialise(0, tree.state, y).ok());
  EXPECT_TRUE(timed->Evaluate(0, y, ydot).ok());
  const std::vector<double> readable = Rates<Dimension, double>(tree.system, y);
  const std::vector<Quad> exact = Rates<Dimension, Quad>(tree.system, y);
  double largest = 0;
  Errors errors;
  for (std::size_t i = 0; i < y.size(); ++i) {
    largest = std::max(largest, std::abs(ydot[i]));
    Raise(errors.of_formulation, std::abs(readable[i] - ydot[i]));
    Raise(errors.round_off, std::abs(static_cast<double>(Quad(readable[i]) - exact[i])));
  }
  return {errors.of_formulation / largest, errors.round_off / largest};
}

// Products lose digits along paths, and different ones in another order of sums. Where the error of the readable form
// exceeds 1e-13 / 4, the two may differ by four times that error.
TEST(OverallEquations, AgreeWithTheFormulationOnRandomTrees) {
  Errors worst;
  const auto check = [&](const Errors& e, const std::string& what) {
    EXPECT_LT(e.of_formulation, std::max(1e-13, 4 * e.round_off)) << what;
    EXPECT_LT(e.round_off, 2e-13) << what;
    Raise(worst.of_formulation, e.of_formulation);
    Raise(worst.round_off, e.round_off);
  };
  for (JointType type : SimpleJointTypes()) {
    for (int k = 0; k < 8; ++k) {
      RandomTreeOptions options{
          .bodies = 1 + k, .types = {type}, .force_elements = false, .chain_likelihood = 0.2};
      if (type == JointType::kFixed) options.types = SimpleJointTypes();
      check(ErrorsOn<3>(MakeRandomTree(static_cast<std::uint64_t>(400 + k), options)),
            std::string(Name(type)) + ", tree " + std::to_string(k));
    }
  }
  for (int k = 0; k < 8; ++k) {
    const RandomTreeOptions options{.bodies = 1 + k,
                                    .types = {JointType::kRevolute},
                                    .force_elements = false,
                                    .chain_likelihood = 0.2,
                                    .planar = true};
    check(ErrorsOn<2>(MakeRandomTree(static_cast<std::uint64_t>(500 + k), options)),
          "plane, tree " + std::to_string(k));
  }
  std::printf("  worst: against the formulation %.1e, round-off %.1e\n", worst.of_formulation,
              worst.round_off);
}

OperationCount CountOf(const std::string& name) {
  const Problem problem = MakeProblem(name);
  const auto count =
      ClassicalMstmmEntry().count_operations(problem.system, {"general"}, problem.initial.joints);
  EXPECT_TRUE(count.has_value());
  return count.value_or(OperationCount{});
}

TEST(OverallEquations, AreSolvedWithTheOperationsOfGaussianElimination) {
  constexpr int kSize = 12;
  Eigen::Matrix<Counted, kSize, kSize> K;
  Eigen::Matrix<Counted, kSize, 1> right;
  for (int j = 0; j < kSize; ++j) {
    for (int i = 0; i < kSize; ++i) K(i, j) = Counted(i == j ? 10 : 1. / (1 + i + 2 * j));
    right[j] = Counted(j);
  }
  counted = {};
  for (int k = 0; k < kSize; ++k) {
    for (int i = k + 1; i < kSize; ++i) {
      K(i, k) = K(i, k) / K(k, k);
      for (int j = k + 1; j < kSize; ++j) K(i, j) -= K(i, k) * K(k, j);
      right[i] -= K(i, k) * right[k];
    }
  }
  for (int k = kSize - 1; k >= 0; --k) {
    for (int j = k + 1; j < kSize; ++j) right[k] -= K(k, j) * right[j];
    right[k] = right[k] / K(k, k);
  }
  const OperationCount by_formula = DenseLu::CountOperations(kSize);
  EXPECT_EQ(counted.multiplications, by_formula.multiplications);
  EXPECT_EQ(counted.additions, by_formula.additions);
  EXPECT_EQ(counted.divisions, by_formula.divisions);
}

// A ball hinge has three columns: body k has 3 k + 3 of them, each of which costs 12 x 12 multiplications by U
// and 3 x 6 of the condition H'w; 12 x 11 and 3 x 5 additions. What is linear in n drops out of
// A(3n) - 2 A(2n) + A(n), with A the count without the LU factors of 3 n + 9 unknowns.
TEST(OverallEquations, OfALongChainCostEveryColumnTimesEveryBody) {
  constexpr int kBodies = 20;
  const auto assembly = [](int n, auto member) {
    return CountOf("chainN3d:bodies=" + std::to_string(n)).*member -
           DenseLu::CountOperations(3 * n + 9).*member;
  };
  const auto quadratic = [&](auto member) {
    return (assembly(3 * kBodies, member) - 2 * assembly(2 * kBodies, member) +
            assembly(kBodies, member)) /
           (kBodies * kBodies);
  };
  EXPECT_EQ(quadratic(&OperationCount::multiplications), 3 * (12 * 12 + 3 * 6));
  EXPECT_EQ(quadratic(&OperationCount::additions), 3 * (12 * 11 + 3 * 5));
  EXPECT_EQ(quadratic(&OperationCount::divisions), 0);
}

TEST(OverallEquations, AreNotCountedForSystemsThatUseOtherKernels) {
  const System system = MakeRandomTree(1, {.bodies = 6}).system;
  EXPECT_FALSE(ClassicalMstmmEntry().count_operations(system, {"general"}, {}).has_value());
  const Problem problem = MakeProblem("chainN3d:bodies=2");
  EXPECT_FALSE(
      ClassicalMstmmEntry().count_operations(problem.system, {"paper"}, problem.initial.joints));
}

}  // namespace
}  // namespace mbsbench
