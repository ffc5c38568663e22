// Finds the events inside the steps of a one-step method. The state between two grid points comes from a
// separate step from the last grid point, so that an event is as exact as the method itself. The root of g
// over the length of that step is bracketed until the bracket is as small as the round-off of the time. The
// event takes place at the end of the bracket with g >= 0, so that it cannot be found a second time.
#pragma once

#include <span>
#include <vector>

#include "methods/growth/events.h"

namespace mbsbench {

class EventLocator {
 public:
  // Both null: there are no events.
  EventLocator(HasEvents* events, TakesSideSteps* stepper);

  bool active() const { return !before_.empty(); }
  // Evaluates g at the start and after each event; an event is a change of sign after that.
  void Start(double t, std::span<const double> y);

  // The first event of the step from (t0, y0) to (t1, y1), and all others at the same instant.
  struct Found {
    double time = 0;
    std::vector<std::size_t> events;  // in the order in which they take place; empty: none
    bool failed = false;              // a side step could not be carried out
  };
  // If an event is found, state() is the state there. Otherwise the next step starts at (t1, y1).
  const Found& Find(double t0, std::span<const double> y0, double t1, std::span<const double> y1);
  std::span<const double> state() const { return state_; }

 private:
  // g of event i, a side step of h from (t0, y0).
  double ValueAt(std::size_t i, double t0, std::span<const double> y0, double h);
  // Upper end of the closed bracket of the root of event i in (low, h], where g_low < 0 <= g_end.
  double Root(std::size_t i, double t0, std::span<const double> y0, double h, double g_end,
              double low, double g_low);

  HasEvents* events_;
  TakesSideSteps* stepper_;
  std::vector<double> before_, after_, here_, state_;
  std::vector<double> roots_;
  Found found_;
};

}  // namespace mbsbench
