#include "methods/kinematics/pair_law.h"

#include <cmath>

#include "methods/kinematics/axial_vector.h"
#include "methods/kinematics/spring_law.h"
#include "problems/model/eigen.h"

namespace mbsbench {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

std::size_t At(int i) { return static_cast<std::size_t>(i); }

// t / sin(t) as a function of sine s and cosine c, with its derivatives; that by s is divided by s.
struct AnglePerSine {
  double value, by_sine, by_cosine;
};
AnglePerSine AnglePerSineOf(double s, double c) {
  const double square = s * s + c * c;
  const double value = s == 0 && c > 0 ? 1 / c : std::atan2(s, c) / s;
  const double x = s / c;
  // Below 0.05 the rest of the series is under 1e-13.
  const double by_sine =
      c > 0 && x < 0.05
          ? (-2. / 3 + x * x * (4. / 5 + x * x * (-6. / 7 + x * x * (8. / 9 - x * x * 10. / 11)))) /
                (c * c * c)
          : (c / square - value) / (s * s);
  return {value, by_sine, -1 / square};
}

// Adds (3) and its gradients.
void AddMoment(const Bushing& element, const PairForce::Vectors& value,
               const PairForce::Vectors& rate, bool with_gradients, PairForce& result) {
  Matrix3d a, b, a_rate, b_rate;  // columns: axes
  for (int i = 0; i < 3; ++i) {
    a.col(i) = value[At(i)], a_rate.col(i) = rate[At(i)];
    b.col(i) = value[At(3 + i)], b_rate.col(i) = rate[At(3 + i)];
  }
  const Matrix3d e = a.transpose() * b;
  const Matrix3d e_rate = a_rate.transpose() * b + a.transpose() * b_rate;
  const Matrix3d spin = e_rate * e.transpose();
  const Vector3d sine = AxialVector(e), turning = AxialVector(spin);
  const AnglePerSine angle = AnglePerSineOf(sine.norm(), (e.trace() - 1) / 2);
  const Vector3d k = ToEigen(element.turn_stiffness), c = ToEigen(element.turn_damping);
  const Vector3d moment = -k.cwiseProduct(angle.value * sine) - c.cwiseProduct(turning);
  result.moment = a * moment;
  if (!with_gradients) return;

  // Row m of a gradient of an axial vector: of the entries (q, p) and (p, q) that form component m.
  const Matrix3d along = b * e.transpose();  // columns: sum_j b_j E_pj
  const Matrix3d along_rate = b_rate * e.transpose() - b * e_rate.transpose();
  for (int v = 0; v < 6; ++v) {
    const int i = v % 3;
    const bool of_a = v < 3;
    Matrix3d sine_by = Matrix3d::Zero(), turning_by = sine_by, turning_by_rate = sine_by;
    for (int m = 0; m < 3; ++m) {
      const int p = (m + 1) % 3, q = (m + 2) % 3;
      if (of_a) {
        const double one = i == q ? 0.5 : 0, other = i == p ? 0.5 : 0;
        sine_by.row(m) = one * b.col(p) - other * b.col(q);
        turning_by.row(m) = one * along_rate.col(p) - other * along_rate.col(q);
        turning_by_rate.row(m) = one * along.col(p) - other * along.col(q);
      } else {
        const double one = i == p ? 0.5 : 0, other = i == q ? 0.5 : 0;
        sine_by.row(m) = one * a.col(q) - other * a.col(p);
        turning_by.row(m) = (e(p, i) * a_rate.col(q) + e_rate(q, i) * a.col(p) -
                             e(q, i) * a_rate.col(p) - e_rate(p, i) * a.col(q)) /
                            2;
        turning_by_rate.row(m) = (e(p, i) * a.col(q) - e(q, i) * a.col(p)) / 2;
      }
    }
    const Eigen::RowVector3d angle_by =
        angle.by_sine * sine.transpose() * sine_by +
        angle.by_cosine / 2 * (of_a ? b.col(i) : a.col(i)).transpose();
    const Matrix3d rotation_by = angle.value * sine_by + sine * angle_by;
    result.moment_by[At(v)] = -a * (k.asDiagonal() * rotation_by + c.asDiagonal() * turning_by);
    if (of_a) result.moment_by[At(v)] += moment[i] * Matrix3d::Identity();
    result.moment_by_rate[At(v)] = -a * c.asDiagonal() * turning_by_rate;
  }
}

PairForce ForceOf(const Bushing& element, const PairForce::Vectors& value,
                  const PairForce::Vectors& rate, bool with_gradients) {
  PairForce result;
  result.force = result.moment = Vector3d::Zero();
  if (with_gradients) {
    for (auto* gradients :
         {&result.force_by, &result.force_by_rate, &result.moment_by, &result.moment_by_rate})
      gradients->fill(Matrix3d::Zero());
  }
  constexpr std::size_t kGap = PairForce::kGap;
  const Vector3d stiffness = ToEigen(element.stiffness), damping = ToEigen(element.damping);
  const Vector3d &gap = value[kGap], &gap_rate = rate[kGap];
  for (int i = 0; i < 3; ++i) {
    const double k = stiffness[i], c = damping[i];
    const Vector3d &axis = value[At(i)], &axis_rate = rate[At(i)];
    const double push =
        SpringForce(k, c, 0, axis.dot(gap), axis_rate.dot(gap) + axis.dot(gap_rate));
    result.force += push * axis;
    if (!with_gradients) continue;
    result.force_by[At(i)] =
        push * Matrix3d::Identity() - axis * (k * gap + c * gap_rate).transpose();
    result.force_by_rate[At(i)] = -c * axis * gap.transpose();
    result.force_by[kGap] -= axis * (k * axis + c * axis_rate).transpose();
    result.force_by_rate[kGap] -= c * axis * axis.transpose();
  }
  if (element.Turns()) AddMoment(element, value, rate, with_gradients, result);
  return result;
}

}  // namespace

std::vector<PairLaw> PairLawsOf(const ForceElements& forces) {
  std::vector<PairLaw> laws;
  for (const Bushing& e : forces.Of<Bushing>()) {
    laws.push_back({e.body_a, e.body_b, e.frame_a, e.frame_b, e.Turns(),
                    [e](const PairForce::Vectors& value, const PairForce::Vectors& rate,
                        bool with_gradients) { return ForceOf(e, value, rate, with_gradients); }});
  }
  return laws;
}

}  // namespace mbsbench
