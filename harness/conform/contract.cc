// The promises about functions of the contract, whatever the system.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/conform/allocation_counter.h"
#include "harness/conform/tried_systems.h"
#include "harness/support/support.h"
#include "problems/model/all_finite.h"
#include "problems/model/error.h"
#include "problems/model/worse.h"

namespace mbsbench {

namespace {

using Values = std::vector<double>;

// An ODE's derivative or a DAE's residual as one function of its arguments, [y] or [y, y'].
class EquationsAt {
 public:
  EquationsAt(const MethodChoice& method, const TriedSystem& tried)
      : system_(tried.system),
        prepared_(PrepareAt(method, Given(tried), tried.state)),
        arguments_(prepared_.y) {
    arguments_.insert(arguments_.end(), prepared_.yp.begin(), prepared_.yp.end());
  }

  bool is_dae() const { return prepared_.formulation->form() == Form::kDae; }
  std::size_t size() const { return prepared_.y.size(); }
  const Values& arguments() const { return arguments_; }
  DaeFormulation& Dae() { return static_cast<DaeFormulation&>(*prepared_.formulation); }

  Status Evaluate(const Values& arguments, Values& out) {
    const std::span<const double> all(arguments);
    if (is_dae()) return Dae().Residual(0, all.first(size()), all.subspan(size()), out);
    return static_cast<OdeFormulation&>(*prepared_.formulation).Evaluate(0, all, out);
  }
  // Throws ModelError where it fails.
  Values Of(const Values& arguments) {
    Values out(size(), NAN);
    Require(Evaluate(arguments, out), system_);
    return out;
  }

 private:
  const System& system_;
  Prepared prepared_;
  Values arguments_;
};

// A NaN in the arguments gives a NaN in the result, or the method reports a failure. An entry on which the equations do
// not depend (the position of a free body) changes nothing.
Deviation NumbersFromNaN(const MethodChoice& method, const TriedSystem& tried) {
  EquationsAt equations(method, tried);
  const Values sound = equations.Of(equations.arguments());
  Values broken = equations.arguments(), out(equations.size());
  for (std::size_t i = 0; i < broken.size(); ++i) {
    const double value = std::exchange(broken[i], NAN);
    const Status status = equations.Evaluate(broken, out);
    const std::string entry =
        fmt::format("entry {} of y{}", i % equations.size(), i < equations.size() ? "" : "'");
    if (!status.ok() && !equations.is_dae() &&
        !std::ranges::all_of(out, [](double x) { return std::isnan(x); }))
      return Fault("it fails where " + entry + " is NaN, and leaves numbers in y'");
    if (status.ok() && AllFinite(out) && out != sound)
      return Fault("where " + entry + " is NaN it gives numbers all the same");
    broken[i] = value;
    if (equations.Of(broken) != sound)
      return Fault("after an evaluation in which " + entry + " was NaN it gives other numbers");
  }
  return {};
}

// The results of two formulations, and of two evaluations by one of them, agree to the last bit.
Deviation Repetition(const MethodChoice& method, const TriedSystem& tried) {
  EquationsAt first(method, tried), second(method, tried);
  const Values once = first.Of(first.arguments());
  Values elsewhere = first.arguments();
  for (double& value : elsewhere) value *= 1 + 1e-6;
  first.Of(elsewhere);
  if (first.Of(first.arguments()) != once) return Fault("the same state, evaluated again, differs");
  if (second.Of(second.arguments()) != once)
    return Fault("the same system, prepared again, gives other numbers");
  return {};
}

Deviation AllocationsOf(const MethodChoice& method, const TriedSystem& tried) {
  EquationsAt equations(method, tried);
  Values out(equations.size()), values;
  if (equations.is_dae()) values.resize(equations.Dae().pattern().row.size());
  const std::size_t before = Allocations().value_or(0);
  Status status = equations.Evaluate(equations.arguments(), out);
  if (status.ok() && equations.is_dae()) {
    const std::span<const double> all(equations.arguments());
    status = equations.Dae().Jacobian(0, 100, all.first(equations.size()),
                                      all.subspan(equations.size()), values);
  }
  const std::size_t count = Allocations().value_or(0) - before;
  Require(status, tried.system);
  if (count > 0)
    return Fault(
        fmt::format("one evaluation allocates {} {}", count, count == 1 ? "time" : "times"));
  return {};
}

// dF/dy + c dF/dy' is the derivative of F(y + s e_j, y' + c s e_j) with respect to s, by differences of fourth order.
Deviation JacobianError(const MethodChoice& method, const TriedSystem& tried) {
  constexpr double kStep = 1e-3, kCoefficient = 100;
  EquationsAt equations(method, tried);
  const std::size_t n = equations.size();
  const SparsityPattern& pattern = equations.Dae().pattern();
  Values values(pattern.row.size(), NAN);
  const std::span<const double> all(equations.arguments());
  Require(equations.Dae().Jacobian(0, kCoefficient, all.first(n), all.subspan(n), values),
          tried.system, "its Jacobian fails");
  double size = 0, difference = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const auto at = [&](double s) {
      Values moved = equations.arguments();
      moved[j] += s;
      moved[n + j] += kCoefficient * s;
      return equations.Of(moved);
    };
    const Values a = at(kStep), b = at(-kStep), c = at(2 * kStep), d = at(-2 * kStep);
    Values column(n, 0);
    for (auto k = static_cast<std::size_t>(pattern.column_start[j]);
         k < static_cast<std::size_t>(pattern.column_start[j + 1]); ++k)
      column[static_cast<std::size_t>(pattern.row[k])] = values[k];
    for (std::size_t i = 0; i < n; ++i) {
      const double measured = (8 * (a[i] - b[i]) - (c[i] - d[i])) / (12 * kStep);
      difference = Worse(difference, std::abs(measured - column[i]));
      size = std::max(size, std::abs(measured));
    }
  }
  return {.acceleration = difference / size,
          .what = "derivatives are off by",
          .unit = " of the largest"};
}

// A promise about equations that the harness evaluates: y' = f or F = 0.
Promise AboutEquations(const std::string& name, const std::string& statement,
                       const Measure& measure) {
  return {name, statement, "", [measure](const MethodChoice& method) {
            if (method.form() == Form::kTimeStepper)
              return NotApplicable("the method owns its step: there are no equations to evaluate");
            return TryOnSystems(method, Samples(), 0, measure);
          }};
}

// ---- batches

struct Lanes {
  std::vector<Values> states;
  std::vector<LaneValues> y, rates;
};

// States near the initial one that differ in every entry; quaternions need not have unit length.
Lanes LanesAbout(const Values& y) {
  RandomNumbers random(y.size());
  Lanes lanes{std::vector<Values>(kBatchStates, y), std::vector<LaneValues>(y.size()),
              std::vector<LaneValues>(y.size())};
  for (std::size_t l = 0; l < kBatchStates; ++l) {
    for (std::size_t i = 0; i < y.size(); ++i)
      lanes.y[i].lane[l] = lanes.states[l][i] += random.Between(-0.1, 0.1);
  }
  return lanes;
}

// Largest difference of a lane from the single evaluation of its state, relative to the largest rate.
Deviation BatchDifference(const MethodChoice& method, const TriedSystem& tried) {
  EquationsAt single(method, tried);
  const auto batch = PrepareBatch(method, Given(tried));
  if (batch->state_size() != single.size())
    return Fault(fmt::format("a batch has {} entries of y, a single evaluation {}",
                             batch->state_size(), single.size()));
  Lanes lanes = LanesAbout(single.arguments());
  std::vector<Status> status(kBatchStates);
  if (!batch->EvaluateBatch(0, lanes.y, lanes.rates, status))
    Require(*std::ranges::find_if_not(status, &Status::ok), tried.system, "a batch fails");
  Deviation deviation{.what = "rates of a batch are off by", .unit = " of the largest"};
  const auto judge = [&](std::size_t l) {
    const Values alone = single.Of(lanes.states[l]);
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < alone.size(); ++i) {
      difference = Worse(difference, std::abs(lanes.rates[i].lane[l] - alone[i]));
      size = std::max(size, std::abs(alone[i]));
    }
    deviation.acceleration = Worse(deviation.acceleration, difference / size);
  };
  for (std::size_t l = 0; l < kBatchStates; ++l) judge(l);
  // NaN in one state fails that state alone, and does not affect later evaluations. Lanes without a state are not looked at.
  const std::vector<LaneValues> sound = lanes.rates;
  constexpr std::size_t kBad = 1;
  lanes.y.back().lane[kBad] = NAN;
  for (const std::size_t count : {kBatchStates, kBad + 2, kBad}) {
    status.assign(count, {});
    const bool all_ok = batch->EvaluateBatch(0, lanes.y, lanes.rates, status);
    if (all_ok != (count <= kBad))
      return Fault(all_ok ? "a batch does not fail where a rate is NaN"
                          : "a batch fails because of a lane without a state");
    for (std::size_t l = 0; l < count; ++l) {
      if (status[l].ok() == (l == kBad))
        return Fault(fmt::format("where a rate of state {} of a batch is NaN, state {} {}", kBad, l,
                                 l == kBad ? "is ok" : "fails"));
      if (l != kBad) judge(l);
    }
    for (const LaneValues& rate : lanes.rates) {
      if (count > kBad && !std::isnan(rate.lane[kBad]))
        return Fault("a state of a batch that fails leaves numbers in y'");
    }
  }
  lanes.y.back().lane[kBad] = lanes.states[kBad].back();
  status.assign(kBatchStates, {});
  if (!batch->EvaluateBatch(0, lanes.y, lanes.rates, status))
    return Fault("after a batch that failed a sound one fails");
  for (std::size_t i = 0; i < sound.size(); ++i) {
    if (!std::equal(sound[i].lane, sound[i].lane + kBatchStates, lanes.rates[i].lane))
      return Fault("after a batch that failed a sound one gives other numbers");
  }
  return deviation;
}

// A batch that cannot be prepared counts as refused.
Finding TryBatches(const MethodChoice& method) {
  if (!method.entry->prepare_batch)
    return NotApplicable("the method evaluates one state at a time");
  TriedSystems taken;
  Finding refused;
  for (const TriedSystems* systems : {&Samples(), &TreesWithJointSprings()}) {
    for (const TriedSystem& tried : *systems) {
      if (!VerdictOf(*method.entry, tried.system, method.options).supported) continue;
      try {
        PrepareBatch(method, Given(tried));
        taken.push_back(tried);
      } catch (const ModelError& error) {
        if (refused.refused++ == 0) refused.reason = error.what();
      }
    }
  }
  if (taken.empty()) {
    refused.standing = Standing::kRefused;
    return refused;
  }
  Finding finding = TryOnSystems(method, taken, 1e-10, BatchDifference);
  finding.refused += refused.refused;
  return finding;
}

}  // namespace

std::vector<Promise> ContractPromises() {
  std::vector<Promise> all;
  all.push_back(AboutEquations("not-a-number",
                               "propagates NaN or fails, and is not affected by it afterwards",
                               NumbersFromNaN));
  all.push_back(AboutEquations("repeatable", "gives the same bits for the same state", Repetition));
  all.push_back(
      AboutEquations("no-allocation", "allocates nothing in an evaluation", AllocationsOf));
  all.back().try_on = [without = all.back().try_on](const MethodChoice& method) {
    if (!Allocations())
      return NotApplicable("a sanitizer replaces malloc: allocations cannot be counted");
    return without(method);
  };
  all.push_back({"jacobian", "gives the exact Jacobian of its residual",
                 "difference from divided differences", [](const MethodChoice& method) {
                   if (method.form() != Form::kDae)
                     return NotApplicable("the method is not a DAE and has no Jacobian");
                   return TryOnSystems(method, Samples(), 1e-6, JacobianError);
                 }});
  all.push_back({"batches", "evaluates each state of a batch as it evaluates it alone",
                 "difference of rates", TryBatches});
  return all;
}

}  // namespace mbsbench
