#pragma once

#include <string_view>

#include "problems/model/problem.h"

namespace mbsbench {

// Whether the part of `name` before the colon is a family of the catalogue.
bool IsCatalogueName(std::string_view name);

// References are found by a problem's name. A model file may therefore use a name of the catalogue
// only for the same mechanism and initial state; throws ModelError otherwise.
void RefuseBorrowedName(const Problem& problem);

}  // namespace mbsbench
