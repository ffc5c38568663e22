// A method with chosen options, from a spec like "cartesian-dae:ggl".
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/integrate/integrate.h"
#include "harness/support/support.h"
#include "methods/interface/method.h"

namespace mbsbench {

struct MethodChoice {
  const MethodEntry* entry = nullptr;
  MethodOptions
      options;  // one of each group that has a default or was chosen from, in declared order
  // Canonical: key and all options, "riccati-mstmm:general"; the default stabilisation is omitted, because trees need none.
  std::string spec;

  Form form() const { return FormOf(*entry, options); }
  double cost_exponent() const { return CostExponentOf(*entry, options); }
  int threads() const { return ThreadsOf(*entry, options); }
  const OwnIntegration* own_integration() const { return OwnIntegrationOf(*entry, options); }
};

// Reads "key[:option,...]"; missing options are the defaults of their groups. Throws ModelError
// with the closest names when the key or an option is unknown, or when two options exclude each
// other.
MethodChoice ChooseMethod(std::string_view spec, const std::vector<MethodEntry>& methods);

// Prepares the choice for a system that it supports. The system's time scale T converts numbers with the unit 1/T to 1/s.
std::unique_ptr<Formulation> Prepare(const MethodChoice& choice, const GivenSystem& system);
// For an entry with prepare_batch. Throws ModelError if it refuses batches of the system.
std::unique_ptr<BatchFormulation> PrepareBatch(const MethodChoice& choice,
                                               const GivenSystem& system);

// Every variant of a method: each option of the group "variant" in turn, the other groups at their
// defaults; before them the method without any, unless one is the default.
std::vector<MethodChoice> VariantsOf(const MethodEntry& entry);

// The limits that the entry declares for these options.
std::vector<DeclaredLimit> LimitsOf(const MethodChoice& choice);

// Whether every option is the default one of its group.
bool IsDefaultVariant(const MethodChoice& choice);

// The integrator as used with a method; `own` is the integrator of the method itself. Empty if they do not fit together.
std::optional<IntegratorEntry> IntegratorFor(const MethodChoice& choice,
                                             const IntegratorEntry& integrator);

// Whether a choice solves a system with the integrator of that key, or with any if the key is empty: projection onto loops needs
// an integrator that projects.
Verdict Supports(const MethodChoice& choice, const System& system, std::string_view integrator);
// Supports for a system that the method itself supports.
Verdict GoesWith(const MethodChoice& choice, const System& system, std::string_view integrator);

// The choice with each of the other stabilisations than the default.
std::vector<MethodChoice> OtherStabilisationsOf(const MethodChoice& choice);
// The choice with the default stabilisation; unchanged if it has it or the method offers none.
MethodChoice WithDefaultStabilisation(const MethodChoice& choice);

}  // namespace mbsbench
