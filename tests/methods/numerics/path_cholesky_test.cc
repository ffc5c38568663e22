// The factorisation on paths, compared with a dense one.
#include "methods/numerics/path_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <vector>

#include "methods/numerics/counted.h"
#include "problems/test_systems/random_trees.h"

namespace mbsbench {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Tree {
  const char* name;
  int size;
  // The row before row k on its path.
  std::function<int(int k, RandomNumbers& random)> parent;
};

// Sizes are near multiples of the panel's 16 rows, so that whole, partial and single panels
// occur.
std::vector<Tree> Trees() {
  const auto before = [](int k, RandomNumbers&) { return k - 1; };
  return {
      {"chain of 1", 1, before},
      {"chain of 31", 31, before},
      {"chain of 33", 33, before},
      {"chain of 150", 150, before},
      {"star", 20, [](int k, RandomNumbers&) { return k == 0 ? -1 : 0; }},
      {"forest of singles", 10, [](int, RandomNumbers&) { return -1; }},
      {"two long chains on a trunk", 180,
       [](int k, RandomNumbers&) { return k == 110 ? 37 : k - 1; }},
      {"random", 200, [](int k, RandomNumbers& random) { return random.Below(k + 1) - 1; }},
      {"mostly chains", 200,
       [](int k, RandomNumbers& random) {
         return random.Below(10) > 0 ? k - 1 : random.Below(k + 1) - 1;
       }},
  };
}

// A lower triangular matrix with entries on the paths, and A = L'L.
struct Made {
  std::vector<int> parent;
  MatrixXd l, a;
};
Made Make(const Tree& tree, std::uint64_t seed) {
  RandomNumbers random(seed);
  Made made;
  for (int k = 0; k < tree.size; ++k) made.parent.push_back(tree.parent(k, random));
  made.l = MatrixXd::Zero(tree.size, tree.size);
  for (int k = 0; k < tree.size; ++k) {
    made.l(k, k) = random.Between(1, 3);
    for (int i = made.parent[static_cast<std::size_t>(k)]; i >= 0;
         i = made.parent[static_cast<std::size_t>(i)])
      made.l(k, i) = random.Between(-0.3, 0.3);
  }
  made.a = made.l.transpose() * made.l;
  return made;
}

std::vector<double> Diagonal(const Made& made) {
  const VectorXd diagonal = made.a.diagonal();
  return {diagonal.data(), diagonal.data() + diagonal.size()};
}

template <typename Put>
void OverPaths(const std::vector<int>& parent, PathCholesky<double>& factor, Put put) {
  for (int k = 0; k < static_cast<int>(parent.size()); ++k) {
    int place = factor.position(k);
    for (int i = k; i >= 0; i = parent[static_cast<std::size_t>(i)])
      put(factor.Row(k)[place--], k, i);
    EXPECT_EQ(place, -1);
  }
}

TEST(PathCholesky, AgreesWithADenseFactorisationOnTreesOfEveryShape) {
  for (const Tree& tree : Trees()) {
    SCOPED_TRACE(tree.name);
    const Made made = Make(tree, 5);
    PathCholesky<double> factor(made.parent);
    const VectorXd truth = VectorXd::Random(tree.size);
    for (int repeat = 0; repeat < 2; ++repeat) {  // the second time on the storage of the first
      OverPaths(made.parent, factor, [&](double& entry, int k, int i) { entry = made.a(k, i); });
      ASSERT_EQ(factor.Factorise(Diagonal(made).data()), -1);
      OverPaths(made.parent, factor,
                [&](double& entry, int k, int i) { EXPECT_NEAR(entry, made.l(k, i), 1e-12); });
      VectorXd x = made.a * truth;
      factor.Solve(x.data());
      EXPECT_LT((x - truth).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(), 1e-11);
    }
  }
}

// Featherstone 2005: without fill, n roots, D1 = sum (d_k - 1) divisions and D2 = sum d_k (d_k - 1) / 2
// multiplications with as many subtractions, d_k the rows on the path of k with itself.
TEST(PathCholesky, EqualsScalarEliminationFromTipsToRootInNumbersOfOperations) {
  for (const Tree& tree : Trees()) {
    SCOPED_TRACE(tree.name);
    const Made made = Make(tree, 7);
    const auto before = [&made](int k) { return made.parent[static_cast<std::size_t>(k)]; };
    std::vector<std::vector<Counted>> H(static_cast<std::size_t>(tree.size));
    const auto entry = [&H](int k, int i) -> Counted& {
      return H[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)];
    };
    for (int k = 0; k < tree.size; ++k) {
      for (int i = 0; i <= k; ++i) H[static_cast<std::size_t>(k)].emplace_back(made.a(k, i));
    }
    counted = {};
    for (int k = tree.size - 1; k >= 0; --k) {
      entry(k, k) = sqrt(entry(k, k));
      for (int i = before(k); i >= 0; i = before(i)) entry(k, i) = entry(k, i) / entry(k, k);
      for (int i = before(k); i >= 0; i = before(i)) {
        for (int j = i; j >= 0; j = before(j))
          entry(i, j) = entry(i, j) - entry(k, i) * entry(k, j);
      }
    }
    const OperationCount operations = counted;

    PathCholesky<double> factor(made.parent);
    OverPaths(made.parent, factor, [&](double& a, int k, int i) { a = made.a(k, i); });
    ASSERT_EQ(factor.Factorise(Diagonal(made).data()), -1);
    OverPaths(made.parent, factor,
              [&](double& l, int k, int i) { EXPECT_NEAR(l, entry(k, i).value, 1e-12); });
    std::int64_t divisions = 0, products = 0;
    for (int k = 0; k < tree.size; ++k) {
      const std::int64_t d = factor.position(k) + 1;
      divisions += d - 1;
      products += d * (d - 1) / 2;
      for (int i = 0; i < k; ++i) {  // off the paths nothing has filled in
        int on_path = k;
        while (on_path > i) on_path = before(on_path);
        EXPECT_TRUE(on_path == i || entry(k, i).value == 0) << k << ", " << i;
      }
    }
    EXPECT_EQ(operations.square_roots, tree.size);
    EXPECT_EQ(operations.divisions, divisions);
    EXPECT_EQ(operations.multiplications, products);
    EXPECT_EQ(operations.additions, products);
  }
}

TEST(PathCholesky, ReportsTheRowOfAVanishingPivot) {
  for (const Tree& tree : Trees()) {
    SCOPED_TRACE(tree.name);
    for (const int lost : {0, tree.size / 2, tree.size - 1}) {
      Made made = Make(tree, 6);
      made.l(lost, lost) = 0;
      made.a = made.l.transpose() * made.l;
      PathCholesky<double> factor(made.parent);
      OverPaths(made.parent, factor, [&](double& entry, int k, int i) { entry = made.a(k, i); });
      EXPECT_EQ(factor.Factorise(Diagonal(made).data()), lost);
    }
  }
}

// A tree with three rows that follow one another, whose pivot has the eigenvalues 1, 1.5 and `least`, the last along `n`.
MatrixXd WithTriple(int first, const Eigen::Vector3d& n, double least, Made made) {
  const Eigen::Vector3d across = n.unitOrthogonal();
  made.l.block<3, 3>(first, first) << across.transpose(),
      std::sqrt(1.5) * n.cross(across).transpose(), std::sqrt(least) * n.transpose();
  return made.l.transpose() * made.l;
}

// Places of three rows in a tree: within one panel, across the end of one, where branches meet, and on a branch.
struct TripleInTree {
  Tree tree;
  int first;
};
std::vector<TripleInTree> TriplesInTrees() {
  const auto forked = [](int k, RandomNumbers&) { return k == 12 ? 5 : k - 1; };
  return {
      {{"chain", 9, [](int k, RandomNumbers&) { return k - 1; }}, 3},
      {{"chain of 33", 33, [](int k, RandomNumbers&) { return k - 1; }}, 15},
      {{"below a fork", 18, forked}, 3},
      {{"first branch", 18, forked}, 6},
      {{"second branch", 18, forked}, 12},
  };
}

TEST(PathCholesky, JudgesThreeRowsByTheSmallestEigenvalueInAnyOrientation) {
  for (const auto& [tree, first] : TriplesInTrees()) {
    SCOPED_TRACE(tree.name);
    const Made made = Make(tree, 8);
    const std::vector<int> triples{first};
    RandomNumbers random(9);
    for (const double degrees : {0., 30., 60., 80., 85., 88., 89., 89.9, 90.}) {
      for (int turn = 0; turn < 300; ++turn) {
        const double a = degrees * EIGEN_PI / 180, b = random.Between(-4, 4);
        Eigen::Vector3d n{std::cos(a), std::sin(a) * std::cos(b), std::sin(a) * std::sin(b)};
        std::swap(n[0], n[turn % 3]);
        for (const auto& [least, expected] :
             {std::pair{0., true}, std::pair{1e-15, true}, std::pair{1e-12, false}}) {
          MatrixXd a_of = WithTriple(first, n, least, made);
          PathCholesky<double> factor(made.parent, triples);
          OverPaths(made.parent, factor, [&](double& entry, int k, int i) { entry = a_of(k, i); });
          const VectorXd scale =
              VectorXd::Constant(tree.size, a_of.block<3, 3>(first, first).trace());
          const int failed = factor.Factorise(scale.data());
          const bool is_triple = failed >= first && failed < first + 3;
          EXPECT_TRUE(expected ? is_triple : failed == -1)
              << degrees << " degrees, " << least << ": " << failed;
        }
      }
    }
  }
}

TEST(PathCholesky, ReportsThreeRowsWithANonFiniteEntry) {
  for (const auto& [tree, first] : TriplesInTrees()) {
    SCOPED_TRACE(tree.name);
    const Made made = Make(tree, 8);
    const std::vector<int> triples{first};
    for (int row = first; row < first + 3; ++row) {
      for (int column = first; column <= row; ++column) {
        PathCholesky<double> factor(made.parent, triples);
        OverPaths(made.parent, factor, [&](double& entry, int k, int i) {
          entry = k == row && i == column ? NAN : made.a(k, i);
        });
        const int failed = factor.Factorise(Diagonal(made).data());
        EXPECT_TRUE(failed >= first && failed < first + 3)
            << row << ", " << column << ": " << failed;
      }
    }
  }
}

}  // namespace
}  // namespace mbsbench
