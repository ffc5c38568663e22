// Recommends a method and an integrator for one mechanism: the fastest at equal error, without those whose constraints drift
// away.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mbsbench::reports {

struct RankedMethod {
  std::string method, integrator, setting;  // "tol 1e-8", of the cell timed at the error
  std::string command;                      // that repeats this cell
  std::string fault;                        // why it is not recommended, one clause; else empty
  std::optional<double> seconds;            // CPU time at the requested error, as in the report
  std::optional<double> error, position_drift, energy_drift;  // of that cell
  // Its time over that of the first, if it has no fault: "takes 1.31 (1.22 to 1.40, 3 rounds) times as long, slower".
  std::string against_first = {};
};

struct Advice {
  std::vector<RankedMethod> methods;  // those without a fault by time, then the others
  bool has_rivals = true;             // whether motions of several methods were run
};

// A fault of a method that the store does not record, "it gives no reactions"; empty without one. It is called for methods
// that would otherwise be recommended, the fastest first, until two have no fault.
using OtherFault = std::function<std::string(const std::string& method)>;

// For the latest problem of this name in a store. Throws ReportError.
Advice AdviceOf(const std::filesystem::path& store, const std::string& problem, double error,
                const OtherFault& other_fault = {});

// Whether a drift over time keeps growing: it exceeds round-off, the median of its last third is more than three times that
// of its first third and 1.4 times that of its middle third, and the middle one is more than 1.5 times the first. Drift that
// follows a motion from rest until it has its speed therefore does not count.
bool Grows(const std::vector<std::optional<double>>& drift);

}  // namespace mbsbench::reports
