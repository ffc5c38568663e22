// A scalar that counts the operations of a kernel.
#pragma once

#include <cmath>
#include <limits>

#include "methods/interface/operation_count.h"

namespace mbsbench {

// A number that counts its operations in the thread's `counted`.
inline thread_local OperationCount counted;

struct Counted {
  double value = 0;
  Counted() = default;
  explicit Counted(double v) : value(v) {}
};
inline Counted operator+(Counted a, Counted b) {
  ++counted.additions;
  return Counted(a.value + b.value);
}
inline Counted operator-(Counted a, Counted b) {
  ++counted.additions;
  return Counted(a.value - b.value);
}
inline Counted operator*(Counted a, Counted b) {
  ++counted.multiplications;
  return Counted(a.value * b.value);
}
inline Counted operator/(Counted a, Counted b) {
  ++counted.divisions;
  return Counted(a.value / b.value);
}
inline Counted operator-(Counted a) { return Counted(-a.value); }
inline Counted& operator+=(Counted& a, Counted b) { return a = a + b; }
inline Counted& operator-=(Counted& a, Counted b) { return a = a - b; }
inline Counted& operator*=(Counted& a, Counted b) { return a = a * b; }
inline bool operator>(Counted a, Counted b) { return a.value > b.value; }
inline bool operator<(Counted a, Counted b) { return a.value < b.value; }
inline bool operator==(Counted a, Counted b) { return a.value == b.value; }
inline Counted sqrt(Counted a) {
  ++counted.square_roots;
  return Counted(std::sqrt(a.value));
}
inline Counted abs(Counted a) { return Counted(std::abs(a.value)); }
inline Counted sin(Counted a) { return Counted(std::sin(a.value)); }
inline Counted cos(Counted a) { return Counted(std::cos(a.value)); }

}  // namespace mbsbench

template <>
class std::numeric_limits<mbsbench::Counted> : public std::numeric_limits<double> {};
