// The scalar by which a kernel counts its own arithmetic, and what is counted.
#pragma once

#include <cmath>
#include <cstdint>

namespace mbsbench {

// Arithmetic operations of one evaluation, a multiply-add being two of them. Signs cost nothing that
// a sum does not hide; sines and cosines of angles are not among them, as in the counts of the
// literature.
struct OperationCount {
  std::int64_t multiplications = 0, additions = 0, divisions = 0, square_roots = 0;
};

// A number that counts what is done with it, in the thread's `counted`.
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
inline bool operator>(Counted a, Counted b) { return a.value > b.value; }
inline bool operator<(Counted a, Counted b) { return a.value < b.value; }
inline bool operator==(Counted a, Counted b) { return a.value == b.value; }
inline Counted sqrt(Counted a) {
  ++counted.square_roots;
  return Counted(std::sqrt(a.value));
}
inline Counted sin(Counted a) { return Counted(std::sin(a.value)); }
inline Counted cos(Counted a) { return Counted(std::cos(a.value)); }

}  // namespace mbsbench
