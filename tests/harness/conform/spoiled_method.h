// Methods that break one promise each: a sound method with one fault.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "methods/interface/method.h"

namespace mbsbench {

// The fault of a sound method's formulations: ODE, DAE or time stepper.
struct Spoilers {
  std::function<void(System&)> system = {};  // before it is prepared
  std::function<void(SystemState&)> start = {};
  // Before and after each evaluation (an ODE's y' = f).
  std::function<void(std::vector<double>& y)> before = {};
  std::function<void(double t, std::span<double> ydot)> after = {};
  std::function<void(Observation&)> observation = {};
  double observed_until = HUGE_VAL;  // [s]; later samples are observed, and called singular
  std::function<void(std::span<double> values)> jacobian = {};
  double power = 1;  // factor
  bool projects = true;
};

// The entry with this key, whose formulations have the fault; batches too, by `after`.
MethodEntry Spoiled(const std::string& key, const Spoilers& spoilers);

}  // namespace mbsbench
