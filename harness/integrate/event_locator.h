// Finds the events inside the steps of a one-step method. Like a sample, the state between two grid
// points comes from a separate step from the last grid point, so that an event is as exact as the
// method itself; the root of g over the length of that step is bracketed and closed in upon until
// the bracket is round-off of the time. The event takes place at its end where g >= 0, so that it
// has happened there and cannot be found a second time.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "methods/interface/formulation.h"

namespace mbsbench {

class EventLocator {
 public:
  // Carries y from t over h; false where that fails.
  using SideStep =
      std::function<bool(double t, std::span<const double> y, double h, std::span<double> out)>;

  EventLocator(Formulation& formulation, SideStep side_step);

  bool active() const { return !before_.empty(); }
  // Takes g at the start and after each event; nothing is found without a change of sign from here.
  void Start(double t, std::span<const double> y);

  // The first event of the step from (t0, y0) to (t1, y1), and those of the same instant.
  struct Found {
    double time = 0;
    std::vector<std::size_t> events;  // in the order in which they take place; empty: none
    bool failed = false;              // a side step could not be carried out
  };
  // Where one is found, the state there stands in state(). Where none is, the next step starts at
  // (t1, y1).
  const Found& Find(double t0, std::span<const double> y0, double t1, std::span<const double> y1);
  std::span<const double> state() const { return state_; }

 private:
  // g of event i, a side step of h from (t0, y0).
  double ValueAt(std::size_t i, double t0, std::span<const double> y0, double h);
  // Upper end of the closed bracket of the root of event i in (low, h], where g_low < 0 <= g_end.
  double Root(std::size_t i, double t0, std::span<const double> y0, double h, double g_end,
              double low, double g_low);

  Formulation& formulation_;
  SideStep side_step_;
  std::vector<double> before_, after_, here_, state_;
  std::vector<double> roots_;
  Found found_;
};

}  // namespace mbsbench
