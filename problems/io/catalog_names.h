#pragma once

#include <string_view>

#include "problems/model/problem.h"

namespace mbsbench {

// Whether the part of `name` before the colon is a family of the catalogue.
bool IsCatalogueName(std::string_view name);

// References are found by a problem's name. So a model file may bear a name of the catalogue only
// when it holds the very mechanism and initial state of that problem; throws ModelError otherwise.
void RefuseBorrowedName(const Problem& problem);

}  // namespace mbsbench
