#include "problems/model/known_rank.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

namespace mbsbench {

namespace {

// Ratio of |rho| to the row's own error above which the errors of the others cannot matter.
constexpr double kPlainlyIndependent = 1e10;
// If the best remainder is below this, all other rows are examined.
constexpr double kFew = 1e6;

}  // namespace

KnownRank KnownRankOf(std::span<const double> given, std::span<const double> errors,
                      std::size_t entries) {
  if (entries == 0) return {};
  const auto count = static_cast<Eigen::Index>(given.size() / entries);
  const auto size = static_cast<Eigen::Index>(entries);
  Eigen::MatrixXd rows =
      Eigen::Map<const Eigen::MatrixXd>(given.data(), size, count);  // as columns
  const Eigen::Map<const Eigen::MatrixXd> known_to(errors.data(), size, count);
  const Eigen::Index most = std::min(rows.rows(), rows.cols());
  const Eigen::RowVectorXd own = known_to.colwise().norm();
  double least = std::numeric_limits<double>::infinity(), remainder = least;
  std::vector<Eigen::Index> kept, left;
  for (Eigen::Index c = 0; c < rows.cols(); ++c) {
    if (rows.col(c).squaredNorm() > 0) left.push_back(c);
  }
  // Components of all rows along the orthonormal directions of the kept rows.
  Eigen::MatrixXd along = Eigen::MatrixXd::Zero(most, rows.cols());
  const auto units = [&](Eigen::Index c) {
    const double remains = rows.col(c).norm();
    if (remains > kPlainlyIndependent * own[c]) return remains / own[c];
    const auto n = static_cast<Eigen::Index>(kept.size());
    Eigen::VectorXd w = along.col(c).head(n);
    Eigen::VectorXd error = known_to.col(c);
    for (Eigen::Index k = n; k-- > 0;) {
      const Eigen::Index of = kept[static_cast<std::size_t>(k)];
      w[k] /= along(k, of);
      w.head(k) -= w[k] * along.col(of).head(k);
      error += std::abs(w[k]) * known_to.col(of);
    }
    return remains / error.norm();
  };
  while (!left.empty() && static_cast<Eigen::Index>(kept.size()) < most) {
    // At first by its own error alone: rows with large remainders give good w.
    std::size_t best = 0;
    for (std::size_t i = 1; i < left.size(); ++i) {
      if (rows.col(left[i]).norm() * own[left[best]] > rows.col(left[best]).norm() * own[left[i]])
        best = i;
    }
    double most_units = units(left[best]);
    for (std::size_t i = 0; i < left.size() && !(most_units > kFew); ++i) {
      const double other = units(left[i]);
      if (other > most_units) most_units = other, best = i;
    }
    if (!(most_units > 1)) break;
    least = std::min(least, most_units);
    const Eigen::Index next = left[best];
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
    const auto k = static_cast<Eigen::Index>(kept.size());
    along(k, next) = rows.col(next).norm();
    remainder = std::min(remainder, along(k, next));
    const Eigen::VectorXd direction = rows.col(next) / along(k, next);
    for (Eigen::Index c : left) {
      for (int pass = 0; pass < 2; ++pass) {  // the second pass compensates for round-off
        const double component = direction.dot(rows.col(c));
        along(k, c) += component;
        rows.col(c) -= component * direction;
      }
    }
    kept.push_back(next);
  }
  return {static_cast<int>(kept.size()), least, remainder};
}

}  // namespace mbsbench
