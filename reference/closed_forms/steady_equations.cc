#include "reference/closed_forms/steady_equations.h"

#include <array>

#include "problems/model/error.h"

namespace mbsbench::extended {

namespace {

constexpr int kMostSteps = 100;
constexpr double kConverged = 1e-31;  // [rad or m]

[[noreturn]] void RefuseToConverge(const Problem& problem) {
  throw ModelError("the closed equations of '" + problem.name +
                   "' have no solution near the printed equilibrium.");
}

Real SpeedOf(const Problem& p) { return p.system.drivers.front().motion.rate; }

// swing: with k_r, k_t the springs, M the mass, L the arm (problems.md, A5)
//   k_r (theta - theta_0) + M w^2 L d sin theta = 0
//   k_t (d - d_0) - M w^2 (d + L cos theta)     = 0
ClosedEquilibrium Swing(const Problem& p) {
  const System& s = p.system;
  const JointSpringDamper &turn = s.forces.Of<JointSpringDamper>()[0],
                          &slide = s.forces.Of<JointSpringDamper>()[1];
  const Real m = s.bodies[2].mass, w = SpeedOf(p), mw2 = m * w * w;
  const Real arm = Real(s.joints[1].parent_frame.position.x) - s.joints[0].child_frame.position.x;
  ClosedEquilibrium e;
  e.equations =
      "k_r (theta - theta_0) + M w^2 L d sin theta = 0, k_t (d - d_0) = M w^2 (d + L cos theta)";
  Real theta = p.initial.joints.q[1], d = p.initial.joints.q[2];
  for (; e.steps < kMostSteps; ++e.steps) {
    const Real sine = Sin(theta), cosine = Cos(theta);
    const Real f = turn.stiffness * (theta - turn.free_coordinate) + mw2 * arm * d * sine;
    const Real g = slide.stiffness * (d - slide.free_coordinate) - mw2 * (d + arm * cosine);
    const Real f_theta = turn.stiffness + mw2 * arm * d * cosine, f_d = mw2 * arm * sine;
    const Real g_theta = mw2 * arm * sine, g_d = slide.stiffness - mw2;
    const Real det = f_theta * g_d - f_d * g_theta;
    const Real dt = -(f * g_d - g * f_d) / det, dd = -(f_theta * g - g_theta * f) / det;
    theta += dt;
    d += dd;
    e.last_step = Max(Abs(dt), Abs(dd));
    if (e.last_step < Real(kConverged)) {
      e.coordinates = {p.initial.joints.q[0], theta, d};
      return e;
    }
  }
  RefuseToConverge(p);
}

// governor: a the arm, b the distance of P from the pivot, l the struts, J the inertia of a ball in
// the axes of its arm (problems.md, A6, A6b)
//   s(phi) = b sin phi + sqrt(l^2 - b^2 cos^2 phi)
//   k (s - s_0) s' - m_c g s' - 2 m g a cos phi + 2 w^2 (m a^2 + J_y - J_x) sin phi cos phi = 0
ClosedEquilibrium Governor(const Problem& p) {
  const System& sys = p.system;
  const Real a = -Real(sys.joints[2].child_frame.position.x);
  const Real b = a + sys.loop_joints[1].parent_frame.position.x;
  const Real l = sys.loop_joints[0].length, g = -Real(sys.gravity.y);
  const JointSpringDamper& spring = sys.forces.Of<JointSpringDamper>()[0];
  const Real k = spring.stiffness, s0 = spring.free_coordinate;
  const Real m = sys.bodies[1].mass, collar = sys.bodies[3].mass, w = SpeedOf(p);
  const Matrix3& inertia = sys.bodies[1].inertia;
  const Real spin = 2 * w * w * (m * a * a + Real(inertia(1, 1)) - Real(inertia(0, 0)));
  ClosedEquilibrium e;
  e.equations =
      "k (s - s_0) s' - m_c g s' - 2 m g a cos phi + 2 w^2 (m a^2 + J_y - J_x) sin phi cos phi = "
      "0, "
      "s = b sin phi + sqrt(l^2 - b^2 cos^2 phi)";
  Real phi = 0.75;  // between the horizontal and the vertical
  for (; e.steps < kMostSteps; ++e.steps) {
    const Real sine = Sin(phi), cosine = Cos(phi);
    const Real root = Sqrt(l * l - b * b * cosine * cosine);
    const Real s = b * sine + root;
    const Real root1 = b * b * cosine * sine / root;
    const Real root2 = (b * b * (cosine * cosine - sine * sine) - root1 * root1) / root;
    const Real s1 = b * cosine + root1, s2 = -b * sine + root2;
    const Real f = (k * (s - s0) - collar * g) * s1 - 2 * m * g * a * cosine + spin * sine * cosine;
    const Real df = k * s1 * s1 + (k * (s - s0) - collar * g) * s2 + 2 * m * g * a * sine +
                    spin * (cosine * cosine - sine * sine);
    const Real step = -f / df;
    phi += step;
    e.last_step = Abs(step);
    if (e.last_step < Real(kConverged)) {
      const Real c = Cos(phi);
      e.coordinates = {p.initial.joints.q[0], phi, phi, b * Sin(phi) + Sqrt(l * l - b * b * c * c)};
      return e;
    }
  }
  RefuseToConverge(p);
}

using Row3 = std::array<Real, 3>;
using Block3 = std::array<Row3, 3>;

// x with a x = b for several right sides, by elimination with row pivoting.
template <std::size_t Columns>
std::array<std::array<Real, Columns>, 3> Solve3(Block3 a,
                                                std::array<std::array<Real, Columns>, 3> b) {
  for (std::size_t k = 0; k < 3; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < 3; ++i) {
      if (Abs(a[i][k]) > Abs(a[pivot][k])) pivot = i;
    }
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = 0; i < 3; ++i) {
      if (i == k) continue;
      const Real factor = a[i][k] / a[k][k];
      for (std::size_t c = k; c < 3; ++c) a[i][c] -= factor * a[k][c];
      for (std::size_t c = 0; c < Columns; ++c) b[i][c] -= factor * b[k][c];
    }
  }
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t c = 0; c < Columns; ++c) b[k][c] /= a[k][k];
  }
  return b;
}

// spunchainN in absolute angles psi_i from straight down, rods of mass m, length l and transverse
// inertia J, springs c, X_i the distance of the outer end of rod i from the axis (X_0 of the first
// pivot), x_i = X_(i-1) + (l/2) sin psi_i of its centre. With energy and centrifugal potential
//   U = sum m g y_i - (w^2/2)(m x_i^2 + J sin^2 psi_i) + (c/2)(psi_i - psi_(i-1))^2,
//   dU/dpsi_i = (m l/2 + m l (N - i)) g sin psi_i - w^2 J sin psi_i cos psi_i
//             - l cos psi_i (m w^2 x_i / 2 + H_i) + c (2 psi_i - psi_(i-1) - psi_(i+1)),
//   H_i = m w^2 sum over k > i of x_k:   H_(i-1) = H_i + m w^2 x_i.
// Newton on psi; its matrix is full in psi, but block tridiagonal in (psi_i, X_i, H_(i-1)).
ClosedEquilibrium Spunchain(const Problem& p) {
  const System& sys = p.system;
  const std::size_t n = sys.bodies.size() - 1;
  const Real m = sys.bodies[1].mass, j = sys.bodies[1].inertia(2, 2);
  const Real l = -2 * Real(sys.joints[1].child_frame.position.x);
  const Real x0 = sys.joints[1].parent_frame.position.x, g = -Real(sys.gravity.y);
  const Real c = sys.forces.Of<JointSpringDamper>()[0].stiffness, w2 = SpeedOf(p) * SpeedOf(p);
  ClosedEquilibrium e;
  e.equations = "dU/dpsi = 0 of the potential in absolute angles, gravity, springs and centrifugal";
  std::vector<Real> psi(n + 2, Real(0));  // psi_0 = 0 is the spindle's; psi_(n+1) is not used
  const Real half = Real(1) / 2;
  std::vector<Real> sine(n + 2), cosine(n + 2), outer(n + 1), centre(n + 1), pull(n + 1);
  for (; e.steps < kMostSteps; ++e.steps) {
    outer[0] = x0;
    for (std::size_t i = 1; i <= n; ++i) {
      sine[i] = Sin(psi[i]), cosine[i] = Cos(psi[i]);
      centre[i] = outer[i - 1] + half * l * sine[i];
      outer[i] = outer[i - 1] + l * sine[i];
    }
    pull[n] = 0;
    for (std::size_t i = n; i > 0; --i) pull[i - 1] = pull[i] + m * w2 * centre[i];
    // Unknowns of node i: (dpsi_i, dX_i, dH_(i-1)). Its rows: equilibrium, X, H. Block Thomas from the
    // tip inwards: (unknowns of i) = offset_i + gain_i (unknowns of i - 1).
    std::vector<Row3> offset(n + 2);
    std::vector<Block3> gain(n + 2);
    for (std::size_t i = n; i > 0; --i) {
      const Real weight = (half + Real(n - i)) * m * l * g;
      const Real f = weight * sine[i] - w2 * j * sine[i] * cosine[i] -
                     l * cosine[i] * (half * m * w2 * centre[i] + pull[i]) +
                     c * (psi[i] - psi[i - 1]) + (i < n ? c * (psi[i] - psi[i + 1]) : Real(0));
      const Real df = weight * cosine[i] - w2 * j * (cosine[i] * cosine[i] - sine[i] * sine[i]) +
                      l * sine[i] * (half * m * w2 * centre[i] + pull[i]) -
                      half * half * m * w2 * l * l * cosine[i] * cosine[i] +
                      c * (i < n ? Real(2) : Real(1));
      Block3 own{};
      own[0] = {df, 0, 0};
      own[1] = {-l * cosine[i], 1, 0};                     // dX_i - dX_(i-1) = l cos dpsi
      own[2] = {-half * m * w2 * l * cosine[i], 0, 1};     // dH_(i-1) - dH_i - m w2 dx_i
      Block3 inner{};                                      // of node i - 1
      inner[0] = {-c, -half * m * w2 * l * cosine[i], 0};  // by psi_(i-1) and x_i
      inner[1] = {0, -1, 0};
      inner[2] = {0, -m * w2, 0};
      Row3 right{-f, 0, 0};
      if (i < n) {  // by psi_(i+1) and dH_i, which belong to node i + 1
        const Row3& o = offset[i + 1];
        const Block3& q = gain[i + 1];
        const Row3 outer_f{-c, 0, -l * cosine[i]}, outer_h{0, 0, -1};
        for (std::size_t k = 0; k < 3; ++k) {
          right[0] -= outer_f[k] * o[k];
          right[2] -= outer_h[k] * o[k];
          for (std::size_t col = 0; col < 3; ++col) {
            own[0][col] += outer_f[k] * q[k][col];
            own[2][col] += outer_h[k] * q[k][col];
          }
        }
      }
      std::array<std::array<Real, 4>, 3> rhs{};
      for (std::size_t r = 0; r < 3; ++r)
        rhs[r] = {right[r], -inner[r][0], -inner[r][1], -inner[r][2]};
      const auto solved = Solve3<4>(own, rhs);
      for (std::size_t r = 0; r < 3; ++r) {
        offset[i][r] = solved[r][0];
        for (std::size_t k = 0; k < 3; ++k) gain[i][r][k] = solved[r][1 + k];
      }
    }
    Row3 before{};  // psi_0, X_0 and everything inside do not change
    e.last_step = 0;
    for (std::size_t i = 1; i <= n; ++i) {
      Row3 now = offset[i];
      for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t k = 0; k < 3; ++k) now[r] += gain[i][r][k] * before[k];
      }
      psi[i] += now[0];
      e.last_step = Max(e.last_step, Abs(now[0]));
      before = now;
    }
    if (e.last_step < Real(kConverged)) {
      e.coordinates = {p.initial.joints.q[0]};
      for (std::size_t i = 1; i <= n; ++i) e.coordinates.push_back(psi[i] - psi[i - 1]);
      return e;
    }
  }
  RefuseToConverge(p);
}

}  // namespace

std::optional<ClosedEquilibrium> SolveClosedEquations(const Problem& problem) {
  const std::string family = problem.name.substr(0, problem.name.find(':'));
  if (family == "swing") return Swing(problem);
  if (family == "governor" || family == "governor-rods") return Governor(problem);
  if (family == "spunchainN") return Spunchain(problem);
  return {};
}

}  // namespace mbsbench::extended
