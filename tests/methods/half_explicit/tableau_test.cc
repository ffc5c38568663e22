// The order conditions of half-explicit methods, from the trees of their theory, in 113 bits.
#include "methods/half_explicit/tableau.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/quad.h"

namespace mbsbench::half_explicit {
namespace {

// An elementary differential of y' = f(y, z), 0 = g(y): its root is a derivative of f, or z as a function of y.
struct Tree {
  bool is_z;
  int order;
  std::vector<std::size_t> children;  // sorted
};

// Trees up to an order. f is linear in z, as forces are in the multipliers.
class Trees {
 public:
  explicit Trees(int most) {
    Grow(false, 1, 0);
    for (int order = 1; order < most; ++order) {
      Grow(false, order + 1, order);
      Grow(true, order, order + 1);
      const std::size_t last = all_.size();
      for (std::size_t z = 0; z < last; ++z)
        if (all_[z].is_z && all_[z].order == order) all_.push_back({false, order + 1, {z}});
    }
  }
  const std::vector<Tree>& all() const { return all_; }

 private:
  bool IsOfAZ(const Tree& tree) const {
    return !tree.is_z && tree.children.size() == 1 && all_[tree.children[0]].is_z;
  }
  // Appends all trees of such a root and order whose children's orders sum to `sum`.
  void Grow(bool is_z, int order, int sum) {
    std::vector<Tree> grown;
    std::vector<std::size_t> children;
    const auto choose = [&](const auto& self, std::size_t first, int left, bool has_z) -> void {
      if (left == 0) {
        const bool is_known = is_z && children.size() == 1 && IsOfAZ(all_[children[0]]);
        if (!is_known) grown.push_back({is_z, order, children});
        return;
      }
      for (std::size_t c = first; c < all_.size(); ++c) {
        const Tree& child = all_[c];
        if (child.order > left || (child.is_z && (is_z || has_z))) continue;
        children.push_back(c);
        self(self, c, left - child.order, has_z || child.is_z);
        children.pop_back();
      }
    };
    choose(choose, 0, sum, false);
    all_.insert(all_.end(), grown.begin(), grown.end());
  }

  std::vector<Tree> all_;
};

using Stages = std::vector<Quad>;

// The rows of the tableau applied to the values of stages.
Stages Weighted(const Tableau<Quad>& t, const Stages& values) {
  Stages sums;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sums.emplace_back(0);
    for (std::size_t j = 0; j <= i; ++j) sums.back() += t.a[i][j] * values[j];
  }
  return sums;
}
// The inverse of Weighted.
Stages Solved(const Tableau<Quad>& t, Stages sums) {
  for (std::size_t i = 0; i < sums.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) sums[i] -= t.a[i][j] * sums[j];
    sums[i] /= t.a[i][i];
  }
  return sums;
}

// Of each tree: the values of its stages, and 1/gamma, the value that the exact solution has in their place.
struct Weights {
  std::vector<Stages> stages;
  std::vector<Quad> exact;
};
Weights WeightsOf(const std::vector<Tree>& trees, const Tableau<Quad>& t) {
  Weights weights;
  for (const Tree& tree : trees) {
    Stages values(static_cast<std::size_t>(t.stages), Quad(1));
    Quad exact = tree.is_z ? Quad(tree.order + 1) : Quad(1) / Quad(tree.order);
    for (const std::size_t c : tree.children) {
      exact *= weights.exact[c];
      Stages child = weights.stages[c];
      if (!trees[c].is_z) {
        child = Weighted(t, child);
        if (!tree.is_z) {  // the first stage is the begin of the step
          child.insert(child.begin(), Quad(0));
          child.pop_back();
        }
      }
      for (std::size_t i = 0; i < values.size(); ++i) values[i] *= child[i];
    }
    weights.stages.push_back(tree.is_z ? Solved(t, values) : values);
    weights.exact.push_back(exact);
  }
  return weights;
}

// The largest violation of a condition among the trees of an order.
double Violation(int order_of_method, int order_of_trees) {
  const Tableau<Quad> t = TableauOf<Quad>(order_of_method);
  static const Trees trees(5);
  const Weights weights = WeightsOf(trees.all(), t);
  const std::vector<Quad> b(t.a[static_cast<std::size_t>(t.stages - 1)].begin(),
                            t.a[static_cast<std::size_t>(t.stages - 1)].begin() + t.stages);
  double largest = 0;
  int conditions = 0;
  for (std::size_t k = 0; k < trees.all().size(); ++k) {
    if (trees.all()[k].is_z || trees.all()[k].order != order_of_trees) continue;
    Quad sum(0);
    for (std::size_t i = 0; i < b.size(); ++i) sum += b[i] * weights.stages[k][i];
    largest = std::max(largest, std::abs(static_cast<double>(sum - weights.exact[k])));
    ++conditions;
  }
  EXPECT_GT(conditions, 0);
  return largest;
}

TEST(HalfExplicitTableau, MeetsAllConditionsOfItsOrderAndNotThoseOfTheNext) {
  for (const int order : {2, 3, 4}) {
    for (int of_trees = 1; of_trees <= order; ++of_trees)
      EXPECT_LT(Violation(order, of_trees), 1e-30) << order << " " << of_trees;
    EXPECT_GT(Violation(order, order + 1), 1e-3) << order;
  }
}

TEST(HalfExplicitTableau, HasPivotsThatDoNotVanish) {
  for (const int order : {2, 3, 4}) {
    const Tableau<> t = TableauOf(order);
    for (int i = 0; i < t.stages; ++i)
      EXPECT_GT(std::abs(t.a[static_cast<std::size_t>(i)][static_cast<std::size_t>(i)]), 0.04);
    EXPECT_DOUBLE_EQ(t.c(t.stages - 1), 1);
  }
}

// The trees of positions have no z at their root.
TEST(HalfExplicitTableau, EstimatesTheErrorOfPositionsOfTheOrderBelow) {
  const Trees trees(4);
  for (const int order : {2, 3, 4}) {
    const Tableau<Quad> t = TableauOf<Quad>(order);
    const Weights weights = WeightsOf(trees.all(), t);
    double below = 0, at = 0;
    for (std::size_t k = 0; k < trees.all().size(); ++k) {
      const Tree& tree = trees.all()[k];
      const bool has_z = std::ranges::any_of(
          tree.children, [&](std::size_t child) { return trees.all()[child].is_z; });
      if (tree.is_z || has_z || tree.order > order) continue;
      Quad sum(0);
      for (std::size_t i = 0; i < weights.stages[k].size(); ++i)
        sum += t.estimate[i] * weights.stages[k][i];
      double& largest = tree.order < order ? below : at;
      largest = std::max(largest, std::abs(static_cast<double>(sum)));
    }
    EXPECT_LT(below, 1e-30) << order;
    EXPECT_GT(at, 1e-2) << order;
  }
}

}  // namespace
}  // namespace mbsbench::half_explicit
