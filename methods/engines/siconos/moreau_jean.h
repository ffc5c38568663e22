// Siconos' time stepping, apart from our headers: Siconos' own lead to those of Boost's uBLAS, which are no C++20. So
// moreau_jean.cc is compiled as C++17.
#pragma once

#include <SiconosFwd.hpp>

namespace mbsbench {

class MoreauJeanSteps {
 public:
  MoreauJeanSteps(SP::NonSmoothDynamicalSystem model, double step);
  ~MoreauJeanSteps();
  MoreauJeanSteps(const MoreauJeanSteps&) = delete;
  MoreauJeanSteps& operator=(const MoreauJeanSteps&) = delete;

  // From the state of the model; false: Newton's iteration does not converge. An exception ends the simulation.
  bool Step();

 private:
  SP::TimeStepping simulation_;
};

}  // namespace mbsbench
