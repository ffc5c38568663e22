// The promises that every method is held to: what each one states, and how one method is tried on it.
// `mbsbench conform` prints them for any method; tests/every_method holds the methods of the list to them.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/runner/method_choice.h"
#include "harness/store/store.h"
#include "problems/model/problem.h"

namespace mbsbench {

enum class Standing {
  kHeld,
  kLimited,  // broken, within a limit that the method declares
  kBroken,
  kRefused,       // the method takes none of the systems that the promise is tried on
  kNotApplicable  // the method offers nothing that the promise is about
};
// "held", "limited", "broken", "refused", "not applicable"
std::string_view Name(Standing standing);

// One method tried on one promise.
struct Finding {
  Standing standing = Standing::kNotApplicable;
  double figure = NAN;  // the worst value measured; NaN: nothing is measured
  // Broken where the figure is above it, or not a number; where it is limited, the declared one.
  double bound = NAN;
  int tried = 0, refused = 0;    // systems; those refused are not tried
  std::string reason;            // of every standing but kHeld: one sentence
  std::optional<Problem> model;  // where it is broken by a system: the smallest one found
};
// { "standing", "figure", "bound", "tried", "refused", "reason", "model": text of a model file | null }
Json ToJson(const Finding& finding);
Finding FindingFrom(const Json& json);

// The method offers nothing that the promise is about.
Finding NotApplicable(std::string reason);
// Whether the system is supported and so counts as tried. Until one is tried, the reason is that of the first refusal.
bool Counts(const Verdict& verdict, Finding& finding);

struct Promise {
  std::string name;       // "tree-joint-ball"; lower case with hyphens
  std::string statement;  // what the method promises, as a clause: "gives ..."
  std::string figure;     // what the figure is: "error of accelerations and reactions"
  std::function<Finding(const MethodChoice&)> try_on;
};

// All of them, in the order in which they are printed.
const std::vector<Promise>& AllPromises();

// What the method declares not to keep of the promise of that name; none: it promises all of it.
std::optional<DeclaredLimit> LimitOn(const std::string& promise, const MethodChoice& method);

// The finding of one promise, declared limits applied. What the method throws breaks the promise. Where its code is
// not ours a copy of this process tries it, within the limits of guarded_method.h, so that a crash breaks this
// promise alone.
Finding TryOn(const Promise& promise, const MethodChoice& method);

}  // namespace mbsbench
