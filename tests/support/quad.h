// A scalar of 113 bits for equations templated on their scalar: the numbers of the references in Eigen's matrices.
#pragma once

#include <Eigen/Core>
#include <concepts>
#include <limits>

#include "reference/numerics/real.h"

namespace mbsbench {

struct Quad {
  extended::Real value = 0;
  Quad() = default;
  Quad(double v) : value(v) {}  // as a double would be, so that equations can be written 2 * x
  explicit Quad(std::same_as<extended::Real> auto v) : value(v) {}  // not of an integer
  explicit operator double() const { return static_cast<double>(value); }
  // Not templates, for a short compilation.
  friend Quad operator+(Quad a, Quad b) { return Quad(a.value + b.value); }
  friend Quad operator-(Quad a, Quad b) { return Quad(a.value - b.value); }
  friend Quad operator*(Quad a, Quad b) { return Quad(a.value * b.value); }
  friend Quad operator/(Quad a, Quad b) { return Quad(a.value / b.value); }
  friend Quad operator-(Quad a) { return Quad(-a.value); }
  friend Quad& operator+=(Quad& a, Quad b) { return a = a + b; }
  friend Quad& operator-=(Quad& a, Quad b) { return a = a - b; }
  friend Quad& operator*=(Quad& a, Quad b) { return a = a * b; }
  friend Quad& operator/=(Quad& a, Quad b) { return a = a / b; }
  friend bool operator==(Quad a, Quad b) { return a.value == b.value; }
  friend auto operator<=>(Quad a, Quad b) { return a.value <=> b.value; }
  friend Quad sqrt(Quad a) { return Quad(extended::Sqrt(a.value)); }
  friend Quad sin(Quad a) { return Quad(extended::Sin(a.value)); }
  friend Quad cos(Quad a) { return Quad(extended::Cos(a.value)); }
  friend Quad abs(Quad a) { return Quad(extended::Abs(a.value)); }
};

}  // namespace mbsbench

template <>
class std::numeric_limits<mbsbench::Quad> : public std::numeric_limits<double> {
 public:
  static constexpr int digits = 113, digits10 = 33;
  static mbsbench::Quad epsilon() { return 2 * mbsbench::extended::kRoundOff; }
};
template <>
struct Eigen::NumTraits<mbsbench::Quad> : Eigen::GenericNumTraits<mbsbench::Quad> {
  enum { RequireInitialization = 1 };
};
