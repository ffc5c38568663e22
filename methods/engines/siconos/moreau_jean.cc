#include "methods/engines/siconos/moreau_jean.h"

#include <Equality.hpp>
#include <MoreauJeanOSI.hpp>
#include <TimeDiscretisation.hpp>
#include <TimeStepping.hpp>
#include <memory>
#include <stdexcept>

namespace mbsbench {

MoreauJeanSteps::MoreauJeanSteps(SP::NonSmoothDynamicalSystem model, double step) {
  // The matrix of the multipliers is dense, as is the default: with sparse blocks every step of Siconos leaks memory.
  simulation_ = std::make_shared<TimeStepping>(
      model, std::make_shared<TimeDiscretisation>(0., step), std::make_shared<MoreauJeanOSI>(0.5),
      std::make_shared<Equality>());
  simulation_->setWarnOnNonConvergence(false);
  simulation_->setCheckSolverFunction([](int info, Simulation*) {
    if (info != 0) throw std::runtime_error("no multipliers");
  });
  simulation_->initialize();
}

// Siconos' objects own one another in circles.
MoreauJeanSteps::~MoreauJeanSteps() { simulation_->clear(); }

bool MoreauJeanSteps::Step() {
  simulation_->computeOneStep();
  return simulation_->isNewtonConverge();
}

}  // namespace mbsbench
