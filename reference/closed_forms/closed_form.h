// Problems whose motion is known in closed form.
#pragma once

#include <optional>

#include "reference/reference.h"

namespace mbsbench::extended {

// True if the motion is known in closed form. Takes far less time than the motion, whose reactions are computed at every sample.
bool HasClosedForm(const Problem& problem);

// The problem with the first and the last of its samples where its motion is a closed form, which states the same error at all of
// them: for the largest linkage it takes 11 s to compute them.
Problem WithFewSamples(Problem problem);

// The exact motion at the problem's sample times; empty when none is known.
std::optional<Reference> ClosedForm(const Problem& problem);

}  // namespace mbsbench::extended
