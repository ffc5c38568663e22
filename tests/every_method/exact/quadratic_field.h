// Exact numbers a + b sqrt(d) with rational a, b, d, and points of them.
#pragma once

#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

namespace mbsbench::exact {

using Rational = boost::multiprecision::cpp_rational;

// d = 0: rational.
struct Number {
  Rational a = 0, b = 0, d = 0;

  bool is_zero() const { return a == 0 && b == 0; }
  double value() const {
    return a.convert_to<double>() + b.convert_to<double>() * std::sqrt(d.convert_to<double>());
  }
};

inline Number Q(long numerator, long denominator = 1) {
  return {Rational(numerator, denominator), 0, 0};
}
inline Number Root(const Number& rational) { return {0, 1, rational.a}; }

inline Number operator+(const Number& x, const Number& y) {
  return {x.a + y.a, x.b + y.b, x.d == 0 ? y.d : x.d};
}
inline Number operator-(const Number& x) { return {-x.a, -x.b, x.d}; }
inline Number operator-(const Number& x, const Number& y) { return x + -y; }
inline Number operator*(const Number& x, const Number& y) {
  const Rational d = x.d == 0 ? y.d : x.d;
  return {x.a * y.a + x.b * y.b * d, x.a * y.b + x.b * y.a, d};
}
inline Number operator/(const Number& x, const Number& y) {
  const Rational norm = y.a * y.a - y.b * y.b * y.d;
  return x * Number{y.a / norm, -y.b / norm, y.d};
}

using Point = std::array<Number, 3>;

inline Point operator*(const Number& x, const Point& p) { return {x * p[0], x * p[1], x * p[2]}; }
inline Point operator+(const Point& p, const Point& q) {
  return {p[0] + q[0], p[1] + q[1], p[2] + q[2]};
}
inline Point operator-(const Point& p, const Point& q) { return p + Q(-1) * q; }
inline Point Cross(const Point& p, const Point& q) {
  return {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
}

}  // namespace mbsbench::exact
