// The documents of the store that describe problems and methods (store/DOCUMENTS.md).
#pragma once

#include "harness/runner/method_choice.h"
#include "harness/store/store.h"
#include "problems/catalog/catalog.h"

namespace mbsbench {

Json ProblemDocument(const Problem& problem);
Json MethodDocument(const MethodChoice& method);
// { "promises", "bound": number, null where nothing is kept, "reason", "with" } of each.
Json ToJson(const std::vector<DeclaredLimit>& limits);

// Degrees of freedom of the tree less the constraints of the joints that close loops, as far as
// these are independent.
int DegreesOfFreedom(const Problem& problem);

}  // namespace mbsbench
