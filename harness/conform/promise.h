// The promises that every method has to keep: the statement of each, and how a method is tried on it.
// `mbsbench conform` tries any method; tests/every_method tries the methods of the list.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/fields.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/store/store.h"
#include "problems/model/problem.h"

namespace mbsbench {

enum class Standing {
  kHeld,
  kLimited,   // broken, within a limit that the method declares
  kNotKept,   // the method declares that it does not keep the promise at all
  kNotTried,  // the method declares that it takes more time than is allowed
  kBroken,
  kRefused,       // the method takes none of the systems that the promise is tried on
  kNotApplicable  // the method offers nothing that the promise is about
};
// "held", "limited", "not kept", "not tried", "broken", "refused", "not applicable"
std::string_view Name(Standing standing);

// One method tried on one promise.
struct Finding {
  Standing standing = Standing::kNotApplicable;
  double figure = NAN;  // the worst value measured; NaN: nothing is measured
  // The promise is broken if the figure is above the bound or NaN. For a limited promise: the declared bound.
  double bound = NAN;
  int tried = 0, refused = 0;  // systems; refused ones are not tried
  std::string reason = {};     // one sentence for every standing except kHeld
  // Of a broken promise: the smallest system found that breaks it.
  std::optional<Problem> model = {};

  MBSBENCH_FIELDS(standing, figure, bound, tried, refused, reason)
};
// { "standing", "figure", "bound", "tried", "refused", "reason", "model": text of a model file | null }
Json ToJson(const Finding& finding);
Finding FindingFrom(const Json& json);

// The method offers nothing that the promise is about.
Finding NotApplicable(std::string reason);
// Whether the system is supported and so counts as tried. With the first one tried the promise is held, until it is found broken;
// until then it is refused, for the reason of the first refusal.
bool Counts(const Verdict& verdict, Finding& finding);

struct Promise {
  std::string name;       // "tree-joint-ball"; lower case with hyphens
  std::string statement;  // what the method promises, as a clause: "gives ..."
  std::string figure;     // the quantity measured: "error of accelerations and reactions"
  std::function<Finding(const MethodChoice&)> try_on;
};

// All of them, in the order in which they are printed.
const std::vector<Promise>& AllPromises();

// Their groups, with a source file for each: accelerations and reactions of one state, against the reference's equations in 113 bits.
std::vector<Promise> AccelerationPromises();
// Properties of a motion that need no reference: energy, orders, projection, samples.
std::vector<Promise> MotionPromises();
// Methods with their own steps: orders, invariants, and agreement of what they step with what they observe.
std::vector<Promise> OwnStepPromises();
// What the contract demands of functions: no allocation, propagation of NaN, exact Jacobians, batches.
std::vector<Promise> ContractPromises();
// The sentences of refusals, and the whole catalogue.
std::vector<Promise> RefusalPromises();
// The references of problems that state an accuracy, one promise per problem, and the first motion of all others.
std::vector<Promise> ReferencePromises();

// Notes the system or problem on which a method is being tried: if the process is ended there, the finding names it.
void NowTrying(const std::string& name);

// The limit that the method declares on the promise of that name; empty: it declares none.
std::optional<DeclaredLimit> LimitOn(const std::string& promise, const MethodChoice& method);

// The finding of one promise, with declared limits applied. An exception from the method breaks the promise. If the
// method's code is not ours, a copy of this process tries it within the limits of guarded_method.h, so that a crash
// breaks only this promise.
Finding TryOn(const Promise& promise, const MethodChoice& method);

}  // namespace mbsbench
