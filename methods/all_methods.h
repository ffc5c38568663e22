// The list of methods: one line each in methods.inc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "methods/interface/method.h"

namespace mbsbench {

const std::vector<MethodEntry>& AllMethods();

}  // namespace mbsbench
