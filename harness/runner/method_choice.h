// A method with its options chosen: what a spec like "cartesian-dae:ggl" stands for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/integrate/integrate.h"
#include "harness/verdict/verdict.h"
#include "methods/interface/method.h"

namespace mbsbench {

struct MethodChoice {
  const MethodEntry* entry = nullptr;
  MethodOptions
      options;  // one of each group that has a default or was chosen from, in declared order
  // Canonical: key and all options, "riccati-mstmm:general"; the stabilisation by default is not
  // spelled, because trees have nothing to stabilise.
  std::string spec;

  Form form() const { return FormOf(*entry, options); }
};

// Reads "key[:option,...]"; missing options are the defaults of their groups. Throws ModelError
// with the closest names when the key or an option is unknown, or when two options exclude each
// other.
MethodChoice ChooseMethod(std::string_view spec, const std::vector<MethodEntry>& methods);

// The choice prepared for a system that it supports. `time`: the characteristic time T of the problem [s], by
// which numbers of the unit 1/T are put into 1/s.
std::unique_ptr<Formulation> Prepare(const MethodChoice& choice, const GivenSystem& system,
                                     double time);
// Of an entry with prepare_batch. Throws ModelError where it refuses batches of the system.
std::unique_ptr<BatchFormulation> PrepareBatch(const MethodChoice& choice, const System& system,
                                               double time);

// Every variant of a method: each option of the group "variant" in turn, the other groups at their
// defaults.
std::vector<MethodChoice> VariantsOf(const MethodEntry& entry);

// What the entry declares not to keep with these options.
std::vector<DeclaredLimit> LimitsOf(const MethodChoice& choice);

// Whether every option is the default one of its group.
bool IsDefaultVariant(const MethodChoice& choice);

// The integrator as it serves a method: `own` is what the method brings along. None where it does not.
std::optional<IntegratorEntry> IntegratorFor(const MethodChoice& choice,
                                             const IntegratorEntry& integrator);

// Whether a choice solves a system, and with the integrator of that key, where one is meant:
// projection onto loops needs one that projects.
Verdict Supports(const MethodChoice& choice, const System& system, std::string_view integrator);
// The same of a system that the method itself supports.
Verdict GoesWith(const MethodChoice& choice, const System& system, std::string_view integrator);

// The choice with each stabilisation that is not the default one: what loops are solved with besides.
std::vector<MethodChoice> OtherStabilisationsOf(const MethodChoice& choice);
// The choice with the default stabilisation; itself where it has that or the method offers none.
MethodChoice WithDefaultStabilisation(const MethodChoice& choice);

}  // namespace mbsbench
