// The properties of a method with chosen options, and whether it solves a system. A feature that is not on the method's
// lists (methods/interface/capabilities.h) is refused by a sentence that names the joint, body or element. Features added to the
// model later are therefore refused by every method that does not list them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "methods/interface/method.h"

namespace mbsbench {

Form FormOf(const MethodEntry& entry, const MethodOptions& options);
double CostExponentOf(const MethodEntry& entry, const MethodOptions& options);
// Null: the method has no scheme of its own.
const OwnIntegration* OwnIntegrationOf(const MethodEntry& entry, const MethodOptions& options);
int ThreadsOf(const MethodEntry& entry, const MethodOptions& options);
const Capabilities& CapabilitiesOf(const MethodEntry& entry, const MethodOptions& options);
const std::vector<std::string>& SharedPartsOf(const MethodEntry& entry,
                                              const MethodOptions& options);

// Whether the method with these options solves a validated system: by its capabilities, then by the function `supports` of its
// entry.
Verdict VerdictOf(const MethodEntry& entry, const System& system, const MethodOptions& options);

// Why `method` ("riccati-mstmm:paper") with these capabilities refuses a validated system: its first feature that is not
// allowed. Empty if all features are allowed.
std::optional<std::string> Refusal(const System& system, const Capabilities& capabilities,
                                   const std::string& method);

}  // namespace mbsbench
