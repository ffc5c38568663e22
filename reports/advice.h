// Which method and integrator an engineer takes for one mechanism: what the comparison at equal error has
// found, without those whose constraints drift away.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mbsbench::reports {

struct RankedMethod {
  std::string method, integrator, setting;  // "tol 1e-8", of the cheapest cell within the error
  std::string command;                      // that repeats this cell
  std::string fault;                        // why it is not taken, one clause; empty: it may be
  std::optional<double> seconds;            // CPU time at the error asked for, as the report has it
  bool at_most = false;  // `seconds` is a bound: its coarsest cell is better already
  std::optional<double> error, position_drift, energy_drift;  // of that cell
  // Without a fault: its time over that of the first, "takes 1.31 (1.22 to 1.40, 3 rounds) times as long, slower".
  std::string against_first = {};
};

struct Advice {
  std::string problem;
  std::vector<RankedMethod> methods;  // those without a fault by time, then the others
  bool has_rivals = true;             // whether motions of several methods were run
};

// The fault of a method that the store does not hold, "it gives no reactions"; empty: none. Asked of those
// only that would be recommended otherwise, the fastest first, until two have none.
using OtherFault = std::function<std::string(const std::string& method)>;

// Of the latest problem called `problem` in a store, at this error. Throws ReportError.
Advice AdviceOf(const std::filesystem::path& store, const std::string& problem, double error,
                const OtherFault& other_fault = {});

// Whether a drift over time goes on growing, rather than staying where the scheme keeps it: beyond
// round-off, the median of its last third is above three times that of its first, that of its middle
// third above half as many times, and the last above the middle one. So drift that follows a motion from
// rest until it has its speed does not count.
bool Grows(const std::vector<std::optional<double>>& drift);

}  // namespace mbsbench::reports
