// What an entry says of the method with some options, and whether that takes a system. What is not on its lists (methods/interface/capabilities.h) is refused by a sentence
// that names the joint, body or element; so whatever is added to the model later is refused by every method that does not
// list it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "methods/interface/method.h"

namespace mbsbench {

Form FormOf(const MethodEntry& entry, const MethodOptions& options);
const Capabilities& CapabilitiesOf(const MethodEntry& entry, const MethodOptions& options);
const std::vector<std::string>& SharedPartsOf(const MethodEntry& entry,
                                              const MethodOptions& options);

// Whether the method with these options solves a validated system: by its capabilities, then by what
// its entry says besides.
Verdict VerdictOf(const MethodEntry& entry, const System& system, const MethodOptions& options);

// Why `method` ("riccati-mstmm:paper") with these capabilities refuses a validated system: the first
// thing of it that is not allowed. No value where all of it is.
std::optional<std::string> Refusal(const System& system, const Capabilities& capabilities,
                                   const std::string& method);

// The option of the group "variant" among these, "paper"; empty where the entry has no variants.
std::string VariantOf(const MethodEntry& entry, const MethodOptions& options);

}  // namespace mbsbench
