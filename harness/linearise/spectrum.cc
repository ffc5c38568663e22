// Infinite eigenvalues of the equations of constrained motion come in Jordan blocks of size 3, which round-off in QZ can
// spread to |s| ~ (1 / 2^-53)^(1/3); a cyclic coordinate has the eigenvalue 0 in a block of size 2, which it would spread to
// 1e-8 of the largest. Both are therefore removed by orthogonal transformations before (Van Dooren 1979). With E = Q [R; 0]
// of full row rank R and A = Q [A1; A2],
//
//   A2 V = [0 L],  L regular:    (E, A) ~ ([R V_1, *; 0, 0], [A1 V_1, *; 0, L])                     (1)
//
// as many eigenvalues are infinite as L has rows, and (R V_1, A1 V_1) has the others. Eigenvalues 0 are the infinite ones
// of (A, E).
#include "harness/linearise/spectrum.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "problems/model/error.h"

// LAPACK's QZ with vectors; it overwrites the matrices, which are stored by columns.
extern "C" void dggev_(const char* left, const char* right, const int* n, double* a, const int* lda,
                       double* b, const int* ldb, double* alphar, double* alphai, double* beta,
                       double* vl, const int* ldvl, double* vr, const int* ldvr, double* work,
                       const int* lwork, int* info);

namespace mbsbench {

namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Complex = std::complex<double>;

constexpr double kDependent = 1e-11;  // of the largest pivot of a scaled matrix
constexpr double kInfinite = 1e-9;    // |beta| of |alpha| below which s is infinite
constexpr double kRoundOff =
    1e-12;  // of the largest eigenvalue and the condition number: growth below it is none
constexpr int kScalings = 8;

// Rows and columns of |A| + rate |E| get largest entries near 1, by powers of 2.
void Scale(Matrix& e, Matrix& a, double rate) {
  const auto factors = [](const Eigen::VectorXd& largest) {
    return Eigen::VectorXd(largest.unaryExpr(
        [](double x) { return x > 0 ? std::exp2(-std::round(std::log2(x) / 2)) : 1; }));
  };
  for (int k = 0; k < kScalings; ++k) {
    const Matrix sum = a.cwiseAbs() + rate * e.cwiseAbs();
    const Eigen::VectorXd rows = factors(sum.rowwise().maxCoeff()),
                          columns = factors(sum.colwise().maxCoeff().transpose());
    for (Matrix* m : {&e, &a}) *m = rows.asDiagonal() * *m * columns.asDiagonal();
  }
}

// Moves rows of E that are zero, or become so by orthogonal transformations of all rows, to the end. Returns their number.
Index Compress(Matrix& e, Matrix& a) {
  const Index n = e.rows();
  std::vector<Index> order, zero;
  for (Index r = 0; r < n; ++r) (e.row(r).isZero(0) ? zero : order).push_back(r);
  if (!zero.empty()) {
    order.insert(order.end(), zero.begin(), zero.end());
    e = Matrix(e(order, Eigen::all)), a = Matrix(a(order, Eigen::all));
    return static_cast<Index>(zero.size());
  }
  Eigen::ColPivHouseholderQR<Matrix> qr(e);
  qr.setThreshold(kDependent);
  if (qr.rank() == n) return 0;
  e.applyOnTheLeft(qr.householderQ().adjoint());
  a.applyOnTheLeft(qr.householderQ().adjoint());
  return n - qr.rank();
}

// Removes the infinite eigenvalues of (E, A) by (1) and returns their number.
int Deflate(Matrix& e, Matrix& a) {
  int removed = 0;
  while (e.rows() > 0) {
    const Index k = Compress(e, a), rest = e.rows() - k;
    if (k == 0) break;
    const Eigen::ColPivHouseholderQR<Matrix> qr(a.bottomRows(k).transpose());
    if (!(std::abs(qr.matrixR()(k - 1, k - 1)) > kDependent * qr.maxPivot())) {
      throw ModelError(
          "the linearised equations are dependent: a body without inertia is free to move, or a "
          "joint "
          "passes a singular position.");
    }
    const auto kept = [&](const Matrix& m) {
      Matrix v = m.topRows(rest);
      v.applyOnTheRight(qr.householderQ());
      return Matrix(v.rightCols(rest));
    };
    e = kept(e), a = kept(a);
    removed += static_cast<int>(k);
  }
  return removed;
}

// Finite eigenvalues of a pencil without zero ones; returns the number of infinite ones.
int SolveRegular(const Matrix& e, const Matrix& a, std::vector<Eigenvalue>& found) {
  const int n = static_cast<int>(e.rows()), size = 32 * n;
  Matrix alpha_overwritten = a, beta_overwritten = e, left(n, n), right(n, n);
  Eigen::VectorXd real(n), imaginary(n), beta(n), work(size);
  int info = 0, infinite = 0;
  dggev_("V", "V", &n, alpha_overwritten.data(), &n, beta_overwritten.data(), &n, real.data(),
         imaginary.data(), beta.data(), left.data(), &n, right.data(), &n, work.data(), &size,
         &info);
  if (info != 0) throw ModelError("the eigenvalues did not converge.");
  for (Index i = 0; i < n; ++i) {
    const Complex alpha(real[i], imaginary[i]);
    if (std::abs(beta[i]) < kInfinite * std::abs(alpha)) {
      ++infinite;
      continue;
    }
    // Vectors of a pair are columns i and i + 1: real and imaginary part of the first.
    const Index first = imaginary[i] < 0 ? i - 1 : i;
    const auto vector = [&](const Matrix& m) {
      Eigen::VectorXcd v = m.col(first).cast<Complex>();
      if (imaginary[i] > 0 || imaginary[i] < 0)
        v += Complex(0, imaginary[i] > 0 ? 1 : -1) * m.col(first + 1).cast<Complex>();
      return v;
    };
    const Eigen::VectorXcd x = vector(right), adjoint = e.transpose() * vector(left);
    found.push_back({alpha / beta[i], adjoint.norm() * x.norm() / std::abs(adjoint.dot(x))});
  }
  return infinite;
}

}  // namespace

Spectrum SpectrumOf(Matrix e, Matrix a, double rate) {
  Spectrum s;
  if (!e.allFinite() || !a.allFinite())
    throw ModelError("the linearised equations are not finite.");
  Scale(e, a, rate);
  s.infinite = Deflate(e, a);
  if (e.rows() > 0) Scale(e, a, rate);
  s.zero = Deflate(a, e);
  if (e.rows() > 0) s.infinite += SolveRegular(e, a, s.eigenvalues);
  std::ranges::sort(s.eigenvalues, [](const Eigenvalue& one, const Eigenvalue& other) {
    return std::abs(one.value) < std::abs(other.value);
  });
  for (const Eigenvalue& one : s.eigenvalues)
    s.unstable += one.value.real() > kRoundOff * one.condition * s.largest() ? 1 : 0;
  return s;
}

double Difference(const Spectrum& a, const Spectrum& b) {
  if (a.zero != b.zero || a.eigenvalues.size() != b.eigenvalues.size())
    return std::numeric_limits<double>::infinity();
  std::vector<Eigenvalue> left = b.eigenvalues;
  double worst = 0;
  for (const Eigenvalue& one : a.eigenvalues) {
    const auto nearest = std::ranges::min_element(
        left, {}, [&](const Eigenvalue& other) { return std::abs(one.value - other.value); });
    worst = std::max(worst, std::abs(one.value - nearest->value) / a.largest());
    left.erase(nearest);
  }
  return worst;
}

}  // namespace mbsbench
