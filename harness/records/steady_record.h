// What a trial of a steady state records beyond the accuracy of the state.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/named_values.h"
#include "harness/records/number.h"

namespace mbsbench {

struct SteadyStateRecord {
  NamedValues<double> unknowns = {}, residuals = {};
  NamedValues<std::string> units = {};                           // of both
  std::vector<double> residual_history = {}, step_history = {};  // per iteration of Newton

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("unknowns", r.unknowns);
    field("residuals", r.residuals);
    field("units", r.units);
    field("residual_history", r.residual_history);
    field("step_history", r.step_history);
  }
};

// The steady states that guesses reach at the problem's own speed. `values` here and below: the coordinates that no driver
// holds and the position observables, at the initial phase of the drivers.
struct FoundStateRecord {
  NamedValues<double> values = {};
  std::optional<bool> stable = {};
  MaybeNumber growth = {};
  std::vector<double> frequencies = {};
  int reached_by = 0;  // of the guesses
  bool from_the_problems_guess = false;

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("values", r.values);
    field("stable", r.stable);
    field("growth", r.growth);
    field("frequencies", r.frequencies);
    field("reached_by", r.reached_by);
    field("from_the_problems_guess", r.from_the_problems_guess);
  }
};

struct EquilibriaRecord {
  double speed = 0;
  int starts = 0;
  std::uint64_t seed = 0;
  NamedValues<int> failed = {};  // guesses that led nowhere, by outcome
  std::vector<FoundStateRecord> found = {};

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("speed", r.speed);
    field("starts", r.starts);
    field("seed", r.seed);
    field("failed", r.failed);
    field("found", r.found);
  }
};

struct TurningPointRecord {
  double speed = 0;
  NamedValues<double> values = {};
  std::size_t after = 0;  // index of a point of the branch

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("speed", r.speed);
    field("values", r.values);
    field("after", r.after);
  }
};

struct BranchRecord {
  std::vector<double> speeds = {};
  std::vector<std::optional<bool>> stable = {};
  NamedValues<std::vector<double>> values = {};
  std::vector<TurningPointRecord> turning_points = {};
  std::string begins = {}, ends = {};

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("speeds", r.speeds);
    field("stable", r.stable);
    field("values", r.values);
    field("turning_points", r.turning_points);
    field("begins", r.begins);
    field("ends", r.ends);
  }
};

struct BranchesRecord {
  double from = 0, to = 0;  // speeds of the first driver
  std::vector<BranchRecord> list = {};

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("from", r.from);
    field("to", r.to);
    field("list", r.list);
  }
};

struct SteadySurveyRecord {
  std::string drawn = {}, label = {};  // the quantity over which branches are drawn, and its axis
  EquilibriaRecord equilibria = {};
  std::optional<BranchesRecord> branches = {};

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("drawn", r.drawn);
    field("label", r.label);
    field("equilibria", r.equilibria);
    field("branches", r.branches);
  }
};

}  // namespace mbsbench
