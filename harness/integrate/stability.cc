// M x'' + C x' + K x + G' nu = 0, G x = 0 on the null space N of G: with x = N y
//
//   (s^2 N'MN + s N'CN + N'KN) y = 0
//
// Without damping and gyroscopic terms this is symmetric in s^2; otherwise it is doubled to first order. If N'MN is
// singular (massless bodies), the generalised problem is solved; its infinite eigenvalues belong to no motion.
#include "harness/integrate/stability.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <span>

#include "methods/thresholds/thresholds.h"

// LAPACK's drivers, which give eigenvalues only: of symmetric K x = w M x, of A x = s x, and of A x = s B x.
// They overwrite the matrices, which are stored by columns.
extern "C" {
void dsygv_(const int* type, const char* vectors, const char* triangle, const int* n, double* a,
            const int* lda, double* b, const int* ldb, double* w, double* work, const int* lwork,
            int* info);
void dgeev_(const char* left, const char* right, const int* n, double* a, const int* lda,
            double* wr, double* wi, double* vl, const int* ldvl, double* vr, const int* ldvr,
            double* work, const int* lwork, int* info);
void dggev_(const char* left, const char* right, const int* n, double* a, const int* lda, double* b,
            const int* ldb, double* alphar, double* alphai, double* beta, double* vl,
            const int* ldvl, double* vr, const int* ldvr, double* work, const int* lwork,
            int* info);
}

namespace mbsbench {

namespace {

using Matrix = Eigen::MatrixXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kNegligible = 1e-10;  // of C against K and M, of asymmetry against K
constexpr double kInfinite = 1e-11;    // |beta| of |alpha| + |beta| below which s is infinite
// Growth below this part of the fastest motion, or of 1/s, is round-off: a double eigenvalue 0 splits by its square root.
constexpr double kRoundOffGrowth = 1e-6;
constexpr const char* kNotConverged = "the eigenvalues did not converge";
constexpr Eigen::Index kMostDoubled = 400;  // the doubled problem takes 8 x 25 n^3 operations

Matrix NullSpaceOf(const Matrix& closure, Eigen::Index n, int& rank) {
  rank = 0;
  if (closure.rows() == 0) return Matrix::Identity(n, n);
  Eigen::ColPivHouseholderQR<Matrix> qr(closure.transpose());
  qr.setThreshold(kThresholds.dependent_closure);
  rank = static_cast<int>(qr.rank());
  const Matrix q = qr.householderQ();
  return q.rightCols(n - rank);
}

constexpr int kOne = 1;  // leading dimension of vectors that are not computed

// All return false if LAPACK did not converge.
bool SymmetricEigenvalues(Matrix stiffness, Matrix mass, std::vector<double>& squares) {
  constexpr int kProblem = 1;
  const int n = static_cast<int>(mass.rows()), size = 32 * n;
  std::vector<double> work(static_cast<std::size_t>(size));
  squares.resize(static_cast<std::size_t>(n));
  int info = 0;
  dsygv_(&kProblem, "N", "U", &n, stiffness.data(), &n, mass.data(), &n, squares.data(),
         work.data(), &size, &info);
  return info == 0;
}

bool Eigenvalues(Matrix a, std::vector<std::complex<double>>& s) {
  const int n = static_cast<int>(a.rows()), size = 32 * n;
  const auto count = static_cast<std::size_t>(n);
  std::vector<double> real(count), imaginary(count), work(static_cast<std::size_t>(size));
  int info = 0;
  dgeev_("N", "N", &n, a.data(), &n, real.data(), imaginary.data(), nullptr, &kOne, nullptr, &kOne,
         work.data(), &size, &info);
  for (std::size_t i = 0; i < count; ++i) s.emplace_back(real[i], imaginary[i]);
  return info == 0;
}

// The finite ones.
bool GeneralisedEigenvalues(Matrix a, Matrix b, std::vector<std::complex<double>>& s) {
  const int n = static_cast<int>(a.rows()), size = 32 * n;
  const auto count = static_cast<std::size_t>(n);
  std::vector<double> real(count), imaginary(count), beta(count),
      work(static_cast<std::size_t>(size));
  int info = 0;
  dggev_("N", "N", &n, a.data(), &n, b.data(), &n, real.data(), imaginary.data(), beta.data(),
         nullptr, &kOne, nullptr, &kOne, work.data(), &size, &info);
  for (std::size_t i = 0; i < count; ++i) {
    const std::complex<double> alpha(real[i], imaginary[i]);
    if (std::abs(beta[i]) > kInfinite * (std::abs(alpha) + std::abs(beta[i])))
      s.push_back(alpha / beta[i]);
  }
  return info == 0;
}

void Finish(Stability& out) {
  auto& s = out.eigenvalues;
  std::sort(s.begin(), s.end(), [](const auto& a, const auto& b) {
    return std::abs(a) != std::abs(b) ? std::abs(a) < std::abs(b) : a.real() < b.real();
  });
  double fastest = 0;
  out.growth = s.empty() ? 0 : -INFINITY;
  for (const auto& e : s) {
    fastest = std::max(fastest, std::abs(e));
    out.growth = std::max(out.growth, e.real());
    if (e.imag() > 0) out.frequencies.push_back(e.imag());
  }
  std::sort(out.frequencies.begin(), out.frequencies.end());
  out.known = true;
  out.round_off = kRoundOffGrowth * std::max(fastest, 1.0);
  out.stable = out.growth <= out.round_off;
  out.neutral = out.stable && out.growth >= -out.round_off;
}

// If closure rows depend on each other, their multipliers are not unique, and the stiffness depends on them. Replaces them by
// those of least norm that give the same forces. `multipliers` are the entries of z after the coordinates.
void TakeLeastMultipliers(const Linearisation& l, std::span<double> multipliers) {
  const auto n = static_cast<Eigen::Index>(l.coordinates);
  const auto m = static_cast<Eigen::Index>(l.constraints);
  if (m == 0) return;
  int rank = 0;
  const Matrix closure = Eigen::Map<const RowMajor>(l.closure.data(), m, n);
  const Matrix idle = NullSpaceOf(closure.transpose(), m, rank);  // G' idle = 0
  Eigen::Map<Eigen::VectorXd> lambda(multipliers.data(), m);
  lambda -= idle * (idle.transpose() * lambda);
}

}  // namespace

Stability StabilityOf(const Linearisation& l) {
  const auto n = static_cast<Eigen::Index>(l.coordinates);
  const auto m = static_cast<Eigen::Index>(l.constraints);
  const auto square = [n](const std::vector<double>& v) {
    return Matrix(Eigen::Map<const RowMajor>(v.data(), n, n));
  };
  Stability out;
  const auto unknown = [&out](const char* why_not) {
    out.why_not = why_not;
    return out;
  };
  int rank = 0;
  const Matrix null = NullSpaceOf(Eigen::Map<const RowMajor>(l.closure.data(), m, n), n, rank);
  out.redundant = static_cast<int>(m) - rank;
  const Eigen::Index f = null.cols();
  out.freedoms = static_cast<int>(f);
  const Matrix mass = null.transpose() * square(l.mass) * null;
  const Matrix damping = null.transpose() * square(l.damping) * null;
  const Matrix stiffness = null.transpose() * square(l.stiffness) * null;
  if (f == 0) return unknown("no motion is left free");
  if (!mass.allFinite() || !damping.allFinite() || !stiffness.allFinite())
    return unknown("the linearised motion is not finite");
  const double m_size = mass.cwiseAbs().maxCoeff(), k_size = stiffness.cwiseAbs().maxCoeff();
  const Eigen::LLT<Matrix> cholesky(mass);
  const bool regular = cholesky.info() == Eigen::Success && cholesky.rcond() > 1e-14;
  const bool symmetric =
      damping.cwiseAbs().maxCoeff() <= kNegligible * std::sqrt(m_size * k_size) &&
      (stiffness - stiffness.transpose()).cwiseAbs().maxCoeff() <= kNegligible * k_size;
  if (symmetric && regular) {
    std::vector<double> squares;
    if (!SymmetricEigenvalues((stiffness + stiffness.transpose()) / 2, mass, squares))
      return unknown(kNotConverged);
    for (const double square_frequency : squares) {
      const std::complex<double> s = std::sqrt(std::complex<double>(-square_frequency));
      out.eigenvalues.push_back(s);
      if (s.real() > 0) out.eigenvalues.emplace_back(-s.real(), 0);
    }
    Finish(out);
    return out;
  }
  if (f > kMostDoubled)
    return unknown("the system is too large for the eigenvalues of a damped or gyroscopic motion");
  Matrix a = Matrix::Zero(2 * f, 2 * f);
  a.topRightCorner(f, f).setIdentity();
  std::vector<std::complex<double>> eigenvalues;
  bool converged = false;
  if (regular) {
    a.bottomLeftCorner(f, f) = -cholesky.solve(stiffness);
    a.bottomRightCorner(f, f) = -cholesky.solve(damping);
    converged = Eigenvalues(a, eigenvalues);
  } else {
    a.bottomLeftCorner(f, f) = -stiffness;
    a.bottomRightCorner(f, f) = -damping;
    Matrix b = Matrix::Identity(2 * f, 2 * f);
    b.bottomRightCorner(f, f) = mass;
    converged = GeneralisedEigenvalues(a, b, eigenvalues);
  }
  if (!converged) return unknown(kNotConverged);
  for (const std::complex<double>& s : eigenvalues)
    if (s.imag() >= 0) out.eigenvalues.push_back(s);
  Finish(out);
  return out;
}

Stability StabilityAt(AlgebraicFormulation& formulation, std::vector<double>& z) {
  Linearisation linearisation;
  if (!formulation.Linearise(z, linearisation).ok()) return {};
  Stability stability = StabilityOf(linearisation);
  if (stability.redundant == 0) return stability;
  TakeLeastMultipliers(linearisation, std::span(z).subspan(formulation.coordinate_count()));
  if (!formulation.Linearise(z, linearisation).ok()) return {};
  return StabilityOf(linearisation);
}

}  // namespace mbsbench
